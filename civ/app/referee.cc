// civ referee: the referee on standard input and output.
#include "civ/notation/referee.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "civ/app/commands.h"
#include "civ/app/options.h"
#include "civ/terminal/console.h"
#include "civ/words/words.h"

namespace civ {
namespace {

void RunReferee() {
  std::ios::sync_with_stdio(false);
  const Words english("en");
  Referee referee({.describe = [&](const Error& error) { return english.Describe(error); },
                   .random_seed = RandomSeed});
  std::string line;
  while (ReadLine(*std::cin.rdbuf(), Referee::kLongestLine + 1, line)) {
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
  CLI::App* command = app.add_subcommand("referee",
                                         "Answer requests, one JSON object a line: new, apply, "
                                         "load, view, legal, sample, perft, quit");
  command->footer(
      "docs/protocol.md describes requests and answers. Example:\n  echo "
      "'{\"cmd\":\"new\",\"players\":3,\"seed\":7}' | civ referee");
  command->callback(RunReferee);
}

}  // namespace civ
