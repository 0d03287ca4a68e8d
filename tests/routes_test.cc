// What requests ask for, without sockets: who may ask, and what is refused before anybody is asked.
#include "civ/server/routes.h"

#include <gtest/gtest.h>

namespace civ {
namespace {

using Headers = std::vector<std::pair<std::string_view, std::string_view>>;
using Understood = std::variant<Asked, Answer>;

constexpr const char* kToken = "0123456789012345678901234567890123456789abc";
const Headers kJson = {{"Host", "civ.example.org"}, {"Content-Type", "application/json"}};

Headers With(Headers headers, std::string_view name, std::string_view value) {
  headers.emplace_back(name, value);
  return headers;
}

Understood Ask(std::string_view method, std::string_view target,
               const Headers& headers = {{"Host", "civ.example.org"}}, std::string_view body = {},
               const RouteOptions& options = {}) {
  return Understand({method, target, headers}, body, options);
}

int StatusOf(const Understood& understood) {
  return std::holds_alternative<Answer>(understood) ? std::get<Answer>(understood).status : 0;
}

std::string KeyOf(const Understood& understood) {
  if (StatusOf(understood) == 0) return {};
  const Expected<Json> json = ParseJson(std::get<Answer>(understood).body);
  return json ? (*json)["error"]["key"].get<std::string>() : "no JSON";
}

template <class T>
const T* Wanted(const Understood& understood) {
  const Asked* asked = std::get_if<Asked>(&understood);
  return asked == nullptr ? nullptr : std::get_if<T>(&asked->operation);
}

TEST(Routes, EveryPath) {
  EXPECT_TRUE(Wanted<operation::About>(Ask("GET", "/api/v1/server")));
  EXPECT_TRUE(Wanted<operation::WhoAmI>(Ask("GET", "/api/v1/session")));
  EXPECT_TRUE(Wanted<operation::WhoAmI>(Ask("HEAD", "/api/v1/session")));
  EXPECT_TRUE(Wanted<operation::EndSession>(Ask("DELETE", "/api/v1/session")));
  EXPECT_TRUE(Wanted<operation::MakeCode>(Ask("POST", "/api/v1/session/code")));
  EXPECT_TRUE(Wanted<operation::Lobby>(Ask("GET", "/api/v1/tables")));
  EXPECT_TRUE(Wanted<operation::Lobby>(Ask("GET", "/api/v1/tables?yours")));
  EXPECT_TRUE(Wanted<operation::Mine>(Ask("GET", "/api/v1/tables?mine")));
  EXPECT_TRUE(Wanted<operation::Mine>(Ask("GET", "/api/v1/tables?x=1&mine=")));
  EXPECT_TRUE(Wanted<operation::Ready>(Ask("GET", "/readyz")));
  EXPECT_TRUE(Wanted<operation::Figures>(Ask("GET", "/metrics")));
  const Understood table = Ask("GET", "/api/v1/tables/aB-_9"),
                   record = Ask("GET", "/api/v1/tables/aB-_9/record");
  ASSERT_TRUE(Wanted<operation::ShowTable>(table));
  EXPECT_EQ(Wanted<operation::ShowTable>(table)->table, "aB-_9");
  ASSERT_TRUE(Wanted<operation::TakeRecord>(record));
  const auto analysis = Ask("GET", "/api/v1/tables/aB-_9/analysis");
  ASSERT_TRUE(Wanted<operation::TakeAnalysis>(analysis));
  EXPECT_EQ(Wanted<operation::TakeAnalysis>(analysis)->table, "aB-_9");
  EXPECT_EQ(Wanted<operation::TakeRecord>(record)->table, "aB-_9");
  const Understood past = Ask("GET", "/api/v1/tables/aB-_9/view?at=12");
  ASSERT_TRUE(Wanted<operation::LookBack>(past));
  EXPECT_EQ(Wanted<operation::LookBack>(past)->table, "aB-_9");
  EXPECT_EQ(Wanted<operation::LookBack>(past)->actions, 12);
  EXPECT_EQ(KeyOf(Ask("GET", "/api/v1/tables/aB-_9/view?at=-1")), "error.value");
  EXPECT_EQ(KeyOf(Ask("GET", "/api/v1/tables/aB-_9/story?to=-1")), "error.value");
}

TEST(Routes, NothingElse) {
  for (const char* target : {"/api", "/api/", "/api/v1", "/api/v1/", "/api/v2/session",
                             "/api/v1/sessions", "/api/v1/tables/a/b", "/api/v1/tables/a/record/",
                             "/admin/tables", "/api/v1/../admin/tables", "/api/v1/admin/tables"})
    EXPECT_EQ(KeyOf(Ask("GET", target)), "error.path") << target;
  for (const std::string& table : {std::string(), std::string(".."), std::string("a%20b"),
                                   std::string("a b"), std::string("ü"), std::string(65, 'a')})
    EXPECT_EQ(StatusOf(Ask("GET", "/api/v1/tables/" + table)), 404) << table;
  EXPECT_EQ(StatusOf(Ask("POST", "/api/v1/server", kJson, "{}")), 405);
  EXPECT_EQ(StatusOf(Ask("PUT", "/api/v1/session")), 405);
  EXPECT_EQ(StatusOf(Ask("GET", "/api/v1/session/code")), 405);
  EXPECT_EQ(StatusOf(Ask("DELETE", "/api/v1/tables")), 405);
  EXPECT_EQ(StatusOf(Ask("POST", "/api/v1/tables/a", kJson, "{}")), 405);
  EXPECT_EQ(StatusOf(Ask("OPTIONS", "/api/v1/tables")), 405);
  EXPECT_EQ(StatusOf(Ask("POST", "/metrics")), 405);
}

TEST(Routes, SessionsFromBodies) {
  const Understood ada =
      Ask("POST", "/api/v1/session", kJson, R"({"name":"Ada","password":"x","bot":true})");
  ASSERT_TRUE(Wanted<operation::MakeSession>(ada));
  EXPECT_EQ(Wanted<operation::MakeSession>(ada)->name, "Ada");
  EXPECT_EQ(Wanted<operation::MakeSession>(ada)->password, "x");
  EXPECT_TRUE(Wanted<operation::MakeSession>(ada)->bot);
  EXPECT_TRUE(Wanted<operation::MakeSession>(
      Ask("POST", "/api/v1/session", kJson, R"({"name":"Ada","password":null})")));
  const Understood code = Ask("POST", "/api/v1/session", kJson, R"({"code":"k7w2m9qx4hbtz3ne"})");
  ASSERT_TRUE(Wanted<operation::UseCode>(code));
  EXPECT_EQ(Wanted<operation::UseCode>(code)->code, "k7w2m9qx4hbtz3ne");
  EXPECT_EQ(StatusOf(Ask("POST", "/api/v1/session", kJson, R"({"code":7})")), 400);
  EXPECT_EQ(StatusOf(Ask("POST", "/api/v1/session", kJson,
                         R"({"code":")" + std::string(65, 'a') + R"("})")),
            400);
  for (const char* body :
       {"", "{", "[]", "null", "7", R"({"name":7})", R"({})", R"({"name":"Ada","bot":1})",
        R"({"name":"Ada","password":[]})", "{\"name\":\"\xff\"}"})
    EXPECT_EQ(StatusOf(Ask("POST", "/api/v1/session", kJson, body)), 400) << body;
  EXPECT_EQ(StatusOf(Ask("POST", "/api/v1/session", kJson,
                         R"({"name":")" + std::string(1000, 'a') + R"("})")),
            400);
  EXPECT_EQ(StatusOf(Ask("POST", "/api/v1/session", kJson, std::string(10'000, '['))), 400);
}

// A form of another page can send text/plain without being asked for leave.
TEST(Routes, OnlyJsonIsRead) {
  for (const char* type : {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data",
                           "application/jsonx", ""})
    EXPECT_EQ(StatusOf(Ask("POST", "/api/v1/session", {{"Host", "x"}, {"Content-Type", type}},
                           R"({"name":"Ada"})")),
              415)
        << type;
  EXPECT_EQ(StatusOf(Ask("POST", "/api/v1/session",
                         {{"Host", "x"}, {"content-type", "Application/JSON; charset=utf-8"}},
                         R"({"name":"Ada"})")),
            0);
}

TEST(Routes, Tables) {
  const Understood made = Ask("POST", "/api/v1/tables", kJson, R"({"players":3,"listed":false})");
  ASSERT_TRUE(Wanted<operation::OpenTable>(made));
  EXPECT_EQ(Wanted<operation::OpenTable>(made)->options.config.players, 3);
  EXPECT_FALSE(Wanted<operation::OpenTable>(made)->options.listed);
  EXPECT_TRUE(Wanted<operation::OpenTable>(Ask("POST", "/api/v1/tables", kJson, "{}")));
  EXPECT_EQ(StatusOf(Ask("POST", "/api/v1/tables", kJson, R"({"players":7})")), 400);
}

TEST(Routes, TokensOfCookiesAndPrograms) {
  const auto token = [](const Headers& headers) {
    return std::get<Asked>(Ask("GET", "/api/v1/session", headers)).token;
  };
  EXPECT_EQ(token({{"Cookie", "civ=abc"}}), "abc");
  EXPECT_EQ(token({{"Cookie", "x=1; civ=abc; y=2"}}), "abc");
  EXPECT_EQ(token({{"Cookie", "x=1"}, {"cookie", "civ=abc"}}), "abc");
  EXPECT_EQ(token({{"Cookie", "xciv=abc; civx=abc"}}), "");
  EXPECT_EQ(token({{"Authorization", "Bearer abc"}}), "abc");
  EXPECT_EQ(token({{"authorization", "bearer abc"}}), "abc");
  EXPECT_EQ(token({{"Authorization", "Basic abc"}}), "");
  EXPECT_EQ(token({{"Authorization", "Bearer abc"}, {"Cookie", "civ=def"}}), "abc");
  EXPECT_EQ(token({}), "");
}

TEST(Routes, OtherPagesMayNotActForAnybody) {
  const std::string cookie = std::string("civ=") + kToken;
  const auto post = [&](const char* origin, bool with_cookie, const RouteOptions& options = {}) {
    Headers headers = kJson;
    if (with_cookie) headers = With(headers, "Cookie", cookie);
    if (origin != nullptr) headers = With(headers, "Origin", origin);
    return StatusOf(Ask("POST", "/api/v1/tables", headers, "{}", options));
  };
  EXPECT_EQ(post("https://civ.example.org", true), 0);
  EXPECT_EQ(post("http://civ.example.org", true), 0);
  EXPECT_EQ(post("HTTPS://CIV.example.ORG", true), 0);
  for (const char* origin :
       {"https://evil.example", "null", "https://civ.example.org.evil.example",
        "https://xciv.example.org", "civ.example.org", "https://civ.example.org:8443",
        "https://civ.example.org/", "ftp://civ.example.org"}) {
    EXPECT_EQ(post(origin, true), 403) << origin;
    EXPECT_EQ(post(origin, false), 403) << origin;  // nor make somebody a session
    EXPECT_EQ(post(origin, true, {{"https://other.example"}}), 403) << origin;
  }
  EXPECT_EQ(post(nullptr, true), 403);
  EXPECT_EQ(post(nullptr, false), 0);
  EXPECT_EQ(post("https://other.example", true, {{"https://other.example"}}), 0);
  EXPECT_EQ(StatusOf(Ask("DELETE", "/api/v1/session",
                         {{"Host", "x"}, {"Cookie", cookie}, {"Origin", "http://evil.example"}})),
            403);
  EXPECT_EQ(StatusOf(Ask("POST", "/api/v1/session/code",
                         {{"Host", "x"}, {"Cookie", cookie}, {"Origin", "http://evil.example"}})),
            403);
  EXPECT_EQ(StatusOf(Ask("POST", "/api/v1/tables",
                         With(With(kJson, "Authorization", "Bearer abc"), "Cookie", cookie), "{}")),
            0);
  EXPECT_EQ(StatusOf(Ask("GET", "/api/v1/session",
                         {{"Host", "x"}, {"Cookie", cookie}, {"Origin", "http://evil.example"}})),
            0);  // it cannot read it
}

TEST(Routes, Lines) {
  const Headers bare = {{"Host", "x"}, {"Upgrade", "websocket"}, {"Connection", "Upgrade"}},
                upgrade = With(bare, "Sec-WebSocket-Key", "AAECAwQFBgcICQoLDA0ODw==");
  const Understood live = Ask("GET", "/api/v1/tables/t1/live?seen=17", upgrade);
  ASSERT_TRUE(Wanted<operation::Watch>(live));
  EXPECT_EQ(Wanted<operation::Watch>(live)->table, "t1");
  EXPECT_EQ(Wanted<operation::Watch>(live)->seen, 17);
  EXPECT_EQ(Wanted<operation::Watch>(Ask("GET", "/api/v1/tables/t1/live", upgrade))->seen, 0);
  for (const char* seen : {"-1", "x", "", "1x", "99999999999999999999"})
    EXPECT_EQ(StatusOf(Ask("GET", "/api/v1/tables/t1/live?seen=" + std::string(seen), upgrade)),
              400)
        << seen;
  EXPECT_EQ(StatusOf(Ask("GET", "/api/v1/tables/t1/live")), 426);
  EXPECT_EQ(StatusOf(Ask("GET", "/api/v1/tables/t1/live",
                         With(With(upgrade, "Cookie", "civ=a"), "Origin", "http://evil.example"))),
            403);
  EXPECT_EQ(StatusOf(Ask("GET", "/api/v1/tables/t1/live", With(upgrade, "Cookie", "civ=a"))), 403);
  EXPECT_EQ(StatusOf(Ask("GET", "/api/v1/tables/t1/live",
                         With(With(upgrade, "Cookie", "civ=a"), "Origin", "http://x"))),
            0);
}

TEST(Routes, TheOwnersSocket) {
  const RouteOptions owner{{}, true};
  EXPECT_TRUE(Wanted<operation::ListTables>(Ask("GET", "/admin/tables", {}, {}, owner)));
  EXPECT_TRUE(Wanted<operation::ListSessions>(Ask("GET", "/admin/sessions", {}, {}, owner)));
  const Understood ban =
      Ask("POST", "/admin/ban", kJson, R"({"person":"p_1","on":true,"address":false})", owner);
  ASSERT_TRUE(Wanted<operation::Ban>(ban));
  EXPECT_EQ(Wanted<operation::Ban>(ban)->person, "p_1");
  EXPECT_EQ(StatusOf(Ask("GET", "/api/v1/tables", {}, {}, owner)), 404);
  for (const char* target :
       {"/admin/tables", "/admin/sessions", "/admin/ban", "/admin/mute", "/admin/close"}) {
    EXPECT_EQ(StatusOf(Ask("GET", target)), 404) << target;
    EXPECT_EQ(StatusOf(Ask("POST", target, kJson,
                           R"({"person":"p_1","on":true,"address":false,"table":"t"})")),
              404)
        << target;
    EXPECT_FALSE(IsForApi(target)) << target;
  }
}

TEST(Routes, AWebSocketNeedsAKey) {
  const Headers bare = {{"Host", "x"}, {"Upgrade", "websocket"}, {"Connection", "Upgrade"}};
  const auto status = [](const Headers& headers) {
    return StatusOf(Ask("GET", "/api/v1/tables/t1/live", headers));
  };
  EXPECT_EQ(status(bare), 400);
  for (const char* key :
       {"", "x", "AAECAwQFBgcICQoLDA0ODw", "AAECAwQFBgcICQoLDA0ODw=A", "AAECAwQFBgcICQoLDA0OD===",
        "AAECAwQFBgcICQoLDA0OD_==", "AAECAwQFBgcICQoLDA0ODw==AAECAwQFBgcICQoLDA0ODw=="})
    EXPECT_EQ(status(With(bare, "Sec-WebSocket-Key", key)), 400) << key;
  const Headers right = With(bare, "Sec-WebSocket-Key", "AAECAwQFBgcICQoLDA0O/+==");
  EXPECT_NE(status(right), 400);
  EXPECT_EQ(status(With(right, "Sec-WebSocket-Key", "AAECAwQFBgcICQoLDA0ODw==")), 400);  // two
}

TEST(Routes, WhoIsBehindAProxy) {
  const auto forwarded = [](const Headers& headers) {
    return ForwardedAddress({"GET", "/", headers});
  };
  EXPECT_EQ(forwarded({{"X-Forwarded-For", "192.0.2.7"}}), "192.0.2.7");
  EXPECT_EQ(forwarded({{"X-Forwarded-For", "6.6.6.6, 192.0.2.7"}}),
            "192.0.2.7");  // what was there before may be a lie
  EXPECT_EQ(forwarded({{"X-Forwarded-For", "6.6.6.6"}, {"x-forwarded-for", "192.0.2.7"}}),
            "192.0.2.7");
  EXPECT_EQ(forwarded({}), std::nullopt);
  EXPECT_EQ(forwarded({{"X-Forwarded-For", ""}}), "");  // said, but nothing that can be read
  EXPECT_EQ(forwarded({{"X-Forwarded-For", "192.0.2.7,"}}), "");
  EXPECT_EQ(forwarded({{"X-Forwarded-For", "192.0.2.7, unknown"}}), "unknown");
}

}  // namespace
}  // namespace civ
