// The terminal as `civ play` uses it: lines in, lines out, nothing else. Works the same through pipes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace civ {

class Console {
 public:
  Console();

  void Say(std::string_view line = {});
  void Say(const std::vector<std::string>& lines, std::string_view indent = {});

  // Asks for a line, without blanks around it. Nothing at the end of input. What comes through a pipe is shown
  // after the prompt, so that a transcript reads as on a terminal.
  std::optional<std::string> Ask(std::string_view prompt);

  // Whether the end of input was met.
  bool Ended() const { return ended_; }

  // So many empty lines that nothing printed before stays on the screen.
  void Clear();

 private:
  void Flush();

  bool echo_;
  bool ended_ = false;
};

}  // namespace civ
