// Reasons: whatever they claim holds in the engine.
#include "civ/guide/reason.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "civ/rules/sides.h"
#include "civ/view/sample.h"
#include "civ/view/threat.h"
#include "civ/view/turn.h"
#include "tests/support.h"

namespace civ::test {
namespace {

using Line = std::vector<Action>;

template <class T>
const T& Arg(const Message& message, std::string_view name) {
  return std::get<T>(std::ranges::find(message.args, name, [](const auto& arg) {
                       return std::string_view(arg.first);
                     })->second);
}

// Actions by some policy, as far as the seat can plan.
Line LineBy(Policy policy, State state, Random& random) {
  for (Line line;;) {
    const Seat seat = state.seat;
    line.push_back(Choose(policy, state, Legal(state), random));
    const bool unseen = IsUnseen(line.back());
    Apply(state, line.back());
    if (unseen || state.seat != seat) return line;
  }
}

State After(State state, const Line& line, size_t left_out = 1) {
  for (size_t i = 0; i + left_out < line.size(); ++i) Apply(state, line[i]);
  return state;
}

// A claim about one line beside another, in one full state that fits what the seat sees.
struct Claim {
  const Message& reason;
  const Game& game;
  const Line &better, &worse;

  State now() const { return game.state; }
  Seat seat() const { return game.state.seat; }
  State good() const { return After(now(), better); }
  State bad() const { return worse.empty() || worse.back() != kEnd ? now() : After(now(), worse); }
  int LevelIn(const State& state) const {
    return LevelAt(state.config.players, state.Count(seat(), Arg<Domain>(reason, "domain")));
  }
  bool HasPoints(const State& state, bool all) const {
    const auto domains = Arg<DomainList>(reason, "domains").domains;
    int has = 0;
    for (int d = 0; d < kDomains; ++d)
      if ((domains >> d & 1) != 0) has += MostOf(state, static_cast<Domain>(d)) >> seat() & 1;
    return all ? has == std::popcount(domains) : has == 0;
  }

  bool Wins() const {
    const State end = After(now(), better, 0);
    if (end.step != Step::Over) return false;
    const Outcome outcome = Result(end);
    const bool alone = outcome.winners == SeatsOf(end.config, 1u << SideOf(end.config, seat()));
    if (reason.key == "reason.wins-majority") return alone && !outcome.hegemony;
    return alone && outcome.hegemony && outcome.domain == Arg<Domain>(reason, "domain");
  }

  // In no deal that fits the view the next player wins in that Domain any more.
  bool Stops() const {
    const Seat other = Arg<Who>(reason, "name").seat;
    if (Arg<Messages>(reason, "how").empty()) return false;
    if (other != now().Next(seat())) return true;  // others come first and may change it
    Game after = game;
    for (size_t i = 0; i + 1 < better.size(); ++i) after.Apply(better[i]);
    Sampler sampler(MakeView(after.state, after.knowledge, seat()));
    Random random(1);
    State state;
    for (int i = 0; i < 10 && sampler.Draw(state, random); ++i) {
      Apply(state, kEnd);
      if (state.step == Step::Over) return true;
      for (int d = 0; d < kDomains; ++d)
        if ((Arg<DomainList>(reason, "domains").domains >> d & 1) != 0 &&
            !WayToHegemony(state, static_cast<Domain>(d)).empty())
          return false;
    }
    return true;
  }

  bool Denies() const {
    const Seat other = Arg<Who>(reason, "name").seat;
    const Cards cards = Arg<Cards>(reason, "cards");
    Cards playable = good().hands[other];
    for (int d = 0; d < kDomains; ++d)
      if ((good().Embargoed(other) >> d & 1) != 0) playable -= playable.Of(static_cast<Domain>(d));
    for (int k = 0; k < kKinds; ++k)
      if (cards[static_cast<Kind>(k)] > 0 &&
          (good().hands[other][static_cast<Kind>(k)] < cards[static_cast<Kind>(k)] ||
           playable[static_cast<Kind>(k)] > 0))
        return false;
    return true;
  }

  int Drawn(const State& state) const { return CardsToDraw(state, state.hands[seat()].Count()); }

  bool Holds() const {
    const std::string& key = reason.key;
    if (key.starts_with("reason.wins")) return Wins();
    if (key == "reason.stops") return Stops();
    if (key == "reason.denies") return Denies();
    if (key.ends_with("level")) {
      const int level = static_cast<int>(Arg<int64_t>(reason, "level"));
      return LevelIn(good()) == level && LevelIn(bad()) < level &&
             (LevelIn(now()) >= level) == (key == "reason.keeps-level");
    }
    if (key.ends_with("point"))
      return HasPoints(good(), true) && HasPoints(bad(), false) &&
             HasPoints(now(), key == "reason.keeps-point");
    if (key.ends_with("lead"))
      return good().culture_lead == seat() && bad().culture_lead != seat() &&
             (now().culture_lead == seat()) == (key == "reason.keeps-lead");
    if (key == "reason.draws") {
      const State end = After(now(), better, 0);
      return Arg<int64_t>(reason, "count") == now().deck_size - end.deck_size &&
             Arg<int64_t>(reason, "fewer") == Drawn(bad()) && Drawn(good()) > Drawn(bad());
    }
    if (key == "reason.more-cards")
      return good().tables[seat()].Count() - bad().tables[seat()].Count() ==
             Arg<int64_t>(reason, "count");
    if (key == "reason.free") return IsFree();
    if (key == "reason.breakthrough")
      return good().deck_size - After(now(), better, 0).deck_size == Arg<int64_t>(reason, "count");
    return key == "reason.inquisition" &&
           good().hands[Arg<Who>(reason, "name").seat].Count() == Arg<int64_t>(reason, "count");
  }

  bool IsFree() const {
    for (int d = 0; d < kDomains; ++d)
      if (good().Count(seat(), static_cast<Domain>(d)) <
          bad().Count(seat(), static_cast<Domain>(d)))
        return false;
    return good().hands[seat()].Count() >= bad().hands[seat()].Count();
  }
};

TEST(Reasons, HoldInTheEngine) {
  std::map<std::string, int> said;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    for (const Config config :
         {Config{.players = 2}, Config{.players = 3}, Config{.players = 4, .teams = true}}) {
      Random random(seed);
      const Deal deal = DealFromSeed(config, seed);
      Game game(New(deal.config, deal.deck.Span()));
      while (game.state.step != Step::Over) {
        const State& state = game.state;
        if (state.step == Step::Play || state.step == Step::Effects) {
          const View view = MakeView(state, game.knowledge, state.seat);
          const Line better = LineBy(Policy::Builder, state, random);
          const Line worse = LineBy(Policy::EffectHappy, state, random);
          for (const Line& other : {worse, Line{}})
            for (const Message& reason : ReasonsFor(view, better, other)) {
              ++said[reason.key];
              EXPECT_TRUE((Claim{reason, game, better, other}.Holds()))
                  << reason.key << " in game " << seed << ", turn " << state.turn;
            }
        }
        game.Apply(Choose(random.Below(3) == 0 ? Policy::EffectHappy : Policy::Builder, state,
                          Legal(state), random));
      }
    }
  }
  for (const char* key : {"wins", "wins-majority", "stops", "denies", "level", "keeps-level",
                          "takes-point", "keeps-point", "lead", "keeps-lead", "draws", "more-cards",
                          "free", "breakthrough", "inquisition"})
    EXPECT_GT(said["reason." + std::string(key)], 0) << key;
}

// The same line gives nothing to say.
TEST(Reasons, NeedADifference) {
  const State state = Position(2).Seat(0).Table("M1 M1").Hand("S1 C1").Effects();
  const View view = MakeView(state, {}, 0);
  const Line end = {kEnd};
  EXPECT_TRUE(ReasonsFor(view, end, end).empty());
  EXPECT_TRUE(ReasonsFor(view, end).empty());
}

TEST(Reasons, WinningComesFirstAndAlone) {
  const State state =
      Position(2).Seat(0).Table("S1 S1 S2 S2 S2 S2 S3").Hand("S3 C1").Seat(1).Table("C1 R1").Play();
  const View view = MakeView(state, {}, 0);
  const Line wins = {Action::Name(Verb::Play, Kind::S3), kEnd};
  const Line plays = {Action::Name(Verb::Play, Kind::C1), kEnd};
  const Messages reasons = ReasonsFor(view, wins, plays);
  ASSERT_EQ(reasons.size(), 1);
  EXPECT_EQ(reasons[0], (Message{"reason.wins", {{"domain", Domain::Science}}}));
}

}  // namespace
}  // namespace civ::test
