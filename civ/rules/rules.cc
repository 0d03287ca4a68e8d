#include "civ/rules/rules.h"

#include <algorithm>
#include <bit>

namespace civ {
namespace {

constexpr int kBreakthroughCards = 5;

constexpr Domains kMilitary = Bit(Domain::Military), kReligion = Bit(Domain::Religion),
                  kEconomy = Bit(Domain::Economy), kScience = Bit(Domain::Science),
                  kCulture = Bit(Domain::Culture), kUtopia = Bit(Domain::Utopia);

// All ones if the Domain is in the set, else zero.
constexpr uint64_t If(Domains set, Domains domain) { return uint64_t{0} - ((set & domain) != 0); }

constexpr uint64_t At(Action action) { return uint64_t{1} << action.code; }

void FindCultureLead(Public& table) {
  int most = 0;
  table.culture_lead = kNone;
  for (Seat seat = 0; seat < table.config.players; ++seat) {
    const int count = table.Count(seat, Domain::Culture);
    if (count >= most) table.culture_lead = count > most ? seat : kNone;
    most = std::max(most, count);
  }
}

void DiscardFromTable(Public& table, Seat seat, Domain domain) {
  const Kind oldest = table.tables[seat].Of(domain).First();  // ruling 2
  RemoveFromTable(table, seat, oldest);
  table.discard += Cards(oldest);
}

// --- The turn ------------------------------------------------------------------------------------

void Draw(State& state, int wanted) {
  const int count = std::min<int>(wanted, state.deck_size);
  if (count <= 0) return;
  Cards& hand = state.hands[state.seat];
  for (int i = 1; i <= count; ++i) hand += Cards(state.DeckCard(state.deck_size - i));
  state.deck_size = static_cast<uint8_t>(state.deck_size - count);
  state.last_draw = state.turn;
  if (state.deck_size == 0) state.closing = ClosingAfterLastCard(state, state.seat);
}

void BeginTurn(State& state, Seat seat) {
  state.turn++;
  state.seat = seat;
  state.step = Step::Play;
  state.hand_size = kUsualHand;
  state.permanent = state.given_up = 0;
  if (state.coin.owner == seat) state.coin = {};
}

void LiftEmbargoes(State& state) {
  if (state.Embargoed(state.seat) == 0) return;
  state.embargoed &= ~(0xffu << 8 * state.seat);
  int kept = 0;
  for (int i = 0; i < state.embargo_count; ++i) {
    const Embargo embargo = state.embargoes[i];
    if (embargo.seat == state.seat)
      state.discard += Cards(embargo.card);
    else
      state.embargoes[kept++] = embargo;
  }
  state.embargo_count = static_cast<uint8_t>(kept);
}

// The order is that of ruling 12.
void EndTurn(State& state) {
  Draw(state, state.hand_size - state.hands[state.seat].Count());
  LiftEmbargoes(state);
  if (HegemonyOf(state, state.seat) != kNone || EndsAfterDraw(state, state.seat)) {
    state.step = Step::Over;
    state.seat = kNone;
    return;
  }
  BeginTurn(state, state.Next(state.seat));
}

// --- Effects that ask for cards ------------------------------------------------------------------

void Ask(State& state, Effect effect, Verb verb, int count, Seat target = kNone) {
  if (count == 0) {
    state.step = Step::Effects;
    state.choice = kNoChoice;
    return;
  }
  state.step = Step::Choose;
  state.choice = {effect, verb, static_cast<uint8_t>(count), kNone, target};
}

// What an effect has asked for has been named in full. What follows "then" is done as far as
// possible (ruling 1).
void AfterChoice(State& state) {
  const Choice done = state.choice;
  const bool then_play = done.verb == Verb::Remove || done.verb == Verb::Take;
  Ask(state, done.effect, Verb::Play,
      then_play ? std::min(LevelOf(done.effect), Playable(state).Count()) : 0);
}

void UsePermanent(State& state, Effect effect) {
  const int level = LevelOf(effect);
  const Domain domain = DomainOf(effect);
  state.permanent |= Bit(domain);
  switch (domain) {
    case Domain::Military: return Ask(state, effect, Verb::Discard, level);
    case Domain::Religion: state.hand_size = static_cast<uint8_t>(kUsualHand + 2 * level); return;
    case Domain::Economy: return Ask(state, effect, Verb::Remove, level);
    case Domain::Science: return Ask(state, effect, Verb::Take, level);
    case Domain::Utopia: return Ask(state, effect, Verb::Recover, level);
    case Domain::Culture: return;
  }
}

void CopyPermanent(State& state, Effect effect) {
  state.coin = {state.seat, CopiedFrom(state, effect), DomainOf(effect)};
  state.permanent |= kCulture;
  UsePermanent(state, effect);
}

void Attack(State& state, Domain domain) {
  state.given_up |= kMilitary;
  DiscardFromTable(state, state.seat, Domain::Military);
  for (Seat seat = 0; seat < state.config.players; ++seat)
    if (state.Count(seat, domain) > 0) DiscardFromTable(state, seat, domain);
}

void Inquisition(State& state, Seat target) {
  state.given_up |= kReligion;
  DiscardFromTable(state, state.seat, Domain::Religion);
  const Cards taken = state.hands[target];
  state.hands[state.seat] += taken;
  state.hands[target] = {};
  Ask(state, Effect::Inquisition, Verb::Give, taken.Count(), taken.Empty() ? kNone : target);
}

void UseEmbargo(State& state, Seat target, Domain domain) {
  state.given_up |= kEconomy;
  const Kind card = state.tables[state.seat].Of(Domain::Economy).First();
  RemoveFromTable(state, state.seat, card);
  LayEmbargo(state, {{target, state.seat, static_cast<uint8_t>(domain)}, card});
}

void Breakthrough(State& state) {
  state.given_up |= kScience;
  DiscardFromTable(state, state.seat, Domain::Science);
  const int before = state.deck_size;
  Draw(state, kBreakthroughCards);
  Ask(state, Effect::Breakthrough, Verb::Discard, before - state.deck_size);
}

void UseDemocracy(State& state, Seat target, Domain domain) {
  state.given_up |= kUtopia;
  RemoveFromTable(state, state.seat, Kind::U3);
  state.democracies[state.democracy_count++] = {target, state.seat, static_cast<uint8_t>(domain)};
}

// --- The draft -----------------------------------------------------------------------------------

void BeginClaims(State& state) {
  Cards centre;
  for (Pack& pack : state.packs) {
    centre += pack;
    pack = {};
  }
  state.centre = centre;
  state.step = Step::Claim;
  state.seat = ClaimsClockwise(state.config.edition) ? state.config.first
                                                     : state.Previous(state.config.first);
}

void Keep(State& state, Kind kind) {
  state.packs[state.seat] = Cards(state.packs[state.seat]) - Cards(kind);
  state.hands[state.seat] += Cards(kind);
  state.seat = state.Next(state.seat);
  if (state.seat != state.config.first) return;
  if (Cards(state.packs[0]).Count() == 1) return BeginClaims(state);
  std::rotate(state.packs.begin(), state.packs.begin() + state.config.players - 1,
              state.packs.begin() + state.config.players);
}

void Claim(State& state, Domain domain) {
  const Kind kind = Cards(state.centre).Of(domain).First();
  state.centre = Cards(state.centre) - Cards(kind);
  AddToTable(state, state.seat, kind);
  state.seat =
      ClaimsClockwise(state.config.edition) ? state.Next(state.seat) : state.Previous(state.seat);
  if (Cards(state.centre).Empty()) BeginTurn(state, state.config.first);
}

// --- What is legal -------------------------------------------------------------------------------

// The effects, as bits at their codes, that need one card and two cards and do not find them
// (ruling 1).
uint32_t Lacking(Cards cards, Effect one, Effect two) {
  if (cards.AtLeastTwo()) [[likely]]
    return 0;
  return static_cast<uint32_t>(cards.Empty()) << static_cast<int>(one) |
         1u << static_cast<int>(two);
}

// The permanent effects that a seat's cards make available, as bits at their codes.
uint32_t Available(const Public& table, Seat seat) {
  return (table.At(Mark::Level1, seat) | table.At(Mark::Level2, seat) << 8) &
         ~(kCulture | kCulture << 8);
}

// The permanent effects of all seats that the deciding one, which may have few cards, could carry
// out.
uint32_t Copyable(const State& state) {
  uint32_t all = 0;
  for (Seat seat = 0; seat < kMaxSeats; ++seat) all |= Available(state, seat);
  const Cards own = state.tables[state.seat];
  return all & ~(Lacking(own, Effect::Development, Effect::Monopoly) |
                 Lacking(own, Effect::Experiment, Effect::Research));
}

// The codes of the discard effects that a set of Domains can pay for.
struct Paid {
  uint64_t low, high;
};
constexpr auto kPaidBy = [] {
  std::array<Paid, 64> table{};
  for (Domains costs = 0; costs < 64; ++costs)
    table[costs] = {(If(costs, kMilitary) & kAllDomains) << static_cast<int>(Effect::Attack) |
                        (If(costs, kReligion) & 0xf) << static_cast<int>(Effect::Inquisition) |
                        (If(costs, kScience) & At(kBreakthrough)),
                    (If(costs, kEconomy) & 0xffffffff) | (If(costs, kUtopia) & 0xffffffff) << 32};
  return table;
}();

ActionSet LegalEffects(const State& state) {
  const Seat seat = state.seat;
  const uint32_t own = Available(state, seat);
  const uint32_t closed = state.permanent * 0x0101u |
                          Lacking(state.hands[seat], Effect::Assassination, Effect::Purge) |
                          Lacking(state.discard, Effect::Oligarchy, Effect::Republic);
  const uint32_t copies = (state.permanent & kCulture) == 0 && state.culture_lead == seat
                              ? Copyable(state) & ~(own | closed)
                              : 0;

  const Domains present = state.Present(seat);
  const Domains costs = present & ~state.given_up;
  // Ruling 5.
  const Domains attackable = present & ~(state.Count(seat, Domain::Military) == 1 ? kMilitary : 0);
  const uint64_t other_seats = ((1u << state.config.players) - 1) & ~(1u << seat);
  const uint64_t columns = state.present & ~(0xffu << 8 * seat);

  const uint64_t targets = uint64_t{attackable} << static_cast<int>(Effect::Attack) |
                           other_seats << static_cast<int>(Effect::Inquisition) | At(kBreakthrough);
  const auto [low_cost, high_cost] = kPaidBy[costs];
  return {(own & ~closed) | copies << 16 | (targets & low_cost) | At(kEnd),
          (columns | columns << 32) & high_cost};
}

Domains NameableDomains(const State& state) {
  const Choice& choice = state.choice;
  Domains domains = state.Present(state.seat);
  if (choice.from != kNone) domains &= static_cast<Domains>(0xff << choice.from);
  if (choice.left == 1 || domains == 0) return domains;
  // Where two are wanted, a single card of the last Domain would leave too few.
  const auto last = static_cast<Domain>(std::bit_width(domains) - 1);
  return state.Count(state.seat, last) == 1 ? static_cast<Domains>(domains & ~Bit(last)) : domains;
}

// The kinds that may be named next where `left` cards are wanted from these in card order:
// those that leave enough cards at or after them.
Kinds Nameable(Cards cards, uint8_t from, int left) {
  if (from != kNone) cards = cards.From(static_cast<Kind>(from));
  return cards.WithoutLast(left - 1).Present();
}

ActionSet LegalChoices(const State& state) {
  const Choice& choice = state.choice;
  const auto named = [&](Cards cards) {
    return ActionSet(choice.verb, Nameable(cards, choice.from, choice.left));
  };
  switch (choice.verb) {
    case Verb::Play: return named(Playable(state));
    case Verb::Take: return named(state.tables[state.seat]);
    case Verb::Recover: return named(state.discard);
    case Verb::Remove: return {Verb::Remove, NameableDomains(state)};
    default: return named(state.hands[state.seat]);
  }
}

ActionSet LegalPlays(const State& state) {
  const Kinds playable = Playable(state).Present();
  return {Verb::Play, playable != 0 ? playable : static_cast<Kinds>(1 << 15)};
}

// The coin is looked at after every action.
void CheckCoin(State& state) {
  const Seat owner = state.coin.owner;
  const int enough = state.Count(owner, Domain::Culture) + CoinStaysAtTie(state.config.edition);
  for (Seat seat = 0; seat < state.config.players; ++seat)
    if (seat != owner && state.Count(seat, Domain::Culture) >= enough) state.coin = {};
}

// A card of the choice under way has been named.
void Named(State& state, Action action) {
  state.choice.from = action.code & 0xf;
  if (--state.choice.left == 0) AfterChoice(state);
}

void Play(State& state, Action action) {
  if (action != kSkip) {
    state.hands[state.seat] -= Cards(action.kind());
    AddToTable(state, state.seat, action.kind());
  }
  if (state.step == Step::Choose) return Named(state, action);
  state.step = Step::Effects;
}

void Discard(State& state, Action action) {
  state.hands[state.seat] -= Cards(action.kind());
  state.discard += Cards(action.kind());
  Named(state, action);
}

void Take(State& state, Action action) {
  RemoveFromTable(state, state.seat, action.kind());
  state.hands[state.seat] += Cards(action.kind());
  Named(state, action);
}

void Recover(State& state, Action action) {
  state.discard -= Cards(action.kind());
  state.hands[state.seat] += Cards(action.kind());
  Named(state, action);
}

void Give(State& state, Action action) {
  state.hands[state.seat] -= Cards(action.kind());
  state.hands[state.choice.target] += Cards(action.kind());
  Named(state, action);
}

void Remove(State& state, Action action) {
  DiscardFromTable(state, state.seat, action.domain());
  Named(state, action);
}

}  // namespace

Seat CopiedFrom(const Public& table, Effect effect) {
  const Mark level = LevelOf(effect) == 1 ? Mark::Level1 : Mark::Level2;
  Seat seat = table.Next(table.seat);
  while ((table.At(level, seat) & Bit(DomainOf(effect))) == 0) seat = table.Next(seat);
  return seat;
}

Cards Playable(const State& state) {
  return state.hands[state.seat].Of(
      static_cast<Domains>(kAllDomains & ~state.Embargoed(state.seat)));
}

void AddToTable(Public& table, Seat seat, Kind kind) {
  const Domain domain = DomainOf(kind);
  table.tables[seat] += Cards(kind);
  table.columns[seat].Add(domain);
  table.present |= 1u << (8 * seat + static_cast<int>(domain));
  if (domain == Domain::Culture) FindCultureLead(table);
}

void RemoveFromTable(Public& table, Seat seat, Kind kind) {
  const Domain domain = DomainOf(kind);
  table.tables[seat] -= Cards(kind);
  table.columns[seat].Remove(domain);
  table.present &= ~(static_cast<uint32_t>(table.Count(seat, domain) == 0)
                     << (8 * seat + static_cast<int>(domain)));
  if (domain == Domain::Culture) FindCultureLead(table);
}

void LayEmbargo(Public& table, const Embargo& embargo) {
  table.embargoes[table.embargo_count++] = embargo;
  table.embargoed |= 1u << (8 * embargo.seat + embargo.domain);
}

ActionSet Legal(const State& state) {
  switch (state.step) {
    case Step::Draft: return {Verb::Keep, Cards(state.packs[state.seat]).Present()};
    case Step::Claim:
      return {Verb::Claim,
              Cards(state.centre).Present()};  // Age I kinds are numbered like their Domains
    case Step::Play: return LegalPlays(state);
    case Step::Effects: return LegalEffects(state);
    case Step::Choose: return LegalChoices(state);
    case Step::Over: break;
  }
  return {};
}

void Apply(State& state, Action action) {
  switch (action.code >> 4) {  // one jump for all, by the table in action.h
    case 0x0: UsePermanent(state, action.effect()); break;
    case 0x1: CopyPermanent(state, action.effect()); break;
    case 0x2:
      action.effect() == Effect::Attack ? Attack(state, action.domain())
                                        : Inquisition(state, action.seat());
      break;
    case 0x3: action == kEnd ? EndTurn(state) : Breakthrough(state); break;
    case 0x4:
    case 0x5: UseEmbargo(state, action.seat(), action.domain()); break;
    case 0x6:
    case 0x7: UseDemocracy(state, action.seat(), action.domain()); break;
    case static_cast<int>(Verb::Play): Play(state, action); break;
    case static_cast<int>(Verb::Keep): Keep(state, action.kind()); break;
    case static_cast<int>(Verb::Discard): Discard(state, action); break;
    case static_cast<int>(Verb::Take): Take(state, action); break;
    case static_cast<int>(Verb::Recover): Recover(state, action); break;
    case static_cast<int>(Verb::Give): Give(state, action); break;
    case static_cast<int>(Verb::Remove): Remove(state, action); break;
    case static_cast<int>(Verb::Claim): Claim(state, action.domain()); break;
  }
  if (state.coin.owner != kNone) CheckCoin(state);
}

}  // namespace civ
