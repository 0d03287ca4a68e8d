#include "app/words.h"

#include <unicode/locid.h>
#include <unicode/msgfmt.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/texts.h"

namespace civ {
namespace {

std::optional<int64_t> WholeNumber(const std::string& text) {
  int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

icu::UnicodeString ToUnicode(const std::string& text) { return icu::UnicodeString::fromUTF8(text); }

icu::Formattable ToFormattable(const Words::Value& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) return {*number};
  return {ToUnicode(std::get<std::string>(value))};
}

}  // namespace

struct Words::Messages {
  icu::Locale locale;
  std::map<std::string, std::string, std::less<>> patterns;
};

Words::Words(std::string_view language) : messages_(std::make_unique<Messages>()) {
  messages_->locale = icu::Locale(std::string(language).c_str());
  for (const EmbeddedText& text : EmbeddedTexts())
    if (text.language == language) messages_->patterns = nlohmann::json::parse(text.json).get<decltype(messages_->patterns)>();
}

Words::~Words() = default;
Words::Words(Words&&) noexcept = default;
Words& Words::operator=(Words&&) noexcept = default;

std::vector<std::string> Words::Languages() {
  std::vector<std::string> languages;
  for (const EmbeddedText& text : EmbeddedTexts()) languages.emplace_back(text.language);
  return languages;
}

std::string Words::operator()(std::string_view key, const std::vector<Argument>& arguments) const {
  const auto found = messages_->patterns.find(key);
  if (found == messages_->patterns.end()) return std::string(key);
  std::vector<icu::UnicodeString> names;
  std::vector<icu::Formattable> values;
  for (const auto& [name, value] : arguments) {
    names.push_back(ToUnicode(name));
    values.push_back(ToFormattable(value));
  }
  UErrorCode status = U_ZERO_ERROR;
  UParseError where;
  icu::MessageFormat format(ToUnicode(found->second), messages_->locale, where, status);
  icu::UnicodeString text;
  if (U_SUCCESS(status)) format.format(names.data(), values.data(), static_cast<int32_t>(names.size()), text, status);
  if (U_FAILURE(status)) return std::string(key);
  std::string utf8;
  return text.toUTF8String(utf8);
}

std::string Words::Describe(const Error& error) const {
  std::vector<Argument> arguments;
  for (const auto& [name, value] : error.args) {
    const std::optional<int64_t> number = WholeNumber(value);
    if (number)
      arguments.emplace_back(name, *number);
    else if (name == "domain" || name == "wanted")
      arguments.emplace_back(name, (*this)(name + "." + value));
    else
      arguments.emplace_back(name, value);
  }
  return (*this)(error.key, arguments);
}

}  // namespace civ
