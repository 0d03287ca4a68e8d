#include "civ/server/limits.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace civ {

double Bucket::Used(const Rate& rate, Clock::time_point now) const {
  const double passed = std::chrono::duration<double>(now - since_).count();
  return std::max(0.0, used_ - std::max(0.0, passed) * rate.count / rate.seconds);
}

bool Bucket::Take(const Rate& rate, Clock::time_point now) {
  const double used = Used(rate, now);
  if (used + 1 > rate.count) return false;
  used_ = used + 1;
  since_ = now;
  return true;
}

bool Bucket::IsFull(const Rate& rate, Clock::time_point now) const { return Used(rate, now) == 0; }

bool Limiter::Take(std::string_view key, Bucket::Clock::time_point now) {
  const std::string name(key);
  if (const auto found = buckets_.find(name); found != buckets_.end())
    return found->second.Take(rate_, now);
  if (buckets_.size() >= most_) Forget(now);
  return (buckets_.size() < most_ ? buckets_[name] : others_).Take(rate_, now);
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

std::string AddressKey(const std::string& address) {
  in_addr four{};
  if (inet_pton(AF_INET, address.c_str(), &four) == 1) return address;
  in6_addr six{};
  if (inet_pton(AF_INET6, address.substr(0, address.find('%')).c_str(), &six) != 1) return {};
  char text[INET6_ADDRSTRLEN];
  if (IN6_IS_ADDR_V4MAPPED(&six)) return inet_ntop(AF_INET, six.s6_addr + 12, text, sizeof text);
  if (IN6_IS_ADDR_LOOPBACK(&six)) return "::1";
  std::memset(six.s6_addr + 8, 0, 8);
  return std::string(inet_ntop(AF_INET6, &six, text, sizeof text)) + "/64";
}

}  // namespace civ
