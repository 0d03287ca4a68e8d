// Whole games as text, tests/golden/*.txt: each is replayed from its deck and its actions and must
// read the same. tools/regenerate-golden plays and writes them anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "civ/notation/json.h"
#include "civ/notation/notation.h"
#include "tests/generate.h"
#include "tests/support.h"

namespace civ::test {
namespace {

constexpr int kStateEvery = 45;  // actions
constexpr const char* kHead =
    "# A whole game. Lines: turn, seat, action, number of legal actions. Written by "
    "tools/regenerate-golden.";

const std::filesystem::path kFolder = CIV_TESTS_DIR "/golden";

std::string FileName(const Config& config) {
  return std::to_string(config.players) + "p-" + std::string(NameOf(config.setup)) + "-" +
         std::string(NameOf(config.edition)) + (config.teams ? "-teams" : "") + ".txt";
}

// Hand, observer and cards of everything that somebody knows.
std::string Known(const Game& game) {
  std::string text = "known";
  for (Seat hand = 0; hand < game.state.config.players; ++hand)
    for (Seat observer = 0; observer < kObservers; ++observer)
      if (observer < game.state.config.players || observer == kSpectator)
        if (const Cards cards = game.knowledge.known[hand][observer]; !cards.Empty())
          text += "; " + std::to_string(hand) + " by " +
                  (observer == kSpectator ? "all" : std::to_string(observer)) + ": " + Text(cards);
  return text;
}

// The text of a game; next(game) chooses its actions until it has no more.
template <class Next>
std::string Written(const Config& config, std::span<const Kind> deck, Next next) {
  Game game(New(config, deck));
  std::ostringstream text;
  const Json start = {{"edition", NameOf(config.edition)},
                      {"players", config.players},
                      {"setup", NameOf(config.setup)},
                      {"teams", config.teams},
                      {"first", config.first},
                      {"deck", ToJson(deck)}};
  text << kHead << '\n' << start.dump() << '\n';
  for (int count = 1;; ++count) {
    const ActionSet legal = Legal(game.state);
    const std::optional<Action> action = next(game.state);
    if (!action) break;
    text << game.state.turn << ' ' << int{game.state.seat} << ' ' << NameOf(*action) << " ("
         << legal.Size() << ")\n";
    if (!legal.Contains(*action)) return text.str() + "not legal\n";
    game.Apply(*action);
    if (count % kStateEvery == 0 || game.state.step == Step::Over)
      text << ToJson(game.state).dump() << '\n' << Known(game) << '\n';
  }
  return text.str();
}

std::string Replayed(const std::string& golden) {
  std::istringstream lines(golden);
  std::string line;
  std::getline(lines, line);
  std::getline(lines, line);
  const Expected<Json> start = ParseJson(line);
  if (!start) return "no first line";
  Reader reader(*start);
  Config config = reader.Configuration(false);
  config.first = static_cast<Seat>(reader.Int("first", 0, config.players - 1));
  const std::vector<Kind> deck = reader.List("deck");
  if (!reader.ok() || !IsDeck(config.players, deck)) return "the first line is wrong";
  return Written(config, deck, [&](const State&) -> std::optional<Action> {
    while (std::getline(lines, line)) {
      if (!std::isdigit(static_cast<unsigned char>(line[0]))) continue;
      const size_t begin = line.find(' ', line.find(' ') + 1) + 1, end = line.find(" (");
      return ParseAction(std::string_view(line).substr(begin, end - begin));
    }
    return std::nullopt;
  });
}

std::string PlayedAnew(Config config, uint64_t seed) {
  Random random(seed);
  config.first = static_cast<Seat>(random.Below(config.players));
  const Deck deck = MakeDeck(config.players, static_cast<Order>(seed % kOrders), random);
  return Written(config, deck.Span(), [&](const State& state) -> std::optional<Action> {
    if (state.step == Step::Over) return std::nullopt;
    return Choose(static_cast<Style>((seed / kOrders + state.seat) % 5), state, Legal(state),
                  random);
  });
}

std::string ReadAll(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The first line in which two texts differ.
std::string FirstDifference(const std::string& a, const std::string& b) {
  std::istringstream left(a), right(b);
  std::string one, two;
  for (int number = 1;; ++number) {
    const bool more_left = static_cast<bool>(std::getline(left, one)),
               more_right = static_cast<bool>(std::getline(right, two));
    if (!more_left && !more_right) return {};
    if (!more_left || !more_right || one != two)
      return "line " + std::to_string(number) + "\n  file: " + one + "\n  now:  " + two;
  }
}

TEST(Golden, GamesReadTheSame) {
  uint64_t seed = 0;
  for (const Config& config : AllConfigs()) {
    const std::filesystem::path path = kFolder / FileName(config);
    ++seed;
    if (std::getenv("CIV_REGENERATE") != nullptr) std::ofstream(path) << PlayedAnew(config, seed);
    const std::string golden = ReadAll(path);
    ASSERT_TRUE(golden.starts_with(kHead)) << path;
    ASSERT_NE(golden.find("\"step\":\"over\""), golden.npos) << path << " does not end";
    EXPECT_EQ(FirstDifference(golden, Replayed(golden)), "") << path;
  }
}

}  // namespace
}  // namespace civ::test
