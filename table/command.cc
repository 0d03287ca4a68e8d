#include "table/command.h"

#include <algorithm>
#include <array>

#include "bots/bot.h"
#include "notation/notation.h"

namespace civ {
namespace {

using namespace command;

constexpr std::array<std::string_view, 14> kPhrases = {"hello", "good-luck", "your-turn", "thinking",  "well-played", "thanks",  "sorry",
                                                       "oops",  "wow",       "careful",   "stop-them", "truce",       "rematch", "goodbye"};

Seat ReadSeat(Reader& from) { return static_cast<Seat>(from.Int("seat", 0, kMaxSeats - 1)); }

int64_t ReadBuilds(Reader& from) { return static_cast<int64_t>(std::min<uint64_t>(from.Number("builds"), INT64_MAX)); }

template <class Names>
std::string OneOf(Reader& from, std::string_view field, const Names& names) {
  std::string name = from.Text(field);
  if (from.ok() && std::ranges::find(names, name) == std::ranges::end(names))
    from.Fail("error.value", {{"field", std::string(field)}, {"value", name}});
  return name;
}

CommandBody ReadAct(Reader& from) {
  Act act{ReadBuilds(from), {}};
  const Json& actions = from.Array("actions");
  if (actions.empty() || actions.size() > kMostActionsAtOnce)
    from.Fail("error.range", {{"field", "actions"}, {"least", "1"}, {"most", std::to_string(kMostActionsAtOnce)}});
  for (const Json& item : actions) {
    const std::string name = item.is_string() ? item.get<std::string>() : item.dump(-1, ' ', false, Json::error_handler_t::replace);
    const std::optional<Action> action = item.is_string() ? ParseAction(name) : std::nullopt;
    if (!action) from.Fail("error.action", {{"action", name}});
    if (!from.ok()) break;
    act.actions.push_back(*action);
  }
  return act;
}

CommandBody ReadSay(Reader& from) {
  if (from.Has("phrase")) return Say{{}, OneOf(from, "phrase", kPhrases)};
  Say say{from.Text("text"), {}};
  if (from.ok() && say.text.empty()) from.Fail("error.missing", {{"field", "text"}});
  const auto begins = [](char c) { return (c & 0xc0) != 0x80; };  // a code point
  if (std::ranges::count_if(say.text, begins) > static_cast<std::ptrdiff_t>(kLongestSay))
    from.Fail("error.too-long", {{"field", "text"}, {"most", std::to_string(kLongestSay)}});
  return say;
}

struct Kindred {
  std::string_view name;
  CommandBody (*read)(Reader&);
};
constexpr std::array<Kindred, std::variant_size_v<CommandBody>> kCommands = {{
    {"sit", [](Reader& from) -> CommandBody { return Sit{ReadSeat(from)}; }},
    {"stand", [](Reader&) -> CommandBody { return Stand{}; }},
    {"seat-bot", [](Reader& from) -> CommandBody { return SeatBot{ReadSeat(from), OneOf(from, "bot", BotNames())}; }},
    {"unseat", [](Reader& from) -> CommandBody { return Unseat{ReadSeat(from)}; }},
    {"start", [](Reader&) -> CommandBody { return Start{}; }},
    {"contribute", [](Reader& from) -> CommandBody { return Contribute{from.Text("random")}; }},
    {"act", ReadAct},
    {"pick", [](Reader& from) -> CommandBody { return Pick{from.Int("round", 1, 3), from.Word("card", ParseKind)}; }},
    {"take-back", [](Reader& from) -> CommandBody { return TakeBack{ReadBuilds(from), from.Int("to", 0, 10'000)}; }},
    {"answer", [](Reader& from) -> CommandBody { return Answer{from.Bool("yes")}; }},
    {"resign", [](Reader&) -> CommandBody { return Resign{}; }},
    {"abandon", [](Reader&) -> CommandBody { return Abandon{}; }},
    {"return", [](Reader&) -> CommandBody { return Return{}; }},
    {"say", ReadSay},
    {"mute", [](Reader& from) -> CommandBody { return Mute{from.Text("whom"), from.Bool("on")}; }},
    {"rematch", [](Reader&) -> CommandBody { return Rematch{}; }},
}};

}  // namespace

std::string_view NameOf(const CommandBody& body) { return kCommands[body.index()].name; }

std::span<const std::string_view> QuickPhrases() { return kPhrases; }

Expected<Command> CommandFromText(std::string_view text, std::string& id) {
  id.clear();
  const Expected<Json> json = ParseJson(text);
  if (!json) return json.error();
  Reader from(*json);
  std::string given = from.Has("id") ? from.Text("id") : std::string();
  if (given.size() > kLongestId)
    from.Fail("error.too-long", {{"field", "id"}, {"most", std::to_string(kLongestId)}});
  else
    id = std::move(given);
  const std::string type = from.Text("type");
  if (!from.ok()) return *from.error;
  const auto* kind = std::ranges::find(kCommands, type, &Kindred::name);
  if (kind == kCommands.end()) return Error{"error.value", {{"field", "type"}, {"value", type}}};
  CommandBody body = kind->read(from);
  if (!from.ok()) return *from.error;
  return Command{id, std::move(body)};
}

}  // namespace civ
