#pragma once

#include <cstdint>

namespace civ {

// A hash over games played from fixed seeds by every simple policy in every configuration. It changes when rules, dealing,
// action codes or those policies do, and is the same on every platform and in every build.
uint64_t Signature();

}  // namespace civ
