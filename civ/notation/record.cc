#include "civ/notation/record.h"

#include "civ/notation/notation.h"

namespace civ {
namespace {

constexpr const char* kFormat = "civ-game/1";

Json OptionalField(const Json& json, const char* field) {
  return json.contains(field) ? json.at(field) : Json();
}

bool IsForfeit(const Json& result, const Config& config) {
  if (!result.is_object() || result.value("by", Json()) != "forfeit" ||
      !result.value("winners", Json()).is_array())
    return false;
  for (const Json& seat : result["winners"])
    if (!seat.is_number_integer() || seat < 0 || seat >= config.players) return false;
  return true;
}

void ReadHeader(Reader& from, const Json& json, Record& record) {
  if (from.Text("format") != kFormat) from.Fail("error.record.format");
  if (from.Int("rules", 0, INT32_MAX) != kRulesVersion) from.Fail("error.record.rules");
  record.config = from.Configuration(false);
  record.config.first = static_cast<Seat>(from.Int("first", 0, record.config.players - 1));
  record.deck = from.List("deck");
  from.Field("result");
  if (!from.ok()) return;
  record.result = json.at("result");
  record.names = OptionalField(json, "names");
  record.date = OptionalField(json, "date");
  record.comments = OptionalField(json, "comments");
}

std::optional<Error> CheckRecordResult(const Record& record, const State& last) {
  if (last.step == Step::Over) {
    if (record.result == ToJson(record.config, Result(last))) return std::nullopt;
    return Error{"error.record.result", {}};
  }
  if (record.result.is_null() || IsForfeit(record.result, record.config)) return std::nullopt;
  return Error{"error.record.not-over", {}};
}

}  // namespace

std::string Record::Dump() const {
  Json json = {{"format", kFormat},
               {"rules", kRulesVersion},
               {"edition", civ::NameOf(config.edition)},
               {"players", config.players},
               {"setup", civ::NameOf(config.setup)},
               {"teams", config.teams},
               {"first", config.first},
               {"deck", ToJson(deck)},
               {"actions", Json::array()},
               {"result", result}};
  for (const Action action : actions) json["actions"].push_back(civ::NameOf(action));
  if (!names.is_null()) json["names"] = names;
  if (!date.is_null()) json["date"] = date;
  if (!comments.is_null()) json["comments"] = comments;
  return json.dump();
}

std::string Record::NameOf(Seat seat) const {
  if (!names.is_array() || seat >= names.size() || !names[seat].is_string()) return {};
  return names[seat].get<std::string>();
}

namespace {

// `complete` if a game that is over must have its result.
std::variant<Record, RecordError> Read(const Json& json, bool complete) {
  Reader from(json);
  Record record;
  ReadHeader(from, json, record);
  const Json& actions = from.Array("actions");
  if (!from.ok()) return RecordError{RecordError::kHeader, *from.error};
  const Expected<State> dealt = CheckedNew(record.config, record.deck);
  if (!dealt) return RecordError{RecordError::kHeader, dealt.error()};

  State state = *dealt;
  for (const Json& item : actions) {
    const int index = static_cast<int>(record.actions.size());
    const std::string name = item.is_string() ? item.get<std::string>() : item.dump();
    const std::optional<Action> action = item.is_string() ? ParseAction(name) : std::nullopt;
    if (!action) return RecordError{index, {"error.action", {{"action", name}}}, state};
    if (const std::optional<Error> wrong = CheckedApply(state, *action))
      return RecordError{index, *wrong, state};
    record.actions.push_back(*action);
  }
  if (!complete && record.result.is_null()) return record;
  if (const std::optional<Error> wrong = CheckRecordResult(record, state))
    return RecordError{static_cast<int>(record.actions.size()), *wrong, state, true};
  return record;
}

}  // namespace

std::variant<Record, RecordError> ReadRecord(std::string_view text) {
  const Expected<Json> json = ParseJson(text);
  if (!json) return RecordError{RecordError::kHeader, json.error()};
  return Read(*json, true);
}

std::variant<Record, RecordError> RecordFromJson(const Json& json) { return Read(json, false); }

std::vector<State> StatesOf(const Record& record) {
  std::vector<State> states = {New(record.config, record.deck)};
  for (const Action action : record.actions) {
    State next = states.back();
    Apply(next, action);
    states.push_back(next);
  }
  return states;
}

}  // namespace civ
