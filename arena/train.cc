#include "arena/train.h"

#include "arena/contest.h"
#include "bots/master.h"
#include "bots/parallel.h"
#include "bots/playout.h"
#include "view/deal.h"

namespace civ {
namespace {

// What was seen in some games.
struct Experience {
  std::vector<Lesson> lessons;
  std::vector<size_t> games;  // where the lessons of each begin
  std::vector<Habit> habits;
};

struct Journal {
  std::vector<Lesson> lessons;
  std::vector<Habit> habits;
};

// Calls play(game) for all games, on several threads.
template <class Play>
void ForEachGame(int games, int threads, const std::atomic<bool>& stop, Play play) {
  std::atomic<int> next = 0;
  InParallel(static_cast<size_t>(threads), [&](size_t) {
    for (int game = next++; game < games && !stop; game = next++) play(game);
  });
}

// One game in four begins with a draft.
Game Begin(const TrainOptions& options, uint64_t seed, int game) {
  const Setup setup = game % 4 == 0 ? Setup::Draft : Setup::Basic;
  const Deal deal = DealFromSeed({static_cast<uint8_t>(options.players), setup, Edition::En, options.teams, 0}, seed);
  return Game(New(deal.config, deal.deck.Span()));
}

void Note(const State& state, const Thought& thought, Journal& journal) {
  if (state.step == Step::Play) journal.lessons.push_back({state, thought.judgements.empty() ? Chances{} : thought.judgements[0].chances});
  const ActionSet keys = Keys(Legal(state));
  if (thought.judgements.empty() || keys.Size() == 1) return;
  Habit habit{state, {}};
  for (const Action key : keys) {
    float share = 0;
    for (const Judgement& judgement : thought.judgements)
      if (KeyOf(judgement.action) == key) share = judgement.weight;
    habit.shares.emplace_back(key, share);
  }
  journal.habits.push_back(std::move(habit));
}

// The target of a lesson: how the game ended, and what the search said if it said something.
void Settle(const TrainOptions& options, const State& end, Journal& journal) {
  const Chances won = Shares(end.config, Result(end));
  for (Lesson& lesson : journal.lessons) {
    const bool judged = lesson.target != Chances{};
    for (size_t seat = 0; seat < kMaxSeats; ++seat)
      lesson.target[seat] = judged ? options.trust * lesson.target[seat] + (1 - options.trust) * won[seat] : won[seat];
  }
}

// Column builders that now and then use whatever effect there is.
Thought BuilderThought(const State& state, Random& random) {
  const Policy policy = random.Below(8) != 0 ? Policy::Builder : Policy::EffectHappy;
  return {Choose(policy, state, Legal(state), random), {}, 0};
}

Journal PlayAlone(const TrainOptions& options, const Net* net, uint64_t seed, int number) {
  Game game = Begin(options, seed, number);
  const std::unique_ptr<Bot> bot = MakeMaster({.net = net});
  Random random(seed);
  Journal journal;
  for (uint64_t action = 0; game.state.step != Step::Over; ++action) {
    const Thought thought =
        net == nullptr ? BuilderThought(game.state, random)
                       : bot->Think(MakeView(game.state, game.knowledge, game.state.seat), {.iterations = options.iterations}, Mix(seed, action));
    Note(game.state, thought, journal);
    game.Apply(thought.best);
  }
  Settle(options, game.state, journal);
  return journal;
}

Experience SelfPlay(const TrainOptions& options, int generation, const Net* net, const std::atomic<bool>& stop) {
  const int games = net == nullptr ? options.first_games : options.games;
  std::vector<Journal> journals(static_cast<size_t>(games));
  const uint64_t seed = Mix(options.seed, static_cast<uint64_t>(generation));
  ForEachGame(games, options.threads, stop,
              [&](int game) { journals[static_cast<size_t>(game)] = PlayAlone(options, net, Mix(seed, static_cast<uint64_t>(game)), game); });
  Experience all;
  for (Journal& journal : journals) {
    all.games.push_back(all.lessons.size());
    all.lessons.insert(all.lessons.end(), journal.lessons.begin(), journal.lessons.end());
    all.habits.insert(all.habits.end(), std::make_move_iterator(journal.habits.begin()), std::make_move_iterator(journal.habits.end()));
    journal = {};
  }
  return all;
}

// One game with the challenger in some seats: its part of the victory.
double PlayAgainst(const TrainOptions& options, const Net& challenger, const Net& best, uint64_t seed, unsigned challenging, int number) {
  Game game = Begin(options, seed, number);
  std::vector<std::unique_ptr<Bot>> bots;
  for (Seat seat = 0; seat < game.state.config.players; ++seat)
    bots.push_back(MakeMaster({.net = (challenging >> seat & 1) != 0 ? &challenger : &best}));
  for (uint64_t action = 0; game.state.step != Step::Over; ++action) {
    const Seat seat = game.state.seat;
    game.Apply(bots[seat]->Think(MakeView(game.state, game.knowledge, seat), {.iterations = options.iterations}, Mix(seed, action)).best);
  }
  const Chances won = Shares(game.state.config, Result(game.state));
  double share = 0;
  for (Seat seat = 0; seat < game.state.config.players; ++seat)
    if ((challenging >> seat & 1) != 0) share += won[seat] / (options.teams ? 2 : 1);
  return share;
}

// The challenger against the best on the same decks in all seats, on equal terms: its share of the victories, half of them if they are equal.
double Gate(const TrainOptions& options, int generation, const Net& challenger, const Net& best, const std::atomic<bool>& stop) {
  const std::vector<unsigned> seatings = options.teams          ? std::vector<unsigned>{5, 10}
                                         : options.players == 2 ? std::vector<unsigned>{1, 2}
                                         : options.players == 3 ? std::vector<unsigned>{1, 2, 4, 6, 5, 3}
                                                                : std::vector<unsigned>{5, 10, 3, 12, 6, 9};
  std::vector<double> shares(static_cast<size_t>(options.gate_decks));
  const uint64_t seed = Mix(options.seed + 1, static_cast<uint64_t>(generation));
  ForEachGame(options.gate_decks, options.threads, stop, [&](int deck) {
    for (const unsigned seating : seatings)
      shares[static_cast<size_t>(deck)] += PlayAgainst(options, challenger, best, Mix(seed, static_cast<uint64_t>(deck)), seating, deck);
  });
  double sum = 0;
  for (const double share : shares) sum += share;
  return sum / static_cast<double>(shares.size() * seatings.size());
}

// What was seen before counts as well as what is seen now.
void Append(Experience& now, const Experience& before) {
  for (const size_t game : before.games) now.games.push_back(now.lessons.size() + game);
  now.lessons.insert(now.lessons.end(), before.lessons.begin(), before.lessons.end());
}

}  // namespace

Net Train(const TrainOptions& options, const std::function<void(const Generation&, const Net&)>& report, const std::atomic<bool>& stop) {
  Net best = options.start != nullptr ? *options.start : Net{};
  Experience before;  // of the last generation, but for that of the column builders
  for (int number = 0; number < options.generations && !stop; ++number) {
    const bool builders = number == 0 && options.start == nullptr;
    Experience seen = SelfPlay(options, number, builders ? nullptr : &best, stop);
    if (stop) break;
    const Experience now = builders ? Experience{} : Experience{seen.lessons, seen.games, {}};
    Append(seen, before);
    before = now;
    Fitted fitted = Fit(seen.lessons, seen.games, options.value);
    FitPrior(seen.habits, options.prior, fitted.net);
    Generation generation{number, seen.lessons.size(), seen.habits.size(), fitted.loss, fitted.held_back, 1, true};
    if (!builders) {
      generation.share = Gate(options, number, fitted.net, best, stop);
      generation.kept = generation.share > 0.5;
    }
    if (generation.kept && !stop) best = fitted.net;
    report(generation, best);
  }
  return best;
}

}  // namespace civ
