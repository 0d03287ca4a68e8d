// civ referee: the referee on standard input and output.
#include "notation/referee.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <random>

#include "app/commands.h"
#include "app/words.h"

namespace civ {
namespace {

// A line, less what is beyond the longest that is answered. False at the end of input.
bool ReadLine(std::streambuf& input, std::string& line) {
  line.clear();
  for (int c = input.sbumpc(); c != EOF; c = input.sbumpc()) {
    if (c == '\n') return true;
    if (line.size() <= Referee::kLongestLine) line.push_back(static_cast<char>(c));
  }
  return !line.empty();
}

// Small enough for every JSON reader to keep it exact.
uint64_t RandomSeed() {
  std::random_device device;
  return (uint64_t{device()} << 32 | device()) >> 11;
}

void Run() {
  std::ios::sync_with_stdio(false);
  const Words english("en");
  Referee referee({.describe = [&](const Error& error) { return english.Describe(error); }, .random_seed = RandomSeed});
  std::string line;
  while (ReadLine(*std::cin.rdbuf(), line)) {
    const std::optional<std::string> answer = referee.Answer(line);
    if (!answer) return;
    std::cout << *answer << '\n' << std::flush;
    if (!std::cout) {
      std::cerr << "civ referee: cannot write the answer: the output is closed or full\n";
      throw CLI::RuntimeError(1);
    }
  }
}

}  // namespace

void AddReferee(CLI::App& app) {
  CLI::App* command = app.add_subcommand("referee", "Answer requests, one JSON object a line: new, apply, load, view, legal, sample, perft, quit");
  command->footer("docs/protocol.md describes requests and answers. Example:\n  echo '{\"cmd\":\"new\",\"players\":3,\"seed\":7}' | civ referee");
  command->callback(Run);
}

}  // namespace civ
