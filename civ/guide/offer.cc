#include "civ/guide/offer.h"

#include <algorithm>
#include <bit>

namespace civ {
namespace {

// Own effects first, a Domain's two levels side by side; then copies, discard effects, and the end
// of the turn.
int Rank(Action action) {
  if (action.NamesCard()) return action.code;
  if (action == kEnd) return 0xff;
  if (action.code >= 0x20) return action.code;
  return (action.IsCopy() ? 0x10 : 0) + 2 * static_cast<int>(DomainOf(action.effect())) +
         LevelOf(action.effect()) - 1;
}

// A card that would enter or leave the play area, and the column as it would be then.
Message OfferColumn(const View& view, std::string_view key, Kind kind, int more) {
  const Domain domain = DomainOf(kind);
  return {key,
          {{"card", kind},
           {"column", Column(view, view.seat, domain, view.Count(view.seat, domain) + more)}}};
}

Message OfferCard(Kind kind) {
  return {"card", {{"domain", DomainOf(kind)}, {"age", AgeOf(kind)}}};
}

Message OfferNamed(const View& view, Action action) {
  if (action == kSkip) return {"offer.skip", {}};
  switch (action.verb()) {
    case Verb::Play: return OfferColumn(view, "offer.play", action.kind(), 1);
    case Verb::Take: return OfferColumn(view, "offer.take", action.kind(), -1);
    case Verb::Remove:
      return OfferColumn(view, "offer.remove", view.tables[view.seat].Of(action.domain()).First(),
                         -1);
    case Verb::Claim: return OfferCard(Cards(view.centre).Of(action.domain()).First());
    default: return OfferCard(action.kind());
  }
}

// The seats other than the deciding one that would lose a card of the Domain to an attack.
unsigned Hit(const View& view, Domain domain) {
  unsigned seats = 0;
  for (Seat seat = 0; seat < view.config.players; ++seat)
    if (seat != view.seat && view.Count(seat, domain) > 0) seats |= 1u << seat;
  return seats;
}

Message OfferAttack(const View& view, Domain domain) {
  const unsigned seats = Hit(view, domain);
  return {"offer.attack",
          {{"domain", domain}, {"count", std::popcount(seats)}, {"names", Group{seats}}}};
}

Message OfferEnd(const View& view) {
  if (const uint8_t domain = HegemonyOf(view, view.seat); domain != kNone)
    return {"offer.end-hegemony", {{"domain", static_cast<Domain>(domain)}}};
  return {"offer.end", {{"count", CardsToDraw(view)}}};
}

Message AskByEffect(const Choice& choice) {
  Message ask{"", {{"effect", choice.effect}, {"left", choice.left}}};
  switch (choice.verb) {
    case Verb::Discard: ask.key = "ask.discard"; break;
    case Verb::Remove: ask.key = "ask.remove"; break;
    case Verb::Take: ask.key = "ask.take"; break;
    case Verb::Recover: ask.key = "ask.recover"; break;
    case Verb::Give:
      ask.key = "ask.give";
      ask.Add("name", Who{choice.target});
      break;
    default: ask.key = "ask.play-then";
  }
  return ask;
}

}  // namespace

std::vector<Action> InOrder(const ActionSet& legal) {
  std::vector<Action> actions;
  for (const Action action : legal)
    actions.insert(std::ranges::upper_bound(actions, Rank(action), {}, Rank), action);
  return actions;
}

Messages Column(const Public& table, Seat seat, Domain domain, int count) {
  const int need = HegemonyNeed(table, seat, domain);
  Messages parts = {{"column", {{"domain", domain}, {"count", count}, {"need", need}}}};
  const int level = LevelAt(table.config.players, count);
  if (level > 0 && domain != Domain::Culture) parts.push_back({"column.level", {{"level", level}}});
  if (count == need - 1) parts.push_back({"column.close", {}});
  if (count >= need) parts.push_back({"column.enough", {}});
  return parts;
}

int CardsToDraw(const View& view) {
  return view.turn == 0 ? 0 : CardsToDraw(view, view.hands[TurnOf(view)].Count());
}

bool Reveals(const View& view, Action action) {
  if (action == kEnd) return true;
  if (action.NamesCard()) return action.verb() == Verb::Keep;
  if (action == kBreakthrough) return view.deck_size > 0;
  return action.effect() == Effect::Inquisition && view.hands[action.seat()].Count() > 0;
}

Message Ask(const View& view) {
  switch (view.step) {
    case Step::Draft: return {"ask.draft", {{"round", view.hands[view.seat].Count() + 1}}};
    case Step::Claim: return {"ask.claim", {}};
    case Step::Play: return {"ask.play", {}};
    case Step::Choose: return AskByEffect(view.choice);
    default: return {"ask.effects", {{"size", view.hand_size}}};
  }
}

Message Offer(const View& view, Action action) {
  if (action.NamesCard()) return OfferNamed(view, action);
  if (action == kEnd) return OfferEnd(view);
  const Effect effect = action.effect();
  if (action.IsCopy())
    return {"offer.copy",
            {{"effect", effect}, {"name", Who{CopiedFrom(view, effect)}}, {"does", Does{effect}}}};
  if (IsPermanent(effect)) return {"offer.use", {{"effect", effect}, {"does", Does{effect}}}};
  const Seat seat = action.seat();
  const Domain domain = action.domain();
  switch (effect) {
    case Effect::Attack: return OfferAttack(view, domain);
    case Effect::Inquisition:
      return {"offer.inquisition", {{"name", Who{seat}}, {"count", view.hands[seat].Count()}}};
    case Effect::Breakthrough:
      return {"offer.breakthrough", {{"count", std::min(5, int{view.deck_size})}}};
    case Effect::Embargo: return {"offer.embargo", {{"name", Who{seat}}, {"domain", domain}}};
    default:
      return {"offer.democracy",
              {{"name", Who{seat}},
               {"domain", domain},
               {"need", HegemonyNeed(view, seat, domain) + 1}}};
  }
}

}  // namespace civ
