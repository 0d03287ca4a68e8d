// Requests as strangers send them: whatever they are, they are understood or refused, and no page
// from elsewhere acts for anybody.
#include <algorithm>
#include <string>

#include "civ/server/routes.h"
#include "tests/fuzz/targets.h"

namespace civ::fuzz {
namespace {

void Expect(bool right, const std::string& what) {
  if (!right) throw Finding(what);
}

std::string_view Line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string Lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return text;
}

void ExpectRefusal(const Answer& answer) {
  Expect(answer.status >= 400 && answer.status < 500,
         "a refusal with status " + std::to_string(answer.status));
  const Expected<Json> json = ParseJson(answer.body);
  Expect(
      json && json->is_object() && json->contains("error") && (*json)["error"]["key"].is_string(),
      "a refusal that is none: " + answer.body);
  for (const auto& [name, value] : answer.headers)
    Expect((name + value).find_first_of("\r\n") == std::string::npos, "a header of two lines");
}

void ExpectAllowed(const Request& request, const Asked& asked) {
  const bool reads = request.method == "GET" || request.method == "HEAD";
  const std::string origin = Lower(request.Header("Origin")), host = Lower(request.Header("Host"));
  if (std::holds_alternative<operation::Watch>(asked.operation) || !reads) {
    const bool from_here = origin == "https://civ.example.org" || origin == "http://" + host ||
                           origin == "https://" + host;
    Expect(origin.empty() || from_here, "from elsewhere: " + origin);
    Expect(!origin.empty() || asked.token.empty() || !request.Header("Authorization").empty(),
           "a cookie without Origin");
  }
  const bool admin = asked.operation.index() >= Operation(operation::ListTables{}).index();
  Expect(!admin, "the owner's operation through the wrong door");
}

}  // namespace

// "METHOD target", headers one a line, an empty line, the body.
void Server(Input input) {
  std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
  std::string_view first = Line(text);
  Request request{Next(first, ' '), first};
  while (!text.empty()) {
    std::string_view line = Line(text);
    if (line.empty()) break;
    const std::string_view name = Next(line, ':');
    request.headers.emplace_back(name, line);
  }
  IsForApi(request.target);
  ForwardedAddress(request);
  for (const bool admin : {false, true}) {
    const std::variant<Asked, Answer> understood =
        Understand(request, text, {{"https://civ.example.org"}, admin});
    if (const Answer* refused = std::get_if<Answer>(&understood))
      ExpectRefusal(*refused);
    else if (!admin)
      ExpectAllowed(request, std::get<Asked>(understood));
  }
}

}  // namespace civ::fuzz
