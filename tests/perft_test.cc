// Counts of action sequences, tests/perft/*.txt: a request to the referee that makes the position,
// then depths and counts. tools/regenerate-golden writes them anew.
#include "civ/rules/perft.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "civ/notation/json.h"
#include "civ/notation/notation.h"
#include "civ/notation/referee.h"
#include "tests/generate.h"
#include "tests/support.h"

namespace civ::test {
namespace {

const std::filesystem::path kCounts = CIV_TESTS_DIR "/perft";
constexpr const char* kFirstLine =
    "# Action sequences from here, by length. Written by tools/regenerate-golden.";

std::string Counted(const std::string& request, int depth) {
  Referee referee = NewReferee();
  referee.Answer(request);
  std::ostringstream text;
  text << kFirstLine << '\n' << request << '\n';
  for (int d = 1; d <= depth; ++d) {
    const Expected<Json> answer =
        ParseJson(*referee.Answer("{\"cmd\":\"perft\",\"depth\":" + std::to_string(d) + "}"));
    text << d << ' ' << answer->value("nodes", Json()).dump() << '\n';
  }
  return text.str();
}

void Write(const std::string& name, const std::string& request, int depth) {
  std::ofstream(kCounts / (name + ".txt")) << Counted(request, depth);
}

// The position with most legal actions that comes up in some made-up games.
State Rich(const Config& config, uint64_t seed) {
  struct Widest : Watcher {
    State state{};
    int most = 0;
    void Look(const State& now) {
      if (Legal(now).Size() > most) state = now, most = Legal(now).Size();
    }
    void Begin(const Game& game) override { Look(game.state); }
    void Step(const Game&, Action, const Game& after) override { Look(after.state); }
  } widest;
  for (uint64_t i = 0; i < 20; ++i) {
    Random random(100 * seed + i);
    const State start = MadeUpPosition(config, random);
    const auto style = static_cast<Style>(i % 5);
    PlayOut({"", start, {style, style, style, style}, seed}, widest);
  }
  return widest.state;
}

void Regenerate() {
  for (const auto& entry : std::filesystem::directory_iterator(CIV_TESTS_DIR "/conformance")) {
    if (entry.path().extension() != ".jsonl") continue;
    std::ifstream file(entry.path());
    std::string line;
    std::getline(file, line);
    Write("first-" + entry.path().stem().string(), ParseJson(line)->at("request").dump(), 4);
  }
  uint64_t seed = 0;
  for (const Config& config : AllConfigs()) {
    if (config.setup == Setup::Draft || config.edition == Edition::Fr) continue;
    const std::string name = std::to_string(config.players) + "p-" +
                             std::string(NameOf(config.edition)) + (config.teams ? "-teams" : "");
    Write("rich-" + name, Json{{"cmd", "load"}, {"state", ToJson(Rich(config, ++seed))}}.dump(), 4);
  }
}

TEST(PerftCounts, AreThoseInTheFiles) {
  if (std::getenv("CIV_REGENERATE") != nullptr) Regenerate();
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kCounts)) {
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    std::istringstream lines(text);
    std::string line, request, last;
    std::getline(lines, line);
    std::getline(lines, request);
    while (std::getline(lines, line)) last = line;
    EXPECT_EQ(Counted(request, std::atoi(last.c_str())), text) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 24);
}

// Counted without the short cut at the last action.
uint64_t Count(const State& state, int depth) {
  if (depth == 0 || state.step == Step::Over) return 1;
  uint64_t nodes = 0;
  for (const Action action : Legal(state)) {
    State next = state;
    Apply(next, action);
    nodes += Count(next, depth - 1);
  }
  return nodes;
}

TEST(PerftCounts, AGameThatEndsEarlierCountsAsOne) {
  for (const char* decider : {"points", "U", "shared"}) {
    Random random(5);
    const State state = TiedPosition({.players = 3}, decider, random);
    for (int depth = 0; depth <= 3; ++depth) EXPECT_EQ(Perft(state, depth), Count(state, depth));
    State over = state;
    Apply(over, kEnd);
    ASSERT_EQ(over.step, Step::Over);
    for (int depth = 0; depth <= 3; ++depth) EXPECT_EQ(Perft(over, depth), 1u);
  }
}

}  // namespace
}  // namespace civ::test
