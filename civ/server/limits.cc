#include "civ/server/limits.h"

#include <algorithm>
#include <cmath>

namespace civ {

double Bucket::Used(const Rate& rate, Clock::time_point now) const {
  const double passed = std::chrono::duration<double>(now - since_).count();
  return std::max(0.0, used_ - std::max(0.0, passed) * rate.count / rate.seconds);
}

bool Bucket::Take(const Rate& rate, Clock::time_point now, double count) {
  if (!Has(rate, now, count)) return false;
  used_ = Used(rate, now) + count;
  since_ = now;
  return true;
}

bool Bucket::Has(const Rate& rate, Clock::time_point now, double count) const {
  return Used(rate, now) + count <= rate.count;
}

bool Bucket::IsFull(const Rate& rate, Clock::time_point now) const { return Used(rate, now) == 0; }

bool Limiter::Take(std::string_view key, Bucket::Clock::time_point now) {
  const std::string name(key);
  if (const auto found = buckets_.find(name); found != buckets_.end())
    return found->second.Take(rate_, now);
  if (buckets_.size() >= most_) Forget(now);
  return (buckets_.size() < most_ ? buckets_[name] : others_).Take(rate_, now);
}

bool Limiter::Has(const std::string& key, Bucket::Clock::time_point now) const {
  const auto found = buckets_.find(key);
  return found == buckets_.end() || found->second.Has(rate_, now);
}

// At most once a second, because it looks at everybody.
void Limiter::Forget(Bucket::Clock::time_point now) {
  if (now - looked_ < std::chrono::seconds(1)) return;
  looked_ = now;
  std::erase_if(buckets_, [&](const auto& entry) { return entry.second.IsFull(rate_, now); });
}

int Limiter::Seconds() const {
  return std::max(1, static_cast<int>(std::ceil(rate_.seconds / std::max(1.0, rate_.count))));
}

size_t Counts::Of(const std::string& key) const {
  const auto found = counts_.find(key);
  return found == counts_.end() ? 0 : found->second;
}

void Counts::Remove(const std::string& key) {
  if (const auto found = counts_.find(key); found != counts_.end() && --found->second == 0)
    counts_.erase(found);
}

bool NetworkLimiter::Take(const std::string& key, Bucket::Clock::time_point now) {
  const std::vector<Part> networks = NetworksOf(key);
  // All or none: what one part of a network is refused costs the rest of it nothing, and the many
  // addresses of a network that has had its share are not remembered.
  for (const auto& [name, level] : networks)
    if (!limiters_[static_cast<size_t>(level)].Has(name, now)) return false;
  bool taken = true;
  for (const auto& [name, level] : networks)
    taken = limiters_[static_cast<size_t>(level)].Take(name, now) && taken;
  return taken;
}

bool NetworkCounts::IsFull(const std::string& key, size_t most, size_t of_all) const {
  const size_t quarter = std::max(most, of_all / 4);
  return std::ranges::any_of(NetworksOf(key), [&](const Part& network) {
    const size_t share = most << (2 * network.level);  // four times as much on each level
    return counts_.Of(network.name) >= std::min(share, quarter);
  });
}

void NetworkCounts::Add(const std::string& key) {
  for (const Part& network : NetworksOf(key)) counts_.Add(network.name);
}

void NetworkCounts::Remove(const std::string& key) {
  for (const Part& network : NetworksOf(key)) counts_.Remove(network.name);
}

}  // namespace civ
