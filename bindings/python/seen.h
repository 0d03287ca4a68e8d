// Which places of the deck a player has seen the card of, in the course of a game.
#pragma once

#include <array>
#include <vector>

#include "civ/view/deal.h"
#include "civ/view/random.h"

namespace civ {

class Seen {
 public:
  Seen(const State& start, const Deck& deck, Seat player);

  // An action and all that followed from it.
  void Watch(const State& before, Action action, const State& after);

  // Of every card that was kept or given, in order: its place in the deck, or kNowhere.
  static constexpr int kNowhere = -1;
  const std::vector<int>& moved() const { return moved_; }

  // The same deck with all cards that the player has not seen, those in the box among them,
  // shuffled by Ages.
  Deck Redealt(const Deck& deck, Random& random) const;

 private:
  struct Token {
    Kind kind;
    int place;  // in the deck, or kNowhere for a card that came from where all see it
    bool seen;
  };
  using Tokens = std::vector<Token>;

  void See(Token& token);
  void See(Tokens& tokens);
  static Token Take(Tokens& from, Kind kind);
  void Draw(Tokens& to, const State& from, int cards, bool seen);
  void Keep(const State& before, Kind kind, const State& after);

  const Seat player_;
  int next_ = 0;  // place in the deck
  std::array<Tokens, kMaxSeats> hands_, packs_;
  std::array<bool, kCards> places_{};
  std::vector<int> moved_;
};

}  // namespace civ
