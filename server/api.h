// The API (docs/api.md): requests that have been understood, and what the hall, the sessions and the store say to them. No sockets.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "server/hall.h"
#include "server/limits.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/routes.h"
#include "server/sessions.h"

namespace civ {

struct ApiOptions {
  std::string version = {};          // of the program
  std::vector<std::string> origins;  // of other pages that may use the server with a cookie
  bool trust_proxy = false;          // X-Forwarded-For and X-Forwarded-Proto say where a request comes from
  bool secure_cookie = false;
  bool public_metrics = false;  // else for this machine only
  Rate requests = {300, 10};    // of one address, as are the next three
  Rate sessions = {30, 600};
  Rate passwords = {10, 60};
  Rate address_tables = {60, 3600};
  Rate own_requests = {100, 10};  // of one session, as is the next
  Rate tables = {10, 60};
};

// What is to become a WebSocket.
struct Upgrade {
  std::string table;
  Person person;
  int64_t seen;
  std::string address;      // as AddressKey has it
  uint64_t session_number;  // of the person's sessions this one
};

class Api {
 public:
  struct Parts {
    Hall& hall;
    Store& store;
    Sessions& sessions;
    Metrics& metrics;
    const Log& log;
    Password* password;  // nothing: everybody may enter
    std::function<Metrics::Now()> figures;
    std::optional<std::string> address;  // where others on the network find the server
  };
  Api(Parts parts, ApiOptions options);

  // Answered once, at once or later. `peer` is the AddressKey of the socket; `admin`: it is the one of the server's owner.
  using Done = std::function<void(std::variant<Answer, Upgrade>)>;
  void Handle(const Request& request, std::string_view body, const std::string& peer, bool admin, Done done);

 private:
  struct Call;
  struct Doer;

  std::string AddressOf(const Request& request, const std::string& peer) const;

  Parts parts_;
  ApiOptions options_;
  Limiter requests_{options_.requests}, sessions_{options_.sessions}, passwords_{options_.passwords}, own_requests_{options_.own_requests},
      tables_{options_.tables}, address_tables_{options_.address_tables};
};

}  // namespace civ
