#include "view/sample.h"

#include "rules/check.h"
#include "view/deal.h"

namespace civ {
namespace {

// The cards of one Age that the viewer does not see.
struct Pool {
  std::array<Kind, kCards> cards;
  uint32_t size = 0;
  uint32_t used = 0;

  void Add(Kind kind, int count) {
    for (; count > 0; --count) cards[size++] = kind;
  }
  // One of those left, each equally likely.
  Kind Draw(Random& random) {
    std::swap(cards[used], cards[used + random.Below(size - used)]);
    return cards[used++];
  }
};

using Pools = std::array<Pool, kAges>;
using PerAge = std::array<int, kAges>;

// Nothing if more cards of a kind are seen than there are.
std::optional<Pools> Unseen(const View& view) {
  std::array<int, kKinds> left;
  for (int k = 0; k < kKinds; ++k) left[k] = kCopies[k];
  const auto see = [&](Cards cards) {
    for (int k = 0; k < kKinds; ++k) left[k] -= cards[static_cast<Kind>(k)];
  };
  for (Seat seat = 0; seat < kMaxSeats; ++seat) {
    see(view.tables[seat]);
    see(view.hands[seat].cards);
    see(view.packs[seat].cards);
  }
  see(view.discard);
  see(view.centre);
  for (int i = 0; i < view.embargo_count; ++i) see(Cards(view.embargoes[i].card));
  left[static_cast<int>(Kind::U3)] -= view.democracy_count;

  Pools pools;
  for (int k = 0; k < kKinds; ++k) {
    if (left[k] < 0) return std::nullopt;
    pools[static_cast<size_t>(AgeOf(static_cast<Kind>(k))) - 1].Add(static_cast<Kind>(k), left[k]);
  }
  return pools;
}

// Puts unseen cards behind the backs that are not known.
void Fill(Cards& cards, const Holding& seen, Pools& pools, Random& random) {
  cards = seen.cards;
  for (size_t age = 0; age < kAges; ++age)
    for (int hidden = seen.backs[age] - seen.cards.Of(static_cast<Age>(age + 1)).Count(); hidden > 0; --hidden)
      cards += Cards(pools[age].Draw(random));
}

// How many cards of each Age are in the deck: what is neither seen nor in hands, packs or box. Nothing if that contradicts the view.
std::optional<PerAge> DeckAges(const View& view, const Pools& pools) {
  PerAge ages{};
  int total = 0, top = 0;
  for (size_t age = 0; age < kAges; ++age) {
    int hidden = DeckSize(kMaxSeats, static_cast<Age>(age + 1)) - DeckSize(view.config.players, static_cast<Age>(age + 1));
    for (Seat seat = 0; seat < kMaxSeats; ++seat)
      for (const Holding* holding : {&view.hands[seat], &view.packs[seat]}) {
        const int unknown = holding->backs[age] - holding->cards.Of(static_cast<Age>(age + 1)).Count();
        if (unknown < 0) return std::nullopt;
        hidden += unknown;
      }
    ages[age] = static_cast<int>(pools[age].size) - hidden;
    if (ages[age] < 0) return std::nullopt;
    if (top == 0 && ages[age] > 0) top = static_cast<int>(age) + 1;
    total += ages[age];
  }
  if (total != view.deck_size || top != view.deck_top) return std::nullopt;
  return ages;
}

void FillHands(State& state, const View& view, Pools& pools, Random& random) {
  for (Pool& pool : pools) pool.used = 0;
  for (Seat seat = 0; seat < view.config.players; ++seat) {
    Cards pack;
    Fill(state.hands[seat], view.hands[seat], pools, random);
    Fill(pack, view.packs[seat], pools, random);
    state.packs[seat] = pack;
  }
  // The last card given back was named last, so it is the last in card order.
  if (view.step == Step::Choose && view.choice.verb == Verb::Give && view.viewer != view.seat && view.choice.target < kMaxSeats) {
    const Cards given = state.hands[view.choice.target];
    state.choice.from = given.Empty() ? kNone : static_cast<uint8_t>(given.Last());
  }
}

}  // namespace

std::optional<State> Sample(const View& view, Random& random) {
  std::optional<Pools> pools = Unseen(view);
  if (!pools) return std::nullopt;
  const std::optional<PerAge> ages = DeckAges(view, *pools);
  if (!ages) return std::nullopt;

  State state{};
  static_cast<Public&>(state) = view;
  // A choice under way says something about hands that the viewer does not see: that which it is made from and, in the
  // middle of an Inquisition, that which is given back.
  const bool sees_all = view.viewer == view.seat && view.choice.verb != Verb::Give;
  const int most_tries = sees_all ? 1 : 1'000'000;
  int tries = 0;
  do {
    if (++tries > most_tries) return std::nullopt;
    FillHands(state, view, *pools, random);
  } while (!ChoiceFits(state));

  Deck deck{};
  for (size_t age = 0; age < kAges; ++age)
    for (int i = 0; i < (*ages)[age]; ++i) deck.cards[static_cast<size_t>(deck.size++)] = (*pools)[age].Draw(random);
  state.SetDeck(deck.Span());
  return state;
}

}  // namespace civ
