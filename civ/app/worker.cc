// civ worker: bots for the tables of servers that share a database.
#include <CLI/CLI.hpp>
#include <iostream>
#include <thread>

#include "civ/app/commands.h"
#include "civ/app/files.h"
#include "civ/app/options.h"
#include "civ/app/shared.h"
#include "civ/server/worker_process.h"
#include "civ/words/words.h"

namespace civ {
namespace {

struct WorkerCommand {
  SharedOptions shared;
  int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  std::string language, log_file, log_level = "info";
};

void RunWorkerCommand(const WorkerCommand& options) {
  const Words words = WordsIn(options.language);
  const std::string name = options.shared.Name();
  const Expected<Log> log = Log::Open(options.log_level, options.log_file);
  if (!log) Fail(words.Describe(log.error()));
  const std::optional<Error> failed = RunWorker(
      {options.shared.stores, options.shared.Bus(), name, options.threads}, log->Named(name), [&] {
        std::cout << words("worker.open", {{"name", name}}) << '\n' << std::flush;
      });
  if (failed) Fail(words.Describe(*failed));
  std::cout << words("worker.stopped") << '\n' << std::flush;
}

}  // namespace

void AddWorker(CLI::App& app) {
  const auto options = std::make_shared<WorkerCommand>();
  CLI::App* command = app.add_subcommand(
      "worker", "Let bots think for servers that share a database (docs/cluster.md)");
  AddShared(*command, options->shared);
  command->get_option("--store")->required();
  command->add_option("--threads", options->threads, "Threads for bots")
      ->capture_default_str()
      ->check(CLI::Range(1, 256))
      ->envname("CIV_THREADS");
  command->add_option("--log-file", options->log_file,
                      "Write the log here instead of to standard error");
  command
      ->add_option("--log-level", options->log_level,
                   "What goes into the log: debug, info, warn, error or off")
      ->capture_default_str()
      ->check(CLI::IsMember({"debug", "info", "warn", "error", "off"}));
  AddLanguage(*command, options->language, kLanguageOfMessages);
  command->callback([options] { RunWorkerCommand(*options); });
}

}  // namespace civ
