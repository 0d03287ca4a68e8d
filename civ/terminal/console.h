// The terminal as `civ play` uses it: lines in, lines out, nothing else. Works the same through
// pipes.
#pragma once

#include <optional>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

namespace civ {

// The next line, less what is beyond `longest` characters. False at the end of input.
bool ReadLine(std::streambuf& input, size_t longest, std::string& line);

class Console {
 public:
  Console();

  void Say(std::string_view line = {});
  void Say(const std::vector<std::string>& lines, std::string_view indent = {});

  // Asks for a line, without blanks around it. Nothing if the end of input was met or the question
  // cannot be written. What comes through a pipe is shown after the prompt, so that a transcript
  // reads as on a terminal.
  std::optional<std::string> Ask(std::string_view prompt);

  enum class State { Open, Ended, Broken };  // Ended: the input; Broken: the output
  State state() const { return state_; }

  // Prints enough empty lines that nothing printed before stays on the screen.
  void Clear();

 private:
  bool echo_;
  State state_ = State::Open;
};

}  // namespace civ
