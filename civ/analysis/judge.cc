#include "civ/analysis/judge.h"

#include <algorithm>
#include <cmath>

#include "civ/bots/diplomat.h"
#include "civ/bots/master.h"
#include "civ/view/turn.h"

namespace civ {
namespace {

constexpr int kWorlds = 16;   // that lines are compared in, and luck is measured against
constexpr int kFewDecks = 2;  // where a mean over worlds follows
constexpr int kPart = 10;     // of the iterations for a decision, for a glance

uint64_t SeedOf(uint64_t seed, uint64_t number) { return seed + 0x9e3779b97f4a7c15 * (number + 1); }

// The mean of some chances, one after the other.
void Add(Chances& mean, const Chances& chances, int of) {
  for (size_t seat = 0; seat < kMaxSeats; ++seat)
    mean[seat] += chances[seat] / static_cast<float>(of);
}

// Until there is a choice; cards that differ by their Age alone are none.
void ToChoice(State& state) {
  while (state.step != Step::Over && Keys(Legal(state)).Size() == 1) Apply(state, Legal(state)[0]);
}

}  // namespace

bool EndsLine(const State& before, Action action) {
  if (IsUnseen(action)) return true;
  State after = before;
  Apply(after, action);
  return after.seat != before.seat;
}

View OpenView(const State& state) {
  Knowledge all;
  for (Seat seat = 0; seat < state.config.players; ++seat) all.known[seat].fill(state.hands[seat]);
  View view = MakeView(state, all, state.seat);
  if (state.step == Step::Draft)
    for (Seat seat = 0; seat < state.config.players; ++seat)
      view.packs[seat].cards = state.packs[seat];
  return view;
}

Judge::Judge(int64_t iterations, const std::atomic<bool>* stop)
    : iterations_(iterations), stop_(stop), bot_(MakeMaster()) {}

// Little is looked at, but wins of the deciding seat in the same turn are seen.
Thought Judge::Glance(const State& state, uint64_t seed) {
  const int64_t part = std::max<int64_t>(1, iterations_ / kPart);
  return bot_->Think(OpenView(state), {.iterations = part, .stop = stop_}, seed);
}

// The chances at the next choice, at a glance.
Chances Judge::After(State state, const Line& line, uint64_t seed) {
  for (const Action action : line) Apply(state, action);
  ToChoice(state);
  if (state.step == Step::Over) return Shares(state.config, Result(state));
  const Thought thought = Glance(state, seed);
  return thought.judgements.empty() ? Chances{} : thought.judgements.front().chances;
}

Chances Judge::Open(State state, int decks, uint64_t seed) {
  ToChoice(state);
  if (state.step == Step::Over) return Shares(state.config, Result(state));
  Line line;
  for (State at = state;; Apply(at, line.back())) {
    line.push_back(Glance(at, SeedOf(seed, line.size())).best);
    if (Stopped() || EndsLine(at, line.back())) break;
  }
  Sampler sampler(OpenView(state));
  Random random(seed);
  State world;
  Chances mean{};
  for (int i = 0; i < decks && sampler.Draw(world, random); ++i)
    Add(mean, After(world, line, random.Next()), decks);
  return mean;
}

Chances Judge::Expected(const State& state, const Line& line, uint64_t seed) {
  Sampler sampler(OpenView(state));
  Random random(seed);
  State world;
  Chances mean{};
  for (int i = 0; i < kWorlds && !Stopped() && sampler.Draw(world, random); ++i) {
    for (const Action action : line) Apply(world, action);
    Add(mean, Open(world, kFewDecks, random.Next()), kWorlds);
  }
  return mean;
}

Line Judge::Best(const Game& game, uint64_t seed, Diplomacy pacts) {
  Line line;
  const Limits limits = {.iterations = iterations_, .stop = stop_};
  for (Game at = game;;) {
    const State before = at.state;
    const View view = MakeView(before, at.knowledge, before.seat);
    const Restraint kept = KeepingAll(pacts, before, Legal(before));
    line.push_back(bot_->Think(view, limits, SeedOf(seed, line.size()), kept).best);
    if (Stopped() || EndsLine(before, line.back())) return line;
    at.Apply(line.back());
    pacts.Act(before, line.back(), at.state, 0);
  }
}

Comparison Judge::Compare(const View& view, const std::vector<Line>& lines, uint64_t seed) {
  Comparison found;
  found.means.resize(lines.size());
  Sampler sampler(view);
  Random random(seed);
  State world;
  float squares = 0;
  for (int i = 0; i < kWorlds && !Stopped() && sampler.Draw(world, random); ++i) {
    std::vector<float> own;
    for (size_t l = 0; l < lines.size(); ++l) {
      const Chances chances = After(world, lines[l], SeedOf(seed, static_cast<uint64_t>(i)));
      Add(found.means[l], chances, kWorlds);
      own.push_back(chances[view.seat]);
    }
    if (own.size() < 2) continue;
    found.difference += (own[0] - own[1]) / kWorlds;
    squares += (own[0] - own[1]) * (own[0] - own[1]) / kWorlds;
  }
  found.doubt =
      std::sqrt(std::max(0.0f, squares - found.difference * found.difference) / (kWorlds - 1));
  return found;
}

Chances Judge::Blind(const View& view, uint64_t seed) {
  Chances mean{};
  Sampler sampler(view);
  Random random(seed);
  State state;
  for (int i = 0; i < kWorlds && !Stopped() && sampler.Draw(state, random); ++i) {
    for (bool ends = false; !ends;) {
      const ActionSet legal = Legal(state);
      const Action action =
          legal[static_cast<int>(random.Below(static_cast<uint32_t>(legal.Size())))];
      ends = EndsLine(state, action);
      Apply(state, action);
    }
    Add(mean, After(state, {}, SeedOf(seed, static_cast<uint64_t>(i))), kWorlds);
  }
  return mean;
}

}  // namespace civ
