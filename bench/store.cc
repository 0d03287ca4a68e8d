// Moves at many tables of a shared store, as fast as it takes them; then looks whether everything
// that was acknowledged is there, once, and in its order:
//
//   civ_store_load --store postgresql://… [--store …] [--tables N] [--seconds S] [--size BYTES]
//
// Where an answer is lost it looks up what has become of the move, as the server does; where the
// store fails it tries again.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <iostream>
#include <mutex>
#include <thread>

#include "civ/server/ids.h"
#include "civ/server/sharded_store.h"
#include "civ/view/random.h"

namespace civ {
namespace {

using Clock = std::chrono::steady_clock;

struct Figures {
  std::mutex mutex;
  std::vector<double> seconds;  // from the move to its acknowledgement
  std::atomic<int64_t> stored = 0, failed = 0, unknown = 0, wrong = 0, playing = 0;
  std::atomic<bool> ends = false;
};

// One move after another.
class Player {
 public:
  Player(Store& store, std::string id, size_t size, Figures& figures)
      : store_(store), id_(std::move(id)), size_(size), figures_(figures) {}

  void Move() {
    if (figures_.ends) {
      --figures_.playing;
      return;
    }
    begun_ = Clock::now();
    Try();
  }
  const std::string& id() const { return id_; }
  bool Acknowledged(const std::vector<std::string>& events) const {
    bool same = static_cast<int64_t>(events.size()) == length_;
    for (int64_t n = 0; same && n < length_; ++n) same = events[static_cast<size_t>(n)] == Event(n);
    return same;
  }

 private:
  std::string Event(int64_t n) const {
    std::string text = id_ + ' ' + std::to_string(n + 1) + ' ';
    text.resize(std::max(size_, text.size()), '.');
    return text;
  }
  void Try() {
    Addition move{id_, length_, {Event(length_)}, {id_, true, "{}", {"p_" + id_}}};
    move.listing.changed = length_;
    move.due = 1'000'000'000'000 + length_;
    std::vector<Addition> one;
    one.push_back(std::move(move));
    store_.AppendAll(std::move(one), 0, [this](Stored stored) { Answered(stored); });
  }
  void Answered(Stored stored) {
    if (stored == Stored::Stored) return Acknowledge();
    if (stored == Stored::Stale && !doubtful_) ++figures_.wrong;
    if (stored == Stored::Failed) {
      ++figures_.failed;
      return Later([this] { Try(); });
    }
    if (stored == Stored::Unknown) ++figures_.unknown;
    doubtful_ = true;
    LookUp();
  }
  void LookUp() {
    store_.Tail(id_, length_ + 1, [this](const Expected<std::optional<StoredTail>>& tail) {
      if (!tail) return Later([this] { LookUp(); });
      if (!*tail || (*tail)->events.empty()) return Later([this] { Try(); });
      if ((*tail)->events != std::vector{Event(length_)}) ++figures_.wrong;
      Acknowledge();
    });
  }
  void Acknowledge() {
    ++length_;
    ++figures_.stored;
    doubtful_ = false;
    const std::chrono::duration<double> took = Clock::now() - begun_;
    {
      const std::scoped_lock lock(figures_.mutex);
      figures_.seconds.push_back(took.count());
    }
    Move();
  }
  // Not on the thread of the store, which has others to answer.
  template <class Do>
  void Later(Do again) {
    std::thread([again] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      again();
    }).detach();
  }

  Store& store_;
  const std::string id_;
  const size_t size_;
  Figures& figures_;
  int64_t length_ = 0;
  bool doubtful_ = false;  // it may have been stored before
  Clock::time_point begun_;
};

int64_t Missing(Store& store, const std::vector<std::unique_ptr<Player>>& players) {
  int64_t missing = 0;
  for (const auto& player : players) {
    std::promise<bool> same;
    store.Load(player->id(), [&](const Expected<std::optional<StoredLog>>& log) {
      same.set_value(log &&
                     player->Acknowledged(*log ? (*log)->events : std::vector<std::string>()));
    });
    missing += same.get_future().get() ? 0 : 1;
  }
  return missing;
}

int Run(const std::vector<std::string>& uris, int tables, double seconds, size_t size) {
  auto opened = OpenSharedStore(uris, [](const std::function<void()>& answer) { answer(); });
  if (!opened) {
    std::cerr << opened.error().key << ' ' << opened.error().args.back().second << '\n';
    return 1;
  }
  Store& store = **opened;
  Figures figures;
  Random random(static_cast<uint64_t>(Clock::now().time_since_epoch().count()));
  std::vector<std::unique_ptr<Player>> players;
  for (int i = 0; i < tables; ++i) {
    std::string bytes;
    for (size_t k = 0; k < kIdLength; ++k) bytes += static_cast<char>(random.Below(256));
    players.push_back(
        std::make_unique<Player>(store, store.Placed(IdFrom(bytes), ""), size, figures));
  }
  figures.playing = tables;
  for (const auto& player : players) player->Move();
  std::cout << "playing" << std::endl;
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  const int64_t stored = figures.stored;
  figures.ends = true;
  while (figures.playing > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::ranges::sort(figures.seconds);
  const auto within = [&](double part) {
    const auto at = static_cast<size_t>(part * static_cast<double>(figures.seconds.size() - 1));
    return figures.seconds.empty() ? 0 : figures.seconds[at] * 1000;
  };
  const int64_t missing = Missing(store, players);
  std::cout << static_cast<int64_t>(static_cast<double>(stored) / seconds) << " moves/s, "
            << store.figures().commits << " commits, ms 50%: " << within(0.5)
            << ", 99%: " << within(0.99) << ", longest: " << within(1) << "; failed "
            << figures.failed << ", unknown " << figures.unknown << "\nacknowledged "
            << figures.stored << ", tables that are not as acknowledged: " << missing
            << ", wrong answers: " << figures.wrong << '\n';
  return missing + figures.wrong > 0 ? 1 : 0;
}

}  // namespace
}  // namespace civ

int main(int argc, char** argv) {
  CLI::App app("Moves at many tables of a shared store");
  std::vector<std::string> uris;
  int tables = 1000;
  double seconds = 10;
  size_t size = 200;
  app.add_option("--store", uris, "A database")->required();
  app.add_option("--tables", tables, "Tables at once");
  app.add_option("--seconds", seconds, "How long");
  app.add_option("--size", size, "Bytes of an event");
  CLI11_PARSE(app, argc, argv);
  return civ::Run(uris, tables, seconds, size);
}
