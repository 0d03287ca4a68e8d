#include "view/view.h"

namespace civ {
namespace {

Holding Backs(Cards cards) {
  Holding holding;
  for (const Age age : {Age::I, Age::II, Age::III}) holding.backs[static_cast<size_t>(age) - 1] = static_cast<uint8_t>(cards.Of(age).Count());
  return holding;
}

}  // namespace

View MakeView(const State& state, const Knowledge& knowledge, Seat viewer) {
  View view{};
  static_cast<Public&>(view) = state;
  // What an Inquisition gives back is named in the order of the cards: the last one named is for its eyes only.
  if (state.choice.verb == Verb::Give && viewer != state.seat) view.choice.from = kNone;
  view.viewer = viewer;
  view.deck_top = state.deck_size > 0 ? static_cast<uint8_t>(AgeOf(state.DeckCard(state.deck_size - 1))) : 0;
  for (Seat seat = 0; seat < state.config.players; ++seat) {
    view.hands[seat] = Backs(state.hands[seat]);
    view.hands[seat].cards = seat == viewer ? state.hands[seat] : knowledge.known[seat][viewer];
    if (state.step != Step::Draft) continue;
    view.packs[seat] = Backs(state.packs[seat]);
    if (seat == viewer) view.packs[seat].cards = state.packs[seat];
  }
  return view;
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
