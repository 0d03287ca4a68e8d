// Numbers that tell whether rules or bots still play as they did.
#pragma once

#include <cstdint>

namespace civ {

// A hash over games played from fixed seeds by every simple policy in every configuration. It
// changes when rules, dealing, action codes or those policies do, and is the same on every platform
// and in every build.
uint64_t Signature();

// Likewise over games of the bots with a few iterations each, what they think of every action
// included. It changes when a bot or its weights do.
uint64_t BotSignature();

}  // namespace civ
