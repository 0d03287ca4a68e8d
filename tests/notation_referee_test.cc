// The referee: requests that are refused, and answers (docs/protocol.md). States that are refused
// are in notation_states_test.cc.
#include <gtest/gtest.h>

#include <set>

#include "tests/support.h"

namespace civ::test {
namespace {

using namespace std::string_view_literals;

// --- Requests that are refused -------------------------------------------------------------------

TEST(RefereeRefuses, AnEmptyLine) {
  for (const auto line : {"", " ", "\t", "\r", " \t\r "})
    EXPECT_EQ(RefusedLine(line), "error.empty-line");
}

TEST(RefereeRefuses, WhatIsNotJson) {
  for (const std::string_view line :
       {"hello"sv, "{"sv, "{'cmd':'view'}"sv, "{cmd:1}"sv, R"({"cmd":"view")"sv,
        R"({"cmd":"view","seat":null}})"sv, R"({"cmd":"view","seat":null} {"cmd":"quit"})"sv,
        R"({"cmd":"view","seat":null,})"sv, R"(/**/{"cmd":"quit"})"sv,
        R"({"cmd":"perft","depth":01})"sv, R"({"cmd":"perft","depth":NaN})"sv,
        R"({"cmd":"perft","depth":1e400})"sv, "{\"cmd\":\"\xff\"}"sv, "\0"sv})
    EXPECT_EQ(RefusedLine(line), "error.json") << line;
}

TEST(RefereeRefuses, JsonWithANullCharacterAfterIt) {
  for (const std::string_view line :
       {"{\"cmd\":\"quit\"}\0"sv, "{\"cmd\":\"perft\",\"depth\":0}\0 and more"sv})
    EXPECT_EQ(RefusedLine(line), "error.json");
}

TEST(RefereeRefuses, JsonThatIsNotAnObject) {
  for (const auto line : {"[]", "[{\"cmd\":\"quit\"}]", "1", "1.5", "null", "true", "\"new\""})
    EXPECT_EQ(RefusedLine(line), "error.not-object") << line;
}

TEST(RefereeRefuses, ALineThatIsTooLong) {
  std::string line = R"({"cmd":"perft","depth":0})";
  EXPECT_EQ(RefusedLine(line + std::string(Referee::kLongestLine + 1 - line.size(), ' ')),
            "error.line-too-long");
  Referee referee = NewReferee();
  AskLine(referee, R"({"cmd":"new"})");
  EXPECT_EQ(AskLine(referee, line + std::string(Referee::kLongestLine - line.size(), ' ')).dump(),
            R"({"ok":true,"nodes":1})");
}

TEST(RefereeRefuses, WhatIsNestedTooDeep) {
  const std::string open(100'000, '['), close(100'000, ']');
  std::string state = AnyPosition().Written().dump();
  const std::string pile = R"(["C1","C1"])";
  state.replace(state.find(pile), pile.size(), open + close);
  EXPECT_EQ(RefusedLine(open), "error.nesting");
  EXPECT_EQ(RefusedLine(open + close), "error.nesting");
  EXPECT_EQ(RefusedLine("{\"cmd\":" + open + close + "}"), "error.nesting");
  EXPECT_EQ(RefusedLine(R"({"cmd":"perft","depth":)" + open + close + "}"), "error.nesting");
  EXPECT_EQ(RefusedLine(R"({"cmd":"load","state":)" + open + close + "}"), "error.nesting");
  EXPECT_EQ(RefusedLine(R"({"cmd":"new","first":0,"deck":)" + open + close + "}"), "error.nesting");
  EXPECT_EQ(RefusedLine(R"({"cmd":"load","state":)" + state + "}"), "error.nesting");
}

TEST(RefereeRefuses, AnUnknownCommand) {
  EXPECT_EQ(RefusedLine("{}"), "error.missing");
  for (const auto line : {R"({"cmd":null})", R"({"cmd":1})", R"({"cmd":["new"]})"})
    EXPECT_EQ(RefusedLine(line), "error.type") << line;
  for (const auto line :
       {R"({"cmd":""})", R"({"cmd":"New"})", R"({"cmd":"state"})", R"({"cmd":"new "})"})
    EXPECT_EQ(RefusedLine(line), "error.command") << line;
}

TEST(RefereeRefuses, ToActWithoutAGame) {
  for (const auto line : {R"({"cmd":"apply","action":"end"})", R"({"cmd":"view","seat":0})",
                          R"({"cmd":"perft","depth":1})"}) {
    Referee referee = NewReferee();
    EXPECT_EQ(AskLine(referee, line)["error"], "error.no-game") << line;
  }
}

// A request for a new game with these fields changed.
std::string NewRefused(const std::vector<std::pair<const char*, Json>>& fields) {
  Json request = {{"cmd", "new"}};
  for (const auto& [field, value] : fields) request[field] = value;
  return Refused(request);
}

TEST(RefereeRefuses, ANewGameForAnImpossibleTable) {
  for (const Json& players : {Json(1), Json(5), Json(0), Json(-1), Json(258), Json(4294967298),
                              Json(18446744073709551615u)})
    EXPECT_EQ(NewRefused({{"players", players}}), "error.range") << players;
  for (const Json& players : {Json("2"), Json(2.0), Json(2.5), Json(1e30), Json(true),
                              Json(nullptr), Json::array({2}), Json::object()})
    EXPECT_EQ(NewRefused({{"players", players}}), "error.type") << players;
  EXPECT_EQ(NewRefused({{"setup", "Basic"}}), "error.value");
  EXPECT_EQ(NewRefused({{"setup", 1}}), "error.type");
  EXPECT_EQ(NewRefused({{"edition", "de"}}), "error.value");
  EXPECT_EQ(NewRefused({{"teams", "yes"}}), "error.type");
  EXPECT_EQ(NewRefused({{"teams", 1}}), "error.type");
}

TEST(RefereeRefuses, TeamsWithoutFourPlayers) {
  EXPECT_EQ(NewRefused({{"teams", true}}), "error.teams");
  EXPECT_EQ(NewRefused({{"teams", true}, {"players", 3}}), "error.teams");
}

TEST(RefereeRefuses, FirstPlayerAndDeckNotTogetherOrWithASeed) {
  const Json deck = ToJson(DeckFrom(2, ""));
  EXPECT_EQ(NewRefused({{"first", 0}}), "error.first-and-deck");
  EXPECT_EQ(NewRefused({{"deck", deck}}), "error.first-and-deck");
  EXPECT_EQ(NewRefused({{"first", 0}, {"deck", deck}, {"seed", 1}}), "error.seed-and-deck");
  EXPECT_EQ(NewRefused({{"first", 0}, {"seed", 1}}), "error.seed-and-deck");
  EXPECT_EQ(NewRefused({{"deck", deck}, {"seed", 1}}), "error.seed-and-deck");
}

TEST(RefereeRefuses, ASeedThatIsNotAWholeNumber) {
  for (const Json& seed : {Json(-1), Json(1.5), Json("7"), Json(nullptr), Json(true)})
    EXPECT_EQ(NewRefused({{"seed", seed}}), "error.type") << seed;
  EXPECT_EQ(RefusedLine(R"({"cmd":"new","seed":18446744073709551616})"), "error.type");
}

TEST(RefereeRefuses, AnImpossibleFirstPlayer) {
  const Json deck = ToJson(DeckFrom(2, ""));
  for (const Json& first : {Json(2), Json(-1)})
    EXPECT_EQ(NewRefused({{"first", first}, {"deck", deck}}), "error.range");
  for (const Json& first : {Json("0"), Json(0.0), Json(nullptr)})
    EXPECT_EQ(NewRefused({{"first", first}, {"deck", deck}}), "error.type");
}

TEST(RefereeRefuses, AnImpossibleDeck) {
  const auto refused = [](const Json& deck) { return NewRefused({{"first", 0}, {"deck", deck}}); };
  const std::vector<Kind> deck = DeckFrom(2, "");
  std::vector<Kind> shorter(deck.begin(), deck.end() - 1), too_many = deck, wrong_order = deck,
                                                           wrong_ages = deck;
  std::swap(wrong_order.front(), wrong_order.back());
  too_many[24] = Kind::M1;    // the last of Age I; eight M1 are there already
  wrong_ages[24] = Kind::C2;  // in order, but one card of Age I too few
  EXPECT_EQ(refused(ToJson(shorter)), "error.deck-size");
  EXPECT_EQ(refused(ToJson(DeckFrom(4, ""))), "error.deck-size");
  EXPECT_EQ(refused(Json::array()), "error.deck-size");
  EXPECT_EQ(refused(ToJson(too_many)), "error.deck");
  EXPECT_EQ(refused(ToJson(wrong_order)), "error.deck");
  EXPECT_EQ(refused(ToJson(wrong_ages)), "error.deck");
  EXPECT_EQ(refused(With(ToJson(deck), "/0", "M4")), "error.card");
  EXPECT_EQ(refused(With(ToJson(deck), "/0", 1)), "error.card");
  EXPECT_EQ(refused("M1"), "error.type");
}

TEST(RefereeRefuses, AnActionThatIsNoneOrNotLegal) {
  const auto refused = [](const Json& action) {
    return Refused(Json{{"cmd", "apply"}, {"action", action}});
  };
  EXPECT_EQ(RefusedLine(R"({"cmd":"apply"})"), "error.missing");
  for (const Json& action : {Json(1), Json(nullptr), Json::array({"end"})})
    EXPECT_EQ(refused(action), "error.type") << action;
  for (const auto action : {"", "End", "end ", "play", "embargo 4 M"})
    EXPECT_EQ(refused(action), "error.action") << action;
  EXPECT_EQ(refused("play M1"), "why.step");
  EXPECT_EQ(refused("purge"), "why.needs-cards");
  EXPECT_EQ(refused("embargo 2 M"), "why.no-such-seat");
}

TEST(RefereeRefuses, AnActionWhenTheGameIsOver) {
  Referee referee = NewReferee();
  State state = Position(2).Turn(1).Deck("").Effects();
  Do(state, "end");
  EXPECT_EQ(Ask(referee, {{"cmd", "load"}, {"state", ToJson(state)}})["legal"], Json::array());
  EXPECT_EQ(Ask(referee, {{"cmd", "apply"}, {"action", "end"}})["error"], "why.over");
}

TEST(RefereeRefuses, AViewOfNoSuchSeat) {
  EXPECT_EQ(RefusedLine(R"({"cmd":"view"})"), "error.missing");
  for (const Json& seat : {Json(2), Json(-1), Json(256), Json(4294967296)})
    EXPECT_EQ(Refused({{"cmd", "view"}, {"seat", seat}}), "error.range") << seat;
  for (const Json& seat : {Json("0"), Json(0.5), Json(false)})
    EXPECT_EQ(Refused({{"cmd", "view"}, {"seat", seat}}), "error.type") << seat;
}

TEST(RefereeRefuses, APerftOfAnotherDepthThanZeroToSix) {
  EXPECT_EQ(RefusedLine(R"({"cmd":"perft"})"), "error.missing");
  for (const Json& depth : {Json(7), Json(-1), Json(1000000000000)})
    EXPECT_EQ(Refused({{"cmd", "perft"}, {"depth", depth}}), "error.range") << depth;
  for (const Json& depth : {Json("3"), Json(1.0), Json(nullptr)})
    EXPECT_EQ(Refused({{"cmd", "perft"}, {"depth", depth}}), "error.type") << depth;
}

// The error for a view with one field changed, the same for both commands that read one.
std::string ViewRefused(const Json& view) {
  const std::string error = Refused({{"cmd", "legal"}, {"view", view}});
  EXPECT_EQ(Refused({{"cmd", "sample"}, {"view", view}, {"seed", 1}}), error);
  return error;
}

Json OwnView(const State& state) { return ToJson(MakeView(state, {}, state.seat)); }

TEST(RefereeRefuses, AViewThatIsNone) {
  for (const auto command : {"legal", "sample"}) {
    EXPECT_EQ(Refused(Json{{"cmd", command}}), "error.missing");
    for (const Json& view : {Json(1), Json(nullptr), Json::array()})
      EXPECT_EQ(Refused({{"cmd", command}, {"view", view}}), "error.not-object") << view;
  }
  for (const std::string& field : FieldsOf(AnyPosition().Written())) {
    Json view = OwnView(AnyPosition().Effects());
    view.erase(field);
    EXPECT_EQ(ViewRefused(view), "error.missing") << field;
  }
}

TEST(RefereeRefuses, AViewThatContradictsItself) {
  const Json view = OwnView(AnyPosition().Effects());
  ASSERT_EQ(view["deck"].dump(), R"({"count":85,"top":1})");
  for (const auto& [field, value, error] :
       std::vector<Wrong>{{"/deck/count", 84, "error.view.impossible"},
                          {"/deck/count", 105, "error.range"},
                          {"/deck/top", 2, "error.view.impossible"},
                          {"/deck/top", nullptr, "error.view.impossible"},
                          {"/deck/top", 4, "error.range"},
                          {"/deck", 85, "error.type"},
                          {"/hands/1/backs", {1, 1}, "error.view.impossible"},
                          {"/hands/1/backs", {0}, "error.backs"},
                          {"/hands/1/backs", {4}, "error.backs"},
                          {"/hands/1/backs", {1.0}, "error.backs"},
                          {"/hands/1/backs", {18446744073709551615u}, "error.backs"},
                          {"/hands/1/backs", Json(500, 1), "error.backs"},
                          {"/hands/1/backs", "1", "error.type"},
                          {"/hands/1/known", {"S2"}, "error.view.impossible"},
                          {"/hands/1/known", {"S1", "S1"}, "error.view.impossible"},
                          {"/hands/1/known", {"S9"}, "error.card"},
                          {"/hands/1", {{"cards", {"S1"}}}, "error.view.two-hands"},
                          {"/hands/1", Json::object(), "error.missing"},
                          {"/hands/1", 1, "error.not-object"},
                          {"/hands", Json::array(), "error.per-seat"},
                          {"/hands/0/cards", {"M1"}, "error.view.impossible"},
                          {"/tables/1", Json(8, "M1"), "error.view.impossible"},
                          {"/seat", 1, "error.state.seat"},
                          {"/turn", 0, "error.state.turn"},
                          {"/step", "draft", "error.state.draft"},
                          {"/step", "choose", "error.state.choice"},
                          {"/handSize", 5, "error.state.hand-size"},
                          {"/closing", 1, "error.state.closing"},
                          {"/result",
                           {{"winners", {0}}, {"by", "majority"}, {"points", {1, 0}}},
                           "error.state.result"}})
    EXPECT_EQ(ViewRefused(With(view, field, value)), error) << field << value;
}

TEST(RefereeRefuses, AViewWithMoreCardsOfAKindThanThereAre) {
  const Json view = OwnView(Position(2).Hand("M1 M1 M1 M1").Table("M1 M1 M1 M1 R1").Effects());
  EXPECT_EQ(ViewRefused(With(view, "/tables/0", {"M1", "M1", "M1", "M1", "M1"})),
            "error.view.impossible");
}

TEST(RefereeRefuses, AViewWhoseChoiceTheHandDoesNotAllow) {
  State state = Position(2).Hand("M1 R1").Table("M1 M1 M1 M1 M1").Effects();
  Do(state, "purge");
  Json view = OwnView(state);
  view["choice"]["left"] = 3;
  EXPECT_NE(ViewRefused(view), "accepted");
}

TEST(RefereeRefuses, AViewOfADraftWithTheWrongPacks) {
  const Json view = OwnView(New({.setup = Setup::Draft}, DeckFrom(2, "")));
  const Json own = view["packs"][0], other = view["packs"][1];
  for (const auto& [field, value, error] :
       std::vector<Wrong>{{"/packs", {other, own}, "error.view.two-hands"},
                          {"/packs", {own, own}, "error.view.two-hands"},
                          {"/packs/1/backs", {1, 1, 1, 2}, "error.state.draft"},
                          {"/packs/1/backs", {1, 1, 1}, "error.view.impossible"},
                          {"/packs/0/cards", {"M1", "M1", "M1", "M2"}, "error.state.draft"},
                          {"/packs", nullptr, "error.state.draft"}})
    EXPECT_EQ(ViewRefused(With(view, field, value)), error) << field << value;
}

TEST(RefereeRefuses, LegalActionsForASeatThatDoesNotDecide) {
  const State state = AnyPosition().Effects();
  for (const Seat viewer : {Seat{1}, kSpectator})
    EXPECT_EQ(Refused({{"cmd", "legal"}, {"view", ToJson(MakeView(state, {}, viewer))}}),
              "error.view.not-deciding");
}

// --- Requests that are answered ------------------------------------------------------------------

TEST(RefereeAnswers, NewWithADeck) {
  Referee referee = NewReferee();
  const std::vector<Kind> deck = DeckFrom(3, "C1 S1 E1");
  const Json answer = Ask(referee, {{"cmd", "new"},
                                    {"players", 3},
                                    {"setup", "draft"},
                                    {"edition", "es"},
                                    {"teams", false},
                                    {"first", 2},
                                    {"deck", ToJson(deck)}});
  const State state =
      New({.players = 3, .setup = Setup::Draft, .edition = Edition::Es, .first = 2}, deck);
  EXPECT_EQ(answer, (Json{{"ok", true},
                          {"state", ToJson(state)},
                          {"legal", {"keep M1", "keep E1", "keep S1", "keep C1"}}}));
}

TEST(RefereeAnswers, NewWithASeed) {
  Referee referee = NewReferee();
  const Json answer =
      AskLine(referee, R"({"cmd":"new","players":4,"teams":true,"seed":18446744073709551615})");
  EXPECT_EQ(answer["seed"], 18446744073709551615u);
  EXPECT_EQ(answer["state"]["deck"].size(), 104u - 12u);
  EXPECT_EQ(
      AskLine(referee, R"({"cmd":"new","players":4,"teams":true,"seed":18446744073709551615})"),
      answer);
  EXPECT_NE(AskLine(referee, R"({"cmd":"new","players":4,"teams":true,"seed":1})")["state"],
            answer["state"]);
}

TEST(RefereeAnswers, NewWithNothingSaid) {
  Referee referee = NewReferee();
  const Json answer = AskLine(referee, R"({"cmd":"new"})");
  EXPECT_EQ(answer["seed"], 42);
  EXPECT_EQ(
      answer,
      AskLine(
          referee,
          R"({"cmd":"new","players":2,"setup":"basic","edition":"en","teams":false,"seed":42})"));
}

TEST(RefereeAnswers, ApplyWithTheStateAfterTheAction) {
  Referee referee = NewReferee();
  State state = AnyPosition().Effects();
  Ask(referee, {{"cmd", "load"}, {"state", AnyPosition().Written()}});
  Do(state, "assassination");
  EXPECT_EQ(
      AskLine(referee, R"({"cmd":"apply","action":"assassination"})"),
      (Json{{"ok", true}, {"state", ToJson(state)}, {"legal", {"discard M1", "discard R1"}}}));
}

TEST(RefereeAnswers, LoadWithTheStateAndItsLegalActions) {
  Referee referee = NewReferee();
  const Json answer = Ask(referee, {{"cmd", "load"}, {"state", AnyPosition().Written()}});
  EXPECT_EQ(answer,
            (Json{{"ok", true},
                  {"state", AnyPosition().Written()},
                  {"legal", {"assassination", "attack M", "attack E", "end", "embargo 1 C"}}}));
}

TEST(RefereeAnswers, AfterALoadNothingIsKnown) {
  Referee referee = NewReferee();
  Ask(referee, {{"cmd", "load"}, {"state", Position(2).Table("U3 U3 U3").Discard("C2").Written()}});
  AskLine(referee, R"({"cmd":"apply","action":"oligarchy"})");
  const Json state = AskLine(referee, R"({"cmd":"apply","action":"recover C2"})")["state"];
  EXPECT_EQ(AskLine(referee, R"({"cmd":"view","seat":1})")["view"]["hands"][0].dump(),
            R"({"backs":[2],"known":["C2"]})");
  Ask(referee, {{"cmd", "load"}, {"state", state}});
  EXPECT_EQ(AskLine(referee, R"({"cmd":"view","seat":1})")["view"]["hands"][0].dump(),
            R"({"backs":[2],"known":[]})");
}

TEST(RefereeAnswers, ViewsOfSeatsAndSpectators) {
  Referee referee = NewReferee();
  Ask(referee, {{"cmd", "load"}, {"state", AnyPosition().Written()}});
  const State state = AnyPosition().Effects();
  EXPECT_EQ(AskLine(referee, R"({"cmd":"view","seat":1})"),
            (Json{{"ok", true}, {"view", ToJson(MakeView(state, {}, 1))}}));
  EXPECT_EQ(AskLine(referee, R"({"cmd":"view","seat":null})"),
            (Json{{"ok", true}, {"view", ToJson(MakeView(state, {}, kSpectator))}}));
}

TEST(RefereeAnswers, PerftWithTheNumberOfActionSequences) {
  const auto nodes = [](const Position& position, int depth) {
    Referee referee = NewReferee();
    Ask(referee, {{"cmd", "load"}, {"state", position.Written()}});
    return Ask(referee, {{"cmd", "perft"}, {"depth", depth}})["nodes"];
  };
  EXPECT_EQ(nodes(AnyPosition(), 0), 1);
  EXPECT_EQ(nodes(AnyPosition(), 1), 5);
  EXPECT_EQ(nodes(Position(2).Turn(1).Deck(""), 6),
            1);  // the game ends after one action, and counts as one
  EXPECT_EQ(nodes(Position(2).Hand("M1"), 2), 1);  // end, then seat 1 must skip
}

TEST(RefereeAnswers, LegalActionsFromTheViewAlone) {
  Referee referee = NewReferee();  // no game is needed
  EXPECT_EQ(Ask(referee, {{"cmd", "legal"}, {"view", OwnView(AnyPosition().Effects())}}),
            (Json{{"ok", true},
                  {"legal", {"assassination", "attack M", "attack E", "end", "embargo 1 C"}}}));
}

TEST(RefereeAnswers, NoLegalActionsWhenTheGameIsOver) {
  State state = Position(2).Turn(1).Deck("").Effects();
  Do(state, "end");
  Referee referee = NewReferee();
  for (const Seat viewer : {Seat{0}, Seat{1}, kSpectator})
    EXPECT_EQ(Ask(referee, {{"cmd", "legal"}, {"view", ToJson(MakeView(state, {}, viewer))}}),
              (Json{{"ok", true}, {"legal", Json::array()}}));
}

TEST(RefereeAnswers, SampleWithAStateThatFitsTheView) {
  Referee referee = NewReferee();
  std::set<std::string> states;
  for (const Seat viewer : {Seat{0}, Seat{1}, kSpectator})
    for (int seed = 0; seed < 10; ++seed) {
      const Json view = ToJson(MakeView(AnyPosition().Effects(), {}, viewer));
      const Json sampled =
          Ask(referee, {{"cmd", "sample"}, {"view", view}, {"seed", seed}})["state"];
      const Expected<State> state = StateFromJson(sampled);
      ASSERT_TRUE(state);
      EXPECT_EQ(ToJson(MakeView(*state, {}, viewer)), view);
      states.insert(sampled.dump());
    }
  EXPECT_EQ(states.size(), 30u);
}

TEST(RefereeAnswers, NothingToQuit) {
  Referee referee = NewReferee();
  EXPECT_FALSE(referee.Answer(R"({"cmd":"quit"})"));
  EXPECT_FALSE(referee.Answer(R"(  {"x":1,"cmd":"quit"}  )"));
}

}  // namespace
}  // namespace civ::test
