#include "civ/arena/insights.h"

#include <bit>

#include "civ/rules/sides.h"

namespace civ {
namespace {

// What is counted of one effect, deck by deck.
struct Count {
  int uses = 0;
  std::vector<Ratio> used, wins_with, wins_without;

  void NewDeck() {
    for (std::vector<Ratio>* ratios : {&used, &wins_with, &wins_without}) ratios->emplace_back();
  }
  void AddPlayer(int times, double share) {
    uses += times;
    used.back().whole += 1;
    used.back().part += times > 0 ? 1 : 0;
    Ratio& wins = times > 0 ? wins_with.back() : wins_without.back();
    wins.whole += 1;
    wins.part += share;
  }
  EffectUse Sum(int games) const {
    return {static_cast<double>(uses) / games, Share(used), Share(wins_with), Share(wins_without)};
  }
};

// How often each seat used each effect, and Inspiration.
struct Uses {
  std::map<Effect, std::array<int, kMaxSeats>> effects;
  std::array<int, kMaxSeats> copying{};
};

Uses UsesIn(const Record& record) {
  Uses uses;
  State state = New(record.config, record.deck);
  for (const Action action : record.actions) {
    if (!action.NamesCard() && action != kEnd) {
      ++uses.effects[action.effect()][state.seat];
      if (action.IsCopy()) ++uses.copying[state.seat];
    }
    Apply(state, action);
  }
  return uses;
}

void CountEnding(const PlayedGame& game, Insights& insights) {
  if (game.forfeit) {
    ++insights.forfeits;
    return;
  }
  insights.turns.push_back(game.turns);
  const Outcome& outcome = game.outcome;
  if (outcome.hegemony) {
    ++insights.hegemonies;
    ++insights.by_domain[static_cast<size_t>(outcome.domain)];
  } else {
    const bool one = std::has_single_bit(SidesOf(game.record.config, outcome.winners));
    ++(one ? insights.majorities : insights.shared);
  }
}

}  // namespace

Insights InsightsOf(const Contest& contest, const std::vector<PlayedGame>& games) {
  Insights insights;
  std::map<Effect, Count> counts;
  Count copying;
  for (const Effect effect : kAllEffects) counts[effect];
  std::vector<std::vector<Ratio>> seats(contest.config.players);
  int deck = -1;
  for (const PlayedGame& game : games) {
    if (contest.DeckOf(game.number) != deck) {
      for (auto& [effect, count] : counts) count.NewDeck();
      copying.NewDeck();
      for (std::vector<Ratio>& seat : seats) seat.emplace_back();
    }
    deck = contest.DeckOf(game.number);
    ++insights.games;
    CountEnding(game, insights);
    if (game.forfeit) continue;
    const Chances shares = SharesOf(game);
    Uses uses = UsesIn(game.record);
    for (Seat seat = 0; seat < contest.config.players; ++seat) {
      const auto share = static_cast<double>(shares[seat]);
      for (auto& [effect, count] : counts) count.AddPlayer(uses.effects[effect][seat], share);
      copying.AddPlayer(uses.copying[seat], share);
      Ratio& place =
          seats[static_cast<size_t>((seat + contest.config.players - game.record.config.first) %
                                    contest.config.players)]
              .back();
      place.whole += 1;
      place.part += share;
    }
  }
  const int ended = std::max(insights.games - insights.forfeits, 1);
  for (const auto& [effect, count] : counts) insights.effects[effect] = count.Sum(ended);
  insights.copying = copying.Sum(ended);
  for (const std::vector<Ratio>& seat : seats) insights.seats.push_back(Share(seat));
  return insights;
}

}  // namespace civ
