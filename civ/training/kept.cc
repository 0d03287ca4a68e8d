#include "civ/training/kept.h"

#include <filesystem>

namespace civ {
namespace {

constexpr uint64_t kMark = 0x3153454d41474b43;  // "CKGAMES1": what such a file begins with

template <class T>
void Put(std::ostream& out, const T& value) {
  out.write(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
bool Get(std::istream& in, T& value) {
  return static_cast<bool>(in.read(reinterpret_cast<char*>(&value), sizeof value));
}

void Write(std::ostream& out, const Examples& examples) {
  Put(out, static_cast<uint32_t>(examples.values.size()));
  Put(out, static_cast<uint32_t>(examples.policies.size()));
  for (const ValueExample& value : examples.values) Put(out, value);
  for (const PolicyExample& policy : examples.policies) {
    Put(out, policy.state);
    Put(out, static_cast<uint32_t>(policy.shares.size()));
    for (const auto& [action, share] : policy.shares) {
      Put(out, action);
      Put(out, share);
    }
  }
}

bool Read(std::istream& in, Examples& examples) {
  constexpr uint32_t kMost = 1 << 16;
  uint32_t values, policies, shares;
  if (!Get(in, values) || !Get(in, policies) || values > kMost || policies > kMost) return false;
  examples.values.resize(values);
  for (ValueExample& value : examples.values)
    if (!Get(in, value)) return false;
  examples.policies.resize(policies);
  for (PolicyExample& policy : examples.policies) {
    if (!Get(in, policy.state) || !Get(in, shares) || shares > kMost) return false;
    policy.shares.resize(shares);
    for (auto& [action, share] : policy.shares)
      if (!Get(in, action) || !Get(in, share)) return false;
  }
  return true;
}

}  // namespace

bool KeptGames::MayKeepIn(const std::string& file) {
  if (!std::filesystem::exists(file)) return true;
  if (!std::filesystem::is_regular_file(file)) return false;
  std::ifstream in(file, std::ios::binary);
  uint64_t mark;
  return std::filesystem::is_empty(file) || (Get(in, mark) && mark == kMark);
}

KeptGames::KeptGames(const std::string& file, uint64_t key) {
  if (file.empty()) return;
  std::streamoff whole = 0;  // bytes of whole games, and of the key before them
  {
    std::ifstream in(file, std::ios::binary);
    uint64_t mark, found;
    int game;
    if (Get(in, mark) && mark == kMark && Get(in, found) && found == key) whole = in.tellg();
    for (Examples examples; whole > 0 && Get(in, game) && Read(in, examples); examples = {}) {
      games_[game] = std::move(examples);
      whole = in.tellg();
    }
  }
  if (whole > 0) std::filesystem::resize_file(file, static_cast<uintmax_t>(whole));
  out_.open(file, std::ios::binary | (whole > 0 ? std::ios::app : std::ios::trunc));
  if (whole > 0) return;
  Put(out_, kMark);
  Put(out_, key);
}

bool KeptGames::Take(int game, Examples& examples) {
  const std::scoped_lock lock(mutex_);
  const auto node = games_.extract(game);
  if (node.empty()) return false;
  examples = std::move(node.mapped());
  return true;
}

void KeptGames::Add(int game, const Examples& examples) {
  if (!out_.is_open()) return;
  const std::scoped_lock lock(mutex_);
  Put(out_, game);
  Write(out_, examples);
  out_.flush();
}

}  // namespace civ
