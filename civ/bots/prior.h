// The policy net: how likely a good player is to choose each action, before anything is searched.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "civ/view/twins.h"

namespace civ {

// How empty the deck is: 0 while it is full or nearly so, 4 when there is nothing left.
inline constexpr int kPhases = 5;
inline int PhaseOf(const Public& table) {
  const int full = DeckSize(table.config.players);
  return table.deck_size == 0 ? kPhases - 1
                              : (kPhases - 2) - (table.deck_size - 1) * (kPhases - 1) / full;
}

namespace priors {

// Every action key has a type: what is done, and with which Domain; on whom does not matter.
inline constexpr int kCardTypes = 8 * 8;    // verb and Domain
inline constexpr int kCopied = kCardTypes;  // effects copied, then used, by level and Domain
inline constexpr int kEffects = kCopied + 16;
inline constexpr int kAttack = kEffects + 16;  // each by Domain
inline constexpr int kEmbargo = kAttack + 8;
inline constexpr int kDemocracy = kEmbargo + 8;
inline constexpr int kInquisition = kDemocracy + 8;
inline constexpr int kOthers = kInquisition + 1;  // breakthrough, end, skip
inline constexpr int kTypes = kOthers + 3;

// What an action's weight is the sum of, for each type: rows of one number.
inline constexpr int kAlways = 0;
inline constexpr int kOwn = 1;  // cards of the Domain in one's play area, 0 to 9
// Most cards that another has of it, or that the one aimed at has.
inline constexpr int kTheirs = kOwn + 10;
inline constexpr int kHeld = kTheirs + 10;  // cards of it in hand, 0 to 4
inline constexpr int kPhase = kHeld + 5;    // PhaseOf
// Cards that lack for Hegemony in that column, 0 to 4 or more.
inline constexpr int kLack = kPhase + kPhases;
inline constexpr int kTheirLack = kLack + 5;
inline constexpr int kUsed = kTheirLack + 5;  // effects used this turn, 0 to 4
inline constexpr int kBest = kUsed + 5;       // whether it is one's longest column
inline constexpr int kHand = kBest + 2;       // cards in hand, 0 to 7
inline constexpr int kNext = kHand + 8;       // whether another could win with one more card
inline constexpr int kRows = kNext + 2;

}  // namespace priors

using PriorRows = std::array<std::array<int16_t, priors::kRows>, priors::kTypes>;
inline constexpr int kPriorScale = 256;

// What the weights of a seat's actions depend on, looked at once for all of them.
class PriorView {
 public:
  explicit PriorView(const State& state);

  // Calls add(row) for every row of the action's type that counts.
  template <class Add>
  void ForEach(Action key, Add add) const;
  static int TypeOf(Action key);

 private:
  struct Column {
    uint8_t own, theirs, held, lack, their_lack, best;
  };
  const State& state_;
  std::array<Column, 8> columns_;
  int phase_, used_, hand_, threat_;
};

template <class Add>
void PriorView::ForEach(Action key, Add add) const {
  using namespace priors;
  Domain domain{};
  int theirs = -1, their_lack = -1;
  if (key.code >= 0x80) {
    domain = key == kSkip ? Domain{} : key.domain();
  } else if (key.code < 0x20) {
    domain = DomainOf(key.effect());
  } else if (key == kBreakthrough) {
    domain = Domain::Science;
  } else if (key != kEnd) {
    const Effect effect = key.effect();
    domain = effect == Effect::Inquisition ? Domain::Religion : key.domain();
    if (effect == Effect::Embargo || effect == Effect::Democracy) {
      theirs = state_.Count(key.seat(), domain);
      their_lack = HegemonyNeed(state_, key.seat(), domain) - theirs;
    }
  }
  const Column& column = columns_[static_cast<size_t>(domain)];
  add(kAlways);
  add(kOwn + column.own);
  add(kTheirs + (theirs < 0 ? column.theirs : std::min(theirs, 9)));
  add(kHeld + column.held);
  add(kPhase + phase_);
  add(kLack + column.lack);
  add(kTheirLack + (theirs < 0 ? column.their_lack : std::clamp(their_lack, 0, 4)));
  add(kUsed + used_);
  add(kBest + column.best);
  add(kHand + hand_);
  add(kNext + threat_);
}

}  // namespace civ
