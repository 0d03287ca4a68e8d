#include "civ/guide/story.h"

#include <string_view>

#include "civ/notation/notation.h"

namespace civ {
namespace {

using Arguments = Message::Arguments;

// Cards for eyes that may see them, or else their backs.
Value Held(Cards cards, bool seen) {
  if (seen) return cards;
  Backs backs;
  for (const Age age : {Age::I, Age::II, Age::III})
    backs.count[static_cast<size_t>(age) - 1] = static_cast<uint8_t>(cards.Of(age).Count());
  return backs;
}

// Actions being told as one. Sentences are about the seat that acts unless they say otherwise.
class Teller {
 public:
  Teller(const State& before, std::span<const Action> actions, const State& after,
         const Listener& to)
      : before_(before),
        after_(after),
        actions_(actions),
        action_(actions.front()),
        seat_(before.seat),
        to_(to) {}

  Messages Run() {
    if (action_.NamesCard())
      TellNamed();
    else
      TellEffect();
    TellWhatFollows();
    return std::move(lines_);
  }

 private:
  Message& Add(std::string_view key, Arguments arguments) {
    return lines_.emplace_back(key, arguments);
  }

  void Say(std::string_view key, Arguments arguments = {}) { SayOf(seat_, key, arguments); }

  Message& SayOf(Seat seat, std::string_view key, Arguments arguments) {
    return Add(key, arguments).Add("you", YesNo(to_.Is(seat))).Add("name", Who{seat});
  }

  // "at you" or at somebody by name.
  void SayAt(Seat target, std::string_view key, Arguments arguments) {
    SayOf(seat_, key, arguments).Add("atyou", YesNo(to_.Is(target))).Add("target", Who{target});
  }

  // A card that enters or leaves a play area, and the column as it is then.
  void SayColumn(Seat seat, std::string_view key, Kind kind) {
    const Domain domain = DomainOf(kind);
    SayOf(seat, key,
          {{"card", kind},
           {"count", after_.Count(seat, domain)},
           {"need", HegemonyNeed(after_, seat, domain)}});
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
      case Verb::Discard: return Say("story.discard", {{"cards", Named()}});
      case Verb::Recover: return Say("story.recover", {{"cards", Named()}});
      case Verb::Take: SayColumn(seat_, "story.take", action_.kind()); return TellNothingThen();
      case Verb::Remove:
        SayColumn(seat_, "story.remove", before_.tables[seat_].Of(action_.domain()).First());
        return TellNothingThen();
      case Verb::Give: return TellGift();
      case Verb::Keep: return TellKept();
      case Verb::Claim:
        return SayColumn(seat_, "story.claim", Cards(before_.centre).Of(action_.domain()).First());
    }
  }

  // "Then play" with no card that may be played (ruling 1).
  void TellNothingThen() {
    if (after_.step == Step::Effects) Say("story.nothing-then");
  }

  void TellGift() {
    const Seat target = before_.choice.target;
    SayAt(target, "story.give", {{"cards", Held(Named(), to_.Sees(seat_) || to_.Sees(target))}});
  }

  void TellKept() {
    Say("story.keep", {{"cards", Held(Cards(action_.kind()), to_.Sees(seat_))}});
    if (after_.seat != after_.config.first && after_.step == Step::Draft) return;
    if (after_.step == Step::Draft) Add("story.pass", {});
    if (after_.step == Step::Claim) Add("story.centre", {{"cards", Cards(after_.centre)}});
  }

  void TellEffect() {
    if (action_ == kEnd) return TellEnd();
    const Effect effect = action_.effect();
    if (IsPermanent(effect)) return TellPermanent(effect);
    switch (effect) {
      case Effect::Attack: return TellAttack();
      case Effect::Inquisition: return TellInquisition();
      case Effect::Embargo:
        return SayAt(action_.seat(), "story.embargo", {{"domain", action_.domain()}});
      case Effect::Breakthrough: return TellBreakthrough();
      default: return TellDemocracy();
    }
  }

  void TellPermanent(Effect effect) {
    if (action_.IsCopy())
      SayAt(after_.coin.seat, "story.copy", {{"effect", effect}, {"domain", DomainOf(effect)}});
    else
      Say("story.use", {{"effect", effect}});
    if (DomainOf(effect) == Domain::Religion) Add("story.hand-size", {{"size", after_.hand_size}});
  }

  // The card that a discard effect costs, the oldest of its Domain (ruling 2).
  Kind Cost() const { return before_.tables[seat_].Of(CostOf(action_.effect())).First(); }

  void TellAttack() {
    Say("story.attack", {{"domain", action_.domain()}, {"card", Cost()}});
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
    SayAt(target, "story.inquisition",
          {{"card", Cost()}, {"count", taken.Count()}, {"cards", Held(taken, seen)}});
  }

  void TellDemocracy() {
    const Seat target = action_.seat();
    const Domain domain = action_.domain();
    SayAt(target, "story.democracy",
          {{"domain", domain}, {"need", HegemonyNeed(after_, target, domain)}});
  }

  Cards Drawn() const {
    Cards drawn;
    for (int i = after_.deck_size; i < before_.deck_size; ++i) drawn += Cards(before_.DeckCard(i));
    return drawn;
  }

  void TellBreakthrough() {
    const Cards drawn = Drawn();
    Say("story.breakthrough",
        {{"card", Cost()}, {"count", drawn.Count()}, {"cards", Held(drawn, to_.Sees(seat_))}});
  }

  void TellEnd() {
    const Cards drawn = Drawn();
    Say("story.end", {{"count", drawn.Count()}, {"cards", Held(drawn, to_.Sees(seat_))}});
    for (int i = 0; i < before_.embargo_count; ++i)
      if (const Embargo& embargo = before_.embargoes[static_cast<size_t>(i)]; embargo.seat == seat_)
        Say("story.embargo-over", {{"domain", static_cast<Domain>(embargo.domain)}});
  }

  static int AgeOnTop(const State& state) {
    return state.deck_size > 0 ? static_cast<int>(AgeOf(state.DeckCard(state.deck_size - 1))) : 0;
  }

  // What comes by itself, whatever the action was.
  void TellWhatFollows() {
    if (before_.coin.owner != kNone && after_.coin.owner == kNone) Add("story.coin-back", {});
    if (const int age = AgeOnTop(after_); age != 0 && age != AgeOnTop(before_))
      Add("story.age", {{"age", static_cast<Age>(age)}});
    if (before_.closing == kNone && after_.closing != kNone)
      SayOf(after_.closing, "story.closing", {});
  }

  const State& before_;
  const State& after_;
  const std::span<const Action> actions_;
  const Action action_;  // the first of them
  const Seat seat_;
  const Listener to_;
  Messages lines_;
};

// The effect that an action uses, or that is under way.
std::string_view EffectIn(const State& before, Action action) {
  if (!action.NamesCard())
    return action == kEnd    ? std::string_view()
           : action.IsCopy() ? "inspiration"
                             : NameOf(action.effect());
  return before.step == Step::Choose ? NameOf(before.choice.effect) : std::string_view();
}

}  // namespace

int RoundOf(const Public& table) {
  return table.turn == 0 ? 0 : (table.turn - 1) / table.config.players + 1;
}

Message Heading(const Public& table, const Listener& to) {
  if (table.turn == 0) return {"story.draft", {}};
  const Seat seat = TurnOf(table);
  return {"story.turn",
          {{"turn", table.turn},
           {"round", RoundOf(table)},
           {"you", YesNo(to.Is(seat))},
           {"name", Who{seat}}}};
}

bool GoesOn(const State& state) {
  const Verb verb = state.choice.verb;
  return state.step == Step::Choose && state.choice.from != kNone &&
         (verb == Verb::Discard || verb == Verb::Recover || verb == Verb::Give);
}

size_t TogetherFrom(const Course& course, size_t i) {
  size_t count = 1;
  while (i + count < course.actions.size() && GoesOn(course.states[i + count])) ++count;
  return count;
}

Messages Tell(const Course& course, size_t begin, size_t end, const Listener& to) {
  return Teller(course.states[begin], course.actions.subspan(begin, end - begin),
                course.states[end], to)
      .Run();
}

std::vector<Told> TellCourse(const Course& course, size_t from, const Listener& to,
                             std::optional<int> shown_turn) {
  std::vector<Told> story;
  int turn = shown_turn.value_or(from == 0 ? -1 : course.states[from - 1].turn);
  for (size_t i = from, next = from; i < course.actions.size(); i = next) {
    const State& before = course.states[i];
    next = i + TogetherFrom(course, i);
    story.push_back({i, next, before.seat, before.turn, EffectIn(before, course.actions[i]),
                     std::nullopt, Tell(course, i, next, to)});
    if (before.turn != turn) story.back().heading = Heading(before, to);
    turn = before.turn;
  }
  return story;
}

}  // namespace civ
