// What a table shows and tells: it agrees with the rules, and hides what is hidden.
#include "civ/guide/guide.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "civ/guide/json.h"
#include "civ/guide/look.h"
#include "civ/guide/offer.h"
#include "civ/notation/notation.h"
#include "civ/view/sample.h"
#include "tests/generate.h"
#include "tests/support.h"

namespace civ::test {
namespace {

// The name of the effect that an action uses, as the guide has it.
std::string EffectOf(Action action) {
  return action.IsCopy() ? "inspiration" : std::string(NameOf(action.effect()));
}

TEST(Guide, EffectsAreReadyExactlyIfTheyAreLegal) {
  std::map<Use, int> seen;
  ForPositions(23, [&](const Game& game) {
    const State& state = game.state;
    for (Seat seat = 0; seat < state.config.players; ++seat) {
      const Guide guide = MakeGuide(ViewOf(game, seat));
      const bool decides = seat == state.seat;
      std::set<std::string> legal;
      if (decides && state.step == Step::Effects)
        for (const Action action : Legal(state))
          if (action != kEnd) legal.insert(EffectOf(action));
      ASSERT_EQ(guide.effects.size(), 16u);
      for (const Guide::EffectNote& note : guide.effects) {
        EXPECT_EQ(note.use == Use::Ready, legal.contains(std::string(note.name))) << note.name;
        const bool usable = note.use == Use::Ready || note.use == Use::Waiting;
        EXPECT_EQ(note.why.has_value(), !usable && state.step != Step::Over) << note.name;
        ++seen[note.use];
      }
      EXPECT_EQ(guide.legal.size(), decides ? static_cast<size_t>(Legal(state).Size()) : 0u);
      EXPECT_EQ(guide.offers.size(), guide.legal.size());
      EXPECT_EQ(guide.ask.has_value(), decides);
    }
  });
  EXPECT_EQ(seen.size(), 5u);
}

TEST(Guide, EffectsWaitForTheirStep) {
  const auto use = [](const State& state, Seat seat, std::string_view name) {
    for (const Guide::EffectNote& note : MakeGuide(MakeView(state, {}, seat)).effects)
      if (note.name == name) return note;
    return Guide::EffectNote{};
  };
  const Position position =
      Position(3).Seat(0).Table("M1 M1 M1").Hand("R1").Seat(1).Table("M1 M1 C1 C1").Hand("R1 R1");
  EXPECT_EQ(use(position.Play(), 0, "assassination").use, Use::Waiting);
  EXPECT_EQ(use(position.Effects(), 0, "assassination").use, Use::Ready);
  EXPECT_EQ(use(position.Effects(), 1, "assassination").why,
            (Message{"short.needs-cards", {{"number", 1}, {"domain", Domain::Military}}}));
  EXPECT_EQ(use(position.Effects(), 0, "purge").use, Use::NotYet);
  EXPECT_EQ(use(position.Effects(), 0, "embargo").why,
            (Message{"short.no-card", {{"domain", Domain::Economy}}}));
  EXPECT_EQ(use(position.Effects(), 0, "inspiration").why,
            (Message{"short.no-culture-lead",
                     {{"name", Who{1}}, {"count", 2}, {"domain", Domain::Culture}}}));
  EXPECT_EQ(use(position.Effects(), 1, "inspiration").use,
            Use::Waiting);  // it could copy Assassination
  State state = position.Effects();
  Do(state, "assassination, discard R1");
  EXPECT_EQ(use(state, 0, "assassination").use, Use::Used);
  EXPECT_EQ(use(state, 0, "attack").use, Use::Ready);
  EXPECT_EQ(use(Position(2).Seat(0).Table("M1").Hand("R1").Effects(), 0, "attack").why,
            (Message{"short.nothing-to-attack", {}}));
  EXPECT_EQ(use(Position(2).Seat(0).Table("E1").Hand("R1").Effects(), 0, "embargo").why,
            (Message{"short.nothing-there", {}}));
}

TEST(Guide, NamesWhatAnEmbargoForbids) {
  const State state = Position(2).Seat(0).Table("M1 M1").Hand("M1 M2 R1").Embargo(0, "M").Play();
  const Guide guide = MakeGuide(MakeView(state, {}, 0));
  ASSERT_EQ(guide.unplayable.size(), 2u);
  EXPECT_EQ(guide.unplayable[1],
            (std::pair{Kind::M2, Message{"short.embargoed", {{"names", Group{0b10}}}}}));
}

// Any complete set of what may be chosen can be named, in card order.
TEST(Guide, EverySetOfWhatMayBeChosenIsLegal) {
  Random random(1);
  std::map<std::pair<Verb, bool>, int> seen;
  ForPositions(3, [&](const Game& game) {
    if (game.state.step != Step::Choose) return;
    const Verb verb = game.state.choice.verb;
    const std::optional<Guide::Choose> choose = MakeGuide(ViewOf(game, game.state.seat)).choose;
    ASSERT_TRUE(choose);
    ASSERT_EQ(choose->left, game.state.choice.left);
    ASSERT_GE(static_cast<int>(choose->cards.size()), choose->left);
    std::vector<size_t> places(choose->cards.size());
    for (size_t i = 0; i < places.size(); ++i) places[i] = i;
    random.Shuffle(std::span(places));
    places.resize(static_cast<size_t>(choose->left));
    std::ranges::sort(places);
    State state = game.state;
    for (const size_t place : places) {
      const std::string name = std::string(NameOf(verb)) + ' ' + std::string(choose->cards[place]);
      const std::optional<Action> action = ParseAction(name);
      ASSERT_TRUE(action && Legal(state).Contains(*action)) << name;
      Apply(state, *action);
    }
    std::set<std::string_view> kinds(choose->cards.begin(), choose->cards.end());
    for (const Action action : Legal(game.state))
      EXPECT_TRUE(kinds.contains(NameOf(action).substr(NameOf(action).find(' ') + 1)));
    ++seen[{verb, game.state.choice.from != kNone}];
  });
  for (const Verb verb :
       {Verb::Discard, Verb::Take, Verb::Remove, Verb::Recover, Verb::Give, Verb::Play}) {
    const int first = seen[{verb, false}], later = seen[{verb, true}];
    EXPECT_GT(first, 0) << NameOf(verb);
    EXPECT_GT(later, 0) << NameOf(verb);
  }
}

TEST(Guide, LooksAheadAsItReallyHappens) {
  int told = 0, revealed = 0;
  ForPositions(97, [&](const Game& game) {
    if (game.state.step == Step::Over) return;
    const Seat seat = game.state.seat;
    const View view = ViewOf(game, seat);
    const Guide guide = MakeGuide(view);
    for (const Action action : Legal(game.state)) {
      const Expected<Preview> ahead = LookAhead(view, {NameOf(action)});
      ASSERT_TRUE(ahead) << NameOf(action);
      const bool reveals = std::ranges::find(guide.reveals, action) != guide.reveals.end();
      ASSERT_EQ(ahead->view.has_value(), !reveals) << NameOf(action);
      ++(reveals ? revealed : told);
      if (reveals) continue;
      Game after = game;
      after.Apply(action);
      EXPECT_EQ(ToJson(*ahead->view).dump(), ToJson(ViewOf(after, seat)).dump()) << NameOf(action);
    }
  });
  EXPECT_GT(told, 1000);
  EXPECT_GT(revealed, 100);
}

TEST(Guide, LooksAheadAtOwnActionsOnly) {
  const State state = Position(2)
                          .Seat(0)
                          .Table("E1 E1 E1 M1")
                          .Hand("R1 R1")
                          .Seat(1)
                          .Table("M1")
                          .Hand("M1")
                          .Effects();
  const View view = MakeView(state, {}, 0);
  const auto ahead = LookAhead(view, {"development", "discard M", "play R1"});
  ASSERT_TRUE(ahead && ahead->view);
  EXPECT_EQ(Text(ahead->view->tables[0]), "R1 E1 E1 E1");
  EXPECT_EQ(LookAhead(view, {"development", "end"}).error().key, "why.verb");
  EXPECT_EQ(LookAhead(view, {"purge"}).error().key, "why.needs-cards");
  EXPECT_EQ(LookAhead(view, {"fly"}).error().key, "error.action");
  EXPECT_EQ(LookAhead(MakeView(state, {}, 1), {"end"}).error().key, "error.view.not-deciding");
  EXPECT_FALSE(LookAhead(view, {"end", "play M1"})->view);
  EXPECT_TRUE(LookAhead(MakeView(state, {}, 1), {})->view);
}

// The draw at the end of this turn takes the last card, or leaves it.
TEST(Guide, KnowsTheLastTurn) {
  const auto last_turn = [](const char* hand) {
    const State state = Position(3).First(0).Turn(2).Deck("U3").Seat(2).Hand(hand).Effects();
    return MakeGuide(MakeView(state, {}, 0)).last_turn;
  };
  EXPECT_TRUE(last_turn("M1 M1"));
  EXPECT_FALSE(last_turn("M1 M1 M1"));
}

TEST(Guide, KnowsWhetherTheEndOfTheTurnWins) {
  const Position almost = Position(3).Seat(0).Table("M1 M1 M1 M1 M1 M1").Hand("M1 R1");
  const auto wins = [](const State& state, Seat viewer) {
    return MakeGuide(MakeView(state, {}, viewer)).wins;
  };
  State state = Position(almost).Play();
  EXPECT_FALSE(wins(state, 0));
  Do(state, "play M1");
  EXPECT_TRUE(wins(state, 0));
  EXPECT_FALSE(wins(state, 1));  // who does not decide
  Do(state, "end");
  EXPECT_FALSE(wins(state, 0));
  state = Position(almost).Play();
  Do(state, "play R1");
  EXPECT_FALSE(wins(state, 0));
}

// --- Threats, and what can be done about them ----------------------------------------------------

// Whatever is said to stop a threat does, in the game as it really is.
TEST(Guide, WhatStopsAThreatStopsIt) {
  std::map<std::string, int> seen;
  int later = 0, weakened = 0, with_card = 0;
  ForPositions(11, [&](const Game& game) {
    if (game.state.step == Step::Over) return;
    for (Seat viewer = 0; viewer < game.state.config.players; ++viewer) {
      const Guide guide = MakeGuide(ViewOf(game, viewer));
      for (Seat seat = 0; seat < game.state.config.players; ++seat) {
        if (!guide.threats[seat]) continue;
        EXPECT_FALSE(guide.threats[seat]->how.empty());
        for (const Guide::Stop& stop : guide.threats[seat]->stops) {
          EXPECT_NE(viewer, seat);
          later += !stop.now;
          weakened += stop.left != 0;
          with_card += !stop.then.empty() && !stop.then[0].NamesCard();
          if (!stop.now) continue;
          Game after = game;
          ASSERT_TRUE(Legal(after.state).Contains(stop.action)) << NameOf(stop.action);
          after.Apply(stop.action);
          for (const Action action : stop.then) {
            ASSERT_TRUE(Legal(after.state).Contains(action)) << NameOf(action);
            after.Apply(action);
          }
          EXPECT_NE(after.state.step, Step::Choose) << NameOf(stop.action);
          const std::optional<Threat> still = ThreatOf(ViewOf(after, viewer), seat);
          if (stop.left == 0) {
            EXPECT_FALSE(still) << NameOf(stop.action);
          } else {
            EXPECT_TRUE(!still || !still->proven) << NameOf(stop.action);
          }
          const std::string name = NameOf(stop.action);
          ++seen[name.substr(0, name.find(' '))];
        }
      }
    }
  });
  for (const char* verb : {"embargo", "democracy", "attack", "inquisition"})
    EXPECT_GT(seen[verb], 0) << verb;
  EXPECT_GT(later, 100);
  EXPECT_GT(weakened, 0);
  EXPECT_GT(with_card, 0) << "played first, for an effect that stops it";
}

std::set<std::string> StopsOf(const State& state, Seat viewer, Seat threat) {
  std::set<std::string> stops;
  const Guide guide = MakeGuide(MakeView(state, {}, viewer));
  if (!guide.threats[threat]) return {"no threat"};
  for (const Guide::Stop& stop : guide.threats[threat]->stops) {
    std::string text = NameOf(stop.action);
    for (const Action action : stop.then) text += ", " + NameOf(action);
    stops.insert(text);
  }
  return stops;
}

// Effects that ask for cards stop a threat with the right ones: the card that would be picked up,
// the Culture that lets copy, the column that would be copied.
TEST(Guide, StopsThatAskForCards) {
  const auto position = [](const char* own, const char* hand, const char* discard) {
    return Position(3)
        .Discard(discard)
        .Seat(0)
        .Table(own)
        .Hand(hand)
        .Seat(1)
        .Table("R1 R1 R1 R1 R2 R2 U3 U3 U3")
        .Effects();
  };
  // Seat 1 has no hand: only with a Religion card from the discard pile can it win, and cannot play
  // two cards.
  EXPECT_EQ(StopsOf(position("M1", "", "R2"), 0, 1), (std::set<std::string>{"no threat"}));
  const auto with_play = [](const char* own, const char* hand, const char* discard) {
    return Position(3)
        .Discard(discard)
        .Seat(0)
        .Table(own)
        .Hand(hand)
        .Seat(1)
        .Table("R1 R1 R1 R1 R2 R2 U3 U3 U3 E1 E1 E1 M1")
        .Effects();
  };
  EXPECT_EQ(StopsOf(with_play("U3 U3 U3", "", "R2 M1"), 0, 1),
            (std::set<std::string>{"democracy 1 R", "oligarchy, recover R2"}));
  EXPECT_EQ(StopsOf(with_play("U3 U3 U3", "", "R2 R2 M1"), 0, 1),
            (std::set<std::string>{"democracy 1 R"}));
}

// Of one's own cards those are given back that do not help: three Science would, two do not.
TEST(Guide, AnInquisitionGivesBackWhatHelpsLeast) {
  const State state = Position(3)
                          .Seat(0)
                          .Table("R1 R1 S2 S2")
                          .Hand("R2 S2 S2 S2 C2 C2")
                          .Seat(1)
                          .Table("S1 S1 S2 S2 R1 R1 M1 M1")
                          .Hand("R1 M1 M2 E2 E2")
                          .Effects();
  const std::set<std::string> stops = StopsOf(state, 0, 1);
  EXPECT_TRUE(stops.contains("inquisition 1, give R2, give S2, give S2, give C2, give C2"))
      << testing::PrintToString(stops);
}

TEST(Guide, TellsHowAThreatWins) {
  const State state = Position(3)
                          .Seat(0)
                          .Table("E1 E1 U3 M1 M1")
                          .Hand("M1")
                          .Seat(1)
                          .Table("R1 R1 R1 R2 R2 R2")
                          .Hand("R2 M1")
                          .Effects();
  const Guide guide = MakeGuide(MakeView(state, {}, 0));
  ASSERT_TRUE(guide.threats[1]);
  EXPECT_FALSE(guide.threats[1]->proven);
  EXPECT_EQ(
      guide.threats[1]->how,
      (Messages{{"threat.play", {{"count", 1}, {"domain", Domain::Religion}, {"known", "no"}}}}));
  std::set<std::string> stops;
  for (const Guide::Stop& stop : guide.threats[1]->stops) stops.insert(NameOf(stop.action));
  EXPECT_EQ(stops, (std::set<std::string>{"embargo 1 R", "democracy 1 R"}));
  const Guide own = MakeGuide(MakeView(state, {}, 1));
  EXPECT_TRUE(own.threats[1]->proven);
  EXPECT_EQ(
      own.threats[1]->how,
      (Messages{{"threat.play", {{"count", 1}, {"domain", Domain::Religion}, {"known", "yes"}}}}));
  EXPECT_TRUE(own.threats[1]->stops.empty());
}

// Other players' effects are told as they see them themselves.
TEST(Guide, EffectsOfOthersAreAsTheyAreToThem) {
  ForPositions(151, [&](const Game& game) {
    for (Seat seat = 0; seat < game.state.config.players; ++seat) {
      const std::vector<Guide::EffectNote> own = MakeGuide(ViewOf(game, seat)).effects;
      for (Seat viewer = 0; viewer <= kSpectator; ++viewer) {
        if (viewer >= game.state.config.players && viewer != kSpectator) continue;
        const Guide guide = MakeGuide(ViewOf(game, viewer));
        ASSERT_EQ(guide.effects_of[seat].size(), own.size());
        for (size_t i = 0; i < own.size(); ++i) {
          EXPECT_EQ(guide.effects_of[seat][i].use, own[i].use) << own[i].name;
          EXPECT_EQ(guide.effects_of[seat][i].why, own[i].why) << own[i].name;
        }
      }
    }
  });
}

// Played on with nothing but what must be done, a game lasts as many turns as were announced.
TEST(Guide, CountsTheTurnsThatAreLeft) {
  int counted = 0;
  ForPositions(101, [&](const Game& game) {
    if (game.state.turn == 0 || game.state.step == Step::Over || game.state.embargo_count > 0)
      return;
    State state = game.state;
    const Seat viewer = state.config.first;
    const Guide::Turns said = MakeGuide(ViewOf(game, viewer)).turns;
    Guide::Turns turns{1, TurnOf(state) == viewer};
    for (int turn = state.turn; state.step != Step::Over;) {
      const ActionSet legal = Legal(state);
      Apply(state, legal.Contains(kEnd) ? kEnd : *legal.begin());
      if (state.step == Step::Over || state.turn == turn) continue;
      turn = state.turn;
      ++turns.all;
      turns.own += TurnOf(state) == viewer;
    }
    if (Result(state).hegemony || state.deck_size > 0) return;
    ++counted;
    EXPECT_EQ(said.all, turns.all);
    EXPECT_EQ(said.own, turns.own);
  });
  EXPECT_GT(counted, 20);
}

// Hidden cards that lie otherwise change nothing that is said.
TEST(Guide, SaysNothingOfWhatIsHidden) {
  Random random(3);
  ForPositions(89, [&](const Game& game) {
    for (Seat viewer = 0; viewer < game.state.config.players; ++viewer) {
      const auto said = [&](const View& view) {
        JsonText text;
        Put(text, MakeGuide(view), view.config);
        return text.text();
      };
      const View view = ViewOf(game, viewer);
      const std::optional<State> other = Sample(view, random);
      ASSERT_TRUE(other);
      EXPECT_EQ(said(view), said(MakeView(*other, game.knowledge, viewer)));
    }
  });
}

// --- Looking at records --------------------------------------------------------------------------

struct Recorded {
  Record record;
  std::vector<State> states;
};

Recorded PlayRecorded(Config config, uint64_t seed, Style often = Style::EffectHappy) {
  const Deal deal = DealFromSeed(config, seed);
  Recorded game;
  game.record.config = deal.config;
  game.record.deck.assign(deal.deck.Span().begin(), deal.deck.Span().end());
  game.states = {New(deal.config, deal.deck.Span())};
  Random random(seed);
  while (game.states.back().step != Step::Over) {
    State next = game.states.back();
    const Action action =
        Choose(random.Below(2) == 0 ? often : Style::Builder, next, Legal(next), random);
    Apply(next, action);
    game.record.actions.push_back(action);
    game.states.push_back(next);
  }
  return game;
}

bool HasStep(const State& state) { return state.step == Step::Play || state.step == Step::Effects; }

TEST(Look, TakesBackWithinTheTurnAndNotPastWhatWasRevealed) {
  uint64_t seed = 0;
  int back = 0, none = 0;
  for (const Config& config : AllConfigs()) {
    const auto [record, states] = PlayRecorded(config, ++seed);
    for (size_t at = 0; at <= record.actions.size(); at += 1 + at % 5) {
      const Look look = LookAt(
          record, at, at, {states[at].seat == kNone ? kSpectator : states[at].seat, true, false});
      // The nearest moment at which a step had begun, and whether the way there is free.
      size_t to = at;
      bool free = at > 0;
      while (free) {
        --to;
        const View before = MakeView(states[to], {}, states[to].seat);
        free = states[to].seat == states[at].seat && states[to].turn == states[at].turn &&
               !Reveals(before, record.actions[to]);
        if (HasStep(states[to])) break;
        free &= to > 0;
      }
      EXPECT_EQ(look.back, free ? std::optional(to) : std::nullopt) << at;
      ++(look.back ? back : none);
    }
  }
  EXPECT_GT(back, 500);
  EXPECT_GT(none, 500);
}

TEST(Look, TakesBackAWholeEffectAtOnce) {
  Record record;
  record.config = {.players = 2};
  record.deck = DeckFrom(2, "M1 M1 M1 E1 E1 E1 R1 R1 M1 M1 M1");
  const auto look = [&](std::initializer_list<const char*> actions) {
    record.actions.clear();
    for (const char* action : actions) record.actions.push_back(*ParseAction(action));
    return LookAt(record, record.actions.size(), 0, {}).back;
  };
  EXPECT_EQ(look({}), std::nullopt);
  EXPECT_EQ(look({"play M1"}), 0u);
  EXPECT_EQ(look({"play M1", "end"}), std::nullopt);
  EXPECT_EQ(look({"play M1", "end", "play E1"}), 2u);
  EXPECT_EQ(look({"play M1", "end", "play E1", "embargo 0 M"}), 3u);
  EXPECT_EQ(look({"play M1", "end", "play E1", "end", "play R1", "inquisition 1"}), std::nullopt);
}

// Which cards a story tells: an argument of cards that may be hidden is backs for whoever may not
// see them.
TEST(Look, StoriesHideWhatIsHidden) {
  const std::set<std::string> secret = {"story.keep", "story.give", "story.end",
                                        "story.breakthrough", "story.inquisition"};
  int hidden = 0, shown = 0;
  uint64_t seed = 0;
  for (const Config& config : AllConfigs()) {
    const auto [record, states] = PlayRecorded(config, ++seed);
    for (Seat seat = 0; seat <= kSpectator; ++seat) {
      if (seat >= config.players && seat != kSpectator) continue;
      const Look look = LookAt(record, record.actions.size(), 0, {seat, true, false});
      size_t next = 0;
      for (const Told& told : look.story) {
        EXPECT_EQ(told.begin, next);
        next = told.end;
        const Message& line = told.lines.front();
        if (!secret.contains(line.key)) continue;
        bool sees = seat == told.seat;
        for (const auto& [name, value] : line.args)
          if (const auto* target = std::get_if<Who>(&value); target != nullptr && name == "target")
            sees |= target->seat == seat;
        for (const auto& [name, value] : line.args)
          EXPECT_TRUE(name != "cards" || std::holds_alternative<Cards>(value) == sees) << line.key;
        ++(sees ? shown : hidden);
      }
      EXPECT_EQ(next, record.actions.size());
      EXPECT_FALSE(look.guide.ending.empty());
    }
  }
  EXPECT_GT(hidden, 1000);
  EXPECT_GT(shown, 1000);
}

// Who is said to have been able to stop a Hegemony was.
TEST(Look, TellsWhoCouldHaveStoppedIt) {
  int told = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const auto [record, states] =
        PlayRecorded({.players = static_cast<uint8_t>(2 + seed % 3)}, seed, Style::Hunter);
    const Look look = LookAt(record, record.actions.size(), 0, {});
    EXPECT_TRUE(Result(states.back()).hegemony || look.guide.missed.empty());
    const Seat winner = TurnOf(states.back());
    for (const Message& missed : look.guide.missed) {
      const auto argument = [&](const Message& message, std::string_view name) {
        return std::ranges::find(message.args, name, [](const auto& one) { return one.first; })
            ->second;
      };
      const Seat seat = std::get<Who>(argument(missed, "name")).seat;
      const int64_t turn = std::get<int64_t>(argument(missed, "turn"));
      const auto stops = std::get<Messages>(argument(missed, "stops"));
      for (const Message& stop : stops) {
        const auto effect = std::get<Effect>(argument(stop, "effect"));
        const auto domain = std::get<Domain>(argument(stop, "domain"));
        const Action action = effect == Effect::Attack    ? Action::Attack(domain)
                              : effect == Effect::Embargo ? Action::Embargo(winner, domain)
                                                          : Action::Democracy(winner, domain);
        bool held = false;
        for (State state : states) {
          if (state.turn != turn || state.seat != seat || state.step != Step::Effects ||
              !Legal(state).Contains(action))
            continue;
          Apply(state, action);
          View view = MakeView(state, {}, kSpectator);
          view.hands[winner].cards = state.hands[winner];
          held |= !ThreatOf(view, winner);
        }
        EXPECT_TRUE(held) << NameOf(action) << " in turn " << turn;
        ++told;
      }
    }
  }
  EXPECT_GT(told, 10);
}

Json Look1(const Json& request) { return Json::parse(AnswerLook(request.dump())); }

Json RecordJson() {
  const auto [record, states] = PlayRecorded({.players = 3, .setup = Setup::Draft}, 5);
  return Json::parse(record.Dump());
}

Json BasicJson() {
  const auto [record, states] = PlayRecorded({.players = 2}, 9);
  return Json::parse(record.Dump());
}

Json FirstActions(Json record, size_t count) {
  record["actions"].get_ref<Json::array_t&>().resize(count);
  record["result"] = nullptr;
  return record;
}

// What a seat sees after each of the actions.
std::vector<Json> ViewsOf(const Json& json, size_t at, Seat seat) {
  RecordReader reader;
  const std::optional<RecordError> wrong = reader.Read(json);
  EXPECT_FALSE(wrong) << wrong->action << " " << wrong->error.key;
  const Record& record = reader.record();
  Game game(New(record.config, record.deck));
  std::vector<Json> views = {ToJson(MakeView(game.state, game.knowledge, seat))};
  for (size_t i = 0; i < at; ++i) {
    game.Apply(record.actions[i]);
    views.push_back(ToJson(MakeView(game.state, game.knowledge, seat)));
  }
  return views;
}

// What it saw is the same at every moment up to there; what it could not see is not.
TEST(Look, DealsAnewWhatASeatCouldNotKnow) {
  int changed = 0;
  for (const Json& record : {RecordJson(), BasicJson()}) {
    const size_t length = record["actions"].size();
    for (const size_t at : {length / 5, length - 3})
      for (const Seat seat : {Seat{0}, kSpectator}) {
        const Json who = seat == kSpectator ? Json() : Json(seat);
        const Json anew = Look1({{"record", record}, {"at", at}, {"seat", who}, {"anew", 7}});
        ASSERT_TRUE(anew["ok"]) << anew;
        const Json& branch = anew["record"];
        ASSERT_EQ(branch["actions"].size(), at);
        EXPECT_EQ(branch["result"], nullptr);
        EXPECT_EQ(ViewsOf(branch, at, seat), ViewsOf(record, at, seat)) << at << " " << who;
        EXPECT_NE(branch["deck"], record["deck"]);
        changed += ViewsOf(branch, at, 1) != ViewsOf(record, at, 1);
      }
  }
  EXPECT_GT(changed, 4);  // of 8: what everybody has seen leaves little to guess
}

// The page asks after each action, for the player and for the bot that is next.
TEST(Look, PlaysOnlyWhatIsNew) {
  const Json record = RecordJson();
  const size_t length = record["actions"].size();
  Looker looker;
  for (size_t count = 0; count <= length; ++count) {
    for (const int seat : {0, 1}) {
      const std::string request =
          Json{{"record", FirstActions(record, count)}, {"seat", seat}, {"from", count / 2}}.dump();
      EXPECT_EQ(looker.Answer(request), AnswerLook(request));
    }
    EXPECT_EQ(looker.applied(), static_cast<int64_t>(count));
  }
}

// The same as with whole records, also after taking back and after what was refused.
TEST(Look, GoesOnFromTheLastRecord) {
  const Json record = RecordJson();
  const Json& actions = record["actions"];
  const auto length = static_cast<int>(actions.size());
  Looker looker;
  const auto more = [&](int kept, const Json& then) {
    return Json::parse(looker.Answer(
        Json{{"more", {{"kept", kept}, {"actions", then}}}, {"seat", 1}, {"from", kept}}.dump()));
  };
  const auto whole = [&](int count, int from) {
    return Look1({{"record", FirstActions(record, static_cast<size_t>(count))},
                  {"seat", 1},
                  {"from", from}});
  };
  EXPECT_EQ(more(0, Json::array())["error"]["key"], "error.missing");  // there is none
  looker.Answer(Json{{"record", FirstActions(record, 0)}}.dump());
  for (int count = 1; count <= length; ++count)
    EXPECT_EQ(more(count - 1, Json::array({actions[static_cast<size_t>(count) - 1]})),
              whole(count, count - 1));
  EXPECT_EQ(looker.applied(), length);
  EXPECT_EQ(more(length, Json::array()), whole(length, length));
  EXPECT_EQ(more(length / 2, Json::array()), whole(length / 2, length / 2));  // taken back
  EXPECT_EQ(more(3, Json::array({actions[3], actions[4]})), whole(5, 3));
  for (const Json& wrong : {Json{{"kept", 6}, {"actions", Json::array()}}, Json{{"kept", 5}},
                            Json{{"kept", -1}, {"actions", Json::array()}}, Json("5")})
    EXPECT_EQ(Json::parse(looker.Answer(Json{{"more", wrong}}.dump()))["ok"], false);
  EXPECT_EQ(more(5, Json::array({actions[5]})),
            whole(6, 5));  // what asked for nothing possible changed nothing
  EXPECT_EQ(more(2, Json::array({"end"}))["error"]["args"]["number"], 3);
  EXPECT_EQ(more(2, Json::array({actions[2]}))["ok"],
            false);  // what came of it is nothing to go on from
}

TEST(Look, AnswersTheSameWhateverWasAskedBefore) {
  const Json one = RecordJson();
  const auto [other_record, states] = PlayRecorded({.players = 4}, 3);
  const Json other = Json::parse(other_record.Dump());
  const size_t length = one["actions"].size();
  Json illegal = FirstActions(one, 9);
  illegal["actions"].push_back("end");
  Json nonsense = FirstActions(one, 5);
  nonsense["actions"].push_back(7);
  Json shuffled = one;
  shuffled["deck"][0] = 3;
  const std::vector<Json> requests = {
      {{"record", one}, {"seat", 0}},
      {{"record", one}, {"seat", 2}, {"at", 7}, {"from", 0}},
      {{"record", FirstActions(one, length / 2)}, {"seat", 1}},  // taken back
      {{"record", illegal}},
      {{"record", nonsense}},
      {{"record", shuffled}},
      {{"record", one}, {"open", true}, {"from", 0}},
      {{"record", other}, {"from", 0}},
      {{"record", FirstActions(other, 12)}, {"seat", 3}},
      {{"record", Json::object()}},
  };
  Looker looker;
  for (size_t step = 1; step < requests.size(); ++step)
    for (size_t i = 0, at = 0; i < requests.size(); ++i, at = (at + step) % requests.size()) {
      const std::string request = requests[at].dump();
      EXPECT_EQ(looker.Answer(request), AnswerLook(request)) << request;
    }
}

TEST(Look, AnswersRequests) {
  const Json record = RecordJson();
  const size_t length = record["actions"].size();
  const Json all = Look1({{"record", record}});
  EXPECT_EQ(all["ok"], true);
  EXPECT_EQ(all["actions"], length);
  EXPECT_EQ(all["view"]["step"], "over");
  EXPECT_EQ(all["story"], Json::array());
  const Json some =
      Look1({{"record", record}, {"at", 20}, {"from", 0}, {"seat", 1}, {"you", true}});
  EXPECT_EQ(some["headings"][0]["heading"]["key"], "story.draft");
  EXPECT_EQ(some["headings"][1]["turn"], 1);
  EXPECT_TRUE(some["view"]["hands"][1].contains("cards"));
  EXPECT_TRUE(some["view"]["hands"][0].contains("backs"));
  const Json open = Look1({{"record", record}, {"at", 1}, {"open", true}});
  for (int seat = 0; seat < 3; ++seat) {
    EXPECT_TRUE(open["view"]["hands"][seat].contains("cards"));
    EXPECT_EQ(open["view"]["packs"][seat]["cards"].size(), seat == record["first"] ? 3u : 4u);
  }
  // A view of it can be looked at by itself, and means the same.
  EXPECT_EQ(Look1({{"view", some["view"]}})["guide"], some["guide"]);
}

TEST(Look, DealsAGameFromASeed) {
  const Json table = {{"players", 4}, {"setup", "draft"}, {"edition", "es"}, {"teams", true}};
  const Json dealt = Look1({{"deal", table}, {"seed", 7}});
  EXPECT_EQ(dealt, Look1({{"deal", table}, {"seed", 7}}));
  EXPECT_NE(dealt["record"]["deck"], Look1({{"deal", table}, {"seed", 8}})["record"]["deck"]);
  for (const auto& [name, value] : table.items()) EXPECT_EQ(dealt["record"][name], value);
  EXPECT_EQ(Look1({{"record", dealt["record"]}})["view"]["step"], "draft");
  EXPECT_EQ(Look1({{"deal", {{"players", 5}}}, {"seed", 7}})["error"]["key"], "error.range");
  EXPECT_EQ(Look1({{"deal", table}})["error"]["key"], "error.missing");
}

TEST(Look, TellsAForfeit) {
  Json record = RecordJson();
  while (record["actions"].size() > 30) record["actions"].erase(record["actions"].size() - 1);
  record["result"] = {{"winners", {2}}, {"by", "forfeit"}};
  EXPECT_EQ(Look1({{"record", record}})["guide"]["ending"][0]["key"], "ending.forfeit");
  EXPECT_EQ(Look1({{"record", record}, {"at", 29}})["guide"]["ending"], Json::array());
}

TEST(Look, RefusesWhatIsWrong) {
  const Json record = RecordJson();
  const auto wrong = [](const Json& request) { return Look1(request)["error"]; };
  const auto with_action = [&](size_t i, const Json& action) {
    Json changed = record;
    if (i < changed["actions"].size())
      changed["actions"][i] = action;
    else
      changed["actions"].push_back(action);
    changed["result"] = nullptr;
    return Json{{"record", changed}};
  };
  const Json error = wrong(with_action(0, "end"));
  EXPECT_EQ(error["key"], "record.wrong-action");
  EXPECT_EQ(error["args"]["number"], 1);
  EXPECT_EQ(error["args"]["name"]["seat"], record["first"]);
  EXPECT_EQ(error["args"]["why"]["list"][0]["key"], "why.step");
  EXPECT_EQ(wrong(with_action(0, 7))["args"]["why"]["list"][0]["key"], "error.action");
  EXPECT_EQ(wrong(with_action(record["actions"].size(), "end"))["key"], "record.wrong-after");
  EXPECT_EQ(
      wrong({{"record", With(record, "/result", Json{{"winners", {0}}, {"by", "x"}})}})["key"],
      "record.wrong-end");
  EXPECT_EQ(wrong({{"record", With(record, "/deck", Json::array())}})["key"], "error.deck-size");
  EXPECT_EQ(wrong({{"record", With(record, "/actions", Json::array({"end"}))}, {"at", 0}})["key"],
            "record.wrong-action");
  EXPECT_EQ(wrong({{"record", With(record, "/actions", Json(50'000, "end"))}})["key"],
            "error.too-long");
  EXPECT_EQ(wrong({{"record", record}, {"at", -1}})["key"], "error.range");
  EXPECT_EQ(wrong({{"record", record}, {"at", 3}, {"from", 4}})["key"], "error.range");
  EXPECT_EQ(wrong({{"record", record}, {"seat", 3}})["key"], "error.range");
  EXPECT_EQ(wrong({{"record", record}, {"seat", "x"}})["args"]["wanted"]["list"][0]["key"],
            "wanted.integer");
  EXPECT_EQ(wrong({{"record", record}, {"you", 1}})["key"], "error.type");
  EXPECT_EQ(wrong({{"record", 5}})["key"], "error.not-object");
  EXPECT_EQ(wrong(Json::object())["key"], "error.missing");
  EXPECT_EQ(wrong(5)["key"], "error.not-object");
  EXPECT_EQ(wrong({{"view", 5}})["key"], "error.not-object");
  const Json view = Look1({{"record", record}, {"at", 0}, {"seat", record["first"]}})["view"];
  EXPECT_EQ(wrong({{"view", view}, {"then", "end"}})["key"], "error.type");
  EXPECT_EQ(wrong({{"view", view}, {"then", {5}}})["key"], "error.action");
  EXPECT_EQ(Json::parse(AnswerLook("{"))["error"]["key"], "error.json");
  EXPECT_EQ(Json::parse(AnswerLook(std::string(2 << 20, ' ')))["error"]["key"],
            "error.line-too-long");
}

}  // namespace
}  // namespace civ::test
