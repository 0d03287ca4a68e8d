#include "tests/plain.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "civ/notation/json.h"
#include "civ/notation/notation.h"

namespace civ::test {
namespace {

constexpr std::array kDomainList = {Domain::Military, Domain::Religion, Domain::Economy,
                                    Domain::Science,  Domain::Culture,  Domain::Utopia};

enum class Word : uint8_t {
  Keep,
  Claim,
  Play,
  Skip,
  End,
  Own,
  Copy,
  Attack,
  Inquisition,
  Embargo,
  Breakthrough,
  Democracy,
  DiscardCard,
  DiscardDomain,
  Take,
  Recover,
  Give
};

// Where the cards lie that a permanent effect asks for first.
enum class Place : uint8_t { Nowhere, Hand, Table, Discard };

struct Permanent {
  std::string_view name;
  Domain domain;
  int level;
  Place place;
};
constexpr std::array<Permanent, 10> kPermanents = {
    {{"assassination", Domain::Military, 1, Place::Hand},
     {"purge", Domain::Military, 2, Place::Hand},
     {"holy-book", Domain::Religion, 1, Place::Nowhere},
     {"divine-right", Domain::Religion, 2, Place::Nowhere},
     {"development", Domain::Economy, 1, Place::Table},
     {"monopoly", Domain::Economy, 2, Place::Table},
     {"experiment", Domain::Science, 1, Place::Table},
     {"research", Domain::Science, 2, Place::Table},
     {"oligarchy", Domain::Utopia, 1, Place::Discard},
     {"republic", Domain::Utopia, 2, Place::Discard}}};

const Permanent* FindPermanent(std::string_view name) {
  for (const Permanent& permanent : kPermanents)
    if (permanent.name == name) return &permanent;
  return nullptr;
}

// An action taken apart by its words.
struct Said {
  Word word{};
  Kind card{};
  Domain domain{};
  Seat seat = 0;
  const Permanent* permanent = nullptr;
};

Said Understand(const std::string& text) {
  std::istringstream words(text);
  std::string verb, one, two;
  words >> verb >> one >> two;
  Said said;
  const std::string& last = two.empty() ? one : two;
  if (const auto card = ParseKind(last)) said.card = *card, said.domain = DomainOf(*card);
  if (const auto domain = ParseDomain(last)) said.domain = *domain;
  if (!one.empty() && one[0] >= '0' && one[0] <= '9') said.seat = static_cast<Seat>(one[0] - '0');
  said.permanent = FindPermanent(one.empty() ? verb : one);
  static const std::vector<std::pair<std::string_view, Word>> kWords = {
      {"keep", Word::Keep},
      {"claim", Word::Claim},
      {"play", Word::Play},
      {"skip", Word::Skip},
      {"end", Word::End},
      {"copy", Word::Copy},
      {"attack", Word::Attack},
      {"inquisition", Word::Inquisition},
      {"embargo", Word::Embargo},
      {"breakthrough", Word::Breakthrough},
      {"democracy", Word::Democracy},
      {"discard", Word::DiscardCard},
      {"take", Word::Take},
      {"recover", Word::Recover},
      {"give", Word::Give}};
  said.word = Word::Own;
  for (const auto& [name, word] : kWords)
    if (name == verb) said.word = word;
  if (said.word == Word::DiscardCard && ParseDomain(last)) said.word = Word::DiscardDomain;
  return said;
}

// Everything that can be said (docs/protocol.md).
std::vector<std::string> AllTexts() {
  std::vector<std::string> texts = {"end", "skip", "breakthrough"};
  for (const Permanent& permanent : kPermanents) {
    texts.emplace_back(permanent.name);
    texts.push_back("copy " + std::string(permanent.name));
  }
  for (const char* verb : {"keep ", "play ", "discard ", "take ", "recover ", "give "})
    for (const char* card :
         {"M1", "R1", "E1", "S1", "C1", "M2", "R2", "E2", "S2", "C2", "M3", "E3", "S3", "C3", "U3"})
      texts.push_back(verb + std::string(card));
  for (const char* domain : {"M", "R", "E", "S", "C", "U"}) {
    for (const char* verb : {"claim ", "discard ", "attack "})
      texts.push_back(verb + std::string(domain));
    for (const char* verb : {"embargo ", "democracy "})
      for (const char* seat : {"0 ", "1 ", "2 ", "3 "})
        texts.push_back(verb + std::string(seat) + domain);
  }
  for (const char* seat : {"0", "1", "2", "3"}) texts.push_back("inquisition " + std::string(seat));
  return texts;
}

const Said& Meaning(Action action) {
  static const std::array<Said, 256> kMeanings = [] {
    std::array<Said, 256> meanings{};
    for (const std::string& text : AllTexts())
      meanings[ParseAction(text).value().code] = Understand(text);
    return meanings;
  }();
  return kMeanings[action.code];
}

Seat Left(const Public& table, Seat seat) {
  return static_cast<Seat>((seat + 1) % table.config.players);
}
Seat Right(const Public& table, Seat seat) {
  return static_cast<Seat>((seat + table.config.players - 1) % table.config.players);
}
bool Used(Domains domains, Domain domain) { return (domains >> static_cast<int>(domain) & 1) != 0; }
void Use(Domains& domains, Domain domain) {
  domains = static_cast<Domains>(domains | 1 << static_cast<int>(domain));
}

// Every card by itself, in card order.
std::vector<Kind> Spread(Cards cards) {
  std::vector<Kind> list;
  for (int k = 0; k < kKinds; ++k)
    for (int i = 0; i < cards[static_cast<Kind>(k)]; ++i) list.push_back(static_cast<Kind>(k));
  return list;
}
int Size(Cards cards) { return static_cast<int>(Spread(cards).size()); }

bool UnderEmbargo(const Public& table, Domain domain) {
  for (int i = 0; i < table.embargo_count; ++i)
    if (table.embargoes[i].seat == table.seat &&
        table.embargoes[i].domain == static_cast<int>(domain))
      return true;
  return false;
}

Cards PlayablePlainly(const State& state) {
  Cards playable;
  for (const Kind kind : Spread(state.hands[state.seat]))
    if (!UnderEmbargo(state, DomainOf(kind))) playable += Cards(kind);
  return playable;
}

bool HasLevel(const Public& table, Seat seat, const Permanent& effect) {
  return CountPlainly(table, seat, effect.domain) >=
         LevelNeedPlainly(table.config.players, effect.level);
}

bool LeadsCulture(const Public& table) {
  for (Seat seat = 0; seat < table.config.players; ++seat)
    if (seat != table.seat && CountPlainly(table, seat, Domain::Culture) >=
                                  CountPlainly(table, table.seat, Domain::Culture))
      return false;
  return true;
}

// Ruling 1: what is asked for first must be possible in full.
bool CanBegin(const State& state, const Permanent& effect) {
  switch (effect.place) {
    case Place::Hand: return Size(state.hands[state.seat]) >= effect.level;
    case Place::Table: return Size(state.tables[state.seat]) >= effect.level;
    case Place::Discard: return Size(state.discard) >= effect.level;
    case Place::Nowhere: break;
  }
  return true;
}

bool MayUse(const State& state, const Said& said) {
  const Seat me = state.seat;
  const int players = state.config.players;
  const auto gives_up = [&](Domain domain) {
    return !Used(state.given_up, domain) && CountPlainly(state, me, domain) > 0;
  };
  const auto aims = [&] { return said.seat < players && said.seat != me; };
  switch (said.word) {
    case Word::End: return true;
    case Word::Own:
      return !Used(state.permanent, said.permanent->domain) &&
             HasLevel(state, me, *said.permanent) && CanBegin(state, *said.permanent);
    case Word::Copy: {
      bool other_has = false;
      for (Seat seat = 0; seat < players; ++seat)
        other_has |= seat != me && HasLevel(state, seat, *said.permanent);
      return other_has && LeadsCulture(state) && !Used(state.permanent, Domain::Culture) &&
             !Used(state.permanent, said.permanent->domain) &&
             !HasLevel(state, me, *said.permanent) && CanBegin(state, *said.permanent);
    }
    case Word::Attack:
      return gives_up(Domain::Military) &&
             CountPlainly(state, me, said.domain) - (said.domain == Domain::Military) > 0;
    case Word::Inquisition: return gives_up(Domain::Religion) && aims();
    case Word::Breakthrough: return gives_up(Domain::Science);
    case Word::Embargo:
      return gives_up(Domain::Economy) && aims() && CountPlainly(state, said.seat, said.domain) > 0;
    case Word::Democracy:
      return gives_up(Domain::Utopia) && aims() && CountPlainly(state, said.seat, said.domain) > 0;
    default: return false;
  }
}

// Named in order, and enough must be left at or after it.
bool MayName(const State& state, const Said& said) {
  const Choice& choice = state.choice;
  const Cards hand = state.hands[state.seat];
  if (choice.verb == Verb::Remove) {
    if (said.word != Word::DiscardDomain || CountPlainly(state, state.seat, said.domain) == 0)
      return false;
    int enough = 0;
    for (int d = static_cast<int>(said.domain); d < kDomains; ++d)
      enough += CountPlainly(state, state.seat, static_cast<Domain>(d));
    return (choice.from == kNone || static_cast<int>(said.domain) >= choice.from) &&
           enough >= choice.left;
  }
  Cards source;
  switch (choice.verb) {
    case Verb::Discard:
      if (said.word != Word::DiscardCard) return false;
      source = hand;
      break;
    case Verb::Take:
      if (said.word != Word::Take) return false;
      source = state.tables[state.seat];
      break;
    case Verb::Recover:
      if (said.word != Word::Recover) return false;
      source = state.discard;
      break;
    case Verb::Give:
      if (said.word != Word::Give) return false;
      source = hand;
      break;
    case Verb::Play:
      if (said.word != Word::Play) return false;
      source = PlayablePlainly(state);
      break;
    default: return false;
  }
  const std::vector<Kind> cards = Spread(source);
  const auto at_or_after =
      std::ranges::count_if(cards, [&](Kind kind) { return kind >= said.card; });
  return source[said.card] > 0 &&
         (choice.from == kNone || static_cast<int>(said.card) >= choice.from) &&
         at_or_after >= choice.left;
}

// --- Doing it ------------------------------------------------------------------------------------

void Move(Cards& from, Cards& to, Kind kind) {
  from -= Cards(kind);
  to += Cards(kind);
}

// Ruling 2: the oldest Age goes first.
Kind Oldest(Cards table, Domain domain) {
  for (const Kind kind : Spread(table))
    if (DomainOf(kind) == domain) return kind;
  return {};
}

void DrawPlainly(State& state, int wanted) {
  for (; wanted > 0 && state.deck_size > 0; --wanted) {
    state.hands[state.seat] += Cards(state.DeckCard(state.deck_size - 1));
    state.deck_size--;
    state.last_draw = state.turn;
    if (state.deck_size == 0)
      state.closing =
          Right(state, state.config.edition == Edition::Pt ? state.seat : state.config.first);
  }
}

bool HasHegemony(const Public& table, Seat seat) {
  return std::ranges::any_of(kDomainList, [&](Domain domain) {
    return CountPlainly(table, seat, domain) >= HegemonyNeedPlainly(table, seat, domain);
  });
}

void BeginPlainly(State& state, Seat seat) {
  state.turn++;
  state.seat = seat;
  state.step = Step::Play;
  state.hand_size = 3;
  state.permanent = state.given_up = 0;
  if (state.coin.owner == seat) state.coin = {};
}

// Ruling 12.
void EndPlainly(State& state) {
  DrawPlainly(state, state.hand_size - Size(state.hands[state.seat]));
  std::vector<Embargo> kept;
  for (int i = 0; i < state.embargo_count; ++i) {
    if (state.embargoes[i].seat == state.seat)
      state.discard += Cards(state.embargoes[i].card);
    else
      kept.push_back(state.embargoes[i]);
  }
  std::ranges::copy(kept, state.embargoes.begin());
  state.embargo_count = static_cast<uint8_t>(kept.size());
  const Seat next = Left(state, state.seat);
  const bool closed = state.deck_size == 0 && state.seat == state.closing;
  const bool idle =
      next == state.config.first && state.turn - state.last_draw >= 20 * state.config.players;
  if (!HasHegemony(state, state.seat) && !closed && !idle) return BeginPlainly(state, next);
  state.step = Step::Over;
  state.seat = kNone;
}

void AskPlainly(State& state, Effect effect, Verb verb, int left, Seat target = kNone) {
  state.step = left > 0 ? Step::Choose : Step::Effects;
  state.choice =
      left > 0 ? Choice{effect, verb, static_cast<uint8_t>(left), kNone, target} : kNoChoice;
}

void NamedPlainly(State& state, uint8_t what) {
  const Choice choice = state.choice;
  state.choice.from = what;
  if (--state.choice.left > 0) return;
  const Permanent* effect = FindPermanent(NameOf(choice.effect));
  const bool then_play = choice.verb == Verb::Remove || choice.verb == Verb::Take;
  AskPlainly(state, choice.effect, Verb::Play,
             then_play ? std::min(effect->level, Size(PlayablePlainly(state))) : 0);
}

void UsePlainly(State& state, const Permanent& effect) {
  Use(state.permanent, effect.domain);
  const Effect which = *ParseEffect(effect.name);
  switch (effect.domain) {
    case Domain::Military: return AskPlainly(state, which, Verb::Discard, effect.level);
    case Domain::Religion: state.hand_size = effect.level == 1 ? 5 : 7; return;
    case Domain::Economy: return AskPlainly(state, which, Verb::Remove, effect.level);
    case Domain::Science: return AskPlainly(state, which, Verb::Take, effect.level);
    default: return AskPlainly(state, which, Verb::Recover, effect.level);
  }
}

void GiveUp(State& state, Domain domain) {
  Use(state.given_up, domain);
  Move(state.tables[state.seat], state.discard, Oldest(state.tables[state.seat], domain));
}

// Embargo or Democracy: the card does not go to the discard pile.
FaceDown LayDown(State& state, const Said& said, Domain cost, Kind& card) {
  Use(state.given_up, cost);
  card = Oldest(state.tables[state.seat], cost);
  state.tables[state.seat] -= Cards(card);
  return {said.seat, state.seat, static_cast<uint8_t>(said.domain)};
}

void KeepPlainly(State& state, Kind kind) {
  const int players = state.config.players;
  state.packs[state.seat] = Cards(state.packs[state.seat]) - Cards(kind);
  state.hands[state.seat] += Cards(kind);
  state.seat = Left(state, state.seat);
  if (state.seat != state.config.first) return;
  if (Size(state.hands[0]) < 3) {
    const auto packs = state.packs;
    for (Seat seat = 0; seat < players; ++seat) state.packs[Left(state, seat)] = packs[seat];
    return;
  }
  Cards centre;
  for (Seat seat = 0; seat < players; ++seat) {
    centre += state.packs[seat];
    state.packs[seat] = Cards();
  }
  state.centre = centre;
  state.step = Step::Claim;
  if (state.config.edition != Edition::Es) state.seat = Right(state, state.config.first);
}

void ClaimPlainly(State& state, Domain domain) {
  Cards centre = state.centre;
  Move(centre, state.tables[state.seat], Oldest(centre, domain));
  state.centre = centre;
  state.seat =
      state.config.edition == Edition::Es ? Left(state, state.seat) : Right(state, state.seat);
  if (Size(centre) == 0) BeginPlainly(state, state.config.first);
}

void Do(State& state, const Said& said) {
  const Seat me = state.seat;
  Cards& hand = state.hands[me];
  Cards& table = state.tables[me];
  Kind card{};
  switch (said.word) {
    case Word::Keep: return KeepPlainly(state, said.card);
    case Word::Claim: return ClaimPlainly(state, said.domain);
    case Word::Skip: state.step = Step::Effects; return;
    case Word::Play:
      Move(hand, table, said.card);
      if (state.step == Step::Choose) return NamedPlainly(state, static_cast<uint8_t>(said.card));
      state.step = Step::Effects;
      return;
    case Word::End: return EndPlainly(state);
    case Word::Own: return UsePlainly(state, *said.permanent);
    case Word::Copy: {
      Seat owner = Left(state, me);
      while (!HasLevel(state, owner, *said.permanent)) owner = Left(state, owner);
      state.coin = {me, owner, said.permanent->domain};
      Use(state.permanent, Domain::Culture);
      return UsePlainly(state, *said.permanent);
    }
    case Word::Attack:
      GiveUp(state, Domain::Military);
      for (Seat seat = 0; seat < state.config.players; ++seat)
        if (CountPlainly(state, seat, said.domain) > 0)
          Move(state.tables[seat], state.discard, Oldest(state.tables[seat], said.domain));
      return;
    case Word::Inquisition: {
      GiveUp(state, Domain::Religion);
      const int taken = Size(state.hands[said.seat]);
      hand += state.hands[said.seat];
      state.hands[said.seat] = Cards();
      return AskPlainly(state, Effect::Inquisition, Verb::Give, taken,
                        taken > 0 ? said.seat : kNone);
    }
    case Word::Breakthrough: {
      GiveUp(state, Domain::Science);
      const int before = Size(hand);
      DrawPlainly(state, 5);
      return AskPlainly(state, Effect::Breakthrough, Verb::Discard, Size(hand) - before);
    }
    case Word::Embargo: {
      const FaceDown laid = LayDown(state, said, Domain::Economy, card);
      state.embargoes[state.embargo_count++] = {laid, card};
      return;
    }
    case Word::Democracy:
      state.democracies[state.democracy_count++] = LayDown(state, said, Domain::Utopia, card);
      return;
    case Word::DiscardCard: Move(hand, state.discard, said.card); break;
    case Word::DiscardDomain:
      Move(table, state.discard, Oldest(table, said.domain));
      return NamedPlainly(state, static_cast<uint8_t>(said.domain));
    case Word::Take: Move(table, hand, said.card); break;
    case Word::Recover: Move(state.discard, hand, said.card); break;
    case Word::Give: Move(hand, state.hands[state.choice.target], said.card); break;
  }
  NamedPlainly(state, static_cast<uint8_t>(said.card));
}

// The coin goes back when another player's Culture equals or passes its owner's; in edition ro,
// when it passes.
void LookAtCoin(State& state) {
  if (state.coin.owner == kNone) return;
  const int own = CountPlainly(state, state.coin.owner, Domain::Culture);
  for (Seat seat = 0; seat < state.config.players; ++seat) {
    const int other = CountPlainly(state, seat, Domain::Culture);
    if (seat != state.coin.owner &&
        (other > own || (other == own && state.config.edition != Edition::Ro))) {
      state.coin = {};
      return;
    }
  }
}

std::string Show(Cards cards) {
  std::string text;
  for (const Kind kind : Spread(cards)) (text += ' ') += NameOf(kind);
  return "[" + text + " ]";
}

std::string Differ(std::string_view what, int index, const std::string& a, const std::string& b) {
  return a == b ? "" : std::string(what) + " " + std::to_string(index) + ": " + a + " and " + b;
}
std::string Differ(std::string_view what, int index, Cards a, Cards b) {
  return a == b ? "" : Differ(what, index, Show(a), Show(b));
}
std::string Differ(std::string_view what, int a, int b) {
  return a == b ? "" : Differ(what, 0, std::to_string(a), std::to_string(b));
}

std::string DifferentFaceDown(const Public& a, const Public& b) {
  std::string wrong = Differ("number of embargoes", a.embargo_count, b.embargo_count) +
                      Differ("number of democracies", a.democracy_count, b.democracy_count);
  if (!wrong.empty()) return wrong;
  for (int i = 0; i < a.embargo_count; ++i)
    if (!(a.embargoes[i] == b.embargoes[i])) return "embargo " + std::to_string(i);
  for (int i = 0; i < a.democracy_count; ++i)
    if (!(a.democracies[i] == b.democracies[i])) return "democracy " + std::to_string(i);
  return {};
}

}  // namespace

const std::vector<Action>& AllActions() {
  static const std::vector<Action> kActions = [] {
    std::vector<Action> actions;
    for (const std::string& text : AllTexts()) actions.push_back(ParseAction(text).value());
    return actions;
  }();
  return kActions;
}

bool MayPlainly(const State& state, Action action) {
  const Said& said = Meaning(action);
  switch (state.step) {
    case Step::Draft:
      return said.word == Word::Keep && Cards(state.packs[state.seat])[said.card] > 0;
    case Step::Claim:
      return said.word == Word::Claim && Size(Cards(state.centre).Of(said.domain)) > 0;
    case Step::Play:
      if (said.word == Word::Skip) return Size(PlayablePlainly(state)) == 0;
      return said.word == Word::Play && PlayablePlainly(state)[said.card] > 0;
    case Step::Effects: return MayUse(state, said);
    case Step::Choose: return MayName(state, said);
    case Step::Over: break;
  }
  return false;
}

State ApplyPlainly(State state, Action action) {
  Do(state, Meaning(action));
  LookAtCoin(state);
  return state;
}

int CountPlainly(const Public& table, Seat seat, Domain domain) {
  static const std::array<std::vector<Kind>, kDomains> kKindsOf = [] {  // by their letters
    std::array<std::vector<Kind>, kDomains> kinds;
    for (int k = 0; k < kKinds; ++k)
      kinds[std::string_view("MRESCU").find(NameOf(static_cast<Kind>(k))[0])].push_back(
          static_cast<Kind>(k));
    return kinds;
  }();
  int count = 0;
  for (const Kind kind : kKindsOf[static_cast<size_t>(domain)]) count += table.tables[seat][kind];
  return count;
}

int LevelNeedPlainly(int players, int level) { return players == 4 ? 2 * level : 2 * level + 1; }

int HegemonyNeedPlainly(const Public& table, Seat seat, Domain domain) {
  int need = table.config.players == 2 ? 8 : 7;
  for (int i = 0; i < table.democracy_count; ++i)
    need += table.democracies[i].seat == seat &&
            table.democracies[i].domain == static_cast<int>(domain);
  return need;
}

Tally MajorityPlainly(const Public& table) {
  const int players = table.config.players;
  const bool teams = table.config.teams;
  const int sides = teams ? 2 : players;
  const auto members = [&](int side) {
    return teams ? std::vector<int>{side, side + 2} : std::vector<int>{side};
  };
  Tally tally;
  for (const Domain domain : kDomainList) {
    int most = 0;
    for (Seat seat = 0; seat < players; ++seat)
      most = std::max(most, CountPlainly(table, seat, domain));
    for (int side = 0; most > 0 && side < sides; ++side) {
      const std::vector<int> seats = members(side);
      tally.outcome.points[side] += std::ranges::any_of(seats, [&](int seat) {
        return CountPlainly(table, static_cast<Seat>(seat), domain) == most;
      });
    }
  }
  std::vector<int> leaders(sides);
  for (int side = 0; side < sides; ++side) leaders[side] = side;
  const auto keep_best = [&](auto score) {
    int best = -1;
    for (const int side : leaders) best = std::max(best, score(side));
    std::erase_if(leaders, [&](int side) { return score(side) < best; });
  };
  keep_best([&](int side) { return int{tally.outcome.points[side]}; });
  tally.decided = "points";
  for (const char letter : std::string_view("UCSERM")) {
    if (leaders.size() == 1) break;
    const Domain domain = *ParseDomain(std::string_view(&letter, 1));
    keep_best([&](int side) {
      int sum = 0;
      for (const int seat : members(side))
        sum += CountPlainly(table, static_cast<Seat>(seat), domain);
      return sum;
    });
    tally.decided = letter;
  }
  if (leaders.size() > 1) tally.decided = "shared";
  for (const int side : leaders)
    for (const int seat : members(side))
      tally.outcome.winners = static_cast<uint8_t>(tally.outcome.winners | 1 << seat);
  return tally;
}

Outcome ResultPlainly(const Public& table) {
  const auto last = static_cast<Seat>((table.config.first + table.turn - 1) % table.config.players);
  for (const Domain domain : kDomainList)
    if (CountPlainly(table, last, domain) >= HegemonyNeedPlainly(table, last, domain)) {
      const int partner = table.config.teams ? 1 << (last + 2) % 4 : 0;
      return {static_cast<uint8_t>(1 << last | partner), true, domain, {}};
    }
  return MajorityPlainly(table).outcome;
}

void PlainKnowledge::Observe(const State& before, Action action) {
  const Said& said = Meaning(action);
  const Seat me = before.seat;
  const auto forget_one = [&](Cards& cards) {
    if (cards[said.card] > 0) cards -= Cards(said.card);
  };
  switch (said.word) {
    case Word::Take:
    case Word::Recover:
      for (Seat observer = 0; observer < kObservers; ++observer)
        if (observer != me) known[me][observer] += Cards(said.card);
      return;
    case Word::Play:
    case Word::DiscardCard:
      for (Cards& cards : known[me]) forget_one(cards);
      return;
    case Word::Inquisition:
      if (Size(before.hands[said.seat]) == 0) return;
      for (Seat observer = 0; observer < kObservers; ++observer) {
        if (observer == said.seat)
          known[me][observer] += before.hands[said.seat];
        else
          known[me][observer] = Cards();
        known[said.seat][observer] = Cards();
      }
      return;
    case Word::Give:
      forget_one(known[me][before.choice.target]);
      known[before.choice.target][me] += Cards(said.card);
      return;
    default: return;
  }
}

std::string Difference(const Public& a, const Public& b) {
  if (!(a.config == b.config)) return "config";
  for (Seat seat = 0; seat < a.config.players; ++seat)
    if (const auto wrong = Differ("table", seat, a.tables[seat], b.tables[seat]); !wrong.empty())
      return wrong;
  std::string wrong = Differ("discard pile", 0, a.discard, b.discard) +
                      Differ("centre", 0, Cards(a.centre), Cards(b.centre)) +
                      Differ("step", static_cast<int>(a.step), static_cast<int>(b.step)) +
                      Differ("seat", a.seat, b.seat) + Differ("turn", a.turn, b.turn) +
                      Differ("last draw", a.last_draw, b.last_draw) +
                      Differ("deck size", a.deck_size, b.deck_size) +
                      Differ("hand size", a.hand_size, b.hand_size) +
                      Differ("permanent", a.permanent, b.permanent) +
                      Differ("given up", a.given_up, b.given_up) +
                      Differ("closing", a.closing, b.closing) + DifferentFaceDown(a, b);
  if (!(a.coin == b.coin)) wrong += "coin";
  if (!(a.choice == b.choice)) wrong += "choice";
  return wrong;
}

std::string Difference(const State& a, const State& b) {
  if (const auto wrong = Difference(static_cast<const Public&>(a), static_cast<const Public&>(b));
      !wrong.empty())
    return wrong;
  for (Seat seat = 0; seat < a.config.players; ++seat) {
    const auto wrong = Differ("hand", seat, a.hands[seat], b.hands[seat]) +
                       Differ("pack", seat, Cards(a.packs[seat]), Cards(b.packs[seat]));
    if (!wrong.empty()) return wrong;
  }
  for (int i = 0; i < a.deck_size; ++i)
    if (a.DeckCard(i) != b.DeckCard(i)) return "deck";
  return {};
}

std::string Difference(const View& a, const View& b) {
  if (const auto wrong = Difference(static_cast<const Public&>(a), static_cast<const Public&>(b));
      !wrong.empty())
    return wrong;
  std::string wrong =
      Differ("viewer", a.viewer, b.viewer) + Differ("deck top", a.deck_top, b.deck_top);
  for (Seat seat = 0; seat < a.config.players; ++seat) {
    if (!(a.hands[seat] == b.hands[seat])) wrong += "hand " + std::to_string(seat);
    if (!(a.packs[seat] == b.packs[seat])) wrong += "pack " + std::to_string(seat);
  }
  return wrong;
}

std::string WrongDerived(const Public& table) {
  const int players = table.config.players;
  const std::pair<Mark, int> needs[] = {{Mark::Level1, LevelNeedPlainly(players, 1)},
                                        {Mark::Level2, LevelNeedPlainly(players, 2)},
                                        {Mark::Hegemony, players == 2 ? 8 : 7}};
  Seat lead = kNone;
  for (Seat seat = 0; seat < kMaxSeats; ++seat) {
    bool leads = seat < players;
    for (const Domain domain : kDomainList) {
      const std::string where =
          " of seat " + std::to_string(seat) + " in " + std::string(NameOf(domain));
      const int count = seat < players ? CountPlainly(table, seat, domain) : 0;
      if (table.Count(seat, domain) != count) return "count" + where;
      if (Used(table.Present(seat), domain) != (count > 0)) return "present" + where;
      for (const auto& [mark, need] : needs)
        if (Used(table.At(mark, seat), domain) != (count >= need))
          return "mark at " + std::to_string(need) + where;
      bool embargoed = false;
      for (int i = 0; i < table.embargo_count; ++i)
        embargoed |= table.embargoes[i].seat == seat &&
                     table.embargoes[i].domain == static_cast<int>(domain);
      if (Used(table.Embargoed(seat), domain) != embargoed) return "embargoed" + where;
    }
    for (Seat other = 0; other < players; ++other)
      leads &= other == seat || CountPlainly(table, seat, Domain::Culture) >
                                    CountPlainly(table, other, Domain::Culture);
    if (leads) lead = seat;
  }
  return table.culture_lead == lead ? ""
                                    : "culture lead is " + std::to_string(table.culture_lead) +
                                          ", not " + std::to_string(lead);
}

}  // namespace civ::test
