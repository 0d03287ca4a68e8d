// What may have happened behind a player's back: courses of a game that fit all that it has seen.
#pragma once

#include <array>
#include <bitset>
#include <span>
#include <vector>

#include "civ/view/deal.h"
#include "civ/view/random.h"
#include "civ/view/view.h"

namespace civ {

// The Age of the cards at a place of the deck, counted from the top.
Age AgeAt(int players, int place);

// An action as a player sees it, and the player's view after it.
struct Sight {
  Action action;  // if hidden: any with the same verb and Age
  bool hidden;    // which card it names
  View after;
};

// One possibility. A card gets its kind when something is learnt about it, and not before.
class World {
 public:
  // The cards have been dealt.
  World(const View& start, Random& random);

  // How well it fits, by all that was seen since the last Rate, if others choose cards at random;
  // 0: not at all.
  double weight() const { return weight_; }
  void Rate(double weight) { weight_ = weight; }

  // An action and all that followed from it.
  void Watch(const View& before, const Sight& sight, Random& random);

  // Gives all cards a kind.
  void Complete(Random& random);
  Deck deck() const;
  // The cards that hidden actions named, in order; within an Inquisition in any order.
  std::vector<Kind> moved() const;

 private:
  using Places = std::bitset<kCards>;  // of the deck
  using Holder = size_t;               // a hand by its seat, a pack, or the centre of a draft
  static constexpr Holder kPacks = kMaxSeats, kCentre = 2 * kMaxSeats, kHolders = kCentre + 1;
  struct Moved {
    int place;  // or kKnown
    Kind kind;
  };
  static constexpr int kKnown = -1;

  Places Unknown(Holder holder, Age age) const;
  double Chance(Kind kind) const;
  void Name(Holder holder, int place, Kind kind);
  void NameOneOf(Holder holder, int place, Domains domains, Random& random);
  void Show(Holder holder, Cards cards, Random& random);
  void Leave(Holder holder, Kind kind, Random& random);
  void Move(Holder from, Holder to, Age age, Random& random);
  void CountPlayable(Seat seat, Domains domains, int count, Random& random);
  void Unite(Holder from, Holder to);
  void Draw(Holder holder, int cards);
  void WatchKeep(const View& before, const Sight& sight, Random& random);
  void WatchCard(const View& before, const Sight& sight, Random& random);

  int players_;
  int drawn_ = 0;
  double weight_ = 1;
  std::array<Kind, kCards> kinds_{};  // of the places that are named
  Places named_;
  std::array<uint8_t, kKinds> left_;  // that no place has got
  std::array<Places, kHolders> unknown_{};
  std::array<Cards, kHolders> known_{};
  std::vector<Moved> moved_;
};

// Worlds that fit what was seen, the likelier ones more often; none, if so many tries were too few.
std::vector<World> Fitting(const View& start, std::span<const Sight> course, int tries,
                           Random& random);

}  // namespace civ
