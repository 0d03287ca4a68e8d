#include "civ/analysis/coach.h"

#include <algorithm>

#include "civ/analysis/scale.h"
#include "civ/guide/puzzle.h"
#include "civ/guide/reason.h"
#include "civ/rules/sides.h"
#include "civ/view/threat.h"
#include "civ/view/turn.h"

namespace civ {
namespace {

// Whether somebody on another side wins with the next turn, with cards that are known.
bool LeavesWin(const View& view, const Line& line) {
  if (line.back() != kEnd) return false;
  const View at = BeforeLast(view, line);
  for (Seat other = at.Next(view.seat); other != view.seat; other = at.Next(other)) {
    const std::optional<Threat> threat = ThreatOf(at, other);
    if (threat && threat->proven && SideOf(at.config, other) != SideOf(at.config, view.seat))
      return true;
  }
  return false;
}

// Thrown away whatever the chances are.
bool IsCertain(const View& view, const Mistake& mistake, const Line& played) {
  const auto gives = [&](std::string_view key) {
    return std::ranges::any_of(mistake.reasons,
                               [&](const Message& reason) { return reason.key.starts_with(key); });
  };
  return gives("reason.wins") ||
         (gives("reason.stops") && LeavesWin(view, played) && !LeavesWin(view, mistake.better));
}

// The shortest way to a Hegemony in this turn; nothing if there is none.
Line WayToWin(const View& view) {
  const std::optional<Threat> threat = ThreatOf(view, view.seat);
  if (!threat || !threat->proven) return {};
  Line line = WayOf(view, view.seat, *threat);
  line.push_back(kEnd);
  const Expected<bool> over = Plays(view, line);
  return over && *over ? line : Line();
}

bool Keeps(Game game, const Line& line, Diplomacy pacts) {
  for (const Action action : line) {
    if (!pacts.BrokenBy(game.state, action).empty()) return false;
    const State before = game.state;
    game.Apply(action);
    pacts.Act(before, action, game.state, 0);
  }
  return true;
}

}  // namespace

Line BetterLine(const View& view, const Coaching& coaching, const Diplomacy& pacts) {
  Random random(coaching.seed);
  const std::optional<Game> game = GameThatFits(view, random);
  if (!game) return {};
  if (Line line = WayToWin(view); !line.empty() && Keeps(*game, line, pacts)) return line;
  const Line best = Judge(coaching.iterations, nullptr).Best(*game, coaching.seed, pacts);
  return Keeps(*game, best, pacts) ? best : Line();
}

std::optional<Mistake> MistakeIn(const View& view, const Line& played, const Line& better,
                                 const Coaching& coaching) {
  if (played.empty() || better.empty()) return std::nullopt;
  if (played.back() != kEnd && !IsUnseen(played.back())) return std::nullopt;
  if (better.back() != kEnd) return std::nullopt;
  if (EndingOf(view, played) == EndingOf(view, better)) return std::nullopt;
  Mistake mistake = {.better = better, .reasons = ReasonsFor(view, better, played)};
  const Comparison found =
      Judge(coaching.iterations, nullptr).Compare(view, {better, played}, coaching.seed);
  mistake.lost = found.difference;
  // A number alone teaches little, and is believed only where it is large.
  const float least = mistake.reasons.empty() ? scale::kBlunder : scale::kError;
  const bool matters = found.difference - found.doubt >= least;
  if (!matters && !IsCertain(view, mistake, played)) return std::nullopt;
  return mistake;
}

}  // namespace civ
