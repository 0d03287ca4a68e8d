#include "tests/simulation/bus.h"

#include "tests/simulation/twin.h"

namespace civ::simulation {

void Hub::Lose(int64_t milliseconds) {
  stage.Trace("the bus is emptied and gone for " + std::to_string(milliseconds));
  gone_until = std::max(gone_until, stage.now() + milliseconds);
  notes.clear();
  counts.clear();
}

void SimulatedBus::Cut(int64_t milliseconds) {
  cut_until_ = std::max(cut_until_, hub_->stage.now() + milliseconds);
}

int64_t SimulatedBus::Delay() {
  Stage& stage = hub_->stage;
  return stage.Chance(hub_->weather.hint_late) ? stage.Between(50, 8'000) : stage.Between(0, 3);
}

void SimulatedBus::Publish(const std::string& topic, const std::string& text) {
  hub_->texts.insert(topic + '\n' + text);
  if (Twin* twin = hub_->stage.twin) twin->Hears(hub_->stage.now(), topic, "bus", text);
  Stage& stage = hub_->stage;
  if (gone()) return;
  for (const auto& [number, listener] : hub_->listeners) {
    if (listener.topic != topic || stage.Chance(hub_->weather.hint_lost)) continue;
    const int times = stage.Chance(hub_->weather.hint_twice) ? 2 : 1;
    for (int i = 0; i < times; ++i)
      stage.In(Delay(), [hub = hub_, at = number, text] {
        const auto found = hub->listeners.find(at);
        if (found == hub->listeners.end()) return;
        const auto by = found->second.by.lock();
        if (!by || (*by)->gone()) return;
        const Handler handler = found->second.handler;
        handler(text);
      });
  }
}

Bus::Subscription SimulatedBus::Subscribe(const std::string& topic, Handler handler) {
  const uint64_t number = ++hub_->last;
  hub_->listeners[number] = {topic, std::move(handler), alive_};
  return {nullptr, [hub = hub_, number](const void*) { hub->listeners.erase(number); }};
}

void SimulatedBus::Note(const std::string& place, const std::string& who, int64_t until) {
  hub_->texts.insert(place + '\n' + who);
  if (Twin* twin = hub_->stage.twin) twin->Hears(hub_->stage.now(), place, "bus", who);
  if (!gone()) hub_->notes[place][who] = until;
}

template <class T>
void SimulatedBus::Answer(std::function<void(std::optional<T>)> answer, std::optional<T> value) {
  if (gone()) value.reset();
  hub_->stage.In(Delay(), [alive = std::weak_ptr(alive_), answer = std::move(answer),
                           value = std::move(value)] {
    if (!alive.expired()) answer(value);
  });
}

void SimulatedBus::ReadNotes(const std::string& place,
                             std::function<void(std::optional<Notes>)> answer) {
  Answer<Notes>(std::move(answer), hub_->notes[place]);
}

void SimulatedBus::Count(const std::string& key, int64_t milliseconds,
                         std::function<void(std::optional<int64_t>)> answer) {
  auto& [count, until] = hub_->counts[key];
  if (until <= hub_->stage.now()) count = 0, until = hub_->stage.now() + milliseconds;
  Answer<int64_t>(std::move(answer), ++count);
}

}  // namespace civ::simulation
