// What those who watch say and do not want to hear, by whatever process they come.
#include <gtest/gtest.h>

#include "tests/cluster_world.h"

namespace civ::cluster {
namespace {

TEST(Cluster, ThoseWhoWatchHearEachOtherByAllProcesses) {
  Cluster cluster(3);
  Two two(cluster);
  const Person dan = {"p_dan", "Dan"};
  Guest cyd(cluster, 0, two.table, kCyd), other(cluster, 1, two.table, dan);
  EXPECT_EQ(cyd.Does(Say("whom do you like?")), "ack");
  ASSERT_EQ(other.client->OfType("say").size(), 1u);
  EXPECT_EQ(other.client->OfType("say")[0], cyd.client->OfType("say")[0]);
  EXPECT_TRUE(two.ben.client->OfType("say").empty()) << "a player hears nothing of it";
  // What Dan does not want to hear he does not hear, by whatever process he comes, also one that
  // has not had the table so far.
  EXPECT_EQ(other.Does({{"type", "mute"}, {"whom", kCyd.id}, {"on", true}}), "ack");
  for (const size_t process : {0u, 2u}) {
    Guest dan_again(cluster, process, two.table, dan);
    EXPECT_EQ(cyd.Does(Say("hm")), "ack");
    EXPECT_TRUE(dan_again.client->OfType("say").empty());
    const bool is_told = !dan_again.client->OfType("mute").empty();
    EXPECT_TRUE(is_told || dan_again.client->OfType("hello")[0]["you"]["muted"].size() == 1);
  }
}

TEST(Cluster, WhoLoadsATableHearsWhatThoseWhoWatchHaveSaid) {
  Cluster cluster(3);
  Two two(cluster);
  Guest cyd(cluster, 0, two.table, kCyd);
  EXPECT_EQ(cyd.Does(Say("one")), "ack");
  EXPECT_EQ(two.ada.Does(Say("I am Ada")), "ack");
  EXPECT_EQ(cyd.Does(Say("two")), "ack");
  const auto said = [](const Guest& guest) {
    std::string texts;
    const Json hello = guest.client->OfType("hello").back();
    for (const Json& line : hello["chat"]) texts += line["text"].get<std::string>() + "; ";
    return texts;
  };
  Guest dan(cluster, 2, two.table, {"p_dan", "Dan"}), ben(cluster, 2, two.table, kBen);
  EXPECT_EQ(said(dan), "one; I am Ada; two; ");
  EXPECT_EQ(said(ben), "I am Ada; ") << "a player hears nothing of it";
  Guest eve(cluster, 2, two.table, {"p_eve", "Eve"});
  EXPECT_EQ(said(eve), "one; I am Ada; two; ");
  EXPECT_EQ(eve.client->OfType("hello").size(), 1u) << "it is known there by now";
  EXPECT_EQ(two.ada.Does({{"type", "resign"}}), "ack");
  EXPECT_EQ(ben.client->OfType("say").size(), 2u) << "until the game is over";
}

TEST(Cluster, AMuteOutlivesABusThatHasForgottenIt) {
  Cluster cluster(3);
  Two two(cluster);
  Guest cyd(cluster, 0, two.table, kCyd), dan(cluster, 1, two.table, {"p_dan", "Dan"});
  const auto mute = [&](bool on) {
    return dan.Does({{"type", "mute"}, {"whom", kCyd.id}, {"on", on}});
  };
  const auto hears = [&](size_t process) {  // whoever comes as Dan
    Guest again(cluster, process, two.table, dan.person);
    EXPECT_EQ(cyd.Does(Say("hm")), "ack");
    return !again.client->OfType("say").empty();
  };
  EXPECT_EQ(cyd.Does(Say("hello")), "ack");
  EXPECT_EQ(mute(true), "ack");
  cluster.hub->notes.clear();
  EXPECT_FALSE(hears(2)) << "those who have the table know it";
  cluster.Pass(cluster.options.presence);  // so that it is noted again
  for (const size_t process : {1u, 2u}) cluster.Start(process);
  EXPECT_FALSE(hears(2)) << "those who have it know nothing any more, but it is noted";
  dan.Enter();
  EXPECT_EQ(mute(false), "ack");
  cluster.Pass(cluster.options.presence);
  EXPECT_TRUE(hears(2));
}

}  // namespace
}  // namespace civ::cluster
