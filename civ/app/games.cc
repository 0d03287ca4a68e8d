// civ games: games of bots as data, for programs that learn (docs/data.md).
#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "civ/app/arena_options.h"
#include "civ/app/commands.h"
#include "civ/app/files.h"
#include "civ/app/options.h"
#include "civ/arena/dataset.h"
#include "civ/arena/npz.h"

namespace civ {
namespace {

struct GamesOptions {
  ArenaOptions contest;
  std::string format = "jsonl", out;
  int games = 1000;
};

[[noreturn]] void RefuseGames(const std::string& message) {
  throw CLI::ValidationError("civ games", message);
}

Contest ContestOf(ArenaOptions options) {
  constexpr int64_t kIterations = 100;
  options.decks = 1;
  if (options.iterations == 0) options.iterations = kIterations;
  Contest contest = [&] {
    try {
      return ContestFrom(options);
    } catch (const CLI::ValidationError& wrong) {  // which knows it as a contest of the arena
      const std::string message = wrong.what();
      RefuseGames(message.substr(message.find(": ") + 2));
    }
  }();
  for (const Entrant& entrant : contest.entrants)
    if (entrant.ms != 0)
      RefuseGames("--bots: " + entrant.name +
                  " thinks for a time, and nobody could repeat that; give it iterations");
  return contest;
}

// The arrays of docs/data.md.
class Arrays {
 public:
  Arrays(const std::string& path, const Config& config)
      : players_(config.players),
        size_(static_cast<uint64_t>(ObservationSize(config.players))),
        writer_(path) {}

  void Add(const SampledGame& game) {
    seeds_.Add(game.seed);
    firsts_.Add(game.record.config.first);
    turns_.Add(static_cast<uint16_t>(game.turns));
    returns_.Add(std::span<const float>(game.returns).first(players_));
    decks_.Add(std::span<const Kind>(game.record.deck));
    actions_.Add(std::span<const Action>(game.record.actions));
    names_.Add(NamesOf(game.record));
    for (const SampledDecision& decision : game.decisions) Add(game, decision);
    played_ += static_cast<int64_t>(game.record.actions.size());
    action_ends_.Add(played_);
    decision_ends_.Add(decisions_);
  }
  bool Finish() { return writer_.Finish(); }

 private:
  static constexpr size_t kLongestName = 32;
  using Names = std::array<std::array<char, kLongestName>, kMaxSeats>;
  // The seats' entrants, by the first letters of their names.
  static Names NamesOf(const Record& record) {
    Names names{};
    for (Seat seat = 0; seat < record.config.players; ++seat)
      std::ranges::copy(record.NameOf(seat).substr(0, kLongestName), names[seat].begin());
    return names;
  }

  void Add(const SampledGame& game, const SampledDecision& decision) {
    std::array<uint8_t, kMostObserved> numbers;
    Observe(decision.view, numbers.data());
    observations_.Add(std::span<const uint8_t>(numbers).first(size_));
    legal_.Add(std::span<const uint64_t>(Legal(decision.view).Bits()));
    games_.Add(static_cast<uint32_t>(game.number));
    places_.Add(static_cast<uint16_t>(decision.action));
    seats_.Add(decision.view.seat);
    choices_.Add(decision.thought.best.code);
    for (const Judgement& judgement : decision.thought.judgements) {
      judged_.Add(judgement.action.code);
      weights_.Add(judgement.weight);
      values_.Add(judgement.chances[decision.view.seat]);
    }
    judged_count_ += static_cast<int64_t>(decision.thought.judgements.size());
    judged_ends_.Add(judged_count_);
    ++decisions_;
  }

  const size_t players_;
  const uint64_t size_;
  int64_t played_ = 0, decisions_ = 0, judged_count_ = 0;
  NpzWriter writer_;
  using Column = NpzWriter::Column;
  Column& seeds_ = writer_.Add("seeds", "<u8");
  Column& firsts_ = writer_.Add("firsts", "|u1");
  Column& turns_ = writer_.Add("turns", "<u2");
  Column& returns_ = writer_.Add("returns", "<f4", {players_});
  Column& decks_ = writer_.Add("decks", "|u1", {static_cast<uint64_t>(DeckSize(players_))});
  Column& names_ = writer_.Add("names", "|u1", {kMaxSeats, kLongestName});
  Column& actions_ = writer_.Add("actions", "|u1");
  Column& action_ends_ = writer_.Add("action_ends", "<i8");
  Column& decision_ends_ = writer_.Add("decision_ends", "<i8");
  Column& games_ = writer_.Add("games", "<u4");
  Column& places_ = writer_.Add("places", "<u2");
  Column& seats_ = writer_.Add("seats", "|u1");
  Column& choices_ = writer_.Add("choices", "|u1");
  Column& legal_ = writer_.Add("legal", "<u8", {4});
  Column& observations_ = writer_.Add("observations", "|u1", {size_});
  Column& judged_ends_ = writer_.Add("judged_ends", "<i8");
  Column& judged_ = writer_.Add("judged", "|u1");
  Column& weights_ = writer_.Add("weights", "<f4");
  Column& values_ = writer_.Add("values", "<f4");
};

bool WriteArrays(const GamesOptions& options, const Contest& contest, int threads,
                 const std::atomic<bool>& stop) {
  Arrays arrays(options.out, contest.config);
  const auto add = [&](const SampledGame& game) { arrays.Add(game); };
  if (!SampleGames(contest, options.games, threads, add, stop)) return false;
  if (!arrays.Finish()) Fail(options.out + ": cannot be written");
  return true;
}

bool WriteLines(const GamesOptions& options, const Contest& contest, int threads,
                const std::atomic<bool>& stop) {
  const bool to_file = options.out != "-";
  const std::string partial = options.out + ".partial";
  std::ofstream file;
  if (to_file) file.open(partial, std::ios::binary);
  std::ostream& out = to_file ? file : std::cout;
  if (!out) Fail(options.out + ": cannot be written");
  const auto add = [&](const SampledGame& game) { out << ToLine(game) << '\n'; };
  const bool all = SampleGames(contest, options.games, threads, add, stop);
  if (!(out << std::flush)) Fail(options.out + ": not all games could be written");
  std::error_code failed;
  if (to_file && all) std::filesystem::rename(partial, options.out, failed);
  if (to_file && !all) std::filesystem::remove(partial, failed);
  if (failed) Fail(options.out + ": " + failed.message());
  return all;
}

void RunGames(const GamesOptions& options) {
  const Contest contest = ContestOf(options.contest);
  std::error_code ignored;
  if (options.out == "-" && options.format == "npz") RefuseGames("--out: npz needs a file");
  if (std::filesystem::exists(options.out, ignored))
    RefuseGames("--out: " + options.out + " exists already");
  const std::filesystem::path folder = std::filesystem::path(options.out).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored))
    RefuseGames("--out: there is no folder " + folder.string());
  const int threads = ThreadsFrom(options.contest);
  const std::atomic<bool>& stop = StopOn({SIGINT, SIGTERM});
  const bool all = options.format == "npz" ? WriteArrays(options, contest, threads, stop)
                                           : WriteLines(options, contest, threads, stop);
  if (all) return;
  std::cerr << "civ games: stopped; no file was written\n";
  throw CLI::RuntimeError(130);
}

void AddWhatIsPlayed(CLI::App* command, ArenaOptions* options) {
  command
      ->add_option("--bots", options->bots,
                   "Who plays, as in greedy or plain:iterations=200,random")
      ->required();
  AddTable(*command, *options);
  command->add_option("--seed", options->seed, "Everything follows from it")->capture_default_str();
  command
      ->add_option("--iterations", options->iterations,
                   "Iterations for each decision of bots that search (default: 100)")
      ->check(CLI::Range(1, 1'000'000'000));
  AddThreads(*command, *options);
}

}  // namespace

void AddGames(CLI::App& app) {
  const auto options = std::make_shared<GamesOptions>();
  CLI::App* command = app.add_subcommand(
      "games", "Write games of bots as data: positions, legal actions, choices, values, results");
  AddWhatIsPlayed(command, &options->contest);
  command->add_option("--games", options->games, "How many")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  command
      ->add_option("--format", options->format,
                   "jsonl: a line for each game; npz: arrays for NumPy")
      ->check(CLI::IsMember({"jsonl", "npz"}))
      ->capture_default_str();
  command->add_option("--out", options->out, "The file; - for standard output (jsonl only)")
      ->required();
  command->footer(
      "Bots take turns in all seats, as in civ arena. The same options give the same file, "
      "whatever "
      "the number of threads.\n"
      "docs/data.md says what is in it, and how to read it from Python.\n"
      "Example:\n"
      "  civ games --bots master:iterations=400 --games 10000 --format npz --out games.npz");
  command->callback([options] { RunGames(*options); });
}

}  // namespace civ
