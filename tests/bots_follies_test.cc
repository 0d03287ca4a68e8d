// A level is watched, not only counted: what looks senseless to a person is counted in its games.
#include <gtest/gtest.h>

#include "civ/bots/bot.h"
#include "tests/follies.h"
#include "tests/generate.h"
#include "tests/support.h"

namespace civ::test {
namespace {

// The follies of a bot that plays all seats.
std::array<int, kFollies> FolliesOf(std::string_view name, const Config& config, int games) {
  std::array<int, kFollies> all{};
  for (int number = 0; number < games; ++number) {
    const auto seed = static_cast<uint64_t>(number);
    const Deal deal = DealFromSeed(config, seed);
    Game game(New(deal.config, deal.deck.Span()));
    FollyWatch::Found found{};
    FollyWatch watch(found);
    std::vector<std::unique_ptr<Bot>> bots;
    for (Seat seat = 0; seat < config.players; ++seat) bots.push_back(MakeBot(name));
    for (uint64_t action = 0; game.state.step != Step::Over; ++action) {
      const Seat seat = game.state.seat;
      const Thought thought = bots[seat]->Think(MakeView(game.state, game.knowledge, seat),
                                                {.iterations = 600}, 1000 * seed + action);
      watch.Step(game.state, thought.best);
      game.Apply(thought.best);
    }
    for (const auto& of_seat : found)
      for (size_t i = 0; i < all.size(); ++i) all[i] += of_seat[i];
  }
  return all;
}

// How many there may be in a hundred games, all seats together; of all others none.
struct Bound {
  Folly folly;
  int most;
};

void ExpectFew(std::string_view name, int games, std::initializer_list<Bound> bounds) {
  for (const Config& config : {Config{2, Setup::Basic, Edition::En, false, 0},
                               Config{4, Setup::Basic, Edition::En, false, 0}}) {
    const std::array<int, kFollies> found = FolliesOf(name, config, games);
    for (int i = 0; i < kFollies; ++i) {
      int most = 0;
      for (const Bound& bound : bounds)
        if (bound.folly == static_cast<Folly>(i)) most = bound.most;
      // One more where they happen at all: few games tell little.
      EXPECT_LE(found[static_cast<size_t>(i)] * 100, most * games + (most > 1 ? 100 : 0))
          << name << " with " << int{config.players}
          << " players: " << NameOf(static_cast<Folly>(i));
    }
  }
}

TEST(Follies, OfTheGentleLevels) {
  for (const std::string_view name : {"level1", "level2", "level3", "level4"}) {
    const bool digs = name == "level4";
    ExpectFew(name, (digs ? 3 : 8) * Times(),
              {{Folly::TakesBack, 5},
               {Folly::OwnGoal, 5},
               {Folly::Breakthrough, 5},
               {Folly::ThrowsAway, 5}});
  }
}

// Whoever searches sees a sense where a watcher sees none, for instance in learning somebody's
// hand.
TEST(Follies, OfTheLevelsThatSearch) {
  for (const auto& [name, games] :
       {std::pair{"level5", 10}, std::pair{"level6", 5}, std::pair{"level7", 1}})
    ExpectFew(name, games * Times(),
              {{Folly::TakesBack, 20},
               {Folly::OwnGoal, 20},
               {Folly::MissesWin, 1},  // with so many effects that not all ways are looked at
               {Folly::Inquisition, 100},
               {Folly::Breakthrough, 20},
               {Folly::FaceDown, 20},
               {Folly::ThrowsAway, 40},
               {Folly::TearsDown, 50},
               {Folly::DoesNotRace, 10}});
}

// What is called senseless is noticed: somebody who plays anything does all of it.
TEST(Follies, AreNoticed) {
  const std::array<int, kFollies> found =
      FolliesOf("random", {2, Setup::Basic, Edition::En, false, 0}, 3000);
  for (int i = 0; i < kFollies; ++i) {
    const auto folly = static_cast<Folly>(i);
    EXPECT_TRUE(found[static_cast<size_t>(i)] > 0 || folly == Folly::AgainstPartner)
        << NameOf(folly);
  }
}

}  // namespace
}  // namespace civ::test
