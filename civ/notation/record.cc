#include "civ/notation/record.h"

#include <cstddef>
#include <utility>

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

std::optional<RecordError> RecordReader::Read(const Json& json) { return Read(json, false); }

std::optional<RecordError> RecordReader::Read(const Json& json, bool complete) {
  Reader from(json);
  Record header;
  ReadHeader(from, json, header);
  const Json& actions = from.Array("actions");
  if (!from.ok()) return RecordError{RecordError::kHeader, *from.error};
  if (auto wrong = Begin(std::move(header))) return wrong;
  if (auto wrong = Follow(0, actions)) return wrong;
  return CheckEnd(complete);
}

std::optional<RecordError> RecordReader::GoOn(size_t kept, const Json& actions) {
  if (auto wrong = Follow(kept, actions)) return wrong;
  return CheckEnd(false);
}

std::optional<RecordError> RecordReader::CheckEnd(bool complete) const {
  if (!complete && record_.result.is_null()) return std::nullopt;
  if (const std::optional<Error> wrong = CheckRecordResult(record_, states_.back()))
    return RecordError{static_cast<int>(record_.actions.size()), *wrong, states_.back(), true};
  return std::nullopt;
}

// Deals, or keeps the course of the record before if the deal is the same.
std::optional<RecordError> RecordReader::Begin(Record header) {
  if (states_.empty() || header.config != record_.config || header.deck != record_.deck) {
    const Expected<State> dealt = CheckedNew(header.config, header.deck);
    if (!dealt) return RecordError{RecordError::kHeader, dealt.error()};
    states_ = {*dealt};
    knowledge_ = {{}};
  } else {
    header.actions = std::move(record_.actions);
  }
  record_ = std::move(header);
  return std::nullopt;
}

std::optional<RecordError> RecordReader::Follow(size_t kept, const Json& actions) {
  size_t number = kept;
  for (const Json& item : actions) {
    const int index = static_cast<int>(number);
    const std::string name = item.is_string() ? item.get<std::string>() : item.dump();
    const std::optional<Action> action = item.is_string() ? ParseAction(name) : std::nullopt;
    if (!action) return RecordError{index, {"error.action", {{"action", name}}}, states_[number]};
    if (number == record_.actions.size() || record_.actions[number] != *action) {
      KeepFirst(number);
      State next = states_.back();
      if (const std::optional<Error> wrong = CheckedApply(next, *action))
        return RecordError{index, *wrong, states_.back()};
      Knowledge known = knowledge_.back();
      known.Observe(states_.back(), *action);
      record_.actions.push_back(*action);
      states_.push_back(next);
      knowledge_.push_back(known);
      ++applied_;
    }
    ++number;
  }
  KeepFirst(number);
  return std::nullopt;
}

void RecordReader::KeepFirst(size_t actions) {
  const auto count = static_cast<std::ptrdiff_t>(actions);
  record_.actions.erase(record_.actions.begin() + count, record_.actions.end());
  states_.erase(states_.begin() + count + 1, states_.end());
  knowledge_.erase(knowledge_.begin() + count + 1, knowledge_.end());
}

std::variant<Record, RecordError> ReadRecord(std::string_view text) {
  const Expected<Json> json = ParseJson(text);
  if (!json) return RecordError{RecordError::kHeader, json.error()};
  RecordReader reader;
  if (const auto wrong = reader.Read(*json, true)) return *wrong;
  return std::move(reader.record_);
}

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
