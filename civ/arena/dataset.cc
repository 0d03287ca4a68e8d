#include "civ/arena/dataset.h"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "civ/notation/notation.h"
#include "civ/rules/sides.h"
#include "civ/view/deal.h"

namespace civ {
namespace {

// With the seeds of `civ arena`, so that it is the same game.
SampledGame PlaySampled(const Contest& contest, int number, const std::atomic<bool>& stop) {
  const uint64_t seed = contest.SeedOf(number);
  SampledGame played = {.number = number, .seed = seed, .record = {}};
  const Deal deal = DealFromSeed(contest.config, seed);
  played.record.config = deal.config;
  played.record.deck.assign(deal.deck.Span().begin(), deal.deck.Span().end());
  played.record.names = Json::array();
  std::vector<std::unique_ptr<Bot>> bots;
  std::vector<Limits> limits;
  for (const int which : contest.SeatsOf(number)) {
    const Entrant& entrant = contest.entrants[static_cast<size_t>(which)];
    played.record.names.push_back(entrant.name);
    bots.push_back(MakeBot(entrant.bot));
    limits.push_back({.iterations = entrant.iterations, .stop = &stop});
  }
  Game game(New(played.record.config, played.record.deck));
  while (game.state.step != Step::Over && !stop) {
    const Seat seat = game.state.seat;
    const size_t done = played.record.actions.size();
    const View view = MakeView(game.state, game.knowledge, seat);
    Thought thought = bots[seat]->Think(view, limits[seat], Mix(Mix(seed, seat), done));
    const Action best = thought.best;
    if (Legal(view).Size() > 1)
      played.decisions.push_back({static_cast<int>(done), view, std::move(thought)});
    game.Apply(best);
    played.record.actions.push_back(best);
  }
  if (stop) return played;
  const Outcome outcome = Result(game.state);
  const Chances shares = Shares(played.record.config, outcome);
  played.record.result = ToJson(played.record.config, outcome);
  played.turns = game.state.turn;
  for (size_t seat = 0; seat < played.record.config.players; ++seat)
    played.returns[seat] = shares[seat] * static_cast<float>(SideCount(played.record.config)) - 1;
  return played;
}

// Hands games over in the order of their numbers, and lets nobody run far ahead.
class InOrder {
 public:
  InOrder(int games, int ahead, const std::function<void(const SampledGame&)>& tell)
      : games_(games), ahead_(ahead), tell_(tell) {}

  // The next game to play, or the end.
  int Take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stopped_ || next_ == games_ || next_ < told_ + ahead_; });
    return stopped_ ? games_ : next_ == games_ ? games_ : next_++;
  }
  void Give(SampledGame game) {
    const std::scoped_lock lock(mutex_);
    const int number = game.number;
    ready_.emplace(number, std::move(game));
    for (auto first = ready_.begin(); first != ready_.end() && first->first == told_; ++told_) {
      tell_(first->second);
      first = ready_.erase(first);
    }
    changed_.notify_all();
  }
  void Stop() {
    const std::scoped_lock lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }
  bool All() const { return told_ == games_; }

 private:
  const int games_, ahead_;
  const std::function<void(const SampledGame&)>& tell_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<int, SampledGame> ready_;
  int next_ = 0, told_ = 0;
  bool stopped_ = false;
};

}  // namespace

bool SampleGames(const Contest& contest, int games, int threads,
                 const std::function<void(const SampledGame&)>& tell,
                 const std::atomic<bool>& stop) {
  InOrder order(games, 16 * threads, tell);
  {
    std::vector<std::jthread> workers;
    for (int i = 0; i < threads; ++i)
      workers.emplace_back([&] {
        for (int number = order.Take(); number < games; number = order.Take()) {
          SampledGame game = PlaySampled(contest, number, stop);
          if (stop) return order.Stop();
          order.Give(std::move(game));
        }
      });
  }
  return order.All();
}

std::string ToLine(const SampledGame& game) {
  const int players = game.record.config.players;
  const auto each = [players](const Chances& chances) {
    Json list = Json::array();
    for (int seat = 0; seat < players; ++seat) list.push_back(chances[static_cast<size_t>(seat)]);
    return list;
  };
  Json decisions = Json::array();
  for (const SampledDecision& decision : game.decisions) {
    Json legal = Json::array(), judged = Json::array();
    for (const Action action : Legal(decision.view)) legal.push_back(NameOf(action));
    for (const Judgement& judgement : decision.thought.judgements)
      judged.push_back({{"action", NameOf(judgement.action)},
                        {"weight", judgement.weight},
                        {"value", judgement.chances[decision.view.seat]}});
    decisions.push_back({{"action", decision.action},
                         {"seat", decision.view.seat},
                         {"view", ToJson(decision.view)},
                         {"legal", legal},
                         {"choice", NameOf(decision.thought.best)},
                         {"judged", judged}});
  }
  return Json{{"format", "civ-decisions/1"}, {"game", game.number},
              {"seed", game.seed},           {"returns", each(game.returns)},
              {"turns", game.turns},         {"record", *ParseJson(game.record.Dump())},
              {"decisions", decisions}}
      .dump();
}

}  // namespace civ
