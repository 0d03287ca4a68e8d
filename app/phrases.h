// Parts of sentences that stories and screens share: players, Domains, effects, cards, backs, columns.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/words.h"
#include "view/view.h"

namespace civ {

// For whom something is told.
struct Listener {
  Seat seat = kSpectator;
  bool you = false;   // is spoken to: "you play" instead of "Ada plays"
  bool open = false;  // sees every card

  bool Sees(Seat of) const { return open || seat == of; }
  bool Is(Seat of) const { return you && seat == of; }
};

std::string Join(const std::vector<std::string>& items, std::string_view separator);

class Phrases {
 public:
  using Arguments = std::vector<Words::Argument>;

  Phrases(const Words& words, std::vector<std::string> names) : words_(words), names_(std::move(names)) {}

  const Words& words() const { return words_; }
  std::string operator()(std::string_view key, const Arguments& arguments = {}) const { return words_(key, arguments); }

  const std::string& Name(Seat seat) const { return names_[seat]; }
  std::string Names(unsigned seats) const;  // bit s stands for seat s: "Ada, Ben and Cleo"

  std::string Of(Domain domain) const;  // "Military"
  std::string Of(Effect effect) const;  // "Holy Book"
  std::string Of(Kind kind) const;      // "Military (Age I)"
  std::string Of(Cards cards) const;    // "Military (Age I) and 2 Science (Age II)"
  std::string Does(Effect effect) const;
  std::string Percent(float part) const;  // "61%", of 1

  std::string Backs(const std::array<uint8_t, kAges>& backs) const;  // "2 cards of Age I and 1 card of Age II"
  std::string Held(Cards cards, bool seen) const;                    // the cards, or their backs only

  // "Military 6/7", the level that so many cards reach, and whether they come near to Hegemony.
  std::vector<std::string> Column(const Public& table, Seat seat, Domain domain, int count) const;

 private:
  const Words& words_;
  std::vector<std::string> names_;
};

std::string_view Roman(int age);

// The permanent effect of a Domain; not of Culture.
constexpr Effect PermanentOf(Domain domain, int level) { return static_cast<Effect>(static_cast<int>(domain) | (level == 2 ? 8 : 0)); }
// The discard effect that costs a card of the Domain; not of Culture.
Effect DiscardEffectOf(Domain domain);
// The level that so many cards of a Domain reach: 0, 1 or 2.
int LevelAt(int players, int count);

}  // namespace civ
