// civ puzzles: positions with one right turn, from games of strong bots (docs/puzzles.md).
#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <map>
#include <tuple>

#include "civ/analysis/mine.h"
#include "civ/app/commands.h"
#include "civ/app/files.h"
#include "civ/bots/master.h"
#include "civ/view/deal.h"

namespace civ {
namespace {

struct PuzzlesOptions {
  int players = 2, games = 100, most = 3, every = 1;
  int64_t iterations = 4000, play = 300;
  uint64_t seed = 1;
  std::string again;
};

// Calls `begin` with the view of each turn's player as it begins.
template <class Begin>
void PlayThrough(const PuzzlesOptions& options, uint64_t seed, Begin begin) {
  const Config config = {.players = static_cast<uint8_t>(options.players),
                         .setup = seed % 2 == 0 ? Setup::Basic : Setup::Draft};
  const Deal deal = DealFromSeed(config, seed);
  Game game(New(deal.config, deal.deck.Span()));
  std::vector<std::unique_ptr<Bot>> bots;
  for (int seat = 0; seat < options.players; ++seat) bots.push_back(MakeMaster());
  for (uint64_t number = 0; game.state.step != Step::Over; ++number) {
    const View view = MakeView(game.state, game.knowledge, game.state.seat);
    if (view.step == Step::Play) begin(view);
    game.Apply(bots[view.seat]->Think(view, {.iterations = options.play}, seed + number).best);
  }
}

// Those that are puzzles still are written as they are now; the others are told of.
void ProveAgain(const PuzzlesOptions& options) {
  std::ifstream file(options.again);
  if (!file) Fail(options.again + ": cannot be read");
  for (std::string line; std::getline(file, line);) {
    const Expected<Puzzle> known = PuzzleFromText(line);
    if (!known) Fail(options.again + ": is not a puzzle: " + line);
    const std::optional<Puzzle> found = PuzzleIn(known->view, options.iterations);
    if (found)
      std::cout << ToText(*found) << '\n' << std::flush;
    else
      std::cerr << "no puzzle: " << line << '\n';
  }
}

void RunPuzzles(const PuzzlesOptions& options) {
  if (!options.again.empty()) return ProveAgain(options);
  std::map<std::tuple<Goal, Domain, int>, int> found;
  for (int i = 0; i < options.games; ++i)
    PlayThrough(options, options.seed + static_cast<uint64_t>(i), [&](const View& view) {
      const std::optional<Puzzle> puzzle =
          PuzzleIn(view, options.iterations, view.turn % options.every == 0);
      if (!puzzle || found[{puzzle->goal, TopicOf(*puzzle), puzzle->level}]++ >= options.most)
        return;
      std::cout << ToText(*puzzle) << '\n' << std::flush;
    });
}

}  // namespace

void AddPuzzles(CLI::App& app) {
  const auto options = std::make_shared<PuzzlesOptions>();
  CLI::App* command =
      app.add_subcommand("puzzles", "Find positions with one right turn in games of strong bots");
  command->add_option("--players", options->players, "Players of each game")
      ->check(CLI::Range(2, kMaxSeats))
      ->capture_default_str();
  command->add_option("--games", options->games, "How many games to look through")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of the first game; the next has the next")
      ->capture_default_str();
  command->add_option("--play", options->play, "Iterations for each decision of the games")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--iterations", options->iterations, "Iterations to prove what is best")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--most", options->most, "At most so many of one goal, Domain and level")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command
      ->add_option("--every", options->every,
                   "Look for best turns, which takes longest, in one of so many")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  CLI::Option* again =
      command
          ->add_option("--again", options->again,
                       "Prove and grade the puzzles of a file again, and look for no others")
          ->check(CLI::ExistingFile);
  for (const char* of_games : {"--players", "--games", "--seed", "--play", "--most", "--every"})
    again->excludes(of_games);
  command->footer("One puzzle a line, as docs/puzzles.md has it.");
  command->callback([options] { RunPuzzles(*options); });
}

}  // namespace civ
