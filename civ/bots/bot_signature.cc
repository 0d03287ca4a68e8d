#include <bit>

#include "civ/bots/bot.h"
#include "civ/bots/hash.h"
#include "civ/bots/signature.h"
#include "civ/view/deal.h"

namespace civ {
namespace {

// Bots with few iterations, from the draft to the end.
void LetPlay(std::string_view name, const Config& config, uint64_t seed, Hash& hash) {
  const Deal deal = DealFromSeed(config, seed);
  Game game(New(deal.config, deal.deck.Span()));
  const std::unique_ptr<Bot> bot = MakeBot(name);
  for (uint64_t action = 0; game.state.step != Step::Over; ++action) {
    const Thought thought = bot->Think(MakeView(game.state, game.knowledge, game.state.seat),
                                       {.iterations = 50}, seed + action);
    hash.Add(thought.best.code);
    for (const Judgement& judgement : thought.judgements)
      for (const float chance : judgement.chances) hash.Add(std::bit_cast<uint32_t>(chance));
    game.Apply(thought.best);
  }
}

}  // namespace

uint64_t BotSignature() {
  Hash hash;
  uint64_t seed = 0;
  for (const std::string_view name :
       {"level1", "level2", "level3", "level4", "level5", "plain", "plain-informed", "master"})
    for (const Config& config : {Config{2, Setup::Draft, Edition::En, false, 0},
                                 Config{3, Setup::Basic, Edition::Pt, false, 0},
                                 Config{4, Setup::Basic, Edition::En, false, 0},
                                 Config{4, Setup::Draft, Edition::Es, true, 0}})
      LetPlay(name, config, seed++, hash);
  return hash.value();
}

}  // namespace civ
