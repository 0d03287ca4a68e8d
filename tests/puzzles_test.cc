// The puzzles of the page: every one is a position of the game whose answers solve it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>

#include "civ/analysis/mine.h"
#include "civ/guide/look.h"
#include "civ/guide/puzzle.h"
#include "civ/guide/reason.h"
#include "civ/view/turn.h"
#include "tests/support.h"

namespace civ::test {
namespace {

constexpr size_t kMostBytes = 80'000;
constexpr size_t kFewest = 300;
constexpr int64_t kIterations = 4000;  // that they were mined with

std::vector<std::string> PuzzleLines() {
  std::ifstream file(CIV_TESTS_DIR "/../web/src/learn/puzzles.txt");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// Whether the actions can be played, and end as far as they can be planned.
bool IsTurn(const View& view, std::span<const Action> turn) {
  State state = Planned(view);
  for (size_t i = 0; i < turn.size(); ++i) {
    if (!Legal(state).Contains(turn[i])) return false;
    const bool ends = turn[i] == kEnd || IsUnseen(turn[i]);
    if (ends != (i + 1 == turn.size())) return false;
    if (!ends) Apply(state, turn[i]);
  }
  return !turn.empty();
}

// One that does nothing but what must be done.
std::vector<Action> PlainTurn(const View& view) { return {Legal(Planned(view))[0], kEnd}; }

TEST(Puzzles, AreWholeAndSolvedByTheirAnswers) {
  size_t wrong = 0;
  for (const std::string& line : PuzzleLines()) {
    const Expected<Puzzle> read = PuzzleFromText(line);
    ASSERT_TRUE(read) << line << ": " << read.error().key;
    const Puzzle& puzzle = *read;
    EXPECT_EQ(ToText(puzzle), line);
    EXPECT_EQ(puzzle.view.viewer, 0);
    ASSERT_TRUE(IsTurn(puzzle.view, puzzle.answer)) << line;
    EXPECT_TRUE(Solves(puzzle, puzzle.answer)) << line;
    EXPECT_FALSE(WhyRight(puzzle).empty()) << line;
    for (const std::vector<Action>& other : puzzle.others) {
      ASSERT_TRUE(IsTurn(puzzle.view, other)) << line;
      EXPECT_TRUE(Solves(puzzle, other)) << line;
    }
    const std::vector<Action> plain = PlainTurn(puzzle.view);
    if (!Solves(puzzle, plain)) {
      ++wrong;
      EXPECT_FALSE(WhyWrong(puzzle, plain).empty()) << line;
    }
  }
  EXPECT_GT(wrong, kFewest * 9 / 10);  // the rest are about the card that is played
}

TEST(Puzzles, AreOfAllKindsAndSmall) {
  const std::vector<std::string> lines = PuzzleLines();
  std::set<std::string> views;
  std::set<std::pair<Goal, int>> goals;
  std::set<Domain> domains;
  std::set<int> levels;
  size_t bytes = 0;
  for (const std::string& line : lines) {
    const Expected<Puzzle> puzzle = PuzzleFromText(line);
    ASSERT_TRUE(puzzle) << line;
    goals.emplace(puzzle->goal, puzzle->view.config.players);
    domains.insert(TopicOf(*puzzle));
    levels.insert(puzzle->level);
    views.insert(ToText(puzzle->view));
    bytes += line.size() + 1;
  }
  EXPECT_GE(lines.size(), kFewest);
  EXPECT_EQ(views.size(), lines.size());
  EXPECT_LE(bytes, kMostBytes);
  EXPECT_TRUE(std::ranges::is_sorted(lines));
  EXPECT_EQ(goals.size(), kGoals.size() * 3);  // each with two, three and four players
  EXPECT_EQ(domains.size(), static_cast<size_t>(kDomains));
  EXPECT_GE(levels.size(), 6u);
  // The page steps through them day by day: see docs/puzzles.md.
  constexpr size_t kStride = 223;
  EXPECT_NE(lines.size() % kStride, 0u);
}

TEST(Puzzles, AreFoundAgain) {
  if (std::getenv("CIV_LONG") == nullptr) GTEST_SKIP() << "takes long: set CIV_LONG=1";
  for (const std::string& line : PuzzleLines()) {
    const std::optional<Puzzle> found = PuzzleIn(PuzzleFromText(line)->view, kIterations);
    ASSERT_TRUE(found) << line;
    EXPECT_EQ(ToText(*found), line);
  }
}

constexpr std::string_view kWin =
    "2w 4,0,41,2,28,3 M2E/M3E/ S2C2/S3C/U M3/MR/U C/C3/CU2 /M2/C 021 012=/S/U 122=C/RS/ "
    "M3R8E3S2/MR6E2S3/M2ESU c1S3 play M2, development, discard E, play M2, end";

std::string Ask(std::string_view puzzle, const std::vector<std::string>& turn) {
  return AnswerLook(Json{{"puzzle", puzzle}, {"turn", turn}}.dump());
}

TEST(Puzzles, AreFoundInAPosition) {
  const Expected<Puzzle> puzzle = PuzzleFromText(kWin);
  ASSERT_TRUE(puzzle);
  const std::optional<Puzzle> found = PuzzleIn(puzzle->view, 100);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->goal, Goal::Win);
  EXPECT_EQ(found->answer, puzzle->answer);
  EXPECT_EQ(TopicOf(*found), Domain::Military);
}

TEST(Puzzles, AreJudgedForThePage) {
  const std::string posed = AnswerLook(Json{{"puzzle", kWin}}.dump());
  EXPECT_NE(posed.find(R"("goal":"win","level":2,"answer":["play M2","development",)"), posed.npos);
  EXPECT_EQ(Ask(kWin, {"play M2"}), R"({"ok":true,"over":false})");
  EXPECT_EQ(Ask(kWin, {"play M2", "development", "discard E", "play M2", "end"}),
            R"({"ok":true,"over":true,"right":true,"why":[{"key":"reason.wins",)"
            R"("args":{"domain":{"domain":"M"}}}]})");
  EXPECT_EQ(Ask(kWin, {"play M2", "end"}),
            R"({"ok":true,"over":true,"right":false,"why":[{"key":"puzzle.short",)"
            R"("args":{"domain":{"domain":"M"},"count":6,"need":7}}]})");
}

TEST(Puzzles, RefuseWhatIsNone) {
  const std::string win(kWin);
  for (const std::string& wrong :
       {std::string(), std::string("x"), win.substr(0, 40), "2x" + win.substr(2),
        "2w 9" + win.substr(4), win.substr(0, win.size() - 3) + "fly",
        "2w 4,0,41,2,28" + win.substr(16), win.substr(0, 20) + "Q" + win.substr(20),
        win.substr(0, win.size() - 5), win.substr(0, win.rfind(" play")) + " play U3, end",
        "2w 4,2147483647,41,2,0,0" + win.substr(16), "2w 4,0,41,-2147483647,28,3" + win.substr(16)})
    EXPECT_FALSE(PuzzleFromText(wrong)) << wrong;
  EXPECT_NE(Ask("x", {}).find("error.puzzle"), std::string::npos);
  for (const Json& request : {Json{{"puzzle", 5}}, Json{{"puzzle", kWin}, {"turn", "end"}}})
    EXPECT_NE(AnswerLook(request.dump()).find(R"("ok":false)"), std::string::npos) << request;
  EXPECT_NE(Ask(kWin, {"end"}).find(R"("ok":false)"), std::string::npos);
  EXPECT_NE(Ask(kWin, {"play M2", "end", "end"}).find("error.action"), std::string::npos);
  EXPECT_NE(Ask(kWin, {"fly"}).find("error.action"), std::string::npos);
}

}  // namespace
}  // namespace civ::test
