#include "civ/guide/message.h"

#include <charconv>
#include <optional>

#include "civ/notation/notation.h"

namespace civ {
namespace {

std::optional<int64_t> WholeNumber(const std::string& text) {
  int64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Value ValueOf(const std::string& name, const std::string& text) {
  if (const std::optional<int64_t> number = WholeNumber(text)) return *number;
  if (name == "wanted") return Messages{{"wanted." + text, {}}};
  if (const std::optional<Domain> domain = ParseDomain(text); name == "domain" && domain)
    return *domain;
  return text;
}

}  // namespace

Message::Message(std::string_view key, Arguments args) : key(key) {
  for (const auto& [name, value] : args) Add(name, value);
}

Message::~Message() = default;
Message::Message(const Message&) = default;
Message::Message(Message&&) noexcept = default;
Message& Message::operator=(const Message&) = default;
Message& Message::operator=(Message&&) noexcept = default;

Message& Message::Add(std::string_view name, Value value) {
  args.emplace_back(name, std::move(value));
  return *this;
}

Message MessageOf(const Error& error) {
  Message message{error.key, {}};
  for (const auto& [name, text] : error.args) message.Add(name, ValueOf(name, text));
  return message;
}

}  // namespace civ
