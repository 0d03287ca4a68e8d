#include "civ/bots/gentle.h"

#include <algorithm>
#include <bit>

#include "civ/bots/aim.h"
#include "civ/bots/limits.h"
#include "civ/rules/sides.h"
#include "civ/view/sample.h"
#include "civ/view/turn.h"

namespace civ {
namespace {

constexpr float kWon = 1000;
constexpr float kUse = 0.1f;       // what an effect must gain,
constexpr float kGivenUp = 3;      // one that costs a card of the table,
constexpr float kBlind = 2;        // and one of which nobody knows what it brings
constexpr float kDrawn = 0.9f;     // a card to be drawn
constexpr float kHeldPart = 0.4f;  // of what a card in hand will add
constexpr int kWorlds = 4;         // what is drawn or taken from a hand is seen in this many ways

constexpr Domains kBlindly = Bit(Domain::Religion) | Bit(Domain::Science);

// What a column is worth by the number of cards that it lacks for Hegemony, to its owner and, if it
// is near, to those who watch it.
constexpr std::array<float, 10> kOwn = {100, 42, 22, 13, 8, 5, 3, 1.5f, 0, 0};
constexpr std::array<float, 10> kTheirs = {60, 30, 12, 4, 0, 0, 0, 0, 0, 0};

float By(const std::array<float, 10>& worths, int lack) {
  return worths[static_cast<size_t>(std::clamp<int>(lack, 0, worths.size() - 1))];
}

// Columns and hand: a card in hand is worth a part of what it adds when it is played.
float OwnWorth(const State& state, Seat seat) {
  float worth = 0;
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    const int lack = LackFor(state, seat, domain);
    const int held = state.hands[seat].Of(domain).Count();
    worth += By(kOwn, lack) + kHeldPart * (By(kOwn, lack - held) - By(kOwn, lack)) +
             0.3f * static_cast<float>(held);
  }
  const int drawn =
      std::min<int>(state.deck_size, std::max(0, state.hand_size - state.hands[seat].Count()));
  return worth + kDrawn * static_cast<float>(drawn);
}

// What the others are about to complete; an embargo holds it up for a turn.
float ThreatWorth(const State& state, Seat seat) {
  float worth = 0;
  for (Seat other = 0; other < state.config.players; ++other) {
    if (SideOf(state.config, other) == SideOf(state.config, seat)) continue;
    for (int d = 0; d < kDomains; ++d) {
      const auto domain = static_cast<Domain>(d);
      const int lack = LackFor(state, other, domain);
      const bool held_up = lack <= 1 && (state.Embargoed(other) & Bit(domain)) != 0;
      worth += held_up ? (By(kTheirs, lack) + By(kTheirs, lack + 1)) / 2 : By(kTheirs, lack);
    }
  }
  return worth;
}

// The lead in Domains, which counts when the deck runs out.
float LeadWorth(const State& state, Seat seat) {
  constexpr int kLate = 24;
  if (state.deck_size > kLate) return 0;
  const Outcome now = Majority(state);
  const int side = SideOf(state.config, seat);
  int others = 0;
  for (int s = 0; s < kMaxSeats; ++s)
    if (s != side) others = std::max<int>(others, now.points[static_cast<size_t>(s)]);
  const float ahead = static_cast<float>(now.points[static_cast<size_t>(side)] - others) +
                      ((now.winners >> seat & 1) != 0 ? 0.5f : 0);
  return ahead * (6 - 0.2f * static_cast<float>(state.deck_size));
}

// A long column is not taken apart.
bool TearsDown(const State& state, Action action) {
  constexpr int kLong = 4;
  if (action.verb() != Verb::Take && action.verb() != Verb::Remove) return false;
  const Domain domain = KeyOf(action).domain();
  return domain == BestColumn(state) && state.Count(state.seat, domain) >= kLong;
}

int EffectsUsed(const Public& table) {
  return std::popcount(table.permanent) + std::popcount(table.given_up);
}

// For a seat that is about to end its turn, or has drafted a card.
float WorthOf(const State& state, Seat seat, const GentleOptions& options) {
  const auto blind = static_cast<Domains>(state.given_up & kBlindly);
  const float price = kUse * static_cast<float>(EffectsUsed(state)) +
                      kGivenUp * static_cast<float>(std::popcount(state.given_up)) +
                      kBlind * static_cast<float>(std::popcount(blind));
  if (state.step == Step::Effects) {
    if (HegemonyOf(state, seat) != kNone) return kWon - price;
    State after = state;
    Apply(after, kEnd);
    if (after.step == Step::Over) return kWon * (Shares(after.config, Result(after))[seat] * 2 - 1);
  }
  const float own = OwnWorth(state, seat) - price;
  return options.watches ? own - ThreatWorth(state, seat) + LeadWorth(state, seat) : own;
}

class Gentle final : public Bot {
 public:
  explicit Gentle(const GentleOptions& options) : options_(options) {}

 private:
  Thought Consider(const View& view, const ActionSet& legal, const Limits& limits,
                   uint64_t seed) override {
    // What is not known stays the same through a turn, so that what was begun is finished.
    if (view.turn != turn_) seed_ = seed;
    turn_ = view.turn;
    used_ = view.step == Step::Effects ? EffectsUsed(view) : -1;
    Random random(seed_);
    Sampler sampler(view);
    Budget budget(limits, 1);
    Thought thought{legal[0], {}, 0};
    for (const Action key : Keys(legal)) thought.judgements.push_back({Oldest(legal, key), 0, {}});
    State state;
    while (thought.iterations < ((options_.given_up & kBlindly) != 0 ? kWorlds : 1) &&
           (thought.iterations == 0 || budget.Allows(thought.iterations)) &&
           sampler.Draw(state, random)) {
      const std::span<const float> worths = search_.Look(
          state, legal, [this](const State& end, Seat of) { return WorthOf(end, of, options_); },
          [this](const State& at, Action action) {
            const bool left_out = !ThinksOf(at, action) || restraint().Forbids(at, action);
            return left_out ? std::optional(TurnSearch::kWorst) : std::nullopt;
          });
      for (size_t i = 0; i < worths.size(); ++i) thought.judgements[i].weight += worths[i];
      ++thought.iterations;
    }
    AvoidTaken(view, thought);
    thought.SortAndChoose();
    if (thought.best.NamesCard() && thought.best.verb() == Verb::Take)
      taken_ |= Bit(DomainOf(thought.best.kind()));
    thought.judgements.clear();  // worths are not chances
    return thought;
  }

  // To play again what the same effect has just taken changes nothing.
  void AvoidTaken(const View& view, Thought& thought) {
    if (view.step != Step::Choose) taken_ = 0;
    for (Judgement& judgement : thought.judgements)
      if (judgement.action.NamesCard() && judgement.action.verb() == Verb::Play &&
          judgement.action != kSkip && (taken_ & Bit(DomainOf(judgement.action.kind()))) != 0)
        judgement.weight -= kWon * 2 * kWorlds;
  }

  bool ThinksOf(const State& state, Action action) const {
    if (action.NamesCard()) return !TearsDown(state, action);
    if (action == kEnd) return true;
    if (EffectsUsed(state) >= options_.effects) return false;
    // Nothing is planned for cards that will only be seen then, nor are they sought for nothing.
    if (IsUnseen(action) && (EffectsUsed(state) != used_ || !HasAim(state, state.seat)))
      return false;
    const Effect effect = action.effect();
    if (!IsPermanent(effect)) return (options_.given_up & Bit(CostOf(effect))) != 0;
    const auto needed =
        static_cast<Domains>(Bit(DomainOf(effect)) | (action.IsCopy() ? Bit(Domain::Culture) : 0));
    return (needed & ~options_.permanent) == 0;
  }

  const GentleOptions options_;
  TurnSearch search_{1 << 15};
  int turn_ = -1;
  Domains taken_ = 0;  // from the table by the effect under way
  int used_ = -1;      // effects before this decision, if it is about effects
  uint64_t seed_ = 0;
};

}  // namespace

std::unique_ptr<Bot> MakeGentle(const GentleOptions& options) {
  return std::make_unique<Gentle>(options);
}

}  // namespace civ
