// civ backup: a copy of what a server has stored, also while it runs.
#include "server/backup.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "app/commands.h"
#include "app/data.h"
#include "app/files.h"
#include "app/words.h"

namespace civ {
namespace {

struct Options {
  std::string folder = DefaultData(), file, language;
  bool force = false;
};

void Run(const Options& options) {
  const Words words(options.language.empty() ? Words::LanguageOfEnvironment() : options.language);
  const Expected<int64_t> tables = Backup(options.folder, options.file, options.force);
  if (!tables) Fail(words.Describe(tables.error()));
  std::cout << words("backup.done", {{"file", PlainText(options.file)}, {"tables", *tables}}) << '\n' << std::flush;
}

}  // namespace

void AddBackup(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("backup", "Copy what a server has stored, also while it runs");
  command->add_option("file", options->file, "The file to write")->required();
  command->add_option("--data", options->folder, "The server's data folder")->capture_default_str()->envname("CIV_DATA");
  command->add_flag("--force", options->force, "Replace the file if there is one");
  command->add_option("--lang", options->language, "Language of messages (default: that of the environment, else English)")
      ->check(CLI::IsMember(Words::Languages()));
  command->footer("docs/hosting.md says how to go back to a backup.");
  command->callback([options] { Run(*options); });
}

}  // namespace civ
