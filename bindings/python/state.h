// A game as Python sees it: a state with its course, and with chance either inside or as decisions
// of nobody. No Python in here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "civ/notation/error.h"
#include "civ/view/deal.h"
#include "civ/view/view.h"

namespace civ {

class World;

// Who decides where no seat does; the numbers are those of OpenSpiel.
inline constexpr int kChancePlayer = -1;
inline constexpr int kTerminalPlayer = -4;

class PlayState {
 public:
  // Sampled: cards and First Player are settled before the first decision.
  PlayState(const Config& config, std::span<const Kind> deck);
  // From here on, with what the viewer of a sampled state knows; its deal is not known.
  explicit PlayState(const Game& game) : config_(game.state.config), start_(game), now_(game) {}
  // Explicit: nobody has been dealt anything. Whoever plays first, and every card that is drawn, is
  // an action of chance.
  static PlayState Undealt(const Config& config);

  const Config& config() const { return config_; }
  const Game& game() const { return now_; }
  bool is_explicit() const { return explicit_; }
  bool has_deal() const { return has_deal_; }
  bool dealt() const { return dealt_; }  // whether there is a table yet
  bool AtChance() const { return !dealt_ || pending_; }
  const std::vector<Action>& actions() const { return actions_; }
  // All that was done, by chance as well where it is explicit.
  std::vector<uint8_t> History() const;
  // In drawing order. Where chance is explicit only the cards named so far are true.
  std::span<const Kind> deck() const { return deck_.Span(); }

  int CurrentPlayer() const;
  bool IsOver() const { return !AtChance() && now_.state.step == Step::Over; }
  // Of a seat that decides; nothing at a decision of chance.
  ActionSet LegalActions() const { return AtChance() ? ActionSet{} : Legal(now_.state); }
  // Seats or kinds with their chances.
  std::vector<std::pair<int, double>> ChanceOutcomes() const;

  // Nothing has changed if there is an error.
  std::optional<Error> Apply(int code);

  // Everything that the player has seen, in the order in which it was seen.
  std::string InformationState(Seat player) const;

  // Another course of the game that the player cannot tell from this one: whatever it has not seen,
  // cards and choices, is drawn anew. Nothing if none is found, or if the deal is not known.
  std::optional<PlayState> Resample(Seat player, Random& random) const;

 private:
  PlayState() = default;
  void Do(Action action);
  void DoChance(int outcome);
  void FillDeck();
  Game Start() const;
  PlayState Redealt(Random& random) const;
  std::optional<PlayState> Replay(const World& world, Seat player, const std::string& seen) const;

  static constexpr int kFirstTries = 32, kMostTries = 1 << 14;

  Config config_;
  bool explicit_ = false, has_deal_ = false, dealt_ = true;
  bool first_known_ = true;
  Deck deck_{};
  int named_ = 0;                  // cards of the deck that chance has named
  int needed_ = 0;                 // cards that it has yet to name now
  std::optional<Action> pending_;  // waits for them
  Game start_{State{}}, now_{State{}};
  std::vector<Action> actions_;
};

}  // namespace civ
