// Everything on the table. What everybody may see stands in Public, so that a view can be built from it and nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>

#include "rules/action.h"
#include "rules/cards.h"
#include "rules/types.h"

namespace civ {

// What is fixed before the first card is dealt.
struct Config {
  uint8_t players = 2;
  Setup setup = Setup::Basic;
  Edition edition = Edition::En;
  bool teams = false;
  Seat first = 0;

  bool operator==(const Config&) const = default;
};

// A card laid face down by Embargo or Democracy.
struct FaceDown {
  uint8_t seat : 2;    // on whom
  uint8_t by : 2;      // by whom
  uint8_t domain : 3;  // on which Domain

  bool operator==(const FaceDown&) const = default;
};
struct Embargo : FaceDown {
  Kind card;  // which Economy card lies there

  bool operator==(const Embargo&) const = default;
};

// The effect under way that asks for cards.
struct Choice {
  Effect effect;
  Verb verb;
  uint8_t left;  // how many are still to be named
  uint8_t from;  // the last one named for this verb, a Kind or for Verb::Remove a Domain; kNone before the first
  Seat target;   // of an Inquisition, kNone otherwise

  bool operator==(const Choice&) const = default;
};
inline constexpr Choice kNoChoice = {Effect{}, Verb{}, 0, kNone, kNone};

// The Culture coin; the owner is kNone while it lies beside the deck.
struct Coin {
  Seat owner = kNone;
  Seat seat = kNone;
  Domain domain{};

  bool operator==(const Coin&) const = default;
};

// The numbers of cards in a column that matter: to be there at all, for the two levels, and for Hegemony.
enum class Mark : uint8_t { Present, Level1, Level2, Hegemony };
inline constexpr int kMarks = 4;

inline constexpr int kMaxEmbargoes = 8;  // play reaches one per seat: each ends before its owner's next turn does
inline constexpr int kMaxDemocracies = 16;

struct Public {
  std::array<Cards, kMaxSeats> tables;  // the play areas
  Cards discard;

  // What follows from the play areas, kept up to date by AddToTable and RemoveFromTable:
  std::array<uint32_t, kDomains> counts;  // cards per Domain, one byte a seat, seat 0 lowest
  std::array<uint32_t, kMarks> marks;     // the Domains that reach each mark, one byte a seat

  Config config;
  Step step;
  Seat seat;              // who decides; kNone when the game is over
  uint16_t turn;          // from 1; 0 during the draft
  uint16_t last_draw;     // latest turn in which a card left the deck
  uint8_t deck_size;      // cards left
  uint8_t hand_size;      // 3, 5 or 7
  Domains permanent;      // whose permanent effect was used this turn
  Domains given_up;       // whose discard effect was used this turn
  Domains blocked;        // which Domains the player whose turn it is may not play
  Seat closing;           // after whose turn the game ends, once the deck is empty; kNone before
  Coin coin;
  Choice choice;          // in Step::Choose
  uint8_t embargo_count;
  uint8_t democracy_count;
  std::array<Embargo, kMaxEmbargoes> embargoes;         // in the order they were laid
  std::array<FaceDown, kMaxDemocracies> democracies;    // likewise
  Pack centre;                                       // in Step::Claim

  int Count(Seat of, Domain domain) const { return static_cast<int>(counts[static_cast<size_t>(domain)] >> 8 * of & 0xff); }
  // The Domains of a seat that reach a mark.
  Domains At(Mark mark, Seat of) const { return static_cast<Domains>(marks[static_cast<size_t>(mark)] >> 8 * of); }
  Seat Next(Seat of) const { return of + 1 == config.players ? Seat{0} : static_cast<Seat>(of + 1); }
  Seat Previous(Seat of) const { return of == 0 ? static_cast<Seat>(config.players - 1) : static_cast<Seat>(of - 1); }
};

struct State : Public {
  std::array<Cards, kMaxSeats> hands;
  std::array<Pack, kMaxSeats> packs;  // in Step::Draft
  std::array<uint32_t, kCards / 8> deck;  // four bits a card, the next one to draw last

  // Takes the deck in drawing order.
  void SetDeck(std::span<const Kind> cards) {
    deck = {};
    deck_size = static_cast<uint8_t>(cards.size());
    for (size_t i = 0; i < cards.size(); ++i) {
      const size_t index = cards.size() - 1 - i;
      deck[index / 8] |= static_cast<uint32_t>(cards[i]) << 4 * (index % 8);
    }
  }
  // The card that has `index` cards below it.
  Kind DeckCard(int index) const { return static_cast<Kind>(deck[static_cast<size_t>(index) / 8] >> 4 * (index % 8) & 0xf); }
};

static_assert(std::is_trivially_copyable_v<State> && sizeof(State) <= 256);

}  // namespace civ
