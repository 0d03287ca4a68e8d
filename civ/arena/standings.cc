#include "civ/arena/standings.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace civ {
namespace {

constexpr double kPrior = 1;  // games that all sides of a line-up share, for FitRatings
constexpr int kSamples = 300;

// The games of one deck, by line-up.
using DeckTallies = std::vector<Tally>;

std::vector<int> SidesOf(const Contest& contest, const Seating& seats) {
  return {seats.begin(), seats.begin() + contest.Sides()};
}

DeckTallies EmptyTallies(const Contest& contest) {
  DeckTallies tallies;
  for (const Seating& lineup : contest.lineups)
    tallies.push_back({.sides = SidesOf(contest, lineup)});
  return tallies;
}

std::vector<DeckTallies> TallyDecks(const Contest& contest, const std::vector<PlayedGame>& games) {
  std::vector<DeckTallies> decks;
  int deck = -1;
  for (const PlayedGame& game : games) {
    if (contest.DeckOf(game.number) != deck) decks.push_back(EmptyTallies(contest));
    deck = contest.DeckOf(game.number);
    Tally& tally = decks.back()[static_cast<size_t>(contest.TableOf(game.number).lineup)];
    const Seating& seats = contest.SeatsOf(game.number);
    tally.games += 1;
    for (const int entrant : std::set(seats.begin(), seats.end()))
      tally.wins[entrant] += ShareOf(game, seats, entrant);
  }
  return decks;
}

void Add(DeckTallies& sum, const DeckTallies& deck) {
  for (size_t lineup = 0; lineup < sum.size(); ++lineup) {
    sum[lineup].games += deck[lineup].games;
    for (const auto& [entrant, wins] : deck[lineup].wins) sum[lineup].wins[entrant] += wins;
  }
}

std::vector<double> Ratings(const Contest& contest, const DeckTallies& tallies,
                            const Anchor& anchor) {
  std::vector<double> ratings =
      FitRatings(static_cast<int>(contest.entrants.size()), tallies, kPrior);
  const double shift =
      anchor.rating - (anchor.entrant ? ratings[static_cast<size_t>(*anchor.entrant)] : 0);
  for (double& rating : ratings) rating += shift;
  return ratings;
}

// As if an entrant had won `wanted` of its games instead of `share`: in each line-up the same part
// of what it lost, or of what it won, went the other way. The others have the rest in proportion.
void Tilt(DeckTallies& tallies, int entrant, double share, double wanted) {
  for (Tally& tally : tallies) {
    if (!tally.wins.contains(entrant) || tally.wins.size() == 1) continue;
    const double won = tally.wins[entrant], lost = tally.games - won;
    const double tilted =
        wanted > share ? won + lost * (wanted - share) / (1 - share) : won * wanted / share;
    const auto others = static_cast<double>(tally.wins.size() - 1);
    for (auto& [other, wins] : tally.wins)
      wins = other == entrant ? tilted
             : lost > 0       ? wins * (tally.games - tilted) / lost
                              : (tally.games - tilted) / others;
  }
}

// The rating of an entrant at a bound of its share; infinite where that is all or nothing.
double RatingAt(const Contest& contest, DeckTallies all, const Anchor& anchor, int entrant,
                double share, double bound) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (bound <= 0 || bound >= 1) return bound <= 0 ? -kInfinity : kInfinity;
  Tilt(all, entrant, share, bound);
  return Ratings(contest, all, anchor)[static_cast<size_t>(entrant)];
}

void Rate(const Contest& contest, const std::vector<DeckTallies>& decks, const Anchor& anchor,
          std::vector<Standing>& entrants) {
  DeckTallies all = EmptyTallies(contest);
  for (const DeckTallies& deck : decks) Add(all, deck);
  const std::vector<double> ratings = Ratings(contest, all, anchor);
  std::vector<std::vector<double>> samples(entrants.size());
  if (!decks.empty())
    Resample(decks.size(), kSamples, [&](const std::vector<size_t>& sample) {
      DeckTallies sum = EmptyTallies(contest);
      for (const size_t deck : sample) Add(sum, decks[deck]);
      const std::vector<double> sampled = Ratings(contest, sum, anchor);
      for (size_t entrant = 0; entrant < entrants.size(); ++entrant)
        samples[entrant].push_back(sampled[entrant]);
    });
  for (size_t i = 0; i < entrants.size(); ++i) {
    const int entrant = static_cast<int>(i);
    const Estimate& share = entrants[i].share;
    Interval interval = {ratings[i], ratings[i]};
    if (anchor.entrant != entrant && entrants.size() > 1 && !decks.empty()) {
      const auto at = [&](double bound) {
        return RatingAt(contest, all, anchor, entrant, share.value, bound);
      };
      interval = Middle95(std::move(samples[i]));
      interval = {std::min(interval.low, at(share.interval.low)),
                  std::max(interval.high, at(share.interval.high))};
    }
    entrants[i].rating = {ratings[i], interval};
  }
}

Standing Count(const Contest& contest, const std::vector<DeckTallies>& decks, int entrant) {
  Standing standing;
  std::vector<Ratio> ratios;
  double fair = 0;
  for (const DeckTallies& deck : decks) {
    Ratio& ratio = ratios.emplace_back();
    for (const Tally& tally : deck) {
      const auto seats = static_cast<double>(std::ranges::count(tally.sides, entrant));
      if (seats == 0) continue;
      ratio.whole += tally.games;
      ratio.part += tally.wins.contains(entrant) ? tally.wins.at(entrant) : 0;
      fair += tally.games * seats / contest.Sides();
    }
    standing.games += static_cast<int>(ratio.whole);
    standing.wins += ratio.part;
  }
  standing.share = Share(ratios);
  standing.fair = standing.games > 0 ? fair / standing.games : 0;
  return standing;
}

}  // namespace

Standings StandingsOf(const Contest& contest, const std::vector<PlayedGame>& games,
                      const Anchor& anchor) {
  const std::vector<DeckTallies> decks = TallyDecks(contest, games);
  const size_t size = contest.entrants.size();
  Standings standings;
  standings.decks = static_cast<int>(decks.size());
  for (size_t entrant = 0; entrant < size; ++entrant)
    standings.entrants.push_back(Count(contest, decks, static_cast<int>(entrant)));
  Rate(contest, decks, anchor, standings.entrants);
  standings.encounters.assign(size, std::vector<Encounter>(size));
  for (const PlayedGame& game : games) {
    const Seating& seats = contest.SeatsOf(game.number);
    if (game.forfeit) ++standings.entrants[static_cast<size_t>(seats[game.forfeit->seat])].forfeits;
    for (size_t seat = 0; seat < seats.size(); ++seat)
      standings.entrants[static_cast<size_t>(seats[seat])].thinking += game.thinking[seat];
    const std::set<int> present(seats.begin(), seats.end());
    for (const int one : present)
      for (const int other : present) {
        Encounter& encounter =
            standings.encounters[static_cast<size_t>(one)][static_cast<size_t>(other)];
        encounter.games += 1;
        encounter.wins += ShareOf(game, seats, one);
        encounter.losses += ShareOf(game, seats, other);
      }
  }
  standings.ranking.resize(size);
  std::iota(standings.ranking.begin(), standings.ranking.end(), 0);
  std::ranges::sort(standings.ranking, {}, [&](int entrant) {
    return std::pair(-standings.entrants[static_cast<size_t>(entrant)].rating.value, entrant);
  });
  return standings;
}

}  // namespace civ
