// civ replay: checks a game record and tells the game.
#include <CLI/CLI.hpp>

#include "civ/app/commands.h"
#include "civ/app/files.h"
#include "civ/app/options.h"
#include "civ/guide/ending.h"
#include "civ/guide/pacts.h"
#include "civ/notation/talk.h"
#include "civ/terminal/console.h"
#include "civ/terminal/match.h"
#include "civ/terminal/screen.h"
#include "civ/words/records.h"

namespace civ {
namespace {

struct ReplayOptions {
  std::string file, language;
  int seat = -1;
  bool open = false, check = false;
};

// How it ended, or where it stands.
Lines HowItStands(const Phrases& say, const Record& record, const State& last) {
  if (last.step == Step::Over) return Ending(say, last);
  if (!record.result.is_null()) return {say(TellForfeit(record.result))};
  return {say("replay.not-over", {{"name", say.Name(last.seat)}})};
}

// The hands, or the first packs of a draft, that may be seen.
Lines Dealt(const Phrases& say, const State& start, const Listener& to) {
  const bool draft = start.step == Step::Draft;
  Lines lines;
  for (Seat seat = 0; seat < start.config.players; ++seat)
    if (to.Sees(seat))
      lines.push_back(
          say(draft ? "replay.pack" : "replay.hand",
              {{"name", say.Name(seat)},
               {"cards", say.Of(draft ? Cards(start.packs[seat]) : start.hands[seat])}}));
  return lines;
}

void TellGame(Console& console, const Phrases& say, const Record& record,
              const std::vector<State>& states, const Listener& to) {
  console.Say(Screen(say, BotsIn(record).value_or(0)).Setup(record.config));
  if (record.date.is_string())
    console.Say(say("replay.date", {{"date", record.date.get<std::string>()}}));
  console.Say(Dealt(say, states.front(), to));
  std::vector<Told> story = TellCourse({states, record.actions}, 0, to);
  TellTalk(story, FoldTalk(states, record.actions, TalkIn(record)).news, states.back(), to);
  for (const Told& told : story) {
    if (told.heading) {
      console.Say();
      console.Say(say(*told.heading));
    }
    console.Say(say(told.lines), "  ");
  }
  console.Say();
  console.Say(HowItStands(say, record, states.back()));
}

void RunReplay(const ReplayOptions& options) {
  const Words words = WordsIn(options.language);
  const Record record = LoadRecord(options.file, words);
  if (options.seat >= record.config.players)
    Fail(words("replay.no-seat", {{"seat", options.seat}, {"most", record.config.players - 1}}));
  const std::vector<State> states = StatesOf(record);
  const Phrases say(words, NamesIn(record, words));
  Console console;
  if (options.check)
    return console.Say(
        words("replay.right", {{"file", options.file},
                               {"players", record.config.players},
                               {"turns", states.back().turn},
                               {"actions", static_cast<int>(record.actions.size())},
                               {"ending", HowItStands(say, record, states.back()).back()}}));
  TellGame(console, say, record, states,
           {options.seat < 0 ? kSpectator : static_cast<Seat>(options.seat), false, options.open});
}

}  // namespace

void AddReplay(CLI::App& app) {
  const auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = app.add_subcommand("replay", "Check a game record and tell the game");
  command->add_option("file", options->file, "The record, - for standard input")->required();
  AddLanguage(*command, options->language);
  CLI::Option* seat =
      command->add_option("--seat", options->seat, "Also tell the hidden cards that this seat saw")
          ->check(CLI::Range(0, 3));
  command->add_flag("--open", options->open, "Tell all cards")->excludes(seat);
  command->add_flag("--check", options->check, "Only check, and say the result in one line");
  command->footer(
      "The exit code is 0 for a right record, 1 for a wrong one: then it is said at which action "
      "it goes wrong, and why.");
  command->callback([options] { RunReplay(*options); });
}

}  // namespace civ
