// Deals that nobody can arrange.
#include "civ/table/deal.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "civ/notation/json.h"
#include "civ/notation/notation.h"
#include "tests/support.h"

namespace civ {
namespace {

using std::string;

// A number as a seat gives it, one after another.
string Number(uint64_t number) {
  string digits;
  Random random(number);
  while (digits.size() < kSecretDigits) digits += "0123456789abcdef"[random.Below(16)];
  return digits;
}

std::vector<Kind> DeckOf(const Deal& deal) {
  return {deal.deck.Span().begin(), deal.deck.Span().end()};
}

TEST(FairDeal, IsWhatAScriptWithItsOwnHashComesTo) {
  std::ifstream file(CIV_TESTS_DIR "/fair-deal.json");
  const Json answers = Json::parse(file);
  EXPECT_EQ(answers.size(), 4u + 8u + 16u);
  for (const Json& answer : answers) {
    Config config;
    config.players = answer["players"];
    Randoms randoms;
    for (size_t seat = 0; seat < answer["randoms"].size(); ++seat)
      if (!answer["randoms"][seat].is_null()) randoms[seat] = answer["randoms"][seat];
    EXPECT_EQ(HashOf(answer["secret"].get<string>()), answer["hash"].get<string>());
    const Deal deal = FairDeal(config, answer["secret"].get<string>(), randoms);
    EXPECT_EQ(deal.config.first, answer["first"]);
    EXPECT_EQ(DeckOf(deal), test::ListOf(answer["deck"].get<string>()));
  }
}

TEST(FairDeal, GivesADeckAndKeepsTheRestOfTheConfiguration) {
  for (Config config : test::AllConfigs()) {
    const Deal deal = FairDeal(config, Number(1), {Number(2), "", Number(3), ""});
    EXPECT_TRUE(IsDeck(config.players, deal.deck.Span()));
    EXPECT_LT(deal.config.first, config.players);
    config.first = deal.config.first;
    EXPECT_EQ(deal.config, config);
  }
}

TEST(FairDeal, TheSecretAndEverySeatsNumberMatter) {
  for (const int players : {2, 3, 4}) {
    Config config;
    config.players = static_cast<uint8_t>(players);
    const Randoms randoms = {Number(1), Number(2), Number(3), Number(4)};
    const std::vector<Kind> deck = DeckOf(FairDeal(config, Number(9), randoms));
    EXPECT_NE(DeckOf(FairDeal(config, Number(8), randoms)), deck);
    for (size_t seat = 0; seat < kMaxSeats; ++seat) {
      Randoms other = randoms;
      for (const string& number : {Number(5), string()}) {
        other[seat] = number;
        EXPECT_EQ(DeckOf(FairDeal(config, Number(9), other)) != deck,
                  seat < static_cast<size_t>(players));
      }
      // One digit is enough.
      other[seat] = randoms[seat];
      other[seat].back() = other[seat].back() == '0' ? '1' : '0';
      EXPECT_EQ(DeckOf(FairDeal(config, Number(9), other)) != deck,
                seat < static_cast<size_t>(players));
    }
    Randoms exchanged = randoms;
    std::swap(exchanged[0], exchanged[1]);
    EXPECT_NE(DeckOf(FairDeal(config, Number(9), exchanged)), deck);
  }
}

// Chi-square of how often each kind comes in each place, and of who is first. The seeds are fixed,
// so this never fails by chance.
TEST(FairDeal, IsUniform) {
  constexpr int kDeals = 4000;
  Config config;
  config.players = 4;
  std::array<int, kMaxSeats> first{};
  std::vector<std::array<int, kKinds>> places(kCards);
  for (uint64_t i = 0; i < kDeals; ++i) {
    const Deal deal = FairDeal(config, Number(2 * i), {Number(2 * i + 1), "", "", ""});
    ++first[deal.config.first];
    for (size_t place = 0; place < kCards; ++place)
      ++places[place][static_cast<size_t>(deal.deck.cards[place])];
  }
  double chi = 0;
  for (const int count : first)
    chi += (count - kDeals / 4.0) * (count - kDeals / 4.0) / (kDeals / 4.0);
  EXPECT_LT(chi, 16.3);  // 3 degrees of freedom, 0.1 %
  double sum = 0;
  for (const auto& counts : places) {
    double of_place = 0;
    Age age{};
    for (size_t kind = 0; kind < kKinds; ++kind)
      if (counts[kind] > 0) age = AgeOf(static_cast<Kind>(kind));
    for (size_t kind = 0; kind < kKinds; ++kind) {
      if (AgeOf(static_cast<Kind>(kind)) != age) {
        EXPECT_EQ(counts[kind], 0);
        continue;
      }
      const double expected = static_cast<double>(kDeals) * kCopies[kind] / DeckSize(4, age);
      of_place += (counts[kind] - expected) * (counts[kind] - expected) / expected;
    }
    EXPECT_LT(of_place,
              27);  // 4 degrees of freedom; the worst of 104 places is beyond 27 once in 500 runs
    sum += of_place;
  }
  EXPECT_NEAR(sum, 4 * kCards, 4 * 29);  // 416 degrees of freedom, four deviations of 29
}

TEST(FairDeal, ASecretIsSixtyFourSmallHexadecimalDigits) {
  EXPECT_TRUE(IsSecret(Number(1)));
  EXPECT_FALSE(IsSecret(""));
  EXPECT_FALSE(IsSecret(Number(1) + "0"));
  EXPECT_FALSE(IsSecret(string(64, 'A')));
  EXPECT_FALSE(IsSecret(string(64, 'g')));
  EXPECT_FALSE(IsSecret(string(64, '\0')));
}

}  // namespace
}  // namespace civ
