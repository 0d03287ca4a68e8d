#include "civ/outside/outside.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "civ/notation/notation.h"
#include "civ/notation/talk.h"

namespace civ {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr auto kBetweenLooks = 50ms;  // at whether to stop
constexpr auto kToEnd = 250ms;        // for a program to end by itself

struct Pipe {
  int out = -1, in = -1;

  bool Open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    out = ends[0];
    in = ends[1];
    return true;
  }
  void Close() const {
    for (const int end : {out, in})
      if (end >= 0) close(end);
  }
};

// What a program said, as far as it can be shown in a line of ours.
std::string Quote(std::string_view text) {
  constexpr size_t kLongest = 60;
  std::string quote(text.substr(0, kLongest));
  for (char& c : quote)
    if (c < ' ' || c > '~') c = '?';
  return "\"" + quote + (text.size() > kLongest ? "…\"" : "\"");
}

std::string Milliseconds(std::chrono::milliseconds time) {
  return std::to_string(time.count()) + " ms";
}

// Zero, or the number of an error.
int Spawn(const std::string& command, const Pipe& input, const Pipe& output, pid_t& child) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input.out, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, output.in, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM}) sigaddset(&signals, signal);
  posix_spawnattr_setsigdefault(&attributes, &signals);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  // A simple command takes the place of the shell, so that what it closes is closed and how it ends
  // is seen.
  const bool simple = command.find_first_of("&|;<>(){}$`=!\n") == std::string::npos;
  std::string shell = "sh", option = "-c", text = (simple ? "exec " : "") + command;
  char* const arguments[] = {shell.data(), option.data(), text.data(), nullptr};
  const int failed = posix_spawn(&child, "/bin/sh", &files, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return failed;
}

// The pacts, and what may be said.
void AddPacts(Json& question, const View& view, const Diplomacy& pacts) {
  question["pacts"] = ToJson(pacts);
  question["possible"] = Json::array();
  for (const Talk& talk : pacts.Possible(view, view.seat, ThreatsSeen(view)))
    question["possible"].push_back(ToJson(talk));
}

}  // namespace

std::variant<std::unique_ptr<Program>, Failure> Program::Start(const std::string& command) {
  std::signal(SIGPIPE, SIG_IGN);  // a program that goes away is a failure to report, not our end
  Pipe input, output;
  pid_t child = 0;
  int failed = input.Open() && output.Open() ? 0 : errno;
  if (failed == 0) failed = Spawn(command, input, output, child);
  if (failed != 0) {
    input.Close();
    output.Close();
    return Failure{std::string("the program cannot be started: ") + std::strerror(failed)};
  }
  close(input.out);
  close(output.in);
  fcntl(input.in, F_SETFL, O_NONBLOCK);
  fcntl(output.out, F_SETFL, O_NONBLOCK);
  return std::unique_ptr<Program>(new Program(child, input.in, output.out));
}

Program::~Program() {
  close(input_);
  close(output_);
  EndedWithin(kToEnd);
  kill(-child_, SIGKILL);  // also what the program itself has started
  while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {}
}

// Leaves the process to be waited for, so that its number stays its own until all of its group are
// gone.
std::optional<siginfo_t> Program::EndedWithin(std::chrono::milliseconds time) const {
  const auto until = steady_clock::now() + time;
  while (true) {
    siginfo_t how{};
    if (waitid(P_PID, static_cast<id_t>(child_), &how, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        how.si_pid == child_)
      return how;
    if (steady_clock::now() >= until) return std::nullopt;
    std::this_thread::sleep_for(2ms);
  }
}

std::string Program::Ending() const {
  const std::optional<siginfo_t> how = EndedWithin(kToEnd);
  if (!how) return "the program closed its input or output";
  // The shell says 127 for a command that is not there, and 128 more than the signal for one that
  // was ended by it.
  const int status = how->si_status;
  if (how->si_code != CLD_EXITED || status > 128)
    return "the program was ended by signal " + std::to_string(status % 128);
  return "the program ended with exit code " + std::to_string(status) +
         (status == 127 ? " (command not found)" : "");
}

// Sends and receives what goes now. False if the program has closed either side.
bool Program::Exchange(std::chrono::milliseconds wait) {
  pollfd ends[] = {{output_, POLLIN, 0}, {input_, POLLOUT, 0}};
  if (poll(ends, unsent_.empty() ? 1 : 2, static_cast<int>(wait.count())) <= 0) return true;
  if (ends[0].revents != 0) {
    char bytes[4096];
    const ssize_t count = read(output_, bytes, sizeof bytes);
    if (count > 0) unread_.append(bytes, static_cast<size_t>(count));
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return false;
  }
  if (ends[1].revents != 0) {
    const ssize_t count = write(input_, unsent_.data(), unsent_.size());
    if (count > 0) unsent_.erase(0, static_cast<size_t>(count));
    if (count < 0 && errno != EAGAIN && errno != EINTR) return false;
  }
  return true;
}

std::variant<std::string, Failure> Program::Ask(std::string_view line,
                                                std::chrono::milliseconds time,
                                                const std::atomic<bool>* stop) {
  const auto deadline = steady_clock::now() + time;
  unsent_ += std::string(line) + '\n';
  while (true) {
    const size_t end = unread_.find('\n');
    if (std::min(end, unread_.size()) > kLongestLine)
      return Failure{"the answer is longer than " + std::to_string(kLongestLine) + " bytes"};
    if (end != std::string::npos && unsent_.empty()) {
      std::string answer = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return answer;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now());
    if (left <= 0ms) return Failure{"no answer within " + Milliseconds(time)};
    if (stop != nullptr && *stop) return Failure{"stopped"};
    if (!Exchange(std::min<std::chrono::milliseconds>(left, kBetweenLooks)))
      return Failure{Ending()};
  }
}

void Program::Tell(std::string_view line) {
  unsent_ += std::string(line) + '\n';
  Exchange(0ms);  // what does not go now goes with the next question
}

std::unique_ptr<Program> ProgramPool::Take() {
  const std::scoped_lock lock(mutex_);
  if (idle_.empty()) return nullptr;
  std::unique_ptr<Program> program = std::move(idle_.back());
  idle_.pop_back();
  return program;
}

void ProgramPool::GiveBack(std::unique_ptr<Program> program) {
  const std::scoped_lock lock(mutex_);
  idle_.push_back(std::move(program));
}

Failure OutsideBot::Fail(std::string reason) {
  program_.reset();
  failure_ = std::move(reason);
  return {failure_};
}

// A program from the pool may have ended since its last game, as it is free to do; a fresh one may
// not.
std::optional<Failure> OutsideBot::Begin() {
  const Json start = {{"cmd", "start"},
                      {"protocol", kBotProtocol},
                      {"seat", terms_.seat},
                      {"players", terms_.config.players},
                      {"setup", NameOf(terms_.config.setup)},
                      {"edition", NameOf(terms_.config.edition)},
                      {"teams", terms_.config.teams},
                      {"first", terms_.config.first},
                      {"names", terms_.names},
                      {"seed", terms_.seed}};
  const auto ready = [&]() -> std::optional<Failure> {
    const auto answer = program_->Ask(start.dump(), terms_.patience.start, terms_.stop);
    if (const auto* failure = std::get_if<Failure>(&answer))
      return Failure{"at the start " + failure->reason};
    const auto& text = std::get<std::string>(answer);
    const Expected<Json> json = ParseJson(text);
    if (json && json->is_object() && json->value("ok", Json()) == true) return std::nullopt;
    return Failure{"at the start the answer is not {\"ok\":true} but " + Quote(text)};
  };
  program_ = pool_.Take();
  if (program_ && !ready()) return std::nullopt;
  auto fresh = pool_.Fresh();
  if (const auto* failure = std::get_if<Failure>(&fresh)) return *failure;
  program_ = std::move(std::get<0>(fresh));
  return ready();
}

void OutsideBot::Watch(const Public& before, Action action) {
  since_.push_back({{"seat", before.seat}, {"action", NameFor(before, action, terms_.seat)}});
}

std::variant<OutsideBot::Answer, Failure> OutsideBot::Decide(const View& view,
                                                             const Diplomacy* pacts) {
  const ActionSet legal = Legal(view);
  if (!failure_.empty()) return Failure{failure_};
  if (legal.Size() == 1) return Answer{legal[0], {}};
  if (!program_)
    if (const std::optional<Failure> failure = Begin()) return Fail(failure->reason);

  Json question = {{"cmd", "decide"},
                   {"view", ToJson(view)},
                   {"legal", Json::array()},
                   {"since", std::move(since_)},
                   {"ms", terms_.time.count()}};
  since_ = Json::array();
  for (const Action action : legal) question["legal"].push_back(NameOf(action));
  if (pacts != nullptr) AddPacts(question, view, *pacts);
  if (terms_.iterations > 0) question["iterations"] = terms_.iterations;
  const auto answer =
      program_->Ask(question.dump(), terms_.time + terms_.patience.grace, terms_.stop);
  if (const auto* failure = std::get_if<Failure>(&answer)) return Fail(failure->reason);
  const auto& text = std::get<std::string>(answer);
  const Expected<Json> json = ParseJson(text);
  if (!json) return Fail("the answer is not JSON: " + Quote(text));
  if (!json->is_object() || !json->contains("action") || !json->at("action").is_string())
    return Fail("the answer has no action: " + Quote(text));
  const auto name = json->at("action").get<std::string>();
  const std::optional<Action> action = ParseAction(name);
  if (!action || !legal.Contains(*action)) return Fail("the action is not legal: " + Quote(name));
  return Answer{*action, pacts != nullptr ? json->value("say", Json()) : Json()};
}

void OutsideBot::End(const Json& result) {
  if (!program_) return;
  program_->Tell(Json{{"cmd", "end"}, {"since", std::move(since_)}, {"result", result}}.dump());
  pool_.GiveBack(std::move(program_));
}

}  // namespace civ
