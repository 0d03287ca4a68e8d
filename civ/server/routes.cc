#include "civ/server/routes.h"

#include <algorithm>
#include <charconv>
#include <functional>

#include "civ/server/ascii.h"
#include "civ/table/tell.h"

namespace civ {
namespace {

constexpr std::string_view kApi = "/api/v1/";
// Bytes; what is left of a name once it is clean counts elsewhere.
constexpr size_t kMostOfPassword = 1024, kMostOfCode = 64, kMostOfName = 400;

using Fields = std::function<Operation(Reader&)>;
using FromObject = std::function<Expected<Operation>(const Json&)>;

bool IsId(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) {
    const char small = Lower(c);
    return (c >= '0' && c <= '9') || (small >= 'a' && small <= 'z') || c == '_' || c == '-';
  });
}

// The value of a field of the query; "mine" of "?mine" is there and empty.
std::optional<std::string_view> QueryField(std::string_view target, std::string_view name) {
  const size_t mark = target.find('?');
  if (mark == target.npos) return std::nullopt;
  std::string_view rest = target.substr(mark + 1, target.find('#', mark) - mark - 1);
  while (!rest.empty()) {
    std::string_view field = Next(rest, '&');
    if (Next(field, '=') == name) return field;
  }
  return std::nullopt;
}

std::string CookieOf(const Request& request) {
  std::string header = request.Header("Cookie");
  std::ranges::replace(header, ',', ';');  // several headers have become one
  std::string_view rest = header;
  while (!rest.empty()) {
    std::string_view cookie = Next(rest, ';');
    if (Next(cookie, '=') == "civ") return std::string(cookie);
  }
  return {};
}

// 16 bytes in base64, and once.
bool IsWebSocketKey(std::string_view text) {
  return text.size() == 24 && text.ends_with("==") &&
         std::ranges::all_of(text.substr(0, 22), [](char c) {
           const char small = Lower(c);
           return (c >= '0' && c <= '9') || (small >= 'a' && small <= 'z') || c == '+' || c == '/';
         });
}

std::string BearerOf(const Request& request) {
  const std::string header = request.Header("Authorization");
  std::string_view rest = header;
  return Lower(std::string(Next(rest, ' '))) == "bearer" ? std::string(rest) : std::string();
}

// Browsers say which page a request comes from. Programs do not, and they have no cookie that
// somebody else could make use of.
bool IsFromElsewhere(const Request& request, bool by_cookie, const RouteOptions& options) {
  const std::string origin = Lower(request.Header("Origin"));
  if (origin.empty()) return by_cookie;
  const std::string host = Lower(request.Header("Host"));
  if (!host.empty() && (origin == "http://" + host || origin == "https://" + host)) return false;
  return std::ranges::none_of(options.origins,
                              [&](const std::string& allowed) { return origin == Lower(allowed); });
}

Answer WrongMethod(std::string_view allowed) {
  Answer answer = Refused(405, {"error.method", {}});
  answer.headers.emplace_back("Allow", allowed);
  return answer;
}

Answer NoSuchPath() { return Refused(404, {"error.path", {}}); }

std::variant<Operation, Answer> FromBody(const Request& request, std::string_view body,
                                         const FromObject& read) {
  const std::string type = Lower(request.Header("Content-Type"));
  std::string_view rest = type;
  if (Next(rest, ';') != "application/json") return Refused(415, {"error.content-type", {}});
  const Expected<Json> json = ParseJson(body);
  if (!json) return Refused(400, json.error());
  if (!json->is_object()) return Refused(400, {"error.not-object", {}});
  Expected<Operation> operation = read(*json);
  if (!operation) return Refused(400, operation.error());
  return *std::move(operation);
}

// An object that is read field by field.
FromObject ByFields(const Fields& fields) {
  return [fields](const Json& json) -> Expected<Operation> {
    Reader reader(json);
    Operation operation = fields(reader);
    if (!reader.ok()) return *reader.error;
    return operation;
  };
}

std::string ShortText(Reader& reader, std::string_view field, size_t most) {
  std::string text = reader.Text(field);
  if (reader.ok() && text.size() > most)
    reader.Fail("error.long-text", {{"field", std::string(field)}});
  return text;
}

Operation SessionFrom(Reader& reader) {
  const bool bot = reader.Has("bot") && reader.Bool("bot");
  if (reader.Has("code")) return operation::UseCode{ShortText(reader, "code", kMostOfCode), bot};
  operation::MakeSession operation{ShortText(reader, "name", kMostOfName), {}, bot};
  if (reader.Has("password") && !reader.IsNull("password"))
    operation.password = ShortText(reader, "password", kMostOfPassword);
  return operation;
}

struct Router {
  const Request& request;
  std::string_view body;
  const std::string method = request.method == "HEAD" ? "GET" : std::string(request.method);

  std::variant<Operation, Answer> Reading(Operation operation) const {
    if (method != "GET") return WrongMethod("GET, HEAD");
    return operation;
  }

  std::variant<Operation, Answer> Writing(const Fields& fields) const {
    if (method != "POST") return WrongMethod("POST");
    return FromBody(request, body, ByFields(fields));
  }

  std::variant<Operation, Answer> Session() const {
    if (method == "GET") return operation::WhoAmI{};
    if (method == "DELETE") return operation::EndSession{};
    if (method == "POST") return FromBody(request, body, ByFields(SessionFrom));
    return WrongMethod("GET, HEAD, POST, DELETE");
  }

  std::variant<Operation, Answer> Tables() const {
    if (method == "GET")
      return QueryField(request.target, "mine") ? Operation(operation::Mine{})
                                                : Operation(operation::Lobby{});
    if (method != "POST") return WrongMethod("GET, HEAD, POST");
    return FromBody(request, body, [](const Json& json) -> Expected<Operation> {
      const Expected<TableOptions> options = OptionsFromJson(json);
      if (!options) return options.error();
      return Operation(operation::OpenTable{*options});
    });
  }

  // A number of the query; nothing is changed if it is not there.
  template <class T>
  std::optional<Answer> Number(std::string_view field, T& to) const {
    const auto text = QueryField(request.target, field);
    if (!text) return {};
    int64_t number = 0;
    const auto [end, status] = std::from_chars(text->data(), text->data() + text->size(), number);
    if (status == std::errc() && end == text->data() + text->size() && number >= 0) {
      to = number;
      return {};
    }
    return Refused(400,
                   {"error.value", {{"field", std::string(field)}, {"value", std::string(*text)}}});
  }

  std::variant<Operation, Answer> Past(const std::string& table) const {
    operation::LookBack operation{table};
    if (std::optional<Answer> wrong = Number("at", operation.actions)) return *wrong;
    return Reading(operation);
  }

  std::variant<Operation, Answer> Story(const std::string& table) const {
    operation::TakeStory operation{table};
    if (std::optional<Answer> wrong = Number("to", operation.actions)) return *wrong;
    return Reading(operation);
  }

  std::variant<Operation, Answer> Live(const std::string& table) const {
    if (method != "GET" || request.method == "HEAD") return WrongMethod("GET");
    if (Lower(request.Header("Upgrade")) != "websocket") {
      Answer answer = Refused(426, {"error.upgrade", {}});
      answer.headers.emplace_back("Upgrade", "websocket");
      return answer;
    }
    if (!IsWebSocketKey(request.Header("Sec-WebSocket-Key")))
      return Refused(400, {"error.upgrade", {}});
    operation::Watch operation{table};
    if (std::optional<Answer> wrong = Number("seen", operation.seen)) return *wrong;
    return operation;
  }

  std::variant<Operation, Answer> OneTable(std::string_view rest) const {
    const std::string table(Next(rest, '/'));
    if (!IsId(table)) return Refused(404, {"error.table.unknown", {}});
    if (rest.empty()) return Reading(operation::ShowTable{table});
    if (rest == "record") return Reading(operation::TakeRecord{table});
    if (rest == "analysis") return Reading(operation::TakeAnalysis{table});
    if (rest == "view") return Past(table);
    if (rest == "story") return Story(table);
    if (rest == "live") return Live(table);
    return NoSuchPath();
  }

  std::variant<Operation, Answer> InApi(std::string_view path) const {
    if (path == "server") return Reading(operation::About{});
    if (path == "session") return Session();
    if (path == "session/code")
      return method == "POST" ? std::variant<Operation, Answer>(operation::MakeCode{})
                              : WrongMethod("POST");
    if (path == "tables") return Tables();
    if (path.starts_with("tables/")) return OneTable(path.substr(7));
    return NoSuchPath();
  }

  std::variant<Operation, Answer> InAdmin(std::string_view path) const {
    if (path == "/admin/tables") return Reading(operation::ListTables{});
    if (path == "/admin/sessions") return Reading(operation::ListSessions{});
    if (path == "/admin/close")
      return Writing(
          [](Reader& reader) -> Operation { return operation::CloseTable{reader.Text("table")}; });
    if (path == "/admin/mute")
      return Writing([](Reader& reader) -> Operation {
        return operation::Mute{reader.Text("person"), reader.Bool("on")};
      });
    if (path == "/admin/drop")
      return Writing(
          [](Reader& reader) -> Operation { return operation::Drop{reader.Text("who")}; });
    if (path == "/admin/ban")
      return Writing([](Reader& reader) -> Operation {
        return operation::Ban{reader.Text("person"), reader.Bool("on"), reader.Bool("address")};
      });
    return NoSuchPath();
  }
};

}  // namespace

Answer Answered(int status, const Json& body) {
  return {status, body.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

Answer Refused(int status, const Error& error) {
  return Answered(status, {{"error", ToJson(error)}});
}

bool IsForApi(std::string_view target) {
  const std::string_view path = PathOf(target);
  return path.starts_with("/api/") || path == "/api" || path == "/readyz" || path == "/metrics";
}

std::variant<Asked, Answer> Understand(const Request& request, std::string_view body,
                                       const RouteOptions& options) {
  const std::string_view path = PathOf(request.target);
  const Router router{request, body};
  if (options.admin) {
    std::variant<Operation, Answer> found = router.InAdmin(path);
    if (Answer* answer = std::get_if<Answer>(&found)) return std::move(*answer);
    return Asked{std::get<Operation>(std::move(found)), {}};
  }

  Asked asked{operation::Ready{}, BearerOf(request)};
  const bool by_cookie = asked.token.empty();
  if (by_cookie) asked.token = CookieOf(request);
  // Before anything is read: a page from elsewhere is not even told what is wrong with its request.
  const bool only_reads =
      (request.method == "GET" || request.method == "HEAD") && request.Header("Upgrade").empty();
  if (!only_reads && IsFromElsewhere(request, by_cookie && !asked.token.empty(), options))
    return Refused(403, {"error.origin", {}});

  std::variant<Operation, Answer> found = NoSuchPath();
  if (path == "/readyz") found = router.Reading(operation::Ready{});
  if (path == "/metrics") found = router.Reading(operation::Figures{});
  if (path.starts_with(kApi)) found = router.InApi(path.substr(kApi.size()));
  if (Answer* answer = std::get_if<Answer>(&found)) return std::move(*answer);
  asked.operation = std::get<Operation>(std::move(found));
  return asked;
}

std::optional<std::string> ForwardedAddress(const Request& request) {
  if (!request.Has("X-Forwarded-For")) return std::nullopt;
  const std::string header = request.Header("X-Forwarded-For");
  std::string_view last = std::string_view(header).substr(header.rfind(',') + 1);
  return std::string(Next(last, ','));
}

}  // namespace civ
