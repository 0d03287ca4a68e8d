// The routes of the API (docs/api.md): a request in, an operation with its parameters or a refusal
// out. No sockets, tables or sessions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "civ/server/site.h"
#include "civ/table/event.h"

namespace civ {

// An answer that is made for one request; those of the site lie ready as a Response.
struct Answer {
  int status = 200;
  std::string body;
  std::string_view type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};
};

Answer Answered(int status, const Json& body);
// {"error":{"key":…,"args":{…}}}
Answer Refused(int status, const Error& error);

// What can be asked for.
namespace operation {

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
struct TakeAnalysis {
  std::string table;
};
struct LookBack {
  std::string table;
  int64_t actions = 0;
};
struct TakeStory {
  std::string table;
  std::optional<int64_t> actions = {};
};
struct Watch {  // as a WebSocket
  std::string table;
  int64_t seen = 0;
};
struct Ready {};
struct Figures {};

// The owner's, through the owner's socket.
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
  bool address;  // ban the person's addresses, too
};

struct Drop {
  std::string who;  // a person or a network
};

}  // namespace operation

using Operation =
    std::variant<operation::About, operation::MakeSession, operation::MakeCode, operation::UseCode,
                 operation::WhoAmI, operation::EndSession, operation::Lobby, operation::Mine,
                 operation::OpenTable, operation::ShowTable, operation::TakeRecord,
                 operation::TakeAnalysis, operation::LookBack, operation::TakeStory,
                 operation::Watch, operation::Ready, operation::Figures, operation::ListTables,
                 operation::ListSessions, operation::CloseTable, operation::Mute, operation::Ban,
                 operation::Drop>;

struct Asked {
  Operation operation;
  std::string token;  // empty: none
};

struct RouteOptions {
  std::vector<std::string> origins;  // of pages that may ask, besides those of the same host
  bool admin = false;                // through the owner's socket, which has its own operations
};

// Whether this is about the API and not a file of the site.
bool IsForApi(std::string_view target);

std::variant<Asked, Answer> Understand(const Request& request, std::string_view body,
                                       const RouteOptions& options);

// The address of a client behind a proxy that can be trusted: the last one named, because that is
// the one the proxy has seen, whatever it looks like. Nothing if none is named at all.
std::optional<std::string> ForwardedAddress(const Request& request);

}  // namespace civ
