// What seats know for certain of hidden hands (rules, section 10). It follows from the course of a
// game, not from a state.
#pragma once

#include <array>

#include "civ/rules/rules.h"

namespace civ {

inline constexpr Seat kSpectator = kMaxSeats;  // knows what any bystander knows
inline constexpr int kObservers = kMaxSeats + 1;

struct Knowledge {
  // known[hand][observer]: the cards of that hand that the observer is certain of. Nothing is kept
  // of one's own hand.
  std::array<std::array<Cards, kObservers>, kMaxSeats> known{};

  bool operator==(const Knowledge&) const = default;

  // Learns from an action that is about to be applied.
  void Observe(const State& before, Action action);
};

// A game with what its seats have learnt.
struct Game {
  State state;
  Knowledge knowledge;

  explicit Game(const State& start) : state(start) {}
  void Apply(Action action) {
    knowledge.Observe(state, action);
    civ::Apply(state, action);
  }
};

}  // namespace civ
