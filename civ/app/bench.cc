// civ bench: how fast the engine is, and the signature that tells whether it plays the same as
// before.
#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "civ/app/commands.h"
#include "civ/bots/bot.h"
#include "civ/bots/playout.h"
#include "civ/bots/signature.h"
#include "civ/view/deal.h"
#include "civ/view/view.h"

namespace civ {
namespace {

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

State Begin(int players, Random& random) {
  const Deck deck = ShuffledDeck(players, random);
  return New({.players = static_cast<uint8_t>(players)}, deck.Span());
}

[[gnu::flatten]] long PlayUniform(int players, Random& random) {
  State state = Begin(players, random);
  long decisions = 0;
  for (; state.step != Step::Over; ++decisions) Apply(state, ChooseUniform(Legal(state), random));
  return decisions;
}

long PlayBuilder(int players, Random& random) {
  State state = Begin(players, random);
  long decisions = 0;
  for (; state.step != Step::Over; ++decisions)
    Apply(state, Choose(Policy::Builder, state, Legal(state), random));
  return decisions;
}

// The deciding seat's view is built at every decision, and decided from.
long PlayFromViews(int players, Random& random) {
  Game game(Begin(players, random));
  long decisions = 0;
  for (; game.state.step != Step::Over; ++decisions) {
    const View view = MakeView(game.state, game.knowledge, game.state.seat);
    game.Apply(ChooseUniform(Legal(view), random));
  }
  return decisions;
}

struct Speed {
  double decisions, games;  // a second
};

Speed Measure(long (*play)(int, Random&), int players, double seconds) {
  Random random(1);
  long games = 0, decisions = 0;
  const double begin = CpuSeconds();
  double spent = 0;
  while (spent < seconds) {
    for (int i = 0; i < 64; ++i, ++games) decisions += play(players, random);
    spent = CpuSeconds() - begin;
  }
  return {static_cast<double>(decisions) / spent, static_cast<double>(games) / spent};
}

std::chrono::nanoseconds CpuClock() {
  return std::chrono::nanoseconds(static_cast<int64_t>(1e9 * CpuSeconds()));
}

// How many iterations of its search a bot makes a second, from an opening.
double Iterations(const char* bot, int players, double seconds) {
  Random random(1);
  const Game game(Begin(players, random));
  const View view = MakeView(game.state, game.knowledge, game.state.seat);
  const double begin = CpuSeconds();
  const Thought thought = MakeBot(bot)->Think(
      view,
      {.time = std::chrono::nanoseconds(static_cast<int64_t>(1e9 * seconds)), .clock = CpuClock},
      1);
  return static_cast<double>(thought.iterations) / (CpuSeconds() - begin);
}

struct Options {
  double seconds = 1;
  bool json = false;
  bool signature = false;
};

void Run(const Options& options) {
  char signature[17];
  std::snprintf(signature, sizeof signature, "%016llx",
                static_cast<unsigned long long>(Signature()));
  if (options.signature) {
    std::printf("%s %016llx\n", signature, static_cast<unsigned long long>(BotSignature()));
    return;
  }
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  if (!options.json)
    std::puts(
        "players   decisions/s      games/s   with views   column builders   iterations/s: plain   "
        "plain-informed   master");
  for (int players = 2; players <= kMaxSeats; ++players) {
    const Speed uniform = Measure(PlayUniform, players, options.seconds);
    const Speed views = Measure(PlayFromViews, players, options.seconds);
    const Speed builder = Measure(PlayBuilder, players, options.seconds);
    const double plain = Iterations("plain", players, options.seconds),
                 informed = Iterations("plain-informed", players, options.seconds);
    const double master = Iterations("master", players, options.seconds);
    results.push_back({{"players", players},
                       {"decisions_per_s", uniform.decisions},
                       {"games_per_s", uniform.games},
                       {"view_decisions_per_s", views.decisions},
                       {"builder_decisions_per_s", builder.decisions},
                       {"plain_iterations_per_s", plain},
                       {"informed_iterations_per_s", informed},
                       {"master_iterations_per_s", master}});
    if (!options.json)
      std::printf("%7d   %9.2f M   %10.0f   %8.2f M   %13.2f M   %19.0f   %14.0f   %6.0f\n",
                  players, uniform.decisions / 1e6, uniform.games, views.decisions / 1e6,
                  builder.decisions / 1e6, plain, informed, master);
  }
  if (options.json)
    std::puts(nlohmann::ordered_json{
        {"results", results}, {"state_bytes", sizeof(State)}, {"signature", signature}}
                  .dump()
                  .c_str());
  else
    std::printf("state: %zu bytes\nsignature: %s\n", sizeof(State), signature);
}

}  // namespace

void AddBench(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("bench", "Measure the engine on one thread and print its signature");
  command->add_option("--seconds", options->seconds, "Processor time for each measurement")
      ->check(CLI::Range(0.01, 3600.0))
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print one JSON object");
  command->add_flag("--signature", options->signature,
                    "Print the signatures of engine and bots only");
  command->footer(
      "Random games from the deal to the end, all legal actions generated at every decision; "
      "searches from an opening.\n"
      "The signature is a hash over fixed games: equal signatures, equal rules.");
  command->callback([options] { Run(*options); });
}

}  // namespace civ
