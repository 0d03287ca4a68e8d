#include "civ/view/deal.h"

#include <algorithm>

namespace civ {
namespace {

// All 104 cards, by Age.
constexpr std::array<Kind, kCards> kAllCards = [] {
  std::array<Kind, kCards> cards{};
  size_t n = 0;
  for (int k = 0; k < kKinds; ++k)
    for (int copy = 0; copy < kCopies[static_cast<size_t>(k)]; ++copy)
      cards[n++] = static_cast<Kind>(k);
  return cards;
}();

template <class Below>
Deck ShuffledBy(int players, const Below& below) {
  std::array<Kind, kCards> cards = kAllCards;
  Deck deck{};
  size_t begin = 0;
  for (const Age age : {Age::I, Age::II, Age::III}) {
    const auto all = static_cast<size_t>(DeckSize(kMaxSeats, age));
    const auto used = static_cast<size_t>(DeckSize(players, age));
    const auto pile = std::span(cards).subspan(begin, all);
    Shuffle(pile, below);
    std::ranges::copy(pile.first(used), deck.cards.begin() + deck.size);
    deck.size += static_cast<int>(used);
    begin += all;
  }
  return deck;
}

}  // namespace

Deck ShuffledDeck(int players, Random& random) {
  return ShuffledBy(players, [&](uint32_t n) { return random.Below(n); });
}

Deck ShuffledDeck(int players, const std::function<uint32_t(uint32_t n)>& below) {
  return ShuffledBy(players, below);
}

Deal DealFromSeed(Config config, uint64_t seed) {
  Random random(seed);
  config.first = static_cast<Seat>(random.Below(config.players));
  return {config, ShuffledDeck(config.players, random)};
}

}  // namespace civ
