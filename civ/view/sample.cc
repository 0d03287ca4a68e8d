#include "civ/view/sample.h"

#include "civ/rules/check.h"
#include "civ/view/deal.h"

namespace civ {

Sampler::Sampler(const View& view) : view_(view), possible_(FindUnseen() && FindDeckAges()) {
  static_cast<Public&>(blank_) = view;
}

// False if more cards of a kind are seen than there are.
bool Sampler::FindUnseen() {
  const std::array<int8_t, kKinds> left = UnseenIn(view_);
  for (int k = 0; k < kKinds; ++k) {
    if (left[k] < 0) return false;
    pools_[static_cast<size_t>(AgeOf(static_cast<Kind>(k))) - 1].Add(static_cast<Kind>(k), left[k]);
  }
  return true;
}

// What is neither seen nor in hands, packs or box. False if that contradicts the view.
bool Sampler::FindDeckAges() {
  int total = 0, top = 0;
  for (size_t age = 0; age < kAges; ++age) {
    int hidden = DeckSize(kMaxSeats, static_cast<Age>(age + 1)) -
                 DeckSize(view_.config.players, static_cast<Age>(age + 1));
    for (Seat seat = 0; seat < kMaxSeats; ++seat)
      for (const Holding* holding : {&view_.hands[seat], &view_.packs[seat]}) {
        const int unknown =
            holding->backs[age] - holding->cards.Of(static_cast<Age>(age + 1)).Count();
        if (unknown < 0) return false;
        hidden += unknown;
      }
    deck_ages_[age] = static_cast<int>(pools_[age].size) - hidden;
    if (deck_ages_[age] < 0) return false;
    if (top == 0 && deck_ages_[age] > 0) top = static_cast<int>(age) + 1;
    total += deck_ages_[age];
  }
  return total == view_.deck_size && top == view_.deck_top;
}

// Puts unseen cards behind the backs that are not known.
void Sampler::Fill(Cards& cards, const Holding& seen, Random& random) {
  cards = seen.cards;
  for (size_t age = 0; age < kAges; ++age)
    for (int hidden = seen.backs[age] - seen.cards.Of(static_cast<Age>(age + 1)).Count();
         hidden > 0; --hidden)
      cards += Cards(pools_[age].Draw(random));
}

void Sampler::FillHands(State& state, Random& random) {
  for (Pool& pool : pools_) pool.used = 0;
  for (Seat seat = 0; seat < view_.config.players; ++seat) {
    Cards pack;
    Fill(state.hands[seat], view_.hands[seat], random);
    Fill(pack, view_.packs[seat], random);
    state.packs[seat] = pack;
  }
  // The last card given back was named last, so it is the last in card order.
  if (view_.step == Step::Choose && view_.choice.verb == Verb::Give && view_.viewer != view_.seat &&
      view_.choice.target < kMaxSeats) {
    const Cards given = state.hands[view_.choice.target];
    state.choice.from = given.Empty() ? kNone : static_cast<uint8_t>(given.Last());
  }
}

bool Sampler::Draw(State& state, Random& random, int deck_cards) {
  if (!possible_) return false;
  state = blank_;
  // A choice under way says something about hands that the viewer does not see: that which it is
  // made from and, in the middle of an Inquisition, that which is given back.
  const bool sees_all = view_.viewer == view_.seat && view_.choice.verb != Verb::Give;
  const int most_tries = sees_all ? 1 : 1'000'000;
  int tries = 0;
  do {
    if (++tries > most_tries) return false;
    FillHands(state, random);
  } while (!ChoiceFits(state));

  Deck deck;
  deck.size = 0;
  for (size_t age = 0; age < kAges; ++age)
    for (int i = 0; i < deck_ages_[age]; ++i) {
      Pool& pool = pools_[age];
      deck.cards[static_cast<size_t>(deck.size)] =
          deck.size < deck_cards ? pool.Draw(random) : pool.cards[pool.used++];
      ++deck.size;
    }
  state.SetDeck(deck.Span());
  return true;
}

std::optional<State> Sample(const View& view, Random& random) {
  State state;
  if (!Sampler(view).Draw(state, random)) return std::nullopt;
  return state;
}

std::optional<Game> GameThatFits(const View& view, Random& random) {
  const std::optional<State> state = Sample(view, random);
  if (!state) return std::nullopt;
  Game game(*state);
  for (Seat seat = 0; seat < view.config.players; ++seat)
    if (seat != view.viewer) game.knowledge.known[seat][view.viewer] = view.hands[seat].cards;
  return game;
}

}  // namespace civ
