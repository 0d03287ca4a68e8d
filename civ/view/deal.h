// Shuffling: a random deck, and a new game from a seed.
#pragma once

#include <array>
#include <functional>
#include <span>

#include "civ/rules/rules.h"
#include "civ/view/random.h"

namespace civ {

// The cards of a game in drawing order.
struct Deck {
  std::array<Kind, kCards> cards;
  int size;

  std::span<const Kind> Span() const { return std::span(cards).first(static_cast<size_t>(size)); }
};

// Each Age shuffled by itself, with two or three players less the three cards that go back in the
// box.
Deck ShuffledDeck(int players, Random& random);
// The same with another source of chance: `below(n)` is uniform over 0 … n-1.
Deck ShuffledDeck(int players, const std::function<uint32_t(uint32_t n)>& below);

// First Player and deck from one seed, the same on every platform. `config.first` is ignored.
struct Deal {
  Config config;
  Deck deck;
};
Deal DealFromSeed(Config config, uint64_t seed);

}  // namespace civ
