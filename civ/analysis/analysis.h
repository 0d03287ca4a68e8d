// What a game was won and lost by: the luck of each seat, and what each gave away, turn by turn
// (docs/analysis.md).
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "civ/analysis/judge.h"
#include "civ/guide/message.h"
#include "civ/notation/record.h"

namespace civ {

// For a chance that was not judged.
inline constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

// Some bots know the chances of the deciding seat alone. If there are two sides, the others follow;
// else they are unknown.
Chances Whole(const Config& config, Seat seat, Chances chances);

enum class Remark { None, Slip, Error, Blunder };
std::string_view NameOf(Remark remark);  // "slip"

// Actions of one seat, one after the other, that it could plan: up to the first that shows hidden
// cards or ends its turn. There was a choice among them.
struct Stretch {
  size_t begin, end;  // in the record, from 0
  Seat seat;
  int turn;  // 0 in the draft
};

// What the judge says of it.
struct Verdict {
  Chances open{};  // before it, with open hands
  Chances luck{};  // what the deck brought by what was played
  Line best;
  float chance = 0;           // of the seat, with the best line, by what it knew
  float lost = 0, doubt = 0;  // by what was played instead, and the standard error of that
  float stake = 0;            // what blind play loses
};

struct Turn {
  int turn = 0;  // 0 in the draft
  Seat seat = 0;
  size_t begin = 0, end = 0;  // its actions; in the draft those of others may be among them
  Chances before{};           // with open hands
  Chances luck{};             // what was drawn gave each seat
  float lost = 0;             // by what it knew, below zero if it did better than the judge
  float doubt = 0;
  float stake = 0;  // what blind play would have lost
  // Where most was lost: the first action, what was done, what was better, and the chance with it.
  size_t at = 0;
  Line played{}, better{};
  float chance = 0, loss = 0;
  Messages reasons{};  // why it was better, where there is a remark
  Remark remark = Remark::None;
  bool joker = false;  // much luck for the seat
};

struct Analysis {
  std::vector<Turn> turns{};  // those in which there was a choice
  // For each seat: the chance after the deal and at the end, and what made the difference: what was
  // drawn, what it gave away itself, and what others gave away, or held without its knowing.
  Chances deal{}, luck{}, skill{}, others{}, end{};
  Chances quality{};                // of play, 0 to 100; unknown where nothing was decided
  std::optional<Chances> result{};  // of a game that has one
  // The last turn, by its place in the list, before which the winners were not ahead.
  std::optional<size_t> turning_point{};
  std::vector<size_t> moments{};  // the turns that mattered most, at most three
};

inline constexpr int64_t kDefaultDepth = 2000;

struct Inquiry {
  int64_t iterations = kDefaultDepth;       // to find the best, for each decision
  const std::atomic<bool>* stop = nullptr;  // set by somebody else: end at once
  uint64_t seed = 1;
  int threads = 1;  // stretches that are judged at the same time
  // Called now and then on the thread that asked, at last with `done` == `all` unless it was
  // stopped.
  std::function<void(size_t done, size_t all)> progress = [](size_t, size_t) {};
};

// A game that is judged in steps, in any order and in any threads.
class Review {
 public:
  Review(Record record, Inquiry inquiry);

  const Record& record() const { return record_; }
  size_t Size() const { return stretches_.size(); }
  void Step(size_t i);
  const Stretch& At(size_t i) const { return stretches_[i]; }
  const Verdict& Of(size_t i) const { return verdicts_[i]; }
  // After all steps.
  Analysis Sum() const;

 private:
  void Compare(size_t i, Judge& judge, uint64_t seed);
  std::vector<Turn> Turns() const;
  Chances AtEnd() const;

  const Record record_;
  const Inquiry inquiry_;
  std::vector<Stretch> stretches_;
  std::vector<Game> games_;  // before each of them
  std::vector<Verdict> verdicts_;
};

// With nothing in it if it was stopped. It depends on nothing but the record, iterations and seed.
Analysis Analyze(const Record& record, const Inquiry& inquiry);

// The seats that have won, bit s for seat s, partners with each other; none while the game goes on.
unsigned WinnersOf(const Record& record);

Json ToJson(const Messages& messages);
Json ToJson(const Config& config, const Chances& chances);
Json ToJson(const Record& record, const Analysis& analysis);

}  // namespace civ
