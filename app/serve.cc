// civ serve: the page, for a browser on this machine or elsewhere.
#include <spawn.h>
#include <sys/wait.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "app/commands.h"
#include "app/files.h"
#include "app/words.h"
#include "server/server.h"

namespace civ {
namespace {

struct Options {
  ServerOptions server;
  std::string folder, language;
  bool open = false;
};

struct Folder {
  std::vector<std::pair<std::string, std::string>> contents;  // by path
  std::vector<File> files;                                    // views of them
};

Folder ReadFolder(const std::string& path) {
  Folder folder;
  std::error_code failed;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path, failed))
    if (entry.is_regular_file()) folder.contents.emplace_back('/' + entry.path().lexically_relative(path).string(), ReadFile(entry.path().string()));
  if (failed) Fail(path + ": " + failed.message());
  for (const auto& [name, content] : folder.contents) folder.files.push_back({name, content});
  return folder;
}

std::string AddressOf(const std::string& host, uint16_t port) {
  const bool everywhere = host == "0.0.0.0" || host == "::";
  const std::string name = everywhere ? "localhost" : host.find(':') != host.npos ? '[' + host + ']' : host;
  return "http://" + name + ':' + std::to_string(port) + '/';
}

// Where there is a screen and a browser. Without them nothing happens: the address has been printed.
void OpenBrowser(std::string address) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  // The shell is done at once, and its child is nobody's to wait for.
  char shell[] = "/bin/sh", option[] = "-c", script[] = "xdg-open \"$0\" </dev/null >/dev/null 2>&1 &";
  char* const arguments[] = {shell, option, script, address.data(), nullptr};
  pid_t child = 0;
  if (posix_spawn(&child, shell, nullptr, nullptr, arguments, environ) == 0) waitpid(child, nullptr, 0);
}

void Run(const Options& options) {
  const Words words(options.language.empty() ? Words::LanguageOfEnvironment() : options.language);
  Folder folder;
  if (!options.folder.empty()) folder = ReadFolder(options.folder);
  const std::span<const File> files = options.folder.empty() ? EmbeddedPage() : std::span<const File>(folder.files);
  if (files.empty()) Fail(options.folder.empty() ? words("serve.no-page") : words("serve.empty-folder", {{"folder", options.folder}}));

  const Site site(files);
  const std::string& host = options.server.host;
  const std::error_code failed = Serve(site, options.server, [&](uint16_t port) {
    const std::string address = AddressOf(host, port);
    std::cout << words("serve.open", {{"address", address}}) << '\n' << std::flush;
    if (options.open) OpenBrowser(address);
  });
  const std::string port = std::to_string(options.server.port), other = std::to_string(options.server.port % 65535 + 1);
  if (failed == std::errc::address_in_use) Fail(words("serve.port-taken", {{"port", port}, {"other", other}}));
  if (failed) Fail(words("serve.cannot-listen", {{"host", PlainText(host)}, {"port", port}, {"why", failed.message()}}));
  std::cout << words("serve.stopped") << '\n' << std::flush;
}

}  // namespace

void AddServe(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("serve", "Serve the page to browsers");
  command->add_option("--host", options->server.host, "Address to listen on; 0.0.0.0 for every one of this machine")->capture_default_str();
  command->add_option("--port", options->server.port, "Port to listen on; 0 for any that is free")->capture_default_str();
  command->add_flag("--open", options->open, "Open the page in a browser, if there is one");
  command->add_option("--page", options->folder, "Serve this folder instead of the page inside the program")->check(CLI::ExistingDirectory);
  command->add_option("--lang", options->language, "Language of messages (default: that of the environment, else English)")
      ->check(CLI::IsMember(Words::Languages()));
  command->footer("docs/hosting.md says how to put it on the internet.");
  command->callback([options] { Run(*options); });
}

}  // namespace civ
