// The deck and the deal (rules, sections 1 and 2).
#include <algorithm>

#include "civ/rules/rules.h"

namespace civ {

int DeckSize(int players, Age age) {
  constexpr std::array<int, kAges> kAll = {28, 32, 44};
  return kAll[static_cast<int>(age) - 1] - (players < 4 ? 3 : 0);
}

int DeckSize(int players) {
  return DeckSize(players, Age::I) + DeckSize(players, Age::II) + DeckSize(players, Age::III);
}

bool IsConfig(const Config& config) {
  return config.players >= 2 && config.players <= kMaxSeats && config.first < config.players &&
         (!config.teams || config.players == 4) && config.setup <= Setup::Draft &&
         config.edition <= Edition::Ro;
}

bool IsDeck(int players, std::span<const Kind> deck) {
  if (static_cast<int>(deck.size()) != DeckSize(players)) return false;
  std::array<int, kKinds> copies{};
  std::array<int, kAges> of_age{};
  Age age = Age::I;
  for (const Kind kind : deck) {
    if (kind > Kind::U3 || AgeOf(kind) < age ||
        ++copies[static_cast<int>(kind)] > kCopies[static_cast<int>(kind)])
      return false;
    age = AgeOf(kind);
    of_age[static_cast<int>(age) - 1]++;
  }
  return of_age[0] == DeckSize(players, Age::I) && of_age[1] == DeckSize(players, Age::II);
}

State EmptyState(const Config& config) {
  State state{};
  state.config = config;
  state.seat = config.first;
  state.hand_size = 3;
  return state;
}

State New(const Config& config, std::span<const Kind> deck) {
  State state = EmptyState(config);
  const bool draft = config.setup == Setup::Draft;
  const int each = draft ? 4 : 3;
  size_t dealt = 0;
  for (int i = 0; i < config.players; ++i) {
    Cards cards;
    for (int c = 0; c < each; ++c) cards += Cards(deck[dealt++]);
    const int seat = (config.first + i) % config.players;
    if (draft)
      state.packs[static_cast<size_t>(seat)] = cards;
    else
      state.hands[static_cast<size_t>(seat)] = cards;
  }
  state.SetDeck(deck.subspan(dealt));
  state.step = draft ? Step::Draft : Step::Play;
  state.turn = draft ? 0 : 1;
  return state;
}

}  // namespace civ
