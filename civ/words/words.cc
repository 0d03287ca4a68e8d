#include "civ/words/words.h"

#include <unicode/listformatter.h>
#include <unicode/locid.h>
#include <unicode/msgfmt.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "civ/guide/message.h"
#include "civ/notation/notation.h"
#include "civ/words/texts.h"

namespace civ {
namespace {

icu::UnicodeString ToUnicode(const std::string& text) { return icu::UnicodeString::fromUTF8(text); }

std::string ToUtf8(const icu::UnicodeString& text) {
  std::string utf8;
  return text.toUTF8String(utf8);
}

icu::Formattable ToFormattable(const Words::Value& value) {
  if (const auto* number = std::get_if<int64_t>(&value)) return {*number};
  return {ToUnicode(PlainText(std::get<std::string>(value)))};
}

// Control, line and paragraph separators, and the marks that turn the direction of writing or are
// not to be seen.
bool IsPlain(UChar32 c) {
  return (U_MASK(u_charType(c)) & (U_GC_CC_MASK | U_GC_CF_MASK | U_GC_ZL_MASK | U_GC_ZP_MASK |
                                   U_GC_CS_MASK | U_GC_CN_MASK)) == 0;
}

}  // namespace

std::string PlainText(std::string_view text) {
  const icu::UnicodeString from =
      icu::UnicodeString::fromUTF8({text.data(), static_cast<int32_t>(text.size())});
  icu::UnicodeString plain;
  for (int32_t i = 0; i < from.length(); i = from.moveIndex32(i, 1))
    if (const UChar32 c = from.char32At(i); IsPlain(c)) plain.append(c);
  return ToUtf8(plain);
}

std::string Shortened(const std::string& text) {
  constexpr int32_t kMost = 80;
  const icu::UnicodeString whole = ToUnicode(text);
  if (whole.countChar32() <= kMost) return text;
  return ToUtf8(icu::UnicodeString(whole, 0, whole.moveIndex32(0, kMost))) + "…";
}

std::string Folded(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* decomposer = icu::Normalizer2::getNFDInstance(status);
  icu::UnicodeString from =
      icu::UnicodeString::fromUTF8({text.data(), static_cast<int32_t>(text.size())});
  if (U_SUCCESS(status)) from = decomposer->normalize(from, status);
  icu::UnicodeString folded;
  for (int32_t i = 0; i < from.length(); i = from.moveIndex32(i, 1))
    if (const UChar32 c = from.char32At(i); u_charType(c) != U_NON_SPACING_MARK)
      folded.append(u_foldCase(c, U_FOLD_CASE_DEFAULT));
  return ToUtf8(folded);
}

struct Words::Messages {
  std::string language;
  icu::Locale locale;
  std::unique_ptr<icu::ListFormatter> lists;
  std::map<std::string, std::string, std::less<>> patterns;
};

Words::Words(std::string_view language) : messages_(std::make_unique<Messages>()) {
  messages_->language = language;
  // British English, for "a, b and c".
  messages_->locale = icu::Locale(language == "en" ? "en_GB" : std::string(language).c_str());
  UErrorCode status = U_ZERO_ERROR;
  messages_->lists.reset(icu::ListFormatter::createInstance(messages_->locale, status));
  for (const EmbeddedText& text : EmbeddedTexts())
    if (text.language == language)
      messages_->patterns = nlohmann::json::parse(text.json).get<decltype(messages_->patterns)>();
}

Words::~Words() = default;
Words::Words(Words&&) noexcept = default;
Words& Words::operator=(Words&&) noexcept = default;

const std::string& Words::language() const { return messages_->language; }

std::vector<std::string> Words::Languages() {
  std::vector<std::string> languages;
  for (const EmbeddedText& text : EmbeddedTexts()) languages.emplace_back(text.language);
  return languages;
}

std::string Words::LanguageOfEnvironment() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string locale = value;
    const std::string language = locale.substr(0, locale.find_first_of("_.@-"));
    const std::vector<std::string> known = Languages();
    return std::ranges::find(known, language) != known.end() ? language : "en";
  }
  return "en";
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
  const icu::MessageFormat format(ToUnicode(found->second), messages_->locale, where, status);
  icu::UnicodeString text;
  if (U_SUCCESS(status))
    format.format(names.data(), values.data(), static_cast<int32_t>(names.size()), text, status);
  if (U_FAILURE(status)) return std::string(key);
  return ToUtf8(text);
}

std::string Words::List(const std::vector<std::string>& items) const {
  std::vector<icu::UnicodeString> parts;
  for (const std::string& item : items) parts.push_back(ToUnicode(item));
  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeString text;
  if (messages_->lists)
    messages_->lists->format(parts.data(), static_cast<int32_t>(parts.size()), text, status);
  return ToUtf8(text);
}

std::string Words::Describe(const Error& error) const {
  const Message message = MessageOf(error);
  std::vector<Argument> arguments;
  for (const auto& [name, value] : message.args) {
    if (const auto* number = std::get_if<int64_t>(&value))
      arguments.emplace_back(name, *number);
    else if (const auto* domain = std::get_if<Domain>(&value))
      arguments.emplace_back(name, (*this)("domain." + std::string(NameOf(*domain))));
    else if (const auto* wanted = std::get_if<civ::Messages>(&value))
      arguments.emplace_back(name, (*this)(wanted->front().key));
    else
      arguments.emplace_back(name, Shortened(std::get<std::string>(value)));
  }
  return (*this)(message.key, arguments);
}

}  // namespace civ
