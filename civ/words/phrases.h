// Messages in words, and the parts of sentences that screens put together: players, Domains,
// effects, cards, backs.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "civ/guide/message.h"
#include "civ/words/words.h"

namespace civ {

using Lines = std::vector<std::string>;

std::string Join(const std::vector<std::string>& items, std::string_view separator);

class Phrases {
 public:
  using Arguments = std::vector<Words::Argument>;

  Phrases(const Words& words, std::vector<std::string> names)
      : words_(words), names_(std::move(names)) {}

  const Words& words() const { return words_; }
  std::string operator()(std::string_view key, const Arguments& arguments = {}) const {
    return words_(key, arguments);
  }
  std::string operator()(const Message& message) const;
  std::vector<std::string> operator()(const Messages& messages) const;

  const std::string& Name(Seat seat) const { return names_[seat]; }
  std::string Names(unsigned seats) const;  // bit s stands for seat s: "Ada, Ben and Cleo"

  std::string Of(Domain domain) const;  // "Military"
  std::string Of(Effect effect) const;  // "Holy Book"
  std::string Of(Kind kind) const;      // "Military (Age I)"
  std::string Of(Cards cards) const;    // "Military (Age I) and 2 Science (Age II)"
  std::string Does(Effect effect) const;
  std::string Percent(float part) const;  // "61%", of 1

  std::string Backs(
      const std::array<uint8_t, kAges>& backs) const;  // "2 cards of Age I and 1 card of Age II"

 private:
  const Words& words_;
  std::vector<std::string> names_;
};

std::string_view Roman(int age);

}  // namespace civ
