#include "civ/guide/guide.h"

#include <algorithm>

#include "civ/guide/danger.h"
#include "civ/guide/ending.h"
#include "civ/guide/offer.h"
#include "civ/guide/story.h"
#include "civ/notation/notation.h"
#include "civ/rules/sides.h"
#include "civ/rules/why.h"

namespace civ {
namespace {

bool Decides(const View& view) { return view.viewer == view.seat && view.step != Step::Over; }

// The most Culture cards of a seat other than this one, and the first seat that has them.
struct Lead {
  Seat seat = kNone;
  int count = 0;
};
Lead LeadOfOthers(const View& view, Seat of) {
  Lead lead;
  for (Seat seat = 0; seat < view.config.players; ++seat)
    if (const int count = view.Count(seat, Domain::Culture);
        seat != of && (lead.seat == kNone || count > lead.count))
      lead = {seat, count};
  return lead;
}

// --- Effects -------------------------------------------------------------------------------------

class EffectNotes {
 public:
  EffectNotes(const View& view, Seat seat)
      : view_(view), seat_(seat), state_(InStepTwo(view, seat)), legal_(Legal(state_)) {}

  Guide::EffectNote On(Effect effect) const {
    if (effect == Effect::Inquisition)
      return Note(effect, Action::Inquisition(Other()), Uses(effect));
    if (effect == Effect::Attack)
      return Note(effect, Action::Attack(Domain::Military), Uses(effect));
    if (effect == Effect::Embargo)
      return Note(effect, Action::Embargo(Other(), Domain::Military), Uses(effect));
    if (effect == Effect::Democracy)
      return Note(effect, Action::Democracy(Other(), Domain::Military), Uses(effect));
    return Note(effect, Action::Use(effect), legal_.Contains(Action::Use(effect)));
  }

  Guide::EffectNote OnInspiration() const {
    constexpr std::string_view kName = "inspiration";
    for (const Action action : legal_)
      if (action.IsCopy()) return {kName, Usable(), {}};
    bool anything = false;
    for (const Effect effect : kAllEffects) {
      if (!IsPermanent(effect)) continue;
      const Reason reason = WhyNot(state_, Action::Copy(effect));
      anything |= reason.why != Why::NobodyHasIt;
      // Those that are about Inspiration itself, or about what the copied effect asks for.
      if (reason.why != Why::NobodyHasIt && reason.why != Why::OwnsIt && reason.why != Why::Used)
        return {kName, UseOf(reason.why), Short(reason)};
    }
    return {kName, Use::Blocked,
            Message{anything ? "short.nothing-new" : "short.nobody-has-it", {}}};
  }

 private:
  Seat Other() const { return state_.Next(state_.seat); }
  Use Usable() const {
    return view_.seat == seat_ && view_.step == Step::Effects ? Use::Ready : Use::Waiting;
  }

  bool Uses(Effect effect) const {
    for (const Action action : legal_)
      if (action.code >= 0x20 && action != kEnd && action.effect() == effect) return true;
    return false;
  }

  // `example` is one use of the effect: why it is not possible is why none is.
  Guide::EffectNote Note(Effect effect, Action example, bool possible) const {
    if (possible) return {NameOf(effect), Usable(), {}};
    const Reason reason = WhyNot(state_, example);
    return {NameOf(effect), UseOf(reason.why), Short(reason)};
  }

  static Use UseOf(Why why) {
    switch (why) {
      case Why::Used:
      case Why::CopyUsed: return Use::Used;
      case Why::NeedsCards:
      case Why::NoCardToGiveUp:
      case Why::NoCultureLead: return Use::NotYet;
      default: return Use::Blocked;
    }
  }

  // A few words for a button.
  Message Short(const Reason& reason) const {
    const Lead lead = LeadOfOthers(view_, seat_);
    switch (reason.why) {
      case Why::NeedsCards:
        return {"short.needs-cards", {{"number", reason.number}, {"domain", reason.domain}}};
      case Why::NoCardToGiveUp: return {"short.no-card", {{"domain", reason.domain}}};
      case Why::NoCultureLead:
        return {"short.no-culture-lead",
                {{"name", Who{lead.seat}}, {"count", lead.count}, {"domain", Domain::Culture}}};
      case Why::HandTooSmall: return {"short.hand-too-small", {{"number", reason.number}}};
      case Why::TableTooSmall: return {"short.table-too-small", {{"number", reason.number}}};
      case Why::DiscardTooSmall: return {"short.discard-too-small", {{"number", reason.number}}};
      case Why::NothingToAttack: return {"short.nothing-to-attack", {}};
      case Why::NothingThere: return {"short.nothing-there", {}};
      default: return {"short.used", {}};
    }
  }

  const View& view_;
  const Seat seat_;
  const State state_;
  const ActionSet legal_;
};

std::vector<Guide::EffectNote> NotesOnEffects(const View& view, Seat seat) {
  std::vector<Guide::EffectNote> notes;
  if (seat == kSpectator || view.step == Step::Over) {
    for (const Effect effect : kAllEffects) notes.push_back({NameOf(effect), Use::Blocked, {}});
    notes.push_back({"inspiration", Use::Blocked, {}});
    return notes;
  }
  const EffectNotes made(view, seat);
  for (const Effect effect : kAllEffects) notes.push_back(made.On(effect));
  notes.push_back(made.OnInspiration());
  return notes;
}

// --- Cards ---------------------------------------------------------------------------------------

std::vector<std::pair<Kind, Message>> Unplayable(const View& view) {
  std::vector<std::pair<Kind, Message>> cards;
  if (view.viewer == kSpectator || view.step == Step::Over) return cards;
  for (int k = 0; k < kKinds; ++k) {
    const auto kind = static_cast<Kind>(k);
    unsigned by = 0;
    for (const Embargo& embargo : std::span(view.embargoes).first(view.embargo_count))
      if (embargo.seat == view.viewer && embargo.domain == static_cast<int>(DomainOf(kind)))
        by |= 1u << embargo.by;
    if (by != 0 && view.hands[view.viewer].cards[kind] > 0)
      cards.push_back({kind, {"short.embargoed", {{"names", Group{by}}}}});
  }
  return cards;
}

// Where the cards that are asked for come from.
Cards SourceOf(const View& view) {
  const Seat seat = view.viewer;
  switch (view.choice.verb) {
    case Verb::Remove:
    case Verb::Take: return view.tables[seat];
    case Verb::Recover: return view.discard;
    case Verb::Play:
      return view.hands[seat].cards.Of(static_cast<Domains>(kAllDomains & ~view.Embargoed(seat)));
    default: return view.hands[seat].cards;
  }
}

std::optional<Guide::Choose> ToChoose(const View& view) {
  if (!Decides(view) || view.step != Step::Choose) return std::nullopt;
  const Cards source = SourceOf(view);
  const int from = view.choice.from == kNone ? 0 : view.choice.from;
  Guide::Choose choose{view.choice.left, {}};
  if (view.choice.verb == Verb::Remove) {
    for (int d = from; d < kDomains; ++d)
      choose.cards.insert(choose.cards.end(),
                          static_cast<size_t>(source.Of(static_cast<Domain>(d)).Count()),
                          NameOf(static_cast<Domain>(d)));
  } else {
    for (int k = from; k < kKinds; ++k)
      choose.cards.insert(choose.cards.end(), static_cast<size_t>(source[static_cast<Kind>(k)]),
                          NameOf(static_cast<Kind>(k)));
  }
  return choose;
}

void AddDecision(const View& view, Guide& guide) {
  if (!Decides(view)) return;
  guide.legal = InOrder(Legal(view));
  guide.ask = Ask(view);
  guide.choose = ToChoose(view);
  guide.wins = view.step == Step::Effects && HegemonyOf(view, view.seat) != kNone;
  for (const Action action : guide.legal) {
    guide.offers.push_back(Offer(view, action));
    if (Reveals(view, action)) guide.reveals.push_back(action);
  }
}

Guide::Turns TurnsLeft(const View& view) {
  Guide::Turns turns{};
  if (view.turn == 0 || view.step == Step::Over) return turns;
  std::array<int, kMaxSeats> held{};
  for (Seat seat = 0; seat < view.config.players; ++seat) held[seat] = view.hands[seat].Count();
  if (view.step == Step::Choose && view.choice.verb == Verb::Give)
    held[view.choice.target] += view.choice.left;
  Seat closing = view.closing;
  int deck = view.deck_size;
  for (Seat seat = TurnOf(view);; seat = view.Next(seat)) {
    // In each turn a card is played, and the hand is filled up again.
    const bool now = turns.all == 0;
    const int rest = now ? HeldAtEnd(view, held[seat]) : std::max(held[seat] - 1, 0);
    const int size = now ? int{view.hand_size} : kUsualHand;
    const int drawn = std::clamp(size - rest, 0, deck);
    held[seat] = drawn > 0 ? size : rest;
    deck -= drawn;
    ++turns.all;
    turns.own += seat == view.viewer;
    if (drawn > 0 && deck == 0) closing = ClosingAfterLastCard(view, seat);
    if (seat == closing) return turns;
  }
}

void AddTable(const View& view, Guide& guide) {
  const uint8_t players = view.config.players;
  guide.levels = {Threshold(players, Mark::Level1), Threshold(players, Mark::Level2)};
  guide.culture_lead = LeadOfOthers(view, view.viewer).count + 1;
  guide.hegemony = Threshold(players, Mark::Hegemony);
  for (Seat seat = 0; seat < players; ++seat)
    for (int d = 0; d < kDomains; ++d) {
      const auto domain = static_cast<Domain>(d);
      const int count = view.Count(seat, domain);
      const int level = domain == Domain::Culture ? 0 : LevelAt(players, count);
      guide.columns[seat][static_cast<size_t>(d)] = {count, HegemonyNeed(view, seat, domain),
                                                     level};
    }
  if (view.turn > 0) guide.turn_of = TurnOf(view);
  guide.round = RoundOf(view);
  guide.last_turn = view.turn > 0 && view.step != Step::Over &&
                    ClosingAfterTurn(view, view.hands[view.seat].Count()) == view.seat;
  guide.draw = view.step == Step::Over ? 0 : CardsToDraw(view);
  guide.turns = TurnsLeft(view);
}

void AddMajority(const View& view, Guide& guide) {
  for (int d = 0; d < kDomains; ++d)
    guide.most[static_cast<size_t>(d)] = MostOf(view, static_cast<Domain>(d));
  guide.majority = Majority(view);
  guide.told = TellMajority(view);
  if (view.step == Step::Over)
    guide.ending = TellResult(view);
  else
    guide.told.push_back(TellLeader(view));
}

}  // namespace

Guide MakeGuide(const View& view) {
  Guide guide;
  AddTable(view, guide);
  AddDecision(view, guide);
  AddMajority(view, guide);
  guide.effects = NotesOnEffects(view, view.viewer);
  guide.unplayable = Unplayable(view);
  for (Seat seat = 0; seat < view.config.players; ++seat) {
    guide.effects_of[seat] = NotesOnEffects(view, seat);
    guide.threats[seat] = DangerOf(view, seat);
  }
  return guide;
}

}  // namespace civ
