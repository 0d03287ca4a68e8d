// civ train: makes the nets that the strongest bots judge positions with.
#include "civ/training/train.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "civ/app/commands.h"
#include "civ/app/files.h"
#include "civ/app/options.h"
#include "civ/app/progress.h"
#include "civ/bots/weights.h"
#include "civ/report/training_report.h"
#include "civ/training/kept.h"

namespace civ {
namespace {

Net ReadNet(const std::string& file) {
  const std::string bytes = ReadFile(file);
  const std::optional<Net> net =
      Decode({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  if (!net) Fail(file + ": is not a net");
  return *net;
}

void WriteNet(const std::string& file, const Net& net) {
  const std::vector<uint8_t> bytes = Encode(net);
  WriteFile(file, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

// Said before an hour of games rather than after it.
void CheckFolderOf(const std::string& file) {
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  if (!std::filesystem::is_directory(folder)) Fail(folder.string() + ": is not a folder");
}

struct Files {
  std::string start, net, report;
};

// A line for each part of a generation.
auto ShowProgress() {
  return [line = std::shared_ptr<ProgressLine>(), shown = std::string_view()](
             std::string_view part, int done, int of) mutable {
    if (part != shown || line == nullptr) line = std::make_shared<ProgressLine>();
    shown = part;
    line->Show(part, done, of);
    if (done == of) line = nullptr;
  };
}

void RunTrain(TrainOptions options, const Files& files) {
  if (options.teams && options.players != kMaxSeats)
    throw CLI::ValidationError("--teams", "needs --players 4");
  for (const std::string& file : {files.net, files.report, options.keep})
    if (!file.empty()) CheckFolderOf(file);
  if (!options.keep.empty() && !KeptGames::MayKeepIn(options.keep))
    Fail(options.keep + ": is not a file of kept games");
  const Net net = files.start.empty() ? Net{} : ReadNet(files.start);
  if (!files.start.empty()) options.start = &net;
  options.progress = ShowProgress();
  std::vector<Generation> generations;
  const std::atomic<bool>& stopped = StopOn({SIGINT});
  std::puts("generation   positions   decisions      loss   held back   against the one before");
  const auto report = [&](const Generation& made, const Net& best) {
    std::printf("%10d   %9zu   %9zu   %7.4f   %9.4f   ", made.number, made.positions,
                made.decisions, made.loss, made.held_back);
    if (made.first)
      std::puts("-");
    else
      std::printf("%.1f %%, %s\n", 100 * made.share, made.kept ? "kept" : "left");
    std::fflush(stdout);
    WriteNet(files.net, best);
    generations.push_back(made);
    if (!files.report.empty())
      WriteFile(files.report, TrainingReport(options, generations, CIV_VERSION));
  };
  Train(options, report, stopped);
  if (stopped) throw CLI::RuntimeError(130);
}

}  // namespace

void AddTrain(CLI::App& app) {
  const auto options = std::make_shared<TrainOptions>();
  const auto files = std::make_shared<Files>();
  options->threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  CLI::App* command =
      app.add_subcommand("train", "Make a net for the strongest bots from games against itself");
  command
      ->add_option(
          "--out", files->net,
          "Where the net goes: civ/bots/weights/2.net, 3.net, 4.net or teams.net, then build again")
      ->required();
  command
      ->add_option("--start", files->start,
                   "A net to go on from, instead of the games of column builders")
      ->check(CLI::ExistingFile);
  command->add_option("--players", options->players, "Number of players")
      ->check(CLI::Range(2, kMaxSeats))
      ->capture_default_str();
  command->add_flag("--teams", options->teams, "In teams, with four players");
  command
      ->add_option("--generations", options->generations,
                   "How often to play and fit; the first from column builders")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  command->add_option("--games", options->games, "Games of each generation")
      ->check(CLI::Range(20, 1'000'000))
      ->capture_default_str();
  command->add_option("--first-games", options->first_games, "Games of the column builders")
      ->check(CLI::Range(20, 1'000'000))
      ->capture_default_str();
  command
      ->add_option(
          "--iterations", options->iterations,
          "Of the search, in one turn in four, whose choices are learnt, and at the gate;\n"
          "a fifth of it in the others")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command
      ->add_option("--gate-decks", options->gate_decks,
                   "Decks on which a new net has to beat the one before")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--keep", options->keep,
                      "A file for the games of the generation under way: the same command goes on\n"
                      "with them after a stop");
  command->add_option("--report", files->report,
                      "A page in HTML that says how it goes, written after each generation");
  command->add_option("--threads", options->threads, "The net does not depend on it")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command
      ->add_option("--noise", options->noise,
                   "The share of chance in what the search tries first in games against itself")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Everything follows from it")->capture_default_str();
  command->footer(
      "docs/bots.md says what the net is, what it learns from, and which commands made those in "
      "civ/bots/weights/.");
  command->callback([options, files] { RunTrain(*options, *files); });
}

}  // namespace civ
