// Fewer actions to think about.
#pragma once

#include "rules/rules.h"

namespace civ {

// Of actions that name cards of one Domain and differ by their Age alone, the one with the oldest card. A card's Age changes
// nothing but what its back tells the others, so thinking about both would be thinking twice.
inline ActionSet WithoutTwins(const ActionSet& legal) {
  const Action first = legal[0];
  if (first.code < 0x80 || first == kSkip) return legal;
  if (first.verb() == Verb::Remove || first.verb() == Verb::Claim) return legal;
  // Kinds 0 to 4 and 5 to 9 are M R E S C; 10 to 13 are M E S C, here spread out like the others.
  const unsigned named = legal.Named();
  const unsigned one = named & 0x1f, two = named >> 5 & 0x1f;
  const unsigned three = (named >> 10 & 1) | (named >> 10 & 0xe) << 1;
  const unsigned second = two & ~one, third = three & ~(one | two);
  return {first.verb(), static_cast<uint16_t>(one | second << 5 | ((third & 1) | (third >> 1 & 0xe)) << 10 | (named & 0x4000))};
}

// One number for an action and its twins, whatever cards are there.
inline uint8_t KeyOf(Action action) {
  if (action.code < 0x80 || action == kSkip || action.verb() == Verb::Remove || action.verb() == Verb::Claim) return action.code;
  return static_cast<uint8_t>(static_cast<int>(action.verb()) << 4 | static_cast<int>(DomainOf(action.kind())));
}

}  // namespace civ
