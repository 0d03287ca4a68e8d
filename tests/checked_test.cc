// New and Apply in the forms that answer with an error.
#include "civ/notation/checked.h"

#include <gtest/gtest.h>

#include <set>

#include "civ/notation/notation.h"
#include "tests/support.h"

namespace civ::test {
namespace {

std::string Refusal(const Config& config, std::span<const Kind> deck) {
  const Expected<State> state = CheckedNew(config, deck);
  return state ? "dealt" : state.error().key;
}

TEST(CheckedNew, DealsAsNewDoes) {
  for (const Config& config : AllConfigs()) {
    const Deal deal = DealFromSeed(config, 7);
    const Expected<State> state = CheckedNew(deal.config, deal.deck.Span());
    ASSERT_TRUE(state);
    EXPECT_EQ(ToJson(*state), ToJson(New(deal.config, deal.deck.Span())));
  }
}

TEST(CheckedNew, RefusesATableThatThereIsNot) {
  const std::vector<Kind> deck = DeckFrom(2, "");
  EXPECT_EQ(Refusal({}, deck), "dealt");
  for (const Config& config :
       {Config{.players = 0}, Config{.players = 1}, Config{.players = 5}, Config{.players = 255},
        Config{.first = 2}, Config{.first = kNone}, Config{.teams = true},
        Config{.setup = static_cast<civ::Setup>(2)}, Config{.edition = static_cast<Edition>(5)}})
    EXPECT_EQ(Refusal(config, deck), "error.state.config");
}

TEST(CheckedNew, RefusesADeckThatThereIsNot) {
  std::vector<Kind> deck = DeckFrom(2, "");
  EXPECT_EQ(Refusal({}, {}), "error.deck-size");
  EXPECT_EQ(Refusal({.players = 4}, deck), "error.deck-size");
  std::vector<Kind> strange = deck, wrong_order = deck;
  strange.back() = static_cast<Kind>(kKinds);
  EXPECT_EQ(Refusal({}, strange), "error.deck");
  std::swap(wrong_order.front(), wrong_order.back());
  EXPECT_EQ(Refusal({}, wrong_order), "error.deck");
}

// The codes of all actions there are; a byte has some more.
std::set<int> AllCodes() {
  std::set<int> codes;
  for (const std::string& name : AllActionNames()) codes.insert(ParseAction(name)->code);
  return codes;
}

TEST(CheckedApply, RefusesEveryByteThatIsNotLegal) {
  const std::set<int> codes = AllCodes();
  for (const uint8_t players : {2, 3, 4})
    PlayGame({.players = players, .setup = civ::Setup::Draft}, 3, [&](const Game& game) {
      Game after = game;
      for (int code = 0; code < 256; ++code) {
        const Action action = {static_cast<uint8_t>(code)};
        if (Legal(game.state).Contains(action)) continue;
        const std::optional<Error> wrong = CheckedApply(after, action);
        ASSERT_TRUE(wrong) << code;
        ASSERT_EQ(wrong->key == "error.action", !codes.contains(code)) << code;
      }
      ASSERT_EQ(ToJson(after.state), ToJson(game.state));
      ASSERT_EQ(after.knowledge, game.knowledge);
    });
}

TEST(CheckedApply, DoesWhatIsLegalAsApplyDoes) {
  PlayGame({.players = 3}, 5, [&](const Game& game) {
    for (const Action action : Legal(game.state)) {
      State state = game.state;
      Game plain = game, checked = game;
      ASSERT_FALSE(CheckedApply(state, action));
      ASSERT_FALSE(CheckedApply(checked, action));
      plain.Apply(action);
      ASSERT_EQ(ToJson(state), ToJson(plain.state));
      ASSERT_EQ(ToJson(checked.state), ToJson(plain.state));
      ASSERT_EQ(checked.knowledge, plain.knowledge);
    }
  });
}

TEST(CheckedApply, TellsWhyNot) {
  State state = Position(2).Hand("M1").Play();
  const std::optional<Error> wrong = CheckedApply(state, *ParseAction("play E1"));
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->key, "why.not-there");
  EXPECT_EQ(wrong->args[0], std::pair(std::string("action"), std::string("play E1")));
}

}  // namespace
}  // namespace civ::test
