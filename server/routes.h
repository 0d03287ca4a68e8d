// What a request asks for (docs/api.md), found out without sockets, tables or sessions: bytes in, a wish or a refusal out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/site.h"
#include "table/event.h"

namespace civ {

// An answer that is made for one request; the site's lie ready.
struct Answer {
  int status = 200;
  std::string body;
  std::string_view type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};
};

Answer Answered(int status, const Json& body);
// {"error":{"key":…,"args":{…}}}
Answer Refused(int status, const Error& error);

namespace wish {

struct MakeSession {
  std::string name;
  std::string password;
  bool bot = false;
};
struct About {};     // the server
struct MakeCode {};  // for another device
struct UseCode {     // there
  std::string code;
  bool bot = false;
};
struct WhoAmI {};
struct EndSession {};
struct Lobby {};
struct Mine {};
struct OpenTable {
  TableOptions options;
};
struct ShowTable {
  std::string table;
};
struct TakeRecord {
  std::string table;
};
struct LookBack {
  std::string table;
  int64_t actions = 0;
};
struct Watch {  // as a WebSocket
  std::string table;
  int64_t seen = 0;
};
struct Ready {};
struct Figures {};

// Of the one whose server it is.
struct ListTables {};
struct ListSessions {};
struct CloseTable {
  std::string table;
};
struct Mute {
  std::string person;
  bool on;
};
struct Ban {
  std::string person;  // or an address, to let it in again
  bool on;
  bool address;  // also where that person is
};

}  // namespace wish

using Wish = std::variant<wish::About, wish::MakeSession, wish::MakeCode, wish::UseCode, wish::WhoAmI, wish::EndSession, wish::Lobby, wish::Mine,
                          wish::OpenTable, wish::ShowTable, wish::TakeRecord, wish::LookBack, wish::Watch, wish::Ready, wish::Figures,
                          wish::ListTables, wish::ListSessions, wish::CloseTable, wish::Mute, wish::Ban>;

struct Asked {
  Wish wish;
  std::string token;  // empty: none
};

struct RouteOptions {
  std::vector<std::string> origins;  // of pages that may ask, besides those of the host that is asked
  bool admin = false;                // through the socket of the one whose server it is, where there is nothing else
};

// Whether this is about the API and not a file of the site.
bool IsForApi(std::string_view target);

std::variant<Asked, Answer> Understand(const Request& request, std::string_view body, const RouteOptions& options);

// The address of a client behind a proxy that can be trusted: the last one named, because that is the one the proxy has seen.
std::string ForwardedAddress(const Request& request);

}  // namespace civ
