#include "civ/bots/master.h"

#include <algorithm>
#include <cmath>

#include "civ/bots/certain.h"
#include "civ/bots/finish.h"
#include "civ/bots/limits.h"
#include "civ/bots/numbers.h"
#include "civ/bots/parallel.h"

namespace civ {
namespace {

constexpr int kDeckCards = 32;  // that are shuffled for a sample; the search looks no further

struct Node {
  uint32_t visits = 0;
  uint32_t available = 0;                 // how often it could have been chosen
  uint32_t child = 0;                     // the first one; 0 for none
  uint32_t sibling = 0;                   // the next one; 0 for none
  std::array<Mean, kMaxSeats> chances{};  // judged below it
  float prior = 0;  // how likely a good player is to choose it, before any search
  Action key{};     // what is done to get here

  void Visit(const Chances& judged) {
    const double share = 1.0 / ++visits;
    for (size_t seat = 0; seat < kMaxSeats; ++seat) chances[seat].Add(judged[seat], share);
  }
};
static_assert(sizeof(Node) <= 40);  // kMostNodes of them are the memory of a thread

// One open-loop tree: its nodes are what a seat did, whatever was sampled, and a child counts how
// often it could have been chosen.
class Tree {
 public:
  explicit Tree(const MasterOptions& options) : options_(options) {}

  void Clear() {
    nodes_.assign(1, {});
    root_ = 0;
  }

  // Goes on from a child of the root, if it has one with that key and there is room for more.
  bool Descend(Action key) {
    if (nodes_.size() > kMostNodes / 2) return false;
    for (uint32_t child = nodes_[root_].child; child != 0; child = nodes_[child].sibling)
      if (nodes_[child].key == key) {
        root_ = child;
        return true;
      }
    return false;
  }

  // One sampled state, searched to a new node, judged and counted.
  void Iterate(State& state, const Net& net) {
    path_.assign(1, root_);
    for (uint32_t node = root_; state.step != Step::Over;) {
      const ActionSet legal = Legal(state);
      node = Select(node, state, legal, net);
      if (node == 0) break;
      Apply(state, Oldest(legal, nodes_[node].key));
      path_.push_back(node);
      if (nodes_[node].visits == 0) break;
    }
    FinishTurn(state);
    const Chances chances =
        state.step == Step::Over ? Shares(state.config, Result(state)) : Evaluate(net, state);
    for (const uint32_t visited : path_) nodes_[visited].Visit(chances);
  }

  // Whether `to_come` more iterations cannot change which child is visited most.
  bool Decided(double to_come) const {
    uint32_t most = 0, second = 0;
    for (uint32_t child = nodes_[root_].child; child != 0; child = nodes_[child].sibling) {
      const uint32_t visits = nodes_[child].visits;
      second = std::max(second, std::min(most, visits));
      most = std::max(most, visits);
    }
    return most - second > to_come;
  }

  // Calls tell(node) for all that was tried.
  template <class Tell>
  void ForEachTried(Tell tell) const {
    for (uint32_t child = nodes_[root_].child; child != 0; child = nodes_[child].sibling)
      if (nodes_[child].visits > 0) tell(nodes_[child]);
  }

 private:
  // The child to go on with by PUCT; 0 if there is none and no room for one. The parent's visits in
  // it are those in which the child was available; a child without visits is worth its parent less
  // `first_play` (first-play urgency).
  uint32_t Select(uint32_t parent, const State& state, const ActionSet& legal, const Net& net) {
    const ActionSet keys = Keys(legal);
    int known = 0;
    for (uint32_t child = nodes_[parent].child; child != 0; child = nodes_[child].sibling) {
      if (!keys.Contains(nodes_[child].key)) continue;
      nodes_[child].available++;
      ++known;
    }
    if (known < keys.Size()) Grow(parent, state, keys, net);

    const Seat seat = state.seat;
    const float first_play = nodes_[parent].visits == 0
                                 ? 0.5f
                                 : nodes_[parent].chances[seat].value() - options_.first_play;
    uint32_t best = 0;
    float highest = -1e9f;
    for (uint32_t child = nodes_[parent].child; child != 0; child = nodes_[child].sibling) {
      const Node& node = nodes_[child];
      if (!keys.Contains(node.key)) continue;
      const auto visits = static_cast<float>(node.visits);
      const float value = (node.visits == 0 ? first_play : node.chances[seat].value()) +
                          options_.exploration * node.prior *
                              std::sqrt(static_cast<float>(node.available)) / (1 + visits);
      if (value > highest) {
        highest = value;
        best = child;
      }
    }
    return best;
  }

  // Adds children for the keys that have none.
  void Grow(uint32_t parent, const State& state, const ActionSet& keys, const Net& net) {
    Guess(net, state, keys, [&](Action key, float prior) {
      uint32_t child = nodes_[parent].child;
      while (child != 0 && nodes_[child].key != key) child = nodes_[child].sibling;
      if (child != 0 || nodes_.size() >= kMostNodes) return;
      nodes_.push_back(
          {.available = 1, .sibling = nodes_[parent].child, .prior = prior, .key = key});
      nodes_[parent].child = static_cast<uint32_t>(nodes_.size() - 1);
    });
  }

  MasterOptions options_;
  std::vector<Node> nodes_{1};
  std::vector<uint32_t> path_;
  uint32_t root_ = 0;
};

class Master final : public Bot {
 public:
  explicit Master(const MasterOptions& options) : options_(options) {}

 private:
  Thought Consider(const View& view, const ActionSet& legal, const Limits& limits,
                   uint64_t seed) override {
    Thought thought{legal[0], {}, 0};
    const ActionSet keys = Keys(legal);
    Sampler sampler(view);
    Random random(seed);
    State state;
    if (!sampler.Draw(state, random)) return thought;
    Prepare(state, limits);
    thought.iterations = Search(sampler, random, keys.Size() > 1 ? limits : ForOneKey(limits));
    Collect(legal, thought);
    BeCertain(sampler, random, state, legal, thought);
    Remember(state, thought.best);
    return thought;
  }

  // Where all actions are twins there is nothing to find out but the chance of winning.
  static Limits ForOneKey(Limits limits) {
    constexpr int64_t kEnough = 200;
    limits.iterations = limits.iterations == 0 ? kEnough : std::min(limits.iterations, kEnough);
    return limits;
  }

  // Keeps what was thought about this position earlier in the turn.
  void Prepare(const State& state, const Limits& limits) {
    const auto threads = static_cast<size_t>(std::max(1, limits.threads));
    const bool foreseen = expected_ == HashOf(state);
    while (trees_.size() < threads) trees_.emplace_back(options_);
    for (Tree& tree : trees_)
      if (!foreseen || !tree.Descend(done_)) tree.Clear();
    trees_.resize(threads, Tree(options_));
  }

  void Remember(State& state, Action best) {
    const Seat seat = state.seat;
    done_ = KeyOf(best);
    Apply(state, best);
    // What was drawn or taken unseen was different in every sample.
    expected_ = !IsUnseen(best) && state.seat == seat ? HashOf(state) : 0;
  }

  int64_t Search(const Sampler& sampler, Random& random, const Limits& limits) {
    const Net& net = options_.net != nullptr ? *options_.net : NetFor(sampler.view().config);
    std::vector<Random> randoms;
    for (size_t i = 0; i < trees_.size(); ++i)
      randoms.emplace_back(uint64_t{random.Next()} << 32 | random.Next());
    std::vector<int64_t> done(trees_.size());
    Limits each = limits;
    if (options_.most_iterations > 0 &&
        (each.iterations == 0 || each.iterations > options_.most_iterations))
      each.iterations = options_.most_iterations;
    each.iterations = (each.iterations + static_cast<int64_t>(trees_.size()) - 1) /
                      static_cast<int64_t>(trees_.size());
    InParallel(trees_.size(), [&](size_t i) {
      Sampler own = sampler;
      Budget budget(each);
      State state;
      while (budget.Allows(done[i]) &&
             !(budget.LooksAtClock(done[i]) && trees_[i].Decided(budget.ToCome(done[i]))) &&
             own.Draw(state, randoms[i], kDeckCards)) {
        trees_[i].Iterate(state, net);
        ++done[i];
      }
    });
    int64_t all = 0;
    for (const int64_t iterations : done) all += iterations;
    return all;
  }

  // The judgements of all trees together.
  void Collect(const ActionSet& legal, Thought& thought) const {
    float all = 0;
    for (const Tree& tree : trees_)
      tree.ForEachTried([&](const Node& node) {
        const Action action = Oldest(legal, node.key);
        auto at = std::ranges::find(thought.judgements, action, &Judgement::action);
        if (at == thought.judgements.end()) at = thought.judgements.insert(at, {action, 0, {}});
        const auto visits = static_cast<float>(node.visits);
        at->weight += visits;
        all += visits;
        for (size_t seat = 0; seat < kMaxSeats; ++seat)
          at->chances[seat] += visits * node.chances[seat].value();
      });
    for (Judgement& judgement : thought.judgements) {
      for (float& chance : judgement.chances) chance /= judgement.weight;
      judgement.weight /= all;
    }
    thought.SortAndChoose();
  }

  // A search that was short may have missed what can be known.
  void BeCertain(Sampler& sampler, Random& random, const State& state, const ActionSet& legal,
                 Thought& thought) {
    if (const std::optional<Action> win = certainty_.Win(state, legal)) {
      auto at = std::ranges::find(thought.judgements, *win, &Judgement::action);
      if (at == thought.judgements.end()) at = thought.judgements.insert(at, {*win, 0, {}});
      std::rotate(thought.judgements.begin(), at, at + 1);
      thought.judgements[0].chances = SureOf(state.config, state.seat);
      thought.best = *win;
      return;
    }
    const std::vector<Action> stops = certainty_.Stops(sampler, random, legal);
    if (stops.empty()) return;
    const auto stopping = [&](const Judgement& judgement) {
      return std::ranges::find(stops, judgement.action) != stops.end();
    };
    const auto at = std::ranges::find_if(thought.judgements, stopping);
    thought.best = at == thought.judgements.end() ? stops[0] : at->action;
    if (at != thought.judgements.end()) std::rotate(thought.judgements.begin(), at, at + 1);
  }

  static Chances SureOf(const Config& config, Seat seat) {
    Chances chances{};
    chances[seat] = 1;
    if (config.teams) chances[seat ^ 2u] = 1;
    return chances;
  }

  const MasterOptions options_;
  Certainty certainty_;
  std::vector<Tree> trees_;  // one for each thread
  Action done_{};            // what was chosen last
  uint64_t expected_ = 0;    // the position after it, if it was certain
};

}  // namespace

std::unique_ptr<Bot> MakeMaster(const MasterOptions& options) {
  return std::make_unique<Master>(options);
}

}  // namespace civ
