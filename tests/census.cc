#include "tests/census.h"

#include <algorithm>

#include "civ/notation/notation.h"
#include "tests/plain.h"

namespace civ::test {
namespace {

constexpr const char* kPermanentNames[] = {
    "assassination", "purge",      "holy-book", "divine-right", "development",
    "monopoly",      "experiment", "research",  "oligarchy",    "republic"};

int BaseNeed(const Public& table) { return table.config.players == 2 ? 8 : 7; }

// Whether a seat still has a turn after the one under way.
bool HasTurnLeft(const State& state, Seat seat) {
  if (state.closing == kNone) return true;
  for (Seat next = state.seat; next != state.closing;) {
    next = state.Next(next);
    if (next == seat) return true;
  }
  return false;
}

std::vector<std::string> Wanted() {
  std::vector<std::string> wanted = {"keep", "claim", "discard", "take", "recover", "give", "end"};
  for (const char* players : {" (2)", " (3)", " (4)"}) {
    for (const char* effect : kPermanentNames) {
      wanted.push_back(effect + std::string(players));
      wanted.push_back("copy " + std::string(effect) + players);
    }
    for (const char* effect :
         {"attack", "inquisition", "embargo", "breakthrough", "democracy", "hegemony",
          "hegemony over a surcharge", "hegemony prevented by a surcharge"})
      wanted.push_back(effect + std::string(players));
  }
  for (const char* domain : {"M", "R", "E", "S", "C", "U"})
    wanted.push_back("hegemony in " + std::string(domain));
  for (const char* decider : {"points", "U", "C", "S", "E", "R", "M", "shared"}) {
    wanted.push_back("decided by " + std::string(decider));
    wanted.push_back("teams decided by " + std::string(decider));
  }
  wanted.insert(wanted.end(), {"shared by two of four", "shared by three", "hegemony for a team",
                               "hegemony on the last turn", "domain nobody has"});
  return wanted;
}

}  // namespace

void Census::Begin(const Game&) {
  if (counts_.empty())
    for (const std::string& what : Wanted()) counts_[what] = 0;
}

void Census::Step(const Game& before, Action action, const Game& after) {
  const State& a = before.state;
  const State& b = after.state;
  const std::string name = NameOf(action);
  const std::string verb = name.substr(0, name.find(' '));
  const std::string players = " (" + std::to_string(a.config.players) + ")";
  if (a.step == Step::Effects && action != kEnd)
    Note((verb == "copy" ? name : verb) + players);
  else
    Note(verb);
  if (a.step == Step::Effects && action != kEnd) NoteEffect(a, action, b);
  if (a.step == Step::Choose && a.choice.left == 1 &&
      (a.choice.verb == Verb::Remove || a.choice.verb == Verb::Take))
    NoteThen(a, b);
  if (action == kSkip) {
    Note("skip with an empty hand", a.hands[a.seat].Empty());
    Note("skip because of embargoes", !a.hands[a.seat].Empty());
  }
  NoteDrawn(a, action, b);
  NoteCoin(a, action, b);
  NoteFaceDown(a, action, b);
  if (action == kEnd) NoteEnd(a, b);
  NoteKnown(after);
}

void Census::NoteEffect(const State& before, Action action, const State& after) {
  const Seat me = before.seat;
  const Effect effect = action.effect();
  if (IsPermanent(effect)) {
    const int count = CountPlainly(before, me, DomainOf(effect));
    Note("level 1 although level 2 is there",
         !action.IsCopy() && LevelOf(effect) == 1 &&
             count >= LevelNeedPlainly(before.config.players, 2));
    Note("level 2 copied with level 1 at home",
         action.IsCopy() && LevelOf(effect) == 2 &&
             count >= LevelNeedPlainly(before.config.players, 1));
    Note("coin beyond the next seat",
         action.IsCopy() && after.coin.seat != before.Next(me) && after.coin.owner != kNone);
    return;
  }
  if (effect == Effect::Attack) {
    int hit = 0;
    for (Seat seat = 0; seat < before.config.players; ++seat)
      hit += seat != me && before.Count(seat, action.domain()) > 0;
    Note("attack that hits nobody else", hit == 0);
    Note("attack that hits three others", hit == 3);
    Note("attack on Military", action.domain() == Domain::Military);
  }
  if (effect == Effect::Inquisition) {
    Note("inquisition of an empty hand", before.hands[action.seat()].Empty());
    Note("inquisition by an empty hand",
         before.hands[me].Empty() && !before.hands[action.seat()].Empty());
    Note("inquisition of the partner", before.config.teams && action.seat() == (me + 2) % 4);
  }
  if (effect == Effect::Breakthrough) {
    Note("breakthrough on an empty deck", before.deck_size == 0);
    Note("breakthrough on a short deck", before.deck_size > 0 && before.deck_size < 5);
  }
  if (effect == Effect::Embargo)
    Note("embargo on someone without a turn left", !HasTurnLeft(before, action.seat()));
}

void Census::NoteThen(const State& before, const State& after) {
  const int wanted = LevelOf(before.choice.effect);
  const int plays = after.step == Step::Choose ? after.choice.left : 0;
  const int hand = after.hands[after.seat].Count();
  Note("then: all of two", plays == 2);
  Note("then: one of two, the other embargoed", wanted == 2 && plays == 1 && hand >= 2);
  Note("then: one of two, no more in hand", wanted == 2 && plays == 1 && hand == 1);
  Note("then: none, all embargoed", plays == 0 && hand > 0);
  Note("then: none in hand", plays == 0 && hand == 0);
}

void Census::NoteDrawn(const State& before, Action action, const State& after) {
  const bool last = before.deck_size > 0 && after.deck_size == 0;
  Note("last card by Breakthrough", last && action == kBreakthrough);
  Note("last card at the end of a turn", last && action == kEnd);
  Note("last card by the seat that closes", last && after.closing == before.seat);
  Note("last card in edition pt, round not played out",
       last && before.config.edition == Edition::Pt &&
           after.closing != before.Previous(before.config.first));
  if (action != kEnd) return;
  const int hand = before.hands[before.seat].Count();
  Note("hand larger than the hand size", hand > before.hand_size);
  Note("fewer cards than wanted",
       before.deck_size > 0 && before.deck_size < before.hand_size - hand);
  Note("nothing drawn, the deck not empty", before.deck_size > 0 && hand >= before.hand_size);
}

void Census::NoteCoin(const State& before, Action action, const State& after) {
  const Seat owner = after.coin.owner != kNone ? after.coin.owner : before.coin.owner;
  if (owner == kNone) return;
  const State& now = after;
  int most = 0;
  for (Seat seat = 0; seat < now.config.players; ++seat)
    if (seat != owner) most = std::max(most, CountPlainly(now, seat, Domain::Culture));
  const int own = CountPlainly(now, owner, Domain::Culture);
  const bool returned = before.coin.owner != kNone && after.coin.owner == kNone;
  const bool romanian = now.config.edition == Edition::Ro;
  Note("coin back as its owner's turn begins", returned && action == kEnd && after.seat == owner);
  Note("coin back by a tie", returned && action != kEnd && most == own && !romanian);
  Note("coin back because passed, ro", returned && action != kEnd && most > own && romanian);
  Note("coin stays at a tie, ro", after.coin.owner != kNone && most == own && romanian);
  Note("coin there when the game ends", after.step == Step::Over && after.coin.owner != kNone);
}

void Census::NoteFaceDown(const State& before, Action action, const State& after) {
  std::map<int, int> embargoes, columns, democracies;
  for (int i = 0; i < after.embargo_count; ++i) {
    const Embargo& card = after.embargoes[i];
    embargoes[card.seat]++;
    columns[8 * card.seat + card.domain]++;
    Note("embargo on a column that became empty",
         CountPlainly(after, card.seat, static_cast<Domain>(card.domain)) == 0);
  }
  for (int i = 0; i < after.democracy_count; ++i) {
    democracies[8 * after.democracies[i].seat + after.democracies[i].domain]++;
    Note("democracy on a column that became empty",
         CountPlainly(after, after.democracies[i].seat,
                      static_cast<Domain>(after.democracies[i].domain)) == 0);
  }
  const auto several = [](const std::map<int, int>& map) {
    return std::ranges::any_of(map, [](const auto& item) { return item.second > 1; });
  };
  Note("several embargoes on one seat", several(embargoes));
  Note("two embargoes on one column", several(columns));
  Note("two democracies on one column", several(democracies));
  Note("two embargoes lifted at once",
       action == kEnd && before.embargo_count - after.embargo_count > 1);
  Note("one embargo lifted, another left",
       action == kEnd && before.embargo_count > after.embargo_count && after.embargo_count > 0);
}

void Census::NoteEnd(const State& before, const State& after) {
  const Seat me = before.seat;
  const std::string players = " (" + std::to_string(before.config.players) + ")";
  int hegemonies = 0;
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    const int count = CountPlainly(before, me, domain),
              need = HegemonyNeedPlainly(before, me, domain);
    Note("hegemony prevented by a surcharge" + players, count >= BaseNeed(before) && count < need);
    Note("hegemony over a surcharge" + players, count >= need && need > BaseNeed(before));
    hegemonies += count >= need;
  }
  if (after.step != Step::Over) return;
  const bool closed = before.closing == me || after.closing == me;
  if (hegemonies > 0) {
    const Outcome outcome = ResultPlainly(after);
    Note("hegemony" + players);
    Note("hegemony in " + std::string(NameOf(outcome.domain)));
    Note("hegemony in two Domains at once", hegemonies > 1);
    Note("hegemony for a team", before.config.teams);
    Note("hegemony on the last turn", closed);
    return;
  }
  const Tally tally = MajorityPlainly(after);
  Note((before.config.teams ? "teams decided by " : "decided by ") + tally.decided);
  Note("shared by two of four", !before.config.teams && before.config.players == 4 &&
                                    std::popcount(tally.outcome.winners) == 2);
  Note("shared by three", std::popcount(tally.outcome.winners) == 3);
  for (int d = 0; d < kDomains; ++d) {
    bool nobody = true;
    for (Seat seat = 0; seat < after.config.players; ++seat)
      nobody &= CountPlainly(after, seat, static_cast<Domain>(d)) == 0;
    Note("domain nobody has", nobody);
  }
  Note("ruling 11" + players, !closed);
  Note("ruling 11 after 20 whole rounds" + players,
       !closed && after.turn - after.last_draw >= 20 * before.config.players);
  Note("closed by the deck" + players, closed);
}

void Census::NoteKnown(const Game& after) {
  for (Seat hand = 0; hand < after.state.config.players; ++hand) {
    const auto& known = after.knowledge.known[hand];
    Note("spectator knows a card", !known[kSpectator].Empty());
    for (Seat seat = 0; seat < after.state.config.players; ++seat)
      Note("seat knows more than a spectator",
           seat != hand && known[seat].Count() > known[kSpectator].Count());
  }
}

std::vector<std::string> Census::Missing() const {
  std::vector<std::string> missing;
  for (const auto& [what, count] : counts_)
    if (count == 0) missing.push_back(what);
  return missing;
}

int Census::Count(const std::string& what) const {
  const auto found = counts_.find(what);
  return found == counts_.end() ? 0 : found->second;
}

}  // namespace civ::test
