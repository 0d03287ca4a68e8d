// What a view means to the one who looks: everything that a table shows and that would otherwise be
// a rule written twice.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "civ/guide/message.h"
#include "civ/view/threat.h"
#include "civ/view/view.h"

namespace civ {

enum class Use : uint8_t {
  Ready,    // now
  Waiting,  // once the turn of the seat that looks is in step 2
  Used,     // in this turn
  NotYet,   // too few cards
  Blocked,  // something else is in the way
};

struct Guide {
  struct EffectNote {
    std::string_view name;  // as in actions, and "inspiration"
    Use use = Use::Blocked;
    std::optional<Message> why;
  };
  struct Column {
    int count, need;
    int level;  // 0 for Culture
  };
  // Something that the seat that looks can do in its turn against a threat.
  struct Stop {
    Action action;
    Message offer;
    bool now;  // it is legal now, not only in step 2 of the turn to come
    // What to do after it: the cards to name, or the effect that a card makes possible.
    std::vector<Action> then;
    Domains left;  // Hegemonies that it leaves possible, with cards that nobody has shown
  };
  struct Danger : Threat {
    Messages how;  // what would be played and used, one after the other
    std::vector<Stop> stops;
  };
  // Turns until the deck has run out and the game ends, this one counted, if nobody does more in
  // them than must be.
  struct Turns {
    int all, own;
  };
  // The cards, or Domains, from which `left` are to be named in any order.
  struct Choose {
    int left;
    std::vector<std::string_view> cards;
  };

  std::vector<Action> legal;   // what the seat that looks may do now, as it is offered
  Messages offers;             // what each of them would do
  std::optional<Message> ask;  // what the seat that looks has to decide
  Seat turn_of = kNone;        // during the draft
  int round = 0;
  std::array<int, 2> levels{};  // cards for level 1 and level 2
  int culture_lead = 0;         // Culture cards that would give the seat that looks the lead
  std::array<std::array<Column, kDomains>, kMaxSeats> columns{};
  std::vector<EffectNote> effects;                            // of the seat that looks
  std::array<std::vector<EffectNote>, kMaxSeats> effects_of;  // of each, from what is seen
  std::vector<std::pair<Kind, Message>>
      unplayable;  // own cards that an embargo keeps from being played
  std::optional<Choose> choose;
  int draw = 0;                 // cards that the end of this turn will draw, if nothing more is
                                // done in it than must be
  bool wins = false;            // the seat that looks, by ending its turn now
  std::vector<Action> reveals;  // the legal actions from which there is no way back
  bool last_turn = false;       // the game ends with this turn, likewise
  int hegemony = 0;             // cards of one Domain that win, where nothing asks for more
  Turns turns{};
  std::array<std::optional<Danger>, kMaxSeats> threats;
  std::array<unsigned, kDomains> most{};  // the seats that have most of each Domain
  Outcome majority;                       // if it were counted now
  Messages told;                          // how it is counted, ties and all
  Messages ending;                        // how the game was won; empty while it goes on
  Messages missed;                        // who could have stopped a Hegemony, and with what
};

Guide MakeGuide(const View& view);

}  // namespace civ
