// Words for keys: the messages of text/ in one language, put together by ICU.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "civ/notation/error.h"

namespace civ {

// What may be printed of a text from outside (names, files, typed lines): without control
// characters, which could do things to a terminal, and with valid UTF-8 only.
std::string PlainText(std::string_view text);

// Of a text that may be of any length, as much as fits into a sentence.
std::string Shortened(const std::string& text);

// For comparing what somebody typed: small letters without accents.
std::string Folded(std::string_view text);

class Words {
 public:
  using Value = std::variant<int64_t, std::string>;
  using Argument = std::pair<std::string, Value>;

  // The languages there are, as "en".
  static std::vector<std::string> Languages();
  // The one of them that LC_ALL, LC_MESSAGES or LANG names, else English.
  static std::string LanguageOfEnvironment();

  // One of Languages().
  explicit Words(std::string_view language);
  ~Words();
  Words(Words&&) noexcept;
  Words& operator=(Words&&) noexcept;

  const std::string& language() const;

  // The message of a key. A key that does not exist is a bug, and is shown as itself.
  std::string operator()(std::string_view key, const std::vector<Argument>& arguments = {}) const;

  // "a, b and c".
  std::string List(const std::vector<std::string>& items) const;

  // A sentence for an error.
  std::string Describe(const Error& error) const;

 private:
  struct Messages;
  std::unique_ptr<Messages> messages_;
};

}  // namespace civ
