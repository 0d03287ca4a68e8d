// The referee: one JSON request in, one JSON answer out (docs/protocol.md). No input or output of
// its own.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "civ/notation/json.h"

namespace civ {

class Referee {
 public:
  struct Hooks {
    std::function<std::string(const Error&)> describe;  // a sentence for an error
    std::function<uint64_t()> random_seed;              // where a request names no seed
  };
  explicit Referee(Hooks hooks) : hooks_(std::move(hooks)) {}

  static constexpr size_t kLongestLine = 1 << 20;

  // Nothing for a request to quit. A wrong request is answered with an error and changes nothing.
  std::optional<std::string> Answer(std::string_view line);
  std::string Refuse(const Error& error) const;

 private:
  Expected<Json> Respond(Reader& request, const std::string& command);
  Expected<Json> NewGame(Reader& request);
  Expected<Json> Act(Reader& request);
  Expected<Json> Load(Reader& request);
  Expected<Json> Show(Reader& request);
  Expected<Json> Count(Reader& request);
  Expected<Json> LegalFromView(Reader& request);
  Expected<Json> SampleView(Reader& request) const;
  Json Position() const;

  Hooks hooks_;
  std::optional<Game> game_;
};

}  // namespace civ
