// Guessing what a view hides.
#pragma once

#include <array>
#include <optional>

#include "civ/view/random.h"
#include "civ/view/view.h"

namespace civ {

// Draws random full states that fit a view, each as likely as the shuffle makes it: the unseen
// cards of an Age lie in any order on its unseen places (other hands and packs, the deck, the box).
// Known cards stay where they are.
class Sampler {
 public:
  explicit Sampler(const View& view);

  const View& view() const { return view_; }

  // Fills the state. False if no state fits, or if less than about one in a million deals does. Of
  // the deck only the next `deck_cards` cards are shuffled, for whoever looks no further; below
  // them lie the others of the right Ages.
  bool Draw(State& state, Random& random, int deck_cards = kCards);

 private:
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

  bool FindUnseen();
  bool FindDeckAges();
  void Fill(Cards& cards, const Holding& seen, Random& random);
  void FillHands(State& state, Random& random);

  View view_;
  State blank_{};  // what everybody sees, and nothing else
  std::array<Pool, kAges> pools_;
  std::array<int, kAges> deck_ages_{};  // how many cards of each Age are in the deck
  bool possible_;
};

// One of those states; nothing if there is none.
std::optional<State> Sample(const View& view, Random& random);
// The same as a game, whose viewer knows what the view says; the others know nothing.
std::optional<Game> GameThatFits(const View& view, Random& random);

}  // namespace civ
