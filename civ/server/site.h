// The page's files as answers to HTTP requests. Knows nothing of sockets: server.h has those.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace civ {

// A file of the built page. "/app.js.br" and "/app.js.gz" are "/app.js" compressed.
struct File {
  std::string_view path;  // "/index.html"
  std::string_view content;
};

// The page inside this program; no files at all if it was built without one.
std::span<const File> EmbeddedPage();

struct Request {
  std::string_view method;
  std::string_view target;
  std::vector<std::pair<std::string_view, std::string_view>> headers = {};

  // What all headers of that name say, in whatever case it is spelled, with ", " between them.
  // Empty if there is none.
  std::string Header(std::string_view name) const;
  bool Has(std::string_view name) const;
};

struct Response {
  int status = 200;
  std::vector<std::pair<std::string_view, std::string_view>> headers = {};
  std::string_view body = {};  // also for HEAD, to which it is not sent
};

// One without a body yet, with the headers that every answer of the server has.
Response Blank(int status, std::string_view type, std::string_view caching);

// Takes what stands before the first separator off a text, without blanks around it.
std::string_view Next(std::string_view& text, char separator);
// The path of "/path?query" or "http://host/path"; empty if it is neither.
std::string_view PathOf(std::string_view target);

// The response to what is no request that could be answered: 400, 413, 431, …
Response Refusal(int status);

class Site {
 public:
  // The contents of the files must live as long as the site and what it answers.
  explicit Site(std::span<const File> files);

  Response Answer(const Request& request) const;

 private:
  struct Variant {
    std::string_view encoding;  // as in Content-Encoding; empty: as it is
    std::string etag;
    std::string_view content;
  };
  struct Resource {
    std::string_view type;
    std::string_view caching;
    std::string policy;             // of a document with scripts inside it
    std::vector<Variant> variants;  // the best compression first, the file as it is last
  };

  static const Variant& Best(std::span<const Variant> variants, std::string_view accepted);

  std::map<std::string, Resource, std::less<>> resources_;
};

}  // namespace civ
