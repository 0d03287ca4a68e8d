// Sets of cards: they are counts of kinds.
#include "civ/rules/cards.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace civ::test {
namespace {

// RapidCheck draws the same cases in every run.
const int kSeeded = setenv("RC_PARAMS", "seed=7", 0);

// Counts of all kinds, none above what is printed.
rc::Gen<std::vector<int>> SomeCounts() {
  return rc::gen::exec([] {
    std::vector<int> counts;
    for (int k = 0; k < kKinds; ++k)
      counts.push_back(*rc::gen::inRange(0, kCopies[static_cast<size_t>(k)] + 1));
    return counts;
  });
}

Cards FromCounts(const std::vector<int>& counts) {
  Cards cards;
  for (int k = 0; k < kKinds; ++k)
    for (int i = 0; i < counts[static_cast<size_t>(k)]; ++i) cards += Cards(static_cast<Kind>(k));
  return cards;
}

template <class Belongs>
Cards Only(const std::vector<int>& counts, Belongs belongs) {
  std::vector<int> kept = counts;
  for (int k = 0; k < kKinds; ++k)
    if (!belongs(static_cast<Kind>(k))) kept[static_cast<size_t>(k)] = 0;
  return FromCounts(kept);
}

void ExpectLikeCounts(Cards cards, const std::vector<int>& counts) {
  int sum = 0, present = 0;
  for (int k = 0; k < kKinds; ++k) {
    RC_ASSERT(cards[static_cast<Kind>(k)] == counts[static_cast<size_t>(k)]);
    sum += counts[static_cast<size_t>(k)];
    present |= (counts[static_cast<size_t>(k)] > 0) << k;
  }
  RC_ASSERT(cards.Count() == sum);
  RC_ASSERT(cards.Present() == present);
  RC_ASSERT(cards.Empty() == (sum == 0));
  RC_ASSERT(cards.AtLeastTwo() == (sum >= 2));
  for (int domains = 0; domains < 64; ++domains)
    RC_ASSERT(cards.Of(static_cast<Domains>(domains)) == Only(counts, [=](Kind kind) {
                return (domains >> static_cast<int>(DomainOf(kind)) & 1) != 0;
              }));
  for (const Age age : {Age::I, Age::II, Age::III})
    RC_ASSERT(cards.Of(age) == Only(counts, [=](Kind kind) { return AgeOf(kind) == age; }));
}

RC_GTEST_PROP(CardsProperties, CountsAreCounts, ()) {
  const auto counts = *SomeCounts();
  ExpectLikeCounts(FromCounts(counts), counts);
}

TEST(CardsProperties, NoneAndAll) {
  std::vector<int> none(kKinds, 0), all;
  for (int k = 0; k < kKinds; ++k) all.push_back(kCopies[static_cast<size_t>(k)]);
  ExpectLikeCounts(FromCounts(none), none);
  ExpectLikeCounts(FromCounts(all), all);
  for (int k = 0; k < kKinds; ++k) {
    std::vector<int> one = none;
    one[static_cast<size_t>(k)] = all[static_cast<size_t>(k)];
    ExpectLikeCounts(FromCounts(one), one);
    EXPECT_EQ(Cards(static_cast<Kind>(k), one[static_cast<size_t>(k)]), FromCounts(one));
  }
}

RC_GTEST_PROP(CardsProperties, AddingIsUndoneByTakingAway, ()) {
  const auto counts = *SomeCounts();
  auto some = counts, rest = counts;
  for (size_t k = 0; k < some.size(); ++k) {
    some[k] = *rc::gen::inRange(0, counts[k] + 1);
    rest[k] = counts[k] - some[k];
  }
  RC_ASSERT(FromCounts(counts) - FromCounts(some) == FromCounts(rest));
  RC_ASSERT(FromCounts(some) + FromCounts(rest) == FromCounts(counts));
}

RC_GTEST_PROP(CardsProperties, OrderIsCardOrder, ()) {
  const auto counts = *SomeCounts();
  const Cards cards = FromCounts(counts);
  std::vector<Kind> list;
  for (int k = 0; k < kKinds; ++k)
    list.insert(list.end(), static_cast<size_t>(counts[static_cast<size_t>(k)]),
                static_cast<Kind>(k));
  if (!list.empty()) {
    RC_ASSERT(cards.First() == list.front());
    RC_ASSERT(cards.Last() == list.back());
  }
  for (int k = 0; k < kKinds; ++k)
    RC_ASSERT(cards.From(static_cast<Kind>(k)) ==
              Only(counts, [=](Kind kind) { return static_cast<int>(kind) >= k; }));
  const auto dropped = *rc::gen::inRange<size_t>(0, list.size() + 3);
  std::vector<int> kept(kKinds, 0);
  for (size_t i = 0; i + dropped < list.size(); ++i) kept[static_cast<size_t>(list[i])]++;
  RC_ASSERT(cards.WithoutLast(static_cast<int>(dropped)) == FromCounts(kept));
}

RC_GTEST_PROP(CardsProperties, APackHoldsAgeOne, ()) {
  const Cards cards = FromCounts(*SomeCounts()).Of(Age::I);
  RC_ASSERT(Cards(Pack(cards)) == cards);
}

}  // namespace
}  // namespace civ::test
