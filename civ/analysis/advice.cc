#include "civ/analysis/advice.h"

#include "civ/guide/reason.h"

namespace civ {
namespace {

constexpr int64_t kIterations = 400;  // for each decision that follows

}  // namespace

Messages WhyTake(const View& view, Action action, uint64_t seed) {
  Random random(seed);
  std::optional<Game> game = GameThatFits(view, random);
  if (!game) return {};
  Line line = {action};
  if (!EndsLine(game->state, action)) {
    game->Apply(action);
    const Line rest = Judge(kIterations, nullptr).Best(*game, seed);
    line.insert(line.end(), rest.begin(), rest.end());
  }
  return ReasonsFor(view, line);
}

}  // namespace civ
