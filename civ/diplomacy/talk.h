// What players can say to each other that means something at the table (docs/diplomacy.md).
// Everybody hears it, and a promise binds nobody (ruling 21).
#pragma once

#include <cstdint>

#include "civ/rules/types.h"

namespace civ {

enum class TalkKind : uint8_t {
  Truce,     // proposes that neither of two players hits the other
  Together,  // proposes to hit somebody who is near Hegemony
  Yes,       // to an offer
  No,
  GiveUp,  // a pact, which still holds in the turn under way
  Warn,    // that somebody could win
  Signal,  // of a partner: the Domain that it goes for
};

// Fields that a kind does not have are as they are here.
struct Talk {
  TalkKind kind{};
  uint8_t to = 0;      // of a proposal: bit s stands for seat s
  Seat about = kNone;  // of Together: against whom; of Warn: who could win
  Domain domain{};     // of Warn and Signal
  uint8_t rounds = 0;  // of Truce: 1 to 3
  uint16_t id = 0;     // of Yes and No: of the offer; of GiveUp: of the pact

  bool operator==(const Talk&) const = default;
};

constexpr bool IsProposal(TalkKind kind) {
  return kind == TalkKind::Truce || kind == TalkKind::Together;
}

// Something that was said after so many actions of a game.
struct Said {
  uint16_t at = 0;
  Seat seat = kNone;
  Talk talk{};

  bool operator==(const Said&) const = default;
};

}  // namespace civ
