// Persons, sessions, bans and codes of several processes with one database.
#include <gtest/gtest.h>

#include "civ/server/memory_bus.h"
#include "civ/server/sessions.h"
#include "tests/cluster_world.h"

namespace civ::cluster {
namespace {

// The sessions of two processes with the same database.
struct People {
  People() {
    for (size_t i = 0; i < 2; ++i)
      at[i].Share(bus[i], "civ-" + std::to_string(i),
                  [this, i](const Sessions::News& told) { news[i].push_back(told); });
  }
  Sessions::Made Make(size_t i) {
    Sessions::Made made;
    at[i].Make("Ada", false, "192.0.2.1", now, [&](Expected<Sessions::Made> by) { made = *by; });
    cluster.Settle();
    return made;
  }
  // What a process knows of the one with that token: nothing, or the session.
  std::optional<StoredSession> Seek(size_t i, const std::string& token, bool fresh = false) {
    std::optional<StoredSession> found;
    at[i].Seek(token, "192.0.2.1", now, fresh, [&](const Expected<Sessions::Sought>& sought) {
      if (sought->session != nullptr) found = sought->session->stored;
    });
    cluster.Settle();
    return found;
  }

  Cluster cluster{0};
  int64_t now = 1'800'000'000;
  MemoryBus bus[2] = {{cluster.post, [] { return 0; }, cluster.hub},
                      {cluster.post, [] { return 0; }, cluster.hub}};
  Sessions at[2] = {Sessions(cluster.database), Sessions(cluster.database)};
  std::vector<Sessions::News> news[2];
};

TEST(ClusterPeople, AreTheSameInAllProcesses) {
  People people;
  const Sessions::Made ada = people.Make(0);
  ASSERT_TRUE(people.Seek(1, ada.token));
  EXPECT_EQ(people.Seek(1, ada.token)->name, "Ada");
  people.at[0].Rename(ada.person.id, "Countess", [](const auto& failed) { EXPECT_FALSE(failed); });
  people.cluster.Settle();
  EXPECT_EQ(people.Seek(1, ada.token)->name, "Countess");  // told off over the bus
  ASSERT_EQ(people.news[1].size(), 1u);
  EXPECT_EQ(people.news[1][0].name, "Countess");
}

TEST(ClusterPeople, BeingSeenUndoesNoBan) {
  People people;
  const Sessions::Made ada = people.Make(0);
  ASSERT_TRUE(people.Seek(1, ada.token));
  people.at[0].Ban(ada.person.id, true, [](const auto&) {});
  // The other process has not heard of it yet, and notes that she was there today.
  people.now += 2 * 24 * 3600;
  people.at[1].Find(ada.token, "192.0.2.1", people.now - Sessions::kFresh);
  people.cluster.Settle();
  for (size_t i = 0; i < 2; ++i) EXPECT_TRUE(people.Seek(i, ada.token, true)->banned);
}

TEST(ClusterPeople, WithoutTheBusABanCountsAtEachNewConnection) {
  People people;
  const Sessions::Made ada = people.Make(0);
  ASSERT_TRUE(people.Seek(1, ada.token));
  people.cluster.database.ChangePerson(ada.person.id, {.banned = true}, [](Stored) {});
  people.cluster.Settle();
  EXPECT_FALSE(people.Seek(1, ada.token)->banned);  // for half a minute, at the most
  EXPECT_TRUE(people.Seek(1, ada.token, true)->banned);
  people.now += Sessions::kFresh;
  EXPECT_TRUE(people.Seek(1, ada.token)->banned);
}

TEST(ClusterPeople, ABannedAddressIsKnownFromTheStartOn) {
  People people;
  people.at[0].BanAddress("192.0.2.1", true, [](const auto& failed) { EXPECT_FALSE(failed); });
  people.cluster.Settle();
  Sessions fresh(people.cluster.database);
  ASSERT_FALSE(fresh.Load(people.now));
  EXPECT_TRUE(fresh.IsBanned("192.0.2.1"));
}

TEST(ClusterPeople, ACodeIsGoodInAllProcessesAndOnce) {
  People people;
  const Sessions::Made ada = people.Make(0);
  std::string code;
  people.at[0].GiveCode(ada.person.id, people.now,
                        [&](Expected<std::string> made) { code = *made; });
  people.cluster.Settle();
  std::vector<std::string> answers;
  for (size_t i = 0; i < 2; ++i)  // at the same moment
    people.at[i].MakeByCode(code, false, "192.0.2.1", people.now,
                            [&](const Expected<Sessions::Made>& made) {
                              answers.push_back(made ? made->person.id : made.error().key);
                            });
  people.cluster.Settle();
  EXPECT_EQ(answers, (std::vector<std::string>{"error.code", ada.person.id}));
}

TEST(ClusterPeople, AnEndedSessionIsNobodysAnywhere) {
  People people;
  const Sessions::Made ada = people.Make(0);
  ASSERT_TRUE(people.Seek(1, ada.token));
  const Sessions::Session session = *people.at[0].Find(ada.token, "192.0.2.1", people.now);
  people.at[0].End(session, [](const auto& failed) { EXPECT_FALSE(failed); });
  people.cluster.Settle();
  EXPECT_FALSE(people.Seek(1, ada.token));
  ASSERT_EQ(people.news[1].size(), 1u);
  EXPECT_EQ(people.news[1][0].ended, session.number);
}

}  // namespace
}  // namespace civ::cluster
