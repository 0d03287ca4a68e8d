#include "tests/support.h"

#include <cstdlib>
#include <sstream>

#include "notation/notation.h"

namespace civ::test {

Cards CardsOf(std::string_view text) {
  std::istringstream words{std::string(text)};
  Cards cards;
  for (std::string word; words >> word;) {
    const std::optional<Kind> kind = ParseKind(word);
    if (!kind) std::abort();
    cards += Cards(*kind);
  }
  return cards;
}

std::vector<Config> AllConfigs() {
  std::vector<Config> configs;
  for (const Edition edition : {Edition::En, Edition::Fr, Edition::Es, Edition::Pt, Edition::Ro})
    for (const Setup setup : {Setup::Basic, Setup::Draft}) {
      for (uint8_t players = 2; players <= kMaxSeats; ++players) configs.push_back({players, setup, edition, false, 0});
      configs.push_back({4, setup, edition, true, 0});
    }
  return configs;
}

}  // namespace civ::test
