#include "civ/analysis/judge.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "civ/bots/diplomat.h"
#include "civ/bots/master.h"
#include "civ/view/turn.h"

namespace civ {
namespace {

constexpr int kWorlds = 16;  // that lines are compared in, and orders of the deck for a chance
constexpr int kPart = 10;    // of the iterations for a decision, for a glance
// Luck is measured against as many draws, or, if they bring too many different things, fewer; each
// is looked at in some orders of what is left of the deck.
constexpr size_t kDraws = 256, kFewDraws = 32;
constexpr int kOrders = 4;

uint64_t SeedOf(uint64_t seed, uint64_t number) { return seed + 0x9e3779b97f4a7c15 * (number + 1); }

// The mean of some chances, one after the other.
void Add(Chances& mean, const Chances& chances, int of) {
  for (size_t seat = 0; seat < kMaxSeats; ++seat)
    mean[seat] += chances[seat] / static_cast<float>(of);
}

// Until there is a choice; cards that differ by their Age alone are none.
void ToChoice(Game& game) {
  while (game.state.step != Step::Over && Keys(Legal(game.state)).Size() == 1)
    game.Apply(Legal(game.state)[0]);
}

void Mix(uint64_t& hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15;
  hash ^= hash >> 32;
}

// A number for what the same actions have come to with different draws, for who sees all hands.
uint64_t OpenHash(const State& state) {
  uint64_t hash = 0;
  for (const Cards& hand : state.hands) Mix(hash, std::bit_cast<uint64_t>(hand));
  for (const Cards& table : state.tables) Mix(hash, std::bit_cast<uint64_t>(table));
  Mix(hash, std::bit_cast<uint64_t>(state.discard));
  Mix(hash, uint64_t{state.turn} << 8 | state.seat);
  return hash;
}

// Likewise for the seat that decides.
uint64_t SeenHash(const Game& game) {
  const View view = MakeView(game.state, game.knowledge, game.state.seat);
  uint64_t hash = HashOf(game.state);
  for (const Holding& hand : view.hands) {
    Mix(hash, std::bit_cast<uint64_t>(hand.cards));
    for (const uint8_t backs : hand.backs) Mix(hash, backs);
  }
  Mix(hash, uint64_t{view.turn} << 8 | view.seat);
  return hash;
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
    : iterations_(iterations),
      glance_(std::max<int64_t>(1, iterations / kPart)),
      stop_(stop),
      bot_(MakeMaster()) {}

Line Judge::Planned(Game game, int64_t iterations, uint64_t seed, Diplomacy pacts) {
  const Limits limits = {.iterations = iterations, .stop = stop_};
  for (Line line;;) {
    const State before = game.state;
    const View view = MakeView(before, game.knowledge, before.seat);
    const Restraint kept = KeepingAll(pacts, before, Legal(before));
    line.push_back(bot_->Think(view, limits, SeedOf(seed, line.size()), kept).best);
    if (Stopped() || EndsLine(before, line.back())) return line;
    game.Apply(line.back());
    pacts.Act(before, line.back(), game.state, 0);
  }
}

// The chances at the next choice, at a glance: little is looked at, but wins of the deciding seat
// in the same turn are seen.
Chances Judge::After(State state, const Line& line, uint64_t seed) {
  Game game(state);
  for (const Action action : line) Apply(game.state, action);
  ToChoice(game);
  if (game.state.step == Step::Over) return Shares(state.config, Result(game.state));
  const Limits limits = {.iterations = glance_, .stop = stop_};
  const Thought thought = bot_->Think(OpenView(game.state), limits, seed);
  return thought.judgements.empty() ? Chances{} : thought.judgements.front().chances;
}

Chances Judge::Mean(const State& state, const Line& line, int orders, uint64_t seed) {
  Sampler sampler(OpenView(state));
  Random random(seed);
  State world;
  Chances mean{};
  for (int i = 0; i < orders && !Stopped() && sampler.Draw(world, random); ++i)
    Add(mean, After(world, line, SeedOf(seed, static_cast<uint64_t>(i))), orders);
  return mean;
}

Chances Judge::Open(const State& state, const Line& line, uint64_t seed) {
  return Mean(state, line, kWorlds, seed);
}

// After each draw the deciding seat goes on by what it knows, which mostly is the same whatever was
// drawn. Draws that come to the same are judged once, and all by the same random numbers.
Chances Judge::Luck(const Game& game, const Line& line, Game after, uint64_t seed) {
  std::map<uint64_t, Line> plans;
  std::map<uint64_t, Chances> known;
  const auto judged = [&](const Game& world) -> const Chances& {
    const State& state = world.state;
    const auto [at, is_new] = known.try_emplace(OpenHash(state));
    if (!is_new) return at->second;
    if (state.step == Step::Over) return at->second = Shares(state.config, Result(state));
    const auto [plan, is_unplanned] = plans.try_emplace(SeenHash(world));
    if (is_unplanned) plan->second = Planned(world, glance_, seed, {});
    return at->second = Mean(state, plan->second, kOrders, seed);
  };

  Sampler sampler(OpenView(game.state));
  Random random(seed);
  std::vector<Game> worlds(kDraws, game);
  std::set<uint64_t> different;
  for (Game& world : worlds) {
    if (Stopped() || !sampler.Draw(world.state, random)) return {};
    for (const Action action : line) world.Apply(action);
    ToChoice(world);
    different.insert(OpenHash(world.state));
  }
  ToChoice(after);
  if (different.size() > kFewDraws) worlds.resize(kFewDraws, game);
  Chances luck = judged(after);
  for (const Game& world : worlds) {
    const Chances& chances = judged(world);
    for (size_t seat = 0; seat < kMaxSeats; ++seat)
      luck[seat] -= chances[seat] / static_cast<float>(worlds.size());
  }
  return luck;
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
