#include "civ/bots/master.h"

#include <algorithm>
#include <cmath>

#include "civ/bots/aim.h"
#include "civ/bots/certain.h"
#include "civ/bots/finish.h"
#include "civ/bots/hash.h"
#include "civ/bots/limits.h"
#include "civ/bots/numbers.h"
#include "civ/bots/parallel.h"
#include "civ/view/sample.h"

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

  void Clear() { nodes_.assign(1, {}); }

  // Goes on from where the keys lead, and keeps what is below; false if that was never seen.
  bool Descend(std::span<const Action> keys) {
    uint32_t node = 0;
    for (const Action key : keys) {
      node = nodes_[node].child;
      while (node != 0 && nodes_[node].key != key) node = nodes_[node].sibling;
      if (node == 0) return false;
    }
    Keep(node);
    return true;
  }

  // Mixes chance into the priors of the root, those to come as well as those there are.
  void Stir(uint64_t seed) {
    chance_ = Random(seed);
    int children = 0;
    for (uint32_t child = nodes_[0].child; child != 0; child = nodes_[child].sibling) ++children;
    for (uint32_t child = nodes_[0].child; child != 0; child = nodes_[child].sibling)
      nodes_[child].prior = Stirred(nodes_[child].prior, children);
  }

  // What to choose from at the root, by key, if not from everything; and the Domains of which the
  // effect under way has taken cards. Anywhere something may be left out.
  void Restrict(std::vector<Action> only, Domains taken, const Restraint& restraint) {
    only_ = std::move(only);
    taken_ = taken;
    restraint_ = restraint;
  }

  // One sampled state, searched to a new node, judged and counted.
  void Iterate(State& state, const Net& net) {
    path_.assign(1, 0);
    for (uint32_t node = 0; state.step != Step::Over;) {
      const ActionSet legal = restraint_.Left(state, Legal(state));
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
    for (uint32_t child = nodes_[0].child; child != 0; child = nodes_[child].sibling) {
      const uint32_t visits = nodes_[child].visits;
      second = std::max(second, std::min(most, visits));
      most = std::max(most, visits);
    }
    return most - second > to_come;
  }

  // Calls tell(node) for all that was tried.
  template <class Tell>
  void ForEachTried(Tell tell) const {
    for (uint32_t child = nodes_[0].child; child != 0; child = nodes_[child].sibling)
      if (nodes_[child].visits > 0 && MayChoose(0, nodes_[child].key)) tell(nodes_[child]);
  }

 private:
  // Moves a node and all below it to the front; parents stand before their children.
  void Keep(uint32_t from) {
    if (from == 0) return;
    nodes_[from].sibling = 0;
    std::vector<uint32_t> place(nodes_.size());  // first whether it is kept, then where
    place[from] = 1;
    for (size_t i = from; i < nodes_.size(); ++i)
      for (uint32_t child = place[i] != 0 ? nodes_[i].child : 0; child != 0;
           child = nodes_[child].sibling)
        place[child] = 1;
    uint32_t kept = 0;
    for (size_t i = from; i < nodes_.size(); ++i)
      if (place[i] != 0) place[i] = kept++;
    for (size_t i = from; i < nodes_.size(); ++i) {
      if (i != from && place[i] == 0) continue;
      Node node = nodes_[i];
      node.child = place[node.child];
      node.sibling = place[node.sibling];
      nodes_[place[i]] = node;
    }
    nodes_.resize(kept);
  }

  bool MayChoose(uint32_t parent, Action key) const {
    return parent != 0 || only_.empty() || std::ranges::find(only_, key) != only_.end();
  }

  // The keys worth looking at: to take cards and play cards of the same Domains changes nothing.
  ActionSet KeysOf(const State& state, const ActionSet& legal) const {
    ActionSet keys = Keys(legal);
    if (state.step == Step::Effects && Playable(state).Empty()) keys = WithoutSwaps(keys);
    if (options_.tidy && state.step == Step::Effects) {
      keys = WithoutFar(state, keys);
      if (!HasAim(state, state.seat)) keys = WithoutSearching(keys);
    }
    if (state.step != Step::Choose) return keys;
    if (options_.tidy) keys = KeepingBest(state, keys);
    if (state.choice.verb == Verb::Take) return Without(keys, OnlyToPlay(state));
    return state.choice.verb == Verb::Play ? Without(keys, Taken()) : keys;
  }

  // A long column is not taken apart, nor are its cards thrown away.
  static ActionSet KeepingBest(const State& state, const ActionSet& keys) {
    constexpr int kLong = 3;
    const Verb verb = state.choice.verb;
    const Domain best = BestColumn(state);
    const bool spends =
        verb == Verb::Take || verb == Verb::Remove || verb == Verb::Discard || verb == Verb::Give;
    return spends && state.Count(state.seat, best) >= kLong ? Without(keys, Bit(best)) : keys;
  }

  // Nothing is laid on a column that is far from Hegemony; late, an Embargo can be for the
  // Majority.
  static ActionSet WithoutFar(const State& state, const ActionSet& keys) {
    constexpr int kLate = 10;
    std::array<uint64_t, 4> words = keys.Bits();
    for (const Action key : keys) {
      const bool embargo = key.effect() == Effect::Embargo;
      if (!embargo && key.effect() != Effect::Democracy) continue;
      const bool late = embargo && state.deck_size <= kLate;
      if (!late && LackFor(state, key.seat(), key.domain()) > (embargo ? 4 : 3))
        words[1] &= ~(uint64_t{1} << (key.code - 64));
    }
    return {words[0], words[1]};
  }

  // Hands and deck are searched for something, or left alone.
  static ActionSet WithoutSearching(const ActionSet& keys) {
    uint64_t searching = uint64_t{1} << kBreakthrough.code;
    for (Seat seat = 0; seat < kMaxSeats; ++seat)
      searching |= uint64_t{1} << Action::Inquisition(seat).code;
    const std::array<uint64_t, 4> words = keys.Bits();
    return {words[0] & ~searching, words[1]};
  }

  static ActionSet WithoutSwaps(const ActionSet& keys) {
    uint64_t swaps = 0;
    for (const Effect effect : {Effect::Experiment, Effect::Research})
      for (const Action action : {Action::Use(effect), Action::Copy(effect)})
        swaps |= uint64_t{1} << action.code;
    const std::array<uint64_t, 4> words = keys.Bits();
    return {words[0] & ~swaps, words[1]};
  }

  // The keys that name none of these Domains, if there are any.
  static ActionSet Without(const ActionSet& keys, Domains domains) {
    const auto others = static_cast<uint16_t>(keys.Named() & ~unsigned{domains});
    return others == 0 ? keys : ActionSet(keys[0].verb(), others);
  }

  // The Domain of all cards that could be played for those taken, if it is one.
  Domains OnlyToPlay(const State& state) const {
    const Cards cards = Playable(state);
    Domains domains = 0;
    for (int d = 0; d < kDomains; ++d)
      if (!cards.Of(static_cast<Domain>(d)).Empty()) domains |= Bit(static_cast<Domain>(d));
    domains &= static_cast<Domains>(~Taken());
    return std::has_single_bit(domains) ? domains : Domains{0};
  }

  // The Domains of which the effect under way has taken cards, on the path from the root or before.
  Domains Taken() const {
    Domains taken = 0;
    for (size_t i = path_.size(); i-- > 0;) {
      if (i == 0) return taken | taken_;
      const Action key = nodes_[path_[i]].key;
      if (!key.NamesCard()) break;
      if (key.verb() == Verb::Take) taken |= Bit(key.domain());
    }
    return taken;
  }

  // The child to go on with by PUCT; 0 if there is none and no room for one. The parent's visits in
  // it are those in which the child was available; a child without visits is worth its parent less
  // `first_play` (first-play urgency).
  uint32_t Select(uint32_t parent, const State& state, const ActionSet& legal, const Net& net) {
    const ActionSet keys = KeysOf(state, legal);
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
      if (!keys.Contains(node.key) || !MayChoose(parent, node.key)) continue;
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
      nodes_.push_back({.available = 1,
                        .sibling = nodes_[parent].child,
                        .prior = parent == 0 ? Stirred(prior, keys.Size()) : prior,
                        .key = key});
      nodes_[parent].child = static_cast<uint32_t>(nodes_.size() - 1);
    });
  }

  // Exponential numbers with a mean of 1/keys: about Dirichlet noise with 1.
  float Stirred(float prior, int keys) {
    if (options_.noise == 0) return prior;
    const float uniform = (static_cast<float>(chance_.Next() >> 8) + 0.5f) * 0x1p-24f;
    return (1 - options_.noise) * prior -
           options_.noise * NaturalLog(uniform) / static_cast<float>(keys);
  }

  MasterOptions options_;
  Random chance_{0};
  std::vector<Node> nodes_{1};  // the first is the root
  std::vector<uint32_t> path_;
  std::vector<Action> only_;
  Domains taken_ = 0;
  Restraint restraint_;
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
    Prepare(view, state, limits);
    const std::optional<Action> win = certainty_.Win(state, legal, taken_, restraint());
    std::vector<Action> only =
        win ? std::vector{KeyOf(*win)} : certainty_.Stops(view, state, legal, restraint());
    if (only.empty() && !restraint().only.Empty())
      for (const Action key : keys) only.push_back(key);
    const bool open = only.empty() ? keys.Size() > 1 : only.size() > 1;
    for (Tree& tree : trees_) tree.Restrict(only, taken_, restraint());
    if (options_.noise > 0)
      for (size_t i = 0; i < trees_.size(); ++i) trees_[i].Stir(seed + i);
    thought.iterations = Search(sampler, random, open ? limits : ForOneKey(limits));
    Collect(legal, thought);
    if (win) thought.judgements = {{*win, 1, SureOf(state.config, state.seat)}};
    if (!only.empty() && thought.judgements.empty()) thought.best = Oldest(legal, only[0]);
    thought.SortAndChoose();
    Remember(view, state, thought.best);
    return thought;
  }

  // Where all actions are twins there is nothing to find out but the chance of winning.
  static Limits ForOneKey(Limits limits) {
    constexpr int64_t kEnough = 200;
    limits.iterations = limits.iterations == 0 ? kEnough : std::min(limits.iterations, kEnough);
    return limits;
  }

  // Keeps what was thought about this position earlier in the turn.
  void Prepare(const View& view, const State& state, const Limits& limits) {
    const auto threads = static_cast<size_t>(std::max(1, limits.threads));
    const bool foreseen =
        expected_ == Fingerprint(view, state) && expected_spared_ == restraint().spared;
    if (!foreseen) taken_ = 0;
    while (trees_.size() < threads) trees_.emplace_back(options_);
    for (Tree& tree : trees_)
      if (!foreseen || !tree.Descend(done_)) tree.Clear();
    trees_.resize(threads, Tree(options_));
  }

  // Foresees the next decision: what is forced is done without asking.
  void Remember(View view, State& state, Action best) {
    const Seat seat = state.seat;
    done_.clear();
    expected_ = 0;
    // What is drawn or taken unseen is different in every sample.
    if (IsUnseen(best)) return;
    do {
      done_.push_back(KeyOf(best));
      if (!best.NamesCard())
        taken_ = 0;
      else if (best.verb() == Verb::Take)
        taken_ |= Bit(DomainOf(best.kind()));
      // Who gives a card knows it.
      if (best.NamesCard() && best.verb() == Verb::Give) {
        Holding& given = view.hands[state.choice.target];
        given.cards += Cards(best.kind());
        ++given.backs[static_cast<size_t>(AgeOf(best.kind())) - 1];
      }
      Apply(state, best);
      if (state.step == Step::Over || state.seat != seat) return;
      best = Legal(state)[0];
    } while (Legal(state).Size() == 1);
    expected_ = Fingerprint(view, state);
    expected_spared_ = restraint().spared;
  }

  // A number for what the seat sees: the rest of its turn, in which game, and what it knows of the
  // other hands.
  static uint64_t Fingerprint(const View& view, const State& state) {
    Hash hash;
    hash.Add(HashOf(state));
    const Config& config = view.config;
    hash.Add(uint64_t{config.players} | uint64_t{static_cast<uint8_t>(config.setup)} << 8 |
             uint64_t{static_cast<uint8_t>(config.edition)} << 16 | uint64_t{config.teams} << 24 |
             uint64_t{config.first} << 32 | uint64_t{view.viewer} << 40 |
             uint64_t{view.turn} << 48);
    for (Seat other = 0; other < config.players; ++other) {
      if (other == view.viewer) continue;
      hash.Add(std::bit_cast<uint64_t>(view.hands[other].cards));
      for (const uint8_t backs : view.hands[other].backs) hash.Add(backs);
    }
    return hash.value();
  }

  int64_t Search(const Sampler& sampler, Random& random, const Limits& limits) {
    const Net& net = options_.net != nullptr ? *options_.net : NetFor(sampler.view().config);
    std::vector<Random> randoms;
    for (size_t i = 0; i < trees_.size(); ++i)
      randoms.emplace_back(uint64_t{random.Next()} << 32 | random.Next());
    std::vector<int64_t> done(trees_.size());
    Limits each = limits;
    const int64_t most =
        sampler.view().config.players == 2 ? options_.most.two : options_.most.more;
    if (most > 0 && (each.iterations == 0 || each.iterations > most)) each.iterations = most;
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
  }

  static Chances SureOf(const Config& config, Seat seat) {
    Chances chances{};
    chances[seat] = 1;
    if (config.teams) chances[seat ^ 2u] = 1;
    return chances;
  }

  const MasterOptions options_;
  Certainty certainty_;
  std::vector<Tree> trees_;   // one for each thread
  std::vector<Action> done_;  // what was chosen last, and what was forced after it, by key
  uint64_t expected_ = 0;     // the position after it, if it was certain
  decltype(Restraint::spared) expected_spared_{};
  Domains taken_ = 0;  // from the table by the effect under way
};

}  // namespace

std::unique_ptr<Bot> MakeMaster(const MasterOptions& options) {
  return std::make_unique<Master>(options);
}

}  // namespace civ
