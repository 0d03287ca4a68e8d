#include "civ/server/site.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "civ/server/ascii.h"
#include "civ/server/token.h"
#include "civ/table/hash.h"

namespace civ {
namespace {

using Name = std::pair<std::string_view, std::string_view>;

constexpr auto kTypes = std::to_array<Name>({{".css", "text/css; charset=utf-8"},
                                             {".html", "text/html; charset=utf-8"},
                                             {".ico", "image/x-icon"},
                                             {".jpg", "image/jpeg"},
                                             {".js", "text/javascript; charset=utf-8"},
                                             {".json", "application/json"},
                                             {".mjs", "text/javascript; charset=utf-8"},
                                             {".mp3", "audio/mpeg"},
                                             {".ogg", "audio/ogg"},
                                             {".png", "image/png"},
                                             {".svg", "image/svg+xml"},
                                             {".txt", "text/plain; charset=utf-8"},
                                             {".wasm", "application/wasm"},
                                             {".webmanifest", "application/manifest+json"},
                                             {".webp", "image/webp"},
                                             {".woff2", "font/woff2"}});

// Compressed files, the smaller first.
constexpr auto kEncodings = std::to_array<Name>({{".br", "br"}, {".gz", "gzip"}});

// Of every answer, the policy first.
constexpr auto kSecurity = std::to_array<Name>(
    {{"Content-Security-Policy",
      "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; "
      "img-src 'self' data:; worker-src 'self'; "
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
     {"X-Content-Type-Options", "nosniff"},
     {"Referrer-Policy", "no-referrer"},
     {"Cross-Origin-Opener-Policy", "same-origin"},
     {"Permissions-Policy",
      "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()"}});

// Without words, so that it needs no language.
constexpr std::string_view kNotFound =
    "<!doctype html><html><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
    "content=\"width=device-width\"><title>404</title>"
    "<style>:root{color-scheme:light dark}body{font:1.5rem "
    "system-ui,sans-serif;text-align:center;margin:20vh 1rem}</style></head>"
    "<body><h1>404</h1><p><a href=\"/\">← CIV</a></p></body></html>\n";

constexpr std::string_view kPlainText = "text/plain; charset=utf-8";

std::string_view TypeOf(std::string_view path) {
  for (const auto& [ending, type] : kTypes)
    if (path.ends_with(ending)) return type;
  return "application/octet-stream";
}

// The build puts a hash of the content into the names of what lies in assets/.
std::string_view CachingOf(std::string_view path) {
  return path.starts_with("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
}

// FNV-1a of the content, and how it is compressed: different bytes have different tags.
std::string TagOf(std::string_view content, std::string_view encoding) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : content) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(hash >> shift);
  std::string tag = '"' + Hex(bytes);
  if (!encoding.empty()) tag.append("-").append(encoding);
  return tag + '"';
}

// The policy of a document, which may run the scripts inside it that it was built with and no
// others.
std::string PolicyFor(std::string_view html) {
  constexpr std::string_view kBegin = "<script>", kEnd = "</script>";
  std::string scripts;
  for (size_t begin = html.find(kBegin); begin != html.npos; begin = html.find(kBegin, begin)) {
    begin += kBegin.size();
    const size_t end = std::min(html.find(kEnd, begin), html.size());
    scripts += " 'sha256-" + Base64(Sha256(html.substr(begin, end - begin))) + "'";
  }
  std::string policy(kSecurity.front().second);
  return policy.insert(policy.find("; style-src"), scripts);
}

std::string_view Trimmed(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

// The weight of an item like "gzip;q=0.5"; none is 1, and nonsense is 0.
double Weight(std::string_view parameters) {
  while (!parameters.empty()) {
    const std::string_view parameter = Next(parameters, ';');
    if (!parameter.starts_with("q=") && !parameter.starts_with("Q=")) continue;
    const std::string number(parameter.substr(2));
    if (number.empty() || number.find_first_not_of("0123456789.") != number.npos) return 0;
    return std::clamp(std::strtod(number.c_str(), nullptr), 0.0, 1.0);
  }
  return 1;
}

// How much an Accept-Encoding wants an encoding: not at all if it does not speak of it.
double Wanted(std::string_view accepted, std::string_view encoding) {
  double any = 0;
  while (!accepted.empty()) {
    std::string_view item = Next(accepted, ',');
    const std::string_view name = Next(item, ';');
    if (EqualIgnoringCase(name, encoding) ||
        (encoding == "gzip" && EqualIgnoringCase(name, "x-gzip")))
      return Weight(item);
    if (name == "*") any = Weight(item);
  }
  return any;
}

// Whether If-None-Match names the tag. Weakly or not makes no difference there.
bool Matches(std::string_view known, std::string_view etag) {
  while (!known.empty()) {
    std::string_view tag = Next(known, ',');
    if (tag.starts_with("W/")) tag.remove_prefix(2);
    if (tag == etag || tag == "*") return true;
  }
  return false;
}

}  // namespace

Response Blank(int status, std::string_view type, std::string_view caching) {
  Response response{.status = status};
  response.headers.assign(kSecurity.begin(), kSecurity.end());
  response.headers.emplace_back("Cache-Control", caching);
  if (!type.empty()) response.headers.emplace_back("Content-Type", type);
  return response;
}

std::string_view Next(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view item = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return Trimmed(item);
}

std::string_view PathOf(std::string_view target) {
  target = target.substr(0, target.find_first_of("?#"));
  if (target.starts_with('/')) return target;
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!EqualIgnoringCase(target.substr(0, scheme.size()), scheme)) continue;
    const size_t path = target.find('/', scheme.size());
    return path == target.npos ? "/" : target.substr(path);
  }
  return {};
}

bool Request::Has(std::string_view name) const {
  return std::ranges::any_of(
      headers, [&](const auto& header) { return EqualIgnoringCase(header.first, name); });
}

std::string Request::Header(std::string_view name) const {
  std::string value;
  for (const auto& [key, text] : headers) {
    if (!EqualIgnoringCase(key, name)) continue;
    if (!value.empty()) value += ", ";
    value += text;
  }
  return value;
}

Response Refusal(int status) {
  Response response = Blank(status, kPlainText, "no-store");
  switch (status) {
    case 405:
      response.headers.emplace_back("Allow", "GET, HEAD");
      response.body = "405 Method Not Allowed\n";
      break;
    case 413: response.body = "413 Content Too Large\n"; break;
    case 431: response.body = "431 Request Header Fields Too Large\n"; break;
    default: response.body = "400 Bad Request\n";
  }
  return response;
}

Site::Site(std::span<const File> files) {
  std::map<std::string, std::string_view, std::less<>> contents;
  for (const File& file : files) contents.emplace(file.path, file.content);
  const auto is_variant = [&](const std::string& path) {
    return std::ranges::any_of(kEncodings, [&](const Name& encoding) {
      return path.ends_with(encoding.first) &&
             contents.contains(path.substr(0, path.size() - encoding.first.size()));
    });
  };
  for (const auto& [path, content] : contents) {
    if (is_variant(path)) continue;
    Resource resource{TypeOf(path), CachingOf(path), {}, {}};
    if (path.ends_with(".html")) resource.policy = PolicyFor(content);
    for (const auto& [ending, encoding] : kEncodings)
      if (const auto found = contents.find(path + std::string(ending)); found != contents.end())
        resource.variants.push_back({encoding, TagOf(found->second, encoding), found->second});
    resource.variants.push_back({{}, TagOf(content, {}), content});
    if (path == "/index.html") resources_["/"] = resource;
    resources_[path] = std::move(resource);
  }
}

// What the client wants most; of equals the smaller. The file as it is goes to everybody else, even
// to those who say that they do not want it.
const Site::Variant& Site::Best(std::span<const Variant> variants, std::string_view accepted) {
  const Variant* best = &variants.back();
  double most = 0;
  for (const Variant& variant : variants)
    if (const double wanted =
            Wanted(accepted, variant.encoding.empty() ? "identity" : variant.encoding);
        wanted > most) {
      best = &variant;
      most = wanted;
    }
  return *best;
}

Response Site::Answer(const Request& request) const {
  if (request.method != "GET" && request.method != "HEAD") return Refusal(405);
  const std::string_view path = PathOf(request.target);
  if (path.empty()) return Refusal(400);
  if (path == "/healthz") {
    Response response = Blank(200, kPlainText, "no-store");
    response.body = "ok";
    return response;
  }
  const auto found = resources_.find(path);
  if (found == resources_.end()) {
    Response response = Blank(404, kTypes[1].second, "no-cache");
    response.body = kNotFound;
    return response;
  }

  const Resource& resource = found->second;
  const Variant& variant = Best(resource.variants, request.Header("Accept-Encoding"));
  const bool known = Matches(request.Header("If-None-Match"), variant.etag);
  Response response =
      Blank(known ? 304 : 200, known ? std::string_view() : resource.type, resource.caching);
  if (!resource.policy.empty()) response.headers.front().second = resource.policy;
  response.headers.emplace_back("ETag", variant.etag);
  if (resource.variants.size() > 1) response.headers.emplace_back("Vary", "Accept-Encoding");
  if (known) return response;
  if (!variant.encoding.empty())
    response.headers.emplace_back("Content-Encoding", variant.encoding);
  response.body = variant.content;
  return response;
}

}  // namespace civ
