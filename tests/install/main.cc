// Plays a game with the installed libraries and prints its last action and result.
#include <cstdio>

#include "bots/playout.h"
#include "notation/json.h"
#include "notation/notation.h"
#include "view/deal.h"

int main() {
  civ::Random random(7);
  const civ::Deal deal = civ::DealFromSeed({.players = 3}, 7);
  civ::State state = civ::New(deal.config, deal.deck.Span());
  civ::Action action{};
  while (state.step != civ::Step::Over) {
    action = Choose(civ::Policy::Builder, state, Legal(state), random);
    Apply(state, action);
  }
  std::printf("%s\n%s\n", NameOf(action).c_str(), ToJson(state.config, Result(state)).dump().c_str());
}
