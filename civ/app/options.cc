#include "civ/app/options.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <random>

namespace civ {
namespace {

std::atomic<bool> stop = false;
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

void AddLanguage(CLI::App& command, std::string& language, const char* help) {
  command.add_option("--lang", language, help)->check(CLI::IsMember(Words::Languages()));
}

Words WordsIn(const std::string& language) {
  return Words(language.empty() ? Words::LanguageOfEnvironment() : language);
}

CLI::Option* AddSetup(CLI::App& command, std::string& setup, const char* help) {
  return command.add_option("--setup", setup, help)
      ->check(CLI::IsMember({"basic", "draft"}))
      ->capture_default_str();
}

CLI::Option* AddEdition(CLI::App& command, std::string& edition, const char* help) {
  return command.add_option("--edition", edition, help)
      ->check(CLI::IsMember({"en", "fr", "es", "pt", "ro"}))
      ->capture_default_str();
}

void AddData(CLI::App& command, std::string& folder, const char* help) {
  command.add_option("--data", folder, help)->capture_default_str()->envname("CIV_DATA");
}

std::string DefaultData() {
  if (geteuid() == 0) return "/var/lib/civ";
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  const std::string data = variable("XDG_DATA_HOME");
  return data.starts_with('/') ? data + "/civ" : variable("HOME") + "/.local/share/civ";
}

std::string AdminSocketIn(const std::string& folder) { return folder + "/admin.sock"; }

uint64_t RandomSeed() {
  std::random_device device;
  return (uint64_t{device()} << 32 | device()) >> 11;
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

const std::atomic<bool>& StopOn(std::initializer_list<int> signals) {
  struct sigaction action{};
  action.sa_handler = [](int) { stop = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : signals) sigaction(signal, &action, nullptr);
  return stop;
}

}  // namespace civ
