#include "app/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/Error.hpp>
#include <algorithm>
#include <iostream>

#include "app/words.h"

namespace civ {
namespace {

constexpr size_t kLongestLine = 4096;

// A line, less what is beyond the longest. False at the end of input.
bool ReadLine(std::streambuf& input, std::string& line) {
  line.clear();
  for (int c = input.sbumpc(); c != EOF; c = input.sbumpc()) {
    if (c == '\n') return true;
    if (line.size() < kLongestLine) line.push_back(static_cast<char>(c));
  }
  return !line.empty();
}

std::string Trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace

Console::Console() : echo_(isatty(STDIN_FILENO) == 0) {}

void Console::Say(std::string_view line) { std::cout << line << '\n'; }

void Console::Say(const std::vector<std::string>& lines, std::string_view indent) {
  for (const std::string& line : lines) std::cout << (line.empty() ? "" : indent) << line << '\n';
}

std::optional<std::string> Console::Ask(std::string_view prompt) {
  std::cout << prompt << ' ';
  Flush();
  std::string line;
  if (!ReadLine(*std::cin.rdbuf(), line)) {
    ended_ = true;
    std::cout << '\n';
    return std::nullopt;
  }
  std::ranges::replace(line, '\t', ' ');
  line = Trimmed(PlainText(line));
  if (echo_) std::cout << line << '\n';
  return line;
}

void Console::Clear() {
  constexpr int kUsual = 60;
  winsize size{};
  const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  std::cout << std::string(static_cast<size_t>(std::max(kUsual, known ? int{size.ws_row} : 0)), '\n');
}

void Console::Flush() {
  std::cout.flush();
  if (std::cout) return;
  std::cerr << "civ play: cannot write: the output is closed or full\n";
  throw CLI::RuntimeError(1);
}

}  // namespace civ
