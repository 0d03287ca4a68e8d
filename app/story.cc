#include "app/story.h"

#include <algorithm>
#include <bit>

#include "notation/notation.h"

namespace civ {
namespace {

using Arguments = Phrases::Arguments;

const char* YesNo(bool yes) { return yes ? "yes" : "no"; }

// Actions being told as one. Sentences are about the seat that acts unless they say otherwise.
class Teller {
 public:
  Teller(const Phrases& say, const State& before, std::span<const Action> actions, const State& after, const Listener& to)
      : say_(say), before_(before), after_(after), actions_(actions), action_(actions.front()), seat_(before.seat), to_(to) {}

  std::vector<std::string> Run() {
    if (action_.NamesCard())
      TellNamed();
    else
      TellEffect();
    TellWhatFollows();
    return std::move(lines_);
  }

 private:
  void Add(std::string_view key, const Arguments& arguments) { lines_.push_back(say_(key, arguments)); }

  void Say(std::string_view key, Arguments arguments = {}) { SayOf(seat_, key, std::move(arguments)); }

  void SayOf(Seat seat, std::string_view key, Arguments arguments) {
    arguments.emplace_back("you", YesNo(to_.Is(seat)));
    arguments.emplace_back("name", say_.Name(seat));
    Add(key, arguments);
  }

  // "at you" or at somebody by name.
  Arguments At(Seat target, Arguments arguments = {}) const {
    arguments.emplace_back("atyou", YesNo(to_.Is(target)));
    arguments.emplace_back("target", say_.Name(target));
    return arguments;
  }

  // A card that enters or leaves a play area, and the column as it is then.
  void SayColumn(Seat seat, std::string_view key, Kind kind) {
    const Domain domain = DomainOf(kind);
    SayOf(seat, key, {{"card", say_.Of(kind)}, {"count", after_.Count(seat, domain)}, {"need", HegemonyNeed(after_, seat, domain)}});
  }

  Cards Named() const {
    Cards cards;
    for (const Action action : actions_) cards += Cards(action.kind());
    return cards;
  }

  void TellNamed() {
    if (action_ == kSkip) return Say("story.skip");
    switch (action_.verb()) {
      case Verb::Play: return SayColumn(seat_, "story.play", action_.kind());
      case Verb::Discard: return Say("story.discard", {{"cards", say_.Of(Named())}});
      case Verb::Recover: return Say("story.recover", {{"cards", say_.Of(Named())}});
      case Verb::Take: SayColumn(seat_, "story.take", action_.kind()); return TellNothingThen();
      case Verb::Remove: SayColumn(seat_, "story.remove", before_.tables[seat_].Of(action_.domain()).First()); return TellNothingThen();
      case Verb::Give: return TellGift();
      case Verb::Keep: return TellKept();
      case Verb::Claim: return SayColumn(seat_, "story.claim", Cards(before_.centre).Of(action_.domain()).First());
    }
  }

  // "Then play" with no card that may be played (ruling 1).
  void TellNothingThen() {
    if (after_.step == Step::Effects) Say("story.nothing-then");
  }

  void TellGift() {
    const Seat target = before_.choice.target;
    Say("story.give", At(target, {{"cards", say_.Held(Named(), to_.Sees(seat_) || to_.Sees(target))}}));
  }

  void TellKept() {
    Say("story.keep", {{"cards", say_.Held(Cards(action_.kind()), to_.Sees(seat_))}});
    if (after_.seat != after_.config.first && after_.step == Step::Draft) return;
    if (after_.step == Step::Draft) Add("story.pass", {});
    if (after_.step == Step::Claim) Add("story.centre", {{"cards", say_.Of(Cards(after_.centre))}});
  }

  void TellEffect() {
    if (action_ == kEnd) return TellEnd();
    const Effect effect = action_.effect();
    if (IsPermanent(effect)) return TellPermanent(effect);
    switch (effect) {
      case Effect::Attack: return TellAttack();
      case Effect::Inquisition: return TellInquisition();
      case Effect::Embargo: return Say("story.embargo", At(action_.seat(), {{"domain", say_.Of(action_.domain())}}));
      case Effect::Breakthrough: return TellBreakthrough();
      default: return TellDemocracy();
    }
  }

  void TellPermanent(Effect effect) {
    if (action_.IsCopy())
      Say("story.copy", At(after_.coin.seat, {{"effect", say_.Of(effect)}, {"domain", say_.Of(DomainOf(effect))}}));
    else
      Say("story.use", {{"effect", say_.Of(effect)}});
    if (DomainOf(effect) == Domain::Religion) Add("story.hand-size", {{"size", after_.hand_size}});
  }

  // The card that a discard effect costs, the oldest of its Domain (ruling 2).
  Kind Cost() const { return before_.tables[seat_].Of(CostOf(action_.effect())).First(); }

  void TellAttack() {
    Say("story.attack", {{"domain", say_.Of(action_.domain())}, {"card", say_.Of(Cost())}});
    for (Seat seat = 0; seat < before_.config.players; ++seat) {
      Cards lost = before_.tables[seat] - after_.tables[seat];
      if (seat == seat_) lost -= Cards(Cost());
      if (!lost.Empty()) SayColumn(seat, "story.remove", lost.First());
    }
  }

  void TellInquisition() {
    const Seat target = action_.seat();
    const Cards taken = before_.hands[target];
    const bool seen = to_.Sees(seat_) || to_.Sees(target);
    Say("story.inquisition", At(target, {{"card", say_.Of(Cost())}, {"count", taken.Count()}, {"cards", say_.Held(taken, seen)}}));
  }

  void TellDemocracy() {
    const Seat target = action_.seat();
    const Domain domain = action_.domain();
    Say("story.democracy", At(target, {{"domain", say_.Of(domain)}, {"need", HegemonyNeed(after_, target, domain)}}));
  }

  Cards Drawn() const {
    Cards drawn;
    for (int i = after_.deck_size; i < before_.deck_size; ++i) drawn += Cards(before_.DeckCard(i));
    return drawn;
  }

  void TellBreakthrough() {
    const Cards drawn = Drawn();
    Say("story.breakthrough", {{"card", say_.Of(Cost())}, {"count", drawn.Count()}, {"cards", say_.Held(drawn, to_.Sees(seat_))}});
  }

  void TellEnd() {
    const Cards drawn = Drawn();
    Say("story.end", {{"count", drawn.Count()}, {"cards", say_.Held(drawn, to_.Sees(seat_))}});
    for (int i = 0; i < before_.embargo_count; ++i)
      if (const Embargo& embargo = before_.embargoes[static_cast<size_t>(i)]; embargo.seat == seat_)
        Say("story.embargo-over", {{"domain", say_.Of(static_cast<Domain>(embargo.domain))}});
  }

  static int AgeOnTop(const State& state) { return state.deck_size > 0 ? static_cast<int>(AgeOf(state.DeckCard(state.deck_size - 1))) : 0; }

  // What comes by itself, whatever the action was.
  void TellWhatFollows() {
    if (before_.coin.owner != kNone && after_.coin.owner == kNone) Add("story.coin-back", {});
    if (const int age = AgeOnTop(after_); age != 0 && age != AgeOnTop(before_)) Add("story.age", {{"age", std::string(Roman(age))}});
    if (before_.closing == kNone && after_.closing != kNone) SayOf(after_.closing, "story.closing", {});
  }

  const Phrases& say_;
  const State& before_;
  const State& after_;
  const std::span<const Action> actions_;
  const Action action_;  // the first of them
  const Seat seat_;
  const Listener to_;
  std::vector<std::string> lines_;
};

// --- Choices ----------------------------------------------------------------------------------------------------

std::string OfferPlay(const Phrases& say, const View& view, Kind kind) {
  const Domain domain = DomainOf(kind);
  const std::vector<std::string> column = say.Column(view, view.seat, domain, view.Count(view.seat, domain) + 1);
  return say("offer.play", {{"card", say.Of(kind)}, {"column", Join(column, ", ")}});
}

// A card of the play area that would leave it.
std::string OfferLess(const Phrases& say, const View& view, std::string_view key, Kind kind) {
  const Domain domain = DomainOf(kind);
  const std::vector<std::string> column = say.Column(view, view.seat, domain, view.Count(view.seat, domain) - 1);
  return say(key, {{"card", say.Of(kind)}, {"column", Join(column, ", ")}});
}

std::string OfferNamed(const Phrases& say, const View& view, Action action) {
  if (action == kSkip) return say("offer.skip");
  switch (action.verb()) {
    case Verb::Play: return OfferPlay(say, view, action.kind());
    case Verb::Take: return OfferLess(say, view, "offer.take", action.kind());
    case Verb::Remove: return OfferLess(say, view, "offer.remove", view.tables[view.seat].Of(action.domain()).First());
    case Verb::Claim: return say.Of(Cards(view.centre).Of(action.domain()).First());
    default: return say.Of(action.kind());
  }
}

// The seats other than the deciding one that would lose a card of the Domain to an attack.
unsigned Hit(const View& view, Domain domain) {
  unsigned seats = 0;
  for (Seat seat = 0; seat < view.config.players; ++seat)
    if (seat != view.seat && view.Count(seat, domain) > 0) seats |= 1u << seat;
  return seats;
}

std::string OfferAttack(const Phrases& say, const View& view, Domain domain) {
  const unsigned seats = Hit(view, domain);
  return say("offer.attack", {{"domain", say.Of(domain)}, {"count", std::popcount(seats)}, {"names", say.Names(seats)}});
}

std::string OfferEnd(const Phrases& say, const View& view) {
  if (const uint8_t domain = HegemonyOf(view, view.seat); domain != kNone)
    return say("offer.end-hegemony", {{"domain", say.Of(static_cast<Domain>(domain))}});
  const int wanted = view.hand_size - view.hands[view.seat].Count();
  return say("offer.end", {{"count", std::clamp(wanted, 0, int{view.deck_size})}});
}

// Whose effect Inspiration would copy: the coin goes to the nearest clockwise.
Seat Copied(const View& view, Effect effect) {
  const Mark level = LevelOf(effect) == 1 ? Mark::Level1 : Mark::Level2;
  Seat seat = view.Next(view.seat);
  while ((view.At(level, seat) & Bit(DomainOf(effect))) == 0) seat = view.Next(seat);
  return seat;
}

}  // namespace

std::string Heading(const Phrases& say, const Public& table, const Listener& to) {
  if (table.turn == 0) return say("story.draft");
  const int round = (table.turn - 1) / table.config.players + 1;
  const Seat seat = TurnOf(table);
  return say("story.turn", {{"turn", table.turn}, {"round", round}, {"you", YesNo(to.Is(seat))}, {"name", say.Name(seat)}});
}

bool GoesOn(const State& state) {
  const Verb verb = state.choice.verb;
  return state.step == Step::Choose && state.choice.from != kNone && (verb == Verb::Discard || verb == Verb::Recover || verb == Verb::Give);
}

size_t TogetherFrom(const Course& course, size_t i) {
  size_t count = 1;
  while (i + count < course.actions.size() && GoesOn(course.states[i + count])) ++count;
  return count;
}

std::vector<std::string> Tell(const Phrases& say, const Course& course, size_t begin, size_t end, const Listener& to) {
  return Teller(say, course.states[begin], course.actions.subspan(begin, end - begin), course.states[end], to).Run();
}

std::string Offer(const Phrases& say, const View& view, Action action) {
  if (action.NamesCard()) return OfferNamed(say, view, action);
  if (action == kEnd) return OfferEnd(say, view);
  const Effect effect = action.effect();
  if (action.IsCopy()) return say("offer.copy", {{"effect", say.Of(effect)}, {"name", say.Name(Copied(view, effect))}, {"does", say.Does(effect)}});
  if (IsPermanent(effect)) return say("offer.use", {{"effect", say.Of(effect)}, {"does", say.Does(effect)}});
  const Seat seat = action.seat();
  const Domain domain = action.domain();
  switch (effect) {
    case Effect::Attack: return OfferAttack(say, view, domain);
    case Effect::Inquisition: return say("offer.inquisition", {{"name", say.Name(seat)}, {"count", view.hands[seat].Count()}});
    case Effect::Breakthrough: return say("offer.breakthrough", {{"count", std::min<int>(5, view.deck_size)}});
    case Effect::Embargo: return say("offer.embargo", {{"name", say.Name(seat)}, {"domain", say.Of(domain)}});
    default: return say("offer.democracy", {{"name", say.Name(seat)}, {"domain", say.Of(domain)}, {"need", HegemonyNeed(view, seat, domain) + 1}});
  }
}

std::string Advice(const Phrases& say, const View& view, const Judgement& judgement, int64_t number) {
  const std::string choice = say("choice", {{"number", number}, {"action", NameOf(judgement.action)}, {"words", Offer(say, view, judgement.action)}});
  return say("hint.choice", {{"choice", choice}, {"chance", say.Percent(judgement.chances[view.seat])}});
}

}  // namespace civ
