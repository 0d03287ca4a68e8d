#include "civ/terminal/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "civ/words/words.h"

namespace civ {
namespace {

constexpr size_t kLongestLine = 4096;

std::string Trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace

bool ReadLine(std::streambuf& input, size_t longest, std::string& line) {
  line.clear();
  for (int c = input.sbumpc(); c != EOF; c = input.sbumpc()) {
    if (c == '\n') return true;
    if (line.size() < longest) line.push_back(static_cast<char>(c));
  }
  return !line.empty();
}

Console::Console() : echo_(isatty(STDIN_FILENO) == 0) {}

void Console::Say(std::string_view line) { std::cout << line << '\n'; }

void Console::Say(const std::vector<std::string>& lines, std::string_view indent) {
  for (const std::string& line : lines) std::cout << (line.empty() ? "" : indent) << line << '\n';
}

std::optional<std::string> Console::Ask(std::string_view prompt) {
  std::cout << prompt << ' ';
  std::cout.flush();
  std::string line;
  if (!std::cout) {
    std::cerr << "civ play: cannot write: the output is closed or full\n";
    state_ = State::Broken;
    return std::nullopt;
  }
  if (!ReadLine(*std::cin.rdbuf(), kLongestLine, line)) {
    state_ = State::Ended;
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
  std::cout << std::string(static_cast<size_t>(std::max(kUsual, known ? int{size.ws_row} : 0)),
                           '\n');
}

}  // namespace civ
