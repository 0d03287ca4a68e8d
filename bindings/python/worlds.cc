#include "bindings/python/worlds.h"

#include <algorithm>
#include <optional>

namespace civ {
namespace {

int PlacesBefore(int players, Age age) {
  int before = 0;
  for (int earlier = 1; earlier < static_cast<int>(age); ++earlier)
    before += DeckSize(players, static_cast<Age>(earlier));
  return before;
}

// From 0 to 1.
double Real(Random& random) { return random.Next() * 0x1p-32; }

int AnyOf(const std::bitset<kCards>& places, Random& random) {
  auto index = static_cast<int>(random.Below(static_cast<uint32_t>(places.count())));
  for (size_t place = 0;; ++place)
    if (places[place] && index-- == 0) return static_cast<int>(place);
}

Kind NthOf(Cards cards, int index) {
  for (; index > 0; --index) cards -= Cards(cards.First());
  return cards.First();
}

// How many cards the deciding seat could play, where an action has shown that it had too few.
std::optional<int> PlayableSeen(const View& before, const Sight& sight) {
  if (sight.action == kSkip) return 0;
  const Choice& choice = before.choice;
  if (before.step != Step::Choose || choice.left != 1) return std::nullopt;
  if (choice.verb != Verb::Remove && choice.verb != Verb::Take) return std::nullopt;
  const int playable = sight.after.step == Step::Choose ? sight.after.choice.left : 0;
  return playable < LevelOf(choice.effect) ? std::optional(playable) : std::nullopt;
}

}  // namespace

Age AgeAt(int players, int place) {
  return place < PlacesBefore(players, Age::II)    ? Age::I
         : place < PlacesBefore(players, Age::III) ? Age::II
                                                   : Age::III;
}

World::World(const View& start, Random& random) : players_(start.config.players) {
  std::ranges::copy(kCopies, left_.begin());
  const Holder to = start.step == Step::Draft ? kPacks : 0;
  const int each = (DeckSize(players_) - start.deck_size) / players_;
  Seat seat = start.config.first;
  for (int i = 0; i < players_; ++i, seat = start.Next(seat)) Draw(to + seat, each);
  const auto& dealt = start.step == Step::Draft ? start.packs : start.hands;
  Show(to + start.viewer, dealt[start.viewer].cards, random);
}

// --- Cards that are not known --------------------------------------------------------------------

World::Places World::Unknown(Holder holder, Age age) const {
  const auto count = static_cast<size_t>(DeckSize(players_, age));
  const auto before = static_cast<size_t>(PlacesBefore(players_, age));
  return unknown_[holder] & (~Places() >> (kCards - count) << before);
}

// That an unknown card of its Age is of this kind.
double World::Chance(Kind kind) const {
  int all = 0;
  for (size_t k = 0; k < kKinds; ++k)
    if (AgeOf(static_cast<Kind>(k)) == AgeOf(kind)) all += left_[k];
  return all == 0 ? 0 : static_cast<double>(left_[static_cast<size_t>(kind)]) / all;
}

void World::Name(Holder holder, int place, Kind kind) {
  --left_[static_cast<size_t>(kind)];
  kinds_[static_cast<size_t>(place)] = kind;
  named_.set(static_cast<size_t>(place));
  unknown_[holder].reset(static_cast<size_t>(place));
}

void World::NameOneOf(Holder holder, int place, Domains domains, Random& random) {
  double chance = 0;
  const auto each = [&](auto what) {
    for (int k = 0; k < kKinds; ++k)
      if (const auto kind = static_cast<Kind>(k);
          AgeOf(kind) == AgeAt(players_, place) && (domains & Bit(DomainOf(kind))) != 0)
        what(kind);
  };
  each([&](Kind kind) { chance += Chance(kind); });
  weight_ *= chance;
  if (chance == 0) return;
  double rest = Real(random) * chance;
  std::optional<Kind> named;
  each([&](Kind kind) {
    if (rest >= 0 && Chance(kind) > 0) named = kind;
    rest -= Chance(kind);
  });
  Name(holder, place, *named);
  known_[holder] += Cards(*named);
}

void World::Draw(Holder holder, int cards) {
  for (; cards > 0; --cards) unknown_[holder].set(static_cast<size_t>(drawn_++));
}

void World::Unite(Holder from, Holder to) {
  unknown_[to] |= unknown_[from];
  known_[to] += known_[from];
  unknown_[from].reset();
  known_[from] = {};
}

// --- What is learnt about them -------------------------------------------------------------------

// The player sees that these are the cards there.
void World::Show(Holder holder, Cards cards, Random& random) {
  for (int k = 0; k < kKinds; ++k) {
    const auto kind = static_cast<Kind>(k);
    const int more = cards[kind] - known_[holder][kind];
    if (more < 0) weight_ = 0;
    for (int i = 1; i <= more; ++i) {
      const Places places = Unknown(holder, AgeOf(kind));
      weight_ *= static_cast<double>(places.count()) * Chance(kind) / i;
      if (weight_ == 0) return;
      Name(holder, AnyOf(places, random), kind);
    }
  }
  known_[holder] = cards;
}

// A card goes where all see it.
void World::Leave(Holder holder, Kind kind, Random& random) {
  const Places places = Unknown(holder, AgeOf(kind));
  const double known = known_[holder][kind];
  const double both = known + static_cast<double>(places.count()) * Chance(kind);
  weight_ *= both;
  if (weight_ == 0) return;
  if (Real(random) * both < known)
    known_[holder] -= Cards(kind);
  else
    Name(holder, AnyOf(places, random), kind);
}

// A card goes from one to another, and only its back is seen.
void World::Move(Holder from, Holder to, Age age, Random& random) {
  const Places places = Unknown(from, age);
  const Cards known = known_[from].Of(age);
  const int all = known.Count() + static_cast<int>(places.count());
  if (all == 0) {
    weight_ = 0;
    return;
  }
  const auto index = static_cast<int>(random.Below(static_cast<uint32_t>(all)));
  if (index < known.Count()) {
    const Kind kind = NthOf(known, index);
    known_[from] -= Cards(kind);
    known_[to] += Cards(kind);
    moved_.push_back({kKnown, kind});
    return;
  }
  const int place = AnyOf(places, random);
  unknown_[from].reset(static_cast<size_t>(place));
  unknown_[to].set(static_cast<size_t>(place));
  moved_.push_back({place, Kind{}});
}

// A hand has exactly so many cards of these Domains.
void World::CountPlayable(Seat seat, Domains domains, int count, Random& random) {
  int wanted = count - known_[seat].Of(domains).Count();
  const Places places = unknown_[seat];
  auto left = static_cast<int>(places.count());
  if (wanted < 0 || wanted > left) weight_ = 0;
  for (int place = 0; place < drawn_ && weight_ > 0; ++place) {
    if (!places[static_cast<size_t>(place)]) continue;
    const bool playable = static_cast<int>(random.Below(static_cast<uint32_t>(left))) < wanted;
    weight_ *= static_cast<double>(left) / (playable ? wanted : left - wanted);
    NameOneOf(seat, place, playable ? domains : static_cast<Domains>(kAllDomains & ~domains),
              random);
    --left;
    wanted -= playable;
  }
}

// --- Actions -------------------------------------------------------------------------------------

void World::WatchKeep(const View& before, const Sight& sight, Random& random) {
  const Seat seat = before.seat;
  if (sight.hidden) {
    Move(kPacks + seat, seat, Age::I, random);
  } else {
    Leave(kPacks + seat, sight.action.kind(), random);
    known_[seat] += Cards(sight.action.kind());
  }
  // When all have kept, packs are passed to the left, and the last cards are laid open.
  if (before.Next(seat) != before.config.first) return;
  if (sight.after.step == Step::Draft) {
    const auto rotate = [&](auto& holders) {
      const auto begin = holders.begin() + kPacks;
      std::rotate(begin, begin + players_ - 1, begin + players_);
    };
    rotate(unknown_);
    rotate(known_);
    Show(kPacks + before.viewer, sight.after.packs[before.viewer].cards, random);
  } else {
    for (Holder pack = kPacks; pack < kCentre; ++pack) Unite(pack, kCentre);
    Show(kCentre, sight.after.centre, random);
  }
}

void World::WatchCard(const View& before, const Sight& sight, Random& random) {
  const Seat seat = before.seat, target = before.choice.target;
  const Kind kind = sight.action.kind();
  switch (sight.action.verb()) {
    case Verb::Keep: return WatchKeep(before, sight, random);
    case Verb::Take:
    case Verb::Recover: known_[seat] += Cards(kind); return;
    case Verb::Play:
    case Verb::Discard: return Leave(seat, kind, random);
    case Verb::Give:
      if (sight.hidden) return Move(seat, target, AgeOf(kind), random);
      Leave(seat, kind, random);
      known_[target] += Cards(kind);
      return;
    case Verb::Remove:
    case Verb::Claim: return;
  }
}

void World::Watch(const View& before, const Sight& sight, Random& random) {
  if (weight_ == 0) return;
  const Seat seat = before.seat, player = before.viewer;
  const Action action = sight.action;
  if (action.NamesCard() && action != kSkip) {
    WatchCard(before, sight, random);
  } else if (!action.NamesCard() && action.effect() == Effect::Inquisition) {
    if (seat == player)
      Show(action.seat(), sight.after.hands[player].cards - before.hands[player].cards, random);
    Unite(action.seat(), seat);
  }
  const int drawn = before.deck_size - sight.after.deck_size;
  Draw(seat, drawn);
  if (seat == player && drawn > 0) Show(player, sight.after.hands[player].cards, random);
  if (seat == player) return;
  if (const auto playable = PlayableSeen(before, sight))
    CountPlayable(seat, static_cast<Domains>(kAllDomains & ~before.Embargoed(seat)), *playable,
                  random);
}

// --- The end -------------------------------------------------------------------------------------

void World::Complete(Random& random) {
  std::array<std::vector<Kind>, kAges> pools;
  for (size_t k = 0; k < kKinds; ++k) {
    auto& pool = pools[static_cast<size_t>(AgeOf(static_cast<Kind>(k))) - 1];
    pool.insert(pool.end(), left_[k], static_cast<Kind>(k));
  }
  for (auto& pool : pools) random.Shuffle(std::span(pool));
  for (int place = 0; place < DeckSize(players_); ++place) {
    if (named_[static_cast<size_t>(place)]) continue;
    auto& pool = pools[static_cast<size_t>(AgeAt(players_, place)) - 1];
    kinds_[static_cast<size_t>(place)] = pool.back();
    pool.pop_back();
  }
}

Deck World::deck() const {
  Deck deck{};
  deck.size = DeckSize(players_);
  std::copy_n(kinds_.begin(), deck.size, deck.cards.begin());
  return deck;
}

std::vector<Kind> World::moved() const {
  std::vector<Kind> kinds;
  for (const Moved& moved : moved_)
    kinds.push_back(moved.place == kKnown ? moved.kind : kinds_[static_cast<size_t>(moved.place)]);
  return kinds;
}

namespace {

// As many again, each as often as its weight says, which is 1 from then on.
std::vector<World> Redrawn(const std::vector<World>& worlds, double sum, Random& random) {
  std::vector<World> redrawn;
  redrawn.reserve(worlds.size());
  const double step = sum / static_cast<double>(worlds.size());
  double next = Real(random) * step, passed = 0;
  for (const World& world : worlds) {
    passed += world.weight();
    while (redrawn.size() < worlds.size() && next < passed) {
      redrawn.push_back(world);
      redrawn.back().Rate(1);
      next += step;
    }
  }
  return redrawn;
}

}  // namespace

std::vector<World> Fitting(const View& start, std::span<const Sight> course, int tries,
                           Random& random) {
  std::vector<World> worlds;
  for (int i = 0; i < tries; ++i) worlds.emplace_back(start, random);
  const View* before = &start;
  for (const Sight& sight : course) {
    double sum = 0, squares = 0;
    for (World& world : worlds) {
      world.Watch(*before, sight, random);
      sum += world.weight();
      squares += world.weight() * world.weight();
    }
    if (sum == 0) return {};
    before = &sight.after;
    // Most of the weight on less than half of them, or the end.
    if (2 * sum * sum < static_cast<double>(worlds.size()) * squares || &sight == &course.back())
      worlds = Redrawn(worlds, sum, random);
    else
      for (World& world : worlds)
        world.Rate(world.weight() * static_cast<double>(worlds.size()) / sum);
  }
  for (World& world : worlds) world.Complete(random);
  return worlds;
}

}  // namespace civ
