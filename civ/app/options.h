// What several commands take from the command line, and how they stop.
#pragma once

#include <CLI/App.hpp>
#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "civ/words/words.h"

namespace civ {

inline constexpr const char* kLanguage =
    "Language (default: that of the environment, else English)";
inline constexpr const char* kLanguageOfMessages =
    "Language of messages (default: that of the environment, else English)";

// --lang. An empty language is that of the environment.
void AddLanguage(CLI::App& command, std::string& language, const char* help = kLanguage);
Words WordsIn(const std::string& language);

// --setup and --edition, of a new game.
CLI::Option* AddSetup(CLI::App& command, std::string& setup, const char* help);
CLI::Option* AddEdition(CLI::App& command, std::string& edition, const char* help);

// --data, the folder in which a server keeps what must not be lost; also $CIV_DATA.
void AddData(CLI::App& command, std::string& folder, const char* help);
// $XDG_DATA_HOME/civ or ~/.local/share/civ; /var/lib/civ for root.
std::string DefaultData();
// Where the server of that folder listens to its owner.
std::string AdminSocketIn(const std::string& folder);

// Small enough for every JSON reader to keep it exact.
uint64_t RandomSeed();

// The parts of a text between the separators: at least one.
std::vector<std::string> Split(std::string_view text, char separator);

// Set by the first of these signals; a second one ends the program at once.
const std::atomic<bool>& StopOn(std::initializer_list<int> signals);

}  // namespace civ
