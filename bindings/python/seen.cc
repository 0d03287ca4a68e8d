#include "bindings/python/seen.h"

#include <algorithm>
#include <span>

namespace civ {

Seen::Seen(const State& start, const Deck& deck, Seat player) : player_(player) {
  const bool draft = start.step == Step::Draft;
  const int each = (deck.size - start.deck_size) / start.config.players;
  Seat seat = start.config.first;
  for (int i = 0; i < start.config.players; ++i, seat = start.Next(seat)) {
    Tokens& tokens = (draft ? packs_ : hands_)[seat];
    for (int card = 0; card < each; ++card, ++next_)
      tokens.push_back({deck.cards[static_cast<size_t>(next_)], next_, false});
    if (seat == player_) See(tokens);
  }
}

void Seen::See(Token& token) {
  token.seen = true;
  if (token.place != kNowhere) places_[static_cast<size_t>(token.place)] = true;
}

void Seen::See(Tokens& tokens) {
  for (Token& token : tokens) See(token);
}

// One of that kind; which one, the player cannot tell, so it is one that it has seen if there is
// any.
Seen::Token Seen::Take(Tokens& from, Kind kind) {
  auto found = std::ranges::find_if(
      from, [kind](const Token& token) { return token.kind == kind && token.seen; });
  if (found == from.end()) found = std::ranges::find(from, kind, &Token::kind);
  const Token token = *found;
  from.erase(found);
  return token;
}

void Seen::Draw(Tokens& to, const State& from, int cards, bool seen) {
  for (int i = 1; i <= cards; ++i) {
    to.push_back({from.DeckCard(from.deck_size - i), next_++, false});
    if (seen) See(to.back());
  }
}

void Seen::Keep(const State& before, Kind kind, const State& after) {
  hands_[before.seat].push_back(Take(packs_[before.seat], kind));
  moved_.push_back(hands_[before.seat].back().place);
  // When all have kept, packs are passed to the left, and the last cards are laid open.
  const auto players = before.config.players;
  if (before.Next(before.seat) != before.config.first) return;
  std::rotate(packs_.begin(), packs_.begin() + players - 1, packs_.begin() + players);
  if (after.step == Step::Draft)
    See(packs_[player_]);
  else
    for (Tokens& pack : packs_) See(pack);
}

void Seen::Watch(const State& before, Action action, const State& after) {
  const Seat seat = before.seat;
  Tokens& hand = hands_[seat];
  if (!action.NamesCard()) {
    if (action.effect() == Effect::Inquisition) {
      Tokens& taken = hands_[action.seat()];
      if (seat == player_ || action.seat() == player_) See(taken);
      hand.insert(hand.end(), taken.begin(), taken.end());
      taken.clear();
    }
  } else if (action != kSkip) {
    const Verb verb = action.verb();
    if (verb == Verb::Keep) Keep(before, action.kind(), after);
    if (verb == Verb::Take || verb == Verb::Recover)
      hand.push_back({action.kind(), kNowhere, true});
    if (verb == Verb::Play || verb == Verb::Discard || verb == Verb::Give) {
      Token token = Take(hand, action.kind());
      const Seat target = before.choice.target;
      if (verb != Verb::Give || seat == player_ || target == player_) See(token);
      if (verb == Verb::Give) {
        hands_[target].push_back(token);
        moved_.push_back(token.place);
      }
    }
  }
  Draw(hand, before, before.deck_size - after.deck_size, seat == player_);
}

Deck Seen::Redealt(const Deck& deck, Random& random) const {
  std::array<int, kKinds> left{};
  std::ranges::copy(kCopies, left.begin());
  for (size_t i = 0; i < static_cast<size_t>(deck.size); ++i)
    if (places_[i]) --left[static_cast<size_t>(deck.cards[i])];
  std::array<std::vector<Kind>, kAges> pools;
  for (int k = 0; k < kKinds; ++k)
    pools[static_cast<size_t>(AgeOf(static_cast<Kind>(k))) - 1].insert(
        pools[static_cast<size_t>(AgeOf(static_cast<Kind>(k))) - 1].end(),
        static_cast<size_t>(left[static_cast<size_t>(k)]), static_cast<Kind>(k));
  for (auto& pool : pools) random.Shuffle(std::span(pool));
  Deck other = deck;
  for (size_t i = 0; i < static_cast<size_t>(deck.size); ++i) {
    auto& pool = pools[static_cast<size_t>(AgeOf(deck.cards[i])) - 1];
    if (places_[i]) continue;
    other.cards[i] = pool.back();
    pool.pop_back();
  }
  return other;
}

}  // namespace civ
