#include "civ/table/event.h"

#include <array>

#include "civ/guide/json.h"
#include "civ/notation/notation.h"
#include "civ/notation/talk.h"
#include "civ/table/fields.h"

namespace civ {
namespace {

constexpr std::array<std::string_view, 4> kLeft = {"resigned", "abandoned", "absent", "time"};
constexpr std::array<std::string_view, 3> kTakebacks = {"never", "turn", "ask"};
constexpr size_t kLongestName = 200;  // bytes; the server asks for less
constexpr size_t kLongestText = 4000;
constexpr int kMostSeconds = 14 * 24 * 3600;
constexpr int kMostActions = 10'000;
constexpr uint64_t kLatest = uint64_t{1} << 53;

template <size_t N, class T>
std::optional<T> Find(const std::array<std::string_view, N>& names, std::string_view name) {
  for (size_t i = 0; i < N; ++i)
    if (names[i] == name) return static_cast<T>(i);
  return std::nullopt;
}
std::optional<Left> ParseLeft(std::string_view name) { return Find<4, Left>(kLeft, name); }
std::optional<Takebacks> ParseTakebacks(std::string_view name) {
  return Find<3, Takebacks>(kTakebacks, name);
}

Json ToJson(const Chair& chair) {
  return {{"person", chair.person ? civ::ToJson(*chair.person) : Json()},
          {"bot", chair.bot.empty() ? Json() : Json(chair.bot)}};
}

// Writing: the fields of each kind of event.
Json Fields(const event::Create& e) {
  Json json = {
      {"options", civ::ToJson(e.options)}, {"by", civ::ToJson(e.by)}, {"chairs", Json::array()}};
  if (e.clock_rules > 1) json["clocks"] = e.clock_rules;
  for (const Chair& chair : e.chairs) json["chairs"].push_back(ToJson(chair));
  return json;
}
Json Fields(const event::Sit& e) { return {{"seat", e.seat}, {"person", civ::ToJson(e.person)}}; }
Json Fields(const event::Stand& e) { return {{"seat", e.seat}}; }
Json Fields(const event::SeatBot& e) { return {{"seat", e.seat}, {"bot", e.bot}}; }
Json Fields(const event::Commit& e) { return {{"hash", e.hash}, {"secret", e.secret}}; }
Json Fields(const event::Contribute& e) { return {{"seat", e.seat}, {"random", e.random}}; }
Json Fields(const event::Deal& e) { return {{"first", e.first}, {"deck", civ::ToJson(e.deck)}}; }
Json Fields(const event::Act& e) {
  Json json = {{"seat", e.seat}, {"actions", Json::array()}};
  for (const Action action : e.actions) json["actions"].push_back(NameOf(action));
  return json;
}
Json Fields(const event::Pick& e) {
  return {{"seat", e.seat}, {"round", e.round}, {"card", NameOf(e.card)}};
}
Json Fields(const event::Ask& e) {
  return {{"seat", e.seat}, {"back", e.back_to ? Json(*e.back_to) : Json()}};
}
Json Fields(const event::Answer& e) { return {{"seat", e.seat}, {"yes", e.yes}}; }
Json Fields(const event::Back& e) { return {{"seat", e.seat}, {"to", e.to}}; }
Json Fields(const event::Leave& e) { return {{"seat", e.seat}, {"why", NameOf(e.why)}}; }
Json Fields(const event::Return& e) { return {{"seat", e.seat}}; }
Json Fields(const event::Forfeit& e) { return {{"winners", e.winners}}; }
Json Fields(const event::Say& e) {
  Json json = {{"person", civ::ToJson(e.person)}, {"seat", e.seat ? Json(*e.seat) : Json()}};
  json[e.phrase.empty() ? "text" : "phrase"] = e.phrase.empty() ? e.text : e.phrase;
  return json;
}
Json Fields(const event::Mute& e) { return {{"by", e.by}, {"whom", e.whom}, {"on", e.on}}; }
Json Fields(const event::Rematch& e) { return {{"table", e.table}}; }
Json Fields(const event::Rename& e) { return {{"person", civ::ToJson(e.person)}}; }
Json Fields(const event::Close& e) { return {{"why", e.why}}; }
Json Fields(const event::Talk& e) { return {{"seat", e.seat}, {"talk", civ::ToJson(e.talk)}}; }

// Reading.
std::string ReadText(Reader& from, std::string_view field, size_t longest) {
  std::string text = from.Text(field);
  if (text.size() > longest)
    from.Fail("error.too-long", {{"field", std::string(field)}, {"most", std::to_string(longest)}});
  return text;
}

Person PersonIn(Reader& from, std::string_view field) {
  Reader person = from.Object(field);
  Person read{ReadText(person, "id", kLongestName), ReadText(person, "name", kLongestName)};
  if (person.ok() && read.id.empty()) person.Fail("error.missing", {{"field", "id"}});
  from.Adopt(person);
  return read;
}

Chair ReadChair(const Json& json, Reader& from) {
  Reader reader(json);
  Chair chair;
  if (reader.ok() && !reader.IsNull("person")) chair.person = PersonIn(reader, "person");
  if (reader.ok() && !reader.IsNull("bot")) chair.bot = ReadBot(reader, "bot");
  from.Adopt(reader);
  return chair;
}

EventBody ReadCreate(Reader& from) {
  event::Create create;
  const Expected<TableOptions> options = OptionsFromJson(from.Field("options"));
  if (options)
    create.options = *options;
  else
    from.Fail(options.error().key, options.error().args);
  create.by = PersonIn(from, "by");
  for (const Json& chair : from.Array("chairs")) create.chairs.push_back(ReadChair(chair, from));
  create.clock_rules = from.Has("clocks") ? from.Int("clocks", 1, 2) : 1;
  return create;
}

EventBody ReadActEvent(Reader& from) {
  event::Act act{ReadSeat(from), {}};
  for (const Json& item : from.Array("actions")) {
    const std::optional<Action> action =
        item.is_string() ? ParseAction(item.get_ref<const std::string&>()) : std::nullopt;
    if (!action)
      from.Fail("error.action",
                {{"action", item.is_string() ? item.get<std::string>() : item.dump()}});
    if (!from.ok()) break;
    act.actions.push_back(*action);
  }
  return act;
}

EventBody ReadSayEvent(Reader& from) {
  event::Say say{PersonIn(from, "person"), {}, {}, {}};
  if (!from.IsNull("seat")) say.seat = ReadSeat(from);
  (from.Has("phrase") ? say.phrase : say.text) =
      ReadText(from, from.Has("phrase") ? "phrase" : "text", kLongestText);
  return say;
}

// Version 0.2.0 has written the ids of some commands only, and not whose they were.
Cause ReadCause(Reader& from, const std::string& type) {
  const auto text = [&](std::string_view field) {
    return from.Has(field) ? ReadText(from, field, kLongestName) : std::string();
  };
  Cause cause{text("who"), text("does"), text("id")};
  if (cause.command.empty()) cause.command = type;
  return cause;
}

struct EventType {
  std::string_view name;
  EventBody (*read)(Reader&);
};
// In the order of the alternatives of EventBody.
constexpr std::array<EventType, std::variant_size_v<EventBody>> kEvents = {{
    {"create", ReadCreate},
    {"sit",
     [](Reader& from) -> EventBody {
       return event::Sit{ReadSeat(from), PersonIn(from, "person")};
     }},
    {"stand", [](Reader& from) -> EventBody { return event::Stand{ReadSeat(from)}; }},
    {"seat-bot",
     [](Reader& from) -> EventBody {
       return event::SeatBot{ReadSeat(from), ReadBot(from, "bot")};
     }},
    {"commit",
     [](Reader& from) -> EventBody {
       return event::Commit{ReadText(from, "secret", 64), ReadText(from, "hash", 64)};
     }},
    {"contribute",
     [](Reader& from) -> EventBody {
       return event::Contribute{ReadSeat(from), ReadText(from, "random", 64)};
     }},
    {"deal",
     [](Reader& from) -> EventBody {
       return event::Deal{static_cast<Seat>(from.Int("first", 0, kMaxSeats - 1)),
                          from.List("deck")};
     }},
    {"act", ReadActEvent},
    {"pick",
     [](Reader& from) -> EventBody {
       return event::Pick{ReadSeat(from), from.Int("round", 1, 3), from.Word("card", ParseKind)};
     }},
    {"ask",
     [](Reader& from) -> EventBody {
       return event::Ask{ReadSeat(from), from.IsNull("back")
                                             ? std::nullopt
                                             : std::optional(from.Int("back", 0, kMostActions))};
     }},
    {"answer",
     [](Reader& from) -> EventBody { return event::Answer{ReadSeat(from), from.Bool("yes")}; }},
    {"back",
     [](Reader& from) -> EventBody {
       return event::Back{ReadSeat(from), from.Int("to", 0, kMostActions)};
     }},
    {"leave",
     [](Reader& from) -> EventBody {
       return event::Leave{ReadSeat(from), from.Word("why", ParseLeft)};
     }},
    {"return", [](Reader& from) -> EventBody { return event::Return{ReadSeat(from)}; }},
    {"forfeit",
     [](Reader& from) -> EventBody {
       return event::Forfeit{static_cast<unsigned>(from.Int("winners", 1, (1 << kMaxSeats) - 1))};
     }},
    {"say", ReadSayEvent},
    {"mute",
     [](Reader& from) -> EventBody {
       return event::Mute{ReadText(from, "by", kLongestName), ReadText(from, "whom", kLongestName),
                          from.Bool("on")};
     }},
    {"rematch",
     [](Reader& from) -> EventBody {
       return event::Rematch{ReadText(from, "table", kLongestName)};
     }},
    {"rename", [](Reader& from) -> EventBody { return event::Rename{PersonIn(from, "person")}; }},
    {"close",
     [](Reader& from) -> EventBody { return event::Close{ReadText(from, "why", kLongestName)}; }},
    {"talk", [](Reader& from) -> EventBody { return event::Talk{ReadSeat(from), ReadTalk(from)}; }},
}};

TimeControl ReadClock(Reader& from) {
  Reader clock = from.Object("clock");
  const TimeControl control{clock.Int("turn", 1, kMostSeconds),
                            clock.Has("bank") ? clock.Int("bank", 0, kMostSeconds) : 0,
                            clock.Has("increment") ? clock.Int("increment", 0, kMostSeconds) : 0};
  from.Adopt(clock);
  return control;
}

}  // namespace

std::string_view NameOf(const EventBody& body) { return kEvents[body.index()].name; }
std::string_view NameOf(Left why) { return kLeft[static_cast<size_t>(why)]; }

std::string ToText(const Event& event) {
  Json json = {{"type", NameOf(event.body)}, {"at", event.at}};
  json.update(std::visit([](const auto& body) { return Fields(body); }, event.body));
  const auto& [person, command, id] = event.cause;
  if (!person.empty()) json["who"] = person;
  if (!person.empty() && command != NameOf(event.body)) json["does"] = command;
  if (!id.empty()) json["id"] = id;
  return Dump(json);
}

Expected<Event> EventFromText(std::string_view text) {
  const Expected<Json> json = ParseJson(text);
  if (!json) return json.error();
  Reader from(*json);
  const std::string type = from.Text("type");
  const uint64_t at = from.Number("at");
  if (at > kLatest)
    from.Fail("error.range", {{"field", "at"}, {"least", "0"}, {"most", std::to_string(kLatest)}});
  if (!from.ok()) return *from.error;
  for (const EventType& known : kEvents) {
    if (known.name != type) continue;
    Event event{static_cast<int64_t>(at), known.read(from), ReadCause(from, type)};
    if (!from.ok()) return *from.error;
    return event;
  }
  return Error{std::string(kNewerLog), {{"value", type}}};
}

Json ToJson(const Person& person) { return {{"id", person.id}, {"name", person.name}}; }

Json ToJson(const TableOptions& options) {
  const Config& config = options.config;
  const auto& clock = options.clock;
  return {
      {"players", config.players},
      {"setup", NameOf(config.setup)},
      {"edition", NameOf(config.edition)},
      {"teams", config.teams},
      {"clock",
       clock ? Json{{"turn", clock->turn}, {"bank", clock->bank}, {"increment", clock->increment}}
             : Json()},
      {"takeover", options.takeover},
      {"absence", options.absence},
      {"listed", options.listed},
      {"spectators", options.spectators},
      {"takebacks", kTakebacks[static_cast<size_t>(options.takebacks)]},
      {"pacts", options.pacts}};
}

Expected<TableOptions> OptionsFromJson(const Json& json) {
  Reader from(json);
  TableOptions options;
  options.config = from.Configuration(true);
  if (from.Has("clock") && !from.IsNull("clock")) options.clock = ReadClock(from);
  if (from.Has("takeover")) options.takeover = ReadBot(from, "takeover");
  if (from.Has("absence")) options.absence = from.Int("absence", 0, kMostSeconds);
  if (from.Has("listed")) options.listed = from.Bool("listed");
  if (from.Has("spectators")) options.spectators = from.Bool("spectators");
  if (from.Has("takebacks")) options.takebacks = from.Word("takebacks", ParseTakebacks);
  if (from.Has("pacts")) options.pacts = from.Bool("pacts");
  if (!from.ok()) return *from.error;
  return options;
}

}  // namespace civ
