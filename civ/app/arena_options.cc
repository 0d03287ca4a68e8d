#include "civ/app/arena_options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <thread>

#include "civ/app/options.h"
#include "civ/bots/diplomat.h"
#include "civ/notation/notation.h"
#include "civ/notation/talk.h"
#include "civ/words/words.h"

namespace civ {
namespace {

template <class T>
std::optional<T> ParseNumber(std::string_view text) {
  T number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

using Commands = std::vector<std::pair<std::string, std::string>>;  // by name, in the order given

Commands CommandsFrom(const ArenaOptions& options) {
  Commands commands;
  for (const std::string& program : options.programs) {
    const size_t sign = program.find('=');
    const std::string name = program.substr(0, sign),
                      command = sign == std::string::npos ? "" : program.substr(sign + 1);
    const bool good_name = !name.empty() && std::ranges::all_of(name, [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.';
    });
    if (!good_name || command.empty() || PlainText(command) != command)
      Refuse("--bot " + PlainText(program) +
             ": expected name=command, as in --bot mine=\"python3 mine.py\"");
    if (std::ranges::find(BotNames(), name) != BotNames().end())
      Refuse("--bot " + name + ": there is a bot of this name already");
    if (std::ranges::any_of(commands, [&](const auto& other) { return other.first == name; }))
      Refuse("--bot " + name + ": given twice");
    commands.emplace_back(name, command);
  }
  return commands;
}

std::string AllBots(const Commands& commands) {
  std::string names;
  for (const std::string_view name : BotNames())
    names += (names.empty() ? "" : ", ") + std::string(name);
  for (const auto& [name, command] : commands) names += ", " + name;
  return names;
}

// False if there is no such character.
bool SetCharacter(const std::string& name, Entrant& entrant) {
  entrant.silent = name == "silent";
  for (int c = 0; c < kCharacters; ++c)
    if (const auto character = static_cast<Character>(c); NameOf(character) == name)
      entrant.character = character;
  return entrant.silent || entrant.character;
}

// "name", "name:ms=10", "name:iterations=1000", "name:ms=10:character=fair". Limits of its own
// replace those for all.
Entrant EntrantFrom(const std::string& text, const ArenaOptions& options,
                    const Commands& commands) {
  constexpr int64_t kProgramMs = 250;  // an outside program is never left without a deadline
  const std::vector<std::string> parts = Split(text, ':');
  Entrant entrant = {.name = text, .bot = parts[0], .command = {}};
  const auto program = std::ranges::find(commands, parts[0], &Commands::value_type::first);
  if (program != commands.end()) entrant.command = program->second;
  if (entrant.command.empty() && !MakeBot(parts[0]))
    Refuse("--bots: there is no bot \"" + PlainText(parts[0]) + "\"; there are " +
           AllBots(commands));
  for (size_t i = 1; i < parts.size(); ++i) {
    const std::vector<std::string> limit = Split(parts[i], '=');
    const std::string& what = limit[0];
    if (what == "character" && options.pacts && limit.size() == 2 &&
        SetCharacter(limit[1], entrant))
      continue;
    const int64_t number = limit.size() == 2 ? ParseNumber<int64_t>(limit[1]).value_or(0) : 0;
    if ((what != "ms" && what != "iterations") || number < 1 || number > 1'000'000'000)
      Refuse("--bots: \"" + PlainText(text) +
             "\" should be a bot with ms=… or iterations=…, as in master:ms=40" +
             (options.pacts ? ", or with a character, as in level7:character=fair" : ""));
    (what == "ms" ? entrant.ms : entrant.iterations) = number;
  }
  if (entrant.ms == 0 && entrant.iterations == 0) {
    entrant.ms = options.ms;
    entrant.iterations = options.iterations;
  }
  if (!entrant.command.empty() && entrant.ms == 0) entrant.ms = kProgramMs;
  if (entrant.ms == 0 && entrant.iterations == 0) {
    const Limits usual = DefaultLimits(entrant.bot);
    entrant.ms = std::chrono::duration_cast<std::chrono::milliseconds>(usual.time).count();
    entrant.iterations = usual.iterations;
  }
  return entrant;
}

std::vector<Entrant> EntrantsFrom(const ArenaOptions& options) {
  constexpr size_t kMost = 16;
  const Commands commands = CommandsFrom(options);
  std::string list = options.bots;
  if (list.empty()) {
    if (commands.empty())
      Refuse("which bots? Give --bots, as in --bots plain,greedy; there are " + AllBots(commands));
    for (const auto& [name, command] : commands) list += name + ",";
    list += "greedy";
  }
  std::vector<Entrant> entrants;
  for (const std::string& name : Split(list, ',')) {
    if (std::ranges::any_of(entrants, [&](const Entrant& other) { return other.name == name; }))
      Refuse("--bots: " + PlainText(name) +
             " is named twice; the same bot may play itself with other limits, as in "
             "master:ms=40,master:ms=10");
    entrants.push_back(EntrantFrom(name, options, commands));
  }
  if (entrants.size() > kMost) Refuse("--bots: at most " + std::to_string(kMost) + " at once");
  return entrants;
}

}  // namespace

void Refuse(const std::string& message) { throw CLI::ValidationError("civ arena", message); }

std::optional<Hypotheses> HypothesesFrom(const ArenaOptions& options, const Contest& contest) {
  if (options.sprt.empty()) return std::nullopt;
  const std::vector<std::string> parts = Split(options.sprt, ',');
  const auto low = ParseNumber<double>(parts[0]),
             high = parts.size() == 2 ? ParseNumber<double>(parts[1]) : std::nullopt;
  if (!low || !high || !(*low < *high) || std::abs(*low) > 2000 || std::abs(*high) > 2000)
    Refuse("--sprt " + PlainText(options.sprt) +
           ": expected two Elo differences, the lower first, as in --sprt 0,10");
  if (contest.entrants.size() != 2 || contest.Sides() != 2)
    Refuse("--sprt is for two bots and two players, or two teams");
  return Hypotheses{*low, *high};
}

Anchor AnchorFrom(const ArenaOptions& options, const Contest& contest) {
  Anchor anchor;
  if (options.anchor.empty()) return anchor;
  const size_t sign = options.anchor.rfind('=');
  const bool average =
      sign == std::string::npos || !ParseNumber<double>(options.anchor.substr(sign + 1));
  const auto rating =
      ParseNumber<double>(average ? options.anchor : options.anchor.substr(sign + 1));
  if (!rating)
    Refuse("--anchor " + PlainText(options.anchor) +
           ": expected a rating, or a bot and its rating, as in greedy=1000");
  anchor.rating = *rating;
  if (average) return anchor;
  const auto entrant =
      std::ranges::find(contest.entrants, options.anchor.substr(0, sign), &Entrant::name);
  if (entrant == contest.entrants.end())
    Refuse("--anchor: " + PlainText(options.anchor.substr(0, sign)) + " does not play");
  anchor.entrant = static_cast<int>(entrant - contest.entrants.begin());
  return anchor;
}

void AddTable(CLI::App& command, ArenaOptions& options) {
  command.add_option("--players", options.players, "Seats at a table (default: 2, in teams 4)")
      ->check(CLI::Range(2, 4));
  command.add_flag("--teams", options.teams, "In teams: seats 0 and 2 against 1 and 3");
  AddSetup(command, options.setup, "Set-up");
  AddEdition(command, options.edition, "Edition of the rules");
}

void AddThreads(CLI::App& command, ArenaOptions& options) {
  command
      .add_option("--threads", options.threads,
                  "Games at the same time (default: as many as there are cores)")
      ->check(CLI::Range(1, 1024));
}

int ThreadsFrom(const ArenaOptions& options) {
  return options.threads != 0 ? options.threads
                              : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

Contest ContestFrom(const ArenaOptions& options) {
  constexpr int kDecks = 50, kDecksForTest = 20'000;
  Contest contest;
  if (options.teams && options.players != 0 && options.players != kMaxSeats)
    Refuse("--teams needs four players");
  contest.config = {.players = static_cast<uint8_t>(options.players != 0 ? options.players
                                                    : options.teams      ? kMaxSeats
                                                                         : 2),
                    .setup = *ParseSetup(options.setup),
                    .edition = *ParseEdition(options.edition),
                    .teams = options.teams};
  contest.pacts = options.pacts;
  if (contest.pacts && contest.config.players == 2)
    Refuse("--pacts is for three or four players: two have nothing to talk about");
  contest.entrants = EntrantsFrom(options);
  contest.seed = options.seed;
  contest.decks = options.decks != 0     ? options.decks
                  : options.sprt.empty() ? kDecks
                                         : kDecksForTest;
  contest.patience = {std::chrono::milliseconds(options.startup),
                      std::chrono::milliseconds(options.grace)};
  contest.Arrange();
  if (int64_t{contest.decks} * contest.GamesPerDeck() > 1'000'000)
    Refuse("--decks: more than a million games");
  return contest;
}

}  // namespace civ
