#include "civ/server/memory_bus.h"

#include <algorithm>

namespace civ {

void MemoryBus::Publish(const std::string& topic, const std::string& text) {
  const auto found = hub_->listeners.find(topic);
  if (found == hub_->listeners.end()) return;
  for (const Hub::Listener& listener : found->second)
    listener.post([hub = std::weak_ptr(hub_), topic, number = listener.number, text] {
      // It may have ended meanwhile.
      const auto still = hub.lock();
      if (!still) return;
      const auto at = still->listeners.find(topic);
      if (at == still->listeners.end()) return;
      const auto own = std::ranges::find(at->second, number, &Hub::Listener::number);
      if (own == at->second.end()) return;
      const Handler handler = own->handler;
      handler(text);
    });
}

Bus::Subscription MemoryBus::Subscribe(const std::string& topic, Handler handler) {
  const uint64_t number = ++hub_->last;
  hub_->listeners[topic].push_back({number, std::move(handler), post_});
  const auto end = [hub = std::weak_ptr(hub_), topic, number](const void*) {
    const auto still = hub.lock();
    if (!still) return;
    const auto at = still->listeners.find(topic);
    std::erase_if(at->second, [&](const auto& listener) { return listener.number == number; });
    if (at->second.empty()) still->listeners.erase(at);
  };
  return {nullptr, end};
}

void MemoryBus::Note(const std::string& place, const std::string& who, int64_t until) {
  hub_->notes[place][who] = until;
}

void MemoryBus::ReadNotes(const std::string& place,
                          std::function<void(std::optional<Notes>)> answer) {
  const auto found = hub_->notes.find(place);
  post_([answer = std::move(answer), notes = found == hub_->notes.end() ? Notes() : found->second] {
    answer(notes);
  });
}

void MemoryBus::Count(const std::string& key, int64_t milliseconds,
                      std::function<void(std::optional<int64_t>)> answer) {
  const int64_t now = clock_();
  std::erase_if(hub_->counts, [&](const auto& entry) { return entry.second.until <= now; });
  const int64_t count =
      ++hub_->counts.try_emplace(key, Hub::Counted{0, now + milliseconds}).first->second.count;
  post_([answer = std::move(answer), count] { answer(count); });
}

}  // namespace civ
