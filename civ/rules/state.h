// Everything on the table. What everybody may see stands in Public, so that a view can be built
// from it and nothing else.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>

#include "civ/rules/action.h"
#include "civ/rules/cards.h"
#include "civ/rules/types.h"

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
  // The last one named for this verb, a Kind or for Verb::Remove a Domain; kNone before the first.
  uint8_t from;
  Seat target;  // of an Inquisition, kNone otherwise

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

// The numbers of cards in a column that matter: for the two levels, and for Hegemony.
enum class Mark : uint8_t { Level1, Level2, Hegemony };

inline constexpr std::array<std::array<uint8_t, 3>, 3> kThresholds = {
    {{3, 5, 8}, {3, 5, 7}, {2, 4, 7}}};  // with 2, 3, 4 players
constexpr int Threshold(int players, Mark mark) {
  return kThresholds[static_cast<size_t>(players) - 2][static_cast<size_t>(mark)];
}

// The level that a number of cards of a Domain reaches: 0, 1 or 2.
constexpr int LevelAt(int players, int count) {
  return (count >= Threshold(players, Mark::Level1)) + (count >= Threshold(players, Mark::Level2));
}

// 128 minus the threshold, in each of six bytes: added to the counts of six columns, it sets the
// highest bit of every byte whose column reaches the mark. No column has 128 cards.
inline constexpr auto kToHighBit = [] {
  std::array<std::array<uint64_t, 3>, 3> table{};
  for (size_t players = 0; players < 3; ++players)
    for (size_t mark = 0; mark < 3; ++mark)
      table[players][mark] = (uint64_t{128} - kThresholds[players][mark]) * 0x0000010101010101;
  return table;
}();

// How many cards of each Domain lie in a play area: one byte a Domain.
class Columns {
 public:
  bool operator==(const Columns&) const = default;

  constexpr int operator[](Domain domain) const {
    return static_cast<int>(bytes_ >> 8 * static_cast<int>(domain) & 0xff);
  }
  constexpr void Add(Domain domain) { bytes_ += uint64_t{1} << 8 * static_cast<int>(domain); }
  constexpr void Remove(Domain domain) { bytes_ -= uint64_t{1} << 8 * static_cast<int>(domain); }

  // The Domains that reach a mark.
  constexpr Domains AtLeast(int players, Mark mark) const {
    return static_cast<Domains>(
        HighBits(bytes_ + kToHighBit[static_cast<size_t>(players) - 2][static_cast<size_t>(mark)]));
  }

 private:
  uint64_t bytes_ = 0;
};

// Play reaches one embargo per seat: each ends before its owner's next turn does. A loaded state
// may have more, and before those are gone everybody may lay one.
inline constexpr int kMaxLoadedEmbargoes = 8;
inline constexpr int kMaxEmbargoes = kMaxLoadedEmbargoes + kMaxSeats;
inline constexpr int kMaxDemocracies = 16;

struct Public {
  std::array<Cards, kMaxSeats> tables;  // the play areas
  Cards discard;

  // What follows from the cards put down, kept up to date by AddToTable, RemoveFromTable and
  // LayEmbargo:
  std::array<Columns, kMaxSeats> columns;  // cards per Domain in each play area
  uint32_t present;                        // the Domains that have cards, one byte a seat
  uint32_t embargoed;                      // the Domains on which an embargo lies, one byte a seat
  Seat culture_lead = kNone;  // who has strictly more Culture cards than each other player

  Config config;
  Step step;
  Seat seat;             // who decides; kNone when the game is over
  uint16_t turn;         // from 1; 0 during the draft
  uint16_t last_draw;    // latest turn in which a card left the deck
  uint8_t deck_size;     // cards left
  uint8_t hand_size;     // 3, 5 or 7
  Domains permanent;     // whose permanent effect was used this turn
  Domains given_up;      // whose discard effect was used this turn
  Seat closing = kNone;  // after whose turn the game ends, once the deck is empty
  Coin coin;
  Choice choice = kNoChoice;  // in Step::Choose
  uint8_t embargo_count;
  uint8_t democracy_count;
  std::array<Embargo, kMaxEmbargoes> embargoes;       // in the order they were laid
  std::array<FaceDown, kMaxDemocracies> democracies;  // likewise
  Pack centre;                                        // in Step::Claim

  int Count(Seat of, Domain domain) const { return columns[of][domain]; }
  // The Domains of a seat that reach a mark.
  Domains At(Mark mark, Seat of) const { return columns[of].AtLeast(config.players, mark); }
  // The Domains of which a seat has cards.
  Domains Present(Seat of) const { return static_cast<Domains>(present >> 8 * of); }
  // The Domains that the seat may not play in its next turn.
  Domains Embargoed(Seat of) const { return static_cast<Domains>(embargoed >> 8 * of); }
  Seat Next(Seat of) const {
    return of + 1 == config.players ? Seat{0} : static_cast<Seat>(of + 1);
  }
  Seat Previous(Seat of) const {
    return of == 0 ? static_cast<Seat>(config.players - 1) : static_cast<Seat>(of - 1);
  }
};

struct State : Public {
  std::array<Cards, kMaxSeats> hands;
  std::array<Pack, kMaxSeats> packs;      // in Step::Draft
  std::array<uint32_t, kCards / 8> deck;  // four bits a card, the next one to draw last

  // Takes the deck in drawing order.
  void SetDeck(std::span<const Kind> cards) {
    deck_size = static_cast<uint8_t>(cards.size());
    uint32_t eight = 0;
    for (size_t i = 0, below = cards.size(); below-- > 0; ++i) {
      eight = eight << 4 | static_cast<uint32_t>(cards[i]);
      if (below % 8 == 0) deck[below / 8] = eight;
    }
  }
  // The card that has `index` cards below it.
  Kind DeckCard(int index) const {
    return static_cast<Kind>(deck[static_cast<size_t>(index) / 8] >> 4 * (index % 8) & 0xf);
  }
};

static_assert(std::is_trivially_copyable_v<State> && sizeof(State) <= 256);

}  // namespace civ
