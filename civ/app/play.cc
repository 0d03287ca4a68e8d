// civ play: a game in the terminal, in plain text, against bots and other people at the same
// keyboard.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <optional>

#include "civ/app/commands.h"
#include "civ/app/files.h"
#include "civ/app/options.h"
#include "civ/guide/ending.h"
#include "civ/notation/notation.h"
#include "civ/terminal/console.h"
#include "civ/terminal/screen.h"
#include "civ/terminal/session.h"
#include "civ/view/deal.h"
#include "civ/words/records.h"

namespace civ {
namespace {

struct PlayOptions {
  int players = 0;  // 0: not given
  int humans = 1;
  std::string setup = "basic", edition = "en", seats, language, save, resume;
  std::vector<std::string> programs;
  bool teams = false, ask_all = false, brief = false, silent = false;
  std::optional<uint64_t> seed;
  std::optional<int> level;
  int64_t iterations = 0;

  int Level() const { return level.value_or(kUsualLevel); }
};

struct Seats {
  std::vector<std::string> names;
  Players players;
};

// Names that are easy to tell apart, in every language.
std::string BotName(const std::vector<std::string>& taken) {
  for (const char* name : {"Ada", "Bruno", "Clara", "Dario", "Elena", "Felix", "Greta", "Hugo"})
    if (std::ranges::find(taken, name) == taken.end()) return name;
  return "Bot";
}

// The names between the commas, without blanks around them.
std::vector<std::string> NamesFrom(const std::string& list) {
  std::vector<std::string> names = Split(list, ',');
  for (std::string& name : names) {
    const size_t begin = std::min(name.find_first_not_of(' '), name.size());
    name = PlainText(name.substr(begin, name.find_last_not_of(' ') + 1 - begin));
  }
  return names;
}

bool IsName(const std::string& name) {
  constexpr int kLongest = 40;
  // Letters, not bytes, of UTF-8.
  const auto letters = std::ranges::count_if(name, [](char c) { return (c & 0xc0) != 0x80; });
  return letters >= 1 && letters <= kLongest;
}

// The level that "bot" or "bot:5" asks for; 0 if it is the name of a person.
int LevelFrom(const std::string& seat, const PlayOptions& options, const Words& words) {
  const std::string folded = Folded(seat);
  if (folded == "bot") return options.Level();
  if (!folded.starts_with("bot:")) return 0;
  int level = 0;
  const auto [end, status] =
      std::from_chars(folded.data() + 4, folded.data() + folded.size(), level);
  if (status != std::errc() || end != folded.data() + folded.size() || level < 1 ||
      level > kBotLevels)
    Fail(words("play.level", {{"seat", seat}, {"most", kBotLevels}}));
  return level;
}

// The command of the program of that name: --bot name=command. Empty if there is none.
std::string CommandOf(const std::string& name, const PlayOptions& options) {
  for (const std::string& program : options.programs)
    if (program.starts_with(name + '=')) return program.substr(name.size() + 1);
  return {};
}

// "Ada,bot,bot:5,mine": names of people and of programs; bots of the usual or of their own level.
Seats SeatsFrom(const PlayOptions& options, const Words& words) {
  Seats seats;
  seats.names = NamesFrom(options.seats);
  if (seats.names.size() < 2 || seats.names.size() > kMaxSeats) Fail(words("play.seats-count"));
  for (size_t seat = 0; seat < seats.names.size(); ++seat) {
    std::string& name = seats.names[seat];
    Player& player = seats.players[seat];
    player.level = LevelFrom(name, options, words);
    if (player.level != 0) name = BotName(seats.names);
    player.command = CommandOf(name, options);
    if (!player.command.empty() && player.level == 0) player.level = options.Level();
    const bool twice = std::ranges::count(seats.names, name) > 1;
    if (!IsName(name) || twice) Fail(words("play.seat-name", {{"name", name}}));
  }
  return seats;
}

Seats SeatsFor(int players, const PlayOptions& options, const Words& words) {
  Seats seats;
  if (options.humans > players)
    Fail(words("play.too-many-people", {{"players", players}, {"humans", options.humans}}));
  for (int seat = 0; seat < players; ++seat) {
    const bool bot = seat >= options.humans;
    const std::string letter(1, static_cast<char>('A' + seat));
    seats.names.push_back(bot ? BotName(seats.names) : words("play.player", {{"letter", letter}}));
    if (bot)
      seats.players[static_cast<size_t>(seat)] = {options.Level(),
                                                  CommandOf(seats.names.back(), options)};
  }
  return seats;
}

std::string Today() {
  const std::time_t now = std::time(nullptr);
  char text[11];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::localtime(&now));
  return text;
}

Match NewMatch(const PlayOptions& options, const Words& words) {
  const int players = options.players != 0 ? options.players : options.teams ? kMaxSeats : 2;
  const Seats seats =
      options.seats.empty() ? SeatsFor(players, options, words) : SeatsFrom(options, words);
  if (options.players != 0 && static_cast<int>(seats.names.size()) != options.players)
    Fail(words("play.seats-count"));
  if (options.teams && seats.names.size() != kMaxSeats) Fail(words("error.teams"));
  const uint64_t seed = options.seed.value_or(RandomSeed());
  const Config config = {static_cast<uint8_t>(seats.names.size()), *ParseSetup(options.setup),
                         *ParseEdition(options.edition), options.teams, 0};
  const Deal deal = DealFromSeed(config, seed);
  Record record;
  record.config = deal.config;
  record.deck.assign(deal.deck.Span().begin(), deal.deck.Span().end());
  record.names = seats.names;
  record.date = Today();
  return {std::move(record), seats.players, seed, options.iterations, options.silent};
}

// Who played before, and as before unless --level says otherwise. In a record of another program
// bots play against seat 0. Programs are those of --bot that have the name of a bot.
Players PlayersIn(const Record& record, const PlayOptions& options) {
  const unsigned bots = BotsIn(record).value_or(~1u);
  Players players;
  for (Seat seat = 0; seat < record.config.players; ++seat)
    if ((bots >> seat & 1) != 0)
      players[seat] = {options.level ? *options.level : LevelIn(record, seat).value_or(kUsualLevel),
                       CommandOf(record.NameOf(seat), options)};
  return players;
}

Match ResumedMatch(const PlayOptions& options, const Words& words) {
  Record record = LoadRecord(options.resume, words);
  Players players = PlayersIn(record, options);
  if (!options.seats.empty()) {
    const Seats seats = SeatsFrom(options, words);
    if (seats.names.size() != record.config.players) Fail(words("play.seats-count"));
    players = seats.players;
    record.names = seats.names;
  }
  const uint64_t seed = options.seed ? *options.seed : SeedIn(record).value_or(RandomSeed());
  return {std::move(record), std::move(players), seed, options.iterations, options.silent};
}

// A game that is over has nothing to play on: it is told, and left alone.
bool TellIfEnded(const Match& match, const Words& words) {
  if (match.record().result.is_null()) return false;
  const Phrases say(words, NamesIn(match.record(), words));
  Console console;
  console.Say(words("play.already-over"));
  if (match.Now().step == Step::Over)
    console.Say(Ending(say, match.Now()));
  else
    console.Say(say(TellForfeit(match.record().result)));
  return true;
}

CLI::Validator ProgramOption() {
  return {[](std::string& text) {
            const size_t sign = text.find('=');
            return sign == 0 || sign >= text.size() - 1
                       ? "expected name=command, as in --bot mine=\"python3 mine.py\""
                       : "";
          },
          "NAME=COMMAND"};
}

// Whether each program has a seat. One that has none was misspelt.
void CheckPrograms(const Match& match, const PlayOptions& options, const Words& words) {
  for (const std::string& program : options.programs) {
    const std::string name = program.substr(0, program.find('='));
    bool seated = false;
    for (Seat seat = 0; seat < match.record().config.players; ++seat)
      seated |= match.IsBot(seat) && match.record().NameOf(seat) == name;
    if (!seated) Fail(words("play.program-seat", {{"name", name}}));
  }
}

bool TryToWrite(const std::string& file, const std::string& text) {
  try {
    WriteFile(file, text);
    return true;
  } catch (const CLI::RuntimeError&) {
    return false;
  }
}

void RunPlay(const PlayOptions& options) {
  const Words words = WordsIn(options.language);
  Match match = options.resume.empty() ? NewMatch(options, words) : ResumedMatch(options, words);
  CheckPrograms(match, options, words);
  if (TellIfEnded(match, words)) return;
  std::error_code ignored;
  if (!options.save.empty() && options.save != options.resume &&
      std::filesystem::exists(options.save, ignored) &&
      !std::filesystem::is_empty(options.save, ignored))
    Fail(words("play.file-exists", {{"file", options.save}}));
  if (!Play(std::move(match), words,
            {options.ask_all, options.brief, options.save.empty() ? options.resume : options.save,
             options.language, TryToWrite}))
    throw CLI::RuntimeError(1);
}

}  // namespace

void AddPlay(CLI::App& app) {
  const auto options = std::make_shared<PlayOptions>();
  CLI::App* command = app.add_subcommand(
      "play", "Play in the terminal, against bots and with others at the same keyboard");
  CLI::Option* players =
      command
          ->add_option("--players", options->players, "Number of players (default: 2, in teams 4)")
          ->check(CLI::Range(2, 4));
  CLI::Option* humans = command->add_option("--humans", options->humans,
                                            "How many of them are people; they sit from seat 0 on");
  humans->check(CLI::Range(0, 4))->capture_default_str();
  command
      ->add_option(
          "--seats", options->seats,
          "Who sits where, as in Ada,bot,Ben,bot:5: names of people, bot, or bot and its level")
      ->excludes(humans);
  command
      ->add_option("--level", options->level,
                   "How strong bots are that have no level of their own, 1 to 8 (default: 3)")
      ->check(CLI::Range(1, kBotLevels));
  command
      ->add_option("--bot", options->programs,
                   "A program of yours in the seat of that name, as in --seats Ada,mine --bot "
                   "mine=\"python3 mine.py\"")
      ->check(ProgramOption())
      ->allow_extra_args(false);
  command
      ->add_option("--iterations", options->iterations,
                   "Let bots think for this number of iterations, whatever time it takes")
      ->check(CLI::Range(int64_t{1}, int64_t{1'000'000'000}));
  CLI::Option* setup = AddSetup(*command, options->setup, "Set-up");
  CLI::Option* edition = AddEdition(*command, options->edition, "Edition of the rules");
  CLI::Option* teams =
      command->add_flag("--teams", options->teams, "In teams: seats 0 and 2 against 1 and 3");
  AddLanguage(*command, options->language);
  command->add_option("--seed", options->seed,
                      "Seed of deck, First Player and bots (default: random)");
  command->add_option("--save", options->save, "Save the game in this file after every action");
  command
      ->add_option(
          "--resume", options->resume,
          "Go on with the game in this file, and save it there unless --save names another")
      ->excludes(players, humans, setup, edition, teams);
  command->add_flag("--ask-all", options->ask_all, "Ask even where there is only one choice");
  command->add_flag("--brief", options->brief,
                    "Show the table once a turn, not before every choice");
  command->add_flag("--silent", options->silent,
                    "Without offers, pacts and warnings, by bots or anybody");
  command->footer(
      "While playing, type the number of a choice, an action in notation (docs/protocol.md), or "
      "help.\n"
      "Example: civ play --seats Ada,bot,Ben --setup draft --lang fr --save game.json");
  command->callback([options] { RunPlay(*options); });
}

}  // namespace civ
