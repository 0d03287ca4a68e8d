// civ export: the finished games of a server's database as records, also while the server runs.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>

#include "civ/app/commands.h"
#include "civ/app/files.h"
#include "civ/app/options.h"
#include "civ/app/visit.h"
#include "civ/server/replay.h"

namespace civ {
namespace {

struct ExportOptions {
  std::string data = DefaultData(), folder, language;
};

Expected<Replayed> ReplayOf(SqliteStore& store, const std::string& table) {
  const auto log =
      Wait<Expected<std::optional<StoredLog>>>([&](auto done) { store.Load(table, done); });
  if (!log) return log.error();
  if (!*log) return Error{"error.table.unknown", {}};
  return Replay(**log);
}

void RunExport(const ExportOptions& options) {
  const Words words = WordsIn(options.language);
  const auto store = VisitStore(options.data, SqliteStore::Access::Read, words);
  std::error_code failed;
  std::filesystem::create_directories(options.folder, failed);
  if (failed) Fail(options.folder + ": " + failed.message());
  constexpr int kAll = 1 << 30;
  const auto listings =
      Wait<Expected<std::vector<Listing>>>([&](auto done) { store->List({}, false, kAll, done); });
  if (!listings) Fail(words.Describe(listings.error()));
  int64_t written = 0;
  bool whole = true;
  for (const Listing& listing : *listings) {
    if (listing.open) continue;
    const Expected<Replayed> replayed = ReplayOf(*store, listing.table);
    // A name, and no way to somewhere else.
    const bool usable = std::filesystem::path(listing.table).filename() == listing.table;
    if (!replayed || !usable) {
      const Error wrong = replayed
                              ? Error{"error.value", {{"field", "table"}, {"value", listing.table}}}
                              : replayed.error();
      std::cerr << "civ: "
                << words("export.unreadable",
                         {{"table", PlainText(listing.table)}, {"why", words.Describe(wrong)}})
                << '\n';
      whole = false;
    } else if (replayed->table.status() == Status::Over) {
      WriteFile(options.folder + "/" + listing.table + ".json",
                replayed->table.ToRecord().Dump() + "\n");
      ++written;
    }
  }
  std::cout << words("export.done", {{"count", written}, {"folder", PlainText(options.folder)}})
            << '\n'
            << std::flush;
  if (!whole) throw CLI::RuntimeError(1);
}

}  // namespace

void AddExport(CLI::App& app) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* command =
      app.add_subcommand("export", "Write the finished games of a server as records");
  AddData(*command, options->data, "The server's data folder");
  AddLanguage(*command, options->language, kLanguageOfMessages);
  command->add_option("folder", options->folder, "Where to write them, one file each")->required();
  command->footer("The server may be running. Files that are there are replaced.");
  command->callback([options] { RunExport(*options); });
}

}  // namespace civ
