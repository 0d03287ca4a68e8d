#include "app/phrases.h"

#include <cmath>

#include "notation/notation.h"

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

Effect DiscardEffectOf(Domain domain) {
  for (const Effect effect : {Effect::Attack, Effect::Inquisition, Effect::Embargo, Effect::Breakthrough})
    if (CostOf(effect) == domain) return effect;
  return Effect::Democracy;
}

int LevelAt(int players, int count) { return (count >= Threshold(players, Mark::Level1)) + (count >= Threshold(players, Mark::Level2)); }

std::string Phrases::Names(unsigned seats) const {
  std::vector<std::string> names;
  for (size_t seat = 0; seat < names_.size(); ++seat)
    if ((seats >> seat & 1) != 0) names.push_back(names_[seat]);
  return words_.List(names);
}

std::string Phrases::Of(Domain domain) const { return words_("domain." + std::string(NameOf(domain))); }

std::string Phrases::Of(Effect effect) const { return words_("effect." + std::string(NameOf(effect))); }

std::string Phrases::Does(Effect effect) const { return words_("does." + std::string(NameOf(effect))); }

std::string Phrases::Percent(float part) const { return words_("percent", {{"number", std::lround(100 * part)}}); }

std::string Phrases::Of(Kind kind) const {
  return words_("card", {{"domain", Of(DomainOf(kind))}, {"age", std::string(Roman(static_cast<int>(AgeOf(kind))))}});
}

std::string Phrases::Of(Cards cards) const {
  std::vector<std::string> names;
  for (int k = 0; k < kKinds; ++k) {
    const auto kind = static_cast<Kind>(k);
    if (cards[kind] == 1) names.push_back(Of(kind));
    if (cards[kind] > 1) names.push_back(std::to_string(cards[kind]) + ' ' + Of(kind));
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

std::string Phrases::Held(Cards cards, bool seen) const {
  if (seen) return Of(cards);
  std::array<uint8_t, kAges> backs{};
  for (const Age age : {Age::I, Age::II, Age::III}) backs[static_cast<size_t>(age) - 1] = static_cast<uint8_t>(cards.Of(age).Count());
  return Backs(backs);
}

std::vector<std::string> Phrases::Column(const Public& table, Seat seat, Domain domain, int count) const {
  const int need = HegemonyNeed(table, seat, domain);
  std::vector<std::string> parts = {words_("column", {{"domain", Of(domain)}, {"count", count}, {"need", need}})};
  const int level = LevelAt(table.config.players, count);
  if (level > 0 && domain != Domain::Culture) parts.push_back(words_("column.level", {{"level", level}}));
  if (count == need - 1) parts.push_back(words_("column.close"));
  if (count >= need) parts.push_back(words_("column.enough"));
  return parts;
}

}  // namespace civ
