// civ verify: checks a record, and that its cards were dealt as the server had promised
// (docs/fair-deal.md).
#include <CLI/CLI.hpp>
#include <iostream>

#include "civ/app/commands.h"
#include "civ/app/fairness.h"
#include "civ/app/files.h"
#include "civ/app/options.h"
#include "civ/table/tell.h"
#include "civ/terminal/console.h"
#include "civ/words/records.h"

namespace civ {
namespace {

struct VerifyOptions {
  std::string file, language;
  bool json = false;
};

void Tell(const std::string& file, const Record& record, const Promise& promise,
          const Findings& found, const Words& words) {
  const auto say = [&](std::string_view key, bool right) {
    return words(key, {{"right", right ? "yes" : "no"}});
  };
  const std::vector<std::string> lines = {words("verify.record"), say("verify.hash", found.hash),
                                          say("verify.first", found.first),
                                          say("verify.deck", found.deck), words("verify.compare")};
  std::vector<std::string> told = {words("verify.told-hash", {{"hash", promise.hash}})};
  const std::vector<std::string> names = NamesIn(record, words);
  for (Seat seat = 0; seat < record.config.players; ++seat) {
    const std::string& number = promise.randoms[seat];
    told.push_back(number.empty()
                       ? words("verify.no-number", {{"name", names[seat]}})
                       : words("verify.number", {{"name", names[seat]}, {"number", number}}));
  }
  Console console;
  console.Say(lines);
  console.Say(told, "  ");
  console.Say(
      words("verify.fair", {{"right", found.right() ? "yes" : "no"}, {"file", PlainText(file)}}));
}

void Print(const Json& json) {
  std::cout << json.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
}

[[noreturn]] void Refuse(const VerifyOptions& options, bool record, const Error& error,
                         const std::string& why, const Words& words) {
  if (!options.json) Fail(words("record.wrong", {{"file", PlainText(options.file)}, {"why", why}}));
  Print({{"right", false}, {"record", record}, {"error", ToJson(error)}});
  throw CLI::RuntimeError(1);
}

void RunVerify(const VerifyOptions& options) {
  const Words words = WordsIn(options.language);
  const std::string text = ReadFile(options.file);
  const auto read = ReadRecord(text);
  if (const auto* wrong = std::get_if<RecordError>(&read))
    Refuse(options, false, wrong->error, DescribeWrong(text, *wrong, words), words);
  const auto& record = std::get<Record>(read);
  const Expected<Promise> promise = PromiseIn(record);
  if (!promise) Refuse(options, true, promise.error(), words.Describe(promise.error()), words);
  const Findings found = Examine(record, *promise);
  if (options.json)
    Print({{"right", found.right()},
           {"record", true},
           {"hash", found.hash},
           {"first", found.first},
           {"deck", found.deck}});
  else
    Tell(options.file, record, *promise, found, words);
  if (!found.right()) throw CLI::RuntimeError(1);
}

}  // namespace

void AddVerify(CLI::App& app) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App* command =
      app.add_subcommand("verify", "Check that the cards of an online game were dealt as promised");
  command->add_option("file", options->file, "The record of the game, - for standard input")
      ->required();
  command->add_flag("--json", options->json, "Print one JSON object");
  AddLanguage(*command, options->language);
  command->footer(
      "The exit code is 0 if record and deal are right, else 1. docs/fair-deal.md says what that "
      "proves, and how to do it without this program.");
  command->callback([options] { RunVerify(*options); });
}

}  // namespace civ
