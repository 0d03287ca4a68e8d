#include "civ/bots/plain.h"

#include <algorithm>
#include <cmath>

#include "civ/bots/limits.h"
#include "civ/bots/numbers.h"
#include "civ/view/sample.h"

namespace civ {
namespace {

constexpr float kExploration = 0.7f;
constexpr size_t kMostNodes = 1 << 20;  // 32 MiB; afterwards the tree grows no more

struct Node {
  uint32_t visits = 0;
  uint32_t available = 0;  // how often it could have been chosen
  double wins = 0;         // of the seat that chooses it; a float stops growing at sixteen million
  uint32_t child = 0;      // the first one; 0 for none
  uint32_t sibling = 0;    // the next one; 0 for none
  Action action{};
  Seat seat = kNone;  // that chooses it
};

class Plain final : public Bot {
 public:
  explicit Plain(Policy playouts) : playouts_(playouts) {}

 private:
  Thought Consider(const View& view, const ActionSet& legal, const Limits& limits,
                   uint64_t seed) override {
    Random random(seed);
    Sampler sampler(view);
    nodes_.assign(1, {});
    Budget budget(limits);
    Thought thought{legal[0], {}, 0};
    State state;
    while (budget.Allows(thought.iterations) && sampler.Draw(state, random)) {
      Iterate(state, random);
      ++thought.iterations;
    }
    Collect(view, thought);
    return thought;
  }

  void Iterate(State& state, Random& random) {
    path_.clear();
    uint32_t node = 0;
    for (bool grown = false; state.step != Step::Over && !grown;) {
      const ActionSet legal = Legal(state);
      const Seat seat = state.seat;
      uint32_t next = Select(node, legal);
      if (next == 0) {
        grown = true;
        if (nodes_.size() == kMostNodes) break;
        next = Grow(node, seat, Untried(node, legal, random));
      }
      node = next;
      path_.push_back(node);
      Apply(state, nodes_[node].action);
    }
    PlayOut(state, random);
    const Chances won = Shares(state.config, Result(state));
    for (const uint32_t visited : path_) {
      nodes_[visited].visits++;
      nodes_[visited].wins += static_cast<double>(won[nodes_[visited].seat]);
    }
  }

  // The best of the children that are legal now by UCB1, or 0 if some legal action has not been
  // tried.
  uint32_t Select(uint32_t parent, const ActionSet& legal) {
    int tried = 0;
    uint32_t best = 0;
    float highest = -1;
    for (uint32_t child = nodes_[parent].child; child != 0; child = nodes_[child].sibling) {
      Node& node = nodes_[child];
      if (!legal.Contains(node.action)) continue;
      ++tried;
      node.available++;
      const auto visits = static_cast<float>(node.visits);
      const float value =
          static_cast<float>(node.wins) / visits +
          kExploration * std::sqrt(NaturalLog(static_cast<float>(node.available)) / visits);
      if (value > highest) {
        highest = value;
        best = child;
      }
    }
    return tried == legal.Size() ? best : 0;
  }

  Action Untried(uint32_t parent, const ActionSet& legal, Random& random) const {
    Action chosen{};
    uint32_t seen = 0;
    for (const Action action : legal) {
      uint32_t child = nodes_[parent].child;
      while (child != 0 && nodes_[child].action != action) child = nodes_[child].sibling;
      if (child == 0 && random.Below(++seen) == 0) chosen = action;
    }
    return chosen;
  }

  uint32_t Grow(uint32_t parent, Seat seat, Action action) {
    const auto index = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back(
        {.available = 1, .sibling = nodes_[parent].child, .action = action, .seat = seat});
    nodes_[parent].child = index;
    return index;
  }

  void PlayOut(State& state, Random& random) const {
    if (playouts_ == Policy::Uniform) return PlayOutUniform(state, random);
    while (state.step != Step::Over) Apply(state, Choose(playouts_, state, Legal(state), random));
  }

  [[gnu::flatten]] static void PlayOutUniform(State& state, Random& random) {
    while (state.step != Step::Over) Apply(state, ChooseUniform(Legal(state), random));
  }

  void Collect(const View& view, Thought& thought) const {
    for (uint32_t child = nodes_[0].child; child != 0; child = nodes_[child].sibling) {
      const Node& node = nodes_[child];
      Judgement judgement{node.action,
                          static_cast<float>(node.visits) / static_cast<float>(thought.iterations),
                          {}};
      judgement.chances[view.seat] = static_cast<float>(node.wins / node.visits);
      thought.judgements.push_back(judgement);
    }
    thought.SortAndChoose();
  }

  const Policy playouts_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> path_;
};

}  // namespace

std::unique_ptr<Bot> MakePlain(Policy playouts) { return std::make_unique<Plain>(playouts); }

}  // namespace civ
