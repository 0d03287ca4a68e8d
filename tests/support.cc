#include "tests/support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "civ/notation/notation.h"

namespace civ::test {
namespace {

std::string Joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string text;
  for (const std::string& part : parts) (text += text.empty() ? "" : between) += part;
  return text;
}

std::vector<Kind> InOrder(Cards cards) {
  std::vector<Kind> list;
  for (int k = 0; k < kKinds; ++k)
    list.insert(list.end(), static_cast<size_t>(cards[static_cast<Kind>(k)]), static_cast<Kind>(k));
  return list;
}

Json Written(Cards cards) { return ToJson(InOrder(cards)); }

// What is left of all cards when these are taken away, without those in the box: the last three of
// each Age.
Cards Rest(int players, Cards used) {
  Cards rest;
  for (const Age age : {Age::I, Age::II, Age::III}) {
    Cards of_age;
    for (int k = 0; k < kKinds; ++k)
      if (const auto kind = static_cast<Kind>(k); AgeOf(kind) == age)
        of_age += Cards(kind, std::max(0, kCopies[static_cast<size_t>(k)] - used[kind]));
    rest += of_age.WithoutLast(players < 4 ? 3 : 0);
  }
  return rest;
}

State Load(const Json& json) {
  const Expected<State> state = StateFromJson(json);
  if (state) return *state;
  ADD_FAILURE() << state.error().key << " in the position of this test";
  return EmptyState({});
}

// The legal action of this name; fails the test if there is none.
std::optional<Action> Find(const State& state, std::string_view name) {
  const std::optional<Action> action = ParseAction(name);
  if (action && Legal(state).Contains(*action)) return action;
  ADD_FAILURE() << name << " is not legal; legal are " << LegalNames(state);
  return std::nullopt;
}

// All that can be asked about a game of two in step 2.
std::string Everything(Referee referee) {
  std::string answers;
  for (const auto request : {R"({"cmd":"view","seat":0})", R"({"cmd":"view","seat":1})",
                             R"({"cmd":"apply","action":"end"})"})
    answers += *referee.Answer(request);
  return answers;
}

}  // namespace

std::vector<std::string> Split(std::string_view text, std::string_view between) {
  std::vector<std::string> parts;
  for (size_t end = 0; !text.empty();
       text.remove_prefix(end == text.npos ? text.size() : end + between.size()))
    parts.emplace_back(text.substr(0, end = text.find(between)));
  return parts;
}

std::vector<Kind> ListOf(std::string_view text) {
  std::vector<Kind> cards;
  for (const std::string& word : Split(text, " ")) {
    const std::optional<Kind> kind = ParseKind(word);
    if (!kind) std::abort();
    cards.push_back(*kind);
  }
  return cards;
}

Cards CardsOf(std::string_view text) {
  Cards cards;
  for (const Kind kind : ListOf(text)) cards += Cards(kind);
  return cards;
}

std::vector<Config> AllConfigs() {
  std::vector<Config> configs;
  for (const Edition edition : {Edition::En, Edition::Fr, Edition::Es, Edition::Pt, Edition::Ro})
    for (const Setup setup : {Setup::Basic, Setup::Draft}) {
      for (uint8_t players = 2; players <= kMaxSeats; ++players)
        configs.push_back({players, setup, edition, false, 0});
      configs.push_back({4, setup, edition, true, 0});
    }
  return configs;
}

std::vector<std::string> AllActionNames() {
  const std::vector<std::string> domains = Split("M R E S C U", " "), seats = Split("0 1 2 3", " ");
  const std::vector<std::string> effects = Split(
      "assassination purge holy-book divine-right development monopoly experiment research "
      "oligarchy republic",
      " ");
  std::vector<std::string> names = {"skip", "end", "breakthrough"};
  for (const std::string& effect : effects) names.insert(names.end(), {effect, "copy " + effect});
  for (int k = 0; k < kKinds; ++k)
    for (const auto verb : {"keep ", "play ", "discard ", "take ", "recover ", "give "})
      names.push_back(verb + std::string(NameOf(static_cast<Kind>(k))));
  for (const std::string& domain : domains)
    for (const auto verb : {"claim ", "discard ", "attack "}) names.push_back(verb + domain);
  for (const std::string& seat : seats) {
    names.push_back("inquisition " + seat);
    for (const std::string& domain : domains)
      names.insert(names.end(),
                   {"embargo " + seat + " " + domain, "democracy " + seat + " " + domain});
  }
  return names;
}

// --- Positions -----------------------------------------------------------------------------------

Position::Position(int players)
    : players_(players),
      hands_(static_cast<size_t>(players)),
      tables_(static_cast<size_t>(players)) {}

Position& Position::In(std::string_view edition) {
  edition_ = edition;
  return *this;
}
Position& Position::Teams() {
  teams_ = true;
  return *this;
}
Position& Position::First(int seat) {
  first_ = seat;
  return Turn(seat);
}
Position& Position::Seat(int seat) {
  seat_ = seat;
  return *this;
}
Position& Position::Hand(std::string_view cards) {
  hands_.at(static_cast<size_t>(seat_)) = CardsOf(cards);
  return *this;
}
Position& Position::Table(std::string_view cards) {
  tables_.at(static_cast<size_t>(seat_)) = CardsOf(cards);
  return *this;
}
Position& Position::Discard(std::string_view cards) {
  discard_ = CardsOf(cards);
  return *this;
}
Position& Position::Deck(std::string_view cards) {
  deck_ = ListOf(cards);
  return *this;
}
Position& Position::Embargo(int on, std::string_view domain, std::string_view card, int by) {
  embargoes_.push_back({{"seat", on},
                        {"domain", domain},
                        {"by", by < 0 ? (on + 1) % players_ : by},
                        {"card", card}});
  return *this;
}
Position& Position::Democracy(int on, std::string_view domain, int by) {
  democracies_.push_back(
      {{"seat", on}, {"domain", domain}, {"by", by < 0 ? (on + 1) % players_ : by}});
  return *this;
}
Position& Position::Coin(int owner, int seat, std::string_view domain) {
  coin_ = {{"owner", owner}, {"seat", seat}, {"domain", domain}};
  return *this;
}
Position& Position::Turn(int seat) { return TurnNumber(1 + (seat - first_ + players_) % players_); }
Position& Position::TurnNumber(int turn) {
  turn_ = turn;
  return *this;
}
Position& Position::LastDraw(int turn) {
  last_draw_ = turn;
  return *this;
}
Position& Position::Closing(int seat) {
  closing_ = seat;
  return *this;
}

Json Position::Written(std::string_view step) const {
  Cards used;
  Json hands = Json::array(), tables = Json::array();
  for (size_t seat = 0; seat < hands_.size(); ++seat) {
    used += hands_[seat] + tables_[seat];
    hands.push_back(test::Written(hands_[seat]));
    tables.push_back(test::Written(tables_[seat]));
  }
  for (const Json& embargo : embargoes_) used += CardsOf(embargo["card"].get<std::string>());
  used += Cards(Kind::U3, static_cast<int>(democracies_.size()));
  for (const Kind kind : deck_.value_or(InOrder(discard_))) used += Cards(kind);
  const Cards rest = Rest(players_, used);
  const std::vector<Kind> deck = deck_.value_or(InOrder(rest));
  Json closing;
  if (deck.empty()) closing = closing_.value_or((first_ + players_ - 1) % players_);
  return {{"edition", edition_},
          {"players", players_},
          {"setup", "basic"},
          {"teams", teams_},
          {"first", first_},
          {"turn", turn_},
          {"seat", (first_ + turn_ - 1) % players_},
          {"step", step},
          {"deck", ToJson(deck)},
          {"hands", hands},
          {"tables", tables},
          {"discard", test::Written(deck_ ? rest : discard_)},
          {"packs", nullptr},
          {"centre", nullptr},
          {"embargoes", embargoes_},
          {"democracies", democracies_},
          {"coin", coin_},
          {"used", {{"permanent", Json::array()}, {"discard", Json::array()}}},
          {"handSize", 3},
          {"choice", nullptr},
          {"lastDraw", last_draw_},
          {"closing", closing},
          {"result", nullptr}};
}

State Position::Play() const { return Load(Written("play")); }
State Position::Effects() const { return Load(Written("effects")); }

std::vector<Kind> DeckFrom(int players, std::string_view first_cards) {
  std::vector<Kind> deck = ListOf(first_cards);
  const std::vector<Kind> rest = InOrder(Rest(players, CardsOf(first_cards)));
  deck.insert(deck.end(), rest.begin(), rest.end());
  EXPECT_TRUE(IsDeck(players, deck));
  return deck;
}

// --- Playing and reading -------------------------------------------------------------------------

void Do(State& state, std::string_view actions) {
  for (const std::string& name : Split(actions, ", "))
    if (const std::optional<Action> action = Find(state, name)) Apply(state, *action);
}

void Do(Game& game, std::string_view actions) {
  for (const std::string& name : Split(actions, ", "))
    if (const std::optional<Action> action = Find(game.state, name)) game.Apply(*action);
}

bool May(const State& state, std::string_view action) {
  const std::optional<Action> parsed = ParseAction(action);
  EXPECT_TRUE(parsed) << action << " is not an action";
  return parsed && Legal(state).Contains(*parsed);
}

std::string LegalNames(const State& state, std::string_view word) {
  std::vector<std::string> names;
  for (const Action action : Legal(state))
    if (const std::string name = NameOf(action); word.empty() || name.starts_with(word))
      names.push_back(name);
  return Joined(names, ", ");
}

std::string Text(Cards cards) {
  std::vector<std::string> names;
  for (const Kind kind : InOrder(cards)) names.emplace_back(NameOf(kind));
  return Joined(names, " ");
}

std::string Hand(const State& state, int seat) {
  return Text(state.hands.at(static_cast<size_t>(seat)));
}
std::string Table(const State& state, int seat) {
  return Text(state.tables.at(static_cast<size_t>(seat)));
}
std::string Discard(const State& state) { return Text(state.discard); }
std::string Field(const State& state, std::string_view name) {
  return ToJson(state).at(name).dump();
}
std::string Field(const View& view, std::string_view name) { return ToJson(view).at(name).dump(); }

std::string Won(const State& state) {
  if (state.step != Step::Over) return "not over";
  const Json result = ToJson(state)["result"];
  std::vector<std::string> winners, points;
  for (const Json& seat : result["winners"]) winners.push_back(seat.dump());
  if (result["by"] == "hegemony")
    return Joined(winners, " ") + " by hegemony in " + result["domain"].get<std::string>();
  for (const Json& side : result["points"]) points.push_back(side.dump());
  return Joined(winners, " ") + " by " + result["by"].get<std::string>() + " " +
         Joined(points, ":");
}

Json With(Json json, const std::string& field, const Json& value) {
  json[Json::json_pointer(field)] = value;
  return json;
}

std::vector<std::string> FieldsOf(const Json& json) {
  std::vector<std::string> fields;
  for (const auto& [field, value] : json.items()) fields.push_back(field);
  return fields;
}

std::string WonAtTheEnd(const Position& position) {
  State state = position.Effects();
  Do(state, "end");
  return Won(state);
}

Position LastTurn(std::initializer_list<const char*> tables) {
  const int players = static_cast<int>(tables.size());
  Position position = Position(players).Deck("").Turn(players - 1);
  int seat = 0;
  for (const char* table : tables) position.Seat(seat++).Table(table);
  return position;
}

// --- The referee ---------------------------------------------------------------------------------

Referee NewReferee() {
  return Referee({.describe = [](const Error& error) { return error.key; },
                  .random_seed = [] { return uint64_t{42}; }});
}

Json AskLine(Referee& referee, std::string_view request) {
  const std::optional<std::string> answer = referee.Answer(request);
  if (!answer || answer->find('\n') != answer->npos) ADD_FAILURE() << "not one line of answer";
  return Json::parse(answer.value_or("{\"ok\":true}"));
}

Json Ask(Referee& referee, const Json& request) { return AskLine(referee, request.dump()); }

Position AnyPosition() {
  return Position(2)
      .Hand("M1 R1")
      .Table("M1 M1 M1 E1")
      .Discard("C1 C1")
      .Seat(1)
      .Hand("S1")
      .Table("C2");
}

std::string RefusedLine(std::string_view request) {
  Referee referee = NewReferee();
  Ask(referee, {{"cmd", "load"}, {"state", AnyPosition().Written()}});
  const std::string before = Everything(referee);
  const Json answer = AskLine(referee, request);
  if (answer.at("ok") == true) return "accepted";
  EXPECT_EQ(Everything(referee), before);
  EXPECT_EQ(FieldsOf(answer), (std::vector<std::string>{"ok", "error"}));
  return answer["error"];
}

std::string Refused(const Json& request) { return RefusedLine(request.dump()); }

// --- Generated games -----------------------------------------------------------------------------

void PlayGame(Config config, uint64_t seed, const std::function<void(const Game&)>& show) {
  if (testing::Test::HasFatalFailure()) return;
  const Deal deal = DealFromSeed(config, seed);
  Game game(New(deal.config, deal.deck.Span()));
  Random random(~seed);
  show(game);
  for (int actions = 0; game.state.step != Step::Over; ++actions) {
    const ActionSet legal = Legal(game.state);
    const bool stuck = legal.Empty() || actions > 20'000;
    ASSERT_FALSE(stuck) << "a game that does not end";
    const auto policy = static_cast<Policy>((seed + game.state.turn) % kPolicies);
    game.Apply(Choose(policy, game.state, legal, random));
    show(game);
  }
}

}  // namespace civ::test
