// The server's figures, as Prometheus reads them. Numbers only: nothing about anybody.
#pragma once

#include <memory>
#include <string>

#include "server/hall.h"

namespace civ {

class Metrics {
 public:
  Metrics();
  ~Metrics();

  void Committed(double seconds);     // from an append to its answer
  void Acknowledged(double seconds);  // from a command to its acknowledgement
  void Answered(int status);          // a request

  struct Now {
    Hall::Figures hall;
    size_t connections, sockets, sessions, bots_waiting;
    uint64_t closed_slow;
    bool ready;
  };
  std::string Text(const Now& now);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A store whose appends are timed.
class TimedStore : public Store {
 public:
  TimedStore(std::unique_ptr<Store> store, Metrics& metrics) : store_(std::move(store)), metrics_(metrics) {}

  void Append(std::string table, int64_t expected, std::vector<std::string> events, Listing listing, int64_t now, Done done) override;
  void Load(std::string table, Loaded loaded) override { store_->Load(std::move(table), std::move(loaded)); }
  std::optional<Error> LoadOpen(const std::function<void(StoredLog)>& each) override { return store_->LoadOpen(each); }
  void PutAside(const std::string& table, const std::string& why) override { store_->PutAside(table, why); }
  void List(std::string person, bool open_only, int most, Listed listed) override {
    store_->List(std::move(person), open_only, most, std::move(listed));
  }
  std::vector<StoredSession> LoadSessions() override { return store_->LoadSessions(); }
  void PutSession(StoredSession session, Done done) override { store_->PutSession(std::move(session), std::move(done)); }
  void DropSession(std::string hash, Done done) override { store_->DropSession(std::move(hash), std::move(done)); }
  int64_t ServiceTime() override { return store_->ServiceTime(); }
  void PutServiceTime(int64_t now) override { store_->PutServiceTime(now); }
  bool healthy() const override { return store_->healthy(); }
  StoreFigures figures() const override { return store_->figures(); }

 private:
  std::unique_ptr<Store> store_;
  Metrics& metrics_;
};

}  // namespace civ
