// Bots and analyses by workers: what they are asked, and what becomes of their answers.
#include <gtest/gtest.h>

#include "civ/notation/json.h"
#include "civ/notation/notation.h"
#include "civ/notation/talk.h"
#include "civ/server/listing.h"
#include "civ/server/worker.h"
#include "tests/cluster_world.h"

namespace civ::cluster {
namespace {

TEST(Cluster, BotsThinkElsewhereAndSeeOnlyTheirView) {
  Cluster cluster;
  const std::string table = cluster.Open(0);
  Guest ada(cluster, 0, table, kAda);
  ASSERT_EQ(ada.Does({{"type", "seat-bot"}, {"seat", 1}, {"bot", "level3"}}), "ack");
  ASSERT_EQ(ada.Does({{"type", "start"}}), "ack");
  ASSERT_EQ(ada.Does({{"type", "contribute"}, {"random", std::string(64, 'a')}}), "ack");
  int jobs_done = 0;
  for (int move = 0; move < 400 && !cluster.TableOf(table).Ended(); ++move) {
    if (ada.Decides()) {
      ASSERT_EQ(ada.Does(ada.Move()), "ack");
      continue;
    }
    std::vector<Job> jobs;
    cluster.database.ClaimJobs("bot", "w", 9, 1000,
                               [&](const Expected<std::vector<Job>>& found) { jobs = *found; });
    cluster.Settle();
    if (move % 5 == 0) {  // this worker dies; when its claim has run out, another has the job
      cluster.Pass(1'000);
      cluster.database.ClaimJobs("bot", "v", 9, 1000,
                                 [&](const Expected<std::vector<Job>>& found) { jobs = *found; });
      cluster.Settle();
    }
    ASSERT_EQ(jobs.size(), 1u);
    const Json question = Json::parse(jobs[0].question);
    EXPECT_EQ(question["view"], ToJson(cluster.TableOf(table).ViewFor(1)));
    const Action action = Legal(*ViewFromJson(question["view"]))[0];
    EXPECT_EQ(ada.Does(Say("well?")), "ack");  // talk does not undo the thinking
    cluster.database.AnswerJob(table, jobs[0].seat, jobs[0].builds, NameOf(action),
                               [](Stored stored) { EXPECT_EQ(stored, Stored::Stored); });
    cluster.Pass(1'000);
    ++jobs_done;
  }
  EXPECT_TRUE(cluster.TableOf(table).Ended());
  EXPECT_GT(jobs_done, 5);
}

// Workers say what bots say with what they do. One of an earlier version, whose bots say nothing,
// answers with the action only.
TEST(Cluster, BotsTalkThroughWorkers) {
  Cluster cluster;
  TableOptions options;
  options.config.players = 3;
  const std::string table = cluster.Open(0, options);
  Guest ada(cluster, 0, table, kAda), ben(cluster, 1, table, kBen);
  ASSERT_EQ(ben.Does({{"type", "sit"}, {"seat", 1}}), "ack");
  ASSERT_EQ(ada.Does({{"type", "seat-bot"}, {"seat", 2}, {"bot", "level3"}}), "ack");
  ASSERT_EQ(ada.Does({{"type", "start"}}), "ack");
  for (Guest* guest : {&ada, &ben})
    ASSERT_EQ(guest->Does({{"type", "contribute"}, {"random", std::string(64, 'a')}}), "ack");
  bool talked = false, silent = false;
  for (int move = 0; move < 60 && !(talked && silent); ++move) {
    if (Guest* mover = ada.Decides() ? &ada : ben.Decides() ? &ben : nullptr; mover != nullptr) {
      ASSERT_EQ(mover->Does(mover->Move()), "ack");
      continue;
    }
    const Table before = cluster.TableOf(table);
    std::vector<Job> jobs;
    cluster.database.ClaimJobs("bot", "w", 9, 1000,
                               [&](const Expected<std::vector<Job>>& found) { jobs = *found; });
    cluster.Settle();
    ASSERT_EQ(jobs.size(), 1u);
    const Json question = Json::parse(jobs[0].question);
    EXPECT_EQ(question["pacts"], ToJson(before.pacts()));
    const Action action = Legal(*ViewFromJson(question["view"]))[0];
    const Talk truce = {.kind = TalkKind::Truce, .to = 0b001, .rounds = 2};
    const std::string answer = talked ? NameOf(action) : AnswerOf({truce, action});
    cluster.database.AnswerJob(table, jobs[0].seat, jobs[0].builds, answer,
                               [](Stored stored) { EXPECT_EQ(stored, Stored::Stored); });
    cluster.Pass(1'000);
    const Table after = cluster.TableOf(table);
    EXPECT_EQ(after.actions().size(), before.actions().size() + 1);
    EXPECT_EQ(after.said().size(), 1u);
    silent = talked;
    talked = true;
  }
  EXPECT_TRUE(silent);
  EXPECT_EQ(ben.client->OfType("talk").size(), 1u);
}

TEST(Cluster, AnswersOfBotsAreReadAsTheyWereWritten) {
  const Action end = *ParseAction("end");
  EXPECT_EQ(AnswerOf({{}, end}), "end") << "as servers of the version before read it";
  const BotMove says = {Talk{.kind = TalkKind::Yes, .id = 3}, end};
  EXPECT_EQ(BotMoveIn(AnswerOf(says))->say, says.say);
  EXPECT_EQ(BotMoveIn(AnswerOf(says))->action, end);
  EXPECT_FALSE(BotMoveIn(R"({"action":"end","say":{"say":"what"}})")->say);
  for (const char* wrong : {"", "ends", "{", "{}", R"({"action":"ends"})"})
    EXPECT_FALSE(BotMoveIn(wrong)) << wrong;
}

TEST(Cluster, WorkersJudgeFinishedGames) {
  Cluster cluster;
  Two two(cluster);
  const auto ask = [&](size_t process) {
    std::string told = "nothing";
    cluster.hall(process).AnalysisOf(two.table, kAda.id,
                                     [&](const Expected<std::optional<std::string>>& found) {
                                       told = found ? found->value_or("waits") : found.error().key;
                                     });
    cluster.Settle();
    return told;
  };
  EXPECT_EQ(ask(0), "error.table.running");
  EXPECT_EQ(two.Deciding().Does(two.Deciding().Move()), "ack");
  EXPECT_EQ(two.ada.Does({{"type", "resign"}}), "ack");
  EXPECT_EQ(ask(0), "waits");
  EXPECT_EQ(ask(1), "waits");
  std::vector<Record> games;
  std::vector<std::function<void(std::string)>> judged;
  const auto work = [&](Worker& worker) {
    worker.Tick();
    cluster.Settle();
    cluster.Pass(1'000);
    worker.Tick();
    cluster.Settle();
  };
  const auto worker = [&] {
    return std::make_unique<Worker>(
        cluster.database, *cluster.processes[0].bus, [](const auto&...) {},
        [&](const Record& game, std::function<void(std::string)> then) {
          games.push_back(game);
          judged.push_back(std::move(then));
        },
        Worker::Options{.now = [&] { return cluster.time; }});
  };
  auto one = worker(), two_at_once = worker();
  work(*one);
  work(*two_at_once);
  ASSERT_EQ(games.size(), 1u) << "one job, however often it is asked for";
  EXPECT_TRUE(games[0].names.is_null() && games[0].comments.is_null()) << "only what is needed";
  EXPECT_EQ(games[0].actions.size(), 1u);
  one.reset();  // it dies
  judged[0]("too late");
  EXPECT_EQ(two.ben.Does(Say("and now?")), "ack");  // talk does not undo it
  cluster.Pass(120'000);
  EXPECT_EQ(ask(1), "waits");
  work(*two_at_once);
  ASSERT_EQ(games.size(), 2u);
  judged[1]("{}");
  cluster.Settle();
  EXPECT_EQ(ask(0), "{}");
  EXPECT_EQ(ask(1), "{}");
  work(*two_at_once);
  EXPECT_EQ(games.size(), 2u) << "it is kept";
}

}  // namespace
}  // namespace civ::cluster
