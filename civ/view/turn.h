// Looking through the rest of one's own turn.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>
#include <vector>

#include "civ/view/twins.h"

namespace civ {

// A number for what the deciding seat sees of its turn: equal positions reached by different ways
// have the same.
inline uint64_t HashOf(const State& state) {
  uint64_t hash = 0;
  const auto add = [&](uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  };
  const auto bits = [](const auto& value) { return std::bit_cast<uint64_t>(value); };
  add(bits(state.hands[state.seat]));
  for (Seat seat = 0; seat < state.config.players; ++seat) add(bits(state.tables[seat]));
  add(bits(state.discard));
  const Choice& choice = state.choice;
  add(bits(std::array<uint8_t, 8>{static_cast<uint8_t>(choice.effect),
                                  static_cast<uint8_t>(choice.verb), choice.left, choice.from,
                                  choice.target, static_cast<uint8_t>(state.step), state.permanent,
                                  state.given_up}));
  struct Rest {
    uint32_t embargoed;
    uint8_t hand_size, deck_size, democracy_count, zero;
  };
  add(bits(Rest{state.embargoed, state.hand_size, state.deck_size, state.democracy_count, 0}));
  for (int i = 0; i < state.democracy_count; ++i)
    add(uint64_t{state.democracies[i].seat} << 8 | state.democracies[i].domain);
  return hash;
}

// Whether an action shows its owner cards that were hidden.
constexpr bool IsUnseen(Action action) {
  return action == kBreakthrough ||
         (!action.NamesCard() && action != kEnd && action.effect() == Effect::Inquisition);
}

// Judges the actions that the rest of a turn can begin with by the best position in which it can
// then be ended. Every position is looked at once, by whatever ways it is reached, until `most` of
// them have been seen.
class TurnSearch {
 public:
  static constexpr float kWorst = -1e30f;

  explicit TurnSearch(int most = 1 << 13)
      : most_(most), slots_(2 * std::bit_ceil(static_cast<size_t>(most))) {}

  // `worth(state, seat)` judges for a seat a state in which it can end its turn, or has drafted a
  // card; higher is better. An action for which `skips(state, action)` has a worth is not looked
  // at, and counts as that. The answer is in the order of the keys.
  template <class Worth, class Skips>
  std::span<const float> Look(const State& state, const ActionSet& legal, Worth worth,
                              Skips skips) {
    std::ranges::fill(slots_, Slot{});
    left_ = most_;
    best_.clear();
    for (const Action key : Keys(legal))
      best_.push_back(After(state, Oldest(legal, key), worth, skips));
    return best_;
  }

 private:
  struct Slot {
    uint64_t hash = 0;
    float best = 0;
  };

  template <class Worth, class Skips>
  float After(const State& state, Action action, Worth worth, Skips skips) {
    if (action == kEnd) return worth(state, state.seat);
    if (const std::optional<float> instead = skips(state, action)) return *instead;
    State after = state;
    Apply(after, action);
    return after.seat == state.seat ? Explore(after, worth, skips) : worth(after, state.seat);
  }

  template <class Worth, class Skips>
  float Explore(const State& state, Worth worth, Skips skips) {
    const uint64_t hash = HashOf(state);
    size_t slot = hash >> (64 - std::countr_zero(slots_.size()));
    for (; slots_[slot].hash != 0; slot = (slot + 1) % slots_.size())
      if (slots_[slot].hash == hash) return slots_[slot].best;
    if (left_ == 0) return kWorst;
    --left_;
    slots_[slot].hash = hash;
    float best = kWorst;
    const ActionSet legal = Legal(state);
    for (const Action key : Keys(legal))
      best = std::max(best, After(state, Oldest(legal, key), worth, skips));
    slots_[slot].best = best;
    return best;
  }

  const int most_;
  int left_ = 0;
  std::vector<float> best_;
  std::vector<Slot> slots_;
};

}  // namespace civ
