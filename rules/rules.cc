#include "rules/rules.h"

#include <algorithm>
#include <bit>

namespace civ {
namespace {

constexpr int kHandSize = 3;
constexpr int kBreakthroughCards = 5;

// clang-format off
constexpr std::array<std::array<uint8_t, kMarks>, 3> kThresholds = {{
    {1, 3, 5, 8},    // two players
    {1, 3, 5, 7},    // three
    {1, 2, 4, 7}}};  // four
// clang-format on

constexpr Domains kMilitary = Bit(Domain::Military), kReligion = Bit(Domain::Religion), kEconomy = Bit(Domain::Economy),
                  kScience = Bit(Domain::Science), kCulture = Bit(Domain::Culture), kUtopia = Bit(Domain::Utopia);

// All ones if the Domain is in the set, else zero.
constexpr uint64_t If(Domains set, Domains domain) { return uint64_t{0} - ((set & domain) != 0); }

constexpr uint64_t At(Action action) { return uint64_t{1} << action.code; }

void SetMarks(Public& table, Seat seat, Domain domain, int count) {
  const std::array<uint8_t, kMarks>& thresholds = kThresholds[table.config.players - 2];
  const int bit = 8 * seat + static_cast<int>(domain);
  for (int m = 0; m < kMarks; ++m)
    table.marks[m] = (table.marks[m] & ~(1u << bit)) | static_cast<uint32_t>(count >= thresholds[m]) << bit;
}

void DiscardFromTable(Public& table, Seat seat, Domain domain) {
  const Kind oldest = table.tables[seat].Of(domain).First();  // ruling 2
  RemoveFromTable(table, seat, oldest);
  table.discard += Cards(oldest);
}

// --- The turn ---------------------------------------------------------------------------------------------------

void Draw(State& state, int wanted) {
  const int count = std::min<int>(wanted, state.deck_size);
  if (count <= 0) return;
  Cards& hand = state.hands[state.seat];
  for (int i = 1; i <= count; ++i) hand += Cards(state.DeckCard(state.deck_size - i));
  state.deck_size = static_cast<uint8_t>(state.deck_size - count);
  state.last_draw = state.turn;
  if (state.deck_size == 0) {
    const bool one_more_each = state.config.edition == Edition::Pt;
    state.closing = state.Previous(one_more_each ? state.seat : state.config.first);
  }
}

void BeginTurn(State& state, Seat seat) {
  state.turn++;
  state.seat = seat;
  state.step = Step::Play;
  state.hand_size = kHandSize;
  state.permanent = state.given_up = 0;
  state.blocked = BlockedFor(state, seat);
  if (state.coin.owner == seat) state.coin = {};
}

void LiftEmbargoes(State& state) {
  if (state.blocked == 0) return;
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
  if (HegemonyOf(state, state.seat) != kNone || IsLastTurn(state)) {
    state.step = Step::Over;
    state.seat = kNone;
    state.blocked = 0;
    return;
  }
  BeginTurn(state, state.Next(state.seat));
}

// --- Effects that ask for cards ---------------------------------------------------------------------------------

void Ask(State& state, Effect effect, Verb verb, int count, Seat target = kNone) {
  if (count == 0) {
    state.step = Step::Effects;
    state.choice = kNoChoice;
    return;
  }
  state.step = Step::Choose;
  state.choice = {effect, verb, static_cast<uint8_t>(count), kNone, target};
}

// What an effect has asked for has been named in full. What follows "then" is done as far as possible (ruling 1).
void AfterChoice(State& state) {
  const Choice done = state.choice;
  const bool then_play = done.verb == Verb::Remove || done.verb == Verb::Take;
  Ask(state, done.effect, Verb::Play, then_play ? std::min(LevelOf(done.effect), Playable(state).Count()) : 0);
}

void UsePermanent(State& state, Effect effect) {
  const int level = LevelOf(effect);
  const Domain domain = DomainOf(effect);
  state.permanent |= Bit(domain);
  switch (domain) {
    case Domain::Military: return Ask(state, effect, Verb::Discard, level);
    case Domain::Religion: state.hand_size = static_cast<uint8_t>(kHandSize + 2 * level); return;
    case Domain::Economy: return Ask(state, effect, Verb::Remove, level);
    case Domain::Science: return Ask(state, effect, Verb::Take, level);
    case Domain::Utopia: return Ask(state, effect, Verb::Recover, level);
    case Domain::Culture: return;
  }
}

// Inspiration lays the coin on the nearest play area clockwise that has the effect available.
void CopyPermanent(State& state, Effect effect) {
  const Mark level = LevelOf(effect) == 1 ? Mark::Level1 : Mark::Level2;
  const Domain domain = DomainOf(effect);
  Seat owner = state.Next(state.seat);
  while ((state.At(level, owner) & Bit(domain)) == 0) owner = state.Next(owner);
  state.coin = {state.seat, owner, domain};
  state.permanent |= kCulture;
  UsePermanent(state, effect);
}

void Attack(State& state, Domain domain) {
  DiscardFromTable(state, state.seat, Domain::Military);
  for (Seat seat = 0; seat < state.config.players; ++seat)
    if (state.Count(seat, domain) > 0) DiscardFromTable(state, seat, domain);
}

void Inquisition(State& state, Seat target) {
  DiscardFromTable(state, state.seat, Domain::Religion);
  const Cards taken = state.hands[target];
  state.hands[state.seat] += taken;
  state.hands[target] = {};
  Ask(state, Effect::Inquisition, Verb::Give, taken.Count(), taken.Empty() ? kNone : target);
}

void LayEmbargo(State& state, Seat target, Domain domain) {
  const Kind card = state.tables[state.seat].Of(Domain::Economy).First();
  RemoveFromTable(state, state.seat, card);
  state.embargoes[state.embargo_count++] = {{target, state.seat, static_cast<uint8_t>(domain)}, card};
}

void Breakthrough(State& state) {
  DiscardFromTable(state, state.seat, Domain::Science);
  const int before = state.deck_size;
  Draw(state, kBreakthroughCards);
  Ask(state, Effect::Breakthrough, Verb::Discard, before - state.deck_size);
}

void LayDemocracy(State& state, Seat target, Domain domain) {
  RemoveFromTable(state, state.seat, Kind::U3);
  state.democracies[state.democracy_count++] = {target, state.seat, static_cast<uint8_t>(domain)};
}

// --- The draft --------------------------------------------------------------------------------------------------

void BeginClaims(State& state) {
  Cards centre;
  for (Pack& pack : state.packs) {
    centre += pack;
    pack = {};
  }
  state.centre = centre;
  state.step = Step::Claim;
  const bool clockwise = state.config.edition == Edition::Es;
  state.seat = clockwise ? state.config.first : state.Previous(state.config.first);
}

void Keep(State& state, Kind kind) {
  state.packs[state.seat] = Cards(state.packs[state.seat]) - Cards(kind);
  state.hands[state.seat] += Cards(kind);
  state.seat = state.Next(state.seat);
  if (state.seat != state.config.first) return;
  if (Cards(state.packs[0]).Count() == 1) return BeginClaims(state);
  std::rotate(state.packs.begin(), state.packs.begin() + state.config.players - 1, state.packs.begin() + state.config.players);
}

void Claim(State& state, Domain domain) {
  const Kind kind = Cards(state.centre).Of(domain).First();
  state.centre = Cards(state.centre) - Cards(kind);
  AddToTable(state, state.seat, kind);
  const bool clockwise = state.config.edition == Edition::Es;
  state.seat = clockwise ? state.Next(state.seat) : state.Previous(state.seat);
  if (Cards(state.centre).Empty()) BeginTurn(state, state.config.first);
}

// --- What is legal ----------------------------------------------------------------------------------------------

bool LeadsCulture(const Public& table) {
  const uint32_t culture = table.counts[static_cast<int>(Domain::Culture)];
  const uint32_t own = culture >> 8 * table.seat & 0xff;
  // In every byte: the high bit stays set where own > theirs.
  const uint32_t ahead = ((0x80808080 | own * 0x01010101) - culture - 0x01010101) & 0x80808080;
  return (ahead | 0x80u << 8 * table.seat) == 0x80808080;
}

// The permanent effects, as bits at their codes, that the seat could carry out (ruling 1), whoever has them available.
uint32_t Feasible(const State& state) {
  static constexpr std::array<uint32_t, 3> kByHand = {
      0xffff & ~(At(Action::Use(Effect::Assassination)) | At(Action::Use(Effect::Purge))), 0xffff & ~At(Action::Use(Effect::Purge)), 0xffff};
  static constexpr std::array<uint32_t, 3> kByTable = {
      0xffff & ~(At(Action::Use(Effect::Development)) | At(Action::Use(Effect::Monopoly)) | At(Action::Use(Effect::Experiment)) |
                 At(Action::Use(Effect::Research))),
      0xffff & ~(At(Action::Use(Effect::Monopoly)) | At(Action::Use(Effect::Research))), 0xffff};
  static constexpr std::array<uint32_t, 3> kByDiscard = {
      0xffff & ~(At(Action::Use(Effect::Oligarchy)) | At(Action::Use(Effect::Republic))), 0xffff & ~At(Action::Use(Effect::Republic)), 0xffff};
  const auto upto2 = [](Cards cards) { return std::min(cards.Count(), 2); };
  return kByHand[upto2(state.hands[state.seat])] & kByTable[upto2(state.tables[state.seat])] & kByDiscard[upto2(state.discard)];
}

// The permanent effects that the play areas of these seats make available, as bits at their codes.
uint32_t Available(Domains level1, Domains level2) { return (level1 | level2 << 8) & ~(kCulture | kCulture << 8); }

ActionSet LegalEffects(const State& state) {
  const Seat seat = state.seat;
  const uint32_t others = ~(0xffu << 8 * seat);
  const auto anyone_else = [&](Mark mark) {
    uint32_t all = state.marks[static_cast<int>(mark)] & others;
    all |= all >> 16;
    return static_cast<Domains>(all | all >> 8);
  };
  const uint32_t open = Feasible(state) & ~(state.permanent * 0x0101u);
  const uint32_t own = Available(state.At(Mark::Level1, seat), state.At(Mark::Level2, seat));
  const bool inspired = (state.permanent & kCulture) == 0 && LeadsCulture(state);
  const uint32_t copies = inspired ? Available(anyone_else(Mark::Level1), anyone_else(Mark::Level2)) & ~own : 0;

  const Domains present = state.At(Mark::Present, seat);
  const Domains costs = present & ~state.given_up;
  const Domains attackable = present & ~(state.Count(seat, Domain::Military) == 1 ? kMilitary : 0);  // ruling 5
  const uint64_t other_seats = ((1u << state.config.players) - 1) & ~(1u << seat);
  const uint64_t columns = state.marks[static_cast<int>(Mark::Present)] & others;

  const uint64_t low = (own & open) | (copies & open) << 16 | (If(costs, kMilitary) & attackable) << static_cast<int>(Effect::Attack) |
                       (If(costs, kReligion) & other_seats) << static_cast<int>(Effect::Inquisition) |
                       (If(costs, kScience) & At(kBreakthrough)) | At(kEnd);
  const uint64_t high = (If(costs, kEconomy) & columns) | (If(costs, kUtopia) & columns) << 32;
  return {low, high};
}

Domains NameableDomains(const State& state) {
  const Choice& choice = state.choice;
  Domains domains = state.At(Mark::Present, state.seat);
  if (choice.from != kNone) domains &= static_cast<Domains>(0xff << choice.from);
  // Where two are wanted, a single card of the last Domain would leave too few.
  const Domain last = static_cast<Domain>(std::bit_width(domains) - 1);
  if (choice.left == 2 && state.Count(state.seat, last) == 1) domains &= static_cast<Domains>(~Bit(last));
  return domains;
}

// The kinds that may be named next where `left` cards are wanted from these in card order:
// those that leave enough cards at or after them.
Kinds Nameable(Cards cards, uint8_t from, int left) {
  if (from != kNone) cards = cards.From(static_cast<Kind>(from));
  return cards.WithoutLast(left - 1).Present();
}

ActionSet LegalChoices(const State& state) {
  const Choice& choice = state.choice;
  const auto named = [&](Cards cards) { return ActionSet(choice.verb, Nameable(cards, choice.from, choice.left)); };
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
  const int own = state.Count(owner, Domain::Culture);
  const bool tie_keeps = state.config.edition == Edition::Ro;
  for (Seat seat = 0; seat < state.config.players; ++seat)
    if (seat != owner && state.Count(seat, Domain::Culture) >= own + tie_keeps) state.coin = {};
}

// Does to the card named what the verb says.
void NameCard(State& state, Action action) {
  const Seat seat = state.seat;
  const Kind kind = action.kind();
  switch (action.verb()) {
    case Verb::Play:
      state.hands[seat] -= Cards(kind);
      return AddToTable(state, seat, kind);
    case Verb::Discard:
      state.hands[seat] -= Cards(kind);
      state.discard += Cards(kind);
      return;
    case Verb::Take:
      RemoveFromTable(state, seat, kind);
      state.hands[seat] += Cards(kind);
      return;
    case Verb::Recover:
      state.discard -= Cards(kind);
      state.hands[seat] += Cards(kind);
      return;
    case Verb::Give:
      state.hands[seat] -= Cards(kind);
      state.hands[state.choice.target] += Cards(kind);
      return;
    case Verb::Remove: return DiscardFromTable(state, seat, action.domain());
    case Verb::Keep: return Keep(state, kind);
    case Verb::Claim: return Claim(state, action.domain());
  }
}

void Name(State& state, Action action) {
  const Step step = state.step;
  if (action != kSkip) NameCard(state, action);
  if (step == Step::Play) {
    state.step = Step::Effects;
  } else if (step == Step::Choose) {
    state.choice.from = action.code & 0x0f;
    if (--state.choice.left == 0) AfterChoice(state);
  }
}

void UseEffect(State& state, Action action) {
  if (action == kEnd) return EndTurn(state);
  const Effect effect = action.effect();
  if (IsPermanent(effect)) return action.IsCopy() ? CopyPermanent(state, effect) : UsePermanent(state, effect);
  state.given_up |= Bit(CostOf(effect));
  switch (effect) {
    case Effect::Attack: return Attack(state, action.domain());
    case Effect::Inquisition: return Inquisition(state, action.seat());
    case Effect::Embargo: return LayEmbargo(state, action.seat(), action.domain());
    case Effect::Breakthrough: return Breakthrough(state);
    default: return LayDemocracy(state, action.seat(), action.domain());
  }
}

}  // namespace

Domains BlockedFor(const Public& table, Seat seat) {
  Domains blocked = 0;
  for (int i = 0; i < table.embargo_count; ++i)
    if (table.embargoes[i].seat == seat) blocked |= static_cast<Domains>(1u << table.embargoes[i].domain);
  return blocked;
}

Cards Playable(const State& state) { return state.hands[state.seat].Of(static_cast<Domains>(kAllDomains & ~state.blocked)); }

int Threshold(int players, Mark mark) { return kThresholds[players - 2][static_cast<int>(mark)]; }

void AddToTable(Public& table, Seat seat, Kind kind) {
  const Domain domain = DomainOf(kind);
  table.tables[seat] += Cards(kind);
  table.counts[static_cast<int>(domain)] += 1u << 8 * seat;
  SetMarks(table, seat, domain, table.Count(seat, domain));
}

void RemoveFromTable(Public& table, Seat seat, Kind kind) {
  const Domain domain = DomainOf(kind);
  table.tables[seat] -= Cards(kind);
  table.counts[static_cast<int>(domain)] -= 1u << 8 * seat;
  SetMarks(table, seat, domain, table.Count(seat, domain));
}

ActionSet Legal(const State& state) {
  switch (state.step) {
    case Step::Draft: return {Verb::Keep, Cards(state.packs[state.seat]).Present()};
    case Step::Claim: return {Verb::Claim, Cards(state.centre).Present()};  // Age I kinds are numbered like their Domains
    case Step::Play: return LegalPlays(state);
    case Step::Effects: return LegalEffects(state);
    case Step::Choose: return LegalChoices(state);
    case Step::Over: break;
  }
  return {};
}

void Apply(State& state, Action action) {
  if (action.NamesCard())
    Name(state, action);
  else
    UseEffect(state, action);
  if (state.coin.owner != kNone) CheckCoin(state);
}

}  // namespace civ
