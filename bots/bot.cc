#include "bots/bot.h"

#include <algorithm>
#include <bit>

#include "bots/greedy.h"
#include "bots/plain.h"
#include "bots/playout.h"

namespace civ {
namespace {

class RandomBot final : public Bot {
  Thought Consider(const View&, const ActionSet& legal, const Limits&, uint64_t seed) override {
    Random random(seed);
    return {ChooseUniform(legal, random), {}, 0};
  }
};

constexpr std::array<std::string_view, 4> kNames = {"random", "greedy", "plain", "plain-informed"};

}  // namespace

std::chrono::nanoseconds SteadyClock() { return std::chrono::steady_clock::now().time_since_epoch(); }

void Thought::Settle() {
  if (judgements.empty()) return;
  std::ranges::sort(judgements,
                    [](const Judgement& a, const Judgement& b) { return a.weight != b.weight ? a.weight > b.weight : a.action < b.action; });
  best = judgements[0].action;
}

Thought Bot::Think(const View& view, const Limits& limits, uint64_t seed) {
  const ActionSet legal = Legal(view);
  if (legal.Size() == 1) return {legal[0], {}, 0};
  return Consider(view, legal, limits, seed);
}

std::span<const std::string_view> BotNames() { return kNames; }

std::unique_ptr<Bot> MakeBot(std::string_view name) {
  if (name == "random") return std::make_unique<RandomBot>();
  if (name == "greedy") return MakeGreedy();
  if (name == "plain") return MakePlain(Policy::Uniform);
  if (name == "plain-informed") return MakePlain(Policy::Builder);
  return nullptr;
}

Limits DefaultLimits(std::string_view name) {
  using namespace std::chrono_literals;
  return {.time = name == "master" ? 900ms : 250ms};
}

Chances Shares(const Config& config, const Outcome& outcome) {
  const int sides = std::popcount(config.teams ? outcome.winners & 3u : unsigned{outcome.winners});
  Chances shares{};
  for (Seat seat = 0; seat < config.players; ++seat)
    if ((outcome.winners >> seat & 1) != 0) shares[seat] = 1.0f / static_cast<float>(sides);
  return shares;
}

}  // namespace civ
