// Hints between processes that share a store: what has changed, who is where, how often somebody
// did something. All of it may be lost at any moment, and nothing but seconds is lost with it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace civ {

// All calls come from one thread, and all answers and texts come back to it, never from within a
// call. No text, key or name holds a card that is hidden from anybody, or a secret.
class Bus {
 public:
  virtual ~Bus() = default;

  // To all who have subscribed to the topic at that moment, in whatever process; to this one, too.
  // Texts may be lost, and come twice or late.
  virtual void Publish(const std::string& topic, const std::string& text) = 0;
  using Handler = std::function<void(const std::string& text)>;
  // For as long as what is returned is kept.
  using Subscription = std::shared_ptr<void>;
  [[nodiscard]] virtual Subscription Subscribe(const std::string& topic, Handler handler) = 0;

  // Notes of a place: until when each of those was known to be there, in time of service. A place
  // of which nothing is noted for a day is forgotten.
  virtual void Note(const std::string& place, const std::string& who, int64_t until) = 0;
  using Notes = std::map<std::string, int64_t>;
  // Nothing while the bus cannot be reached.
  virtual void ReadNotes(const std::string& place,
                         std::function<void(std::optional<Notes>)> answer) = 0;

  // Counts one more of that key; the count ends so many milliseconds after its first. The answer is
  // the count, or nothing while the bus cannot be reached.
  virtual void Count(const std::string& key, int64_t milliseconds,
                     std::function<void(std::optional<int64_t>)> answer) = 0;

  // Whether it can be reached, as far as is known.
  virtual bool healthy() const { return true; }
};

}  // namespace civ
