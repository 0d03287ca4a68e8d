#include "civ/server/log.h"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <cstdio>
#include <ctime>

namespace civ {
namespace {

std::string Timestamp() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto rest =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32], whole[40];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &parts);
  std::snprintf(whole, sizeof whole, "%s.%03dZ", text, static_cast<int>(rest));
  return whole;
}

spdlog::level::level_enum LevelOf(std::string_view name) {
  return spdlog::level::from_str(std::string(name));
}

}  // namespace

Expected<Log> Log::Open(const std::string& level, const std::string& file) {
  std::shared_ptr<spdlog::sinks::sink> sink;
  try {
    if (file.empty())
      sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
    else
      sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file);
  } catch (const spdlog::spdlog_ex&) {
    return Error{"serve.log-file", {{"file", file}}};
  }
  const auto logger = std::make_shared<spdlog::logger>("civ", sink);
  logger->set_pattern("%v");
  logger->set_level(LevelOf(level));
  logger->flush_on(spdlog::level::debug);
  return Log(logger);
}

Log Log::Named(std::string name) const {
  Log named = *this;
  named.name_ = std::move(name);
  return named;
}

bool Log::Reads(std::string_view level) const { return logger_->should_log(LevelOf(level)); }

void Log::operator()(std::string_view level, std::string_view event, const Json& fields) const {
  const spdlog::level::level_enum wanted = LevelOf(level);
  if (!logger_->should_log(wanted)) return;
  Json line = {{"time", Timestamp()}, {"level", level}, {"event", event}};
  if (!name_.empty()) line["process"] = name_;
  line.update(fields);
  // What is no UTF-8 is replaced: a log line must not be what breaks the server.
  logger_->log(wanted, line.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace civ
