// Bots' threads: every question is answered once, soon, and not any more when the pool is gone.
#include <gtest/gtest.h>

#include <condition_variable>
#include <latch>
#include <mutex>
#include <thread>

#include "civ/analysis/analysis.h"
#include "civ/notation/talk.h"
#include "civ/server/bots.h"
#include "civ/view/deal.h"

namespace civ {
namespace {

using namespace std::chrono_literals;

// What the threads hand over.
class Inbox {
 public:
  Post Poster() {
    return [this](std::function<void()> call) {
      const std::scoped_lock lock(mutex_);
      calls_.push_back(std::move(call));
      changed_.notify_all();
    };
  }
  // Waits for `count` calls, and runs them.
  void Run(size_t count) {
    while (count-- > 0) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !calls_.empty(); });
      const std::function<void()> call = std::move(calls_.front());
      calls_.erase(calls_.begin());
      lock.unlock();
      call();
    }
  }
  bool empty() {
    const std::scoped_lock lock(mutex_);
    return calls_.empty();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::function<void()>> calls_;
};

View SomeView(uint64_t seed) {
  const Deal deal = DealFromSeed({}, seed);
  const Game game(New(deal.config, deal.deck.Span()));
  return MakeView(game.state, game.knowledge, game.state.seat);
}

TEST(BotPool, AnswersWithALegalAction) {
  Inbox inbox;
  BotPool pool(2, inbox.Poster());
  size_t answers = 0;
  for (const std::string_view bot : BotNames())
    pool.Think(std::string(bot), SomeView(1), {}, 1, [&answers, bot](const BotMove& move) {
      EXPECT_TRUE(Legal(SomeView(1)).Contains(move.action)) << bot;
      ++answers;
    });
  inbox.Run(BotNames().size());
  EXPECT_EQ(answers, BotNames().size());
  EXPECT_TRUE(inbox.empty());
  EXPECT_EQ(pool.waiting(), 0u);
}

TEST(BotPool, OnlyBotsThatTalkAnswerAnOffer) {
  Inbox inbox;
  BotPool pool(1, inbox.Poster());
  const Deal deal = DealFromSeed({.players = 3}, 1);
  const Game game(New(deal.config, deal.deck.Span()));
  const Seat seat = game.state.seat, other = game.state.Next(seat);
  const View view = MakeView(game.state, game.knowledge, seat);
  Diplomacy pacts;
  pacts.Say(
      view,
      {0, other, {.kind = TalkKind::Truce, .to = static_cast<uint8_t>(1u << seat), .rounds = 1}});
  std::string said;
  for (const char* bot : {"level1", "level3"})
    for (const bool talks : {false, true})
      pool.Think(bot, view, talks ? std::optional(pacts) : std::nullopt, 1,
                 [&said](const BotMove& move) {
                   said += move.say ? NameOf(move.say->kind) : "-";
                   said += ' ';
                 });
  inbox.Run(4);
  EXPECT_TRUE(said == "- - - yes " || said == "- - - no ") << said;
}

TEST(BotPool, CallsBackOnlyThroughPost) {
  Inbox inbox;
  BotPool pool(1, inbox.Poster());
  std::thread::id answered;
  pool.Think("random", SomeView(1), {}, 1,
             [&](const BotMove&) { answered = std::this_thread::get_id(); });
  inbox.Run(1);
  EXPECT_EQ(answered, std::this_thread::get_id());
}

TEST(BotPool, ThinksShorterWhenManyWait) {
  Inbox inbox;
  BotPool pool(1, inbox.Poster());
  constexpr size_t kMany = 50;
  const auto begin = SteadyClock();
  for (size_t i = 0; i < kMany; ++i)
    pool.Think("level8", SomeView(i), {}, i, [](const BotMove&) {});
  EXPECT_GT(pool.waiting(), kMany / 2);
  inbox.Run(kMany);
  // One after the other, each with all its time, they would take 45 s; two seconds are meant.
  EXPECT_LT(SteadyClock() - begin, 20s);
}

TEST(BotPool, PersonsTakeTurns) {
  Inbox inbox;
  BotPool pool(1, inbox.Poster());
  std::string order;
  for (int i = 0; i < 20; ++i)
    pool.Think("level1", SomeView(1), {}, 1, [&](const BotMove&) { order += 'a'; }, "p_ada");
  for (int i = 0; i < 2; ++i) {
    pool.Think("level1", SomeView(1), {}, 1, [&](const BotMove&) { order += 'b'; }, "p_ben");
    pool.Think("level1", SomeView(1), {}, 1, [&](const BotMove&) { order += 'c'; }, "p_cleo");
  }
  inbox.Run(24);
  // The thread may have begun before all had asked.
  EXPECT_LT(order.find_last_of("bc"), order.size() - 5) << order;
}

TEST(BotPool, GamesAreJudgedWhenNoBotHasToThink) {
  const Deal deal = DealFromSeed({}, 1);
  Record record;
  record.config = deal.config;
  record.deck = {deal.deck.Span().begin(), deal.deck.Span().end()};
  Game game(New(deal.config, deal.deck.Span()));
  for (int i = 0; i < 12; ++i) {
    record.actions.push_back(Legal(game.state)[0]);
    game.Apply(record.actions.back());
  }
  Inbox inbox;
  std::latch asked(1);
  std::string order, text;
  {
    BotPool pool(1, [&, post = inbox.Poster()](std::function<void()> call) {
      asked.wait();
      post(std::move(call));
    });
    const auto think = [&] {
      pool.Think("random", SomeView(1), {}, 1, [&](const BotMove&) { order += "bot "; });
    };
    think();
    pool.Analyze(record, [&](std::string judged) {
      order += "game ";
      text = std::move(judged);
    });
    think();
    asked.count_down();
    inbox.Run(3);
  }
  EXPECT_EQ(order, "bot bot game ");
  EXPECT_EQ(text, ToJson(record, Analyze(record, {})).dump());
}

TEST(BotPool, KeepsOnlySoManyBots) {
  KeptBots bots(2);
  const Bot* first = &bots.Get("level1");
  bots.Get("level2");
  EXPECT_EQ(&bots.Get("level1"), first);
  bots.Get("level3");  // in place of the one that was not used for longest
  EXPECT_EQ(bots.size(), 2u);
  EXPECT_EQ(&bots.Get("level1"), first);
  for (const std::string_view name : BotNames()) bots.Get(std::string(name));
  EXPECT_EQ(bots.size(), 2u);
}

TEST(BotPool, StopsThinkingWhenItIsDestroyed) {
  Inbox inbox;
  const auto begin = SteadyClock();
  for (int i = 0; i < 20; ++i) {
    BotPool pool(2, inbox.Poster());
    for (int j = 0; j < 9; ++j)
      pool.Think("level8", SomeView(1), {}, 1, [](const BotMove&) { FAIL(); });
    while (pool.waiting() > 7) std::this_thread::yield();  // until both think
  }
  EXPECT_LT(SteadyClock() - begin, 4s);  // and not 0.9 s each time
}

}  // namespace
}  // namespace civ
