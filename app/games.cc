// civ export and civ import: finished games out of a server's database and into it, also while the server runs.
#include <sodium.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <future>
#include <iostream>

#include "app/commands.h"
#include "app/data.h"
#include "app/files.h"
#include "app/match.h"
#include "app/promise.h"
#include "server/ids.h"
#include "server/sqlite_store.h"
#include "table/tell.h"

namespace civ {
namespace {

struct Options {
  std::string data = DefaultData(), folder, language;
  std::vector<std::string> files;
};

std::string LanguageOf(const Options& options) { return options.language.empty() ? Words::LanguageOfEnvironment() : options.language; }

std::unique_ptr<SqliteStore> Visit(const Options& options, const Words& words) {
  auto store = SqliteStore::Visit(options.data, [](const std::function<void()>& answer) { answer(); });
  if (!store) Fail(words.Describe(store.error()));
  return std::move(*store);
}

// The store answers on a thread of its own.
template <class T, class Call>
T Wait(Call call) {
  std::promise<T> answer;
  call([&](T value) { answer.set_value(std::move(value)); });
  return answer.get_future().get();
}

Expected<Table> TableFrom(const StoredLog& log) {
  std::vector<Event> events;
  for (const std::string& text : log.events) {
    const Expected<Event> event = EventFromText(text);
    if (!event) return event.error();
    events.push_back(*event);
  }
  return Table::FromLog(events);
}

void Export(const Options& options) {
  const Words words(LanguageOf(options));
  const auto store = Visit(options, words);
  std::error_code failed;
  std::filesystem::create_directories(options.folder, failed);
  if (failed) Fail(options.folder + ": " + failed.message());
  constexpr int kAll = 1 << 30;
  const auto listings = Wait<Expected<std::vector<Listing>>>([&](auto done) { store->List({}, false, kAll, done); });
  if (!listings) Fail(words.Describe(listings.error()));
  int64_t written = 0;
  bool whole = true;
  for (const Listing& listing : *listings) {
    if (listing.open) continue;
    const auto log = Wait<Expected<std::optional<StoredLog>>>([&](auto done) { store->Load(listing.table, done); });
    const Expected<Table> table = !log ? log.error() : *log ? TableFrom(**log) : Error{"error.table.unknown", {}};
    const bool usable = std::filesystem::path(listing.table).filename() == listing.table;  // a name, and no way to somewhere else
    if (!table || !usable) {
      const Error wrong = table ? Error{"error.value", {{"field", "table"}, {"value", listing.table}}} : table.error();
      std::cerr << "civ: " << words("export.unreadable", {{"table", PlainText(listing.table)}, {"why", words.Describe(wrong)}}) << '\n';
      whole = false;
    } else if (table->status() == Status::Over) {
      WriteFile(options.folder + "/" + listing.table + ".json", table->ToRecord().Dump() + "\n");
      ++written;
    }
  }
  std::cout << words("export.done", {{"count", written}, {"folder", PlainText(options.folder)}}) << '\n' << std::flush;
  if (!whole) throw CLI::RuntimeError(1);
}

// The same game has the same id, so that it is not put in twice. Ids look like those that the server makes.
std::string IdOf(const Record& record) {
  const std::string text = record.Dump();
  std::string hash(kIdLength, '\0');
  crypto_generichash(reinterpret_cast<unsigned char*>(hash.data()), hash.size(), reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                     nullptr, 0);
  return IdFrom(std::move(hash));
}

// The log of a table at which this game was played (docs/table-log.md).
std::vector<Event> LogOf(const Record& record, const Words& words, int64_t at) {
  std::vector<Event> log;
  const auto add = [&](EventBody body) { log.push_back({at, std::move(body)}); };
  event::Create create;
  create.options.config = record.config;
  create.options.config.first = 0;
  create.options.listed = false;
  const std::vector<std::string> names = NamesIn(record, words);
  for (Seat seat = 0; seat < record.config.players; ++seat)
    create.chairs.push_back({Person{"import-" + std::to_string(seat), Shortened(names[seat])}, {}});
  create.by = *create.chairs[0].person;
  add(create);

  const Expected<Promise> promise = PromiseIn(record);
  const std::string secret = promise && HashOf(promise->secret) == promise->hash ? promise->secret : NoSecret();
  add(event::Commit{secret, HashOf(secret)});
  for (Seat seat = 0; seat < record.config.players; ++seat)
    if (secret != NoSecret() && !promise->randoms[seat].empty()) add(event::Contribute{seat, promise->randoms[seat]});
  add(event::Deal{record.config.first, record.deck});

  const std::vector<State> states = StatesOf(record);
  for (size_t i = 0; i < record.actions.size(); ++i) {
    const State& before = states[i];
    const Action action = record.actions[i];
    if (before.step == Step::Draft)
      add(event::Pick{before.seat, {}, before.hands[before.seat].Count() + 1, action.kind()});
    else
      add(event::Act{before.seat, {}, {action}});
  }
  if (states.back().step != Step::Over) {
    unsigned winners = 0;
    for (const Json& seat : record.result["winners"]) winners |= 1u << seat.get<unsigned>();
    add(event::Forfeit{winners});
  }
  return log;
}

void Import(const Options& options) {
  const Words words(LanguageOf(options));
  const auto store = Visit(options, words);
  const Expected<int64_t> now = store->ServiceTime();
  if (!now) Fail(words.Describe(now.error()));
  for (const std::string& file : options.files) {
    const Record record = LoadRecord(file, words);
    const auto wrong = [&](const std::string& why) { Fail(words("record.wrong", {{"file", PlainText(file)}, {"why", why}})); };
    if (record.result.is_null()) wrong(words("import.not-over"));
    const std::vector<Event> log = LogOf(record, words, *now);
    const Expected<Table> table = Table::FromLog(log);
    if (!table) wrong(words.Describe(table.error()));
    const std::string id = IdOf(record);
    std::vector<std::string> texts;
    for (const Event& event : log) texts.push_back(ToText(event));
    const Listing listing{id, false, TellSummary(id, *table).dump(-1, ' ', false, Json::error_handler_t::replace), {}};
    const auto stored = Wait<Stored>([&](auto done) { store->Append(id, 0, texts, listing, *now, done); });
    if (stored == Stored::Failed) wrong(words("error.store"));
    std::cout << words(stored == Stored::Stored ? "import.done" : "import.there", {{"file", PlainText(file)}, {"table", id}}) << '\n' << std::flush;
  }
}

CLI::App* AddCommand(CLI::App& app, const std::string& name, const std::string& about, const std::shared_ptr<Options>& options) {
  CLI::App* command = app.add_subcommand(name, about);
  command->add_option("--data", options->data, "The server's data folder")->capture_default_str()->envname("CIV_DATA");
  command->add_option("--lang", options->language, "Language of messages (default: that of the environment, else English)")
      ->check(CLI::IsMember(Words::Languages()));
  return command;
}

}  // namespace

void AddExport(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = AddCommand(app, "export", "Write the finished games of a server as records", options);
  command->add_option("folder", options->folder, "Where to write them, one file each")->required();
  command->footer("The server may be running. Files that are there are replaced.");
  command->callback([options] { Export(*options); });
}

void AddImport(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = AddCommand(app, "import", "Put records of finished games into a server, to be looked at there", options);
  command->add_option("files", options->files, "The records")->required();
  command->footer("The server may be running. Each game gets a table of its own, which is printed; one that is there already is left as it is.");
  command->callback([options] { Import(*options); });
}

}  // namespace civ
