// States, views and their parts as JSON (docs/protocol.md), in the order of fields that is written
// there.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "civ/notation/error.h"
#include "civ/rules/check.h"
#include "civ/view/view.h"

namespace civ {

using Json = nlohmann::ordered_json;

// Nothing but valid JSON; no exceptions.
Expected<Json> ParseJson(std::string_view text);

Json ToJson(const State& state);
Json ToJson(const View& view);
Json ToJson(const Config& config, const Outcome& outcome);
Json ToJson(std::span<const Kind> cards);

// Only states that can be a state of the game, and views of such states.
Expected<State> StateFromJson(const Json& json);
Expected<View> ViewFromJson(const Json& json);

// Reads the fields of an object. The first thing wrong is kept in `error`; what is read afterwards
// does not matter.
class Reader {
 public:
  explicit Reader(const Json& object);

  bool ok() const { return !error; }
  bool Has(std::string_view field) const;
  bool IsNull(std::string_view field);
  void Fail(std::string key, std::vector<std::pair<std::string, std::string>> args = {});

  const Json& Field(std::string_view field);
  const Json& Array(std::string_view field);
  Reader Object(std::string_view field);  // its error, if any, must be taken over with Adopt
  void Adopt(const Reader& part);

  int Int(std::string_view field, int least, int most);
  uint64_t Number(std::string_view field);
  bool Bool(std::string_view field);
  std::string Text(std::string_view field);
  Seat SeatOrNone(std::string_view field, int players);
  Cards Multiset(std::string_view field);
  std::vector<Kind> List(std::string_view field);
  // The configuration without the First Player. Fields that are missing keep their default if
  // allowed.
  Config Configuration(bool defaults);

  template <class T>
  T Word(std::string_view field, std::optional<T> (*parse)(std::string_view)) {
    const std::string text = Text(field);
    const std::optional<T> value = parse(text);
    if (!value) Fail("error.value", {{"field", std::string(field)}, {"value", text}});
    return value.value_or(T{});
  }

  std::optional<Error> error;

 private:
  const Json& object_;
};

// A list of cards inside a larger text; `field` is named in errors.
std::vector<Kind> ReadList(const Json& json, std::string_view field, std::optional<Error>& error);
Cards ReadMultiset(const Json& json, std::string_view field, std::optional<Error>& error);

}  // namespace civ
