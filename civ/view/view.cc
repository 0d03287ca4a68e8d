#include "civ/view/view.h"

#include <algorithm>
#include <span>

namespace civ {
namespace {

Holding Backs(Cards cards) {
  Holding holding;
  for (const Age age : {Age::I, Age::II, Age::III})
    holding.backs[static_cast<size_t>(age) - 1] = static_cast<uint8_t>(cards.Of(age).Count());
  return holding;
}

}  // namespace

View MakeView(const State& state, const Knowledge& knowledge, Seat viewer) {
  View view{};
  static_cast<Public&>(view) = state;
  // What an Inquisition gives back is named in the order of the cards: the last one named is for
  // its eyes only.
  if (state.choice.verb == Verb::Give && viewer != state.seat) view.choice.from = kNone;
  view.viewer = viewer;
  view.deck_top =
      state.deck_size > 0 ? static_cast<uint8_t>(AgeOf(state.DeckCard(state.deck_size - 1))) : 0;
  for (Seat seat = 0; seat < state.config.players; ++seat) {
    view.hands[seat] = Backs(state.hands[seat]);
    view.hands[seat].cards = seat == viewer ? state.hands[seat] : knowledge.known[seat][viewer];
    if (state.step != Step::Draft) continue;
    view.packs[seat] = Backs(state.packs[seat]);
    if (seat == viewer) view.packs[seat].cards = state.packs[seat];
  }
  return view;
}

std::array<int8_t, kKinds> UnseenIn(const View& view) {
  std::array<int8_t, kKinds> left;
  std::ranges::copy(kCopies, left.begin());
  const auto see = [&](Cards cards) {
    int k = 0;
    for (int8_t& count : left) count = static_cast<int8_t>(count - cards[static_cast<Kind>(k++)]);
  };
  for (Seat seat = 0; seat < kMaxSeats; ++seat) {
    see(view.tables[seat]);
    see(view.hands[seat].cards);
    see(view.packs[seat].cards);
  }
  see(view.discard);
  see(view.centre);
  for (const Embargo& embargo : std::span(view.embargoes).first(view.embargo_count))
    see(Cards(embargo.card));
  see(Cards(Kind::U3, view.democracy_count));
  return left;
}

ActionSet Legal(const View& view) {
  if (view.step == Step::Over) return {};
  State seen{};
  static_cast<Public&>(seen) = view;
  seen.hands[view.seat] = view.hands[view.seat].cards;
  seen.packs[view.seat] = view.packs[view.seat].cards;
  return Legal(seen);
}

}  // namespace civ
