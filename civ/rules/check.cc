#include "civ/rules/check.h"

#include <algorithm>
#include <numeric>

namespace civ {
namespace {

bool AllCardsThere(const State& state) {
  std::array<int, kKinds> copies{};
  const auto add = [&](Cards cards) {
    for (int k = 0; k < kKinds; ++k) copies[k] += cards[static_cast<Kind>(k)];
  };
  for (Seat seat = 0; seat < kMaxSeats; ++seat) {
    add(state.hands[seat]);
    add(state.tables[seat]);
    add(state.packs[seat]);
  }
  add(state.centre);
  add(state.discard);
  for (int i = 0; i < state.deck_size; ++i) add(Cards(state.DeckCard(i)));
  for (int i = 0; i < state.embargo_count; ++i) add(Cards(state.embargoes[i].card));
  copies[static_cast<int>(Kind::U3)] += state.democracy_count;

  std::array<int, kAges> of_age{};
  for (int k = 0; k < kKinds; ++k) {
    if (copies[k] > kCopies[k]) return false;
    of_age[static_cast<int>(AgeOf(static_cast<Kind>(k))) - 1] += copies[k];
  }
  for (const Age age : {Age::I, Age::II, Age::III})
    if (of_age[static_cast<int>(age) - 1] != DeckSize(state.config.players, age)) return false;
  return true;
}

bool DeckInOrder(const State& state) {
  for (int i = 1; i < state.deck_size; ++i)
    if (AgeOf(state.DeckCard(i)) > AgeOf(state.DeckCard(i - 1))) return false;
  return true;
}

bool FaceDownRight(const State& state) {
  const auto right = [&](const FaceDown& card) {
    return card.seat < state.config.players && card.by < state.config.players &&
           card.seat != card.by && card.domain < kDomains;
  };
  return std::all_of(state.embargoes.begin(), state.embargoes.begin() + state.embargo_count,
                     [&](const Embargo& card) {
                       return right(card) && DomainOf(card.card) == Domain::Economy;
                     }) &&
         std::all_of(state.democracies.begin(), state.democracies.begin() + state.democracy_count,
                     right);
}

bool CoinRight(const State& state) {
  const Coin& coin = state.coin;
  if (coin.owner == kNone) return true;
  return coin.owner < state.config.players && coin.seat < state.config.players &&
         coin.owner != coin.seat && coin.domain != Domain::Culture;
}

bool DraftRight(const State& state) {
  const int n = state.config.players;
  const bool claiming = state.step == Step::Claim;
  if (state.config.setup != Setup::Draft || !state.discard.Empty() ||
      state.embargo_count + state.democracy_count > 0 || state.coin.owner != kNone ||
      Cards(state.centre).Empty() == claiming)
    return false;
  const bool clockwise = !claiming || ClaimsClockwise(state.config.edition);
  const Seat begin = clockwise ? state.config.first : state.Previous(state.config.first);
  const auto place = [&](Seat seat) {
    return (n + (clockwise ? seat - begin : begin - seat)) % n;
  };  // in the order of acting
  const int gone = place(state.seat);
  if (claiming && Cards(state.centre).Count() != n - gone) return false;
  const int round = claiming ? 3 : state.hands[state.seat].Count();
  if (!claiming && round == 3) return false;
  for (Seat seat = 0; seat < state.config.players; ++seat) {
    const bool went = place(seat) < gone;
    const int kept = claiming ? 3 : round + went;
    if (state.hands[seat].Count() != kept ||
        Cards(state.packs[seat]).Count() != (claiming ? 0 : 4 - kept) ||
        state.tables[seat].Count() != (claiming && went ? 1 : 0))
      return false;
  }
  return true;
}

bool NoPacks(const State& state) {
  return Cards(state.centre).Empty() &&
         std::ranges::all_of(state.packs, [](Cards pack) { return pack.Empty(); });
}

bool UsedRight(const State& state) {
  if (((state.permanent | state.given_up) & ~kAllDomains) != 0) return false;
  const Domains culture = Bit(Domain::Culture);
  if ((state.given_up & culture) != 0 || state.permanent == culture)
    return false;  // a copy enters both Domains
  const bool began =
      state.step == Step::Effects || state.step == Step::Choose || state.step == Step::Over;
  return began || (state.permanent | state.given_up) == 0;
}

bool HandSizeRight(const State& state) {
  const bool raised = (state.permanent & Bit(Domain::Religion)) != 0;
  return raised ? state.hand_size == 5 || state.hand_size == 7 : state.hand_size == 3;
}

bool ClosingRight(const State& state) {
  if (state.deck_size > 0) return state.closing == kNone;
  if (OneMoreTurnEach(state.config.edition)) return state.closing < state.config.players;
  return state.closing == state.Previous(state.config.first);
}

bool IsOver(const State& state) {
  if (HegemonyOf(state, TurnOf(state)) != kNone) return true;
  return EndsAfterDraw(state, TurnOf(state));
}

// The effect was begun in this turn and asks for this verb.
bool ChoiceBegun(const State& state) {
  const Choice& choice = state.choice;
  if (choice.effect == Effect::Breakthrough)
    return choice.verb == Verb::Discard && (state.given_up & Bit(Domain::Science)) != 0;
  if (choice.effect == Effect::Inquisition)
    return choice.verb == Verb::Give && (state.given_up & Bit(Domain::Religion)) != 0;
  const Domain domain = DomainOf(choice.effect);
  if (!IsPermanent(choice.effect) || (state.permanent & Bit(domain)) == 0) return false;
  switch (domain) {
    case Domain::Military: return choice.verb == Verb::Discard;
    case Domain::Economy: return choice.verb == Verb::Remove || choice.verb == Verb::Play;
    case Domain::Science: return choice.verb == Verb::Take || choice.verb == Verb::Play;
    case Domain::Utopia: return choice.verb == Verb::Recover;
    default: return false;
  }
}

// As many are left to name as there can be.
bool LeftRight(const State& state) {
  const Choice& choice = state.choice;
  const bool begun = choice.from != kNone;
  if (choice.left == 0) return false;
  if (choice.effect == Effect::Breakthrough) return choice.left + begun <= 5;
  if (choice.effect == Effect::Inquisition) {
    if (choice.target >= state.config.players || choice.target == state.seat) return false;
    const Cards given = state.hands[choice.target];
    return begun ? !given.Empty() && given.Last() == static_cast<Kind>(choice.from) : given.Empty();
  }
  if (begun) return choice.left == 1 && LevelOf(choice.effect) == 2;
  if (choice.verb != Verb::Play) return choice.left == LevelOf(choice.effect);
  return choice.left == std::min(LevelOf(choice.effect), Playable(state).Count());  // ruling 1
}

}  // namespace

bool ChoiceFits(const State& state) {
  return state.step != Step::Choose ||
         (ChoiceBegun(state) && LeftRight(state) && !Legal(state).Empty());
}

Fault Check(const State& state) {
  const Config& config = state.config;
  if (!IsConfig(config)) return Fault::Config;
  if (!FaceDownRight(state)) return Fault::FaceDown;
  if (!AllCardsThere(state)) return Fault::Cards;
  if (!DeckInOrder(state)) return Fault::DeckOrder;
  if (!UsedRight(state)) return Fault::Used;
  if (!HandSizeRight(state)) return Fault::HandSize;
  if (!CoinRight(state)) return Fault::Coin;
  if (state.last_draw > state.turn) return Fault::LastDraw;
  if (!ClosingRight(state)) return Fault::Closing;
  const bool drafting = state.step == Step::Draft || state.step == Step::Claim;
  if (drafting != (state.turn == 0)) return Fault::Turn;
  if (drafting) {
    if (state.seat >= config.players) return Fault::Seat;
    return DraftRight(state) ? Fault::None : Fault::Draft;
  }
  if (!NoPacks(state)) return Fault::Packs;
  if (state.step == Step::Over) {
    if (state.seat != kNone) return Fault::Seat;
    return IsOver(state) ? Fault::None : Fault::NotOver;
  }
  if (state.seat != TurnOf(state)) return Fault::Seat;
  return ChoiceFits(state) ? Fault::None : Fault::Choice;
}

}  // namespace civ
