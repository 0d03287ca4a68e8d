// civ import: records of finished games into a server's database, also while the server runs.
#include "civ/table/import.h"

#include <sodium.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "civ/app/commands.h"
#include "civ/app/fairness.h"
#include "civ/app/files.h"
#include "civ/app/options.h"
#include "civ/app/visit.h"
#include "civ/server/ids.h"
#include "civ/table/tell.h"
#include "civ/words/records.h"

namespace civ {
namespace {

struct ImportOptions {
  std::string data = DefaultData(), language;
  std::vector<std::string> files;
};

// The same game has the same id, so that it is not put in twice. Ids look like those that the
// server makes.
std::string IdOf(const Record& record) {
  const std::string text = record.Dump();
  std::string hash(kIdLength, '\0');
  crypto_generichash(reinterpret_cast<unsigned char*>(hash.data()), hash.size(),
                     reinterpret_cast<const unsigned char*>(text.data()), text.size(), nullptr, 0);
  return IdFrom(std::move(hash));
}

// Whoever looks at the game on the server would take its word for the deal.
void NameUnfair(const std::string& file, const Record& record, const Words& words) {
  const Expected<Promise> promise = PromiseIn(record);
  const bool silent = !promise && promise.error().key == "verify.no-deal";
  if (!silent && (!promise || !Examine(record, *promise).right()))
    std::cerr << words("import.unfair", {{"file", PlainText(file)}}) << '\n';
}

void RunImport(const ImportOptions& options) {
  const Words words = WordsIn(options.language);
  const auto store = VisitStore(options.data, SqliteStore::Access::Append, words);
  const Expected<int64_t> now = store->ServiceTime();
  if (!now) Fail(words.Describe(now.error()));
  for (const std::string& file : options.files) {
    const Record record = LoadRecord(file, words);
    const auto wrong = [&](const std::string& why) {
      Fail(words("record.wrong", {{"file", PlainText(file)}, {"why", why}}));
    };
    if (record.result.is_null()) wrong(words("import.not-over"));
    std::vector<std::string> names = NamesIn(record, words);
    for (std::string& name : names) name = Shortened(name);
    const std::vector<Event> log = LogOf(record, names, *now);
    const Expected<Table> table = Table::FromLog(log);
    if (!table) wrong(words.Describe(table.error()));
    NameUnfair(file, record, words);
    const std::string id = IdOf(record);
    std::vector<std::string> texts;
    for (const Event& event : log) texts.push_back(ToText(event));
    const Listing listing{
        id,
        false,
        TellSummary(id, *table).dump(-1, ' ', false, Json::error_handler_t::replace),
        {}};
    const auto stored =
        Wait<Stored>([&](auto done) { store->Append(id, 0, texts, listing, *now, done); });
    if (stored == Stored::Failed) wrong(words("error.store"));
    std::cout << words(stored == Stored::Stored ? "import.done" : "import.there",
                       {{"file", PlainText(file)}, {"table", id}})
              << '\n'
              << std::flush;
  }
}

}  // namespace

void AddImport(CLI::App& app) {
  const auto options = std::make_shared<ImportOptions>();
  CLI::App* command = app.add_subcommand(
      "import", "Put records of finished games into a server, to be looked at there");
  AddData(*command, options->data, "The server's data folder");
  AddLanguage(*command, options->language, kLanguageOfMessages);
  command->add_option("files", options->files, "The records")->required();
  command->footer(
      "The server may be running. Each game gets a table of its own, which is printed; one that is "
      "there already is left as it is.");
  command->callback([options] { RunImport(*options); });
}

}  // namespace civ
