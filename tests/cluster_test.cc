// What one process stores, the others follow: commands by several processes, answers that are lost,
// and histories that do not agree.
#include <gtest/gtest.h>

#include "civ/server/hall.h"
#include "tests/cluster_world.h"

namespace civ::cluster {
namespace {

TEST(Cluster, WhatHappensByOneProcessIsToldByTheOther) {
  Cluster cluster;
  Two two(cluster);
  for (int move = 0; move < 12; ++move)
    EXPECT_EQ(two.Deciding().Does(two.Deciding().Move()), "ack");
  EXPECT_EQ(two.ada.client->number(), two.ben.client->number());
  EXPECT_EQ(two.ada.client->number(), cluster.TableOf(two.table).number());
}

TEST(Cluster, AtTheSameMomentNobodyIsRefusedWithoutCause) {
  Cluster cluster(3);
  const std::string table = cluster.Open(0);
  Guest ada(cluster, 0, table, kAda), ben(cluster, 1, table, kBen), cyd(cluster, 2, table, kCyd);
  size_t refused = 0;
  for (int round = 0; round < 1000; ++round) {
    // One chair for two: one gets it, and the other hears why not.
    const std::string first = ben.Post(Sit(1)), second = cyd.Post(Sit(1)),
                      third = ada.Post({{"type", "seat-bot"}, {"seat", 1}, {"bot", "random"}});
    cluster.Settle();
    const std::vector<std::string> answers = {ben.client->Answer(first), cyd.client->Answer(second),
                                              ada.client->Answer(third)};
    EXPECT_EQ(std::ranges::count(answers, "ack"), 1);
    for (const std::string& answer : answers) {
      EXPECT_NE(answer, "error.stale");
      EXPECT_NE(answer, "none");
    }
    EXPECT_EQ(ada.Does({{"type", "unseat"}, {"seat", 1}}), "ack");
    for (Guest* guest : {&ada, &ben, &cyd}) {
      if (guest->client->messages.size() > 100) guest->client->messages.clear();
      refused += guest->client->closed.empty() ? 0 : 1;
    }
  }
  EXPECT_EQ(refused, 0u);
  EXPECT_GT(cluster.hall(0).figures().retried + cluster.hall(1).figures().retried +
                cluster.hall(2).figures().retried,
            500u);
}

TEST(Cluster, AMoveThatIsSentByTwoWaysIsDoneOnce) {
  Cluster cluster;
  Two two(cluster);
  for (int move = 0; move < 20; ++move) {
    Guest& guest = two.Deciding();
    Json message = guest.Move();
    message["id"] = "move " + std::to_string(move);
    Guest other(cluster, 1 - guest.at, two.table, guest.person);  // closes the first
    EXPECT_EQ(guest.client->closed, "closing.elsewhere");
    const auto before = guest.client;
    guest.Enter();  // and is closed by it
    // The first line is gone for the client, but what it sent may still arrive.
    other.Enter();
    cluster.hall(guest.at).Receive(guest.id, message.dump());
    other.Post(message);
    cluster.Settle();
    EXPECT_EQ(other.client->Answer(message["id"]), "ack");
    EXPECT_EQ(cluster.Count(two.table, message["id"]), 1u);
    cluster.hall(other.at).Leave(other.id);
    guest.Enter();
  }
}

TEST(Cluster, ALostAnswerIsLookedUp) {
  for (const bool stored : {true, false}) {
    Cluster cluster;
    Two two(cluster);
    (stored ? cluster.database.loses_after : cluster.database.loses_before) = 1;
    cluster.database.tails_lost = 2;
    const std::string id = two.ada.Post(Say("hello"));
    cluster.Settle();
    EXPECT_EQ(two.ada.client->Answer(id), "none");  // nobody is told what nobody knows
    cluster.Pass(3000);
    EXPECT_EQ(two.ada.client->Answer(id), "ack");
    EXPECT_EQ(cluster.Count(two.table, "hello"), 1u);
    EXPECT_EQ(two.ben.client->OfType("say").size(), 1u);
    EXPECT_GE(cluster.hall(0).figures().unknown, 1u);
  }
}

TEST(Cluster, ANewTableWhoseAnswerWasLostIsThere) {
  Cluster cluster;
  cluster.database.loses_after = 1;
  const std::string table = cluster.Open(0);
  EXPECT_EQ(cluster.TableOf(table).number(), 1);
  EXPECT_EQ(Guest(cluster, 1, table, kBen).Does(Sit(1)), "ack");
}

TEST(Cluster, ABusThatLosesEverythingCostsSeconds) {
  Cluster cluster;
  Two two(cluster);
  for (Cluster::Process& process : cluster.processes) process.bus->well = false;
  EXPECT_EQ(two.ada.Does(Say("unheard")), "ack");
  EXPECT_TRUE(two.ben.client->OfType("say").empty());
  cluster.Pass(cluster.options.compare);
  EXPECT_EQ(two.ben.client->OfType("say").size(), 1u);
  // Nor is anybody refused who builds on what this process has not heard of yet.
  for (int move = 0; move < 6; ++move) {
    Guest& guest = two.Deciding();
    ASSERT_EQ(guest.Does(guest.Move()), "ack");
    cluster.Pass(cluster.options.compare);
  }
}

TEST(Cluster, WhoComesFromAnotherProcessIsNotRefusedForWhatIsNotKnownHere) {
  Cluster cluster;
  const std::string table = cluster.Open(0);
  Guest ada(cluster, 0, table, kAda), ben(cluster, 1, table, kBen);
  for (Cluster::Process& process : cluster.processes) process.bus->well = false;
  EXPECT_EQ(ben.Does(Sit(1)), "ack");
  EXPECT_EQ(ada.Does({{"type", "start"}}), "ack");  // which needs that chair to be taken
}

TEST(Cluster, AShorterLogIsNoticedAndTold) {
  Cluster cluster;
  Two two(cluster);
  EXPECT_EQ(two.ada.Does(Say("one")), "ack");
  EXPECT_EQ(two.ada.Does(Say("two")), "ack");
  cluster.database.Shorten(two.table, cluster.LogOf(two.table).size() - 1);
  cluster.Pass(cluster.options.compare);
  for (Guest* guest : {&two.ada, &two.ben}) {
    EXPECT_EQ(guest->client->closed, "closing.database");
    EXPECT_EQ(cluster.hall(guest->at).figures().shorter, 1u);
    guest->Enter();
  }
  EXPECT_EQ(two.ada.Does(Say("three")), "ack");
  EXPECT_EQ(two.ben.client->number(), cluster.TableOf(two.table).number());
}

TEST(Cluster, AnotherHistoryOfTheSameLengthIsNoticed) {
  Cluster cluster;
  Two two(cluster);
  EXPECT_EQ(two.ada.Does(Say("one")), "ack");
  const size_t length = cluster.LogOf(two.table).size();
  cluster.database.Shorten(two.table, length - 1);
  const std::string said =
      ToText({cluster.hall(0).Now(), event::Say{kBen, Seat{1}, "another", ""}});
  cluster.database.Append(two.table, static_cast<int64_t>(length) - 1, {said, said},
                          {two.table, true, "{}", {}}, 0, [](Stored) {});
  cluster.Pass(cluster.options.compare);
  EXPECT_EQ(two.ada.client->closed, "closing.database");
}

TEST(Cluster, WhatANewerVersionHasWrittenIsNotPutAside) {
  Cluster cluster;
  Two two(cluster);
  const auto length = static_cast<int64_t>(cluster.LogOf(two.table).size());
  cluster.database.Append(two.table, length, {R"({"type":"conjure","at":100000})"},
                          {two.table, true, "{}", {}}, 0, [](Stored) {});
  cluster.Pass(cluster.options.compare);
  EXPECT_EQ(two.ada.client->closed, "error.table.newer");
  two.ben.Enter();
  EXPECT_EQ(two.ben.client->closed, "error.table.newer");
  std::vector<std::string> open;
  cluster.database.LoadOpen([&](const StoredLog& log) { open.push_back(log.table); });
  EXPECT_EQ(open, std::vector<std::string>{two.table});
}

TEST(Cluster, TheLobbyAndLimitsAreThoseOfAll) {
  HallOptions options = Cluster::Quick();
  options.most_tables_of_one = 2;
  Cluster cluster(2, options);
  const std::string first = cluster.Open(0), second = cluster.Open(1);
  Expected<std::string> third = std::string();
  cluster.hall(0).Open(kAda, {}, [&](Expected<std::string> id) { third = std::move(id); });
  cluster.Settle();
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().key, "error.tables.yours");
  std::string lobby;
  cluster.hall(0).ListLobby([&](Expected<std::string> text) { lobby = *text; });
  cluster.Settle();
  EXPECT_EQ(Json::parse(lobby).size(), 2u);
}

}  // namespace
}  // namespace civ::cluster
