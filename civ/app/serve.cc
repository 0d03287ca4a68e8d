// civ serve: the page and the tables, for browsers on this machine or elsewhere.
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <thread>

#include "civ/app/commands.h"
#include "civ/app/files.h"
#include "civ/app/options.h"
#include "civ/app/shared.h"
#include "civ/server/lock.h"
#include "civ/server/server.h"
#include "civ/server/sharded_store.h"
#include "civ/server/sqlite_store.h"
#include "civ/words/words.h"

namespace civ {
namespace {

struct ServeOptions {
  ServerOptions server;
  std::string folder, language;
  std::string data = DefaultData();
  std::string password_file, log_file, log_level = "info", metrics = "local";
  std::vector<std::string> proxies;
  bool open = false, no_limits = false;
  SharedOptions shared;
  bool data_given = false;

  bool IsShared() const { return !shared.stores.empty(); }
};

struct Folder {
  std::vector<std::pair<std::string, std::string>> contents;  // by path
  std::vector<File> files;                                    // views of them
};

// Whether no part of the path leads out of its folder or is hidden.
bool IsPlain(const std::filesystem::path& path) {
  return std::ranges::none_of(
      path, [](const std::filesystem::path& part) { return part.string().starts_with('.'); });
}

// Of links those only that lead to something in the folder; nothing that is hidden.
Folder ReadFolder(const std::string& path) {
  Folder folder;
  std::error_code failed;
  const std::filesystem::path root = std::filesystem::canonical(path, failed);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root, failed)) {
    std::error_code lost;
    const std::filesystem::path name = entry.path().lexically_relative(root),
                                real = std::filesystem::canonical(entry.path(), lost);
    if (!lost && entry.is_regular_file(lost) && IsPlain(name) &&
        IsPlain(real.lexically_relative(root)))
      folder.contents.emplace_back('/' + name.string(), ReadFile(real.string()));
  }
  if (failed) Fail(path + ": " + failed.message());
  for (const auto& [name, content] : folder.contents) folder.files.push_back({name, content});
  return folder;
}

bool IsEverywhere(const std::string& host) { return host == "0.0.0.0" || host == "::"; }

std::string AddressOf(const std::string& host, uint16_t port) {
  const std::string name = IsEverywhere(host)            ? "localhost"
                           : host.find(':') != host.npos ? '[' + host + ']'
                                                         : host;
  return "http://" + name + ':' + std::to_string(port) + '/';
}

// Where there is a screen and a browser. Without them nothing happens: the address has been
// printed.
void OpenBrowser(std::string address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  // The shell is done at once, and its child is nobody's to wait for.
  char shell[] = "/bin/sh", option[] = "-c",
       script[] = "xdg-open \"$0\" </dev/null >/dev/null 2>&1 &";
  char* const arguments[] = {shell, option, script, address.data(), nullptr};
  pid_t child = 0;
  if (posix_spawn(&child, shell, nullptr, nullptr, arguments, environ) == 0)
    waitpid(child, nullptr, 0);
}

// As many sockets as the system lets this program have.
void RaiseOpenFiles() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

// For measurements and tests on one machine.
void LiftLimits(ServerOptions& server) {
  constexpr size_t kMany = 1'000'000'000;
  for (size_t* limit : {&server.most_connections, &server.most_of_one_address, &server.most_sockets,
                        &server.most_sockets_of_one_address, &server.hall.most_tables,
                        &server.hall.most_tables_of_one})
    *limit = kMany;
  for (Rate* rate :
       {&server.api.requests, &server.api.own_requests, &server.api.sessions, &server.api.passwords,
        &server.api.analyses, &server.api.tables, &server.api.address_tables, &server.messages,
        &server.bytes, &server.hall.commands, &server.hall.says})
    rate->count = kMany;
}

bool IsOn(const std::string& text) { return text.empty() || text == "true" || text == "1"; }
bool IsOff(const std::string& text) { return text == "false" || text == "0"; }

// Where proxies are that may say for whom they ask: on this machine, unless networks are named.
std::vector<Network> ProxiesOf(const ServeOptions& options) {
  std::vector<Network> proxies;
  const auto add = [&](const std::string& text) { proxies.push_back(*Network::From(text)); };
  for (const std::string& text : options.proxies) {
    if (IsOff(text)) continue;
    if (!IsOn(text)) {
      add(text);
      continue;
    }
    add("127.0.0.0/8");
    add("::1");
  }
  return proxies;
}

std::string PasswordOf(const ServeOptions& options) {
  const char* variable = std::getenv("CIV_PASSWORD");
  std::string text = !options.password_file.empty() ? ReadFile(options.password_file)
                     : variable != nullptr          ? variable
                                                    : "";
  while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
  return text;
}

Expected<std::unique_ptr<Store>> OpenStore(const ServeOptions& options, Post post) {
  if (options.IsShared()) return OpenSharedStore(options.shared.stores, post);
  Expected<std::unique_ptr<SqliteStore>> store = SqliteStore::Open(options.data, std::move(post));
  if (!store) return store.error();
  return std::unique_ptr<Store>(std::move(*store));
}

// Where the database is elsewhere, the folder has the owner's socket only, if there is one.
std::optional<FolderLock> LockFolder(ServeOptions& options, const Words& words) {
  if (!options.IsShared()) return std::nullopt;
  if (!options.data_given) {
    options.server.admin_socket.clear();
    return std::nullopt;
  }
  Expected<FolderLock> lock = FolderLock::Take(options.data);
  if (!lock) Fail(words.Describe(lock.error()));
  std::optional<FolderLock> held;
  held.emplace(std::move(*lock));
  return held;
}

// Where the page is found, by those on this machine and by others.
void Announce(const ServeOptions& options, const Words& words, const std::string& address,
              const std::optional<std::string>& lan) {
  if (options.IsShared())
    std::cout << words("serve.open-shared", {{"address", address}, {"name", options.server.name}})
              << '\n';
  else
    std::cout << words("serve.open", {{"address", address}, {"folder", options.data}}) << '\n';
  if (lan)
    std::cout << words("serve.others", {{"address", *lan + '/'}}) << '\n';
  else if (!IsEverywhere(options.server.host))
    std::cout << words("serve.alone") << '\n';
  std::cout << std::flush;
}

void RunServe(ServeOptions options) {
  umask(0077);  // the cards of running games are in what is written
  const Words words = WordsIn(options.language);
  Folder folder;
  if (!options.folder.empty()) folder = ReadFolder(options.folder);
  const std::span<const File> files =
      options.folder.empty() ? EmbeddedPage() : std::span<const File>(folder.files);
  if (files.empty() && !options.folder.empty())
    Fail(words("serve.empty-folder", {{"folder", options.folder}}));
  if (files.empty()) std::cerr << words("serve.no-page") << '\n';
  RaiseOpenFiles();
  if (options.no_limits) LiftLimits(options.server);
  options.server.password = PasswordOf(options);
  const bool wanted = !options.password_file.empty() || std::getenv("CIV_PASSWORD") != nullptr;
  if (wanted && options.server.password.empty())
    Fail(words("serve.password-empty",
               {{"file", options.password_file.empty() ? "CIV_PASSWORD" : options.password_file}}));
  options.server.admin_socket = AdminSocketIn(options.data);
  options.server.api.version = CIV_VERSION;
  options.server.api.public_metrics = options.metrics == "public";
  options.server.api.proxies = ProxiesOf(options);
  for (const std::string& text : options.proxies)
    if (const auto network = Network::From(text); network && !network->IsPrivate())
      std::cerr << words("serve.trusts-many", {{"network", text}}) << '\n';
  Expected<Log> log = Log::Open(options.log_level, options.log_file);
  if (!log) Fail(words.Describe(log.error()));
  if (options.IsShared()) {
    options.server.name = options.shared.Name();
    options.server.bus = options.shared.Bus();
    *log = log->Named(options.server.name);
  }
  const std::optional<FolderLock> lock = LockFolder(options, words);

  const Site site(files);
  const std::string& host = options.server.host;
  Server server(site, options.server, *log);
  const std::error_code failed = server.Listen();
  const std::string port = std::to_string(options.server.port),
                    other = std::to_string(options.server.port % 65535 + 1);
  if (failed == std::errc::address_in_use)
    Fail(words("serve.port-taken", {{"port", port}, {"other", other}}));
  if (failed)
    Fail(words("serve.cannot-listen",
               {{"host", PlainText(host)}, {"port", port}, {"why", failed.message()}}));

  Expected<std::unique_ptr<Store>> store = OpenStore(options, server.Post());
  if (!store) Fail(words.Describe(store.error()));
  if (const std::optional<Error> wrong = server.Open(std::move(*store)))
    Fail(words.Describe(*wrong));
  const std::string address = AddressOf(host, server.port());
  Announce(options, words, address, server.address());
  if (options.open) OpenBrowser(address);
  server.Run();
  std::cout << words("serve.stopped") << '\n' << std::flush;
}

void AddLimits(CLI::App& command, ServerOptions& server) {
  const auto add = [&](const char* name, auto& value, const char* help) {
    command.add_option(name, value, help)
        ->capture_default_str()
        ->check(CLI::PositiveNumber)
        ->group("Limits");
  };
  add("--connections", server.most_connections, "HTTP connections at once; more wait");
  add("--connections-of-address", server.most_of_one_address, "HTTP connections of one address");
  add("--sockets", server.most_sockets, "WebSockets at once");
  add("--sockets-of-address", server.most_sockets_of_one_address, "WebSockets of one address");
  add("--requests-of-address", server.api.requests.count,
      "Requests to the API of one address in 10 seconds");
  add("--requests-of-session", server.api.own_requests.count,
      "Requests to the API of one session in 10 seconds");
  add("--sessions-of-address", server.api.sessions.count,
      "New sessions of one address in 10 minutes");
  add("--passwords-of-address", server.api.passwords.count,
      "Passwords that one address may try in a minute");
  add("--tables-of-address", server.api.address_tables.count,
      "New tables of one address in an hour");
  add("--tables-of-session", server.api.tables.count, "New tables of one session in a minute");
  add("--messages-of-socket", server.messages.count, "Messages of one WebSocket in 10 seconds");
  add("--open-tables-of-person", server.hall.most_tables_of_one,
      "Open tables that one person has made");
  add("--open-tables", server.hall.most_tables, "Open tables");
  add("--first-request", server.first_patience,
      "Seconds that the headers of a connection's first request may take");
  add("--longest-body", server.longest_body, "Bytes of a request's body");
  add("--longest-queue", server.longest_queue,
      "Bytes that the reader of a WebSocket may be behind");
}

// Who may come in, from where, and what is done for them.
void AddAccess(CLI::App* command, ServeOptions* options) {
  command
      ->add_option("--password-file", options->password_file,
                   "File with the password (or its argon2id hash) that newcomers must know; also "
                   "CIV_PASSWORD")
      ->check(CLI::ExistingFile)
      ->envname("CIV_PASSWORD_FILE");
  command
      ->add_option("--origin", options->server.api.origins,
                   "Origin of the page, as https://civ.example.org, if a proxy changes the host")
      ->envname("CIV_ORIGIN");
  command
      ->add_option(
          "--trust-proxy", options->proxies,
          "Believe X-Forwarded-For and X-Forwarded-Proto of a proxy that sets them: one on "
          "this machine, or those in the networks that are named, as 10.0.0.0/8")
      ->expected(0, 64)
      ->delimiter(',')
      ->check([](const std::string& text) {
        const bool right = IsOn(text) || IsOff(text) || Network::From(text);
        return right ? std::string() : text + " is no network";
      })
      ->envname("CIV_TRUST_PROXY");
  command->add_flag("--secure-cookie", options->server.api.secure_cookie, "Cookies for HTTPS only")
      ->envname("CIV_SECURE_COOKIE");
  command
      ->add_option("--threads", options->server.bot_threads,
                   "Threads for bots; 0 with --store: workers do it")
      ->capture_default_str()
      ->check(CLI::Range(0, 256))
      ->envname("CIV_THREADS");
  command
      ->add_option("--metrics", options->metrics,
                   "Who may read /metrics: local (this machine) or public")
      ->capture_default_str()
      ->check(CLI::IsMember({"local", "public"}))
      ->envname("CIV_METRICS");
}

void AddLog(CLI::App* command, ServeOptions* options) {
  command
      ->add_option("--log-file", options->log_file,
                   "Write the log here instead of to standard error")
      ->envname("CIV_LOG_FILE");
  command
      ->add_option("--log-level", options->log_level,
                   "What goes into the log: debug, info, warn, error or off")
      ->capture_default_str()
      ->check(CLI::IsMember({"debug", "info", "warn", "error", "off"}))
      ->envname("CIV_LOG_LEVEL");
}

}  // namespace

void AddServe(CLI::App& app) {
  const auto options = std::make_shared<ServeOptions>();
  ServerOptions& server = options->server;
  server.bot_threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
  CLI::App* command = app.add_subcommand("serve", "Serve the page and the tables to browsers");
  // CLI11 reads configuration for the whole program only; this lets the option stand behind
  // `serve`.
  app.set_config("--config", "",
                 "Read options from this file; those of `civ serve` stand below [serve]");
  app.allow_config_extras(CLI::config_extras_mode::error);
  command->fallthrough();
  command
      ->add_option("--host", server.host,
                   "Address to listen on; 0.0.0.0 for every one of this machine")
      ->capture_default_str()
      ->envname("CIV_HOST");
  command->add_option("--port", server.port, "Port to listen on; 0 for any that is free")
      ->capture_default_str()
      ->envname("CIV_PORT");
  AddData(*command, options->data, "Folder for tables and sessions");
  AddShared(*command, options->shared);
  command->add_flag("--open", options->open, "Open the page in a browser, if there is one");
  command
      ->add_option("--page", options->folder,
                   "Serve this folder instead of the page inside the program")
      ->check(CLI::ExistingDirectory);
  AddLanguage(*command, options->language, kLanguageOfMessages);
  AddAccess(command, options.get());
  AddLog(command, options.get());
  command
      ->add_option("--bot-pause", server.hall.bot_pause,
                   "Milliseconds after which a bot acts at the earliest")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  AddLimits(*command, server);
  command
      ->add_flag("--no-limits", options->no_limits,
                 "No limits on numbers and rates: for measurements only")
      ->group("Limits");
  command->footer(
      "--config FILE reads these options from a file, below [serve].\ndocs/hosting.md says how to "
      "put it on the internet.");
  command->callback([options, command] {
    options->data_given = command->count("--data") > 0;
    RunServe(*options);
  });
}

}  // namespace civ
