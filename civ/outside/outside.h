// A bot in any language: a program that is spoken to by JSON lines (docs/bot-protocol.md). Whatever
// it does, its owner goes on.
#pragma once

#include <sys/types.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "civ/diplomacy/pacts.h"
#include "civ/notation/json.h"

namespace civ {

// What went wrong with a program or bot, in one line.
struct Failure {
  std::string reason;
};

inline constexpr int kBotProtocol = 1;

// A child process run by the shell, in a process group of its own. Its standard error is ours.
class Program {
 public:
  static constexpr size_t kLongestLine = 1 << 16;

  static std::variant<std::unique_ptr<Program>, Failure> Start(const std::string& command);
  ~Program();  // closes its input, waits a moment, and ends whatever is left of it
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // Sends a line and waits for the next one that comes back. `stop`, once set, is a failure like
  // any other.
  std::variant<std::string, Failure> Ask(std::string_view line, std::chrono::milliseconds time,
                                         const std::atomic<bool>* stop);
  // Sends a line that nothing comes back for.
  void Tell(std::string_view line);

 private:
  Program(pid_t child, int input, int output) : child_(child), input_(input), output_(output) {}
  bool Exchange(std::chrono::milliseconds wait);
  std::optional<siginfo_t> EndedWithin(std::chrono::milliseconds time) const;
  std::string Ending() const;

  const pid_t child_;
  const int input_, output_;
  std::string unsent_, unread_;
};

struct Patience {
  std::chrono::milliseconds start{10'000};  // until it has answered the start of a game
  std::chrono::milliseconds grace{1'000};   // beyond the time for a decision
};

// The running copies of one program, kept from game to game as long as they behave. Many threads
// may share one.
class ProgramPool {
 public:
  explicit ProgramPool(std::string command) : command_(std::move(command)) {}

  // Nothing if none is idle.
  std::unique_ptr<Program> Take();
  std::variant<std::unique_ptr<Program>, Failure> Fresh() { return Program::Start(command_); }
  void GiveBack(std::unique_ptr<Program> program);

 private:
  const std::string command_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Program>> idle_;
};

// A program in one seat of one game.
class OutsideBot {
 public:
  struct Terms {
    Seat seat = 0;
    Config config;
    std::vector<std::string> names = {};
    // For its own chance; never made from that of the deck, which could be found from it.
    uint64_t seed = 0;
    std::chrono::milliseconds time{250};  // for each decision
    int64_t iterations = 0;               // passed on, 0 for none
    Patience patience = {};
    const std::atomic<bool>* stop = nullptr;
  };
  OutsideBot(ProgramPool& pool, Terms terms) : pool_(pool), terms_(std::move(terms)) {}

  // Every action of the game, before it is applied.
  void Watch(const Public& before, Action action);
  // A legal action, or why there is none: then the program is gone and every later answer is the
  // same.
  // With pacts the program is told of them, and may say something.
  struct Answer {
    Action action{};
    Json say;  // as it came; null for nothing
  };
  std::variant<Answer, Failure> Decide(const View& view, const Diplomacy* pacts = nullptr);
  // The game is over, with the result as in a record. The program goes back to its pool.
  void End(const Json& result);

 private:
  std::optional<Failure> Begin();
  Failure Fail(std::string reason);

  ProgramPool& pool_;
  const Terms terms_;
  std::unique_ptr<Program> program_;  // from the first decision to the end
  Json since_ = Json::array();
  std::string failure_;
};

}  // namespace civ
