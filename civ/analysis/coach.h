// What a coach has to say of a turn, by what its player could see (docs/analysis.md).
#pragma once

#include <optional>

#include "civ/analysis/judge.h"
#include "civ/guide/message.h"

namespace civ {

struct Coaching {
  int64_t iterations = 1000;  // to find something better, for each decision
  uint64_t seed = 1;
};

// Something that mattered: an error by the scale, or a win or the answer to a proven Hegemony
// thrown away; and the better line ends the turn in sight.
struct Mistake {
  Line better;
  float lost = 0;    // of the chance to win, by what was played instead
  Messages reasons;  // none where nothing is certain but the number
};

// What the coach would do from here, as far as it can be planned, without breaking a pact; nothing
// if that cannot be, or if no game fits the view.
Line BetterLine(const View& view, const Coaching& coaching, const Diplomacy& pacts = {});

// What was wrong with a line that the deciding seat played from here, beside such a one; nothing if
// it neither ends the turn nor shows hidden cards.
std::optional<Mistake> MistakeIn(const View& view, const Line& played, const Line& better,
                                 const Coaching& coaching);

}  // namespace civ
