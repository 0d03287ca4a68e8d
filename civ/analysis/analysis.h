// What a bot thinks of the decisions of a game, each judged from the view of the seat that decided
// (docs/analysis.md).
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "civ/bots/bot.h"
#include "civ/notation/record.h"

namespace civ {

// For a chance that was not judged.
inline constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

// Some bots know the chances of the deciding seat alone. If there are two sides, the others follow;
// else they are unknown.
Chances Whole(const Config& config, Seat seat, Chances chances);

enum class Remark { None, Mistake, Blunder, MissedWin };
std::string_view NameOf(Remark remark);  // "missed-win"

struct Decision {
  size_t action;  // its number in the record, from 0
  int turn;       // 0 in the draft
  Seat seat;
  Action played, best;
  Chances before, after;  // with the best action, and with the one played
  float lost;             // by the deciding seat, from the one to the other
  float doubt;            // the standard error of that
  Remark remark;

  float Blame() const { return lost > doubt ? lost - doubt : 0; }
};

struct Analysis {
  std::vector<Decision> decisions;
  Chances accuracy;               // of each seat, 0 to 100; unknown where nothing was decided
  std::optional<Chances> result;  // of a game that has one
  // The last decision, by its place in the list, before which the winners were not ahead.
  std::optional<size_t> turning_point;
};

struct Inquiry {
  std::string bot = "master";
  Limits limits{};  // for each decision; if they stop it, the analysis ends with what it has
  uint64_t seed = 1;
  int threads = 1;  // decisions that are judged at the same time
  // Called now and then on the thread that asked, at last with `done` == `all` unless it was
  // stopped.
  std::function<void(size_t done, size_t all)> progress = [](size_t, size_t) {};
};

// All decisions at which there was a choice: more than one action, cards that differ by their Age
// alone counting as one. There are none in the answer if the bot does not judge. With a limit of
// iterations alone it depends on nothing but the record, the bot and the seed.
Analysis Analyze(const Record& record, const Inquiry& inquiry);

// Whether there is any such decision.
bool HasChoices(const Record& record);

// The seats that have won, bit s for seat s, partners with each other; none while the game goes on.
unsigned WinnersOf(const Record& record);

Json ToJson(const Config& config, const Chances& chances);
Json ToJson(const Record& record, const Analysis& analysis);

}  // namespace civ
