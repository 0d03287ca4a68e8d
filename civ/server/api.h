// The API (docs/api.md): who may ask for which operation, and what the hall, the sessions and the
// store answer. No sockets.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "civ/server/hall.h"
#include "civ/server/limits.h"
#include "civ/server/log.h"
#include "civ/server/metrics.h"
#include "civ/server/password.h"
#include "civ/server/routes.h"
#include "civ/server/sessions.h"

namespace civ {

struct ApiOptions {
  std::string version = {};          // of the program
  std::vector<std::string> origins;  // of other pages that may use the server with a cookie
  // Where proxies are that tell by X-Forwarded-For and X-Forwarded-Proto whose request it is.
  std::vector<Network> proxies = {};
  bool secure_cookie = false;
  bool public_metrics = false;  // else for this machine only
  // Of one address:
  Rate requests = {300, 10};
  Rate sessions = {30, 600};
  Rate passwords = {10, 60};
  Rate analyses = {60, 60};
  Rate address_tables = {60, 3600};
  // Of one person:
  Rate own_requests = {100, 10};
  Rate tables = {10, 60};
};

// The other side of a connection.
struct Peer {
  std::string address;  // an AddressKey; empty for the owner's socket
  bool proxy = false;   // one that may say for whom it asks
  bool owner = false;   // through the owner's socket
};

// A request that is to become a WebSocket.
struct Upgrade {
  std::string table;
  Person person;
  int64_t seen;             // number of the last event that the client knows
  std::string address;      // an AddressKey
  uint64_t session_number;  // of the session that asks
};

class Api {
 public:
  struct Parts {
    Hall& hall;
    Store& store;
    Sessions& sessions;
    Metrics& metrics;
    const Log& log;
    Password* password;  // null: everybody may enter
    std::function<Metrics::Now()> figures;
    std::optional<std::string> address;  // where others on the network find the server
    Bus* bus = nullptr;                  // to other processes with the same store, if there are any
  };
  Api(Parts parts, ApiOptions options);

  // Calls `done` once, at once or later.
  using Done = std::function<void(std::variant<Answer, Upgrade>)>;
  void Handle(const Request& request, std::string_view body, const Peer& peer, Done done);

 private:
  struct Call;
  struct Handler;

  // Counts it with what the other processes count, too. Whether all of them together have not had
  // too much yet, as far as is known; without the bus each process has limits of its own.
  bool TakeOfAll(std::string_view what, const std::string& key, const Rate& rate);
  void Perform(Call call, const Asked& asked, bool admin);
  // Whose request that is, an AddressKey; nothing if a proxy does not say it so that it can be
  // read.
  std::optional<std::string> AddressOf(const Request& request, const Peer& peer);

  Parts parts_;
  ApiOptions options_;
  NetworkLimiter requests_{options_.requests}, sessions_{options_.sessions},
      passwords_{options_.passwords}, analyses_{options_.analyses},
      address_tables_{options_.address_tables};
  Limiter own_requests_{options_.own_requests}, tables_{options_.tables};
  std::unordered_map<std::string, Bucket::Clock::time_point> too_much_;  // until when, by key
  bool warned_ = false;  // of somebody who says for whom it asks, and is no proxy of ours
};

}  // namespace civ
