#include "civ/analysis/judge.h"

#include <algorithm>
#include <cmath>

#include "civ/bots/master.h"
#include "civ/view/turn.h"

namespace civ {
namespace {

constexpr int kWorlds = 16;  // that lines are compared in
constexpr int kPart = 20;    // of the iterations for a decision, to judge one of those worlds
constexpr int kLeast = 10;   // iterations

uint64_t SeedOf(uint64_t seed, uint64_t number) { return seed + 0x9e3779b97f4a7c15 * (number + 1); }

// The mean of some chances, one after the other.
void Add(Chances& mean, const Chances& chances, int of) {
  for (size_t seat = 0; seat < kMaxSeats; ++seat)
    mean[seat] += chances[seat] / static_cast<float>(of);
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

Chances Judge::Open(State state, uint64_t seed) {
  while (state.step != Step::Over && Keys(Legal(state)).Size() == 1) Apply(state, Legal(state)[0]);
  if (state.step == Step::Over) return Shares(state.config, Result(state));
  const int64_t part = std::max<int64_t>(kLeast, iterations_ / kPart);
  const Thought thought = bot_->Think(OpenView(state), {.iterations = part, .stop = stop_}, seed);
  return thought.judgements.empty() ? Chances{} : thought.judgements.front().chances;
}

Line Judge::Best(const Game& game, uint64_t seed) {
  Line line;
  for (Game at = game;;) {
    const Seat seat = at.state.seat;
    const View view = MakeView(at.state, at.knowledge, seat);
    line.push_back(
        bot_->Think(view, {.iterations = iterations_, .stop = stop_}, SeedOf(seed, line.size()))
            .best);
    if (Stopped() || EndsLine(at.state, line.back())) return line;
    at.Apply(line.back());
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
      State state = world;
      for (const Action action : lines[l]) Apply(state, action);
      const Chances chances = Open(state, SeedOf(seed, static_cast<uint64_t>(i)));
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
    Add(mean, Open(state, SeedOf(seed, static_cast<uint64_t>(i))), kWorlds);
  }
  return mean;
}

}  // namespace civ
