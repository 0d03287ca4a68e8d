// civ bot: one of our bots as a program of its own, spoken to by docs/bot-protocol.md.
#include "civ/bots/bot.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "civ/app/commands.h"
#include "civ/app/files.h"
#include "civ/app/options.h"
#include "civ/arena/contest.h"
#include "civ/bots/diplomat.h"
#include "civ/notation/json.h"
#include "civ/notation/notation.h"
#include "civ/notation/talk.h"
#include "civ/outside/outside.h"
#include "civ/terminal/console.h"

namespace civ {
namespace {

constexpr int kLongestDecision = 3'600'000;  // milliseconds

// A bot, from one game to the next.
class Speaker {
 public:
  explicit Speaker(std::string name) : name_(std::move(name)) {}

  // What is answered to a message, nothing to the end of a game; an error if it is none of the
  // protocol.
  Expected<std::optional<Json>> Answer(std::string_view line) {
    const Expected<Json> json = ParseJson(line);
    if (!json) return json.error();
    Reader message(*json);
    const std::string command = message.Text("cmd");
    std::optional<Json> answer;
    if (command == "start")
      answer = Start(message);
    else if (command == "decide")
      answer = Decide(message);
    else if (command != "end")
      message.Fail("error.command", {{"command", command}});
    if (message.error) return *message.error;
    return answer;
  }

 private:
  Json Start(Reader& message) {
    message.Int("protocol", kBotProtocol, kBotProtocol);
    seed_ = message.Number("seed");
    decisions_ = 0;
    bot_ = MakeBot(name_);  // it knows nothing of the last game
    return {{"ok", true}};
  }

  Json Decide(Reader& message) {
    Limits limits;
    limits.time = std::chrono::milliseconds(message.Int("ms", 1, kLongestDecision));
    if (message.Has("iterations")) limits.iterations = message.Int("iterations", 1, INT32_MAX);
    const Expected<View> view = ViewFromJson(message.Field("view"));
    if (!bot_) message.Fail("bot.no-start");
    if (!view) message.Fail(view.error().key, view.error().args);
    if (!message.ok()) return {};
    if (view->step == Step::Over || view->viewer != view->seat)
      return message.Fail("error.view.not-deciding"), Json();
    const uint64_t seed = Mix(seed_, decisions_++);
    if (message.Has("pacts") && Talks(name_)) return WithPacts(message, *view, limits, seed);
    return {{"action", NameOf(bot_->Think(*view, limits, seed).best)}};
  }

  Json WithPacts(Reader& message, const View& view, const Limits& limits, uint64_t seed) {
    const Expected<Diplomacy> pacts = DiplomacyFromJson(message.Field("pacts"), view.config);
    if (!pacts) return message.Fail(pacts.error().key, pacts.error().args), Json();
    const Character character = CharacterOf(view.config, view.seat);
    const Decision decision = civ::Decide(*bot_, view, *pacts, character, limits, seed);
    Json answer = {{"action", NameOf(decision.action)}};
    if (decision.say) answer["say"] = ToJson(*decision.say);
    return answer;
  }

  const std::string name_;
  std::unique_ptr<Bot> bot_;  // of the game under way
  uint64_t seed_ = 0, decisions_ = 0;
};

void RunBot(const std::string& name, const std::string& language) {
  std::ios::sync_with_stdio(false);
  const Words words = WordsIn(language);
  Speaker speaker(name);
  std::string line;
  while (ReadLine(*std::cin.rdbuf(), Program::kLongestLine + 1, line)) {
    const Expected<std::optional<Json>> answer = speaker.Answer(line);
    if (!answer) Fail(words.Describe(answer.error()));
    if (!*answer) continue;
    std::cout << (*answer)->dump() << '\n' << std::flush;
    if (!std::cout) Fail(words("bot.closed"));
  }
}

}  // namespace

void AddBot(CLI::App& app) {
  struct Options {
    std::string name, language;
  };
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("bot", "Be one of the bots, for other programs: one JSON object a line");
  command->add_option("name", options->name, "The bot")
      ->required()
      ->check(CLI::IsMember(BotNames()));
  AddLanguage(*command, options->language, kLanguageOfMessages);
  command->footer(
      "docs/bot-protocol.md describes messages and answers. The bots of another build play against "
      "those of this one with\n"
      "  civ arena --bot other=\"/path/to/other/civ bot master\" --bots master,other --ms 10");
  command->callback([options] { RunBot(options->name, options->language); });
}

}  // namespace civ
