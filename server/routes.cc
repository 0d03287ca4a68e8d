#include "server/routes.h"

#include <algorithm>
#include <charconv>
#include <functional>

#include "table/tell.h"

namespace civ {
namespace {

constexpr std::string_view kApi = "/api/v1/";
constexpr size_t kMostOfPassword = 1024, kMostOfCode = 64, kMostOfName = 400;  // bytes; what is left of a name once it is clean counts elsewhere

using Fields = std::function<Wish(Reader&)>;
using Whole = std::function<Expected<Wish>(const Json&)>;

bool IsOneOf(char c, std::string_view more) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || more.find(c) != more.npos;
}

bool IsId(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, [](char c) { return IsOneOf(c, "_-"); });
}

std::string Lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
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

std::string BearerOf(const Request& request) {
  const std::string header = request.Header("Authorization");
  std::string_view rest = header;
  return Lower(std::string(Next(rest, ' '))) == "bearer" ? std::string(rest) : std::string();
}

// Browsers say which page a request comes from. Programs do not, and they have no cookie that somebody else could make use of.
bool IsFromElsewhere(const Request& request, bool by_cookie, const RouteOptions& options) {
  const std::string origin = Lower(request.Header("Origin"));
  if (origin.empty()) return by_cookie;
  const std::string host = Lower(request.Header("Host"));
  if (!host.empty() && (origin == "http://" + host || origin == "https://" + host)) return false;
  return std::ranges::none_of(options.origins, [&](const std::string& allowed) { return origin == Lower(allowed); });
}

Answer WrongMethod(std::string_view allowed) {
  Answer answer = Refused(405, {"error.method", {}});
  answer.headers.emplace_back("Allow", allowed);
  return answer;
}

Answer NoSuchPath() { return Refused(404, {"error.path", {}}); }

std::variant<Wish, Answer> FromBody(const Request& request, std::string_view body, const Whole& whole) {
  const std::string type = Lower(request.Header("Content-Type"));
  std::string_view rest = type;
  if (Next(rest, ';') != "application/json") return Refused(415, {"error.content-type", {}});
  const Expected<Json> json = ParseJson(body);
  if (!json) return Refused(400, json.error());
  if (!json->is_object()) return Refused(400, {"error.not-object", {}});
  Expected<Wish> wish = whole(*json);
  if (!wish) return Refused(400, wish.error());
  return *std::move(wish);
}

// An object that is read field by field.
Whole Read(const Fields& fields) {
  return [fields](const Json& json) -> Expected<Wish> {
    Reader reader(json);
    Wish wish = fields(reader);
    if (!reader.ok()) return *reader.error;
    return wish;
  };
}

std::string ShortText(Reader& reader, std::string_view field, size_t most) {
  std::string text = reader.Text(field);
  if (reader.ok() && text.size() > most) reader.Fail("error.long-text", {{"field", std::string(field)}});
  return text;
}

Wish SessionFrom(Reader& reader) {
  const bool bot = reader.Has("bot") && reader.Bool("bot");
  if (reader.Has("code")) return wish::UseCode{ShortText(reader, "code", kMostOfCode), bot};
  wish::MakeSession wish{ShortText(reader, "name", kMostOfName), {}, bot};
  if (reader.Has("password") && !reader.IsNull("password")) wish.password = ShortText(reader, "password", kMostOfPassword);
  return wish;
}

struct Finder {
  const Request& request;
  std::string_view body;
  const std::string method = request.method == "HEAD" ? "GET" : std::string(request.method);

  std::variant<Wish, Answer> Reading(Wish wish) const {
    if (method != "GET") return WrongMethod("GET, HEAD");
    return wish;
  }

  std::variant<Wish, Answer> Writing(const Fields& fields) const {
    if (method != "POST") return WrongMethod("POST");
    return FromBody(request, body, Read(fields));
  }

  std::variant<Wish, Answer> Session() const {
    if (method == "GET") return wish::WhoAmI{};
    if (method == "DELETE") return wish::EndSession{};
    if (method == "POST") return FromBody(request, body, Read(SessionFrom));
    return WrongMethod("GET, HEAD, POST, DELETE");
  }

  std::variant<Wish, Answer> Tables() const {
    if (method == "GET") return QueryField(request.target, "mine") ? Wish(wish::Mine{}) : Wish(wish::Lobby{});
    if (method != "POST") return WrongMethod("GET, HEAD, POST");
    return FromBody(request, body, [](const Json& json) -> Expected<Wish> {
      const Expected<TableOptions> options = OptionsFromJson(json);
      if (!options) return options.error();
      return Wish(wish::OpenTable{*options});
    });
  }

  // A number of the query; nothing is changed if it is not there.
  std::optional<Answer> Number(std::string_view field, int64_t& number) const {
    const auto text = QueryField(request.target, field);
    if (!text) return {};
    const auto [end, status] = std::from_chars(text->data(), text->data() + text->size(), number);
    if (status == std::errc() && end == text->data() + text->size() && number >= 0) return {};
    return Refused(400, {"error.value", {{"field", std::string(field)}, {"value", std::string(*text)}}});
  }

  std::variant<Wish, Answer> Past(const std::string& table) const {
    wish::LookBack wish{table};
    if (std::optional<Answer> wrong = Number("at", wish.actions)) return *wrong;
    return Reading(wish);
  }

  std::variant<Wish, Answer> Live(const std::string& table) const {
    if (method != "GET" || request.method == "HEAD") return WrongMethod("GET");
    if (Lower(request.Header("Upgrade")) != "websocket") {
      Answer answer = Refused(426, {"error.upgrade", {}});
      answer.headers.emplace_back("Upgrade", "websocket");
      return answer;
    }
    wish::Watch wish{table};
    if (std::optional<Answer> wrong = Number("seen", wish.seen)) return *wrong;
    return wish;
  }

  std::variant<Wish, Answer> OneTable(std::string_view rest) const {
    const std::string table(Next(rest, '/'));
    if (!IsId(table)) return Refused(404, {"error.table.unknown", {}});
    if (rest.empty()) return Reading(wish::ShowTable{table});
    if (rest == "record") return Reading(wish::TakeRecord{table});
    if (rest == "view") return Past(table);
    if (rest == "live") return Live(table);
    return NoSuchPath();
  }

  std::variant<Wish, Answer> InApi(std::string_view path) const {
    if (path == "server") return Reading(wish::About{});
    if (path == "session") return Session();
    if (path == "session/code") return method == "POST" ? std::variant<Wish, Answer>(wish::MakeCode{}) : WrongMethod("POST");
    if (path == "tables") return Tables();
    if (path.starts_with("tables/")) return OneTable(path.substr(7));
    return NoSuchPath();
  }

  std::variant<Wish, Answer> InAdmin(std::string_view path) const {
    if (path == "/admin/tables") return Reading(wish::ListTables{});
    if (path == "/admin/sessions") return Reading(wish::ListSessions{});
    if (path == "/admin/close") return Writing([](Reader& reader) -> Wish { return wish::CloseTable{reader.Text("table")}; });
    if (path == "/admin/mute") return Writing([](Reader& reader) -> Wish { return wish::Mute{reader.Text("person"), reader.Bool("on")}; });
    if (path == "/admin/ban")
      return Writing([](Reader& reader) -> Wish { return wish::Ban{reader.Text("person"), reader.Bool("on"), reader.Bool("address")}; });
    return NoSuchPath();
  }
};

}  // namespace

Answer Answered(int status, const Json& body) { return {status, body.dump(-1, ' ', false, Json::error_handler_t::replace)}; }

Answer Refused(int status, const Error& error) { return Answered(status, {{"error", ToJson(error)}}); }

bool IsForApi(std::string_view target) {
  const std::string_view path = PathOf(target);
  return path.starts_with("/api/") || path == "/api" || path == "/readyz" || path == "/metrics";
}

std::variant<Asked, Answer> Understand(const Request& request, std::string_view body, const RouteOptions& options) {
  const std::string_view path = PathOf(request.target);
  const Finder finder{request, body};
  if (options.admin) {
    std::variant<Wish, Answer> found = finder.InAdmin(path);
    if (Answer* answer = std::get_if<Answer>(&found)) return std::move(*answer);
    return Asked{std::get<Wish>(std::move(found)), {}};
  }

  Asked asked{wish::Ready{}, BearerOf(request)};
  const bool by_cookie = asked.token.empty();
  if (by_cookie) asked.token = CookieOf(request);
  // Before anything is read: a page from elsewhere is not even told what is wrong with its request.
  const bool only_reads = (request.method == "GET" || request.method == "HEAD") && request.Header("Upgrade").empty();
  if (!only_reads && IsFromElsewhere(request, by_cookie && !asked.token.empty(), options)) return Refused(403, {"error.origin", {}});

  std::variant<Wish, Answer> found = NoSuchPath();
  if (path == "/readyz") found = finder.Reading(wish::Ready{});
  if (path == "/metrics") found = finder.Reading(wish::Figures{});
  if (path.starts_with(kApi)) found = finder.InApi(path.substr(kApi.size()));
  if (Answer* answer = std::get_if<Answer>(&found)) return std::move(*answer);
  asked.wish = std::get<Wish>(std::move(found));
  return asked;
}

std::string ForwardedAddress(const Request& request) {
  const std::string header = request.Header("X-Forwarded-For");
  std::string_view last, rest = header;
  while (!rest.empty()) last = Next(rest, ',');
  return std::string(last);
}

}  // namespace civ
