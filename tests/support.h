// What tests share: building positions by hand, and playing generated games.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bots/playout.h"
#include "rules/rules.h"
#include "view/deal.h"
#include "view/view.h"

namespace civ::test {

// "M1 M1 R2" as a multiset. Aborts on a word that is not a card.
Cards CardsOf(std::string_view text);

// Every configuration: players, set-up, edition, teams. First Player 0.
std::vector<Config> AllConfigs();

}  // namespace civ::test
