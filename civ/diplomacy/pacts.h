// The pacts between players: what may be said, what is in force, and whether an action keeps it or
// breaks it. All of it follows from what everybody sees and hears.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "civ/diplomacy/talk.h"
#include "civ/view/view.h"

namespace civ {

// Whether players can make pacts in such a game; partners signal instead, and two say nothing.
constexpr bool HasPacts(const Config& config) { return config.players > 2 && !config.teams; }

// The Domain in which the seat lacks the fewest cards for Hegemony; of several the one with the
// most cards, then the one that breaks ties first.
Domain StrongestOf(const Public& table, Seat seat);
// Whether it lacks no more than two there: then others may act together against it.
bool IsNear(const Public& table, Seat seat);
// Whether the action of `seat` is aimed at `other`, or costs it a card of its play area.
bool Hits(const Public& table, Action action, Seat other);
// Whether it is used against the strongest Domain of `other`, or against its hand.
bool Strikes(const Public& table, Action action, Seat other);

struct Proposal {
  uint16_t id = 0;
  TalkKind kind{};  // Truce or Together
  Seat by = kNone;
  uint8_t to = 0;  // those who have not answered: bit s stands for seat s
  Seat against = kNone;
  uint8_t rounds = 0;
  int turn = 0;  // in which it was made; it lapses after the one a round later

  bool operator==(const Proposal&) const = default;
};

// Between two players.
struct Pact {
  uint16_t id = 0;
  TalkKind kind{};              // Truce or Together
  std::array<Seat, 2> seats{};  // who has proposed it, and who has agreed
  Seat against = kNone;
  int begun = 0;                // the turn in which it was made
  int last = 0;                 // the last turn in which it holds; kOpenEnd if that is not known
  Seat given_up = kNone;        // by whom
  std::array<int, 2> struck{};  // of Together: the turn in which each last did its part

  bool operator==(const Pact&) const = default;
  bool Binds(Seat seat) const { return seats[0] == seat || seats[1] == seat; }
  Seat Other(Seat seat) const { return seats[seats[0] == seat ? 1 : 0]; }
};
inline constexpr int kOpenEnd = 1 << 16;
inline constexpr int kMostRounds = 3;  // of a truce

// How many rounds a pact still holds, the one under way included.
int RoundsLeft(const Pact& pact, const Public& table);

struct Broken {
  Pact pact;
  Seat by = kNone;
  Action action{};  // kEnd: of a turn in which it did not do its part
  int turn = 0;

  bool operator==(const Broken&) const = default;
};

// What has happened between players, to be told.
struct News {
  enum Kind : uint8_t {
    Spoken,  // `seat` has said `talk`; of an answer `pact` has the terms, and who has proposed it
    Breach,  // `seat` has broken `pact` by `action`
    Over,    // `pact` has ended as it was meant to
  };
  Kind kind{};
  uint16_t at = 0;  // after so many actions of the game
  Seat seat = kNone;
  Talk talk{};
  Pact pact{};
  Action action{};

  bool operator==(const News&) const = default;
};

// The last news, which everybody is told: so what is told does not grow with the game.
inline constexpr size_t kNewsKept = 20;

// The Domains in which each seat could win with its next turn, which others may warn of. They
// follow from what lies open and from the backs of hands, so that a warning tells nothing hidden.
using Threats = std::array<Domains, kMaxSeats>;
Threats ThreatsSeen(View view);
inline constexpr Threats kAnyThreat = {kAllDomains, kAllDomains, kAllDomains, kAllDomains};

// A proposal, warning or signal that may not be repeated yet.
struct Repeated {
  int turn = 0;
  Seat seat = kNone;
  Talk talk{};

  bool operator==(const Repeated&) const = default;
};

struct Diplomacy {
  uint16_t ids = 0;  // that were given so far, to offers and pacts
  std::vector<Proposal> offers;
  std::vector<Pact> pacts;         // in force
  std::vector<Broken> broken;      // in this game
  std::vector<News> news;          // likewise
  std::vector<Repeated> repeated;  // of the last round

  bool operator==(const Diplomacy&) const = default;

  // All that a seat may say now.
  std::vector<Talk> Possible(const Public& table, Seat seat, const Threats& threats) const;
  bool MaySay(const Public& table, Seat seat, const Talk& talk, const Threats& threats) const;

  // Takes something that may be said.
  void Say(const Public& table, const Said& said);
  // Takes an action that leads from one table to the other; `at` of them have been done then.
  void Act(const Public& before, Action action, const Public& after, uint16_t at);

  // The pacts that the action of the deciding seat would break.
  std::vector<Pact> BrokenBy(const Public& table, Action action) const;
  // Whether `seat` has broken a pact with `other`.
  bool HasBroken(Seat seat, Seat other) const;
};

// The pacts of a game from its beginning. What could not be said at its place is left out: actions
// may have been taken back.
Diplomacy FoldTalk(std::span<const State> states, std::span<const Action> actions,
                   std::span<const Said> talk);

}  // namespace civ
