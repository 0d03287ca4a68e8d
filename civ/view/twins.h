// Actions that name cards of one Domain and differ by their Age alone are twins. A card's Age
// changes nothing but what its back tells the others, so bots think about twins once: by a key,
// which is the code of an action that names a Domain instead.
#pragma once

#include "civ/rules/rules.h"

namespace civ {

namespace twins {
constexpr bool NamesKind(Action action) {
  return action.code >= 0x80 && action != kSkip && action.verb() != Verb::Remove &&
         action.verb() != Verb::Claim;
}

inline constexpr auto kKindsOf = [] {
  std::array<Kinds, kDomains> kinds{};
  for (int k = 0; k < kKinds; ++k)
    kinds[static_cast<size_t>(DomainOf(static_cast<Kind>(k)))] |= static_cast<Kinds>(1u << k);
  return kinds;
}();
}  // namespace twins

constexpr Action KeyOf(Action action) {
  return twins::NamesKind(action) ? Action::Name(action.verb(), DomainOf(action.kind())) : action;
}

// The keys of actions, of which there must be some.
constexpr ActionSet Keys(const ActionSet& legal) {
  const Action first = legal[0];
  if (!twins::NamesKind(first)) return legal;
  // Kinds 0 to 4 and 5 to 9 are M R E S C like the Domains; 10 to 14 are M E S C U.
  const unsigned named = legal.Named();
  const unsigned domains = (named | named >> 5) & 0x1f;
  return {first.verb(),
          static_cast<uint16_t>(domains | (named >> 10 & 1) | (named >> 10 & 0x1e) << 1)};
}

// The action with that key that names the oldest card.
constexpr Action Oldest(const ActionSet& legal, Action key) {
  if (!twins::NamesKind(legal[0])) return key;
  const auto kinds =
      static_cast<unsigned>(legal.Named() & twins::kKindsOf[static_cast<size_t>(key.domain())]);
  return Action::Name(key.verb(), static_cast<Kind>(std::countr_zero(kinds)));
}

}  // namespace civ
