#include "tests/generate.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "civ/bots/playout.h"
#include "civ/notation/notation.h"
#include "civ/rules/check.h"
#include "tests/plain.h"
#include "tests/support.h"

namespace civ::test {
namespace {

// --- Styles: a number for each action, one of the highest is chosen ------------------------------

int Held(const State& state, Seat seat, Domain domain) {
  return 2 * state.Count(seat, domain) + state.hands[seat].Of(domain).Count();
}

Domain Longest(const State& state) {
  Domain best{};
  for (int d = 1; d < kDomains; ++d)
    if (Held(state, state.seat, static_cast<Domain>(d)) > Held(state, state.seat, best))
      best = static_cast<Domain>(d);
  return best;
}

bool Gains(Verb verb) {
  return verb == Verb::Play || verb == Verb::Keep || verb == Verb::Recover || verb == Verb::Claim;
}
Domain DomainNamed(Action action) {
  return action.verb() == Verb::Remove || action.verb() == Verb::Claim ? action.domain()
                                                                       : DomainOf(action.kind());
}

int HunterLikes(const State& state, Action action, Domain wanted) {
  const Seat me = state.seat;
  if (action == kEnd || action == kSkip) return 0;
  if (action.NamesCard()) return (DomainNamed(action) == wanted) == Gains(action.verb()) ? 10 : 0;
  const Effect effect = action.effect();
  const int in_hand = state.hands[me].Of(wanted).Count();
  if (IsPermanent(effect)) {
    switch (DomainOf(effect)) {
      case Domain::Military: return -1;
      case Domain::Utopia: return state.discard.Of(wanted).Empty() ? -1 : 8;
      case Domain::Religion: return 7;
      default: return in_hand > 0 && state.tables[me].Count() > state.Count(me, wanted) ? 6 : -1;
    }
  }
  if (CostOf(effect) == wanted) return -20;
  switch (effect) {
    case Effect::Democracy:
      return state.Count(action.seat(), action.domain()) > 3
                 ? 5 + state.Count(action.seat(), action.domain())
                 : -1;
    case Effect::Embargo: return state.Count(action.seat(), action.domain()) > 4 ? 5 : -1;
    case Effect::Attack: return action.domain() == wanted ? -20 : -1;
    default: return 2;
  }
}

int CopierLikes(const State& state, Action action) {
  if (action == kEnd) return 0;
  if (action == kSkip) return 0;
  if (action.NamesCard())
    return (DomainNamed(action) == Domain::Culture) == Gains(action.verb()) ? 10 : 0;
  if (action.IsCopy()) return 9;
  if (IsPermanent(action.effect())) return 3;
  return action.effect() == Effect::Attack && action.domain() == Domain::Culture ? -9
         : state.turn % 3 == 0                                                   ? 1
                                                                                 : -1;
}

// A short column is played to, so that nobody reaches Hegemony; a card recovered replaces the one
// played.
int StallerLikes(const State& state, Action action) {
  const Seat me = state.seat;
  if (action == kEnd || action == kSkip) return 0;
  if (action.NamesCard()) {
    const Domain domain = DomainNamed(action);
    const int length = state.Count(me, domain);
    if (!Gains(action.verb())) return domain == Domain::Utopia ? -9 : length;
    if (domain == Domain::Utopia) return length < 4 ? 5 : -9;
    return -length;
  }
  const Effect effect = action.effect();
  if (effect == Effect::Oligarchy || effect == Effect::Republic) return 9;
  if (effect == Effect::Attack)
    return state.Count(me, action.domain()) > 4 || state.discard.Count() < 4 ? 1 : -1;
  return -2;
}

int EnderLikes(Action action) { return action == kEnd ? 1 : 0; }

int Likes(Style style, const State& state, Action action, Domain wanted) {
  switch (style) {
    case Style::Hunter: return HunterLikes(state, action, wanted);
    case Style::Copier: return CopierLikes(state, action);
    case Style::Staller: return StallerLikes(state, action);
    default: return EnderLikes(action);
  }
}

// --- Positions -----------------------------------------------------------------------------------

template <class T>
T OneOf(std::initializer_list<T> items, Random& random) {
  return items.begin()[random.Below(static_cast<uint32_t>(items.size()))];
}

bool Chance(int percent, Random& random) {
  return random.Below(100) < static_cast<uint32_t>(percent);
}

// Cards that are not in the deck and have no place yet.
class Pile {
 public:
  Pile(std::span<const Kind> cards, Random& random) : cards_(cards.begin(), cards.end()) {
    random.Shuffle(std::span(cards_));
  }

  template <class Wanted>
  std::optional<Kind> Take(Wanted wanted) {
    const auto found = std::ranges::find_if(cards_, wanted);
    if (found == cards_.end()) return std::nullopt;
    const Kind kind = *found;
    cards_.erase(found);
    return kind;
  }
  std::optional<Kind> TakeAny() {
    return Take([](Kind) { return true; });
  }
  std::optional<Kind> TakeOf(Domain domain) {
    return Take([=](Kind kind) { return DomainOf(kind) == domain; });
  }
  Cards Rest() const {
    Cards cards;
    for (const Kind kind : cards_) cards += Cards(kind);
    return cards;
  }

 private:
  std::vector<Kind> cards_;
};

Domain AnyDomain(Random& random) { return static_cast<Domain>(random.Below(kDomains)); }
Seat AnySeat(const Public& table, Random& random) {
  return static_cast<Seat>(random.Below(table.config.players));
}
Seat AnyOther(const Public& table, Seat seat, Random& random) {
  return static_cast<Seat>((seat + 1 + random.Below(table.config.players - 1u)) %
                           table.config.players);
}

void FillTables(State& state, Pile& pile, Random& random) {
  const int nearly = (state.config.players == 2 ? 8 : 7) - 1;
  for (Seat seat = 0; seat < state.config.players; ++seat) {
    const auto first = static_cast<int>(random.Below(kDomains));
    for (int d = 0; d < kDomains; ++d)
      for (int wanted = OneOf({0, 0, 1, 2, 3, 4, 5, nearly, nearly + 1}, random); wanted > 0;
           --wanted)
        if (const auto kind = pile.TakeOf(static_cast<Domain>((first + d) % kDomains)))
          AddToTable(state, seat, *kind);
  }
}

void FillHands(State& state, Pile& pile, Random& random) {
  for (Seat seat = 0; seat < state.config.players; ++seat)
    for (int wanted = OneOf({0, 1, 2, 3, 3, 3, 3, 4, 5, 7}, random); wanted > 0; --wanted)
      if (const auto kind = pile.TakeAny()) state.hands[seat] += Cards(*kind);
}

// Often several on one long column, which is then made longer.
void LayDemocracies(State& state, Pile& pile, Random& random) {
  const Seat on = AnySeat(state, random);
  const int threshold = state.config.players == 2 ? 8 : 7;
  Domain domain = AnyDomain(random);
  for (int d = 0; d < kDomains; ++d)
    if (state.Count(on, static_cast<Domain>(d)) > state.Count(on, domain))
      domain = static_cast<Domain>(d);
  for (int wanted = OneOf({0, 0, 1, 2, 3}, random); wanted > 0; --wanted) {
    if (!pile.TakeOf(Domain::Utopia)) return;
    state.democracies[state.democracy_count++] = {on, AnyOther(state, on, random),
                                                  static_cast<uint8_t>(domain)};
    while (state.Count(on, domain) < threshold + state.democracy_count - 1 && Chance(90, random))
      if (const auto kind = pile.TakeOf(domain))
        AddToTable(state, on, *kind);
      else
        break;
  }
}

void LayEmbargoes(State& state, Pile& pile, Random& random) {
  const Seat favourite = AnySeat(state, random);
  for (int by = 0; by < state.config.players; ++by) {
    if (!Chance(40, random)) continue;
    const Seat on = by != favourite && Chance(70, random)
                        ? favourite
                        : AnyOther(state, static_cast<Seat>(by), random);
    const Domain domain = !state.hands[on].Empty() && Chance(70, random)
                              ? DomainOf(state.hands[on].First())
                              : AnyDomain(random);
    if (const auto kind = pile.TakeOf(Domain::Economy))
      LayEmbargo(state, {{on, static_cast<uint8_t>(by), static_cast<uint8_t>(domain)}, *kind});
  }
}

void LayCoin(State& state, Random& random) {
  const Seat owner = AnySeat(state, random);
  bool leads = owner != state.seat;
  for (Seat seat = 0; seat < state.config.players; ++seat)
    leads &=
        seat == owner || state.Count(seat, Domain::Culture) < state.Count(owner, Domain::Culture);
  if (leads)
    state.coin = {owner, AnyOther(state, owner, random),
                  OneOf({Domain::Military, Domain::Economy, Domain::Utopia}, random)};
}

void MarkUsed(State& state, Random& random) {
  for (const Domain domain :
       {Domain::Military, Domain::Religion, Domain::Economy, Domain::Science, Domain::Utopia}) {
    if (Chance(15, random)) state.permanent |= Bit(domain);
    if (Chance(15, random)) state.given_up |= Bit(domain);
  }
  if (state.permanent != 0 && Chance(20, random)) state.permanent |= Bit(Domain::Culture);
  if ((state.permanent & Bit(Domain::Religion)) != 0)
    state.hand_size = OneOf<uint8_t>({5, 7}, random);
}

void SetTurn(State& state, int turn) {
  state.turn = static_cast<uint16_t>(turn);
  state.seat = TurnOf(state);
}

// The deck is what is left at the bottom, and it closes the game if that is nothing.
Pile PutDeck(State& state, int left, Random& random) {
  const Deck deck = ShuffledDeck(state.config.players, random);
  const auto drawn = static_cast<size_t>(deck.size - left);
  state.SetDeck(deck.Span().subspan(drawn));
  if (left == 0)
    state.closing = state.config.edition == Edition::Pt ? AnySeat(state, random)
                                                        : state.Previous(state.config.first);
  return Pile(deck.Span().first(drawn), random);
}

State Begin(Config config, Random& random) {
  config.first = static_cast<Seat>(random.Below(config.players));
  return EmptyState(config);
}

const State& Checked(const State& state, const char* what) {
  if (const Fault fault = Check(state); fault != Fault::None) {
    std::fprintf(stderr, "%s: fault %d\n", what, static_cast<int>(fault));
    std::abort();
  }
  return state;
}

// A few cards in every column; those of one seat are mostly those of the one before.
std::array<std::array<int, kDomains>, kMaxSeats> SimilarColumns(Random& random) {
  std::array<std::array<int, kDomains>, kMaxSeats> columns{};
  for (size_t seat = 0; seat < kMaxSeats; ++seat)
    for (size_t d = 0; d < kDomains; ++d)
      columns[seat][d] = seat == 0 || Chance(40, random) ? static_cast<int>(random.Below(3))
                                                         : columns[seat - 1][d];
  return columns;
}

std::string NameOfConfig(const Config& config) {
  return std::to_string(config.players) + "p-" + std::string(NameOf(config.setup)) + "-" +
         std::string(NameOf(config.edition)) + (config.teams ? "-teams" : "");
}

std::array<Style, kMaxSeats> SameStyle(Style style) { return {style, style, style, style}; }

std::array<Style, kMaxSeats> MixedStyles(Random& random) {
  std::array<Style, kMaxSeats> styles{};
  for (Style& style : styles)
    style = static_cast<Style>(random.Below(kStyles - 1));  // an Ender among others adds little
  return styles;
}

}  // namespace

Action Choose(Style style, const State& state, const ActionSet& legal, Random& random) {
  if (style <= Style::Builder) return civ::Choose(static_cast<Policy>(style), state, legal, random);
  const Domain wanted = Longest(state);
  int best = INT32_MIN;
  uint32_t equals = 0;
  Action chosen = legal[0];
  for (const Action action : legal) {
    const int liking = Likes(style, state, action, wanted);
    if (liking < best) continue;
    equals = liking > best ? 1 : equals + 1;
    best = liking;
    if (random.Below(equals) == 0) chosen = action;
  }
  return chosen;
}

Deck MakeDeck(int players, Order order, Random& random) {
  Deck deck = ShuffledDeck(players, random);
  if (order == Order::Shuffled) return deck;
  std::array<int, kDomains> rank{};
  for (size_t d = 0; d < kDomains; ++d) rank[d] = static_cast<int>(d);
  random.Shuffle(std::span<int>(rank));
  if (order == Order::Culture) rank = {3, 4, 2, 5, 0, 1};
  std::array<int, kDomains> seen{};
  std::vector<std::pair<std::array<int, 4>, Kind>> cards;
  for (const Kind kind : deck.Span()) {
    const auto d = static_cast<size_t>(DomainOf(kind));
    const int round = order == Order::Columns ? seen[d]++ / 2 : 0;
    cards.push_back(
        {{static_cast<int>(AgeOf(kind)), round, rank[d], static_cast<int>(cards.size())}, kind});
  }
  std::ranges::sort(cards, {}, [](const auto& card) { return card.first; });
  for (size_t i = 0; i < cards.size(); ++i) deck.cards[i] = cards[i].second;
  return deck;
}

State MadeUpPosition(const Config& config, Random& random) {
  State state = Begin(config, random);
  const auto few = static_cast<int>(random.Below(12)), some = static_cast<int>(random.Below(40));
  Pile pile = PutDeck(state, OneOf({0, 1, few, few, some, 70}, random), random);
  const int turn = 1 + static_cast<int>(random.Below(200));
  SetTurn(state, turn);
  FillHands(state, pile, random);
  FillTables(state, pile, random);
  LayDemocracies(state, pile, random);
  LayEmbargoes(state, pile, random);
  if (Chance(40, random)) LayCoin(state, random);
  state.discard = pile.Rest();
  const int round = config.players * 20;
  const int idle = OneOf({1, round - 1, round - config.players,
                          static_cast<int>(random.Below(static_cast<uint32_t>(round)))},
                         random);
  state.last_draw = static_cast<uint16_t>(std::max(0, turn - idle));
  state.step = Chance(70, random) ? Step::Play : Step::Effects;
  if (state.step == Step::Effects && Chance(50, random)) MarkUsed(state, random);
  return Checked(state, "made-up position");
}

State TiedPosition(const Config& config, std::string_view decider, Random& random) {
  for (int tries = 0; tries < 100'000; ++tries) {
    State state = Begin(config, random);
    Pile pile = PutDeck(state, 0, random);
    // Some turns after the last card: a game that closes with its first round has had no time to
    // draw them all.
    state.closing = config.edition == Edition::Pt ? AnySeat(state, random) : state.closing;
    SetTurn(state, 100 * config.players + 1 +
                       (config.players + state.closing - state.config.first) % config.players);
    state.last_draw = state.turn;
    state.step = Step::Effects;
    const auto columns = SimilarColumns(random);
    for (Seat seat = 0; seat < config.players; ++seat)
      for (int d = 0; d < kDomains; ++d)
        for (int i = 0; i < columns[seat][static_cast<size_t>(d)]; ++i)
          AddToTable(state, seat, *pile.TakeOf(static_cast<Domain>(d)));
    if (MajorityPlainly(state).decided != decider) continue;
    FillHands(state, pile, random);
    state.discard = pile.Rest();
    return Checked(state, "tied position");
  }
  std::fprintf(stderr, "no position found that %s decides\n", std::string(decider).c_str());
  std::abort();
}

State StalledPosition(const Config& config, Random& random) {
  State state = Begin(config, random);
  Pile pile = PutDeck(state, 3, random);
  for (Seat seat = 0; seat < config.players; ++seat)
    for (int i = 0; i < 3; ++i) {
      AddToTable(state, seat, *pile.TakeOf(Domain::Utopia));
      state.hands[seat] +=
          Cards(*pile.Take([](Kind kind) { return DomainOf(kind) != Domain::Utopia; }));
    }
  state.discard = pile.Rest();
  SetTurn(state, 60);
  state.last_draw = 59;
  state.step = Step::Play;
  return Checked(state, "stalled position");
}

void ForEachStart(int times, const std::function<void(const Start&)>& run) {
  uint64_t seed = 0;
  for (int time = 0; time < times; ++time)
    for (const Config& config : AllConfigs()) {
      const std::string name = NameOfConfig(config);
      const auto begin = [&](std::string_view what, const State& state,
                             std::array<Style, kMaxSeats> styles) {
        run({name + ", " + std::string(what) + ", seed " + std::to_string(seed), state, styles,
             seed});
      };
      const auto deal = [&](std::string_view what, Order order, auto styles) {
        Random random(++seed);
        Config seated = config;
        seated.first = static_cast<Seat>(random.Below(config.players));
        const Deck deck = MakeDeck(config.players, order, random);
        begin(what, New(seated, deck.Span()), styles(random));
      };
      const auto all = [](Style style) { return [=](Random&) { return SameStyle(style); }; };
      deal("shuffled, mixed", Order::Shuffled, MixedStyles);
      deal("sorted, effects", Order::Sorted, all(Style::EffectHappy));
      deal("columns, hunters", Order::Columns, all(Style::Hunter));
      deal("culture, mixed", Order::Culture, [](Random& random) {
        auto styles = MixedStyles(random);
        styles[random.Below(2)] = Style::Copier;
        return styles;
      });
      if (config.setup == Setup::Draft) continue;  // after the draft nothing differs
      for (int i = 0; i < 30; ++i) {
        Random random(++seed);
        const State state = MadeUpPosition(config, random);
        begin("made up", state, MixedStyles(random));
      }
      for (const char* decider : {"points", "U", "C", "S", "E", "R", "M", "shared"}) {
        Random random(++seed);
        if (config.players == 2 && *decider == 'M') continue;
        begin(std::string("decided by ") + decider, TiedPosition(config, decider, random),
              SameStyle(Style::Ender));
      }
      Random random(++seed);
      begin("stalled", StalledPosition(config, random), SameStyle(Style::Staller));
    }
}

int PlayOut(const Start& start, Watcher& watcher) {
  Random random(start.seed);
  Game game(start.state);
  watcher.Begin(game);
  int actions = 0;
  for (; game.state.step != Step::Over && actions < kMostActions; ++actions) {
    const Game before = game;
    const Action action =
        Choose(start.styles[game.state.seat], game.state, Legal(game.state), random);
    game.Apply(action);
    watcher.Step(before, action, game);
  }
  return actions;
}

int Times() {
  const char* value = std::getenv("CIV_LONG");
  return value != nullptr && std::string_view(value) == "1" ? 50 : 1;
}

}  // namespace civ::test
