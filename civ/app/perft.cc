// civ perft: counts action sequences, to compare one engine with another.
#include "civ/rules/perft.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>

#include "civ/app/commands.h"
#include "civ/app/files.h"
#include "civ/app/options.h"
#include "civ/notation/notation.h"
#include "civ/notation/record.h"
#include "civ/view/deal.h"
#include "civ/words/words.h"

namespace civ {
namespace {

struct PerftOptions {
  int depth = 4;
  int players = 2;
  std::string setup = "basic", edition = "en", record, state;
  bool teams = false, divide = false;
  uint64_t seed = 1;
};

State FromRecord(const std::string& file) {
  const auto read = ReadRecord(ReadFile(file));
  if (const auto* wrong = std::get_if<RecordError>(&read))
    Fail(file + ": " + Words("en").Describe(wrong->error));
  return StatesOf(std::get<Record>(read)).back();
}

State FromState(const std::string& file) {
  const Expected<Json> json = ParseJson(ReadFile(file));
  const Expected<State> state = json ? StateFromJson(*json) : json.error();
  if (!state) Fail(file + ": " + Words("en").Describe(state.error()));
  return *state;
}

State Start(const PerftOptions& options) {
  if (!options.record.empty()) return FromRecord(options.record);
  if (!options.state.empty()) return FromState(options.state);
  if (options.teams && options.players != kMaxSeats) Fail(Words("en")("error.teams"));
  const Config config = {static_cast<uint8_t>(options.players), *ParseSetup(options.setup),
                         *ParseEdition(options.edition), options.teams, 0};
  const Deal deal = DealFromSeed(config, options.seed);
  return New(deal.config, deal.deck.Span());
}

void RunPerft(const PerftOptions& options) {
  const State state = Start(options);
  if (options.divide && options.depth > 0)
    for (const Action action : Legal(state)) {
      State next = state;
      Apply(next, action);
      std::printf("%s: %llu\n", NameOf(action).c_str(),
                  static_cast<unsigned long long>(Perft(next, options.depth - 1)));
    }
  std::printf("%llu\n", static_cast<unsigned long long>(Perft(state, options.depth)));
}

}  // namespace

void AddPerft(CLI::App& app) {
  const auto options = std::make_shared<PerftOptions>();
  CLI::App* command = app.add_subcommand("perft", "Count the action sequences of a given length");
  command->add_option("depth", options->depth, "Length of the sequences")
      ->check(CLI::Range(0, 8))
      ->capture_default_str();
  command->add_option("--players", options->players, "Players of a new game")
      ->check(CLI::Range(2, 4))
      ->capture_default_str();
  AddSetup(*command, options->setup, "Its set-up");
  AddEdition(*command, options->edition, "Its edition");
  command->add_flag("--teams", options->teams, "In teams");
  command->add_option("--seed", options->seed, "Its seed")->capture_default_str();
  CLI::Option* record = command->add_option("--record", options->record,
                                            "Start at the end of this game record instead");
  command->add_option("--state", options->state, "Start at this state instead, a JSON file")
      ->excludes(record);
  command->add_flag("--divide", options->divide, "Also count for each first action");
  command->callback([options] { RunPerft(*options); });
}

}  // namespace civ
