// What the server answers, without sockets.
#include "civ/server/site.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace civ {
namespace {

constexpr auto kFiles = std::to_array<File>({{"/index.html", "<p>index"},
                                             {"/index.html.br", "index br"},
                                             {"/index.html.gz", "index gz"},
                                             {"/assets/app-12ab.js", "app"},
                                             {"/assets/app-12ab.js.gz", "app gz"},
                                             {"/assets/civ.wasm", "wasm"},
                                             {"/lone.gz", "not a variant"},
                                             {"/a.css", ""},
                                             {"/a.svg", ""},
                                             {"/a.png", ""},
                                             {"/a.json", ""},
                                             {"/a.woff2", ""},
                                             {"/a.webmanifest", ""},
                                             {"/a.unheard-of", ""}});

using Headers = std::vector<std::pair<std::string_view, std::string_view>>;

Response Ask(std::string_view target, Headers headers = {}, std::string_view method = "GET") {
  static const Site site(kFiles);
  return site.Answer({method, target, std::move(headers)});
}

std::string_view Header(const Response& response, std::string_view name) {
  const auto found = std::ranges::find(response.headers, name,
                                       &std::pair<std::string_view, std::string_view>::first);
  return found == response.headers.end() ? "" : found->second;
}

std::string_view BodyFor(std::string_view accepted, std::string_view target = "/index.html") {
  return Ask(target, {{"Accept-Encoding", accepted}}).body;
}

TEST(Site, FindsFiles) {
  EXPECT_EQ(Ask("/").body, "<p>index");
  EXPECT_EQ(Ask("/index.html").body, "<p>index");
  EXPECT_EQ(Ask("/?seat=1").body, "<p>index");
  EXPECT_EQ(Ask("/assets/app-12ab.js").body, "app");
  EXPECT_EQ(Ask("http://example.org/assets/app-12ab.js?x").body, "app");
  EXPECT_EQ(Ask("http://example.org").body, "<p>index");
  EXPECT_EQ(Ask("/lone.gz").body, "not a variant");
  EXPECT_EQ(Ask("/healthz").body, "ok");
  EXPECT_EQ(Ask("/healthz").status, 200);
}

TEST(Site, KnowsNothingElse) {
  for (const char* target : {"/nothing", "/table/12", "/assets", "/assets/", "//index.html",
                             "/../index.html", "/./index.html", "/index.html.br",
                             "/assets/app-12ab.js.gz", "/%2e%2e/etc/passwd", "/INDEX.HTML"}) {
    EXPECT_EQ(Ask(target).status, 404) << target;
    EXPECT_EQ(Header(Ask(target), "Content-Type"), "text/html; charset=utf-8") << target;
    EXPECT_NE(Ask(target).body, "") << target;
  }
  for (const char* target : {"", "*", "index.html", "?", "://"})
    EXPECT_NE(Ask(target).status, 200) << target;
  EXPECT_EQ(Ask("*").status, 400);
}

TEST(Site, KnowsTypes) {
  EXPECT_EQ(Header(Ask("/"), "Content-Type"), "text/html; charset=utf-8");
  EXPECT_EQ(Header(Ask("/assets/app-12ab.js"), "Content-Type"), "text/javascript; charset=utf-8");
  EXPECT_EQ(Header(Ask("/assets/civ.wasm"), "Content-Type"), "application/wasm");
  EXPECT_EQ(Header(Ask("/a.css"), "Content-Type"), "text/css; charset=utf-8");
  EXPECT_EQ(Header(Ask("/a.svg"), "Content-Type"), "image/svg+xml");
  EXPECT_EQ(Header(Ask("/a.png"), "Content-Type"), "image/png");
  EXPECT_EQ(Header(Ask("/a.json"), "Content-Type"), "application/json");
  EXPECT_EQ(Header(Ask("/a.woff2"), "Content-Type"), "font/woff2");
  EXPECT_EQ(Header(Ask("/a.webmanifest"), "Content-Type"), "application/manifest+json");
  EXPECT_EQ(Header(Ask("/a.unheard-of"), "Content-Type"), "application/octet-stream");
}

TEST(Site, SendsTheEncodingThatIsWantedMost) {
  EXPECT_EQ(BodyFor("gzip, deflate, br, zstd"), "index br");
  EXPECT_EQ(BodyFor("gzip, deflate"), "index gz");
  EXPECT_EQ(BodyFor("GZIP"), "index gz");
  EXPECT_EQ(BodyFor("x-gzip"), "index gz");
  EXPECT_EQ(BodyFor("br;q=0.5, gzip"), "index gz");
  EXPECT_EQ(BodyFor("br ; q=0.5 , gzip;q=0.4"), "index br");
  EXPECT_EQ(BodyFor("br;q=0, gzip;q=0.001"), "index gz");
  EXPECT_EQ(BodyFor("br;Q=0,gzip;q=0.000"), "<p>index");
  EXPECT_EQ(BodyFor("*"), "index br");
  EXPECT_EQ(BodyFor("br;q=0, *"), "index gz");
  EXPECT_EQ(BodyFor("*;q=0"), "<p>index");
  EXPECT_EQ(BodyFor("identity, br;q=0.9"), "<p>index");
  EXPECT_EQ(BodyFor("identity;q=0.5, br;q=0.9"), "index br");
  EXPECT_EQ(BodyFor("identity;q=0"), "<p>index");
  EXPECT_EQ(BodyFor(""), "<p>index");
  EXPECT_EQ(BodyFor("brotli, gzipped, xbr"), "<p>index");
  EXPECT_EQ(BodyFor("br;q=high, gzip;q=, ;;,,=;q=1"), "<p>index");
  EXPECT_EQ(BodyFor("br", "/assets/app-12ab.js"), "app");
  EXPECT_EQ(BodyFor("br, gzip;q=0.1", "/assets/app-12ab.js"), "app gz");
  EXPECT_EQ(Ask("/", {{"accept-encoding", "gzip;q=0.5"}, {"ACCEPT-ENCODING", "br;q=0.6"}}).body,
            "index br");

  EXPECT_EQ(Header(Ask("/", {{"Accept-Encoding", "br"}}), "Content-Encoding"), "br");
  EXPECT_EQ(Header(Ask("/", {{"Accept-Encoding", "gzip"}}), "Content-Encoding"), "gzip");
  EXPECT_EQ(Header(Ask("/"), "Content-Encoding"), "");
  EXPECT_EQ(Header(Ask("/"), "Vary"), "Accept-Encoding");
  EXPECT_EQ(Header(Ask("/assets/civ.wasm"), "Vary"), "");
}

TEST(Site, SaysWhenNothingHasChanged) {
  const std::string plain(Header(Ask("/"), "ETag")),
      brotli(Header(Ask("/", {{"Accept-Encoding", "br"}}), "ETag"));
  EXPECT_NE(plain, brotli);
  EXPECT_NE(plain, Header(Ask("/assets/civ.wasm"), "ETag"));
  EXPECT_EQ(plain.front(), '"');
  EXPECT_EQ(plain.back(), '"');
  for (const std::string& known : {plain, "W/" + plain, "\"other\", " + plain, std::string("*")}) {
    const Response response = Ask("/", {{"If-None-Match", known}});
    EXPECT_EQ(response.status, 304) << known;
    EXPECT_EQ(response.body, "");
    EXPECT_EQ(Header(response, "ETag"), plain);
    EXPECT_EQ(Header(response, "Vary"), "Accept-Encoding");
    EXPECT_EQ(Header(response, "Cache-Control"), "no-cache");
    EXPECT_EQ(Header(response, "Content-Encoding"), "");
  }
  EXPECT_EQ(Ask("/", {{"If-None-Match", brotli}}).status, 200);
  EXPECT_EQ(Ask("/", {{"If-None-Match", brotli}, {"Accept-Encoding", "br"}}).status, 304);
  EXPECT_EQ(Ask("/", {{"If-None-Match", plain.substr(1, plain.size() - 2)}}).status, 200);
  EXPECT_EQ(Ask("/nothing", {{"If-None-Match", "*"}}).status, 404);
}

TEST(Site, LetsOnlyHashedFilesBeKept) {
  EXPECT_EQ(Header(Ask("/assets/app-12ab.js"), "Cache-Control"),
            "public, max-age=31536000, immutable");
  EXPECT_EQ(Header(Ask("/"), "Cache-Control"), "no-cache");
  EXPECT_EQ(Header(Ask("/a.svg"), "Cache-Control"), "no-cache");
  EXPECT_EQ(Header(Ask("/assets/old.js"), "Cache-Control"), "no-cache");  // not there
}

TEST(Site, TakesNoOtherMethods) {
  EXPECT_EQ(Ask("/", {}, "HEAD").status, 200);
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", ""}) {
    EXPECT_EQ(Ask("/", {}, method).status, 405) << method;
    EXPECT_EQ(Header(Ask("/", {}, method), "Allow"), "GET, HEAD");
  }
}

TEST(Site, IsStrictInEveryAnswer) {
  for (const Response& response : {Ask("/"), Ask("/nothing"), Ask("/", {}, "POST"), Ask("/healthz"),
                                   Ask("/", {{"If-None-Match", "*"}}), Refusal(400)}) {
    const std::string_view policy = Header(response, "Content-Security-Policy");
    EXPECT_TRUE(policy.starts_with("default-src 'self'; script-src 'self' 'wasm-unsafe-eval';"))
        << response.status;
    EXPECT_TRUE(policy.ends_with("frame-ancestors 'none'")) << response.status;
    EXPECT_EQ(Header(response, "X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(Header(response, "Referrer-Policy"), "no-referrer");
    EXPECT_EQ(Header(response, "Cross-Origin-Opener-Policy"), "same-origin");
    EXPECT_NE(Header(response, "Permissions-Policy"), "");
  }
}

// Scripts inside a document run only as they were built.
TEST(Site, NamesTheScriptsInsideADocument) {
  const std::vector<File> files = {
      {"/index.html", "<p>x</p><script>alert(1)</script><script src=\"a.js\"></script>"},
      {"/plain.html", "<p>x</p>"}};
  const Site site(files);
  const auto policy = [&](std::string_view path) {
    return std::string(Header(site.Answer({"GET", path}), "Content-Security-Policy"));
  };
  // printf 'alert(1)' | openssl dgst -sha256 -binary | base64
  EXPECT_NE(policy("/").find("script-src 'self' 'wasm-unsafe-eval' "
                             "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='; style-src"),
            std::string::npos)
      << policy("/");
  EXPECT_EQ(policy("/plain.html").find("sha256"), std::string::npos);
  EXPECT_EQ(policy("/nothing").find("sha256"), std::string::npos);
}

TEST(Site, RefusesWithTheStatusItWasGiven) {
  for (const int status : {400, 405, 413, 431}) {
    EXPECT_EQ(Refusal(status).status, status);
    EXPECT_TRUE(Refusal(status).body.starts_with(std::to_string(status)));
  }
}

}  // namespace
}  // namespace civ
