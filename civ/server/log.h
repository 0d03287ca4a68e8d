// The server's log: one JSON object a line. Never tokens, cookies, passwords, what people say, or
// cards.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "civ/notation/json.h"

namespace spdlog {
class logger;
}

namespace civ {

class Log {
 public:
  // "debug", "info", "warn", "error" or "off"; to standard error if no file is named. A file that
  // cannot be opened is an error.
  static Expected<Log> Open(const std::string& level, const std::string& file);

  void operator()(std::string_view level, std::string_view event,
                  const Json& fields = Json::object()) const;

  // The same log, in which every line has the name of this process.
  Log Named(std::string name) const;

  bool Reads(std::string_view level) const;  // whether lines of that level are written at all

 private:
  explicit Log(std::shared_ptr<spdlog::logger> logger) : logger_(std::move(logger)) {}

  std::shared_ptr<spdlog::logger> logger_;
  std::string name_;  // of the process; empty where there is only one
};

}  // namespace civ
