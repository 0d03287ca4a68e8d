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

#include "notation/error.h"

namespace civ {

class Words {
 public:
  using Value = std::variant<int64_t, std::string>;
  using Argument = std::pair<std::string, Value>;

  // The languages there are, as "en".
  static std::vector<std::string> Languages();

  // One of Languages().
  explicit Words(std::string_view language);
  ~Words();
  Words(Words&&) noexcept;
  Words& operator=(Words&&) noexcept;

  // The message of a key. A key that does not exist is a bug, and is shown as itself.
  std::string operator()(std::string_view key, const std::vector<Argument>& arguments = {}) const;

  // A sentence for an error. Arguments that are whole numbers are passed as numbers; "domain" is named in full.
  std::string Describe(const Error& error) const;

 private:
  struct Messages;
  std::unique_ptr<Messages> messages_;
};

}  // namespace civ
