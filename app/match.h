// A game under way: its record, every state it went through, and who sits at the table.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/words.h"
#include "arena/outside.h"
#include "bots/bot.h"
#include "notation/record.h"
#include "view/view.h"

namespace civ {

// Names for the seats of a record, fit to print.
std::vector<std::string> NamesIn(const Record& record, const Words& words);

// Where a record goes wrong, and why, in a sentence. `text` is the record.
std::string DescribeWrong(const std::string& text, const RecordError& wrong, const Words& words);

// The record in a file, "-" being standard input. Fails with a sentence that says what is wrong, and where.
Record LoadRecord(const std::string& file, const Words& words);

// Who plays in each seat: a person, or a bot of some level. An outside program plays in the place of a bot while it works.
struct Seated {
  int level = 0;  // 0 for a person
  std::string command;
};
using Seating = std::array<Seated, kMaxSeats>;
inline constexpr int kUsualLevel = 3;

class Match {
 public:
  // From a record that was checked. Levels and seed are noted in it, but no commands: a record must not start programs.
  // Bots think for so many iterations; 0: as long as they usually do.
  Match(Record record, Seating seating, uint64_t seed, int64_t iterations);

  const Record& record() const { return record_; }
  const std::vector<State>& states() const { return states_; }
  const State& Now() const { return states_.back(); }
  size_t Length() const { return record_.actions.size(); }
  bool IsBot(Seat seat) const { return LevelOf(seat) != 0; }
  int LevelOf(Seat seat) const { return seating_[seat].level; }
  unsigned Bots() const;  // bit s stands for seat s
  unsigned People() const { return ((1u << record_.config.players) - 1) & ~Bots(); }

  View ViewOf(Seat seat) const { return MakeView(Now(), knowledge_, seat); }
  void Apply(Action action);
  // What the bot that decides does. A program that fails is asked no more: it is said why, and a bot of the seat's level goes on.
  struct Choice {
    Action action{};
    std::string failure;
  };
  Choice BotChoice();
  // What the strongest bot would advise whoever decides.
  Thought Advice() const { return Ask("master"); }

 private:
  // Chance depends on the seed and the number of actions only, and the bot has no memory, so that a resumed game goes on as
  // it would have gone on.
  Thought Ask(std::string_view bot) const;
  void StartPrograms();

  void Observe(Action action);

  struct Outside {
    Outside(std::string command, OutsideBot::Terms terms) : pool(std::move(command)), bot(pool, std::move(terms)) {}
    ProgramPool pool;
    OutsideBot bot;
  };

  Record record_;
  std::vector<State> states_;
  Knowledge knowledge_;
  Seating seating_;
  std::array<std::unique_ptr<Outside>, kMaxSeats> programs_;
  uint64_t seed_;
  int64_t iterations_;
};

// What Match has noted in a record; nothing where another program has written it.
std::optional<unsigned> BotsIn(const Record& record);
std::optional<int> LevelIn(const Record& record, Seat seat);
std::optional<uint64_t> SeedIn(const Record& record);

}  // namespace civ
