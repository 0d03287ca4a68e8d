#include "civ/arena/contest.h"

#include <algorithm>
#include <bit>

#include "civ/notation/notation.h"
#include "civ/notation/talk.h"

namespace civ {
namespace {

// One against another in all other seats, or in the other team.
Seating Against(int one, int other, const Config& config) {
  if (config.teams) return {one, other, one, other};
  Seating seats(config.players, other);
  seats[0] = one;
  return seats;
}

// All sets of `size` of the entrants 0 to entrants - 1, in order.
std::vector<Seating> Combinations(int entrants, int size) {
  std::vector<Seating> all;
  for (unsigned set = 0; set < 1u << entrants; ++set) {
    if (std::popcount(set) != size) continue;
    Seating members;
    for (int entrant = 0; entrant < entrants; ++entrant)
      if ((set >> entrant & 1) != 0) members.push_back(entrant);
    all.push_back(members);
  }
  std::ranges::sort(all);
  return all;
}

}  // namespace

std::vector<Seating> LineupsFor(int entrants, const Config& config) {
  if (entrants == 1) return {Seating(config.players, 0)};
  const bool two_sides = config.teams || config.players == 2;
  if (!two_sides && entrants >= config.players) return Combinations(entrants, config.players);
  std::vector<Seating> lineups;
  for (const Seating& pair : Combinations(entrants, 2)) {
    lineups.push_back(Against(pair[0], pair[1], config));
    if (!two_sides && entrants > 2) lineups.push_back(Against(pair[1], pair[0], config));
  }
  return lineups;
}

int Rotations(const Seating& lineup) {
  Seating turned = lineup;
  int count = 0;
  do {
    std::ranges::rotate(turned, turned.begin() + 1);
    ++count;
  } while (turned != lineup);
  return count;
}

uint64_t Mix(uint64_t seed, uint64_t number) {
  // SplitMix64 (Steele, Lea, Flood 2014).
  uint64_t mixed = seed + (number + 1) * 0x9e3779b97f4a7c15;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
  return mixed ^ mixed >> 31;
}

void Contest::Arrange() {
  lineups = LineupsFor(static_cast<int>(entrants.size()), config);
  tables.clear();
  for (size_t lineup = 0; lineup < lineups.size(); ++lineup) {
    Seating seats = lineups[lineup];
    for (int i = Rotations(seats); i > 0; --i) {
      tables.push_back({seats, static_cast<int>(lineup)});
      std::ranges::rotate(seats, seats.end() - 1);
    }
  }
}

uint64_t Contest::SeedOf(int game) const {
  return Mix(seed, static_cast<uint64_t>(DeckOf(game))) >> 11;
}

Json Contest::Settings() const {
  Json bots = Json::array();
  for (const Entrant& entrant : entrants) {
    Json bot = {{"name", entrant.name}, {"ms", entrant.ms}, {"iterations", entrant.iterations}};
    if (!entrant.command.empty()) bot["command"] = entrant.command;
    if (entrant.silent) bot["character"] = "silent";
    if (entrant.character) bot["character"] = NameOf(*entrant.character);
    bots.push_back(bot);
  }
  Json settings = {{"seed", seed},
                   {"players", config.players},
                   {"setup", NameOf(config.setup)},
                   {"edition", NameOf(config.edition)},
                   {"teams", config.teams},
                   {"bots", bots}};
  if (pacts) settings["pacts"] = true;
  return settings;
}

}  // namespace civ
