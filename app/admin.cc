// civ admin: what the owner of a server can do while it runs, through the socket in its data folder.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>

#include "app/commands.h"
#include "app/data.h"
#include "app/files.h"
#include "app/words.h"
#include "notation/json.h"

namespace civ {
namespace {

struct Options {
  std::string data = DefaultData(), language;
  std::string table, person;
  bool json = false, address = false;
};

struct Reply {
  int status = 0;
  std::string body;
};

// One request. It ends when the server closes the connection.
std::optional<Reply> Ask(const std::string& socket_path, std::string_view method, std::string_view path, const std::string& body) {
  sockaddr_un address{AF_UNIX, {}};
  if (socket_path.size() >= sizeof address.sun_path) return std::nullopt;
  std::ranges::copy(socket_path, address.sun_path);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::string answer;
  if (socket >= 0 && connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
    std::string request = std::string(method) + ' ' + std::string(path) + " HTTP/1.1\r\nHost: civ\r\nConnection: close\r\n";
    if (!body.empty()) request += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n";
    request += "\r\n" + body;
    if (send(socket, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size())) {
      char part[16384];
      for (ssize_t size = 0; (size = read(socket, part, sizeof part)) > 0;) answer.append(part, static_cast<size_t>(size));
    }
  }
  if (socket >= 0) close(socket);
  const size_t head = answer.find("\r\n\r\n");
  if (!answer.starts_with("HTTP/1.1 ") || head == answer.npos) return std::nullopt;
  Reply reply{0, answer.substr(head + 4)};
  std::from_chars(answer.data() + 9, answer.data() + head, reply.status);
  return reply;
}

Error ErrorIn(const Json& json) {
  Error error{json["error"]["key"].get<std::string>(), {}};
  for (const auto& [name, value] : json["error"]["args"].items())
    error.args.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
  return error;
}

// What the server says; its refusal ends the program.
Json Call(const Options& options, const Words& words, std::string_view method, std::string_view path, const Json& body = nullptr) {
  const std::optional<Reply> reply = Ask(AdminSocketIn(options.data), method, path, body.is_null() ? "" : body.dump());
  if (!reply) Fail(words("admin.no-server", {{"folder", options.data}}));
  if (reply->status == 204) return nullptr;
  const Expected<Json> json = ParseJson(reply->body);
  if (!json) Fail(words("admin.no-server", {{"folder", options.data}}));
  if (reply->status >= 400) Fail(words.Describe(ErrorIn(*json)));
  return *json;
}

std::string When(int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  gmtime_r(&time, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &parts);
  return text;
}

void List(const Options& options, const Words& words) {
  const Json answer = Call(options, words, "GET", "/admin/tables");
  if (options.json) {
    std::cout << answer["tables"].dump(2) << '\n';
    return;
  }
  for (const Json& table : answer["tables"]) {
    std::string names;
    for (const Json& chair : table["chairs"]) {
      const Json& person = chair["person"];
      const std::string name = person.is_object()         ? person["name"].get<std::string>() + " (" + person["id"].get<std::string>() + ")"
                               : chair["bot"].is_string() ? chair["bot"].get<std::string>()
                                                          : "–";
      names += (names.empty() ? "" : ", ") + name;
    }
    std::cout << table["id"].get<std::string>() << "  " << table["status"].get<std::string>() << "  " << PlainText(names) << '\n';
  }
  std::cout << words("admin.tables", {{"count", static_cast<int64_t>(answer["tables"].size())}}) << '\n';
}

void ListSessions(const Options& options, const Words& words) {
  const Json answer = Call(options, words, "GET", "/admin/sessions");
  if (options.json) {
    std::cout << answer.dump(2) << '\n';
    return;
  }
  for (const Json& session : answer["sessions"]) {
    std::cout << session["person"].get<std::string>() << "  " << When(session["seen"].get<int64_t>()) << "  "
              << PlainText(session["name"].get<std::string>());
    for (const auto& [field, key] : {std::pair("bot", "admin.is-bot"), {"muted", "admin.is-muted"}, {"banned", "admin.is-banned"}})
      if (session[field].get<bool>()) std::cout << "  [" << words(key) << ']';
    std::cout << '\n';
  }
  for (const Json& address : answer["addresses"]) std::cout << address.get<std::string>() << "  [" << words("admin.is-banned") << "]\n";
  std::cout << words("admin.sessions", {{"count", static_cast<int64_t>(answer["sessions"].size())}}) << '\n';
}

}  // namespace

void AddAdmin(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* admin = app.add_subcommand("admin", "Look after a running server: tables, sessions, mutes and bans");
  admin->require_subcommand(1);
  admin->fallthrough();
  admin->add_option("--data", options->data, "The server's folder")->capture_default_str()->envname("CIV_DATA");
  admin->add_flag("--json", options->json, "Print JSON");
  admin->add_option("--lang", options->language, "Language of messages")->check(CLI::IsMember(Words::Languages()));
  const auto add = [&](const char* name, const char* help, auto what) {
    CLI::App* command = admin->add_subcommand(name, help);
    command->fallthrough();
    command->callback([options, what] {
      const Words words(options->language.empty() ? Words::LanguageOfEnvironment() : options->language);
      what(*options, words);
    });
    return command;
  };
  const auto change = [](const char* path, const auto& body) {
    return [path, body](const Options& o, const Words& words) {
      Call(o, words, "POST", path, body(o));
      if (!o.json) std::cout << words("admin.done") << '\n';
    };
  };
  const auto mute = [&](bool on) { return change("/admin/mute", [on](const Options& o) { return Json{{"person", o.person}, {"on", on}}; }); };
  const auto ban = [&](bool on) {
    return change("/admin/ban", [on](const Options& o) { return Json{{"person", o.person}, {"on", on}, {"address", o.address}}; });
  };
  const auto person = [&](CLI::App* command, const char* help) {
    command->add_option("PERSON", options->person, help)->required();
    return command;
  };
  add("list", "Open tables", List);
  add("sessions", "Sessions and banned addresses", ListSessions);
  add("close", "Close a table for good; nobody wins", change("/admin/close", [](const Options& o) { return Json{{"table", o.table}}; }))
      ->add_option("TABLE", options->table, "Its id")
      ->required();
  person(add("mute", "Nobody hears this person any more", mute(true)), "As `sessions` lists them");
  person(add("unmute", "This person is heard again", mute(false)), "As `sessions` lists them");
  person(add("ban", "Ends the session and keeps this person out", ban(true)), "As `sessions` lists them, or an address")
      ->add_flag("--address", options->address, "Also everybody at the address where this person was last");
  person(add("unban", "Lets this person or address in again", ban(false)), "As `sessions` lists them, or an address");
}

}  // namespace civ
