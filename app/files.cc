#include "app/files.h"

#include <CLI/Error.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace civ {

void Fail(const std::string& message) {
  std::cerr << "civ: " << message << '\n';
  throw CLI::RuntimeError(1);
}

std::string ReadFile(const std::string& path) {
  std::ostringstream text;
  if (path == "-") {
    text << std::cin.rdbuf();
    return text.str();
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) Fail(path + ": is a folder");
  std::ifstream file(path, std::ios::binary);
  if (!file) Fail(path + ": " + std::strerror(errno));
  if (file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  return text.str();
}

void WriteFile(const std::string& path, std::string_view text) {
  const std::string partial = path + ".partial";
  errno = 0;
  std::ofstream file(partial, std::ios::binary);
  file << text << std::flush;
  if (!file) Fail(path + ": " + std::strerror(errno));
  file.close();
  std::error_code failed;
  std::filesystem::rename(partial, path, failed);
  if (failed) Fail(path + ": " + failed.message());
}

}  // namespace civ
