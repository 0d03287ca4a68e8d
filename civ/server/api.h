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
  bool trust_proxy = false;  // X-Forwarded-For and X-Forwarded-Proto say where a request comes from
  bool secure_cookie = false;
  bool public_metrics = false;  // else for this machine only
  // Of one address:
  Rate requests = {300, 10};
  Rate sessions = {30, 600};
  Rate passwords = {10, 60};
  Rate address_tables = {60, 3600};
  // Of one person:
  Rate own_requests = {100, 10};
  Rate tables = {10, 60};
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
  };
  Api(Parts parts, ApiOptions options);

  // Calls `done` once, at once or later. `peer` is the AddressKey of the socket; `admin` says that
  // it is the owner's.
  using Done = std::function<void(std::variant<Answer, Upgrade>)>;
  void Handle(const Request& request, std::string_view body, const std::string& peer, bool admin,
              Done done);

 private:
  struct Call;
  struct Handler;

  std::string AddressOf(const Request& request, const std::string& peer) const;

  Parts parts_;
  ApiOptions options_;
  Limiter requests_{options_.requests}, sessions_{options_.sessions},
      passwords_{options_.passwords}, own_requests_{options_.own_requests},
      tables_{options_.tables}, address_tables_{options_.address_tables};
};

}  // namespace civ
