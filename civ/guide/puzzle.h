// Positions with one right turn: how they are written, and what solves them (docs/puzzles.md).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "civ/guide/message.h"
#include "civ/notation/json.h"
#include "civ/view/view.h"

namespace civ {

enum class Goal : uint8_t {
  Win,       // by Hegemony, at the end of this turn
  Stop,      // leave nobody a Hegemony that could come before one's own next turn
  Majority,  // win by Majority: the game ends with this turn
  Best,      // the best turn by a margin
};
inline constexpr std::array kGoals = {Goal::Win, Goal::Stop, Goal::Majority, Goal::Best};
std::string_view NameOf(Goal goal);  // "win"

struct Puzzle {
  Goal goal = Goal::Best;
  int level = 0;   // of the bots: this one and all above find the answer
  int margin = 0;  // of Goal::Best: points of the chance to win, of 100, to the next best turn
  View view{};     // of the seat whose turn begins, which is seat 0
  // Up to the end of the turn, or what shows hidden cards.
  std::vector<Action> answer{};
  std::vector<std::vector<Action>> others{};  // of Goal::Best: what is as good
};

// One line of text each, and back. The view is written from where its viewer sits.
std::string ToText(const View& view);
std::string ToText(const Puzzle& puzzle);
Expected<View> ViewFromText(std::string_view text);
Expected<Puzzle> PuzzleFromText(std::string_view text);

Expected<std::vector<Action>> ActionsFrom(const Json& names);
// Whether the turn is over after these actions, or what is wrong with them.
Expected<bool> Plays(const View& view, std::span<const Action> turn);
// What a turn leads to, as far as it can be planned. Turns that come to the same, Ages aside, have
// the same.
std::string EndingOf(const View& view, std::span<const Action> turn);

// Whether the viewer wins by ending the turn, or, to stop others, leaves none of them a threat.
bool Reaches(Goal goal, const View& at);
// Whether the viewer reaches the goal with this turn, which is legal.
bool Solves(const Puzzle& puzzle, std::span<const Action> turn);
// What it comes to instead.
Messages WhyWrong(const Puzzle& puzzle, std::span<const Action> turn);
// What speaks for the answer.
Messages WhyRight(const Puzzle& puzzle);

// What it is about: the Hegemony, or the first effect of the answer, or else its first card.
Domain TopicOf(const Puzzle& puzzle);

// Answers {"puzzle":"…"} and {"puzzle":"…","turn":[…]}.
std::string AnswerPuzzle(Reader& request);

}  // namespace civ
