// What tests share: building positions by hand, playing and reading them in the words of the
// notation, generated games.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "civ/bots/playout.h"
#include "civ/notation/json.h"
#include "civ/notation/referee.h"
#include "civ/rules/rules.h"
#include "civ/view/deal.h"
#include "civ/view/view.h"

namespace civ::test {

// "M1 M1 R2" as a list, or as a multiset. Aborts on a word that is not a card.
std::vector<Kind> ListOf(std::string_view text);
Cards CardsOf(std::string_view text);

std::vector<std::string> Split(std::string_view text, std::string_view between);

// Every configuration: players, set-up, edition, teams. First Player 0.
std::vector<Config> AllConfigs();

// A position written by hand:
//
//   State state = Position(3).Seat(0).Table("M1 M1 M2").Hand("E1").Seat(1).Table("C1").Effects();
//
// Cards that are not named lie in the deck, in card order; with two or three players the last three
// of each Age are in the box. It is seat 0's turn, and seat 0 is First Player, unless something
// else is said.
class Position {
 public:
  explicit Position(int players);

  Position& In(std::string_view edition);
  Position& Teams();
  Position& First(int seat);

  // Hand and Table are those of the seat named last.
  Position& Seat(int seat);
  Position& Hand(std::string_view cards);
  Position& Table(std::string_view cards);

  Position& Discard(std::string_view cards);
  // The whole deck in drawing order. Cards that are not named are then in the discard pile.
  Position& Deck(std::string_view cards);

  // Face-down cards on a Domain of a seat, by its left neighbour if nothing else is said.
  Position& Embargo(int on, std::string_view domain, std::string_view card = "E1", int by = -1);
  Position& Democracy(int on, std::string_view domain, int by = -1);
  Position& Coin(int owner, int seat, std::string_view domain);

  // Whose turn it is (in the first round), or which turn of the game.
  Position& Turn(int seat);
  Position& TurnNumber(int turn);
  Position& LastDraw(int turn);
  // The seat after whose turn the game ends, for edition pt.
  Position& Closing(int seat);

  // The position in step 1 or step 2 of the turn. It must be a possible one.
  State Play() const;
  State Effects() const;
  // As it is written, with nothing checked.
  Json Written(std::string_view step = "effects") const;

 private:
  int players_, seat_ = 0, first_ = 0, turn_ = 1, last_draw_ = 0;
  bool teams_ = false;
  std::string edition_ = "en";
  std::vector<Cards> hands_, tables_;
  Cards discard_;
  std::optional<std::vector<Kind>> deck_;
  std::optional<int> closing_;
  Json embargoes_ = Json::array(), democracies_ = Json::array(), coin_;
};

// Every action there is, as it is written.
std::vector<std::string> AllActionNames();

// A deck of which these cards, all of Age I, are drawn first; the others follow in card order.
std::vector<Kind> DeckFrom(int players, std::string_view first_cards);

// Does one legal action, or several: "monopoly, discard M, discard M, play E1". Fails the test at
// one that is not legal.
void Do(State& state, std::string_view actions);
void Do(Game& game, std::string_view actions);

bool May(const State& state, std::string_view action);
// The legal actions, all or those that begin with this word, as "play M1, play E1".
std::string LegalNames(const State& state, std::string_view word = {});

// What lies there, in card order: "M1 M1 E2".
std::string Text(Cards cards);
std::string Hand(const State& state, int seat);
std::string Table(const State& state, int seat);
std::string Discard(const State& state);
// A field of the state, or of a view, as it is written: "null", "[\"M\"]", ….
std::string Field(const State& state, std::string_view name);
std::string Field(const View& view, std::string_view name);
// "not over", "1 by hegemony in S", "0 2 by majority 3:2".
std::string Won(const State& state);

// The same JSON with one field, as "/hands/0", another.
Json With(Json json, const std::string& field, const Json& value);
std::vector<std::string> FieldsOf(const Json& json);

inline View ViewOf(const Game& game, Seat viewer) {
  return MakeView(game.state, game.knowledge, viewer);
}
inline View ViewOf(const State& state, Seat viewer) { return ViewOf(Game(state), viewer); }

// The result if the turn under way ends with no effect used.
std::string WonAtTheEnd(const Position& position);
// The deck is empty, the turn under way is the last, and the play areas are these.
Position LastTurn(std::initializer_list<const char*> tables);

// A referee that says the key of an error instead of a sentence. Its random seed is 42.
Referee NewReferee();
Json Ask(Referee& referee, const Json& request);
Json AskLine(Referee& referee, std::string_view request);

// A game of two, in step 2 of the first turn. Requests that are to be refused are made in it.
Position AnyPosition();
// The error that a request is answered with; that nothing has changed is checked as well.
// "accepted" if it is right.
std::string Refused(const Json& request);
std::string RefusedLine(std::string_view request);
// What is wrong with a state or a view: this value of this field, and the error it is refused with.
struct Wrong {
  const char* field;
  Json value;
  const char* error;
};

// Plays a whole game from a seed, each turn by another policy, and shows every position: the first,
// and after each action.
void PlayGame(Config config, uint64_t seed, const std::function<void(const Game&)>& show);

}  // namespace civ::test
