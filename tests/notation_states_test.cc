// States that contradict themselves, or are no states at all, are refused and change nothing
// (docs/protocol.md, "load").
#include <gtest/gtest.h>

#include "tests/support.h"

namespace civ::test {
namespace {

std::string LoadRefused(const Json& state) {
  return Refused(Json{{"cmd", "load"}, {"state", state}});
}

TEST(StateRefused, AFieldIsMissing) {
  for (const std::string& field : FieldsOf(AnyPosition().Written())) {
    Json json = AnyPosition().Written();
    json.erase(field);
    EXPECT_EQ(LoadRefused(json), "error.missing") << field;
  }
}

TEST(StateRefused, AFieldHasTheWrongType) {
  for (const std::string& field : FieldsOf(AnyPosition().Written()))
    for (const auto wrong : {"1.5", "\"x\"", "{\"x\":1}", "[[]]", "[[1.5],[1.5]]", "-1", "1e30"})
      EXPECT_NE(LoadRefused(With(AnyPosition().Written(), "/" + field, Json::parse(wrong))),
                "accepted")
          << field << wrong;
}

TEST(StateRefused, IsNotAnObject) {
  for (const auto json : {"1", "null", "[]", "\"x\""})
    EXPECT_EQ(LoadRefused(Json::parse(json)), "error.not-object");
}

// Each of these in its place makes the state inconsistent.
void ExpectRefused(const Json& state, const std::vector<Wrong>& wrongs) {
  for (const auto& [field, value, error] : wrongs)
    EXPECT_EQ(LoadRefused(With(state, field, value)), error) << field << " " << value;
}

TEST(StateRefused, Config) {
  ExpectRefused(AnyPosition().Written(), {{"/edition", "de", "error.value"},
                                          {"/players", 1, "error.range"},
                                          {"/players", 5, "error.range"},
                                          {"/players", 2.0, "error.type"},
                                          {"/players", 3, "error.per-seat"},
                                          {"/setup", "quick", "error.value"},
                                          {"/teams", 1, "error.type"},
                                          {"/teams", true, "error.teams"},
                                          {"/first", 2, "error.range"},
                                          {"/first", nullptr, "error.type"}});
  State state = AnyPosition().Effects();
  state.config.first = 2;
  EXPECT_EQ(Check(state), Fault::Config);
  state = Position(3).Effects();
  state.config.teams = true;
  EXPECT_EQ(Check(state), Fault::Config);
}

TEST(StateRefused, Cards) {
  const Json state = Position(2).Hand("M1").Deck("C3 C3 U3").Written();
  ExpectRefused(
      state, {{"/deck", {"C3", "C3"}, "error.state.cards"},
              {"/deck", {"C3", "C3", "U3", "U3"}, "error.state.cards"},
              {"/deck", {"C2", "C3", "U3"}, "error.state.cards"},
              {"/deck", Json(105, "U3"), "error.state.cards"},
              {"/deck", {"C3", "C3", "U1"}, "error.card"},
              {"/deck", {"C3", "C3", 3}, "error.card"},
              {"/deck", {"C3", "C3", nullptr}, "error.card"},
              {"/hands/0", Json::array(), "error.state.cards"},
              {"/hands/0", {"R2"}, "error.state.cards"},
              {"/hands/0", {"E9"}, "error.card"},
              {"/hands/0", Json(9, "M1"), "error.too-many"},
              {"/hands/0", "M1", "error.type"},
              {"/tables/1", {"M1"}, "error.state.cards"},
              {"/tables/1", Json(17, "U3"), "error.too-many"},
              {"/discard", Json::array(), "error.state.cards"},
              {"/discard", {1}, "error.card"},
              {"/embargoes",
               {{{"seat", 0}, {"domain", "M"}, {"by", 1}, {"card", "E1"}}},
               "error.state.cards"},
              {"/democracies", {{{"seat", 0}, {"domain", "M"}, {"by", 1}}}, "error.state.cards"}});
}

TEST(StateRefused, TooManyOfAKindAcrossPlaces) {  // though the numbers of each Age are right
  Json state = Position(2).Hand("M1 M1 M1 M1 M1").Table("M1 M1 M1").Seat(1).Hand("R1").Written();
  state["hands"][1] = {"M1"};
  EXPECT_EQ(LoadRefused(state), "error.state.cards");
}

TEST(StateRefused, DeckOrder) {
  const Json state = Position(2).Deck("C2 C3 U3").Written();
  ExpectRefused(state, {{"/deck", {"C3", "C2", "U3"}, "error.state.deck-order"},
                        {"/deck", {"U3", "C3", "C2"}, "error.state.deck-order"}});
  EXPECT_TRUE(StateFromJson(With(state, "/deck", {"C2", "U3", "C3"})));
}

TEST(StateRefused, PerSeat) {
  ExpectRefused(AnyPosition().Written(), {{"/hands", {Json::array()}, "error.per-seat"},
                                          {"/tables", Json(3, Json::array()), "error.per-seat"}});
}

TEST(StateRefused, Seat) {
  ExpectRefused(AnyPosition().Written(), {{"/seat", 1, "error.state.seat"},
                                          {"/seat", 2, "error.range"},
                                          {"/seat", nullptr, "error.state.seat"},
                                          {"/first", 1, "error.state.seat"}});
  ExpectRefused(ToJson(New({.setup = Setup::Draft}, DeckFrom(2, ""))),
                {{"/seat", nullptr, "error.state.seat"}});
}

TEST(StateRefused, Turn) {
  ExpectRefused(AnyPosition().Written(), {{"/turn", 0, "error.state.turn"},
                                          {"/turn", 2, "error.state.seat"},
                                          {"/turn", -1, "error.range"},
                                          {"/turn", 1 << 30, "error.range"}});
  ExpectRefused(ToJson(New({.setup = Setup::Draft}, DeckFrom(2, ""))),
                {{"/turn", 1, "error.state.turn"}});
}

TEST(StateRefused, Draft) {
  State state = New({.setup = Setup::Draft},
                    DeckFrom(2, "M1 M1 M1 R1 R1 R1 E1 E1"));  // pack of seat 0: M1 M1 M1 R1
  Do(state, "keep M1");
  const Json draft = ToJson(state);
  const auto move = [](Json json, const char* from,
                       const char* to) {  // the first card from one list to the other
    json[Json::json_pointer(to)].push_back(json[Json::json_pointer(from)][0]);
    json[Json::json_pointer(from)].erase(0);
    return json;
  };
  ExpectRefused(draft,
                {{"/setup", "basic", "error.state.draft"},
                 {"/seat", 0, "error.state.draft"},
                 {"/first", 1, "error.state.draft"},
                 {"/packs", nullptr, "error.state.draft"},
                 {"/centre", Json::array(), "error.state.draft"},
                 {"/step", "claim", "error.state.draft"},
                 {"/packs", {Json::array()}, "error.per-seat"},
                 {"/packs/0", {"M1", "M1", "M2"}, "error.state.draft"},
                 {"/coin", {{"owner", 0}, {"seat", 1}, {"domain", "M"}}, "error.state.draft"}});
  for (const auto to : {"/hands/0", "/hands/1", "/tables/0", "/discard"})
    EXPECT_EQ(LoadRefused(move(draft, "/packs/0", to)), "error.state.draft") << to;
  for (const auto to : {"/packs/0", "/hands/1", "/tables/1", "/discard"})
    EXPECT_EQ(LoadRefused(move(draft, "/deck", to)), "error.state.draft") << to;
  Json democracy = draft;
  democracy["deck"].erase(democracy["deck"].size() - 1);
  democracy["democracies"] = Json::parse(R"([{"seat":0,"domain":"M","by":1}])");
  EXPECT_EQ(LoadRefused(democracy), "error.state.draft");
}

TEST(StateRefused, Claim) {
  State state = New({.setup = Setup::Draft}, DeckFrom(2, ""));
  for (int kept = 0; kept < 6; ++kept) Apply(state, Legal(state)[0]);
  const Json claim = ToJson(state);  // seat 1, to the right of the First Player, claims first
  ASSERT_TRUE(StateFromJson(claim));
  ExpectRefused(claim, {{"/seat", 0, "error.state.draft"},
                        {"/centre", nullptr, "error.state.draft"},
                        {"/centre", {"M1", "M2"}, "error.state.draft"},
                        {"/packs", {Json::array(), Json::array()}, "error.state.draft"},
                        {"/step", "play", "error.state.draft"},
                        {"/setup", "basic", "error.state.draft"}});
  Json claimed_too_soon = claim, too_few = claim;
  claimed_too_soon["tables"][0] = {claim["centre"][0]};
  claimed_too_soon["centre"].erase(0);
  EXPECT_EQ(LoadRefused(claimed_too_soon), "error.state.draft");
  too_few["deck"].insert(too_few["deck"].begin(), claim["centre"][0]);
  too_few["centre"].erase(0);
  EXPECT_EQ(LoadRefused(too_few), "error.state.draft");
}

TEST(StateRefused, Packs) {
  ExpectRefused(AnyPosition().Written(),
                {{"/packs", {Json::array(), Json::array()}, "error.state.draft"},
                 {"/centre", Json::array(), "error.state.draft"}});
  State state = AnyPosition().Effects();
  state.hands[0] -= CardsOf("M1");
  state.packs[0] = CardsOf("M1");
  EXPECT_EQ(Check(state), Fault::Packs);
}

TEST(StateRefused, Used) {
  ExpectRefused(AnyPosition().Written(), {{"/used/permanent", {"C"}, "error.state.used"},
                                          {"/used/discard", {"C"}, "error.state.used"},
                                          {"/used/permanent", {"M", "M"}, "error.domains"},
                                          {"/used/discard", {"X"}, "error.domains"},
                                          {"/used/discard", {1}, "error.domains"},
                                          {"/used/discard", nullptr, "error.type"},
                                          {"/used", Json::object(), "error.missing"},
                                          {"/used", nullptr, "error.type"}});
  ExpectRefused(AnyPosition().Written("play"), {{"/used/permanent", {"M"}, "error.state.used"},
                                                {"/used/discard", {"M"}, "error.state.used"}});
  EXPECT_TRUE(StateFromJson(With(AnyPosition().Written(), "/used/permanent", {"C", "M"})));
}

TEST(StateRefused, HandSize) {
  ExpectRefused(AnyPosition().Written(), {{"/handSize", 5, "error.state.hand-size"},
                                          {"/handSize", 7, "error.state.hand-size"},
                                          {"/handSize", 8, "error.range"},
                                          {"/used/permanent", {"R"}, "error.state.hand-size"}});
  ExpectRefused(
      With(AnyPosition().Written(), "/used/permanent", {"R"}),
      {{"/handSize", 4, "error.state.hand-size"}, {"/handSize", 6, "error.state.hand-size"}});
}

TEST(StateRefused, ChoiceAgainstTheStep) {
  State state = AnyPosition().Effects();
  Do(state, "assassination");
  const Json choose = ToJson(state);
  ExpectRefused(choose, {{"/choice", nullptr, "error.state.choice"},
                         {"/step", "effects", "error.state.choice"},
                         {"/step", "play", "error.state.choice"}});
}

TEST(StateRefused, ChoiceOfAnEffectThatWasNotUsed) {
  State state = AnyPosition().Effects();
  Do(state, "assassination");
  ExpectRefused(ToJson(state), {{"/used/permanent", Json::array(), "error.state.choice"},
                                {"/used/permanent", {"E"}, "error.state.choice"}});
}

TEST(StateRefused, ChoiceOfAnEffectThatAsksForNothing) {
  State state = AnyPosition().Effects();
  Do(state, "assassination");
  Json choose = ToJson(state);
  choose["used"] = Json::parse(R"({"permanent":["M","R"],"discard":["M","E","U"]})");
  choose["handSize"] = 5;
  for (const auto effect : {"holy-book", "divine-right", "attack", "embargo", "democracy"})
    EXPECT_EQ(LoadRefused(With(choose, "/choice/effect", effect)), "error.state.choice") << effect;
  for (const auto effect : {"inspiration", "play", ""})
    EXPECT_EQ(LoadRefused(With(choose, "/choice/effect", effect)), "error.value") << effect;
}

TEST(StateRefused, ChoiceOfTheWrongVerb) {
  State state = AnyPosition().Effects();
  Do(state, "assassination");
  for (const auto verb : {"play", "take", "recover", "give"})
    EXPECT_EQ(LoadRefused(With(ToJson(state), "/choice/verb", verb)), "error.state.choice") << verb;
  for (const auto verb : {"keep", "claim", ""})
    EXPECT_EQ(LoadRefused(With(ToJson(state), "/choice/verb", verb)), "error.value") << verb;
}

TEST(StateRefused, ChoiceOfTheWrongNumber) {
  State state = Position(2).Hand("M1 R1 E1").Table("M1 M1 M1 M1 M1").Effects();
  Do(state, "purge");
  ExpectRefused(ToJson(state), {{"/choice/left", 0, "error.range"},
                                {"/choice/left", 1, "error.state.choice"},
                                {"/choice/left", 3, "error.state.choice"},
                                {"/choice/from", "M1", "error.state.choice"},
                                {"/choice/from", "M", "error.value"},
                                {"/choice/from", 1, "error.type"},
                                {"/choice/target", 1, "error.state.choice"},
                                {"/choice/target", 2, "error.range"}});
}

TEST(StateRefused, ChoiceFromTooFewCards) {
  State state = Position(2).Hand("M1 R1").Table("M1 M1 M1 M1 M1").Effects();
  Do(state, "purge");
  Json json = ToJson(state);
  json["tables"][1] = {"R1"};
  json["hands"][0] = {"M1"};
  EXPECT_EQ(LoadRefused(json), "error.state.choice");
}

TEST(StateRefused, ChoiceOfPlaysThatAreNotPossible) {
  State state = Position(2).Hand("M1 R1").Table("E1 E1 E1 E1 E2").Embargo(0, "M", "E3").Effects();
  Do(state, "monopoly, discard E, discard E");
  ExpectRefused(ToJson(state), {{"/choice/left", 2, "error.state.choice"},
                                {"/embargoes/0/domain", "S", "error.state.choice"},
                                {"/embargoes/0/domain", "R", "accepted"}});
}

TEST(StateRefused, ChoiceOfABreakthrough) {
  State state = Position(2).Table("S1").Hand("R1").Effects();
  Do(state, "breakthrough");
  ExpectRefused(ToJson(state), {{"/choice/left", 6, "error.state.choice"},
                                {"/choice/from", "M1", "error.state.choice"},
                                {"/choice/verb", "give", "error.state.choice"},
                                {"/used/discard", Json::array(), "error.state.choice"}});
}

TEST(StateRefused, ChoiceOfAnInquisition) {
  State state = Position(3).Hand("M1 R1").Table("R1").Seat(1).Hand("E1 S1").Effects();
  Do(state, "inquisition 1, give R1");
  ExpectRefused(ToJson(state), {{"/choice/target", nullptr, "error.state.choice"},
                                {"/choice/target", 0, "error.state.choice"},
                                {"/choice/target", 2, "error.state.choice"},
                                {"/choice/target", 3, "error.range"},
                                {"/choice/from", "E1", "error.state.choice"},
                                {"/choice/from", nullptr, "error.state.choice"},
                                {"/choice/left", 4, "error.state.choice"},
                                {"/choice/verb", "discard", "error.state.choice"},
                                {"/used/discard", Json::array(), "error.state.choice"}});
}

TEST(StateRefused, FaceDown) {
  const Json state = Position(2).Embargo(0, "M").Democracy(1, "M").Written();
  ExpectRefused(state, {{"/embargoes/0/by", 0, "error.state.face-down"},
                        {"/embargoes/0/card", "M1", "error.state.face-down"},
                        {"/embargoes/0/card", "E4", "error.value"},
                        {"/embargoes/0/seat", 2, "error.range"},
                        {"/embargoes/0/domain", "X", "error.value"},
                        {"/embargoes/0", 1, "error.not-object"},
                        {"/democracies/0/seat", 0, "error.state.face-down"},
                        {"/democracies/0/by", nullptr, "error.type"},
                        {"/democracies", Json(17, state["democracies"][0]), "error.too-long"},
                        {"/embargoes", Json(17, state["embargoes"][0]), "error.too-long"}});
}

TEST(StateRefused, Coin) {
  const Json state = Position(2).Table("C1").Coin(0, 1, "M").Written();
  ExpectRefused(state, {{"/coin/owner", 1, "error.state.coin"},
                        {"/coin/domain", "C", "error.state.coin"},
                        {"/coin/owner", 2, "error.range"},
                        {"/coin/seat", nullptr, "error.type"},
                        {"/coin/domain", "M1", "error.value"}});
}

TEST(StateRefused, LastDraw) {
  ExpectRefused(AnyPosition().Written(),
                {{"/lastDraw", 2, "error.state.last-draw"}, {"/lastDraw", -1, "error.range"}});
}

TEST(StateRefused, Closing) {
  ExpectRefused(AnyPosition().Written(),
                {{"/closing", 1, "error.state.closing"}, {"/closing", 2, "error.range"}});
  for (const auto edition : {"en", "fr", "ro", "es"})
    ExpectRefused(
        Position(2).In(edition).Deck("").Written(),
        {{"/closing", nullptr, "error.state.closing"}, {"/closing", 0, "error.state.closing"}});
  ExpectRefused(Position(2).In("pt").Deck("").Written(),
                {{"/closing", nullptr, "error.state.closing"}, {"/closing", 0, "accepted"}});
}

TEST(StateRefused, NotOver) {
  State state = Position(2).Turn(1).Deck("").Table("M1").Effects();
  Do(state, "end");
  const Json over = ToJson(state);
  ASSERT_TRUE(StateFromJson(over));
  ExpectRefused(over, {{"/turn", 3, "error.state.not-over"}, {"/seat", 1, "error.state.seat"}});
  Json called_over = AnyPosition().Written("over");
  called_over["seat"] = nullptr;
  called_over["result"] = over["result"];
  EXPECT_EQ(LoadRefused(called_over), "error.state.not-over");
}

TEST(StateRefused, Result) {
  State majority = Position(2).Turn(1).Deck("").Table("M1").Effects();
  State hegemony = Position(2).Table("M1 M1 M1 M1 M1 M1 M1 M1").Effects();
  Do(majority, "end");
  Do(hegemony, "end");
  ExpectRefused(AnyPosition().Written(),
                {{"/result", ToJson(majority)["result"], "error.state.result"}});
  ExpectRefused(ToJson(majority), {{"/result", nullptr, "error.state.result"},
                                   {"/result/winners", {1}, "error.state.result"},
                                   {"/result/winners", {0, 1}, "error.state.result"},
                                   {"/result/by", "hegemony", "error.state.result"},
                                   {"/result/by", "forfeit", "error.state.result"},
                                   {"/result/points", {2, 0}, "error.state.result"},
                                   {"/result", {{"winners", {0}}}, "error.missing"}});
  ExpectRefused(ToJson(hegemony), {{"/result/domain", "R", "error.state.result"},
                                   {"/result", ToJson(majority)["result"], "error.state.result"}});
}

}  // namespace
}  // namespace civ::test
