// The coach: what it must say, and what it must leave unsaid. Puzzles are positions with one right
// turn.
#include "civ/analysis/coach.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "civ/analysis/advice.h"
#include "civ/analysis/analysis.h"
#include "civ/analysis/scale.h"
#include "civ/guide/danger.h"
#include "civ/guide/puzzle.h"
#include "civ/guide/reason.h"
#include "civ/notation/notation.h"
#include "tests/generate.h"
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

// How a hint goes on is told from the table after it, so that nothing of one's own is doubtful.
TEST(Hints, KnowEveryCardOfTheOwnTurn) {
  int told = 0, picked = 0;
  ForPositions(41, [&](const Game& game) {
    const State& state = game.state;
    if (state.turn == 0 || state.step == Step::Over) return;
    const View view = MakeView(state, game.knowledge, state.seat);
    const Action action = Legal(state)[Legal(state).Size() - 1];
    for (const Message& why : WhyTake(view, action, 1)) {
      if (why.key != "reason.then") continue;
      const std::string text = ToJson(Messages{why}).dump();
      EXPECT_EQ(text.find("\"known\":\"no\""), std::string::npos) << text;
      ++told;
      picked +=
          action.NamesCard() && (action.verb() == Verb::Take || action.verb() == Verb::Recover);
    }
  });
  EXPECT_GT(told, 20);
  EXPECT_GT(picked, 0);
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

// Seat 1 is about to win, and seat 0 could stop it.
State Cornered() {
  return Position(3)
      .TurnNumber(10)
      .Seat(0)
      .Table("S1 S2 C1 E1 E1")
      .Hand("C2 C2 R1")
      .Seat(1)
      .Table("R1 R1 R1 R2 R2 R2")
      .Hand("R1 M1 E1")
      .Seat(2)
      .Table("S1 S1 C1 C1 M1")
      .Hand("S1 S2 M1")
      .Effects();
}
Diplomacy TruceWith1() {
  const Pact truce = {.id = 2, .kind = TalkKind::Truce, .seats = {0, 1}, .begun = 9, .last = 18};
  Diplomacy pacts;
  pacts.pacts = {truce};
  pacts.news = {{.kind = News::Spoken, .talk = {.kind = TalkKind::Yes, .id = 1}, .pact = truce}};
  return pacts;
}

TEST(Coach, NamesNothingThatWouldBreakAPact) {
  const State state = Cornered();
  const View view = OpenView(state);
  const auto hits = [&](const Line& line) {
    return std::ranges::any_of(line, [&](Action action) { return Hits(state, action, 1); });
  };
  EXPECT_TRUE(hits(BetterLine(view, kCoaching)));
  EXPECT_TRUE(Judged(view, {kEnd}));
  const Line kept = BetterLine(view, kCoaching, TruceWith1());
  ASSERT_FALSE(kept.empty());
  EXPECT_FALSE(hits(kept));
  EXPECT_FALSE(MistakeIn(view, {kEnd}, kept, kCoaching));
}

TEST(Advice, LeavesOutWhatWouldBreakAPact) {
  const State state = Cornered();
  const View view = OpenView(state);
  const std::unique_ptr<Bot> bot = MakeBot("master");
  const auto advised = [&](const Diplomacy& pacts) {
    return Advise(*bot, view, {.iterations = 500}, 1, pacts);
  };
  EXPECT_TRUE(Hits(state, advised({}).best, 1));
  const Thought kept = advised(TruceWith1());
  ASSERT_FALSE(kept.judgements.empty());  // even if nothing is left but to end the turn
  for (const Judgement& judgement : kept.judgements)
    EXPECT_FALSE(Hits(state, judgement.action, 1)) << NameOf(judgement.action);
}

// A promise to act is kept before the turn ends, even by who wins with that.
TEST(Coach, DoesWhatWasPromisedInItsBetterLine) {
  const State state = Position(3)
                          .TurnNumber(10)
                          .Seat(0)
                          .Table("M1 M1 M1 M2 M2 M2 M3 E1")
                          .Hand("C2 C2")
                          .Seat(1)
                          .Table("R1 R1 R1 R2 R2 R2")
                          .Hand("E1 E1 E1")
                          .Effects();
  Diplomacy pacts = TruceWith1();
  pacts.pacts = {{.id = 2,
                  .kind = TalkKind::Together,
                  .seats = {0, 2},
                  .against = 1,
                  .begun = 9,
                  .last = kOpenEnd}};
  const View view = MakeView(state, {}, 0);
  EXPECT_EQ(BetterLine(view, kCoaching), Line{kEnd});
  const Line better = BetterLine(view, kCoaching, pacts);
  ASSERT_EQ(better.size(), 2u);
  EXPECT_EQ(NameOf(better[0]), "embargo 1 R");
  EXPECT_EQ(better[1], kEnd);
}

// Of every line of games by chance: the coach's own is never wrong, whatever its order, nor is one
// that is not at its end; what it says has a reason or is an error by the scale, and is the same
// when it is asked again.
TEST(Coach, KeepsSilentWhereThereIsNothingToSay) {
  Random random(3);
  int turns = 0, alone = 0, told = 0;
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
          EXPECT_TRUE(!mistake->reasons.empty() || mistake->lost >= scale::kBlunder);
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
  EXPECT_GT(told, 0);
  EXPECT_LT(told, turns / 2);
}

}  // namespace
}  // namespace civ::test
