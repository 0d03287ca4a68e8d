// What one seat, or a spectator, may see: built from nothing, so that what is not named here cannot
// leak.
#pragma once

#include <array>
#include <cstdint>

#include "civ/view/knowledge.h"

namespace civ {

// Cards in somebody's hands: their backs for everybody, and the cards that the viewer sees or is
// certain of.
struct Holding {
  Cards cards;
  std::array<uint8_t, kAges> backs{};

  bool operator==(const Holding&) const = default;
  int Count() const { return backs[0] + backs[1] + backs[2]; }
};

struct View : Public {
  Seat viewer;       // kSpectator for nobody's eyes
  uint8_t deck_top;  // the Age on top of the deck, 0 when it is empty
  std::array<Holding, kMaxSeats> hands;
  std::array<Holding, kMaxSeats> packs;
};

View MakeView(const State& state, const Knowledge& knowledge, Seat viewer);

// How many cards of each kind the viewer neither sees nor knows anywhere. Below zero only where a
// view says that it sees more than there are.
std::array<int8_t, kKinds> UnseenIn(const View& view);

// What the deciding seat may do, from its own view alone.
ActionSet Legal(const View& view);

}  // namespace civ
