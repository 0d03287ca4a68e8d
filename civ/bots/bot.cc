#include "civ/bots/bot.h"

#include <algorithm>
#include <bit>

#include "civ/bots/gentle.h"
#include "civ/bots/greedy.h"
#include "civ/bots/master.h"
#include "civ/bots/plain.h"
#include "civ/bots/playout.h"
#include "civ/rules/sides.h"

namespace civ {
namespace {

class RandomBot final : public Bot {
  Thought Consider(const View&, const ActionSet& legal, const Limits&, uint64_t seed) override {
    Random random(seed);
    return {ChooseUniform(legal, random), {}, 0};
  }
};

constexpr std::array<std::string_view, 13> kNames = {
    "random", "greedy", "plain",  "plain-informed", "master", "level1", "level2",
    "level3", "level4", "level5", "level6",         "level7", "level8"};

// Weak players see less far and think of less; from the fifth on they are the master with less time
// (docs/bots.md).
std::unique_ptr<Bot> MakeLevel(int level) {
  constexpr std::array<Most, kBotLevels> kMost = {
      {{}, {}, {}, {}, {2, 2}, {80, 25}, {3000, 300}, {}}};
  switch (level) {
    case 1:
      return MakeGentle({.permanent = Bit(Domain::Religion) | Bit(Domain::Utopia),
                         .given_up = 0,
                         .effects = 1,
                         .watches = false});
    case 2: return MakeGentle({.given_up = Bit(Domain::Military), .effects = 1});
    case 3:
      return MakeGentle(
          {.given_up = Bit(Domain::Military) | Bit(Domain::Economy) | Bit(Domain::Utopia)});
    case 4:
      return MakeGentle(
          {.given_up = kAllDomains & ~Bit(Domain::Religion), .effects = 2 * kDomains});
    default:
      return MakeMaster(
          {.most = kMost[static_cast<size_t>(level - 1)], .tidy = level < kBotLevels});
  }
}

}  // namespace

#ifndef __wasm__  // whose host has the clock
std::chrono::nanoseconds SteadyClock() {
  return std::chrono::steady_clock::now().time_since_epoch();
}
#endif

void Thought::SortAndChoose() {
  if (judgements.empty()) return;
  std::ranges::sort(judgements, [](const Judgement& a, const Judgement& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.action < b.action;
  });
  best = judgements[0].action;
}

Thought Bot::Think(const View& view, const Limits& limits, uint64_t seed,
                   const Restraint& restraint) {
  restraint_ = restraint;
  const ActionSet legal =
      restraint.only.Empty() ? restraint.Left(view, Legal(view)) : restraint.only;
  if (legal.Size() == 1) return {legal[0], {}, 0};
  return Consider(view, legal, limits, seed);
}

std::span<const std::string_view> BotNames() { return kNames; }

std::unique_ptr<Bot> MakeBot(std::string_view name) {
  if (name == "random") return std::make_unique<RandomBot>();
  if (name == "greedy") return MakeGreedy();
  if (name == "plain") return MakePlain(Policy::Uniform);
  if (name == "plain-informed") return MakePlain(Policy::Builder);
  if (name == "master") return MakeMaster();
  if (name.size() == 6 && name.starts_with("level") && name[5] >= '1' && name[5] < '1' + kBotLevels)
    return MakeLevel(name[5] - '0');
  return nullptr;
}

Limits DefaultLimits(std::string_view name) {
  using namespace std::chrono_literals;
  return {.time = name == "master" || name == "level8" ? 900ms : 250ms};
}

Chances Shares(const Config& config, const Outcome& outcome) {
  const int sides = std::popcount(SidesOf(config, outcome.winners));
  Chances shares{};
  for (Seat seat = 0; seat < config.players; ++seat)
    if ((outcome.winners >> seat & 1) != 0) shares[seat] = 1.0f / static_cast<float>(sides);
  return shares;
}

}  // namespace civ
