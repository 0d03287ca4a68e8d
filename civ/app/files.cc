#include "civ/app/files.h"

#include <CLI/Error.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "civ/words/records.h"

namespace civ {
namespace {

bool CanRead(const std::string& file) {
  std::error_code ignored;
  return file == "-" || (!std::filesystem::is_directory(file, ignored) && std::ifstream(file));
}

}  // namespace

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

Record LoadRecord(const std::string& file, const Words& words) {
  if (!CanRead(file)) Fail(words("record.unreadable", {{"file", file}}));
  const std::string text = ReadFile(file);
  const auto read = ReadRecord(text);
  if (const auto* wrong = std::get_if<RecordError>(&read))
    Fail(words("record.wrong", {{"file", file}, {"why", DescribeWrong(text, *wrong, words)}}));
  return std::get<Record>(read);
}

}  // namespace civ
