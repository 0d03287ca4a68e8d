#include "civ/analysis/advice.h"

#include "civ/guide/reason.h"

namespace civ {
namespace {

constexpr int64_t kIterations = 400;  // for each decision that follows

}  // namespace

Messages WhyTake(const View& view, Action action, uint64_t seed) {
  Random random(seed);
  const std::optional<State> state = Sample(view, random);
  if (!state) return {};
  Game game(*state);
  for (Seat seat = 0; seat < view.config.players; ++seat)
    if (seat != view.viewer) game.knowledge.known[seat][view.viewer] = view.hands[seat].cards;
  Line line = {action};
  if (!EndsLine(game.state, action)) {
    game.Apply(action);
    const Line rest = Judge(kIterations, nullptr).Best(game, seed);
    line.insert(line.end(), rest.begin(), rest.end());
  }
  return ReasonsFor(view, line);
}

}  // namespace civ
