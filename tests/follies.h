// What looks senseless to somebody who watches a bot play.
#pragma once

#include <array>
#include <string_view>

#include "civ/view/view.h"

namespace civ::test {

enum class Folly : uint8_t {
  TakesBack,     // takes cards from the table and plays cards of the same Domains again
  OwnGoal,       // attacks where nobody else has a card, or its own best column for no threat
  Inquisition,   // for nothing: no column is near, nobody threatens, or the same hand comes back
  Breakthrough,  // for nothing: no column is near and nobody threatens, or the deck is empty
  FaceDown,      // lays a card on a Domain that its owner is not near to completing
  AgainstPartner,
  ThrowsAway,   // discards a card of its best column from hand while it has others
  TearsDown,    // takes a card off its best column and puts none there
  MissesWin,    // does not play the card that wins
  DoesNotRace,  // lacks two in a column, has a card of it, is not threatened, and leaves it
};
inline constexpr int kFollies = 10;
std::string_view NameOf(Folly folly);

// Watches the turns of one game.
class FollyWatch {
 public:
  // Counts in `found[seat]` what a step makes certain.
  using Found = std::array<std::array<int, kFollies>, kMaxSeats>;
  explicit FollyWatch(Found& found) : found_(found) {}
  void Step(const State& before, Action action);

 private:
  void Note(Folly folly, bool happened) {
    found_[begin_.seat][static_cast<size_t>(folly)] += happened;
  }
  void UseEffect(const State& before, Action action);
  void EndEffect(const State& now);
  void EndTurn(const State& now);

  Found& found_;
  State begin_{};  // of the turn
  State used_{};   // before the effect under way
  Action effect_ = kEnd;
};

}  // namespace civ::test
