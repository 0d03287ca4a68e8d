// Notation: actions, states, game records (docs/protocol.md).
#include "civ/notation/notation.h"

#include <gtest/gtest.h>

#include <set>

#include "civ/notation/record.h"
#include "tests/support.h"

namespace civ::test {
namespace {

// --- Actions -------------------------------------------------------------------------------------

TEST(ActionNotation, EveryActionIsReadAsItIsWritten) {
  std::set<Action> actions;
  for (const std::string& name : AllActionNames()) {
    ASSERT_TRUE(ParseAction(name)) << name;
    EXPECT_EQ(NameOf(*ParseAction(name)), name);
    actions.insert(*ParseAction(name));
  }
  EXPECT_EQ(actions.size(), AllActionNames().size());
}

TEST(ActionNotation, OnlyOneSpellingIsRead) {
  for (const auto name : {"",
                          " ",
                          "play",
                          "play ",
                          "play M",
                          "play M4",
                          "play R3",
                          "play U1",
                          "play m1",
                          "Play M1",
                          "PLAY M1",
                          "play  M1",
                          " play M1",
                          "play M1 ",
                          "play M1 M1",
                          "play\tM1",
                          "play M1\n",
                          "play ?1",
                          "keep M",
                          "keep ?1",
                          "claim M1",
                          "claim",
                          "discard",
                          "discard X",
                          "discard M10",
                          "take M",
                          "recover U",
                          "give 1",
                          "draw M1",
                          "attack",
                          "attack M1",
                          "attack 1",
                          "inquisition",
                          "inquisition 4",
                          "inquisition -1",
                          "inquisition 00",
                          "inquisition M",
                          "embargo",
                          "embargo 1",
                          "embargo M",
                          "embargo M 1",
                          "embargo 4 M",
                          "embargo 1 M1",
                          "embargo 1 M M",
                          "embargo  1 M",
                          "democracy 0",
                          "democracy 1 X",
                          "breakthrough 1",
                          "end turn",
                          "ends",
                          "skip M1",
                          "copy",
                          "copy ",
                          "copy attack",
                          "copy breakthrough",
                          "copy inspiration",
                          "copy purge purge",
                          "copy copy",
                          "inspiration",
                          "holy book",
                          "holybook",
                          "Holy-Book",
                          "effects",
                          "null"})
    EXPECT_FALSE(ParseAction(name)) << name;
}

// --- States --------------------------------------------------------------------------------------

TEST(StateNotation, HasTheFieldsOfTheProtocolInTheirOrder) {
  EXPECT_EQ(FieldsOf(ToJson(Position(2).Effects())),
            Split("edition players setup teams first turn seat step deck hands tables discard "
                  "packs centre embargoes democracies coin used handSize "
                  "choice lastDraw closing result",
                  " "));
}

// Turns round the order of fields, and of lists of cards but the deck.
Json Reversed(const Json& json, const std::string& name = {}) {
  const bool cards = json.is_array() && !json.empty() && json[0].is_string() && name != "deck";
  Json reversed = json.is_object() ? Json::object() : json.is_array() ? Json::array() : json;
  if (json.is_object())
    for (auto it = json.rbegin(); it != json.rend(); ++it)
      reversed[it.key()] = Reversed(it.value(), it.key());
  if (json.is_array())
    for (size_t i = 0; i < json.size(); ++i)
      reversed.push_back(Reversed(json[cards ? json.size() - 1 - i : i]));
  return reversed;
}

TEST(StateNotation, FieldsAndCardsMayComeInAnyOrder) {
  for (const Config& config :
       {Config{.players = 3}, Config{.players = 4, .setup = Setup::Draft, .teams = true}})
    PlayGame(config, 2, [](const Game& game) {
      const Json json = ToJson(game.state);
      const Expected<State> loaded = StateFromJson(Reversed(json));
      ASSERT_TRUE(loaded) << loaded.error().key;
      ASSERT_EQ(ToJson(*loaded), json);
    });
}

TEST(StateNotation, UnknownFieldsAreIgnored) {
  State state = Position(2)
                    .Hand("E2 E2")
                    .Table("C1 C1")
                    .Embargo(0, "M")
                    .Democracy(0, "M")
                    .Seat(1)
                    .Table("M1 M1 M1")
                    .Effects();
  Do(state, "copy assassination");
  Json json = ToJson(state);
  for (const auto field :
       {"/x", "/used/x", "/choice/x", "/coin/x", "/embargoes/0/x", "/democracies/0/x"})
    json = With(json, field, {1, 2});
  const Expected<State> loaded = StateFromJson(json);
  ASSERT_TRUE(loaded) << loaded.error().key;
  EXPECT_EQ(ToJson(*loaded), ToJson(state));
}

TEST(StateNotation, AStateNeedNotHaveBeenReachedByPlay) {
  EXPECT_EQ(LegalNames(Position(3)
                           .TurnNumber(50000)
                           .LastDraw(1)
                           .Seat(1)
                           .Hand("M1 M2 M3 U3 U3 U3 U3 U3 U3")
                           .Table("M1 M1 M1 M1 M1 M1 M1")
                           .Play(),
                       "play M"),
            "play M1, play M2, play M3");
}

// The example of docs/protocol.md, with cards of our choice in deck and discard pile.
TEST(StateNotation, ReadsTheExampleOfTheProtocol) {
  Json json = Position(3)
                  .TurnNumber(31)
                  .LastDraw(30)
                  .Deck(
                      "E3 C3 E3 E3 E3 E3 E3 C3 C3 C3 C3 C3 C3 S3 S3 S3 S3 S3 S3 S3 U3 U3 U3 U3 U3 "
                      "U3 U3 U3 U3 U3 U3 M3 M3 M3")
                  .Seat(0)
                  .Hand("E3")
                  .Table("M1 M1 M1 M2 M2 C2 C3")
                  .Seat(1)
                  .Hand("M2 M2 U3")
                  .Table("C1 C1 C1 M2")
                  .Seat(2)
                  .Hand("E1 E2 S3")
                  .Table("R1 S1 S1 S1 C1 R2 S2 C2")
                  .Democracy(1, "M", 2)
                  .Coin(1, 2, "S")
                  .Written("choose");
  json["used"] = Json::parse(R"({"permanent":["M"],"discard":[]})");
  json["choice"] =
      Json::parse(R"({"effect":"purge","verb":"discard","left":1,"from":"S2","target":null})");
  const Expected<State> state = StateFromJson(json);
  ASSERT_TRUE(state) << state.error().key;
  EXPECT_EQ(LegalNames(*state), "discard E3");
}

TEST(StateNotation, UsedEffectsAreListedInDomainOrder) {
  State state = Position(2).Table("M1 M1 R1 R1 R1 C1").Effects();
  Do(state, "inquisition 1, attack M");
  EXPECT_EQ(Field(state, "used"), R"({"permanent":[],"discard":["M","R"]})");
}

TEST(StateNotation, FaceDownCardsAreListedInTheOrderTheyWereLaid) {
  State state = Position(3)
                    .Table("E2 U3")
                    .Seat(1)
                    .Table("M1")
                    .Embargo(2, "M", "E3")
                    .Democracy(2, "M", 1)
                    .Effects();
  Do(state, "embargo 1 M, democracy 1 M");
  EXPECT_EQ(
      Field(state, "embargoes"),
      R"([{"seat":2,"domain":"M","by":0,"card":"E3"},{"seat":1,"domain":"M","by":0,"card":"E2"}])");
  EXPECT_EQ(Field(state, "democracies"),
            R"([{"seat":2,"domain":"M","by":1},{"seat":1,"domain":"M","by":0}])");
}

TEST(StateNotation, EightEmbargoesLeaveRoomForANinth) {
  Position position = Position(2).Table("E3").Democracy(1, "M").Seat(1).Table("M1");
  for (const auto card : {"E1", "E1", "E1", "E1", "E2", "E2", "E2", "E2"})
    position.Embargo(1, "M", card, 0);
  State state = position.Effects();
  Do(state, "embargo 1 M");
  EXPECT_EQ(ToJson(state)["embargoes"].size(), 9u);
  EXPECT_EQ(Field(state, "democracies"), R"([{"seat":1,"domain":"M","by":0}])");
}

// --- Game records --------------------------------------------------------------------------------

// A whole game from a seed, less its last actions.
Record Recorded(Config config, uint64_t seed, size_t without_last = 0) {
  const Deal deal = DealFromSeed(config, seed);
  Record record;
  record.config = deal.config;
  record.deck.assign(deal.deck.Span().begin(), deal.deck.Span().end());
  State state = New(record.config, record.deck);
  Random random(seed);
  for (ActionSet legal = Legal(state); !legal.Empty(); legal = Legal(state)) {
    record.actions.push_back(Choose(Policy::EffectHappy, state, legal, random));
    Apply(state, record.actions.back());
  }
  if (without_last == 0) record.result = ToJson(record.config, Result(state));
  record.actions.erase(record.actions.end() - without_last, record.actions.end());
  return record;
}

// Where and why, as "header: error.deck" or "7: why.step"; "accepted" if there is no error.
std::string RecordRefused(const Json& json) {
  const std::variant<Record, RecordError> read = ReadRecord(json.dump());
  const auto* wrong = std::get_if<RecordError>(&read);
  return wrong == nullptr
             ? "accepted"
             : (wrong->action == RecordError::kHeader ? "header" : std::to_string(wrong->action)) +
                   ": " + wrong->error.key;
}

Json Dumped(const Record& record) { return Json::parse(record.Dump()); }

TEST(GameRecord, IsReadAsItIsWritten) {
  for (const Config& config : AllConfigs()) {
    const std::string text = Recorded(config, 5).Dump();
    const std::variant<Record, RecordError> read = ReadRecord(text);
    ASSERT_TRUE(std::holds_alternative<Record>(read));
    EXPECT_EQ(std::get<Record>(read).Dump(), text);
  }
}

TEST(GameRecord, HasTheFieldsOfTheProtocol) {
  const Json json = Dumped(
      Recorded({.players = 4, .setup = Setup::Draft, .edition = Edition::Ro, .teams = true}, 5));
  EXPECT_EQ(FieldsOf(json),
            Split("format rules edition players setup teams first deck actions result", " "));
  EXPECT_EQ(json["format"], "civ-game/1");
  EXPECT_EQ(json["rules"], 1);
  EXPECT_EQ(json["deck"].size(), 104u);
}

TEST(GameRecord, KeepsNamesDateAndCommentsWhateverTheyAre) {
  Json json = Dumped(Recorded({}, 5));
  json["names"] = {"Ann", "Bob"};
  json["date"] = "2024-02-30";
  json["comments"] = {{"3", "?!"}};
  const std::variant<Record, RecordError> read = ReadRecord(json.dump());
  ASSERT_TRUE(std::holds_alternative<Record>(read));
  EXPECT_EQ(std::get<Record>(read).Dump(), json.dump());
  EXPECT_EQ(std::get<Record>(read).NameOf(1), "Bob");
}

TEST(GameRecord, IsNotNestedDeeply) {
  const std::string text = Recorded({}, 5).Dump(),
                    nested = std::string(100'000, '[') + std::string(100'000, ']');
  for (const std::string& deep :
       {"{\"comments\":" + nested + "," + text.substr(1),
        std::string(text).insert(text.find("\"actions\":[") + 11, nested + ",")})
    EXPECT_EQ(std::get<RecordError>(ReadRecord(deep)).error.key, "error.nesting");
}

TEST(GameRecord, GivesEveryStateFromTheFirstToTheLast) {
  const Record record = Recorded({.players = 3}, 5);
  const std::vector<State> states = StatesOf(record);
  ASSERT_EQ(states.size(), record.actions.size() + 1);
  EXPECT_EQ(ToJson(states.front()), ToJson(New(record.config, record.deck)));
  EXPECT_EQ(ToJson(states.back())["result"], record.result);
}

TEST(GameRecord, MayBeOfAGameUnderWay) {
  EXPECT_EQ(RecordRefused(Dumped(Recorded({}, 5, 10))), "accepted");
}

TEST(GameRecord, MayEndAGameUnderWayByForfeit) {
  const Json json = Dumped(Recorded({.players = 3}, 5, 10));
  EXPECT_EQ(
      RecordRefused(With(json, "/result", Json::parse(R"({"winners":[0,2],"by":"forfeit"})"))),
      "accepted");
  for (const auto result :
       {R"({"winners":[3],"by":"forfeit"})", R"({"winners":[-1],"by":"forfeit"})",
        R"({"winners":["0"],"by":"forfeit"})", R"({"winners":0,"by":"forfeit"})",
        R"({"by":"forfeit"})", R"({"winners":[0]})", R"("forfeit")"})
    EXPECT_EQ(RecordRefused(With(json, "/result", Json::parse(result))),
              std::to_string(json["actions"].size()) + ": error.record.not-over")
        << result;
}

TEST(GameRecord, RefusesAForfeitOfAGameThatIsOver) {
  const Json json = Dumped(Recorded({}, 5));
  EXPECT_EQ(RecordRefused(With(json, "/result", Json::parse(R"({"winners":[0],"by":"forfeit"})"))),
            std::to_string(json["actions"].size()) + ": error.record.result");
}

TEST(GameRecord, RefusesAnotherResultThanThatOfTheGame) {
  const Json json = Dumped(Recorded({}, 5)), under_way = Dumped(Recorded({}, 5, 10));
  const std::string end = std::to_string(json["actions"].size());
  EXPECT_EQ(RecordRefused(With(json, "/result", nullptr)), end + ": error.record.result");
  EXPECT_EQ(RecordRefused(With(json, "/result/winners", {0, 1})), end + ": error.record.result");
  EXPECT_EQ(RecordRefused(With(under_way, "/result", json["result"])),
            std::to_string(under_way["actions"].size()) + ": error.record.not-over");
}

TEST(GameRecord, RefusesAnotherFormatOrVersionOfTheRules) {
  const Json json = Dumped(Recorded({}, 5));
  EXPECT_EQ(RecordRefused(With(json, "/format", "civ-game/2")), "header: error.record.format");
  EXPECT_EQ(RecordRefused(With(json, "/rules", 2)), "header: error.record.rules");
  EXPECT_EQ(RecordRefused(With(json, "/rules", 0)), "header: error.record.rules");
  EXPECT_EQ(RecordRefused(With(json, "/rules", "1")), "header: error.type");
}

TEST(GameRecord, RefusesAWrongHeader) {
  const Json json = Dumped(Recorded({}, 5));
  for (const std::string& field : FieldsOf(json)) {
    Json without = json;
    without.erase(field);
    EXPECT_EQ(RecordRefused(without), "header: error.missing") << field;
  }
  EXPECT_NE(RecordRefused(With(json, "/players", 3)), "accepted");
  EXPECT_EQ(RecordRefused(With(json, "/players", 4)), "header: error.deck-size");
  EXPECT_EQ(RecordRefused(With(json, "/teams", true)), "header: error.teams");
  EXPECT_EQ(RecordRefused(With(json, "/first", 2)), "header: error.range");
  EXPECT_EQ(RecordRefused(With(json, "/deck/0", "U3")), "header: error.deck");
  EXPECT_EQ(RecordRefused(With(json, "/actions", "end")), "header: error.type");
  EXPECT_EQ(RecordRefused(Json::array()), "header: error.not-object");
  EXPECT_TRUE(std::holds_alternative<RecordError>(ReadRecord("")));
  EXPECT_TRUE(std::holds_alternative<RecordError>(ReadRecord("{")));
}

TEST(GameRecord, SaysAtWhichActionItGoesWrong) {
  const Json json = Dumped(Recorded({}, 5));
  const size_t end = json["actions"].size();
  EXPECT_EQ(RecordRefused(With(json, "/actions/0", "end")), "0: why.step");
  EXPECT_EQ(RecordRefused(With(json, "/actions/7", "dance")), "7: error.action");
  EXPECT_EQ(RecordRefused(With(json, "/actions/7", 7)), "7: error.action");
  EXPECT_EQ(RecordRefused(With(json, "/actions/7", Json::array({"end"}))), "7: error.action");
  EXPECT_EQ(RecordRefused(With(json, "/actions/-", "end")), std::to_string(end) + ": why.over");
}

}  // namespace
}  // namespace civ::test
