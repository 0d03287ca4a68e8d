// civ backup: a copy of what a server has stored, also while it runs.
#include "civ/server/backup.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "civ/app/commands.h"
#include "civ/app/files.h"
#include "civ/app/options.h"
#include "civ/words/words.h"

namespace civ {
namespace {

struct BackupOptions {
  std::string folder = DefaultData(), file, language;
  bool force = false;
};

void RunBackup(const BackupOptions& options) {
  const Words words = WordsIn(options.language);
  const Expected<int64_t> tables = Backup(options.folder, options.file, options.force);
  if (!tables) Fail(words.Describe(tables.error()));
  std::cout << words("backup.done", {{"file", PlainText(options.file)}, {"tables", *tables}})
            << '\n'
            << std::flush;
}

}  // namespace

void AddBackup(CLI::App& app) {
  const auto options = std::make_shared<BackupOptions>();
  CLI::App* command =
      app.add_subcommand("backup", "Copy what a server has stored, also while it runs");
  command->add_option("file", options->file, "The file to write")->required();
  AddData(*command, options->folder, "The server's data folder");
  command->add_flag("--force", options->force, "Replace the file if there is one");
  AddLanguage(*command, options->language, kLanguageOfMessages);
  command->footer("docs/hosting.md says how to go back to a backup.");
  command->callback([options] { RunBackup(*options); });
}

}  // namespace civ
