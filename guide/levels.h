// Which effects a Domain has, and what its cards reach.
#pragma once

#include <algorithm>
#include <array>

#include "rules/state.h"

namespace civ {

// As players list them: by Domain, the discard effects last.
inline constexpr std::array kEffects = {Effect::Assassination, Effect::Purge,       Effect::HolyBook, Effect::DivineRight,  Effect::Development,
                                        Effect::Monopoly,      Effect::Experiment,  Effect::Research, Effect::Oligarchy,    Effect::Republic,
                                        Effect::Attack,        Effect::Inquisition, Effect::Embargo,  Effect::Breakthrough, Effect::Democracy};

// The permanent effect of a Domain; not of Culture.
constexpr Effect PermanentOf(Domain domain, int level) { return static_cast<Effect>(static_cast<int>(domain) | (level == 2 ? 8 : 0)); }

// The discard effect that costs a card of the Domain; not of Culture.
constexpr Effect DiscardEffectOf(Domain domain) {
  return *std::ranges::find_if(kEffects, [domain](Effect effect) { return !IsPermanent(effect) && CostOf(effect) == domain; });
}

// The level that so many cards of a Domain reach: 0, 1 or 2.
constexpr int LevelAt(int players, int count) { return (count >= Threshold(players, Mark::Level1)) + (count >= Threshold(players, Mark::Level2)); }

}  // namespace civ
