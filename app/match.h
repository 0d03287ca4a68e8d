// A game under way: its record, every state it went through, and who sits at the table.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/words.h"
#include "bots/bot.h"
#include "notation/record.h"
#include "view/view.h"

namespace civ {

// Names for the seats of a record, fit to print.
std::vector<std::string> NamesIn(const Record& record, const Words& words);

// The record in a file, "-" being standard input. Fails with a sentence that says what is wrong, and where.
Record LoadRecord(const std::string& file, const Words& words);

// How strong the bot in each seat is; 0 where a person sits.
using Levels = std::array<int, kMaxSeats>;
inline constexpr int kUsualLevel = 3;

class Match {
 public:
  // From a record that was checked. Levels and seed are noted in it. Bots think for so many iterations; 0: as long as they
  // usually do.
  Match(Record record, const Levels& levels, uint64_t seed, int64_t iterations);

  const Record& record() const { return record_; }
  const std::vector<State>& states() const { return states_; }
  const State& Now() const { return states_.back(); }
  size_t Length() const { return record_.actions.size(); }
  bool IsBot(Seat seat) const { return levels_[seat] != 0; }
  unsigned Bots() const;  // bit s stands for seat s
  unsigned People() const { return ((1u << record_.config.players) - 1) & ~Bots(); }

  View ViewOf(Seat seat) const { return MakeView(Now(), knowledge_, seat); }
  void Apply(Action action);
  // What the bot that decides does, and what the strongest one would advise whoever decides.
  Action BotChoice() const { return Ask("level" + std::to_string(levels_[Now().seat])).best; }
  Thought Advice() const { return Ask("master"); }

 private:
  // Chance depends on the seed and the number of actions only, and the bot has no memory, so that a resumed game goes on as
  // it would have gone on.
  Thought Ask(std::string_view bot) const;

  Record record_;
  std::vector<State> states_;
  Knowledge knowledge_;
  Levels levels_;
  uint64_t seed_;
  int64_t iterations_;
};

// What Match has noted in a record; nothing where another program has written it.
std::optional<unsigned> BotsIn(const Record& record);
std::optional<int> LevelIn(const Record& record, Seat seat);
std::optional<uint64_t> SeedIn(const Record& record);

}  // namespace civ
