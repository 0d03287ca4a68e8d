// Guessing what a view hides.
#pragma once

#include <optional>

#include "view/random.h"
#include "view/view.h"

namespace civ {

// A random full state that fits the view, each as likely as the shuffle makes it: the unseen cards of an Age lie in any
// order on its unseen places (other hands and packs, the deck, the box). Known cards stay where they are. Nothing if no
// state fits, or if less than about one in a million deals does.
std::optional<State> Sample(const View& view, Random& random);

}  // namespace civ
