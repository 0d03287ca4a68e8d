// The coach: what it must say, and what it must leave unsaid. Puzzles are positions with one right
// turn.
#include "civ/analysis/coach.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "civ/analysis/scale.h"
#include "civ/guide/danger.h"
#include "civ/guide/puzzle.h"
#include "civ/guide/reason.h"
#include "tests/support.h"

namespace civ::test {
namespace {

const Coaching kCoaching;

std::vector<Puzzle> PuzzlesOf(Goal goal) {
  std::ifstream file(CIV_TESTS_DIR "/../web/src/learn/puzzles.txt");
  std::vector<Puzzle> puzzles;
  for (std::string line; std::getline(file, line);)
    if (const Expected<Puzzle> puzzle = PuzzleFromText(line); puzzle && puzzle->goal == goal)
      puzzles.push_back(*puzzle);
  return puzzles;
}

// Nothing but what must be done.
Line LeastOf(const View& view) { return {Legal(Planned(view))[0], kEnd}; }

std::optional<Mistake> Judged(const View& view, const Line& played) {
  return MistakeIn(view, played, BetterLine(view, kCoaching), kCoaching);
}

bool GivesReason(const std::optional<Mistake>& mistake, std::string_view key) {
  return mistake && std::ranges::count(mistake->reasons, key, &Message::key) > 0;
}

TEST(Coach, TellsOfAMissedWin) {
  int told = 0;
  for (const Goal goal : {Goal::Win, Goal::Majority})
    for (const Puzzle& puzzle : PuzzlesOf(goal)) {
      const Line played = LeastOf(puzzle.view);
      if (Solves(puzzle, played) || (++told % 5 != 0 && goal == Goal::Majority)) continue;
      EXPECT_FALSE(Judged(puzzle.view, puzzle.answer)) << ToText(puzzle);
      const std::optional<Mistake> mistake = Judged(puzzle.view, played);
      ASSERT_TRUE(mistake) << ToText(puzzle);
      EXPECT_TRUE(Solves(puzzle, mistake->better)) << ToText(puzzle);
      EXPECT_EQ(mistake->reasons[0].key,
                goal == Goal::Win ? "reason.wins" : "reason.wins-majority");
    }
  EXPECT_GT(told, 50);
}

// Whether somebody wins with the next turn, with cards that are known.
bool IsLost(const View& at) {
  for (Seat other = 1; other < at.config.players; ++other)
    if (const std::optional<Threat> threat = ThreatOf(at, other); threat && threat->proven)
      return true;
  return false;
}

TEST(Coach, TellsOfAMissedStop) {
  int told = 0;
  for (const Puzzle& puzzle : PuzzlesOf(Goal::Stop)) {
    const Line played = LeastOf(puzzle.view);
    if (!IsLost(BeforeLast(puzzle.view, played))) continue;
    EXPECT_FALSE(GivesReason(Judged(puzzle.view, puzzle.answer), "reason.stops")) << ToText(puzzle);
    // The hardest it may overlook, and what another hand may show is not what it speaks of.
    if (puzzle.level > 7 || BetterLine(puzzle.view, kCoaching).back() != kEnd) continue;
    EXPECT_TRUE(GivesReason(Judged(puzzle.view, played), "reason.stops")) << ToText(puzzle);
    ++told;
  }
  EXPECT_GT(told, 5);
}

// Of every line of games by chance: the coach's own is never wrong, whatever its order, nor is one
// that is not at its end; what it says has a reason or is an error by the scale, and is the same
// when it is asked again.
TEST(Coach, KeepsSilentWhereThereIsNothingToSay) {
  Random random(3);
  int turns = 0, alone = 0, told = 0, unexplained = 0;
  for (const uint64_t seed : {1, 2, 3, 4}) {
    const Deal deal = DealFromSeed({.players = 2}, seed);
    for (Game game(New(deal.config, deal.deck.Span())); game.state.step != Step::Over;) {
      const View view = MakeView(game.state, game.knowledge, game.state.seat);
      if (view.step == Step::Play) {
        ++turns;
        const Line better = BetterLine(view, kCoaching);
        EXPECT_FALSE(MistakeIn(view, better, better, kCoaching));
        EXPECT_FALSE(MistakeIn(view, {LeastOf(view)[0]}, better, kCoaching));
        const std::optional<Mistake> mistake = MistakeIn(view, LeastOf(view), better, kCoaching);
        told += mistake.has_value();
        if (mistake) {
          EXPECT_TRUE(!mistake->reasons.empty() || mistake->lost >= scale::kError);
          unexplained += mistake->reasons.empty();
          EXPECT_EQ(Judged(view, LeastOf(view))->lost, mistake->lost);
          EXPECT_FALSE(TellLine(view, better).empty());
        }
      }
      const ActionSet legal = Legal(game.state);
      if (legal.Size() == 1 && legal[0] == kEnd) {
        EXPECT_FALSE(Judged(view, {kEnd}));
        ++alone;
      }
      game.Apply(legal[static_cast<int>(random.Below(static_cast<uint32_t>(legal.Size())))]);
    }
  }
  EXPECT_GT(alone, 0);
  EXPECT_GT(told, unexplained);
  EXPECT_GT(unexplained, 0);  // a number is better than nothing
  EXPECT_LT(told, turns / 2);
}

}  // namespace
}  // namespace civ::test
