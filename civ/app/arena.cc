// civ arena: bots against each other.
#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "civ/app/arena_options.h"
#include "civ/app/commands.h"
#include "civ/app/files.h"
#include "civ/app/options.h"
#include "civ/app/progress.h"
#include "civ/report/arena_report.h"
#include "civ/report/arena_text.h"

namespace civ {
namespace {

// The games in a file, which is cut after its last whole line: the program may have been ended
// while it wrote.
std::vector<PlayedGame> LoadGames(const Contest& contest, const std::string& path) {
  if (!std::filesystem::exists(path)) return {};
  const std::string text = ReadFile(path);
  const size_t whole = text.rfind('\n') + 1;  // 0 if there is none
  std::vector<PlayedGame> games;
  for (size_t begin = 0, number = 1; begin < whole; ++number) {
    const size_t end = text.find('\n', begin);
    auto game = FromLine(contest, std::string_view(text).substr(begin, end - begin));
    if (const auto* failure = std::get_if<Failure>(&game))
      Refuse("--resume: " + path + ", line " + std::to_string(number) + " " + failure->reason);
    games.push_back(std::move(std::get<PlayedGame>(game)));
    begin = end + 1;
  }
  std::filesystem::resize_file(path, whole);
  return games;
}

class GamesFile {
 public:
  GamesFile(const Contest& contest, const std::string& path) : contest_(contest), path_(path) {
    if (!path.empty()) file_.open(path, std::ios::app | std::ios::binary);
    if (!path.empty() && !file_) Fail(path + ": cannot be written");
  }
  void Add(const PlayedGame& game) {
    if (!path_.empty()) file_ << ToLine(contest_, game) << '\n' << std::flush;
  }
  void Close() {
    if (!path_.empty() && !file_) Fail(path_ + ": not all games could be written");
  }

 private:
  const Contest& contest_;
  const std::string path_;
  std::ofstream file_;
};

// What can be wrong with files is found out before anything is played.
void CheckFiles(const ArenaOptions& options) {
  std::error_code ignored;
  if (options.resume && options.games.empty())
    Refuse("--resume needs --games, the file to go on with");
  if (!options.resume && !options.games.empty() && std::filesystem::exists(options.games, ignored))
    Refuse("--games: " + options.games + " exists; --resume goes on with it");
  const std::filesystem::path folder = std::filesystem::path(options.report).parent_path();
  if (!options.report.empty() && !folder.empty() && !std::filesystem::is_directory(folder, ignored))
    Refuse("--report: there is no folder " + folder.string());
}

void RunArena(const ArenaOptions& options) {
  const Contest contest = ContestFrom(options);
  const Anchor anchor = AnchorFrom(options, contest);
  const std::optional<Hypotheses> hypotheses = HypothesesFrom(options, contest);
  CheckFiles(options);
  std::vector<PlayedGame> already = LoadGames(contest, options.games);
  GamesFile file(contest, options.games);
  const std::atomic<bool>& stop = StopOn({SIGINT, SIGTERM});  // with the results so far
  Running running = {.threads = ThreadsFrom(options)};
  if (hypotheses) running.test = SequentialTest(hypotheses->elo0, hypotheses->elo1);
  running.store = [&](const PlayedGame& game) { file.Add(game); };
  Results results;
  {
    const ProgressLine line(static_cast<int>(already.size()));
    running.report = [&](const Progress& progress) {
      line.Show("games", progress.games, progress.of);
    };
    results = RunContest(contest, std::move(already), running, stop);
  }
  file.Close();
  const ArenaResults arena = {contest, results, StandingsOf(contest, results.games, anchor),
                              hypotheses};
  std::cout << (options.json ? ArenaJson(arena) : ArenaText(arena));
  if (!(std::cout << std::flush)) Fail("the results cannot be written");
  if (!options.report.empty()) WriteFile(options.report, ArenaReport(arena, CIV_VERSION));
  if (!results.stopped) return;
  std::cerr << "civ arena: stopped; these are the results of the decks that were played in full\n";
  throw CLI::RuntimeError(130);
}

void AddBotsAndTable(CLI::App* command, ArenaOptions* options) {
  command->add_option(
      "--bots", options->bots,
      "Who plays, as in master,plain or master:ms=40,master:ms=10 or plain:iterations=1000,greedy");
  command
      ->add_option("--bot", options->programs,
                   "A program as a bot: name=command (docs/bot-protocol.md); may be repeated")
      ->take_all()
      ->expected(1);
  AddTable(*command, *options);
  command->add_flag("--pacts", options->pacts,
                    "Let bots talk and make pacts, with three or four players; how far one keeps "
                    "its word as in level7:character=fair (faithful, fair, opportunist, silent)");
}

void AddHowLong(CLI::App* command, ArenaOptions* options) {
  command->add_option("--decks", options->decks, "How many decks (default: 50, with --sprt 20000)")
      ->check(CLI::Range(1, 1'000'000));
  command->add_option("--seed", options->seed, "Seed of decks and chance")->capture_default_str();
  command
      ->add_option("--ms", options->ms,
                   "Milliseconds for each decision (default: what each bot usually takes)")
      ->check(CLI::Range(1, 1'000'000'000));
  command
      ->add_option("--iterations", options->iterations,
                   "Iterations for each decision: exactly reproducible")
      ->check(CLI::Range(1, 1'000'000'000));
  AddThreads(*command, *options);
  command->add_option(
      "--sprt", options->sprt,
      "elo0,elo1: stop as soon as it is decided which of the two differences is right");
}

void AddResults(CLI::App* command, ArenaOptions* options) {
  command->add_option(
      "--anchor", options->anchor,
      "Rating of the average, or of a bot as in greedy=1000 (default: an average of 1500)");
  command->add_option("--games", options->games, "Write each game to this file, as a line of JSON");
  command->add_flag("--resume", options->resume,
                    "Go on with the file of --games: what is there is not played again");
  command->add_option("--report", options->report,
                      "Write a page with the results, and with what they say about the game");
  command->add_flag("--json", options->json,
                    "Print JSON lines; the last one has the share of each bot");
}

}  // namespace

void AddArena(CLI::App& app) {
  const auto options = std::make_shared<ArenaOptions>();
  CLI::App* command = app.add_subcommand(
      "arena", "Let bots play against each other, and say who is stronger and by how much");
  AddBotsAndTable(command, options.get());
  AddHowLong(command, options.get());
  AddResults(command, options.get());
  command
      ->add_option("--grace", options->grace,
                   "Milliseconds that a program may take beyond its time")
      ->check(CLI::Range(0, 3'600'000))
      ->capture_default_str();
  command
      ->add_option("--startup", options->startup,
                   "Milliseconds that a program may take to start a game")
      ->check(CLI::Range(1, 3'600'000))
      ->capture_default_str();
  command->footer(
      "Each deck is played in all rotations of the seats, so that neither cards nor seats favour "
      "anybody.\n"
      "  two bots, more seats    the first against the second in all other seats\n"
      "  as many bots as seats   all at one table\n"
      "  more bots               all pairs; at larger tables all groups that fit\n"
      "  teams                   all pairs, a bot playing both seats of its team\n"
      "The share of a bot is wins / games; a shared victory counts in part. Exit code 130 if it "
      "was stopped. More: docs/arena.md.\n"
      "Examples:\n"
      "  civ arena --bots plain,greedy --decks 100 --iterations 200 --report arena.html\n"
      "  civ arena --bots plain:ms=40,plain:ms=10 --sprt 0,30\n"
      "  civ arena --bot mine=\"python3 mine.py\" --ms 50\n"
      "  civ arena --pacts --players 3 --bots "
      "level6:character=faithful,level6:character=fair,level6:character=opportunist");
  command->callback([options] { RunArena(*options); });
}

}  // namespace civ
