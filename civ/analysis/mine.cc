#include "civ/analysis/mine.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

#include "civ/analysis/judge.h"
#include "civ/analysis/scale.h"
#include "civ/bots/master.h"
#include "civ/guide/reason.h"
#include "civ/view/threat.h"
#include "civ/view/turn.h"

namespace civ {
namespace {

constexpr std::array<uint64_t, 3> kSeeds = {1, 2, 3};
constexpr size_t kMostPositions = 20'000;  // of a turn; where there are more nothing is proven
constexpr size_t kMostEndings = 500;       // that are compared to find the best
constexpr size_t kFinalists = 12;          // that are compared in depth
constexpr size_t kMostOthers = 3;          // that are as good
constexpr float kMargin = scale::kError;   // by which the best turn must be better
constexpr int64_t kQuick = 600;            // iterations, to see whether that is worth a try

// Every position of one's own turn that can be planned, each once, by a shortest way.
class Plans {
 public:
  explicit Plans(const View& view) {
    Add(Planned(view), 0, kEnd);
    for (size_t i = 0; i < nodes_.size() && Complete(); ++i) {
      const State state = nodes_[i].state;
      const ActionSet legal = Legal(state);
      for (const Action key : Keys(legal)) {
        const Action action = Oldest(legal, key);
        if (action == kEnd || IsUnseen(action)) {
          ends_.push_back({i, action});
          continue;
        }
        State after = state;
        Apply(after, action);
        Add(after, i, action);
      }
    }
  }

  struct End {
    size_t node;
    Action last;
  };

  bool Complete() const { return nodes_.size() <= kMostPositions; }
  const std::vector<End>& ends() const { return ends_; }
  const State& At(const End& end) const { return nodes_[end.node].state; }
  Line LineTo(const End& end) const {
    Line line = {end.last};
    for (size_t i = end.node; i != 0; i = nodes_[i].parent) line.push_back(nodes_[i].by);
    std::ranges::reverse(line);
    return line;
  }

 private:
  struct Node {
    State state;
    size_t parent;
    Action by;
  };

  void Add(const State& state, size_t parent, Action by) {
    if (seen_.insert(HashOf(state)).second) nodes_.push_back({state, parent, by});
  }

  std::vector<Node> nodes_;
  std::vector<End> ends_;
  std::unordered_set<uint64_t> seen_;
};

// What is used in a line, with its targets.
Line EffectsOf(const Line& line) {
  Line effects;
  for (const Action action : line)
    if (!action.NamesCard() && action != kEnd) effects.push_back(action);
  std::ranges::sort(effects);
  return effects;
}

// The one right turn: the effects that all right turns have in common are themselves a right turn,
// with the same targets however they are used; others only do more than is needed. Where no effect
// is needed, it is one card that must be played. The shortest way of it.
std::optional<Line> OneOf(const Plans& plans, const std::vector<Plans::End>& right) {
  Domains permanent = kAllDomains, given_up = kAllDomains;
  for (const Plans::End& end : right) {
    permanent &= plans.At(end).permanent;
    given_up &= plans.At(end).given_up;
  }
  std::optional<Line> answer;
  std::set<Line> ideas;
  for (const Plans::End& end : right) {
    if (plans.At(end).permanent != permanent || plans.At(end).given_up != given_up) continue;
    Line line = plans.LineTo(end);
    Line idea = EffectsOf(line);
    if (idea.empty()) idea = {KeyOf(line[0])};
    ideas.insert(idea);
    if (!answer || line.size() < answer->size()) answer = std::move(line);
  }
  return ideas.size() == 1 ? answer : std::nullopt;
}

// With which the turn can be ended so that the goal is reached.
std::vector<Plans::End> Solving(const Plans& plans, const View& view, Goal goal) {
  std::vector<Plans::End> right;
  std::map<std::string, bool> known;  // threats take long to look for
  for (const Plans::End& end : plans.ends()) {
    if (end.last != kEnd) continue;
    const View at = Seen(view, plans.At(end));
    if (goal != Goal::Stop) {
      if (Reaches(goal, at)) right.push_back(end);
      continue;
    }
    const auto [found, is_new] = known.try_emplace(EndingOf(view, plans.LineTo(end)), false);
    if (is_new) found->second = Reaches(goal, at);
    if (found->second) right.push_back(end);
  }
  return right;
}

// What a turn does: the card that is played first, and the effects.
Line IdeaOf(const Line& line) {
  Line idea = EffectsOf(line);
  idea.push_back(KeyOf(line[0]));
  std::ranges::sort(idea);
  return idea;
}

struct Judged {
  Line line;
  float chance = 0;  // of the one whose turn it is
};

// The best first, by the mean over the worlds of all seeds.
void Rank(const View& view, int64_t iterations, std::span<const uint64_t> seeds,
          std::vector<Judged>& turns) {
  std::vector<Line> lines;
  for (Judged& turn : turns) {
    lines.push_back(turn.line);
    turn.chance = 0;
  }
  for (const uint64_t seed : seeds) {
    const Comparison found = Judge(iterations, nullptr).Compare(view, lines, seed);
    for (size_t i = 0; i < turns.size(); ++i)
      turns[i].chance += found.means[i][view.viewer] / static_cast<float>(seeds.size());
  }
  std::ranges::sort(turns, [](const Judged& a, const Judged& b) {
    return std::tie(b.chance, a.line) < std::tie(a.chance, b.line);
  });
}

bool UsesEffects(const Line& line) { return !EffectsOf(line).empty(); }

// A win in this turn, if there is one way to it.
std::optional<Puzzle> Winning(const View& view, const Plans& plans,
                              const std::vector<Plans::End>& right) {
  const auto wins_in = [&](const Plans::End& end) { return HegemonyOf(plans.At(end), view.seat); };
  const uint8_t domain = wins_in(right[0]);
  for (const Plans::End& end : right)
    if (wins_in(end) != domain) return std::nullopt;
  std::optional<Line> answer = OneOf(plans, right);
  if (!answer || (domain != kNone && !UsesEffects(*answer))) return std::nullopt;
  return Puzzle{.goal = domain == kNone ? Goal::Majority : Goal::Win,
                .view = view,
                .answer = std::move(*answer)};
}

bool IsThreatened(const View& view) {
  for (Seat other = view.Next(view.seat); other != view.seat; other = view.Next(other))
    if (ThreatOf(view, other)) return true;
  return false;
}

// What a bot does with a turn, as far as it can be planned.
Line TurnBy(Bot& bot, const Limits& limits, const View& view, uint64_t seed) {
  Random random(seed);
  const std::optional<Game> start = GameThatFits(view, random);
  if (!start) return {};
  Line line;
  for (Game game = *start;;) {
    const View now = MakeView(game.state, game.knowledge, view.viewer);
    line.push_back(bot.Think(now, limits, seed + line.size()).best);
    if (EndsLine(game.state, line.back())) return line;
    game.Apply(line.back());
  }
}

// Whether at some decision of the best turn nothing else looks nearly as good.
bool LooksClear(const View& view) {
  Random random(kSeeds[0]);
  const std::optional<Game> start = GameThatFits(view, random);
  if (!start) return false;
  const std::unique_ptr<Bot> bot = MakeMaster();
  for (Game game = *start;;) {
    const View now = MakeView(game.state, game.knowledge, view.viewer);
    const Thought thought = bot->Think(now, {.iterations = kQuick}, kSeeds[0]);
    if (thought.judgements.size() > 1) {
      const auto chance = [&](size_t i) { return thought.judgements[i].chances[view.viewer]; };
      if (chance(0) - chance(1) >= kMargin) return true;
    }
    if (EndsLine(game.state, thought.best)) return false;
    game.Apply(thought.best);
  }
}

// Each seed for itself.
bool MasterFinds(const Puzzle& puzzle, int64_t iterations) {
  return std::ranges::all_of(kSeeds, [&](uint64_t seed) {
    const Line line = TurnBy(*MakeMaster(), {.iterations = iterations}, puzzle.view, seed);
    return !line.empty() && Solves(puzzle, line);
  });
}

// The weakest level from which on all find it, most of the time.
std::optional<int> WeakestLevel(const Puzzle& puzzle, int64_t iterations) {
  int level = kBotLevels;
  for (; level > 0; --level) {
    const std::string name = "level" + std::to_string(level);
    const auto finds = std::ranges::count_if(kSeeds, [&](uint64_t seed) {
      const Line line = TurnBy(*MakeBot(name), {.iterations = iterations}, puzzle.view, seed);
      return !line.empty() && Solves(puzzle, line);
    });
    if (2 * finds <= static_cast<int64_t>(kSeeds.size())) break;
  }
  return level < kBotLevels ? std::optional(level + 1) : std::nullopt;
}

std::optional<Puzzle> BestIn(const View& view, const Plans& plans, int64_t iterations) {
  if (!LooksClear(view)) return std::nullopt;
  std::map<std::string, Line> endings;
  for (const Plans::End& end : plans.ends()) {
    Line line = plans.LineTo(end);
    endings.try_emplace(EndingOf(view, line), std::move(line));
    if (endings.size() > kMostEndings) return std::nullopt;
  }
  std::vector<Judged> turns;
  for (auto& [ending, line] : endings) turns.push_back({std::move(line)});
  constexpr int64_t kGlance = 40;
  Rank(view, kGlance, std::span(kSeeds).first(1), turns);
  if (turns.size() > kFinalists) turns.resize(kFinalists);
  Rank(view, iterations, kSeeds, turns);

  const auto below = [&](const Judged& turn) { return turns[0].chance - turn.chance; };
  Line idea = IdeaOf(turns[0].line);
  Puzzle puzzle = {.goal = Goal::Best, .margin = 100, .view = view, .answer = turns[0].line};
  for (const Judged& turn : std::span(turns).subspan(1))
    if (below(turn) < scale::kSlip) {
      puzzle.others.push_back(turn.line);
      std::erase_if(idea, [own = IdeaOf(turn.line)](Action one) {
        return std::ranges::find(own, one) == own.end();
      });
    }
  if (idea.empty() || puzzle.others.size() > kMostOthers) return std::nullopt;
  bool alternatives = false;
  for (const Judged& turn : turns) {
    if (std::ranges::includes(IdeaOf(turn.line), idea)) continue;
    if (below(turn) < kMargin) return std::nullopt;
    puzzle.margin = std::min(puzzle.margin, static_cast<int>(100 * below(turn)));
    alternatives = true;
  }
  return alternatives && MasterFinds(puzzle, iterations) ? std::optional(puzzle) : std::nullopt;
}

}  // namespace

std::optional<Puzzle> PuzzleIn(const View& seen, int64_t iterations, bool best) {
  const Expected<View> own = ViewFromText(ToText(seen));
  if (!own) return std::nullopt;
  const View& view = *own;
  const Plans plans(view);
  if (!plans.Complete()) return std::nullopt;
  std::optional<Puzzle> puzzle;
  if (const auto right = Solving(plans, view, Goal::Win); !right.empty()) {
    puzzle = Winning(view, plans, right);
  } else if (IsThreatened(view)) {
    puzzle = Puzzle{.goal = Goal::Stop, .view = view};
    const std::optional<Line> answer = OneOf(plans, Solving(plans, view, Goal::Stop));
    if (!answer || !UsesEffects(*answer)) return std::nullopt;
    puzzle->answer = *answer;
    if (!MasterFinds(*puzzle, iterations)) return std::nullopt;
  } else if (best) {
    puzzle = BestIn(view, plans, iterations);
  }
  if (!puzzle) return std::nullopt;
  const std::optional<int> level = WeakestLevel(*puzzle, iterations);
  if (!level) return std::nullopt;
  puzzle->level = *level;
  return puzzle;
}

}  // namespace civ
