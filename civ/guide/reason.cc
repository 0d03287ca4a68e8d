#include "civ/guide/reason.h"

#include <algorithm>
#include <bit>

#include "civ/guide/danger.h"
#include "civ/rules/sides.h"

namespace civ {
namespace {

constexpr size_t kMost = 2;  // reasons for one line

// Two tables at the end of the seat's turn, the better one first.
class Comparing {
 public:
  // `worse` is the table before where there is nothing else to compare with.
  Comparing(const View& before, const View& better, const View& worse)
      : seat_(before.seat), before_(before), better_(better), worse_(worse) {}

  Messages All() {
    if (Wins()) return std::move(reasons_);
    for (Seat other = before_.Next(seat_); other != seat_; other = before_.Next(other))
      if (SideOf(before_.config, other) != SideOf(before_.config, seat_)) Against(other);
    Levels();
    Points();
    Lead();
    Cards();
    if (!reasons_.empty() && IsFree()) Say("reason.free", {});
    return std::move(reasons_);
  }

 private:
  void Say(std::string_view key, Message::Arguments args) { reasons_.emplace_back(key, args); }

  bool Wins() {
    const bool either = &worse_ != &before_ &&
                        (HegemonyOf(worse_, seat_) != kNone || WinsByMajority(worse_, seat_));
    if (either) return false;
    if (const uint8_t domain = HegemonyOf(better_, seat_); domain != kNone)
      Say("reason.wins", {{"domain", static_cast<Domain>(domain)}});
    else if (WinsByMajority(better_, seat_))
      Say("reason.wins-majority", {});
    return !reasons_.empty();
  }

  void Against(Seat other) {
    const std::optional<Threat> was = ThreatOf(worse_, other);
    if (was) {
      const std::optional<Threat> is = ThreatOf(better_, other);
      // Where one is proven, others are not looked for.
      const Domains gone = !is ? was->domains : is->proven ? 0 : was->domains & ~is->domains;
      if (gone != 0) {
        Say("reason.stops", {{"name", Who{other}},
                             {"domains", DomainList{gone}},
                             {"how", TellWay(worse_, other, {gone, was->proven})}});
        return;
      }
    }
    const auto embargoed =
        static_cast<Domains>(better_.Embargoed(other) & ~worse_.Embargoed(other));
    if (const civ::Cards seen = before_.hands[other].cards.Of(embargoed); !seen.Empty())
      Say("reason.denies", {{"name", Who{other}}, {"cards", seen}});
  }

  void Levels() {
    for (const int level : {2, 1})
      for (int d = 0; d < kDomains; ++d) {
        const auto domain = static_cast<Domain>(d);
        if (domain == Domain::Culture || Level(better_, domain) != level ||
            Level(worse_, domain) >= level)
          continue;
        Say(Level(before_, domain) >= level ? "reason.keeps-level" : "reason.level",
            {{"domain", domain}, {"level", level}});
      }
  }
  int Level(const View& at, Domain domain) const {
    return LevelAt(at.config.players, at.Count(seat_, domain));
  }

  void Points() {
    Domains kept = 0, taken = 0;
    for (int d = 0; d < kDomains; ++d) {
      const auto domain = static_cast<Domain>(d);
      if (!Has(better_, domain) || Has(worse_, domain)) continue;
      (Has(before_, domain) ? kept : taken) |= Bit(domain);
    }
    if (kept != 0) Say("reason.keeps-point", {{"domains", DomainList{kept}}});
    if (taken != 0) Say("reason.takes-point", {{"domains", DomainList{taken}}});
  }
  bool Has(const View& at, Domain domain) const { return (MostOf(at, domain) >> seat_ & 1) != 0; }

  void Lead() {
    if (better_.culture_lead == seat_ && worse_.culture_lead != seat_)
      Say(before_.culture_lead == seat_ ? "reason.keeps-lead" : "reason.lead", {});
  }

  // How many are drawn, and how many lie in the play area.
  void Cards() {
    const int draws = Drawn(better_), fewer = Drawn(worse_);
    if (draws > fewer) Say("reason.draws", {{"count", draws}, {"fewer", fewer}});
    const int more = better_.tables[seat_].Count() - worse_.tables[seat_].Count();
    // A card has to be played in any case.
    if (more > 0 && worse_.step != Step::Play) Say("reason.more-cards", {{"count", more}});
  }
  // Nothing of one's own is spent that would otherwise be kept.
  bool IsFree() const {
    if (worse_.step == Step::Play) return false;
    for (int d = 0; d < kDomains; ++d)
      if (better_.Count(seat_, static_cast<Domain>(d)) <
          worse_.Count(seat_, static_cast<Domain>(d)))
        return false;
    return better_.hands[seat_].Count() >= worse_.hands[seat_].Count();
  }
  int Drawn(const View& at) const { return CardsToDraw(at, at.hands[seat_].Count()); }

  const Seat seat_;
  const View &before_, &better_, &worse_;
  Messages reasons_;
};

// An action after which nobody knows what comes.
Messages Unseen(const View& at, Action action) {
  if (action == kBreakthrough && at.deck_size > 0)
    return {{"reason.breakthrough", {{"count", std::min<int>(5, at.deck_size)}}}};
  if (action == kBreakthrough || action.NamesCard() || action.effect() != Effect::Inquisition)
    return {};
  const int count = at.hands[action.seat()].Count();
  if (count == 0) return {};
  return {{"reason.inquisition", {{"name", Who{action.seat()}}, {"count", count}}}};
}

}  // namespace

State Planned(const View& view) {
  State state{};
  static_cast<Public&>(state) = view;
  state.hands[view.seat] = view.hands[view.seat].cards;
  state.packs[view.seat] = view.packs[view.seat].cards;
  return state;
}

View BeforeLast(const View& view, std::span<const Action> line) {
  State state = Planned(view);
  for (size_t i = 0; i + 1 < line.size(); ++i) Apply(state, line[i]);
  return Seen(view, state);
}

View Seen(const View& view, const State& state) {
  const Seat seat = view.seat;
  View after = view;
  static_cast<Public&>(after) = state;
  after.hands[seat].cards = state.hands[seat];
  for (size_t age = 0; age < kAges; ++age)
    after.hands[seat].backs[age] =
        static_cast<uint8_t>(state.hands[seat].Of(static_cast<Age>(age + 1)).Count());
  return after;
}

bool WinsByMajority(const View& at, Seat seat) {
  return ClosingAfterTurn(at, at.hands[seat].Count()) == seat &&
         Majority(at).winners == SeatsOf(at.config, 1u << SideOf(at.config, seat));
}

Messages ReasonsFor(const View& view, std::span<const Action> better,
                    std::span<const Action> worse) {
  const View after = BeforeLast(view, better);
  if (better.back() != kEnd) {
    if (!worse.empty() && better.back() == worse.back()) return {};
    return Unseen(after, better.back());
  }
  const bool ends = !worse.empty() && worse.back() == kEnd;
  Messages reasons = ends ? Comparing(view, after, BeforeLast(view, worse)).All()
                          : Comparing(view, after, view).All();
  if (reasons.size() > kMost) reasons.erase(reasons.begin() + kMost, reasons.end());
  return reasons;
}

}  // namespace civ
