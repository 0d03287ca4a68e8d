#include "tests/fuzz/targets.h"

#include <cstdio>
#include <optional>
#include <vector>

#include "civ/bots/playout.h"
#include "civ/guide/look.h"
#include "civ/notation/json.h"
#include "civ/notation/notation.h"
#include "civ/notation/record.h"
#include "civ/notation/referee.h"
#include "civ/notation/talk.h"
#include "civ/rules/check.h"
#include "civ/rules/why.h"
#include "civ/table/tell.h"
#include "civ/view/deal.h"
#include "civ/view/sample.h"
#include "civ/words/words.h"
#include "tests/fuzz/twist.h"
#include "tests/plain.h"

namespace civ::fuzz {
namespace {

void Expect(bool right, const std::string& what) {
  if (right) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  throw Finding(what);
}

void ExpectSame(const std::string& difference, const std::string& what) {
  Expect(difference.empty(), what + ": " + difference);
}

const Words& English() {
  static const Words kEnglish("en");
  return kEnglish;
}

// --- States --------------------------------------------------------------------------------------

// Loads what is printed and compares. A game that goes on from the limits of what can be loaded
// goes beyond them.
void ExpectLoadsAgain(const civ::State& state) {
  constexpr int kLastLoadedTurn = 50'000;
  if (state.turn > kLastLoadedTurn || state.embargo_count > kMaxLoadedEmbargoes) return;
  const Json json = ToJson(state);
  const Expected<civ::State> again = StateFromJson(json);
  Expect(static_cast<bool>(again),
         "a printed state is refused: " + (again ? "" : again.error().key) + " " + json.dump());
  ExpectSame(test::Difference(*again, state), "a printed state is loaded differently");
  ExpectSame(test::WrongDerived(*again), "a loaded state has wrong counts");
}

// What an effect can ask for.
bool CanAsk(Effect effect, Verb verb) {
  switch (effect) {
    case Effect::Assassination:
    case Effect::Purge:
    case Effect::Breakthrough: return verb == Verb::Discard;
    case Effect::Development:
    case Effect::Monopoly: return verb == Verb::Remove || verb == Verb::Play;
    case Effect::Experiment:
    case Effect::Research: return verb == Verb::Take || verb == Verb::Play;
    case Effect::Oligarchy:
    case Effect::Republic: return verb == Verb::Recover;
    case Effect::Inquisition: return verb == Verb::Give;
    default: return false;
  }
}

void ExpectSound(const civ::State& state, const std::string& how) {
  const Fault fault = Check(state);
  Expect(fault == Fault::None, how + " gives fault " + std::to_string(static_cast<int>(fault)));
  ExpectSame(test::WrongDerived(state), how);
  Expect(state.step != Step::Choose || CanAsk(state.choice.effect, state.choice.verb),
         how + ": " + std::string(NameOf(state.choice.effect)) + " asks for nothing");
  Expect(Legal(state).Empty() == (state.step == Step::Over),
         how + ": nothing is legal, or the game is over");
}

void ExpectNeighboursSound(const civ::State& state) {
  const ActionSet legal = Legal(state);
  for (const civ::Action action : test::AllActions()) {
    const bool may = test::MayPlainly(state, action);
    Expect(legal.Contains(action) == may,
           NameOf(action) + " should be legal: " + (may ? "yes" : "no"));
    Expect((WhyNot(state, action).why == Why::Legal) == may, "no reason why not " + NameOf(action));
    if (!may) continue;
    civ::State next = state;
    Apply(next, action);
    ExpectSame(test::Difference(test::ApplyPlainly(state, action), next), NameOf(action));
    ExpectSound(next, NameOf(action));
    ExpectLoadsAgain(next);
  }
}

void ExpectEnds(civ::State state, uint64_t seed) {
  Random random(seed);
  const int most = (state.deck_size + 2) * 21 * state.config.players * 100;
  for (int count = 0; state.step != Step::Over; ++count) {
    Expect(count < most, "a game that does not end");
    Apply(state, Choose(static_cast<Policy>(seed % kPolicies), state, Legal(state), random));
  }
  ExpectSound(state, "a random game");
  Expect(Result(state) == test::ResultPlainly(state), "the result is wrong");
  ExpectLoadsAgain(state);
}

// --- Views ---------------------------------------------------------------------------------------

// The knowledge that a view speaks of.
Knowledge KnowledgeOf(const civ::View& view) {
  Knowledge knowledge;
  for (Seat seat = 0; seat < view.config.players; ++seat)
    if (seat != view.viewer) knowledge.known[seat][view.viewer] = view.hands[seat].cards;
  return knowledge;
}

void ExpectFits(const civ::View& view, const civ::State& state) {
  ExpectSound(state, "a sampled state");
  ExpectSame(test::Difference(MakeView(state, KnowledgeOf(view), view.viewer), view),
             "a sampled state looks different");
  for (Seat seat = 0; seat < view.config.players; ++seat)
    for (int k = 0; k < kKinds; ++k)
      Expect(
          view.hands[seat].cards[static_cast<Kind>(k)] <= state.hands[seat][static_cast<Kind>(k)],
          "a known card is not there");
  if (view.viewer == view.seat)
    Expect(Legal(view) == Legal(state), "what is legal depends on hidden cards");
}

// --- The referee ---------------------------------------------------------------------------------

class Session {
 public:
  std::optional<Json> Ask(const std::string& line) {
    const std::optional<std::string> text = referee_.Answer(line);
    if (!text) return std::nullopt;
    const Expected<Json> answer = ParseJson(*text);
    Expect(static_cast<bool>(answer) && answer->is_object() && answer->contains("ok") &&
               (*answer)["ok"].is_boolean(),
           "no proper answer: " + *text);
    Expect(text->find('\n') == text->npos, "an answer of several lines");
    if ((*answer)["ok"] == false)
      Expect(answer->size() == 2 && answer->contains("error") && (*answer)["error"].is_string() &&
                 !(*answer)["error"].get<std::string>().empty(),
             "an error without words: " + *text);
    return *answer;
  }

  // What can be seen of the game, all together.
  std::string Shown() {
    std::string shown;
    for (const char* seat : {"null", "0", "1", "2", "3"})
      shown += *referee_.Answer(std::string(R"({"cmd":"view","seat":)") + seat + "}");
    return shown + *referee_.Answer(R"({"cmd":"perft","depth":1})");
  }

 private:
  civ::Referee referee_{{.describe = [](const Error& error) { return English().Describe(error); },
                         .random_seed = [] { return uint64_t{5}; }}};
};

std::string Request(Bytes& bytes, const Json& position) {
  const auto legal = position.contains("legal") ? position["legal"] : Json::array();
  switch (bytes.Below(8)) {
    case 0:
      return Json{{"cmd", "new"},
                  {"players", 2 + bytes.Below(3)},
                  {"setup", bytes.Chance(128) ? "draft" : "basic"},
                  {"seed", bytes.Byte()}}
          .dump();
    case 1:
    case 2:
      return Json{{"cmd", "apply"},
                  {"action", legal.empty() ? Json("end") : legal[bytes.Below(legal.size())]}}
          .dump();
    case 3:
      return Json{{"cmd", "apply"},
                  {"action", NameOf(test::AllActions()[bytes.Below(test::AllActions().size())])}}
          .dump();
    case 4: {
      Json state = ToJson(SomeGame(bytes).state);
      for (uint32_t count = bytes.Below(3); count > 0; --count) TwistState(state, bytes);
      return Json{{"cmd", "load"}, {"state", state}}.dump();
    }
    case 5: {
      const Game game = SomeGame(bytes);
      Json view = ToJson(MakeView(game.state, game.knowledge,
                                  static_cast<Seat>(bytes.Below(game.state.config.players))));
      for (uint32_t count = bytes.Below(3); count > 0; --count) TwistView(view, bytes);
      return Json{
          {"cmd", bytes.Chance(128) ? "sample" : "legal"}, {"view", view}, {"seed", bytes.Byte()}}
          .dump();
    }
    default: return bytes.Text(2000);
  }
}

}  // namespace

void State(Input input) {
  Bytes bytes(input);
  Expected<Json> json = ParseJson(AsText(input));
  if (!json || !json->is_object()) {
    Json made = ToJson(SomeGame(bytes).state);
    for (int count = 0; count < 8 && !bytes.Done(); ++count) TwistState(made, bytes);
    json = made;
  }
  const Expected<civ::State> state = StateFromJson(*json);
  if (!state) {
    Expect(!English().Describe(state.error()).empty(), "an error without words");
    return;
  }
  ExpectSound(*state, "loading");
  ExpectLoadsAgain(*state);
  ExpectNeighboursSound(*state);
  for (uint64_t seed = 0; seed < 3; ++seed) ExpectEnds(*state, seed);
  for (Seat viewer = 0; viewer <= state->config.players; ++viewer) {
    const Seat who = viewer == state->config.players ? kSpectator : viewer;
    const civ::View view = MakeView(*state, {}, who);
    Random random(viewer);
    const std::optional<civ::State> sampled = Sample(view, random);
    Expect(sampled.has_value(), "no state fits the view of a state");
    ExpectFits(view, *sampled);
  }
}

// A request to look is answered in JSON, whatever it holds.
Json ExpectLook(const Json& request) {
  const Expected<Json> answer =
      ParseJson(AnswerLook(request.dump(-1, ' ', false, Json::error_handler_t::replace)));
  Expect(answer && answer->is_object() && (*answer)["ok"].is_boolean(),
         "not an answer to a request to look");
  return *answer;
}

// What is no puzzle is refused, and what is one has answers that can be played.
void ExpectPuzzle(std::string_view text) {
  const Json posed = ExpectLook({{"puzzle", text}});
  if (posed["ok"] == true)
    Expect(ExpectLook({{"puzzle", text}, {"turn", posed["answer"]}})["over"] == true,
           "the answer of a puzzle is no turn");
}

void View(Input input) {
  ExpectPuzzle(AsText(input));
  Bytes bytes(input);
  Expected<Json> json = ParseJson(AsText(input));
  if (!json || !json->is_object()) {
    const Game game = SomeGame(bytes);
    const uint32_t viewer = bytes.Below(game.state.config.players + 1u);
    Json made = ToJson(
        MakeView(game.state, game.knowledge,
                 viewer == game.state.config.players ? kSpectator : static_cast<Seat>(viewer)));
    for (int count = 0; count < 8 && !bytes.Done(); ++count) TwistView(made, bytes);
    json = made;
  }
  ExpectLook(*json);  // the input may be a request, too
  const Expected<civ::View> view = ViewFromJson(*json);
  if (!view) {
    Expect(!English().Describe(view.error()).empty(), "an error without words");
    return;
  }
  ExpectSame(test::WrongDerived(*view), "a loaded view");
  const Json printed = ToJson(*view);
  const Expected<civ::View> again = ViewFromJson(printed);
  Expect(static_cast<bool>(again), "a printed view is refused: " + printed.dump());
  ExpectSame(test::Difference(*again, *view), "a printed view is loaded differently");
  const Json look = ExpectLook({{"view", printed}});
  Expect(look["ok"] == true, "a view was taken, but cannot be looked at");
  Expect(ExpectLook({{"talk", {{"view", printed}, {"pacts", ToJson(Diplomacy())}}}})["ok"] == true,
         "a view was taken, but nobody can talk there");
  for (const Json& action : look["guide"]["legal"])
    Expect(ExpectLook({{"view", printed}, {"then", {action}}})["ok"] == true,
           "an offered action is refused: " + action.dump());
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    Random random(seed);
    const std::optional<civ::State> state = Sample(*view, random);
    Expect(state.has_value(), "a view was taken, but no state fits");
    ExpectFits(*view, *state);
    ExpectLoadsAgain(*state);
  }
}

void Action(Input input) {
  const std::string_view text = AsText(input);
  const std::optional<civ::Action> action = ParseAction(text);
  if (!action) return;
  Expect(NameOf(*action) == text, "“" + std::string(text) + "” is read as " + NameOf(*action));
}

void Record(Input input) {
  Bytes bytes(input);
  std::string text(AsText(input));
  const Expected<Json> json = ParseJson(text);
  if (!json || !json->is_object()) {
    const std::vector<Config> configs = {
        {.players = 2},
        {.players = 3, .setup = Setup::Draft, .edition = Edition::Es},
        {.players = 4, .teams = true}};
    const Deal deal = DealFromSeed(configs[bytes.Below(configs.size())], bytes.Byte());
    Random random(bytes.Byte());
    civ::Record record{
        deal.config, {deal.deck.Span().begin(), deal.deck.Span().end()}, {}, {}, {}, {}, {}};
    civ::State state = New(deal.config, deal.deck.Span());
    for (uint32_t count = bytes.Chance(60) ? 5000 : bytes.Below(40);
         count > 0 && state.step != Step::Over; --count) {
      record.actions.push_back(ChooseUniform(Legal(state), random));
      Apply(state, record.actions.back());
    }
    if (state.step == Step::Over) record.result = ToJson(state.config, Result(state));
    Json made = *ParseJson(record.Dump());
    for (int count = 0; count < 6 && !bytes.Done(); ++count) TwistRecord(made, bytes);
    text = made.dump();
  }
  const auto read = ReadRecord(text);
  if (const auto* wrong = std::get_if<RecordError>(&read)) {
    Expect(!English().Describe(wrong->error).empty() && wrong->action >= RecordError::kHeader,
           "an error without words or place");
    return;
  }
  const auto& record = std::get<civ::Record>(read);
  const auto again = ReadRecord(record.Dump());
  Expect(std::holds_alternative<civ::Record>(again), "a written record is refused");
  Expect(std::get<civ::Record>(again).Dump() == record.Dump(),
         "a written record is read differently");
  const std::vector<civ::State> states = StatesOf(record);
  Expect(states.size() == record.actions.size() + 1, "not one state for each action");
  ExpectSound(states.back(), "a record");
}

void Referee(Input input) {
  Bytes bytes(input);
  Session session;
  Json position = Json::object();
  for (int count = 0; count < 20 && !bytes.Done(); ++count) {
    const std::string before = session.Shown();
    const std::string line = bytes.Chance(128) ? Request(bytes, position) : bytes.Text(100'000);
    if (line.find("perft") != line.npos) continue;  // may be asked for minutes of work
    const std::optional<Json> answer = session.Ask(line);
    if (!answer) return;
    const bool may_change =
        (*answer)["ok"] == true && answer->contains("legal") && answer->contains("state");
    if (may_change)
      position = *answer;
    else
      Expect(session.Shown() == before, "changed by: " + line);
  }
}

namespace {

const Person kAda = {"p_ada", "Ada"}, kBob = {"p_bob", "Bob"}, kEve = {"p_eve", "Eve"};

// Everything that a server asks of a table.
void ExpectWorks(const Table& table) {
  for (const Person& who : {kAda, kBob, kEve}) {
    Expect(static_cast<bool>(ParseJson(TellAll(table, who))), "what is told is not JSON");
    for (const CommandBody& body :
         {CommandBody(command::Resign{}), CommandBody(command::Return{}),
          CommandBody(command::Answer{table.question() ? table.question()->number : 0, true}),
          CommandBody(command::TakeBack{table.number(), 0}), CommandBody(command::Rematch{})})
      table.Do(who, {"", body}, table.now(), {std::string(kSecretDigits, 'a'), "next"});
  }
  Table::Absences absent{};
  absent.fill(0);
  if (const auto due = table.NextDue(absent)) table.Due(*due, absent);
  for (Seat seat = 0; table.HasGame() && seat < table.chairs().size(); ++seat)
    Legal(table.ViewFor(seat));
  if (table.HasGame()) table.ToRecord().Dump();
  table.BotTurns();
}

// What is stored can be read again, and comes to the same.
void ExpectStored(Table table, const Change& change) {
  Expect(change.events.size() == change.tables.size(), "not one table for each event");
  for (size_t i = 0; i < change.events.size(); ++i) {
    const Expected<Event> read = EventFromText(ToText(change.events[i]));
    Expect(read && ToText(*read) == ToText(change.events[i]),
           "an event is not read as it was written: " + ToText(change.events[i]));
    TellEvent(table, *read, change.tables[i], kSpectator);
    Expect(!table.Apply(*read), "an event is refused that was done");
    Expect(TellAll(table, kAda) == TellAll(change.tables[i], kAda),
           "an event that was read does something else");
  }
}

// A table with a game somewhere in the middle, from its log.
std::vector<Event> SomeLog(Bytes& bytes) {
  TableOptions options;
  options.config =
      bytes.Chance(128) ? Config{.players = 2} : Config{.players = 3, .setup = Setup::Draft};
  if (bytes.Chance(128)) options.clock = TimeControl{30, 60, 5};
  const Deal deal = DealFromSeed(options.config, bytes.Byte());
  Expected<Change> change = Table::Open(options, kAda, {}, 0);
  std::vector<Event> log = change->events;
  Table table = change->tables.back();
  const auto happen = [&](EventBody body) {
    const Event event{table.now() + bytes.Below(2000), std::move(body)};
    if (!table.Apply(event)) log.push_back(event);
  };
  happen(event::Sit{1, kBob});
  happen(event::SeatBot{2, "level1"});
  if (bytes.Chance(20)) return log;
  happen(event::Commit{std::string(kSecretDigits, 'a'), HashOf(std::string(kSecretDigits, 'a'))});
  happen(event::Contribute{0, std::string(kSecretDigits, 'b')});
  happen(event::Deal{deal.config.first, {deal.deck.Span().begin(), deal.deck.Span().end()}});
  Random random(bytes.Byte());
  for (uint32_t count = bytes.Below(120); count > 0 && table.status() == Status::Running; --count) {
    const auto any = static_cast<Seat>(bytes.Below(3));
    switch (bytes.Below(25)) {
      case 0: happen(event::Leave{any, Left::Absent}); break;
      case 1: happen(event::Ask{any, std::nullopt}); break;
      case 2: happen(event::Ask{any, table.barrier()}); break;
      case 3: happen(event::Answer{any, bytes.Chance(200)}); break;
      case 4: happen(event::Back{any, table.barrier()}); break;
      case 5: happen(event::Return{any}); break;
      case 6: happen(event::Say{kEve, std::nullopt, "hm", ""}); break;
      case 7: happen(event::Mute{"p_ada", "p_eve", true}); break;
      case 8:
        if (const auto all = table.pacts().Possible(table.game().state, any, kAnyThreat);
            !all.empty())
          happen(event::Talk{any, all[bytes.Below(all.size())]});
        break;
      default:
        if (const int round = table.DraftRound(); round > 0)
          for (Seat seat = 0; seat < 3; ++seat)
            happen(event::Pick{seat, round, Cards(table.game().state.packs[seat]).First()});
        else
          happen(event::Act{table.game().state.seat,
                            {ChooseUniform(Legal(table.game().state), random)}});
    }
  }
  return log;
}

}  // namespace

void Command(Input input) {
  std::string id;
  const Expected<civ::Command> command = CommandFromText(AsText(input), id);
  Expect(id.size() <= kLongestId, "an id that is too long");
  if (!command) {
    Expect(!command.error().key.empty(), "an error without a key");
    Expect(static_cast<bool>(ParseJson(TellRefused(id, 1, command.error()))),
           "a refusal is not JSON");
    return;
  }
  // At a table that waits, and at others that depend on the text.
  for (int kind = 0; kind < 4; ++kind) {
    std::vector<uint8_t> seed(input.begin(), input.end());
    seed.insert(seed.begin(), {static_cast<uint8_t>(64 * kind), 0, static_cast<uint8_t>(kind), 255,
                               7, static_cast<uint8_t>(kind * 20)});
    Bytes bytes(seed);
    const Expected<Table> table = Table::FromLog(SomeLog(bytes));
    Expect(static_cast<bool>(table), "a log is refused that was done");
    for (const Person& who : {kAda, kBob, kEve})
      if (const Expected<Change> change = table->Do(who, *command, table->now() + 10,
                                                    {std::string(kSecretDigits, 'c'), "next"}))
        ExpectStored(*table, *change);
      else
        TellRefused(id, table->number(), change.error());
  }
}

void TableLog(Input input) {
  std::vector<std::string> lines;
  Bytes bytes(input);
  if (!input.empty() && input[0] == '{') {
    while (!bytes.Done()) lines.push_back(bytes.Text(100'000));
  } else {
    for (const Event& event : SomeLog(bytes)) lines.push_back(ToText(event));
    for (int count = 0; count < 4 && !bytes.Done(); ++count) {
      const size_t at = bytes.Below(lines.size());
      switch (bytes.Below(4)) {
        case 0: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at)); break;
        case 1: std::swap(lines[at], lines[bytes.Below(lines.size())]); break;
        default: {
          Json event = *ParseJson(lines[at]);
          TwistEvent(event, bytes);
          lines[at] = event.dump(-1, ' ', false, Json::error_handler_t::replace);
        }
      }
      if (lines.empty()) return;
    }
  }
  Table table;
  for (const std::string& line : lines) {
    const Expected<Event> event = EventFromText(line);
    if (!event) break;
    const Expected<Event> again = EventFromText(ToText(*event));
    Expect(again && ToText(*again) == ToText(*event),
           "an event is not read as it was written: " + ToText(*event));
    if (table.Apply(*event)) break;
    if (table.number() % 16 == 0) ExpectWorks(table);
  }
  if (table.number() > 0) ExpectWorks(table);
}

}  // namespace civ::fuzz
