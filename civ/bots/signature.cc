#include "civ/bots/signature.h"

#include "civ/bots/hash.h"
#include "civ/bots/playout.h"
#include "civ/view/deal.h"
#include "civ/view/view.h"

namespace civ {
namespace {

void PlayOne(const Config& config, Policy policy, uint64_t seed, Hash& hash) {
  const Deal deal = DealFromSeed(config, seed);
  Game game(New(deal.config, deal.deck.Span()));
  Random random(seed);
  while (game.state.step != Step::Over) {
    const ActionSet legal = Legal(game.state);
    const Action action = Choose(policy, game.state, legal, random);
    hash.Add(static_cast<uint64_t>(legal.Size()) << 8 | action.code);
    game.Apply(action);
    const View view = MakeView(game.state, game.knowledge, kSpectator);
    for (const Holding& hand : view.hands)
      hash.Add(static_cast<uint64_t>(hand.Count()) << 8 |
               static_cast<uint64_t>(hand.cards.Count()));
  }
  const Outcome outcome = Result(game.state);
  hash.Add(outcome.winners);
  hash.Add(outcome.hegemony ? static_cast<uint64_t>(outcome.domain) : 0x100);
}

}  // namespace

uint64_t Signature() {
  constexpr int kGames = 5;
  Hash hash;
  uint64_t seed = 0;
  for (int p = 0; p < kPolicies; ++p)
    for (const Setup setup : {Setup::Basic, Setup::Draft})
      for (const Edition edition :
           {Edition::En, Edition::Fr, Edition::Es, Edition::Pt, Edition::Ro})
        for (const Config& config :
             {Config{2, setup, edition, false, 0}, Config{3, setup, edition, false, 0},
              Config{4, setup, edition, false, 0}, Config{4, setup, edition, true, 0}})
          for (int game = 0; game < kGames; ++game)
            PlayOne(config, static_cast<Policy>(p), seed++, hash);
  return hash.value();
}

}  // namespace civ
