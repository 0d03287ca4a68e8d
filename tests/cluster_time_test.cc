// Time, outages and who counts as absent, where several processes have a table.
#include <gtest/gtest.h>

#include "civ/server/memory_bus.h"
#include "tests/cluster_world.h"

namespace civ::cluster {
namespace {

TableOptions Timed(int seconds) {
  TableOptions options;
  options.clock = TimeControl{seconds, 0, 0};
  return options;
}

TEST(Cluster, TimeRunsOutWhereNobodyHasTheTableInMemory) {
  Cluster cluster;
  Two two(cluster, Timed(120));
  cluster.Pass(2'000);
  cluster.hall(0).Leave(two.ada.id);
  cluster.hall(1).Leave(two.ben.id);
  cluster.Pass(90'000);
  EXPECT_EQ(cluster.hall(0).figures().tables + cluster.hall(1).figures().tables, 0u);
  cluster.Pass(40'000);
  EXPECT_EQ(cluster.Count(two.table, R"("why":"time")"), 1u);
  EXPECT_TRUE(cluster.TableOf(two.table).Ended());
}

TEST(Cluster, AnOutageIsNobodysTime) {
  Cluster cluster;
  Two two(cluster, Timed(30));
  cluster.Pass(2'000);
  const int64_t before = cluster.hall(0).Now();
  cluster.database.away = true;
  cluster.Pass(300'000);
  EXPECT_EQ(two.ada.client->closed, "closing.restart");  // another process might reach it
  EXPECT_TRUE(cluster.hall(0).figures().lost);
  cluster.database.away = false;
  cluster.Pass(3'000);
  EXPECT_FALSE(cluster.hall(0).figures().lost);
  EXPECT_LT(cluster.hall(0).Now(), before + 10'000);
  EXPECT_EQ(cluster.Count(two.table, R"("type":"leave")"), 0u);
  two.ada.Enter();
  two.ben.Enter();
  EXPECT_EQ(two.Deciding().Does(two.Deciding().Move()), "ack");
}

TEST(Cluster, WhoCannotReachOneOfSeveralDatabasesSendsEverybodyElsewhere) {
  Cluster cluster;
  const std::string one = cluster.Open(0), other = cluster.Open(0);
  Guest ada(cluster, 0, one, kAda), ben(cluster, 0, other, kBen);
  EXPECT_EQ(ben.Does(Sit(1)), "ack");
  cluster.Pass(2'000);
  cluster.database.part_away = other;
  for (int second = 0; second < 8; ++second) {
    cluster.Pass(1'000);
    EXPECT_EQ(ada.Does(Say("here all is well")), "ack");
  }
  EXPECT_EQ(ada.client->closed, "") << "nobody was refused";
  EXPECT_EQ(ben.Does(Say("and here?")), "error.store");
  cluster.Pass(1'000);
  EXPECT_EQ(ben.client->closed, "closing.restart");
}

TEST(Cluster, AllHaveTheSameTime) {
  Cluster cluster(3);
  cluster.Pass(20'000);
  for (size_t i = 1; i < 3; ++i) EXPECT_EQ(cluster.hall(i).Now(), cluster.hall(0).Now());
}

TEST(Cluster, WhoIsThereByAnotherProcessIsNotAbsent) {
  Cluster cluster;
  TableOptions options;
  options.absence = 60;
  Two two(cluster, options);
  cluster.Pass(300'000);
  EXPECT_EQ(cluster.Count(two.table, R"("type":"leave")"), 0u);
  EXPECT_EQ(two.ada.client->OfType("presence").back()["seats"], Json({true, true}));
  // The process of whoever decides dies, and nobody comes back.
  Guest& gone = two.Deciding();
  cluster.Kill(gone.at);
  cluster.Pass(40'000);
  EXPECT_EQ(cluster.Count(two.table, R"("type":"leave")"), 0u);
  cluster.Pass(100'000);
  EXPECT_EQ(cluster.Count(two.table, R"("why":"absent")"), 1u);
}

TEST(Cluster, WithoutTheBusNobodyIsAbsent) {
  Cluster cluster;
  TableOptions options;
  options.absence = 60;
  Two two(cluster, options);
  cluster.Pass(70'000);
  for (Cluster::Process& process : cluster.processes) process.bus->well = false;
  cluster.Kill(two.Deciding().at);
  cluster.Pass(600'000);
  EXPECT_EQ(cluster.Count(two.table, R"("type":"leave")"), 0u);
}

TEST(Cluster, WhoseProcessHasLostTheBusIsNotAbsent) {
  Cluster cluster;
  TableOptions options;
  options.absence = 60;
  Two two(cluster, options);
  cluster.Pass(70'000);
  cluster.processes[two.Deciding().at].bus->well = false;  // but the other hears it well
  cluster.Pass(600'000);
  EXPECT_EQ(cluster.Count(two.table, R"("type":"leave")"), 0u);
  EXPECT_EQ(two.Deciding().Does(two.Deciding().Move()), "ack");
}

TEST(Cluster, ALateHintClosesNoNewerConnection) {
  Cluster cluster;
  const std::string table = cluster.Open(0);
  Guest before(cluster, 0, table, kAda), after(cluster, 1, table, kAda);
  EXPECT_EQ(before.client->closed, "closing.elsewhere");
  MemoryBus late(cluster.post, [] { return 0; }, cluster.hub);
  const int64_t then = cluster.hall(1).Now() - 1;
  late.Publish("table." + table, "came " + std::to_string(then) + " p_ada@civ-0");
  cluster.Settle();
  EXPECT_EQ(after.client->closed, "");
  EXPECT_EQ(after.Does(Say("still here")), "ack");
}

}  // namespace
}  // namespace civ::cluster
