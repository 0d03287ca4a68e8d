// No process tells anybody what they may not see.
#include <gtest/gtest.h>

#include <array>

#include "civ/notation/notation.h"
#include "tests/cluster_world.h"
#include "tests/generate.h"
#include "tests/support.h"

namespace civ::cluster {
namespace {

// Two games that differ in two cards of the deck, each in a cluster of its own: two people by
// different processes, one who watches by a third, and a bot. As long as somebody may see the same
// of both, all processes tell them the same, and ask the bot the same. On the bus there is never
// any difference.
class Twins {
 public:
  explicit Twins(uint64_t seed) : random_(seed) {
    const Deck deck =
        test::MakeDeck(3, static_cast<test::Order>(random_.Below(test::kOrders)), random_);
    std::vector<Kind> cards(deck.Span().begin(), deck.Span().end());
    Deal(sides_[0], cards);
    const auto any = [&] { return random_.Below(static_cast<uint32_t>(cards.size())); };
    size_t a = any(), b = any();
    while (cards[a] == cards[b] || AgeOf(cards[a]) != AgeOf(cards[b])) a = any(), b = any();
    std::swap(cards[a], cards[b]);
    Deal(sides_[1], cards);
  }

  // Until they part, or somebody could win.
  void Run() {
    for (move_ = 0; move_ < 40 && !testing::Test::HasFailure() && Compare(); ++move_)
      if (!Move()) return;
  }
  int hidden = 0;  // comparisons while hands differ

 private:
  struct Side {
    Cluster cluster{3};
    std::string table;
    std::vector<std::unique_ptr<Guest>> guests = {};  // the third watches

    Table now() { return cluster.TableOf(table); }
  };

  static void Deal(Side& side, const std::vector<Kind>& cards) {
    TableOptions options;
    options.config.players = 3;
    Cluster& cluster = side.cluster;
    side.table = cluster.Open(0, options);
    const std::array people = {kAda, kBen, kCyd};
    for (size_t i = 0; i < 3; ++i)
      side.guests.push_back(std::make_unique<Guest>(cluster, i, side.table, people[i]));
    EXPECT_EQ(side.guests[1]->Does({{"type", "sit"}, {"seat", 1}, {"id", "sit"}}), "ack");
    EXPECT_EQ(
        side.guests[0]->Does({{"type", "seat-bot"}, {"seat", 2}, {"bot", "level1"}, {"id", "bot"}}),
        "ack");
    EXPECT_EQ(side.guests[0]->Does({{"type", "start"}, {"id", "start"}}), "ack");
    cluster.database.Append(side.table, static_cast<int64_t>(cluster.LogOf(side.table).size()),
                            {ToText({cluster.hall(0).Now(), event::Deal{0, cards}})},
                            {side.table, true, "{}", {}}, 0, [](Stored) {});
    cluster.Pass(cluster.options.compare);
  }

  // Everything that was told since the last time. Whether anybody still sees the same of both.
  bool Compare() {
    const Table one = sides_[0].now(), two = sides_[1].now();
    if (one.Ended() || two.Ended()) return false;  // then everything may be seen
    bool any = false;
    for (const size_t who : {0u, 1u, 2u, 3u}) {
      const Seat seat = who == 3 ? kSpectator : static_cast<Seat>(who);
      same_[who] = same_[who] && ToJson(one.ViewFor(seat)) == ToJson(two.ViewFor(seat));
      any = any || same_[who];
      if (!same_[who] || who == 2) continue;  // the bot has no client
      const auto& first = sides_[0].guests[std::min<size_t>(who, 2)]->client->messages;
      const auto& second = sides_[1].guests[std::min<size_t>(who, 2)]->client->messages;
      EXPECT_EQ(first, second) << "told to " << who;
      hidden += one.game().state.hands != two.game().state.hands ? 1 : 0;
    }
    for (size_t i = 0; i < 3; ++i)
      EXPECT_EQ(sides_[0].cluster.processes[i].bus->texts,
                sides_[1].cluster.processes[i].bus->texts);
    return any;
  }

  // The same in both; false if that is not possible.
  bool Move() {
    const Table one = sides_[0].now(), two = sides_[1].now();
    const Seat seat = one.game().state.seat;
    if (two.game().state.seat != seat) return false;
    std::vector<Action> both;
    const ActionSet legal = Legal(two.game().state);
    for (const Action action : Legal(one.game().state))
      if (legal.Contains(action)) both.push_back(action);
    if (both.empty()) return false;
    const Action action = both[random_.Below(static_cast<uint32_t>(both.size()))];
    std::vector<std::string> questions;
    for (Side& side : sides_) {
      if (seat == 2) {
        questions.push_back(Answer(side, action));
        continue;
      }
      Guest& guest = *side.guests[seat];
      EXPECT_EQ(guest.Does({{"type", "act"},
                            {"id", "move " + std::to_string(move_)},
                            {"builds", guest.client->number()},
                            {"actions", {NameOf(action)}}}),
                "ack");
    }
    if (seat == 2 && same_[2]) {
      EXPECT_EQ(questions[0], questions[1]);
    }
    return true;
  }

  // What the bot was asked.
  static std::string Answer(Side& side, Action action) {
    std::vector<Job> jobs;
    side.cluster.database.ClaimJobs(
        "bot", "w", 9, 1000, [&](const Expected<std::vector<Job>>& found) { jobs = *found; });
    side.cluster.Settle();
    EXPECT_EQ(jobs.size(), 1u);
    side.cluster.database.AnswerJob(side.table, jobs.at(0).seat, jobs.at(0).builds, NameOf(action),
                                    [](Stored) {});
    side.cluster.Pass(1'000);
    return jobs.at(0).question;
  }

  Random random_;
  std::array<Side, 2> sides_;
  std::array<bool, 4> same_ = {true, true, true, true};
  int move_ = 0;
};

TEST(ClusterLeaks, TwinsAreToldAndAskedTheSame) {
  int hidden = 0;
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    Twins twins(seed);
    twins.Run();
    hidden += twins.hidden;
  }
  EXPECT_GT(hidden, 40);
}

}  // namespace
}  // namespace civ::cluster
