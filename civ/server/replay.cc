#include "civ/server/replay.h"

#include <algorithm>
#include <thread>

#include "civ/server/queue.h"

namespace civ {
namespace {

constexpr size_t kMostLogs = 256;  // that wait, so that not all are in memory at once
// Those who were connected when the server ended have missed what was stored last, if anything.
constexpr size_t kEventsKept = 8;

// Whose command has made an event of version 0.2.0, which says so of some only.
std::string AuthorOf(const EventBody& body, const std::vector<Chair>& chairs) {
  const auto at = [&](Seat seat) { return chairs[seat].person ? chairs[seat].person->id : ""; };
  if (const auto* act = std::get_if<event::Act>(&body)) return at(act->seat);
  if (const auto* pick = std::get_if<event::Pick>(&body)) return at(pick->seat);
  const auto* say = std::get_if<event::Say>(&body);
  return say == nullptr ? "" : say->person.id;
}

// The CommandKeys of the last commands, the oldest first.
std::vector<uint64_t> LastCommands(const std::vector<Event>& events,
                                   const std::vector<Chair>& chairs) {
  std::vector<uint64_t> done;
  for (size_t i = events.size(); i-- > 0 && done.size() < kCommandsRemembered;) {
    const Cause& cause = events[i].cause;
    if (cause.id.empty()) continue;
    const std::string person =
        cause.person.empty() ? AuthorOf(events[i].body, chairs) : cause.person;
    done.push_back(CommandKey(person, cause.command, cause.id));
  }
  std::ranges::reverse(done);
  return done;
}

}  // namespace

uint64_t CommandKey(const std::string& person, std::string_view command, const std::string& id) {
  return std::hash<std::string>()(person + '\n' + std::string(command) + '\n' + id);
}

size_t TextHash(const std::string& event) { return std::hash<std::string>()(event); }

bool IsMove(const EventBody& body) {
  return !std::holds_alternative<event::Sit>(body) && !std::holds_alternative<event::Stand>(body) &&
         !std::holds_alternative<event::SeatBot>(body) &&
         !std::holds_alternative<event::Ask>(body) && !std::holds_alternative<event::Back>(body) &&
         !std::holds_alternative<event::Say>(body) &&
         !std::holds_alternative<event::Rename>(body) && !std::holds_alternative<event::Talk>(body);
}

Expected<Replayed> Replay(const StoredLog& log) {
  std::vector<Event> events;
  events.reserve(log.events.size());
  for (const std::string& text : log.events) {
    Expected<Event> event = EventFromText(text);
    if (!event) {
      Error wrong = event.error();
      wrong.args.emplace_back("event", std::to_string(events.size() + 1));
      return wrong;
    }
    events.push_back(*std::move(event));
  }
  const size_t cut = events.size() - std::min(events.size(), kEventsKept);
  Expected<Table> table = Table::FromLog({events.data(), std::max<size_t>(1, cut)});
  if (!table) return table.error();
  Replayed replayed{.table = *table, .maker = std::get<event::Create>(events[0].body).by.id};
  replayed.recent.assign(events.begin() + replayed.table.number(), events.end());
  for (const Event& event : replayed.recent)
    if (std::optional<Error> wrong = replayed.table.Apply(event)) {
      wrong->args.emplace_back("event", std::to_string(replayed.table.number() + 1));
      return *wrong;
    }
  replayed.before = *std::move(table);
  replayed.last = TextHash(log.events.back());
  for (const Event& event : events)
    if (!event.cause.person.empty() && !IsMove(event.body)) ++replayed.stored[event.cause.person];
  replayed.done = LastCommands(events, replayed.table.chairs());
  return replayed;
}

std::optional<Error> ReplayOpen(
    Store& store, const std::function<void(const std::string& id, Expected<Replayed>)>& each) {
  using Result = std::pair<std::string, Expected<Replayed>>;
  Queue<StoredLog> logs(kMostLogs);
  std::vector<std::vector<Result>> results(std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::jthread> threads;
  for (std::vector<Result>& mine : results)
    threads.emplace_back([&logs, &mine] {
      while (const std::optional<StoredLog> log = logs.Pop())
        mine.emplace_back(log->table, Replay(*log));
    });
  std::optional<Error> failed = store.LoadOpen([&](StoredLog log) { logs.Push(std::move(log)); });
  logs.Close();
  threads.clear();  // waits for them
  if (failed) return failed;
  for (std::vector<Result>& part : results)
    for (Result& result : part) each(result.first, std::move(result.second));
  return std::nullopt;
}

}  // namespace civ
