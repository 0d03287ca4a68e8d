// A game under way: its record, every state it went through, and who sits at the table.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "civ/bots/bot.h"
#include "civ/diplomacy/pacts.h"
#include "civ/notation/record.h"
#include "civ/outside/outside.h"
#include "civ/view/view.h"

namespace civ {

// Who plays in a seat: a person, or a bot of some level. An outside program plays in the place of a
// bot while it works.
struct Player {
  int level = 0;        // 0 for a person
  std::string command;  // of the program; empty if there is none
};
using Players = std::array<Player, kMaxSeats>;
inline constexpr int kUsualLevel = 3;

class Match {
 public:
  // From a record that was checked. Levels and seed are noted in it, but no commands: a record must
  // not start programs. `iterations` is how long bots think; 0: as long as they usually do.
  // `silent`: nobody says anything from now on.
  Match(Record record, Players players, uint64_t seed, int64_t iterations, bool silent = false);

  const Record& record() const { return record_; }
  const std::vector<State>& states() const { return states_; }
  const State& Now() const { return states_.back(); }
  size_t Length() const { return record_.actions.size(); }
  bool IsBot(Seat seat) const { return LevelOf(seat) != 0; }
  int LevelOf(Seat seat) const { return players_[seat].level; }
  unsigned Bots() const;     // bit s stands for seat s
  unsigned Talkers() const;  // those of them who make pacts
  unsigned People() const { return ((1u << record_.config.players) - 1) & ~Bots(); }

  View ViewOf(Seat seat) const { return MakeView(Now(), knowledge_, seat); }
  void Apply(Action action);
  // What was said about pacts is in the record; what has come of it follows from that.
  const Diplomacy& pacts() const { return pacts_; }
  std::vector<Talk> Possible(Seat seat) const;
  void Say(Seat seat, const Talk& talk);  // that is possible
  // What the bot that decides says and does. A program that fails is asked no more: it is said why,
  // and a bot of the seat's level goes on.
  struct Choice {
    Action action{};
    std::string failure;
    std::optional<Talk> say = {};
  };
  Choice BotChoice();
  // What the strongest bot would advise whoever decides.
  Thought Advice() const { return Ask("master"); }

 private:
  // Chance depends on the seed and the number of actions only, and the bot has no memory, so that a
  // resumed game goes on as it would have gone on.
  Thought Ask(std::string_view bot) const;
  std::string BotOf(Seat seat) const { return "level" + std::to_string(LevelOf(seat)); }
  Limits LimitsOf(std::string_view bot) const;
  uint64_t ChanceNow() const { return seed_ + 0x9e3779b97f4a7c15 * (Length() + 1); }
  void StartPrograms();
  // What a program says, if that can be said.
  std::optional<Talk> Sayable(Seat seat, const Json& said) const;

  void Observe(Action action);

  struct Outside {
    Outside(std::string command, OutsideBot::Terms terms)
        : pool(std::move(command)), bot(pool, std::move(terms)) {}
    ProgramPool pool;
    OutsideBot bot;
  };

  Record record_;
  std::vector<State> states_;
  std::vector<Said> said_;
  Diplomacy pacts_;
  Knowledge knowledge_;
  Players players_;
  std::array<std::unique_ptr<Outside>, kMaxSeats> programs_;
  uint64_t seed_;
  int64_t iterations_;
  bool silent_;
};

// What Match has noted in a record; nothing where another program has written it.
std::optional<unsigned> BotsIn(const Record& record);
std::optional<int> LevelIn(const Record& record, Seat seat);
std::optional<uint64_t> SeedIn(const Record& record);

}  // namespace civ
