// civ admin: what the owner of a server can do while it runs, through the socket in its data
// folder.
#include <CLI/CLI.hpp>
#include <ctime>
#include <iostream>

#include "civ/app/commands.h"
#include "civ/app/files.h"
#include "civ/app/options.h"
#include "civ/notation/json.h"
#include "civ/server/client.h"
#include "civ/words/words.h"

namespace civ {
namespace {

struct AdminOptions {
  std::string data = DefaultData(), language;
  std::string table, person;
  bool json = false, address = false;
};

Error ErrorIn(const Json& json) {
  Error error{json["error"]["key"].get<std::string>(), {}};
  for (const auto& [name, value] : json["error"]["args"].items())
    error.args.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
  return error;
}

// What the server says; its refusal ends the program.
Json Call(const AdminOptions& options, const Words& words, const std::string& method,
          const std::string& path, const Json& body = nullptr) {
  const std::optional<Reply> reply =
      AskOwnServer(AdminSocketIn(options.data), method, path, body.is_null() ? "" : body.dump());
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

void List(const AdminOptions& options, const Words& words) {
  const Json answer = Call(options, words, "GET", "/admin/tables");
  if (options.json) {
    std::cout << answer["tables"].dump(2) << '\n';
    return;
  }
  for (const Json& table : answer["tables"]) {
    std::string names;
    for (const Json& chair : table["chairs"]) {
      const Json& person = chair["person"];
      const std::string name = person.is_object() ? person["name"].get<std::string>() + " (" +
                                                        person["id"].get<std::string>() + ")"
                               : chair["bot"].is_string() ? chair["bot"].get<std::string>()
                                                          : "–";
      names += (names.empty() ? "" : ", ") + name;
    }
    std::cout << table["id"].get<std::string>() << "  " << table["status"].get<std::string>()
              << "  " << PlainText(names) << '\n';
  }
  std::cout << words("admin.tables", {{"count", static_cast<int64_t>(answer["tables"].size())}})
            << '\n';
}

void ListSessions(const AdminOptions& options, const Words& words) {
  const Json answer = Call(options, words, "GET", "/admin/sessions");
  if (options.json) {
    std::cout << answer.dump(2) << '\n';
    return;
  }
  for (const Json& session : answer["sessions"]) {
    std::cout << session["person"].get<std::string>() << "  "
              << When(session["seen"].get<int64_t>()) << "  "
              << PlainText(session["name"].get<std::string>());
    for (const auto& [field, key] : {std::pair("bot", "admin.is-bot"),
                                     {"muted", "admin.is-muted"},
                                     {"banned", "admin.is-banned"}})
      if (session[field].get<bool>()) std::cout << "  [" << words(key) << ']';
    std::cout << '\n';
  }
  for (const Json& address : answer["addresses"])
    std::cout << address.get<std::string>() << "  [" << words("admin.is-banned") << "]\n";
  std::cout << words("admin.sessions", {{"count", static_cast<int64_t>(answer["sessions"].size())}})
            << '\n';
}

void Drop(const AdminOptions& options, const Words& words) {
  const Json answer = Call(options, words, "POST", "/admin/drop", {{"who", options.person}});
  if (options.json)
    std::cout << answer.dump(2) << '\n';
  else
    std::cout << words("admin.dropped", {{"count", answer["sessions"].get<int64_t>()}}) << '\n';
}

}  // namespace

void AddAdmin(CLI::App& app) {
  const auto options = std::make_shared<AdminOptions>();
  CLI::App* admin =
      app.add_subcommand("admin", "Look after a running server: tables, sessions, mutes and bans");
  admin->require_subcommand(1);
  admin->fallthrough();
  AddData(*admin, options->data, "The server's folder");
  admin->add_flag("--json", options->json, "Print JSON");
  AddLanguage(*admin, options->language, "Language of messages");
  const auto add = [&](const char* name, const char* help, auto what) {
    CLI::App* command = admin->add_subcommand(name, help);
    command->fallthrough();
    command->callback([options, what] { what(*options, WordsIn(options->language)); });
    return command;
  };
  const auto change = [](const char* path, const auto& body) {
    return [path, body](const AdminOptions& o, const Words& words) {
      Call(o, words, "POST", path, body(o));
      if (!o.json) std::cout << words("admin.done") << '\n';
    };
  };
  const auto mute = [&](bool on) {
    return change("/admin/mute",
                  [on](const AdminOptions& o) { return Json{{"person", o.person}, {"on", on}}; });
  };
  const auto ban = [&](bool on) {
    return change("/admin/ban", [on](const AdminOptions& o) {
      return Json{{"person", o.person}, {"on", on}, {"address", o.address}};
    });
  };
  const auto person = [&](CLI::App* command, const char* help) {
    command->add_option("PERSON", options->person, help)->required();
    return command;
  };
  add("list", "Open tables", List);
  add("sessions", "Sessions and banned addresses", ListSessions);
  add("close", "Close a table for good; nobody wins",
      change("/admin/close", [](const AdminOptions& o) { return Json{{"table", o.table}}; }))
      ->add_option("TABLE", options->table, "Its id")
      ->required();
  person(add("mute", "Nobody hears this person any more", mute(true)), "As `sessions` lists them");
  person(add("unmute", "This person is heard again", mute(false)), "As `sessions` lists them");
  person(add("ban", "Ends the session and keeps this person out", ban(true)),
         "As `sessions` lists them, or an address")
      ->add_flag("--address", options->address,
                 "Also everybody at the address where this person was last");
  person(add("drop", "Ends the sessions of a person, or of all who were last in a network", Drop),
         "As `sessions` lists them, or a network, as 2001:db8::/48");
  person(add("unban", "Lets this person or address in again", ban(false)),
         "As `sessions` lists them, or an address");
}

}  // namespace civ
