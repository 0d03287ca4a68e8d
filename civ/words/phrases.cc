#include "civ/words/phrases.h"

#include <cmath>

#include "civ/notation/notation.h"

namespace civ {

std::string Join(const std::vector<std::string>& items, std::string_view separator) {
  std::string text;
  for (const std::string& item : items) {
    if (!text.empty()) text += separator;
    text += item;
  }
  return text;
}

std::string_view Roman(int age) {
  static constexpr std::array<std::string_view, kAges + 1> kNumbers = {"", "I", "II", "III"};
  return kNumbers[static_cast<size_t>(age)];
}

std::vector<std::string> Phrases::operator()(const Messages& messages) const {
  std::vector<std::string> lines;
  for (const Message& message : messages) lines.push_back((*this)(message));
  return lines;
}

namespace {

// The words for a value of a message.
struct Worded {
  const Phrases& say;

  Words::Value operator()(int64_t number) const { return number; }
  Words::Value operator()(const std::string& text) const { return text; }
  Words::Value operator()(Who who) const { return say.Name(who.seat); }
  Words::Value operator()(Group group) const { return say.Names(group.seats); }
  Words::Value operator()(DomainList list) const {
    std::vector<std::string> names;
    for (int d = 0; d < kDomains; ++d)
      if (const auto domain = static_cast<Domain>(d); (list.domains & Bit(domain)) != 0)
        names.push_back(say.Of(domain));
    return say.words().List(names);
  }
  Words::Value operator()(Does does) const { return say.Does(does.effect); }
  Words::Value operator()(const Backs& backs) const { return say.Backs(backs.count); }
  Words::Value operator()(Age age) const { return std::string(Roman(static_cast<int>(age))); }
  Words::Value operator()(const Messages& messages) const { return Join(say(messages), ", "); }
  template <class Part>
  Words::Value operator()(const Part& part) const {
    return say.Of(part);
  }
};

}  // namespace

std::string Phrases::operator()(const Message& message) const {
  Arguments arguments;
  for (const auto& [name, value] : message.args)
    arguments.emplace_back(name, std::visit(Worded{*this}, value));
  return words_(message.key, arguments);
}

std::string Phrases::Names(unsigned seats) const {
  std::vector<std::string> names;
  for (size_t seat = 0; seat < names_.size(); ++seat)
    if ((seats >> seat & 1) != 0) names.push_back(names_[seat]);
  return words_.List(names);
}

std::string Phrases::Of(Domain domain) const {
  return words_("domain." + std::string(NameOf(domain)));
}

std::string Phrases::Of(Effect effect) const {
  return words_("effect." + std::string(NameOf(effect)));
}

std::string Phrases::Does(Effect effect) const {
  return words_("does." + std::string(NameOf(effect)));
}

std::string Phrases::Percent(float part) const {
  return words_("percent", {{"number", std::lround(100 * part)}});
}

std::string Phrases::Of(Kind kind) const {
  return words_("card", {{"domain", Of(DomainOf(kind))},
                         {"age", std::string(Roman(static_cast<int>(AgeOf(kind))))}});
}

std::string Phrases::Of(Cards cards) const {
  std::vector<std::string> names;
  for (int k = 0; k < kKinds; ++k) {
    const auto kind = static_cast<Kind>(k);
    if (cards[kind] == 1) names.push_back(Of(kind));
    if (cards[kind] > 1)
      names.push_back(words_("cards.times", {{"count", cards[kind]}, {"card", Of(kind)}}));
  }
  return words_.List(names);
}

std::string Phrases::Backs(const std::array<uint8_t, kAges>& backs) const {
  std::vector<std::string> parts;
  for (int age = 1; age <= kAges; ++age)
    if (const int count = backs[static_cast<size_t>(age - 1)]; count > 0)
      parts.push_back(words_("cards.backs", {{"count", count}, {"age", std::string(Roman(age))}}));
  return words_.List(parts);
}

}  // namespace civ
