// Bots that talk: what they answer and propose, and what their word is worth.
#include "civ/bots/diplomat.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "civ/arena/runner.h"
#include "civ/arena/talking.h"
#include "civ/bots/certain.h"
#include "civ/bots/foresight.h"
#include "civ/notation/notation.h"
#include "civ/notation/talk.h"
#include "civ/view/sample.h"
#include "tests/generate.h"
#include "tests/support.h"

namespace civ::test {
namespace {

constexpr Limits kFew = {.iterations = 60};
constexpr std::array kAllCharacters = {Character::Faithful, Character::Fair,
                                       Character::Opportunist};

Decision Ask(std::string_view bot, const State& state, const Diplomacy& pacts, Character character,
             int64_t iterations = 400) {
  return Decide(*MakeBot(bot), MakeView(state, {}, state.seat), pacts, character,
                {.iterations = iterations}, 1);
}
std::string Said(const Decision& decision) {
  return decision.say ? ToJson(*decision.say).dump() : "";
}

Diplomacy Offered(const State& state, Seat by, const Talk& talk) {
  Diplomacy pacts;
  Public before = state;
  before.turn = static_cast<uint16_t>(state.turn - 1);
  before.seat = by;
  pacts.Say(before, {0, by, talk});
  return pacts;
}
Diplomacy Agreed(const State& state, const Talk& talk, Seat by, Seat with) {
  Diplomacy pacts = Offered(state, by, talk);
  Public before = state;
  before.turn = static_cast<uint16_t>(state.turn - 1);
  pacts.Say(before, {0, with, {.kind = TalkKind::Yes, .id = 1}});
  return pacts;
}

// Seat 0 is about to win; seat 2 can lay a Democracy card on it, or attack, and has no other way.
State AboutToBeHit() {
  return Position(3)
      .TurnNumber(10)
      .Seat(0)
      .Table("C1 C1 C1 C2 C2")
      .Hand("C2 R1 M1")
      .Seat(1)
      .Table("M1 S1 E1")
      .Hand("S1 S2 M1")
      .Seat(2)
      .Table("U3 U3 M2 C3 E1 R1")
      .Hand("R1 R2 S1")
      .Play();
}
constexpr Talk kTruceWith0 = {.kind = TalkKind::Truce, .to = 1, .rounds = 2};

TEST(Diplomat, AcceptsATruceIfItIsAboutToBeHit) {
  const State state = AboutToBeHit();
  for (const Character character : kAllCharacters)
    for (const char* bot : {"level3", "level6", "master"})
      EXPECT_EQ(Said(Ask(bot, state, Offered(state, 2, kTruceWith0), character)),
                R"({"say":"yes","offer":1})")
          << bot;
}

TEST(Diplomat, AcceptsNothingFromWhoHasBrokenFaith) {
  const State state = AboutToBeHit();
  Diplomacy pacts = Offered(state, 2, kTruceWith0);
  pacts.broken.push_back({.pact = {.kind = TalkKind::Truce, .seats = {2, 0}}, .by = 2});
  EXPECT_EQ(Said(Ask("level6", state, pacts, Character::Fair)), R"({"say":"no","offer":1})");
  pacts.broken[0].by = 0;  // its own breach is another matter
  EXPECT_EQ(Said(Ask("level6", state, pacts, Character::Fair)), R"({"say":"yes","offer":1})");
}

// Seat 2 lacks a card for Hegemony. Seat 0 can do little, seat 1 has cards to stop it.
State SomebodyIsAboutToWin() {
  return Position(3)
      .TurnNumber(10)
      .Seat(0)
      .Table("S1 S1 M1 U3")
      .Hand("S2 S2 M1")
      .Seat(1)
      .Table("U3 U3 E1 M1 R2")
      .Hand("E1 E2 C1")
      .Seat(2)
      .Table("R1 R1 R1 R1 R2 R2")
      .Hand("R2 C1 C1")
      .Play();
}

TEST(Diplomat, ProposesToActTogetherAgainstWhoIsAboutToWin) {
  const State state = SomebodyIsAboutToWin();
  for (const char* bot : {"level4", "level6"})
    EXPECT_EQ(Said(Ask(bot, state, {}, Character::Fair)),
              R"({"say":"together","to":[1],"against":2})")
        << bot;
  // Somebody who has broken faith is not asked: then it warns.
  Diplomacy pacts;
  pacts.broken.push_back({.pact = {.kind = TalkKind::Truce, .seats = {1, 0}}, .by = 1});
  EXPECT_EQ(Said(Ask("level6", state, pacts, Character::Fair)),
            R"({"say":"warn","about":2,"domain":"R"})");
}

// Who has left two proposals without an answer is asked again only once something was heard from
// it; what it has told everybody is no answer, whatever the seat.
TEST(Diplomat, IsNotHeardByAWarning) {
  const State state = SomebodyIsAboutToWin();
  Diplomacy pacts;
  for (const uint8_t rounds : {1, 2})
    pacts.news.push_back({.kind = News::Spoken,
                          .seat = 0,
                          .talk = {.kind = TalkKind::Truce, .to = 2, .rounds = rounds}});
  const std::string warned = Said(Ask("level6", state, pacts, Character::Fair));
  EXPECT_EQ(warned, R"({"say":"warn","about":2,"domain":"R"})");
  const Talk warning = {.kind = TalkKind::Warn, .about = 2, .domain = Domain::Religion};
  pacts.news.push_back({.kind = News::Spoken, .seat = 1, .talk = warning});
  EXPECT_EQ(Said(Ask("level6", state, pacts, Character::Fair)), warned);
  const Talk truce = {.kind = TalkKind::Truce, .to = 1, .rounds = 1};
  pacts.news.push_back({.kind = News::Spoken, .seat = 1, .talk = truce});
  EXPECT_EQ(Said(Ask("level6", state, pacts, Character::Fair)),
            R"({"say":"together","to":[1],"against":2})");
}

// Seat 1 is near Hegemony, and seat 0 has promised not to hit it, but could.
Position Tempted(std::string_view own, std::string_view theirs) {
  return Position(3)
      .TurnNumber(10)
      .Seat(0)
      .Table(own)
      .Hand("C2 C2 R1")
      .Seat(1)
      .Table(theirs)
      .Hand("M1 M1 E1")
      .Seat(2)
      .Table("S1 S1 C1 C1 M1")
      .Hand("S1 S2 M1");
}
constexpr Talk kTruceWith1 = {.kind = TalkKind::Truce, .to = 2, .rounds = 3};

TEST(Diplomat, KeepsItsWordAsFarAsItsCharacterAllows) {
  const State state = Tempted("S1 S2 C1 E1 E1", "R1 R1 R1 R2 R2 R2").Effects();
  const Diplomacy pacts = Agreed(state, kTruceWith1, 0, 1);
  for (const char* bot : {"level4", "level6", "master"}) {
    EXPECT_TRUE(Hits(state, Ask(bot, state, {}, Character::Faithful).action, 1)) << bot;
    EXPECT_FALSE(Hits(state, Ask(bot, state, pacts, Character::Faithful).action, 1)) << bot;
    EXPECT_TRUE(Hits(state, Ask(bot, state, pacts, Character::Opportunist).action, 1)) << bot;
  }
}

TEST(Diplomat, GivesUpOpenlyWhatItWillNotKeep) {
  const State state = Tempted("M1 S2 S1 U3 E1", "R1 R1 R1 R2 R2").Play();
  const Diplomacy pacts = Agreed(state, kTruceWith1, 0, 1);
  for (const char* bot : {"level4", "level6", "master"}) {
    EXPECT_EQ(Said(Ask(bot, state, pacts, Character::Faithful)), "") << bot;
    EXPECT_EQ(Said(Ask(bot, state, pacts, Character::Opportunist)), R"({"say":"give-up","pact":2})")
        << bot;
  }
}

TEST(Diplomat, StrikesWhereItHasPromisedTo) {
  State state = SomebodyIsAboutToWin();
  Apply(state, Legal(state)[0]);
  const Diplomacy pacts = Agreed(state, {.kind = TalkKind::Together, .to = 2, .about = 2}, 0, 1);
  ASSERT_FALSE(pacts.BrokenBy(state, kEnd).empty());
  EXPECT_TRUE(Strikes(state, Ask("level3", state, pacts, Character::Faithful).action, 2));
}

TEST(Diplomat, IsWhoItWasWithoutPacts) {
  for (const uint8_t players : {2, 3, 4})
    for (const char* name : {"level4", "level6", "master"}) {
      const auto one = MakeBot(name), other = MakeBot(name);
      Game game(New({.players = players}, DealFromSeed({.players = players}, 7).deck.Span()));
      for (uint64_t i = 0; game.state.step != Step::Over && i < 120; ++i) {
        const View view = ViewOf(game, game.state.seat);
        const Decision decision = Decide(*one, view, {}, Character::Fair, kFew, i);
        ASSERT_EQ(decision.action, other->Think(view, kFew, i).best);
        if (players == 2) {
          ASSERT_FALSE(decision.say);
        }
        game.Apply(decision.action);
      }
    }
}

// A game of talking bots; look(view, pacts, decision) sees every decision.
template <class Look>
Diplomacy LetTalk(const Config& config, std::string_view name, uint64_t seed, Look look) {
  const Deal deal = DealFromSeed(config, seed);
  Game game(New(deal.config, deal.deck.Span()));
  std::vector<std::unique_ptr<Bot>> bots;
  for (int seat = 0; seat < config.players; ++seat) bots.push_back(MakeBot(name));
  Diplomacy pacts;
  for (uint16_t i = 0; game.state.step != Step::Over; ++i) {
    const Seat seat = game.state.seat;
    const View view = ViewOf(game, seat);
    const Decision decision =
        Decide(*bots[seat], view, pacts, CharacterOf(deal.config, seat), kFew, seed + i);
    look(game, pacts, decision);
    if (decision.say) pacts.Say(view, {i, seat, *decision.say});
    const State before = game.state;
    game.Apply(decision.action);
    pacts.Act(before, decision.action, game.state, static_cast<uint16_t>(i + 1));
  }
  return pacts;
}

TEST(Diplomat, SaysLittleAndOnlyWhatMayBeSaid) {
  std::set<TalkKind> kinds;
  for (uint64_t seed = 0; seed < 12; ++seed) {
    const bool teams = seed == 0;
    const auto players = static_cast<uint8_t>(teams ? 4 : 3 + seed % 2);
    std::map<Seat, std::string> last;
    std::set<std::pair<Seat, int>> turns;
    LetTalk({.players = players, .teams = teams}, "level6", seed,
            [&](const Game& game, const Diplomacy& pacts, const Decision& decision) {
              if (!decision.say) return;
              const State& state = game.state;
              kinds.insert(decision.say->kind);
              EXPECT_TRUE(turns.insert({state.seat, state.turn}).second);
              EXPECT_TRUE(pacts.MaySay(state, state.seat, *decision.say,
                                       ThreatsSeen(ViewOf(game, kSpectator))));
              EXPECT_EQ(teams, decision.say->kind == TalkKind::Signal);
              EXPECT_NE(std::exchange(last[state.seat], Said(decision)), Said(decision));
            });
  }
  EXPECT_EQ(kinds.size(), 7u);
}

TEST(Diplomat, DoesNotDependOnWhatItsSeatCannotSee) {
  Random random(1);
  int shown = 0;
  LetTalk(
      {.players = 3}, "level6", 5, [&](const Game& game, const Diplomacy& pacts, const Decision&) {
        if (++shown % 9 != 0) return;
        const Seat seat = game.state.seat;
        const View view = ViewOf(game, seat);
        const std::optional<State> other = Sample(view, random);
        ASSERT_TRUE(other.has_value());
        for (const Character character : kAllCharacters) {
          const Decision one = Decide(*MakeBot("level6"), view, pacts, character, kFew, 1),
                         two = Decide(*MakeBot("level6"), MakeView(*other, game.knowledge, seat),
                                      pacts, character, kFew, 1);
          ASSERT_EQ(one.action, two.action);
          ASSERT_EQ(one.say, two.say);
        }
      });
  EXPECT_GT(shown, 50);
}

TEST(Diplomat, TalksFromTheThirdLevelOn) {
  for (const std::string_view bot : {"level3", "level4", "level8", "master"})
    EXPECT_TRUE(Talks(bot)) << bot;
  for (const std::string_view bot : {"level1", "level2", "random", "greedy", "plain"})
    EXPECT_FALSE(Talks(bot)) << bot;
}

TEST(Restraint, LeavesOutWhatHitsAndNothingElse) {
  Restraint restraint;
  restraint.spared[0] = 0b110;
  PlayGame({.players = 3}, 4, [&](const Game& game) {
    const State& state = game.state;
    if (state.step != Step::Effects) return;
    const ActionSet legal = Legal(state), left = restraint.Left(state, legal);
    for (const Action action : legal)
      ASSERT_EQ(left.Contains(action),
                state.seat != 0 || (!Hits(state, action, 1) && !Hits(state, action, 2)))
          << NameOf(action);
  });
}

// Nor is it a reason to use an effect first after which it could be done.
TEST(Restraint, WhatIsPromisedNotToBeDoneStopsNobody) {
  const State state = Position(3)
                          .Table("M1 M1 M1 M1 M1 E1 E1 E1 U3")
                          .Hand("C2 C1 C1")
                          .Seat(1)
                          .Table("R1 R1 R1 R1 R1 R1")
                          .Hand("R2")
                          .Effects();
  Knowledge knowledge;
  knowledge.known[1][0] = CardsOf("R2");
  const View view = MakeView(state, knowledge, 0);
  Restraint restraint;
  EXPECT_FALSE(Certainty().Stops(view, state, Legal(state), restraint).empty());
  restraint.spared[0] = 0b010;
  const ActionSet left = restraint.Left(state, Legal(state));
  EXPECT_GT(left.Size(), 1);
  EXPECT_TRUE(Certainty().Stops(view, state, left, restraint).empty());
}

// One of two promises is kept first, then the other.
TEST(Restraint, OfTwoThatAreDueOneIsKept) {
  const State state = Position(4)
                          .TurnNumber(9)
                          .Table("M1 E1 U3")
                          .Hand("C2 C1")
                          .Seat(2)
                          .Table("R1 R1 R1 R1 R2 R2")
                          .Seat(3)
                          .Table("S1 S1 S1 S1 S2 S2")
                          .Effects();
  Diplomacy pacts;
  for (const Seat enemy : {2, 3})
    pacts.pacts.push_back({.kind = TalkKind::Together,
                           .seats = {0, 1},
                           .against = enemy,
                           .begun = 7,
                           .last = kOpenEnd});
  ASSERT_EQ(pacts.BrokenBy(state, kEnd).size(), 2u);
  const ActionSet kept = Keeping(pacts, state, Legal(state));
  EXPECT_FALSE(kept.Contains(kEnd));
  for (const char* action : {"embargo 2 R", "embargo 3 S", "democracy 2 R", "democracy 3 S"})
    EXPECT_TRUE(kept.Contains(*ParseAction(action))) << action;
}

TEST(Restraint, HoldsForEveryBotThatTalks) {
  const State state = Tempted("S1 S2 C1 E1 E1", "R1 R1 R1 R2 R2 R2").Effects();
  Restraint restraint;
  restraint.spared[0] = 0b110;
  for (const std::string_view name : BotNames()) {
    if (!Talks(name)) continue;
    const Thought thought = MakeBot(name)->Think(MakeView(state, {}, 0), kFew, 1, restraint);
    EXPECT_FALSE(restraint.Forbids(state, thought.best)) << name;
  }
}

TEST(Talking, AddsUp) {
  Contest contest = {.config = {.players = 3}, .entrants = {}, .seed = 3, .decks = 4};
  contest.entrants = {
      {.name = "faithful",
       .bot = "level6",
       .command = {},
       .iterations = 10,
       .character = Character::Faithful},
      {.name = "usual", .bot = "level6", .command = {}, .iterations = 10},
      {.name = "silent", .bot = "level6", .command = {}, .iterations = 10, .silent = true}};
  contest.pacts = true;
  contest.Arrange();
  const std::atomic<bool> stop = false;
  const std::vector<PlayedGame> games = RunContest(contest, {}, {.threads = 2}, stop).games;
  const Talking talking = TalkingIn(contest, games);
  int pacts = 0, accepted = 0, proposed = 0, seats = 0;
  double wins = 0;
  for (const auto& [who, count] : talking.bots) {
    EXPECT_EQ(count.pacts, count.kept + count.given_up + count.broken);
    if (who.second == "silent") {
      EXPECT_EQ(count.proposed + count.accepted + count.pacts + count.warned, 0);
    }
    pacts += count.pacts;
    accepted += count.accepted;
    proposed += count.proposed;
    seats += count.seats;
    wins += count.wins;
  }
  EXPECT_GT(accepted, 0);
  EXPECT_EQ(pacts, 2 * accepted);
  EXPECT_LE(accepted, proposed);
  EXPECT_EQ(seats, 3 * 12);
  EXPECT_NEAR(wins, 12, 1e-5);
  for (const PlayedGame& game : games) {
    const auto again = FromLine(contest, ToLine(contest, game));
    ASSERT_TRUE(std::holds_alternative<PlayedGame>(again)) << std::get<Failure>(again).reason;
    EXPECT_EQ(PactsOf(std::get<PlayedGame>(again)), PactsOf(game));
  }
  Contest silent = contest;
  silent.pacts = false;
  EXPECT_TRUE(std::holds_alternative<Failure>(FromLine(silent, ToLine(contest, games[0]))));
}

}  // namespace
}  // namespace civ::test
