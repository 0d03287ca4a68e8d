#include "civ/analysis/advice.h"

#include "civ/bots/diplomat.h"
#include "civ/guide/danger.h"
#include "civ/guide/reason.h"

namespace civ {
namespace {

constexpr int64_t kIterations = 400;  // for each decision that follows

}  // namespace

Thought Advise(Bot& bot, const View& view, const Limits& limits, uint64_t seed,
               const Diplomacy& pacts) {
  const ActionSet legal = Legal(view);
  Thought thought = bot.Think(view, limits, seed, KeepingAll(pacts, view, legal));
  if (!thought.judgements.empty() || legal.Size() == 1) return thought;
  const Comparison found = Judge(kIterations, limits.stop).Compare(view, {{thought.best}}, seed);
  thought.judgements = {{.action = thought.best, .weight = 1, .chances = found.means[0]}};
  return thought;
}

Messages WhyTake(const View& view, Action action, uint64_t seed, Diplomacy pacts) {
  Random random(seed);
  std::optional<Game> game = GameThatFits(view, random);
  if (!game) return {};
  Line line = {action};
  if (EndsLine(game->state, action)) return ReasonsFor(view, line);
  const State before = game->state;
  game->Apply(action);
  pacts.Act(before, action, game->state, 0);
  const Line rest = Judge(kIterations, nullptr).Best(*game, seed, std::move(pacts));
  const Messages steps = TellLine(MakeView(game->state, game->knowledge, view.viewer), rest);
  line.insert(line.end(), rest.begin(), rest.end());
  Messages why = ReasonsFor(view, line);
  if (steps[0].key != "threat.enough")  // as where only cards are named, or the turn ends
    why.insert(why.begin(), {"reason.then", {{"steps", steps}}});
  return why;
}

}  // namespace civ
