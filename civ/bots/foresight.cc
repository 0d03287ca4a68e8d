#include "civ/bots/foresight.h"

#include "civ/bots/restraint.h"
#include "civ/view/threat.h"
#include "civ/view/twins.h"

namespace civ {
namespace {

constexpr int kFutures = 40;
constexpr int kRounds = 2;
constexpr int kDeckCards = 32;   // that are shuffled: hardly ever are more drawn in two rounds
constexpr int kPositions = 300;  // looked at to see whether somebody can win

void Do(State& state, Diplomacy& pacts, Action action) {
  if (pacts.pacts.empty()) return Apply(state, action);
  const State before = state;
  Apply(state, action);
  pacts.Act(before, action, state, 0);
}

// As the policy net would, by chance.
Action Draw(const Net& net, const State& state, const ActionSet& legal, Random& random) {
  if (legal.Size() == 1) return legal[0];
  float left = static_cast<float>(random.Next() >> 8) * 0x1p-24f;
  Action chosen = legal[0];
  Guess(net, state, Keys(legal), [&](Action key, float share) {
    if (left >= 0) chosen = Oldest(legal, key);
    left -= share;
  });
  return chosen;
}

}  // namespace

ActionSet Keeping(const Diplomacy& pacts, const Public& table, const ActionSet& legal) {
  if (table.step != Step::Effects || pacts.pacts.empty()) return legal;
  const std::vector<Pact> due = pacts.BrokenBy(table, kEnd);
  const ActionSet kept = Restraint::EffectsOf(legal, [&](Action action) {
    return pacts.BrokenBy(table, action).empty() &&
           (due.empty() || std::ranges::any_of(due, [&](const Pact& pact) {
              return Strikes(table, action, pact.against);
            }));
  });
  return kept.Empty() ? legal : kept;
}

Foresight::Foresight(const View& view, const Limits& limits, uint64_t seed)
    : sampler_(view),
      net_(NetFor(view.config)),
      seed_(seed),
      budget_({.time = limits.time, .stop = limits.stop, .clock = limits.clock}, 1) {}

Foresight::Futures Foresight::After(std::optional<Action> action, Diplomacy pacts) {
  // What was said does not matter any more, but that something was does.
  pacts.offers.clear();
  pacts.repeated.clear();
  pacts.news.resize(1);
  Futures futures;
  State state;
  for (uint64_t i = 0; i < kFutures && (i == 0 || budget_.Allows(done_)); ++i) {
    Random random(seed_ + i * 0x9e3779b97f4a7c15);
    if (!sampler_.Draw(state, random, kDeckCards)) break;
    futures.push_back(Play(state, action, pacts, random));
    ++done_;
  }
  return futures;
}

Chances Foresight::Play(State state, std::optional<Action> action, Diplomacy pacts,
                        Random& random) const {
  const int end = state.turn + kRounds * state.config.players;
  if (action) Do(state, pacts, *action);
  for (bool first = true; state.step != Step::Over && state.turn < end; first = false) {
    int positions = kPositions;
    if ((first || state.step == Step::Play) && CanReachHegemony(state, positions)) {
      Chances sure{};
      sure[state.seat] = 1;
      return sure;
    }
    Do(state, pacts, Draw(net_, state, Keeping(pacts, state, Legal(state)), random));
  }
  return state.step == Step::Over ? Shares(state.config, Result(state)) : Evaluate(net_, state);
}

float MeanOf(const Foresight::Futures& futures, Seat seat) {
  float sum = 0;
  for (const Chances& chances : futures) sum += chances[seat];
  return futures.empty() ? 0 : sum / static_cast<float>(futures.size());
}

float Gain(const Foresight::Futures& one, const Foresight::Futures& other, Seat seat) {
  const size_t both = std::min(one.size(), other.size());
  float sum = 0;
  for (size_t i = 0; i < both; ++i) sum += one[i][seat] - other[i][seat];
  return both == 0 ? 0 : sum / static_cast<float>(both);
}

}  // namespace civ
