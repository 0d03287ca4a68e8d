// What is played: which bots, at which tables, in which seats, with which decks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "civ/bots/bot.h"
#include "civ/diplomacy/character.h"
#include "civ/outside/outside.h"
#include "civ/rules/sides.h"

namespace civ {

struct Entrant {
  std::string name;     // as it is shown: "master:ms=40"
  std::string bot;      // one of BotNames(), or the name of an outside program
  std::string command;  // of an outside program, else empty
  int64_t ms = 0;       // for each decision; 0: no limit of time
  int64_t iterations = 0;
  // With pacts: how far one of our bots keeps its word; that of its seat if it is not given.
  std::optional<Character> character = {};
  bool silent = false;  // neither talks nor listens
};

// The number of the entrant in each seat.
using Seating = std::vector<int>;

// The unit of a contest is a deck played in all rotations of all line-ups, so that nobody is
// favoured by cards or seats.
struct Contest {
  Config config;  // its First Player does not matter
  std::vector<Entrant> entrants;
  uint64_t seed = 1;
  int decks = 0;
  bool pacts = false;  // whether bots may talk (docs/diplomacy.md)
  Patience patience = {};

  // The tables of one deck: all rotations of all line-ups.
  struct Table {
    Seating seats;
    int lineup;
  };
  std::vector<Seating> lineups = {};
  std::vector<Table> tables = {};

  // Fills in line-ups and tables.
  void Arrange();

  // Of a game numbered from 0, deck by deck.
  int GamesPerDeck() const { return static_cast<int>(tables.size()); }
  int DeckOf(int game) const { return game / GamesPerDeck(); }
  const Table& TableOf(int game) const { return tables[static_cast<size_t>(game) % tables.size()]; }
  const Seating& SeatsOf(int game) const { return TableOf(game).seats; }
  // Of the deck, First Player and chance in the game; below 2^53, which every JSON reader keeps
  // exact.
  uint64_t SeedOf(int game) const;

  // The number of sides that may win: seats, or teams, whose members sit at seats 0 and 2, and 1
  // and 3.
  int Sides() const { return SideCount(config); }
  // What makes results comparable, for files that are gone on with: everything but the number of
  // decks.
  Json Settings() const;
};

// Who sits at a table with whom:
// - teams, or two players: all pairs;
// - two entrants at a larger table: the first against the second in all other seats;
// - as many entrants as seats or more: all tables of different entrants;
// - otherwise (three at a table of four): all pairs, each one in turn against the other in all
// other seats;
// - one: alone with itself.
std::vector<Seating> LineupsFor(int entrants, const Config& config);

// How many different seatings there are when all move on by one seat.
int Rotations(const Seating& lineup);

// Scatters the bits of numbers that are close together.
uint64_t Mix(uint64_t seed, uint64_t number);

}  // namespace civ
