// civ hint: what a bot advises the seat whose view is given.
#include <CLI/CLI.hpp>
#include <iostream>

#include "civ/analysis/advice.h"
#include "civ/analysis/analysis.h"
#include "civ/app/commands.h"
#include "civ/app/files.h"
#include "civ/app/options.h"
#include "civ/notation/json.h"
#include "civ/notation/notation.h"
#include "civ/terminal/screen.h"

namespace civ {
namespace {

struct HintOptions {
  std::string bot = "master", language;
  int64_t iterations = 0, ms = 0;
  int threads = 1;
  size_t count = 3;
  uint64_t seed = 1;
  bool json = false;
};

// The view on standard input, if its viewer has something to decide.
View ReadView(const Words& words) {
  const Expected<Json> json = ParseJson(ReadFile("-"));
  if (!json) Fail(words.Describe(json.error()));
  const Expected<View> view = ViewFromJson(*json);
  if (!view) Fail(words.Describe(view.error()));
  if (view->step == Step::Over) Fail(words("hint.over"));
  if (view->viewer == kSpectator) Fail(words("hint.spectator"));
  if (view->viewer != view->seat) Fail(words("error.view.not-deciding"));
  return *view;
}

// What is advised, the best first, and why.
struct Advised {
  const Judgement& judgement;
  Messages reasons;
};

Json ToJson(const View& view, const Thought& thought, const std::vector<Advised>& advice) {
  Json actions = Json::array();
  for (const auto& [judgement, reasons] : advice) {
    const Json chances = ToJson(view.config, Whole(view.config, view.seat, judgement.chances));
    actions.push_back({{"action", NameOf(judgement.action)},
                       {"chance", chances[view.seat]},
                       {"chances", chances},
                       {"weight", judgement.weight},
                       {"reasons", ToJson(reasons)}});
  }
  return {{"seat", view.seat},
          {"best", NameOf(thought.best)},
          {"iterations", thought.iterations},
          {"actions", actions}};
}

void RunHint(const HintOptions& options) {
  const Words words = WordsIn(options.language);
  const View view = ReadView(words);
  Limits limits = options.iterations + options.ms > 0 ? Limits{} : DefaultLimits(options.bot);
  if (options.iterations > 0) limits.iterations = options.iterations;
  if (options.ms > 0) limits.time = std::chrono::milliseconds(options.ms);
  limits.threads = options.threads;
  const Thought thought = MakeBot(options.bot)->Think(view, limits, options.seed);
  const bool only = Legal(view).Size() == 1;
  if (!only && thought.judgements.empty()) Fail(words("bot.no-judgements", {{"bot", options.bot}}));

  std::vector<Advised> advice;
  for (size_t i = 0; i < std::min(options.count, thought.judgements.size()); ++i)
    advice.push_back(
        {thought.judgements[i], WhyTake(view, thought.judgements[i].action, options.seed)});
  std::vector<std::string> names;
  for (Seat seat = 0; seat < view.config.players; ++seat)
    names.push_back(
        words("play.player", {{"letter", std::string(1, static_cast<char>('A' + seat))}}));
  const Phrases say(words, names);
  if (options.json)
    std::cout << ToJson(view, thought, advice).dump() << '\n';
  else if (only)
    std::cout << say("hint.only", {{"action", NameOf(thought.best)}}) << '\n';
  else
    for (size_t i = 0; i < advice.size(); ++i) {
      std::cout << Advice(say, view, advice[i].judgement, static_cast<int64_t>(i) + 1) << '\n';
      for (const std::string& reason : say(advice[i].reasons)) std::cout << "   " << reason << '\n';
    }
}

}  // namespace

void AddHint(CLI::App& app) {
  const auto options = std::make_shared<HintOptions>();
  CLI::App* command = app.add_subcommand(
      "hint", "Tell the best actions for a view, and the chances of winning with each");
  command->add_option("--bot", options->bot, "The bot that is asked")
      ->check(CLI::IsMember(BotNames()))
      ->capture_default_str();
  command->add_option("--iterations", options->iterations, "Think for this number of iterations")
      ->check(CLI::Range(int64_t{1}, int64_t{1'000'000'000}));
  command->add_option("--ms", options->ms, "Think for this number of milliseconds")
      ->check(CLI::Range(1, 3'600'000));
  command->add_option("--threads", options->threads, "Threads to think with")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "Seed of the bot's chance")->capture_default_str();
  command->add_option("--count", options->count, "How many actions to tell")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON object");
  AddLanguage(*command, options->language);
  command->footer(
      "The view is read from standard input: one JSON object as in docs/protocol.md, from the seat "
      "that decides.");
  command->callback([options] { RunHint(*options); });
}

}  // namespace civ
