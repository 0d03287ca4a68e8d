#include "civ/training/train.h"

#include <algorithm>
#include <bit>
#include <mutex>
#include <ranges>
#include <span>

#include "civ/arena/contest.h"
#include "civ/arena/statistics.h"
#include "civ/bots/hash.h"
#include "civ/bots/master.h"
#include "civ/bots/parallel.h"
#include "civ/bots/playout.h"
#include "civ/bots/weights.h"
#include "civ/training/kept.h"
#include "civ/view/deal.h"

namespace civ {
namespace {

// Calls play(game) for all games, on several threads.
template <class Play>
void ForEachGame(int games, const TrainOptions& options, const std::atomic<bool>& stop, Play play) {
  std::atomic<int> next = 0;
  InParallel(static_cast<size_t>(options.threads), [&](size_t) {
    for (int game = next++; game < games && !stop; game = next++) play(game);
  });
}

// Counts what is done, and tells it.
class Count {
 public:
  Count(const TrainOptions& options, std::string_view part, int of)
      : options_(options), part_(part), of_(of) {}
  void Add(int more) {
    if (!options_.progress) return;
    const std::scoped_lock lock(mutex_);
    options_.progress(part_, done_ += more, of_);
  }

 private:
  const TrainOptions& options_;
  const std::string_view part_;
  const int of_;
  std::mutex mutex_;
  int done_ = 0;
};

// One game in four begins with a draft.
Game Begin(const TrainOptions& options, uint64_t seed, int game) {
  const Setup setup = game % 4 == 0 ? Setup::Draft : Setup::Basic;
  const Deal deal = DealFromSeed(
      {static_cast<uint8_t>(options.players), setup, Edition::En, options.teams, 0}, seed);
  return Game(New(deal.config, deal.deck.Span()));
}

// `searched`: whether the search was long enough to learn its choice from.
void Note(const State& state, const Thought& thought, int number, bool searched,
          Examples& examples) {
  const bool judged = !thought.judgements.empty();
  if (state.step == Step::Play)
    examples.values.push_back(
        {state, judged ? thought.judgements[0].chances : Chances{}, static_cast<uint32_t>(number)});
  const ActionSet keys = Keys(Legal(state));
  if (!searched || !judged || keys.Size() == 1) return;
  PolicyExample example{state, {}};
  for (const Action key : keys) {
    float share = 0;
    for (const Judgement& judgement : thought.judgements)
      if (KeyOf(judgement.action) == key) share = judgement.weight;
    example.shares.emplace_back(key, share);
  }
  examples.policies.push_back(std::move(example));
}

// The targets of values by TD(lambda): what the search said in the turn itself and in each later
// one, the later the less, and for the rest how the game ended. That is less a matter of chance
// than the end alone.
void SetTargets(const TrainOptions& options, const State& end, Examples& examples) {
  Chances target = Shares(end.config, Result(end));
  for (ValueExample& value : std::views::reverse(examples.values)) {
    if (value.target != Chances{})
      for (size_t seat = 0; seat < kMaxSeats; ++seat)
        target[seat] += (1 - options.lambda) * (value.target[seat] - target[seat]);
    value.target = target;
  }
}

// Column builders that now and then use whatever effect there is.
Thought BuilderThought(const State& state, Random& random) {
  const Policy policy = random.Below(8) != 0 ? Policy::Builder : Policy::EffectHappy;
  return {Choose(policy, state, Legal(state), random), {}, 0};
}

// An action, as likely as the search has visited it.
Action Drawn(const Thought& thought, Random& random) {
  float left = static_cast<float>(random.Next() >> 8) * 0x1p-24f;
  for (const Judgement& judgement : thought.judgements) {
    left -= judgement.weight;
    if (left < 0) return judgement.action;
  }
  return thought.best;
}

// Which net plays which seat. With three and four players, in one game in four a seat (with
// partners, a side) plays alone against an earlier net, so that it does not learn to beat itself
// alone.
class Nets {
 public:
  Nets(const Net* best, std::span<const Net> earlier, const Config& config, int game,
       Random& random)
      : best_(best), earlier_(best) {
    if (earlier.empty() || config.players == 2 || game % 4 != 1) return;
    earlier_ = &earlier[random.Below(static_cast<uint32_t>(earlier.size()))];
    own_ = static_cast<Seat>(random.Below(config.players));
  }

  const Net* Of(const Config& config, Seat seat) const {
    return own_ == kNone || SideOf(config, seat) == SideOf(config, own_) ? best_ : earlier_;
  }

 private:
  const Net *best_, *earlier_;
  Seat own_ = kNone;
};

// One turn in four is searched in full, and its choices are learnt from; the others are made with a
// fifth of the iterations, so that there are more games (playout cap randomization). Whole turns,
// because a search goes on from what it knows of the turn. Values are learnt from the beginnings of
// all turns.
Examples PlayAlone(const TrainOptions& options, const Net* net, std::span<const Net> earlier,
                   uint64_t seed, int number) {
  constexpr uint32_t kSearched = 4;
  constexpr int64_t kQuick = 5;
  Game game = Begin(options, seed, number);
  const Config config = game.state.config;
  Random random(seed);
  const Nets nets(net, earlier, config, number, random);
  std::array<std::unique_ptr<Bot>, kMaxSeats> slow, quick;
  for (Seat seat = 0; seat < config.players; ++seat) {
    slow[seat] = MakeMaster({.net = nets.Of(config, seat), .noise = options.noise});
    quick[seat] = MakeMaster({.net = nets.Of(config, seat)});
  }
  Examples examples;
  int turn = -1;
  bool searched = false;
  for (uint64_t action = 0; game.state.step != Step::Over; ++action) {
    const Seat seat = game.state.seat;
    if (game.state.turn != turn)
      searched = net != nullptr && nets.Of(config, seat) == net && random.Below(kSearched) == 0;
    turn = game.state.turn;
    const int64_t iterations = searched ? options.iterations : options.iterations / kQuick;
    const Thought thought =
        net == nullptr ? BuilderThought(game.state, random)
                       : (searched ? slow : quick)[seat]->Think(
                             MakeView(game.state, game.knowledge, seat),
                             {.iterations = std::max<int64_t>(1, iterations)}, Mix(seed, action));
    Note(game.state, thought, number, searched, examples);
    const bool lively = searched && game.state.turn <= options.lively_rounds * options.players;
    game.Apply(lively ? Drawn(thought, random) : thought.best);
  }
  SetTargets(options, game.state, examples);
  return examples;
}

// A number for all that the games of a generation follow from.
uint64_t KeyOf(const TrainOptions& options, int generation, const Net* net,
               std::span<const Net> earlier) {
  Hash hash;
  hash.Add(options.seed);
  hash.Add(static_cast<uint64_t>(generation));
  hash.Add(static_cast<uint64_t>(options.players) << 1 | uint64_t{options.teams});
  hash.Add(static_cast<uint64_t>(options.iterations));
  hash.Add(std::bit_cast<uint32_t>(options.noise));
  hash.Add(std::bit_cast<uint32_t>(options.lambda));
  hash.Add(static_cast<uint64_t>(options.lively_rounds));
  const auto add = [&](const Net& one) {
    for (const uint8_t byte : Encode(one)) hash.Add(byte);
  };
  if (net != nullptr) add(*net);
  for (const Net& one : earlier) add(one);
  return hash.value();
}

Examples SelfPlay(const TrainOptions& options, int generation, const Net* net,
                  std::span<const Net> earlier, const std::atomic<bool>& stop) {
  const int games = net == nullptr ? options.first_games : options.games;
  std::vector<Examples> played(static_cast<size_t>(games));
  const uint64_t seed = Mix(options.seed, static_cast<uint64_t>(generation));
  KeptGames kept(options.keep, KeyOf(options, generation, net, earlier));
  Count count(options, "games against itself", games);
  ForEachGame(games, options, stop, [&](int game) {
    Examples& examples = played[static_cast<size_t>(game)];
    if (!kept.Take(game, examples)) {
      examples = PlayAlone(options, net, earlier, Mix(seed, static_cast<uint64_t>(game)), game);
      kept.Add(game, examples);
    }
    count.Add(1);
  });
  Examples all;
  for (Examples& game : played) {
    all.values.insert(all.values.end(), game.values.begin(), game.values.end());
    all.policies.insert(all.policies.end(), std::make_move_iterator(game.policies.begin()),
                        std::make_move_iterator(game.policies.end()));
    game = {};
  }
  return all;
}

// One game with the challenger in some seats: its part of the victory.
double PlayAgainst(const TrainOptions& options, const Net& challenger, const Net& best,
                   uint64_t seed, unsigned challenging, int number) {
  Game game = Begin(options, seed, number);
  std::vector<std::unique_ptr<Bot>> bots;
  for (Seat seat = 0; seat < game.state.config.players; ++seat)
    bots.push_back(MakeMaster({.net = (challenging >> seat & 1) != 0 ? &challenger : &best}));
  for (uint64_t action = 0; game.state.step != Step::Over; ++action) {
    const Seat seat = game.state.seat;
    game.Apply(bots[seat]
                   ->Think(MakeView(game.state, game.knowledge, seat),
                           {.iterations = options.iterations}, Mix(seed, action))
                   .best);
  }
  const Chances won = Shares(game.state.config, Result(game.state));
  double share = 0;
  for (Seat seat = 0; seat < game.state.config.players; ++seat)
    if ((challenging >> seat & 1) != 0) share += won[seat] / (options.teams ? 2 : 1);
  return share;
}

// The more games there are, the larger steps can be before a fit learns what is chance: they are
// doubled as long as that tells the games held back better. Several are tried at once, which
// chooses no other.
Fitted FitAgain(const std::vector<ValueExample>& examples, FitOptions options, int threads) {
  constexpr int kMostAtOnce = 4;
  std::vector<Fitted> fits(static_cast<size_t>(std::min(threads, kMostAtOnce)));
  for (std::optional<Fitted> best;;) {
    InParallel(fits.size(), [&](size_t i) {
      FitOptions own = options;
      own.rate *= static_cast<float>(1 << i);
      fits[i] = Fit(examples, own);
    });
    for (const Fitted& next : fits) {
      if (best && !(next.held_back < best->held_back)) return *best;
      best = next;
    }
    options.rate *= static_cast<float>(1 << fits.size());
  }
}

// The seats of the challenger: on equal terms, or nearly so, and in all seats.
std::vector<unsigned> Seatings(const TrainOptions& options) {
  if (options.teams) return {5, 10};
  if (options.players == 2) return {1, 2};
  if (options.players == 3) return {1, 2, 4, 6, 5, 3};
  return {5, 10, 3, 12, 6, 9};
}

struct Gated {
  int decks;
  double share;  // of the victories, half of them if the nets are equal
  bool kept;
};

// The challenger against the best on the same decks, until it is decided whether it is stronger or
// there are no more decks; then by what is likelier. Decks are judged in their order, whatever the
// number of threads.
Gated Gate(const TrainOptions& options, int generation, const Net& challenger, const Net& best,
           const std::atomic<bool>& stop) {
  constexpr double kStronger = 35;  // Elo
  constexpr int kAtOnce = 20;
  const std::vector<unsigned> seatings = Seatings(options);
  const uint64_t seed = Mix(options.seed + 1, static_cast<uint64_t>(generation));
  SequentialTest test(0, kStronger);
  Count count(options, "decks against the net before, at most", options.gate_decks);
  double sum = 0;
  int decks = 0;
  const auto open = [&] {
    return test.Decide() == SequentialTest::Verdict::Open && decks < options.gate_decks && !stop;
  };
  while (open()) {
    std::vector<double> shares(static_cast<size_t>(std::min(kAtOnce, options.gate_decks - decks)));
    ForEachGame(static_cast<int>(shares.size()), options, stop, [&](int i) {
      const int deck = decks + i;
      for (const unsigned seating : seatings)
        shares[static_cast<size_t>(i)] +=
            PlayAgainst(options, challenger, best, Mix(seed, static_cast<uint64_t>(deck)), seating,
                        deck) /
            static_cast<double>(seatings.size());
      count.Add(1);
    });
    for (size_t i = 0; i < shares.size() && open(); ++i, ++decks) {
      test.Add(shares[i]);
      sum += shares[i];
    }
  }
  return {decks, sum / std::max(1, decks), test.LogLikelihoodRatio() > 0};
}

}  // namespace

Net Train(const TrainOptions& options,
          const std::function<void(const Generation&, const Net&)>& report,
          const std::atomic<bool>& stop) {
  Net best = options.start != nullptr ? *options.start : Net{};
  std::vector<Net> earlier;          // that were the best
  std::vector<ValueExample> before;  // of the last generation, but for that of the column builders
  for (int number = 0; number < options.generations && !stop; ++number) {
    const bool builders = number == 0 && options.start == nullptr;
    Examples seen = SelfPlay(options, number, builders ? nullptr : &best, earlier, stop);
    if (stop) break;
    // What was seen before counts as well as what is seen now.
    const size_t now = builders ? 0 : seen.values.size();
    seen.values.insert(seen.values.end(), before.begin(), before.end());
    before.assign(seen.values.begin(), seen.values.begin() + static_cast<ptrdiff_t>(now));
    FitOptions again = options.value_again, prior = options.prior;
    if (!builders) again.start = prior.start = &best;
    Fitted fitted =
        builders ? Fit(seen.values, options.value) : FitAgain(seen.values, again, options.threads);
    FitPrior(seen.policies, prior, fitted.net);
    Generation generation{.number = number,
                          .games = builders ? options.first_games : options.games,
                          .positions = seen.values.size(),
                          .decisions = seen.policies.size(),
                          .loss = fitted.loss,
                          .held_back = fitted.held_back,
                          .first = builders,
                          .decks = 0,
                          .share = 1,
                          .kept = true};
    if (!builders) {
      const Gated gated = Gate(options, number, fitted.net, best, stop);
      generation.decks = gated.decks;
      generation.share = gated.share;
      generation.kept = gated.kept;
    }
    if (stop) break;
    if (generation.kept) {
      if (!builders) earlier.push_back(best);
      best = fitted.net;
    }
    report(generation, best);
  }
  return best;
}

}  // namespace civ
