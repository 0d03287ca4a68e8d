#include <algorithm>

#include "civ/notation/json.h"
#include "civ/notation/notation.h"

namespace civ {
namespace {

const Json kNull;

constexpr int kDeepest = 64;  // copying and printing JSON is recursive

// How deep brackets are nested, those within texts left out.
int Depth(std::string_view text) {
  int depth = 0, deepest = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    if (c == ']' || c == '}') --depth;
  }
  return deepest;
}

Error TypeError(std::string_view field, const char* wanted) {
  return {"error.type", {{"field", std::string(field)}, {"wanted", wanted}}};
}

}  // namespace

Expected<Json> ParseJson(std::string_view text) {
  if (text.find('\0') != text.npos) return Error{"error.json", {}};  // the parser would stop there
  if (Depth(text) > kDeepest) return Error{"error.nesting", {}};
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return Error{"error.json", {}};
  return json;
}

std::vector<Kind> ReadList(const Json& json, std::string_view field, std::optional<Error>& error) {
  std::vector<Kind> cards;
  if (error) return cards;
  if (!json.is_array()) {
    error = TypeError(field, "list");
    return cards;
  }
  for (const Json& item : json) {
    const std::string name = item.is_string() ? item.get<std::string>() : item.dump();
    const std::optional<Kind> kind = item.is_string() ? ParseKind(name) : std::nullopt;
    if (!kind) {
      error = Error{"error.card", {{"field", std::string(field)}, {"value", name}}};
      return {};
    }
    cards.push_back(*kind);
  }
  return cards;
}

Cards ReadMultiset(const Json& json, std::string_view field, std::optional<Error>& error) {
  Cards cards;
  for (const Kind kind : ReadList(json, field, error)) {
    if (cards[kind] == kCopies[static_cast<size_t>(kind)]) {
      error = Error{"error.too-many",
                    {{"field", std::string(field)}, {"card", std::string(NameOf(kind))}}};
      break;
    }
    cards += Cards(kind);
  }
  return cards;
}

Reader::Reader(const Json& object) : object_(object) {
  if (!object.is_object()) error = Error{"error.not-object", {}};
}

bool Reader::Has(std::string_view field) const {
  return object_.is_object() && object_.contains(field);
}

bool Reader::IsNull(std::string_view field) { return Field(field).is_null(); }

void Reader::Fail(std::string key, std::vector<std::pair<std::string, std::string>> args) {
  if (!error) error = Error{std::move(key), std::move(args)};
}

void Reader::Adopt(const Reader& part) {
  if (!error) error = part.error;
}

const Json& Reader::Field(std::string_view field) {
  if (error) return kNull;
  const auto found = object_.find(field);
  if (found != object_.end()) return *found;
  Fail("error.missing", {{"field", std::string(field)}});
  return kNull;
}

const Json& Reader::Array(std::string_view field) {
  static const Json kEmpty = Json::array();
  const Json& json = Field(field);
  if (json.is_array()) return json;
  if (!error) error = TypeError(field, "list");
  return kEmpty;
}

Reader Reader::Object(std::string_view field) {
  const Json& json = Field(field);
  if (!error && !json.is_object()) error = TypeError(field, "object");
  return Reader(json);
}

int Reader::Int(std::string_view field, int least, int most) {
  const Json& json = Field(field);
  if (error) return least;
  if (!json.is_number_integer()) {
    error = TypeError(field, "integer");
    return least;
  }
  const bool huge =
      json.is_number_unsigned() && json.get<uint64_t>() > static_cast<uint64_t>(INT64_MAX);
  const int64_t value = huge ? INT64_MAX : json.get<int64_t>();
  if (value >= least && value <= most) return static_cast<int>(value);
  Fail("error.range", {{"field", std::string(field)},
                       {"least", std::to_string(least)},
                       {"most", std::to_string(most)}});
  return least;
}

uint64_t Reader::Number(std::string_view field) {
  const Json& json = Field(field);
  if (json.is_number_unsigned()) return json.get<uint64_t>();
  if (!error) error = TypeError(field, "number");
  return 0;
}

bool Reader::Bool(std::string_view field) {
  const Json& json = Field(field);
  if (json.is_boolean()) return json.get<bool>();
  if (!error) error = TypeError(field, "boolean");
  return false;
}

std::string Reader::Text(std::string_view field) {
  const Json& json = Field(field);
  if (json.is_string()) return json.get<std::string>();
  if (!error) error = TypeError(field, "text");
  return {};
}

Seat Reader::SeatOrNone(std::string_view field, int players) {
  return IsNull(field) ? kNone : static_cast<Seat>(Int(field, 0, players - 1));
}

Cards Reader::Multiset(std::string_view field) { return ReadMultiset(Field(field), field, error); }

std::vector<Kind> Reader::List(std::string_view field) {
  return ReadList(Field(field), field, error);
}

Config Reader::Configuration(bool defaults) {
  Config config;
  const auto given = [&](std::string_view field) { return !defaults || Has(field); };
  if (given("edition")) config.edition = Word("edition", ParseEdition);
  if (given("players")) config.players = static_cast<uint8_t>(Int("players", 2, kMaxSeats));
  if (given("setup")) config.setup = Word("setup", ParseSetup);
  if (given("teams")) config.teams = Bool("teams");
  if (config.teams && config.players != kMaxSeats) Fail("error.teams");
  return config;
}

}  // namespace civ
