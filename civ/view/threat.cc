#include "civ/view/threat.h"

#include <algorithm>
#include <bit>

#include "civ/view/turn.h"

namespace civ {
namespace {

constexpr int kMostPositions = 1500;        // hardly any search comes to a tenth of it
constexpr int kMostEffects = 2 * kDomains;  // of a turn: a permanent and a discard effect each

// The levels of a seat's effects that play cards.
int LevelOf(const State& state, Seat seat, Domain domain) {
  return LevelAt(state.config.players, state.Count(seat, domain));
}

// Cards that the effect under way will still let its owner play.
int PlaysUnderWay(const State& state) {
  if (state.step == Step::Play) return 1;
  if (state.choice.verb == Verb::Play) return state.choice.left;
  return state.choice.verb == Verb::Remove || state.choice.verb == Verb::Take
             ? LevelOf(state.choice.effect)
             : 0;
}

// No more cards of a Domain than these can be picked from the discard pile with so many plays: as
// many as the level allows that is there, is made by cards in hand, or is copied; and as lie there
// or are brought there by an Attack.
int MostRecovered(const State& state, Domain domain, int plays) {
  const Seat seat = state.seat;
  if (state.step == Step::Choose && state.choice.verb == Verb::Recover) return state.choice.left;
  if ((state.permanent & Bit(Domain::Utopia)) != 0) return 0;
  const Cards hand = state.hands[seat];
  const int made = std::min(hand.Of(Domain::Utopia).Count(), plays);
  int level = LevelAt(state.config.players, state.Count(seat, Domain::Utopia) + made);
  if ((state.permanent & Bit(Domain::Culture)) == 0)
    for (Seat other = 0; other < state.config.players; ++other)
      level = std::max(level, LevelOf(state, other, Domain::Utopia));
  const bool attacks = (state.given_up & Bit(Domain::Military)) == 0 &&
                       state.Count(seat, Domain::Military) + hand.Of(Domain::Military).Count() > 0;
  return std::min(level, state.discard.Of(domain).Count() + (attacks ? state.config.players : 0));
}

// No more cards than these can be played in the rest of the turn towards a Domain, counting as a
// play each level that is there to be used. To raise a level costs a card that is played for it, so
// that nothing is gained, but where it is a card of the Domain itself. A copy can be better than
// what one has.
int MostPlays(const State& state, Domain towards) {
  int plays = PlaysUnderWay(state), by_copy = 0;
  bool rises = false;
  for (const Domain domain : {Domain::Economy, Domain::Science}) {
    if ((state.permanent & Bit(domain)) != 0) continue;
    const int own = LevelOf(state, state.seat, domain);
    if (domain == towards)
      rises = true;
    else
      plays += own;
    for (Seat seat = 0; seat < state.config.players; ++seat)
      by_copy = std::max(by_copy, LevelOf(state, seat, domain) - own);
  }
  if ((state.permanent & Bit(Domain::Culture)) == 0) plays += by_copy;
  if (!rises) return plays;
  const int cards =
      state.hands[state.seat].Of(towards).Count() + MostRecovered(state, towards, plays);
  return plays +
         LevelAt(state.config.players, state.Count(state.seat, towards) + std::min(cards, plays));
}

// The most cards of a Domain that the seat could have at the end of the turn.
int MostOf(const State& state, Domain domain) {
  const int count = state.Count(state.seat, domain);
  if ((state.Embargoed(state.seat) & Bit(domain)) != 0) return count;
  const int plays = MostPlays(state, domain);
  const int held = state.hands[state.seat].Of(domain).Count();
  return count + std::min(held + MostRecovered(state, domain, plays), plays);
}

// What can bring more cards of a Domain onto the own table: plays, and what lets one play, pick
// cards, or take the lead in Culture. An attack lowers the Culture of others, or brings cards of
// the Domain to the discard pile.
bool Helps(Action action, Domain domain) {
  if (action.NamesCard()) return true;
  if (action == kEnd) return false;
  const Effect effect = action.effect();
  if (!IsPermanent(effect))
    return effect == Effect::Attack &&
           (action.domain() == Domain::Culture || action.domain() == domain);
  return DomainOf(effect) != Domain::Military && DomainOf(effect) != Domain::Religion;
}

// What is done only where nothing else can be: a card of the Domain leaves the table or the hand,
// or one is played that helps nobody.
bool Wastes(Action key, Domain domain) {
  if (!key.NamesCard()) return false;
  if (key.verb() == Verb::Play)
    return key.domain() == Domain::Religion && domain != Domain::Religion;
  return key.verb() != Verb::Recover && key.domain() == domain;
}

// Looks through the rest of a turn for a position in which ending it wins.
class Search {
 public:
  // The actions that lead to such a position, with at most `effects` effects and by looking at no
  // more than `positions`.
  std::optional<std::vector<Action>> WayTo(const State& state, Domain domain,
                                           int effects = kMostEffects,
                                           int positions = kMostPositions) {
    domain_ = domain;
    effects_ = effects;
    need_ = HegemonyNeed(state, state.seat, domain);
    left_ = positions;
    if (MostOf(state, domain) < need_) return std::nullopt;
    seen_.fill(0);
    return Explore(state) ? std::optional(std::move(way_)) : std::nullopt;
  }

  int left() const { return left_; }  // of the positions

 private:
  static constexpr size_t kSlots = 1 << 12;
  static_assert(kMostPositions < static_cast<int>(kSlots));

  // Whether the position is new; remembers it.
  bool Enter(const State& state) {
    const uint64_t hash = HashOf(state) | 1;
    size_t slot = hash >> 52;
    for (; seen_[slot] != 0; slot = (slot + 1) % kSlots)
      if (seen_[slot] == hash) return false;
    seen_[slot] = hash;
    return true;
  }

  bool Explore(const State& state) {
    if (state.step == Step::Effects && state.Count(state.seat, domain_) >= need_) return true;
    if (MostOf(state, domain_) < need_ || left_ == 0 || !Enter(state)) return false;
    --left_;
    const ActionSet legal = Legal(state);
    if (legal.Empty()) return false;  // a choice that the cards known do not suffice for
    const ActionSet keys = Keys(legal);
    for (const bool wanted : {true, false})
      for (const Action key : keys) {
        if (!Helps(key, domain_) || IsWanted(key) != wanted ||
            (keys.Size() > 1 && Wastes(key, domain_)) || (effects_ == 0 && !key.NamesCard()))
          continue;
        if (Leads(state, Oldest(legal, key))) return true;
      }
    return false;
  }

  // Cards of the Domain that come nearer to the table are tried first.
  bool IsWanted(Action key) const {
    return key == Action::Name(Verb::Play, domain_) || key == Action::Name(Verb::Recover, domain_);
  }

  bool Leads(const State& state, Action action) {
    State after = state;
    Apply(after, action);
    way_.push_back(action);
    // How many are used follows from the position, so that each is still looked at once.
    effects_ -= !action.NamesCard();
    if (Explore(after)) return true;
    effects_ += !action.NamesCard();
    way_.pop_back();
    return false;
  }

  Domain domain_{};
  int need_ = 0;
  int left_ = 0;
  int effects_ = 0;
  std::vector<Action> way_;  // to the position under way
  std::array<uint64_t, kSlots> seen_;
};

bool HasTurnLeft(const View& view, Seat of) {
  if (view.turn == 0 || view.step == Step::Over) return false;
  Seat seat = view.seat;
  const Seat closing = ClosingAfterTurn(view, view.hands[seat].Count());
  while (seat != of && seat != closing) seat = view.Next(seat);
  return seat == of;
}

// The table as it is, in the turn of a seat; its hand is still to be filled.
State TurnOfSeat(const View& view, Seat seat) {
  State state{};
  static_cast<Public&>(state) = view;
  if (TurnOf(view) == seat) return state;
  state.seat = seat;
  state.step = Step::Play;
  state.permanent = state.given_up = 0;
  state.choice = kNoChoice;
  return state;
}

// Besides cards of the Domain itself only two others help: one that takes the lead in Culture, and
// one that lets pick cards. That two of them are needed is so rare that it is passed over.
auto HelpersOf(Domain domain) { return std::array{domain, Domain::Culture, Domain::Utopia}; }

// What may lie behind the backs of a hand.
class Unseen {
 public:
  Unseen(const View& view, Seat seat) : known_(view.hands[seat].cards), left_(UnseenIn(view)) {
    for (const Age age : {Age::I, Age::II, Age::III}) {
      backs_[Index(age)] =
          static_cast<uint8_t>(view.hands[seat].backs[Index(age)] - known_.Of(age).Count());
      any_ |= backs_[Index(age)] > 0;
    }
  }

  bool Any() const { return any_; }

  // The hand with one card of the helping Domain, if that can be, and as many of the other as can
  // be.
  Cards Filled(Domain domain, Domain help) const {
    Filling hand{known_, left_, backs_};
    for (const Age age : {Age::I, Age::II, Age::III})
      if (hand.Left(domain, age) == 0 && hand.Add(help, age)) help = domain;
    for (const Age age : {Age::I, Age::II, Age::III})
      if (help != domain && hand.Add(help, age)) help = domain;
    for (const Age age : {Age::I, Age::II, Age::III}) {
      while (hand.Add(domain, age)) continue;
      for (int d = kDomains - 1; d >= 0; --d)
        while (hand.Add(static_cast<Domain>(d), age)) continue;
    }
    return hand.cards;
  }

 private:
  using Copies = std::array<int8_t, kKinds>;

  struct Filling {
    Cards cards;
    Copies left;
    std::array<uint8_t, kAges> backs;

    static int KindOf(Domain domain, Age age) {
      for (int k = 0; k < kKinds; ++k)
        if (DomainOf(static_cast<Kind>(k)) == domain && AgeOf(static_cast<Kind>(k)) == age)
          return k;
      return kKinds;
    }
    int Left(Domain domain, Age age) const {
      const int kind = KindOf(domain, age);
      return kind == kKinds ? 0 : std::max<int>(left[static_cast<size_t>(kind)], 0);
    }
    bool Add(Domain domain, Age age) {
      if (backs[Index(age)] == 0 || Left(domain, age) == 0) return false;
      const int kind = KindOf(domain, age);
      --backs[Index(age)];
      --left[static_cast<size_t>(kind)];
      cards += Cards(static_cast<Kind>(kind));
      return true;
    }
  };

  static size_t Index(Age age) { return static_cast<size_t>(age) - 1; }

  const Cards known_;
  const Copies left_;
  std::array<uint8_t, kAges> backs_{};
  bool any_ = false;
};

// Hands of the seat with which it would best reach Hegemony in a Domain: what is known of its hand,
// or what may lie there besides. Cards that are not known cannot spoil a win: whatever must be
// played in addition takes nothing away.
class Hands {
 public:
  Hands(const View& view, Seat seat, bool proven) : known_(view.hands[seat].cards) {
    if (!proven) unseen_.emplace(view, seat);
  }

  std::vector<Cards> For(Domain domain) const {
    if (!unseen_) return {known_};
    std::vector<Cards> hands;
    if (!unseen_->Any()) return hands;
    for (const Domain help : HelpersOf(domain)) {
      const Cards hand = unseen_->Filled(domain, help);
      if (std::ranges::find(hands, hand) == hands.end()) hands.push_back(hand);
    }
    return hands;
  }

 private:
  const Cards known_;
  std::optional<Unseen> unseen_;
};

// The table as it is, in the turn of a seat; its hand is still to be filled. One that is made up
// need not have the cards that would now have to be named in card order.
State TurnToFill(const View& view, Seat seat, bool proven) {
  State state = TurnOfSeat(view, seat);
  if (!proven) state.choice.from = kNone;
  return state;
}

// The Domains that can be reached: all of them, or the first that is found.
Domains Reached(const View& view, Seat seat, bool proven, bool all) {
  if (!HasTurnLeft(view, seat)) return 0;
  const Hands hands(view, seat, proven);
  State state = TurnToFill(view, seat, proven);
  Search search;
  Domains found = 0;
  for (int d = 0; d < kDomains && (all || found == 0); ++d) {
    const auto domain = static_cast<Domain>(d);
    const bool reached = std::ranges::any_of(hands.For(domain), [&](Cards hand) {
      state.hands[seat] = hand;
      return search.WayTo(state, domain).has_value();
    });
    if (reached) found |= Bit(domain);
  }
  return found;
}

}  // namespace

Domains Reachable(const View& view, Seat seat, bool proven) {
  return Reached(view, seat, proven, true);
}

std::vector<Action> WayToHegemony(const State& state, Domain domain) {
  std::optional<std::vector<Action>> way = Search().WayTo(state, domain);
  if (!way) return {};
  way->push_back(kEnd);
  return *way;
}

bool CanReachHegemony(const State& state, int& positions) {
  Search search;
  for (int d = 0; d < kDomains; ++d) {
    const int most = std::min(positions, kMostPositions);
    const auto way = search.WayTo(state, static_cast<Domain>(d), kMostEffects, most);
    positions -= most - search.left();
    if (way) return true;
  }
  return false;
}

std::optional<Threat> ThreatOf(const View& view, Seat seat) {
  for (const bool proven : {true, false})
    if (const Domains found = Reachable(view, seat, proven); found != 0)
      return Threat{found, proven};
  return std::nullopt;
}

bool Threatens(const View& view, Seat seat, bool proven) {
  return Reached(view, seat, true, false) != 0 ||
         (!proven && Reached(view, seat, false, false) != 0);
}

std::vector<Action> WayOf(const View& view, Seat seat, const Threat& threat) {
  const Hands hands(view, seat, threat.proven);
  State state = TurnToFill(view, seat, threat.proven);
  Search search;
  for (int effects = 0; effects <= kMostEffects; ++effects)
    for (int d = 0; d < kDomains; ++d) {
      const auto domain = static_cast<Domain>(d);
      if ((threat.domains & Bit(domain)) == 0) continue;
      for (const Cards hand : hands.For(domain)) {
        state.hands[seat] = hand;
        if (const auto way = search.WayTo(state, domain, effects)) return *way;
      }
    }
  return {};
}

}  // namespace civ
