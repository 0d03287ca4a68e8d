// What holds at every moment of every game. Games come from tests/generate.h; CIV_LONG=1 plays
// fifty times as many.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "civ/notation/json.h"
#include "civ/notation/notation.h"
#include "civ/notation/referee.h"
#include "civ/rules/check.h"
#include "civ/rules/why.h"
#include "civ/view/sample.h"
#include "tests/census.h"
#include "tests/generate.h"
#include "tests/plain.h"
#include "tests/support.h"

namespace civ::test {
namespace {

using At = std::function<void(const Game&)>;
using OnStep = std::function<void(const Game&, Action, const Game&)>;

// Shows positions and steps until the first that fails.
struct Checker : Watcher {
  Checker(const At& at, const OnStep& step) : at(at), step(step) {}
  const At& at;
  const OnStep& step;
  void Show(const Game& game) {
    if (at && !testing::Test::HasFailure()) at(game);
    if (testing::Test::HasFailure() && !reported) {
      ADD_FAILURE() << ToJson(game.state).dump();
      reported = true;
    }
  }
  void Begin(const Game& game) override { Show(game); }
  void Step(const Game& before, Action action, const Game& after) override {
    if (step && !testing::Test::HasFailure()) {
      step(before, action, after);
      if (testing::Test::HasFailure())
        ADD_FAILURE() << NameOf(action) << " in " << ToJson(before.state).dump();
    }
    Show(after);
  }

 private:
  bool reported = false;
};

void InAllGames(const At& at, const OnStep& step = {}) {
  ForEachStart(Times(), [&](const Start& start) {
    if (testing::Test::HasFailure()) return;
    SCOPED_TRACE(start.name);
    Checker checker(at, step);
    PlayOut(start, checker);
  });
}

// True for one call in `n`, always for the same ones.
class Now {
 public:
  explicit Now(int n) : n_(n) {}
  bool operator()() { return ++calls_ % n_ == 0; }

 private:
  int n_, calls_ = 0;
};

Cards AllCards(const State& state) {
  Cards all = state.discard + Cards(state.centre) + Cards(Kind::U3, state.democracy_count);
  for (Seat seat = 0; seat < kMaxSeats; ++seat)
    all += state.hands[seat] + state.tables[seat] + Cards(state.packs[seat]);
  for (int i = 0; i < state.deck_size; ++i) all += Cards(state.DeckCard(i));
  for (int i = 0; i < state.embargo_count; ++i) all += Cards(state.embargoes[i].card);
  return all;
}

std::vector<Seat> Observers(const State& state) {
  std::vector<Seat> observers = {kSpectator};
  for (Seat seat = 0; seat < state.config.players; ++seat) observers.push_back(seat);
  return observers;
}

bool Within(Cards part, Cards whole) {
  for (int k = 0; k < kKinds; ++k)
    if (part[static_cast<Kind>(k)] > whole[static_cast<Kind>(k)]) return false;
  return true;
}

TEST(Properties, EverythingOccurs) {
  Census census;
  ForEachStart(Times(), [&](const Start& start) { PlayOut(start, census); });
  for (const std::string& what : census.Missing()) ADD_FAILURE() << "never occurred: " << what;
}

TEST(Properties, LegalIsWhatTheRulesSay) {
  InAllGames([](const Game& game) {
    const State& state = game.state;
    const ActionSet legal = Legal(state);
    int count = 0;
    for (const Action action : AllActions()) {
      const bool may = MayPlainly(state, action);
      count += may;
      EXPECT_EQ(legal.Contains(action), may) << NameOf(action);
      EXPECT_EQ(WhyNot(state, action).why == Why::Legal, may) << NameOf(action);
    }
    EXPECT_EQ(legal.Size(), count);
    EXPECT_EQ(legal.Empty(), state.step == Step::Over);
  });
}

TEST(Properties, EveryActionIsWrittenInItsOwnWay) {
  std::set<std::string> names;
  std::set<Action> actions;
  for (const Action action : AllActions()) {
    EXPECT_EQ(ParseAction(NameOf(action)), action);
    names.insert(NameOf(action));
    actions.insert(action);
  }
  EXPECT_EQ(AllActions().size(), 183u);
  EXPECT_EQ(names.size(), 183u);
  EXPECT_EQ(actions.size(), 183u);
}

TEST(Properties, ActionSetsAreListsOfTheirMembers) {
  InAllGames([](const Game& game) {
    const ActionSet legal = Legal(game.state);
    std::vector<Action> members, listed;
    for (unsigned code = 0; code < 256; ++code) {
      const Action action{static_cast<uint8_t>(code)};
      if (legal.Contains(action)) members.push_back(action);
      EXPECT_EQ(legal.Bits()[code / 64] >> code % 64 & 1, legal.Contains(action)) << code;
    }
    for (const Action action : legal) listed.push_back(action);
    EXPECT_EQ(listed, members);
    EXPECT_EQ(legal.Size(), static_cast<int>(members.size()));
    for (size_t i = 0; i < members.size(); ++i) EXPECT_EQ(legal[static_cast<int>(i)], members[i]);
  });
}

TEST(Properties, ApplyDoesWhatTheRulesSay) {
  InAllGames({}, [](const Game& before, Action action, const Game& after) {
    EXPECT_EQ(Difference(ApplyPlainly(before.state, action), after.state), "");
    if (after.state.step == Step::Over) {
      EXPECT_EQ(Result(after.state), ResultPlainly(after.state));
    }
  });
}

// Not only the action that was chosen.
TEST(Properties, EveryLegalActionDoesWhatTheRulesSay) {
  InAllGames([now = Now(7)](const Game& game) mutable {
    if (!now()) return;
    for (const Action action : Legal(game.state)) {
      State next = game.state;
      Apply(next, action);
      EXPECT_EQ(Difference(ApplyPlainly(game.state, action), next), "") << NameOf(action);
      EXPECT_EQ(WrongDerived(next), "") << NameOf(action);
      EXPECT_EQ(Check(next), Fault::None) << NameOf(action);
    }
  });
}

TEST(Properties, DerivedFieldsAreUpToDate) {
  InAllGames([](const Game& game) { EXPECT_EQ(WrongDerived(game.state), ""); });
}

TEST(Properties, CardsAreConserved) {
  InAllGames({}, [](const Game& before, Action, const Game& after) {
    EXPECT_EQ(AllCards(after.state), AllCards(before.state));
  });
}

TEST(Properties, EveryStateIsPossible) {
  InAllGames([](const Game& game) { EXPECT_EQ(Check(game.state), Fault::None); });
}

// Ruling 11 bounds every game: each card of the deck can be waited for at most 20 rounds.
TEST(Properties, EveryGameEnds) {
  ForEachStart(Times(), [](const Start& start) {
    SCOPED_TRACE(start.name);
    const int players = start.state.config.players;
    struct Last : Watcher {
      State state{};
      void Begin(const Game& game) override { state = game.state; }
      void Step(const Game& before, Action, const Game& after) override {
        EXPECT_LE(before.state.last_draw, before.state.turn);
        EXPECT_LE(before.state.turn, after.state.turn);
        EXPECT_LE(after.state.turn, before.state.turn + 1);
        state = after.state;
      }
    } last;
    PlayOut(start, last);
    ASSERT_EQ(last.state.step, Step::Over);
    EXPECT_EQ(last.state.seat, kNone);
    EXPECT_LE(last.state.turn - start.state.turn, (start.state.deck_size + 1) * 21 * players);
  });
}

TEST(Properties, MajorityCanBeCountedAtAnyTime) {
  InAllGames([](const Game& game) {
    EXPECT_EQ(Majority(game.state), MajorityPlainly(game.state).outcome);
    if (game.state.turn == 0) return;
    EXPECT_EQ(TurnOf(game.state),
              (game.state.config.first + game.state.turn - 1) % game.state.config.players);
    for (Seat seat = 0; seat < game.state.config.players; ++seat)
      for (int d = 0; d < kDomains; ++d)
        EXPECT_EQ(HegemonyNeed(game.state, seat, static_cast<Domain>(d)),
                  HegemonyNeedPlainly(game.state, seat, static_cast<Domain>(d)));
  });
}

// --- Text ----------------------------------------------------------------------------------------

TEST(Properties, PrintedStatesLoadAgain) {
  InAllGames([now = Now(13)](const Game& game) mutable {
    if (!now() && game.state.step != Step::Over) return;
    const Json json = ToJson(game.state);
    const Expected<Json> parsed = ParseJson(json.dump());
    ASSERT_TRUE(parsed);
    const Expected<State> loaded = StateFromJson(*parsed);
    ASSERT_TRUE(loaded) << loaded.error().key;
    EXPECT_EQ(Difference(*loaded, game.state), "");
    EXPECT_EQ(WrongDerived(*loaded), "");
    EXPECT_EQ(ToJson(*loaded), json);
    EXPECT_EQ(Legal(*loaded), Legal(game.state));
  });
}

TEST(Properties, PrintedViewsLoadAgain) {
  InAllGames([now = Now(29)](const Game& game) mutable {
    if (!now()) return;
    for (const Seat observer : Observers(game.state)) {
      const View view = MakeView(game.state, game.knowledge, observer);
      const Json json = ToJson(view);
      const Expected<View> loaded = ViewFromJson(json);
      ASSERT_TRUE(loaded) << loaded.error().key << " " << json.dump();
      EXPECT_EQ(Difference(*loaded, view), "");
      EXPECT_EQ(ToJson(*loaded), json);
      if (observer == game.state.seat) {
        EXPECT_EQ(Legal(*loaded), Legal(game.state));
      }
    }
  });
}

Json EverythingShown(Referee& referee, const State& state) {
  Json shown = Json::array();
  shown.push_back(Ask(referee, {{"cmd", "perft"}, {"depth", 1}}));
  shown.push_back(Ask(referee, {{"cmd", "view"}, {"seat", nullptr}}));
  for (int seat = 0; seat < state.config.players; ++seat)
    shown.push_back(Ask(referee, {{"cmd", "view"}, {"seat", seat}}));
  return shown;
}

TEST(Properties, TheRefereeAcceptsWhatIsLegalAndNothingElse) {
  InAllGames([now = Now(499)](const Game& game) mutable {
    if (!now()) return;
    Referee referee = NewReferee();
    const Json load = {{"cmd", "load"}, {"state", ToJson(game.state)}};
    const Json position = Ask(referee, load);
    ASSERT_EQ(position["ok"], true);
    EXPECT_EQ(position["state"], load["state"]);
    const Json shown = EverythingShown(referee, game.state);
    const std::set<std::string> legal(position["legal"].begin(), position["legal"].end());
    for (const Action action : AllActions()) {
      const Json request = {{"cmd", "apply"}, {"action", NameOf(action)}};
      const bool may = MayPlainly(game.state, action);
      EXPECT_EQ(legal.contains(NameOf(action)), may) << NameOf(action);
      if (!may) {
        const Json answer = Ask(referee, request);
        EXPECT_EQ(answer["ok"], false) << NameOf(action);
        EXPECT_EQ(answer.size(), 2u);
        EXPECT_TRUE(answer["error"].get<std::string>().starts_with("why.")) << answer;
        continue;
      }
      Referee other = NewReferee();
      Ask(other, load);
      const Json answer = Ask(other, request);
      ASSERT_EQ(answer["ok"], true) << NameOf(action);
      State next = game.state;
      Apply(next, action);
      EXPECT_EQ(answer["state"], ToJson(next));
    }
    EXPECT_EQ(EverythingShown(referee, game.state), shown) << "a refused request changed something";
  });
}

// --- What seats see ------------------------------------------------------------------------------

void ExpectBacks(const Holding& holding, Cards cards) {
  for (const Age age : {Age::I, Age::II, Age::III}) {
    int backs = 0;
    for (int k = 0; k < kKinds; ++k)
      backs += AgeOf(static_cast<Kind>(k)) == age ? cards[static_cast<Kind>(k)] : 0;
    EXPECT_EQ(holding.backs[static_cast<size_t>(age) - 1], backs);
  }
}

// Everything public as it is, hidden cards by their backs, and what is known by the words of
// section 10.
TEST(Properties, ViewsShowWhatTheyShould) {
  PlainKnowledge knowledge;
  const OnStep learn = [&](const Game& before, Action action, const Game&) {
    knowledge.Observe(before.state, action);
  };
  const At check = [&](const Game& game) {
    const State& state = game.state;
    for (const Seat observer : Observers(state)) {
      SCOPED_TRACE(int{observer});
      const View view = MakeView(state, game.knowledge, observer);
      Public shown = state;
      if (state.choice.verb == Verb::Give && observer != state.seat) shown.choice.from = kNone;
      EXPECT_EQ(Difference(static_cast<const Public&>(view), shown), "");
      EXPECT_EQ(WrongDerived(view), "");
      EXPECT_EQ(view.viewer, observer);
      EXPECT_EQ(view.deck_top, state.deck_size == 0
                                   ? 0
                                   : static_cast<int>(AgeOf(state.DeckCard(state.deck_size - 1))));
      for (Seat seat = 0; seat < state.config.players; ++seat) {
        ExpectBacks(view.hands[seat], state.hands[seat]);
        ExpectBacks(view.packs[seat], state.packs[seat]);
        EXPECT_EQ(view.hands[seat].cards,
                  seat == observer ? state.hands[seat] : knowledge.known[seat][observer]);
        EXPECT_EQ(view.packs[seat].cards, seat == observer ? Cards(state.packs[seat]) : Cards());
      }
    }
  };
  ForEachStart(Times(), [&](const Start& start) {
    if (HasFailure()) return;
    SCOPED_TRACE(start.name);
    knowledge = {};
    Checker checker(check, learn);
    PlayOut(start, checker);
  });
}

TEST(Properties, WhatIsKnownIsTrue) {
  InAllGames([](const Game& game) {
    for (Seat seat = 0; seat < game.state.config.players; ++seat)
      for (const Seat observer : Observers(game.state))
        if (observer == seat)
          EXPECT_TRUE(game.knowledge.known[seat][observer].Empty());
        else
          EXPECT_TRUE(Within(game.knowledge.known[seat][observer], game.state.hands[seat]))
              << int{seat} << " by " << int{observer};
  });
}

// Redealing what a seat cannot see changes neither its view nor, if it decides, what it may do.
TEST(Properties, HiddenCardsDoNotMatter) {
  Random random(1);
  InAllGames([&, now = Now(2)](const Game& game) mutable {
    if (!now()) return;
    for (const Seat observer : Observers(game.state)) {
      SCOPED_TRACE(int{observer});
      const View view = MakeView(game.state, game.knowledge, observer);
      const std::optional<State> redealt = Sample(view, random);
      ASSERT_TRUE(redealt);
      EXPECT_EQ(Check(*redealt), Fault::None);
      EXPECT_EQ(WrongDerived(*redealt), "");
      for (Seat seat = 0; seat < game.state.config.players; ++seat)
        ASSERT_TRUE(Within(view.hands[seat].cards, redealt->hands[seat]));
      EXPECT_EQ(Difference(MakeView(*redealt, game.knowledge, observer), view), "");
      if (observer == game.state.seat || game.state.step == Step::Over) {
        EXPECT_EQ(Legal(*redealt), Legal(game.state));
        EXPECT_EQ(Legal(view), Legal(game.state));
      }
    }
  });
}

bool IsHidden(const State& state, Action action) {
  return action.NamesCard() && (action.verb() == Verb::Keep || action.verb() == Verb::Give) &&
         state.step != Step::Play;
}

// Which card was kept or given shows in nothing that others see but its back.
TEST(Properties, HiddenActionsLookAlike) {
  InAllGames([](const Game& game) {
    const State& state = game.state;
    const ActionSet legal = Legal(state);
    if (legal.Size() < 2 || !IsHidden(state, legal[0])) return;
    for (const Seat observer : Observers(state)) {
      if (observer == state.seat || (state.step == Step::Choose && observer == state.choice.target))
        continue;
      std::map<Age, std::pair<View, std::string>> seen;
      for (const Action action : legal) {
        Game next = game;
        next.Apply(action);
        const bool revealed = next.state.step == Step::Claim ||
                              Cards(next.state.packs[0]).Count() > Cards(state.packs[0]).Count();
        if (state.step == Step::Draft && (revealed || next.state.seat == state.config.first))
          return;  // packs go round: others see new ones
        const View view = MakeView(next.state, next.knowledge, observer);
        const std::string name = NameFor(state, action, observer);
        EXPECT_EQ(name, std::string(NameOf(action.verb())) + " ?" +
                            std::to_string(static_cast<int>(AgeOf(action.kind()))));
        const auto [same, is_new] = seen.try_emplace(AgeOf(action.kind()), view, name);
        EXPECT_EQ(Difference(view, same->second.first), "");
      }
    }
  });
}

TEST(Properties, OtherActionsAreNamedInFull) {
  InAllGames({}, [](const Game& before, Action action, const Game&) {
    for (const Seat observer : Observers(before.state)) {
      const bool insider =
          observer == before.state.seat ||
          (before.state.step == Step::Choose && observer == before.state.choice.target);
      if (insider || !IsHidden(before.state, action)) {
        EXPECT_EQ(NameFor(before.state, action, observer), NameOf(action));
      }
    }
  });
}

// A game that goes on from a bare state has forgotten what was known; what can be seen is still
// enough to decide from.
TEST(Properties, ViewsOfALoadedStateAreViews) {
  InAllGames([now = Now(3)](const Game& game) mutable {
    if (game.state.step != Step::Choose || !now()) return;
    for (const Seat observer : Observers(game.state)) {
      const View view = MakeView(game.state, Knowledge{}, observer);
      const Expected<View> loaded = ViewFromJson(ToJson(view));
      ASSERT_TRUE(loaded) << loaded.error().key << ToJson(view).dump();
      if (observer == game.state.seat) {
        EXPECT_EQ(Legal(*loaded), Legal(game.state));
      }
    }
  });
}

}  // namespace
}  // namespace civ::test
