// A view as numbers: every plane of every position says what the view says.
#include "civ/view/observation.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "tests/generate.h"
#include "tests/support.h"

namespace civ::test {
namespace {

using Row = std::vector<int>;

// One number for each of several things.
template <class Count>
Row Each(int width, Count count) {
  Row row;
  for (int i = 0; i < width; ++i) row.push_back(count(i));
  return row;
}
Row OneOf(int width, int which) {
  return Each(width, [&](int i) { return i == which; });
}
Row ByKind(Cards cards) {
  return Each(kKinds, [&](int kind) { return cards[static_cast<Kind>(kind)]; });
}
Row ByDomain(Domains domains) {
  return Each(kDomains, [&](int domain) { return domains >> domain & 1; });
}

// What the planes with a row for each seat say of one.
std::map<std::string_view, Row> RowsOf(const View& view, Seat seat) {
  const Holding& hand = view.hands[seat];
  const auto democracies = [&](int domain) {
    int count = 0;
    for (int i = 0; i < view.democracy_count; ++i)
      count += view.democracies[static_cast<size_t>(i)].seat == seat &&
               view.democracies[static_cast<size_t>(i)].domain == domain;
    return count;
  };
  return {
      {"tables", ByKind(view.tables[seat])},
      {"columns", Each(kDomains, [&](int d) { return view.Count(seat, static_cast<Domain>(d)); })},
      {"hands", ByKind(hand.cards)},
      {"backs", Each(kAges, [&](int age) { return hand.backs[static_cast<size_t>(age)]; })},
      {"packs", {view.packs[seat].Count()}},
      {"embargoes", ByDomain(view.Embargoed(seat))},
      {"democracies", Each(kDomains, democracies)},
      {"deciding", {view.seat == seat}},
      {"first", {view.config.first == seat}},
      {"closing", {view.closing == seat}},
      {"culture", {view.culture_lead == seat}},
      {"coin-owner", {view.coin.owner == seat}},
      {"coin-seat", {view.coin.seat == seat}},
      {"target", {view.choice.target == seat}}};
}

std::map<std::string_view, Row> RowsOf(const View& view) {
  const bool choosing = view.step == Step::Choose;
  const Choice& choice = view.choice;
  const auto effect = std::ranges::find(kAllEffects, choice.effect) - kAllEffects.begin();
  const std::array<int8_t, kKinds> unseen = UnseenIn(view);
  const bool sits = view.viewer < kMaxSeats;
  return {{"pack", ByKind(sits ? view.packs[view.viewer].cards : Cards())},
          {"centre", ByKind(view.centre)},
          {"discard", ByKind(view.discard)},
          {"unseen", Row(unseen.begin(), unseen.end())},
          {"deck", {view.deck_size}},
          {"deck-top", OneOf(kAges, view.deck_top - 1)},
          {"step", OneOf(6, static_cast<int>(view.step))},
          {"hand-size", {view.hand_size}},
          {"permanent", ByDomain(view.permanent)},
          {"given-up", ByDomain(view.given_up)},
          {"effect",
           OneOf(static_cast<int>(kAllEffects.size()), choosing ? static_cast<int>(effect) : -1)},
          {"verb", OneOf(8, choosing ? static_cast<int>(choice.verb) - 8 : -1)},
          {"left", {choosing ? choice.left : 0}},
          {"from", OneOf(kKinds, choosing ? choice.from : -1)},
          {"coin-domain",
           OneOf(kDomains, view.coin.owner == kNone ? -1 : static_cast<int>(view.coin.domain))},
          {"turn", {std::min<int>(view.turn, 255)}},
          {"idle", {std::min(view.turn - view.last_draw, 255)}},
          {"draft", {view.config.setup == Setup::Draft}},
          {"teams", {view.config.teams}},
          {"edition", OneOf(5, static_cast<int>(view.config.edition))}};
}

Row Observed(const View& view) {
  std::array<uint8_t, kMostObserved> numbers;
  numbers.fill(99);
  Observe(view, numbers.data());
  return {numbers.begin(), numbers.begin() + ObservationSize(view.config.players)};
}

Row Wanted(const View& view) {
  const int players = view.config.players;
  const Seat first = view.viewer == kSpectator ? Seat{0} : view.viewer;
  const auto common = RowsOf(view);
  Row all;
  for (const Plane& plane : Planes())
    for (int i = 0; i < (plane.per_seat ? players : 1); ++i) {
      const auto seat = static_cast<Seat>((first + i) % players);
      const Row row = plane.per_seat ? RowsOf(view, seat).at(plane.name) : common.at(plane.name);
      EXPECT_EQ(row.size(), plane.width) << plane.name;
      all.insert(all.end(), row.begin(), row.end());
    }
  return all;
}

TEST(Observation, EveryPlaneSaysWhatTheViewSays) {
  ForPositions(397, [](const Game& game) {
    for (Seat viewer = 0; viewer <= kSpectator; ++viewer) {
      if (viewer < kSpectator && viewer >= game.state.config.players) continue;
      const View view = ViewOf(game, viewer);
      ASSERT_EQ(Observed(view), Wanted(view));
    }
  });
}

}  // namespace
}  // namespace civ::test
