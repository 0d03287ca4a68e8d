// All WebSockets of the server: who is behind each, and what becomes of it in the hall.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "civ/server/api.h"
#include "civ/server/hall.h"
#include "civ/server/metrics.h"
#include "civ/server/server.h"
#include "civ/server/sessions.h"

namespace civ {

class Clients {
 public:
  // `ended` is called whenever one is gone.
  Clients(const ServerOptions& options, Metrics& metrics, std::function<void()> ended)
      : options_(options), metrics_(metrics), ended_(std::move(ended)) {}
  // Before the first WebSocket.
  void Open(Hall& hall, Sessions& sessions) {
    hall_ = &hall;
    sessions_ = &sessions;
  }

  // Why no further WebSocket is taken from that address now; nothing if one is.
  std::optional<Answer> WhyNot(const std::string& address) const;
  void Stop() { stopping_ = true; }  // from now on none is
  void CloseAll(std::string_view why);

  // What a WebSocket calls: Add before its handshake, Opened after it, and Gone at its end in any
  // case. Closed comes once if it was opened.
  void Add(Client& client, Upgrade from);
  void Opened(std::shared_ptr<Client> client);
  void Received(Client& client, std::string_view text);
  void Closed(Client& client);
  void Gone(Client& client);
  void Acknowledged(double seconds) { metrics_.Acknowledged(seconds); }  // since its last message
  void TooSlow() { ++closed_slow_; }  // one is closed because it does not read
  // So many bytes wait to be sent to it. If those of all are too many, the ones who are furthest
  // behind are closed.
  void Waits(Client& client, size_t bytes);

  const ServerOptions& options() const { return options_; }
  size_t size() const { return clients_.size(); }
  size_t queued() const { return queued_; }  // bytes that wait, in all
  uint64_t closed_slow() const { return closed_slow_; }

 private:
  struct Known {
    Upgrade from;  // once it is open, only the address
    Hall::ClientId id = 0;
    size_t waiting = 0;  // bytes
  };

  const ServerOptions& options_;
  Metrics& metrics_;
  const std::function<void()> ended_;
  Hall* hall_ = nullptr;
  Sessions* sessions_ = nullptr;
  std::unordered_map<Client*, Known> clients_;
  NetworkCounts addresses_;
  uint64_t closed_slow_ = 0;
  size_t queued_ = 0;
  bool stopping_ = false;
};

}  // namespace civ
