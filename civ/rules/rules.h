// CIV: Carta Impera Victoria. The game in short; docs/rules.md has it in full and numbers its
// rulings.
//
// Two to four players build play areas of cards in six Domains. On a turn a player plays a card,
// uses effects and draws up to the hand size. A Domain's permanent effect needs a number of its
// cards in the play area (two levels); its discard effect costs one of them. Seven cards of one
// Domain at the end of one's turn (eight with two players) win by Hegemony. When the deck has run
// out the round is played out and the Majority in most Domains wins.
//
// A game is New, then Apply of a member of Legal until the step is Step::Over, then Result.
// Nothing here allocates, throws, draws random numbers or knows a word of text.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "civ/rules/state.h"

namespace civ {

inline constexpr int kUsualHand = 3;  // up to which a turn's end draws, unless Religion raises it

// How many cards of an Age are in the deck: with two or three players three of each Age stay in the
// box.
int DeckSize(int players);
int DeckSize(int players, Age age);

// Whether there is such a table.
bool IsConfig(const Config& config);
// Whether these cards, in drawing order, can be the deck of such a game.
bool IsDeck(int players, std::span<const Kind> deck);

// Deals. The configuration and the deck must be possible ones (IsConfig, IsDeck).
State New(const Config& config, std::span<const Kind> deck);

// What the deciding seat may do; nothing when the game is over.
ActionSet Legal(const State& state);

// Does a legal action, and all that follows from it by itself.
void Apply(State& state, Action action);

struct Outcome {
  uint8_t winners = 0;  // bit s stands for seat s
  bool hegemony = false;
  Domain domain{};  // of a Hegemony
  // Of a Majority: per player, or per team (seats 0 and 2 first).
  std::array<uint8_t, kMaxSeats> points = {};

  bool operator==(const Outcome&) const = default;
};

// Of a game that is over.
Outcome Result(const Public& table);
// If Majority were counted now.
Outcome Majority(const Public& table);

// The player whose turn it is, or was when the game ended. There must have been a turn.
Seat TurnOf(const Public& table);

// How many cards of the Domain the seat needs for Hegemony, face-down Utopia cards counted.
int HegemonyNeed(const Public& table, Seat seat, Domain domain);
// How many more than it has.
inline int LackFor(const Public& table, Seat seat, Domain domain) {
  return HegemonyNeed(table, seat, domain) - table.Count(seat, domain);
}
// The fewest cards that a column of the seat lacks for Hegemony.
inline int LeastLack(const Public& table, Seat seat) {
  int least = kCards;
  for (int d = 0; d < kDomains; ++d) {
    const int lack = LackFor(table, seat, static_cast<Domain>(d));
    least = lack < least ? lack : least;
  }
  return least;
}
// The first Domain in which the seat has enough of them, or kNone.
uint8_t HegemonyOf(const Public& table, Seat seat);

// The seat after whose turn the game ends once `seat` has drawn the last card (rules, section 6).
inline Seat ClosingAfterLastCard(const Public& table, Seat seat) {
  return table.Previous(OneMoreTurnEach(table.config.edition) ? seat : table.config.first);
}
// Whether the game ends with a turn that has drawn its cards, if nobody wins by Hegemony (section
// 6, ruling 11).
bool EndsAfterDraw(const Public& table, Seat seat);

// Of a turn under way, if nothing more is done in it than must be; `held` is the number of cards in
// the hand of its player:
// how many cards are in that hand before its end draws (where an embargo keeps a card from being
// played they are more),
int HeldAtEnd(const Public& table, int held);
// how many cards its end draws,
int CardsToDraw(const Public& table, int held);
// and the seat after whose turn the game will then end; kNone while that is open. It is the
// player's own if the game ends with this turn.
Seat ClosingAfterTurn(const Public& table, int held);

// Puts cards into, or takes a card out of, a play area.
void AddToTable(Public& table, Seat seat, Kind kind);
void RemoveFromTable(Public& table, Seat seat, Kind kind);
// Puts a face-down Economy card on a seat's Domain.
void LayEmbargo(Public& table, const Embargo& embargo);

// Whose effect the deciding seat copies by Inspiration, where there is one: the nearest clockwise.
Seat CopiedFrom(const Public& table, Effect effect);

// What the deciding seat's embargoes leave it to play.
Cards Playable(const State& state);

// A table with nothing on it, for building states piece by piece.
State EmptyState(const Config& config);

}  // namespace civ
