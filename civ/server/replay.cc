#include "civ/server/replay.h"

#include <algorithm>
#include <thread>

#include "civ/server/queue.h"

namespace civ {
namespace {

constexpr size_t kMostLogs = 256;  // that wait, so that not all are in memory at once
// Those who were connected when the server ended have missed what was stored last, if anything.
constexpr size_t kEventsKept = 8;

// The CommandKey of the command that made this event; nothing where the event does not say. Any
// other command changes nothing, or is refused, if it is done twice.
std::optional<uint64_t> CommandOf(const Event& event, const std::vector<Chair>& chairs) {
  const auto of_seat = [&](Seat seat, const std::string& id) -> std::optional<uint64_t> {
    if (id.empty() || !chairs[seat].person) return std::nullopt;
    return CommandKey(chairs[seat].person->id, NameOf(event.body), id);
  };
  if (const auto* act = std::get_if<event::Act>(&event.body)) return of_seat(act->seat, act->id);
  if (const auto* pick = std::get_if<event::Pick>(&event.body))
    return of_seat(pick->seat, pick->id);
  const auto* say = std::get_if<event::Say>(&event.body);
  if (say == nullptr || say->id.empty()) return std::nullopt;
  return CommandKey(say->person.id, NameOf(event.body), say->id);
}

}  // namespace

uint64_t CommandKey(const std::string& person, std::string_view command, const std::string& id) {
  return std::hash<std::string>()(person + '\n' + std::string(command) + '\n' + id);
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
  Replayed replayed{*table, std::get<event::Create>(events[0].body).by.id, {}};
  replayed.recent.assign(events.begin() + replayed.table.number(), events.end());
  for (const Event& event : replayed.recent)
    if (std::optional<Error> wrong = replayed.table.Apply(event)) {
      wrong->args.emplace_back("event", std::to_string(replayed.table.number() + 1));
      return *wrong;
    }
  replayed.before = *std::move(table);
  for (size_t i = events.size() - std::min(events.size(), kCommandsRemembered); i < events.size();
       ++i)
    if (const std::optional<uint64_t> command = CommandOf(events[i], replayed.table.chairs()))
      replayed.done.push_back(*command);
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
