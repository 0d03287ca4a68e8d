// A game under way: its record, every state it went through, and who sits at the table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/words.h"
#include "notation/record.h"
#include "view/view.h"

namespace civ {

// Names for the seats of a record, fit to print.
std::vector<std::string> NamesIn(const Record& record, const Words& words);

// The record in a file, "-" being standard input. Fails with a sentence that says what is wrong, and where.
Record LoadRecord(const std::string& file, const Words& words);

class Match {
 public:
  // From a record that was checked. Bit s of `bots` stands for seat s; both this and the seed are noted in the record.
  Match(Record record, unsigned bots, uint64_t seed);

  const Record& record() const { return record_; }
  const std::vector<State>& states() const { return states_; }
  const State& Now() const { return states_.back(); }
  size_t Length() const { return record_.actions.size(); }
  unsigned bots() const { return bots_; }
  bool IsBot(Seat seat) const { return (bots_ >> seat & 1) != 0; }
  unsigned People() const { return ((1u << record_.config.players) - 1) & ~bots_; }

  View ViewOf(Seat seat) const { return MakeView(Now(), knowledge_, seat); }
  void Apply(Action action);
  // Any legal action, from the deciding seat's view. Chance depends on the seed and the number of actions only, so that a
  // resumed game goes on as it would have gone on.
  Action BotChoice() const;

 private:
  Record record_;
  std::vector<State> states_;
  Knowledge knowledge_;
  unsigned bots_;
  uint64_t seed_;
};

// What Match has noted in a record; nothing where another program has written it.
std::optional<unsigned> BotsIn(const Record& record);
std::optional<uint64_t> SeedIn(const Record& record);

}  // namespace civ
