// Simple ways to choose an action. They look at what the deciding seat may see and nothing else.
#pragma once

#include "civ/rules/rules.h"
#include "civ/view/random.h"

namespace civ {

enum class Policy : uint8_t {
  Uniform,      // any legal action
  EffectHappy,  // uses effects as long as there are some
  Builder,      // gathers the Domain it has most of, and spends the others
};
inline constexpr int kPolicies = 3;

inline Action ChooseUniform(const ActionSet& legal, Random& random) {
  return legal[static_cast<int>(random.Below(static_cast<uint32_t>(legal.Size())))];
}

Action Choose(Policy policy, const State& state, const ActionSet& legal, Random& random);

}  // namespace civ
