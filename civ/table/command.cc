#include "civ/table/command.h"

#include <algorithm>
#include <array>

#include "civ/notation/notation.h"
#include "civ/table/fields.h"

namespace civ {
namespace {

constexpr std::array<std::string_view, 14> kPhrases = {
    "hello", "good-luck", "your-turn", "thinking",  "well-played", "thanks",  "sorry",
    "oops",  "wow",       "careful",   "stop-them", "truce",       "rematch", "goodbye"};

int64_t ReadEventNumber(Reader& from, std::string_view field) {
  return static_cast<int64_t>(std::min<uint64_t>(from.Number(field), INT64_MAX));
}

std::string ReadPhrase(Reader& from) {
  std::string phrase = from.Text("phrase");
  if (from.ok() && std::ranges::find(kPhrases, phrase) == kPhrases.end())
    from.Fail("error.value", {{"field", "phrase"}, {"value", phrase}});
  return phrase;
}

CommandBody ReadActCommand(Reader& from) {
  command::Act act{ReadEventNumber(from, "builds"), {}};
  const Json& actions = from.Array("actions");
  if (actions.empty() || actions.size() > kMostActionsAtOnce)
    from.Fail("error.range",
              {{"field", "actions"}, {"least", "1"}, {"most", std::to_string(kMostActionsAtOnce)}});
  for (const Json& item : actions) {
    const std::string name = item.is_string()
                                 ? item.get<std::string>()
                                 : item.dump(-1, ' ', false, Json::error_handler_t::replace);
    const std::optional<Action> action = item.is_string() ? ParseAction(name) : std::nullopt;
    if (!action) from.Fail("error.action", {{"action", name}});
    if (!from.ok()) break;
    act.actions.push_back(*action);
  }
  return act;
}

CommandBody ReadSayCommand(Reader& from) {
  if (from.Has("phrase")) return command::Say{{}, ReadPhrase(from)};
  command::Say say{from.Text("text"), {}};
  if (from.ok() && say.text.empty()) from.Fail("error.missing", {{"field", "text"}});
  const auto begins = [](char c) { return (c & 0xc0) != 0x80; };  // a code point
  if (std::ranges::count_if(say.text, begins) > static_cast<std::ptrdiff_t>(kLongestSay))
    from.Fail("error.too-long", {{"field", "text"}, {"most", std::to_string(kLongestSay)}});
  return say;
}

struct CommandType {
  std::string_view name;
  CommandBody (*read)(Reader&);
};
constexpr std::array<CommandType, std::variant_size_v<CommandBody>> kCommands = {{
    {"sit", [](Reader& from) -> CommandBody { return command::Sit{ReadSeat(from)}; }},
    {"stand", [](Reader&) -> CommandBody { return command::Stand{}; }},
    {"seat-bot",
     [](Reader& from) -> CommandBody {
       return command::SeatBot{ReadSeat(from), ReadBot(from, "bot")};
     }},
    {"unseat", [](Reader& from) -> CommandBody { return command::Unseat{ReadSeat(from)}; }},
    {"start", [](Reader&) -> CommandBody { return command::Start{}; }},
    {"contribute",
     [](Reader& from) -> CommandBody { return command::Contribute{from.Text("random")}; }},
    {"act", ReadActCommand},
    {"pick",
     [](Reader& from) -> CommandBody {
       return command::Pick{from.Int("round", 1, 3), from.Word("card", ParseKind)};
     }},
    {"take-back",
     [](Reader& from) -> CommandBody {
       return command::TakeBack{ReadEventNumber(from, "builds"), from.Int("to", 0, 10'000)};
     }},
    {"answer",
     [](Reader& from) -> CommandBody {
       return command::Answer{ReadEventNumber(from, "question"), from.Bool("yes")};
     }},
    {"resign", [](Reader&) -> CommandBody { return command::Resign{}; }},
    {"abandon", [](Reader&) -> CommandBody { return command::Abandon{}; }},
    {"return", [](Reader&) -> CommandBody { return command::Return{}; }},
    {"say", ReadSayCommand},
    {"mute",
     [](Reader& from) -> CommandBody { return command::Mute{from.Text("whom"), from.Bool("on")}; }},
    {"rematch", [](Reader&) -> CommandBody { return command::Rematch{}; }},
    {"talk", [](Reader& from) -> CommandBody { return command::Talk{ReadTalk(from)}; }},
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
  const auto* kind = std::ranges::find(kCommands, type, &CommandType::name);
  if (kind == kCommands.end()) return Error{"error.value", {{"field", "type"}, {"value", type}}};
  CommandBody body = kind->read(from);
  if (!from.ok()) return *from.error;
  return Command{id, std::move(body)};
}

}  // namespace civ
