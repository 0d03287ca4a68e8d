// civ analyze: luck and skill in a game, what was given away by whom, and why.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>

#include "civ/analysis/analysis.h"
#include "civ/app/commands.h"
#include "civ/app/files.h"
#include "civ/app/options.h"
#include "civ/report/analysis_report.h"
#include "civ/terminal/console.h"
#include "civ/terminal/match.h"
#include "civ/terminal/screen.h"
#include "civ/words/records.h"

namespace civ {
namespace {

struct AnalyzeOptions {
  std::string file, language, report;
  int64_t iterations = kDefaultDepth;
  int threads = 1;
  uint64_t seed = 1;
  bool all = false, json = false;
};

// A line that is written over itself, where somebody watches.
void ShowProgress(const Words& words, size_t done, size_t all) {
  if (isatty(STDERR_FILENO) == 0) return;
  std::cerr << '\r'
            << words("analyze.progress",
                     {{"done", static_cast<int64_t>(done)}, {"all", static_cast<int64_t>(all)}});
  if (done == all) std::cerr << '\n';
  std::cerr << std::flush;
}

Analysis AnalysisFor(const AnalyzeOptions& options, const Record& record, const Words& words) {
  Inquiry inquiry{.iterations = options.iterations,
                  .stop = &StopOn({SIGINT}),
                  .seed = options.seed,
                  .threads = options.threads};
  inquiry.progress = [&](size_t done, size_t all) { ShowProgress(words, done, all); };
  Analysis analysis = Analyze(record, inquiry);
  if (!*inquiry.stop) return analysis;
  std::cerr << '\n' << words("analyze.stopped") << '\n';
  throw CLI::RuntimeError(128 + SIGINT);
}

void RunAnalyze(const AnalyzeOptions& options) {
  const Words words = WordsIn(options.language);
  const Record record = LoadRecord(options.file, words);
  const Analysis analysis = AnalysisFor(options, record, words);

  const Phrases say(words, NamesIn(record, words));
  Lines about = Screen(say, BotsIn(record).value_or(0)).Setup(record.config);
  about.push_back(say("analyze.by-iterations", {{"count", options.iterations}}));
  const AnalysisReport report(say, record, analysis);
  if (!options.report.empty()) WriteFile(options.report, report.Page(about));
  if (options.json) {
    std::cout << ToJson(record, analysis).dump() << '\n';
    return;
  }
  Console console;
  console.Say(about);
  console.Say(report.Story(options.all));
  if (!options.report.empty()) console.Say(words("analyze.saved", {{"file", options.report}}));
}

}  // namespace

void AddAnalyze(CLI::App& app) {
  const auto options = std::make_shared<AnalyzeOptions>();
  CLI::App* command = app.add_subcommand(
      "analyze", "Judge a game: luck and skill of each player, what was given away, and why");
  command->add_option("file", options->file, "The record, - for standard input")->required();
  command->add_option("--iterations", options->iterations, "Iterations for each decision")
      ->check(CLI::Range(int64_t{1}, int64_t{1'000'000'000}))
      ->capture_default_str();
  command->add_option("--threads", options->threads, "Turns to judge at the same time")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of the judge's chance")->capture_default_str();
  command->add_flag("--all", options->all, "Tell every turn, not only those that mattered");
  command->add_flag("--json", options->json, "Print one JSON object");
  command->add_option("--report", options->report, "Also write a page in HTML to this file");
  AddLanguage(*command, options->language);
  command->footer(
      "Each player is judged by what that player could know. docs/analysis.md says what the "
      "numbers mean.\n"
      "The answer is the same every time, whatever the number of threads.");
  command->callback([options] { RunAnalyze(*options); });
}

}  // namespace civ
