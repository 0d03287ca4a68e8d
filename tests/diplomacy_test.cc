// Pacts: what may be said, and which actions keep or break what was agreed.
#include <gtest/gtest.h>

#include <algorithm>

#include "civ/diplomacy/pacts.h"
#include "civ/guide/json.h"
#include "civ/guide/look.h"
#include "civ/guide/pacts.h"
#include "civ/notation/notation.h"
#include "civ/notation/talk.h"
#include "civ/view/sample.h"
#include "tests/generate.h"
#include "tests/support.h"

namespace civ::test {
namespace {

Talk TalkOf(std::string_view text, const Config& config) {
  const Expected<Talk> talk = TalkFromJson(*ParseJson(text), config);
  EXPECT_TRUE(talk) << text;
  return talk ? *talk : Talk{};
}

// A game with pacts: what is said is checked, and the pacts are kept up to date.
struct Pacted {
  explicit Pacted(const State& state) : game(state) {}

  bool May(Seat seat, std::string_view text) const {
    return pacts.MaySay(game.state, seat, TalkOf(text, game.state.config), Seen());
  }
  void Say(Seat seat, std::string_view text) {
    ASSERT_TRUE(May(seat, text)) << text;
    pacts.Say(game.state, {at, seat, TalkOf(text, game.state.config)});
  }
  void Do(std::string_view actions) {
    for (const std::string& name : Split(actions, ", ")) {
      const State before = game.state;
      test::Do(game, name);
      pacts.Act(before, *ParseAction(name), game.state, ++at);
    }
  }
  void Truce(Seat by, Seat with, int rounds = 1) {
    Say(by, R"({"say":"truce","to":[)" + std::to_string(with) + R"(],"rounds":)" +
                std::to_string(rounds) + "}");
    Say(with, R"({"say":"yes","offer":)" + std::to_string(pacts.ids) + "}");
  }
  void Together(Seat by, Seat with, Seat against) {
    Say(by, R"({"say":"together","to":[)" + std::to_string(with) + R"(],"against":)" +
                std::to_string(against) + "}");
    Say(with, R"({"say":"yes","offer":)" + std::to_string(pacts.ids) + "}");
  }
  Threats Seen() const { return ThreatsSeen(ViewOf(game, kSpectator)); }
  bool Breaks(std::string_view action) const {
    return !pacts.BrokenBy(game.state, *ParseAction(action)).empty();
  }

  Game game;
  Diplomacy pacts;
  uint16_t at = 0;
};

// Seat 0 can use every discard effect; seat 1 has Religion and Military, seat 2 six Science.
Position Armed() {
  return Position(3)
      .Seat(0)
      .Table("M1 M1 R1 E1 S1 U3 C1")
      .Hand("M1 R1")
      .Seat(1)
      .Table("M1 R1 R1 C1")
      .Hand("M1 M1 M1")
      .Seat(2)
      .Table("S1 S1 S2 S2 S2 S3")
      .Hand("E1 E1 E1");
}

TEST(Truce, IsBrokenByEveryEffectAimedAtTheOther) {
  Pacted at(Armed().Effects());
  at.Truce(0, 1);
  for (const char* action :
       {"inquisition 1", "embargo 1 R", "democracy 1 R", "attack R", "attack C"})
    EXPECT_TRUE(at.Breaks(action)) << action;
}

TEST(Truce, IsKeptByWhatCostsTheOtherNothing) {
  Pacted at(Armed().Effects());
  at.Truce(0, 1);
  for (const char* action : {"inquisition 2", "embargo 2 S", "democracy 2 S", "attack S",
                             "attack U", "breakthrough", "end"})
    EXPECT_FALSE(at.Breaks(action)) << action;
}

TEST(Truce, NoActionIsMadeIllegal) {
  Pacted at(Armed().Effects());
  const ActionSet before = Legal(at.game.state);
  at.Truce(0, 1);
  EXPECT_EQ(Legal(at.game.state), before);
  at.Do("inquisition 1");
  ASSERT_EQ(at.pacts.broken.size(), 1u);
  EXPECT_EQ(at.pacts.broken[0].by, 0);
  EXPECT_TRUE(at.pacts.pacts.empty());
  EXPECT_TRUE(at.pacts.HasBroken(0, 1));
  EXPECT_FALSE(at.pacts.HasBroken(1, 0));
}

TEST(Truce, BindsBoth) {
  Pacted at(Armed().Turn(1).Effects());
  at.Truce(0, 1);
  EXPECT_TRUE(at.Breaks("inquisition 0"));
  EXPECT_TRUE(at.Breaks("attack C"));
  EXPECT_FALSE(at.Breaks("inquisition 2"));
}

TEST(Truce, HoldsForItsRounds) {
  for (const int rounds : {1, 2, 3}) {
    Pacted at(Armed().Effects());
    at.Truce(0, 1, rounds);
    const int begun = at.game.state.turn;
    while (!at.pacts.pacts.empty()) {
      ASSERT_LE(at.game.state.turn, begun + 3 * rounds);
      EXPECT_EQ(RoundsLeft(at.pacts.pacts[0], at.game.state),
                std::max(1, (begun + 3 * rounds - at.game.state.turn + 2) / 3));
      const Action first = Legal(at.game.state)[0];
      at.Do(at.game.state.step == Step::Effects ? "end" : NameOf(first));
    }
    EXPECT_EQ(at.game.state.turn, begun + 3 * rounds + 1);
    EXPECT_EQ(at.pacts.news.back().kind, News::Over);
    EXPECT_TRUE(at.pacts.broken.empty());
  }
}

TEST(Truce, GivenUpStillHoldsInTheTurnUnderWay) {
  Pacted at(Armed().Effects());
  at.Truce(0, 1, 3);
  at.Say(0, R"({"say":"give-up","pact":2})");
  EXPECT_FALSE(at.May(1, R"({"say":"give-up","pact":2})"));
  EXPECT_TRUE(at.Breaks("inquisition 1"));
  at.Do("end");
  EXPECT_TRUE(at.pacts.pacts.empty());
  EXPECT_TRUE(at.pacts.broken.empty());
}

TEST(Together, IsProposedOnlyAgainstWhoIsNearHegemony) {
  const Pacted at(Armed().Effects());
  EXPECT_TRUE(at.May(0, R"({"say":"together","to":[1],"against":2})"));
  EXPECT_FALSE(at.May(0, R"({"say":"together","to":[2],"against":1})"));
  EXPECT_FALSE(at.May(0, R"({"say":"together","to":[2],"against":2})"));
  EXPECT_FALSE(at.May(2, R"({"say":"together","to":[1],"against":2})"));
}

// The pact was made in the turn before.
Pacted Allied(const char* table = "M1 M1 R1 E1 S1 U3 C1") {
  Pacted at(Armed().Seat(0).Table(table).Turn(2).TurnNumber(3).Effects());
  at.Together(1, 0, 2);
  at.Do("end");
  at.Do(NameOf(Legal(at.game.state)[0]));
  return at;
}

TEST(Together, IsBrokenByATurnThatUsesNothingAgainstTheStrongestDomain) {
  Pacted at = Allied();
  ASSERT_EQ(at.game.state.seat, 0);
  EXPECT_TRUE(at.Breaks("end"));
  for (const char* action : {"attack R", "embargo 1 R", "inquisition 1", "breakthrough"})
    EXPECT_FALSE(at.Breaks(action)) << action;
  at.Do("embargo 1 R");
  EXPECT_TRUE(at.Breaks("end"));
  at.Do("end");
  ASSERT_EQ(at.pacts.broken.size(), 1u);
  EXPECT_EQ(at.pacts.broken[0].action, kEnd);
}

TEST(Together, IsKeptByEachEffectAgainstIt) {
  for (const char* action : {"attack S", "embargo 2 S", "democracy 2 S",
                             "inquisition 2, give E1, "
                             "give E1, give E1"}) {
    Pacted at = Allied();
    at.Do(action);
    EXPECT_FALSE(at.Breaks("end")) << action;
  }
}

TEST(Together, AsksNothingOfWhoCanDoNothing) {
  Pacted at = Allied("C1 C1");
  EXPECT_FALSE(at.Breaks("end"));
}

TEST(Together, EndsWhenTheOtherIsNoThreatAnyMore) {
  Pacted at = Allied();
  at.Do("attack S");  // five Science left, two short of Hegemony
  at.Do("end");
  EXPECT_EQ(at.pacts.pacts.size(), 1u);
  const State& state = at.game.state;
  EXPECT_EQ(LeastLack(state, 2), 2);
  Pacted again = Allied();
  again.Do("attack S, democracy 2 S, end");
  EXPECT_TRUE(again.pacts.pacts.empty());
  EXPECT_TRUE(again.pacts.broken.empty());
}

TEST(Talk, NothingBetweenTwoPlayersSignalsOnlyBetweenPartners) {
  for (const Config& config : AllConfigs()) {
    State state = New(config, DealFromSeed(config, 1).deck.Span());
    while (state.turn == 0) Apply(state, Legal(state)[0]);
    const std::vector<Talk> possible = Diplomacy().Possible(state, 1, kAnyThreat);
    const auto is = [](TalkKind kind) {
      return [kind](const Talk& talk) { return talk.kind == kind; };
    };
    EXPECT_EQ(possible.empty(), config.players == 2);
    EXPECT_EQ(std::ranges::any_of(possible, is(TalkKind::Signal)), config.teams);
    EXPECT_EQ(std::ranges::any_of(possible, is(TalkKind::Truce)), HasPacts(config));
    EXPECT_EQ(std::ranges::any_of(possible, is(TalkKind::Warn)), HasPacts(config));
  }
}

TEST(Talk, WarningsAreTrue) {
  const Pacted at(Armed().Seat(2).Hand("S3 E1 E1").Effects());
  EXPECT_TRUE(at.May(0, R"({"say":"warn","about":2,"domain":"S"})"));
  EXPECT_FALSE(at.May(0, R"({"say":"warn","about":2,"domain":"E"})"));
  EXPECT_FALSE(at.May(0, R"({"say":"warn","about":1,"domain":"R"})"));
  EXPECT_FALSE(at.May(2, R"({"say":"warn","about":2,"domain":"S"})"));
}

TEST(Talk, TheSameIsNotSaidTwiceInARoundAndNoMoreThanSixInATurn) {
  Pacted at(Armed().Effects());
  at.Say(0, R"({"say":"truce","to":[1],"rounds":1})");
  EXPECT_FALSE(at.May(0, R"({"say":"truce","to":[1],"rounds":2})"));
  EXPECT_FALSE(at.May(1, R"({"say":"truce","to":[0],"rounds":2})"));  // it has been offered one
  EXPECT_TRUE(at.May(0, R"({"say":"truce","to":[2],"rounds":2})"));
  at.Say(1, R"({"say":"no","offer":1})");
  EXPECT_FALSE(at.May(1, R"({"say":"yes","offer":1})"));
  EXPECT_FALSE(at.May(0, R"({"say":"truce","to":[1],"rounds":2})"));
  int said = 0;
  for (Random random(7);; ++said) {
    const std::vector<Talk> possible = at.pacts.Possible(at.game.state, 0, kAnyThreat);
    if (possible.empty()) break;
    const auto chosen = random.Below(static_cast<uint32_t>(possible.size()));
    at.pacts.Say(at.game.state, {at.at, 0, possible[chosen]});
  }
  EXPECT_EQ(said, 5);
}

TEST(Talk, AWarningIsRepeatedOnlyInTheNextRound) {
  Pacted at(Armed().Effects());
  const Talk warning = {.kind = TalkKind::Warn, .about = 2, .domain = Domain::Science};
  at.pacts.Say(at.game.state, {at.at, 0, warning});
  for (int turns = 0;; ++turns) {
    const bool may = at.pacts.MaySay(at.game.state, 0, warning, kAnyThreat);
    EXPECT_EQ(may, turns >= 3) << turns;
    if (may) break;
    const int turn = at.game.state.turn;
    while (at.game.state.turn == turn) {
      const ActionSet legal = Legal(at.game.state);
      at.Do(NameOf(legal.Contains(kEnd) ? kEnd : legal[0]));
    }
  }
}

TEST(Talk, OffersLapseWhenEverybodyHasHadATurnToAnswer) {
  Pacted at(Armed().Effects());
  at.Say(0, R"({"say":"truce","to":[1,2],"rounds":1})");
  for (int turns = 0; turns < 4; ++turns) {
    ASSERT_EQ(at.pacts.offers.size(), 1u);
    EXPECT_EQ(at.May(0, R"({"say":"truce","to":[1],"rounds":2})"), turns == 3);
    at.Do("end");
    at.Do(NameOf(Legal(at.game.state)[0]));
  }
  EXPECT_TRUE(at.pacts.offers.empty());
}

TEST(Talk, AnOfferIsRenewedByTheNextOne) {
  Pacted at(Armed().Effects());
  at.Say(0, R"({"say":"truce","to":[1,2],"rounds":1})");
  at.Do("end");
  for (int turns = 0; turns < 2; ++turns) {
    at.Do(NameOf(Legal(at.game.state)[0]));
    at.Do("end");
  }
  at.Say(0, R"({"say":"truce","to":[1],"rounds":2})");
  ASSERT_EQ(at.pacts.offers.size(), 2u);
  EXPECT_EQ(at.pacts.offers[0].to, 0b100);
  EXPECT_FALSE(at.May(1, R"({"say":"yes","offer":1})"));
  EXPECT_TRUE(at.May(2, R"({"say":"yes","offer":1})"));
  EXPECT_TRUE(at.May(1, R"({"say":"yes","offer":2})"));
}

// A game in which somebody says something now and then.
struct Talked : Watcher {
  explicit Talked(uint64_t seed) : random(seed) {}
  void Begin(const Game& game) override { states = {game.state}; }
  void Step(const Game& before, Action action, const Game& after) override {
    const auto seat = static_cast<Seat>(random.Below(before.state.config.players));
    const std::vector<Talk> possible = pacts.Possible(before.state, seat, kAnyThreat);
    const auto at = static_cast<uint16_t>(actions.size());
    if (!possible.empty() && random.Below(3) == 0) {
      const auto chosen = random.Below(static_cast<uint32_t>(possible.size()));
      talk.push_back({at, seat, possible[chosen]});
      pacts.Say(before.state, talk.back());
    }
    broken += !pacts.BrokenBy(before.state, action).empty();
    states.push_back(after.state);
    actions.push_back(action);
    pacts.Act(before.state, action, after.state, static_cast<uint16_t>(at + 1));
  }

  Random random;
  std::vector<State> states;
  std::vector<Action> actions;
  std::vector<Said> talk;
  Diplomacy pacts;
  int broken = 0;
};

template <class Show>
void ForEachTalk(Show show) {
  ForEachStart(1, [&](const Start& start) {
    if (start.state.config.players == 2) return;
    Talked game(start.seed);
    PlayOut(start, game);
    if (game.actions.size() < 2000) show(game);
  });
}

TEST(Pacts, KeptAreThoseFoldedFromWhatWasSaid) {
  int broken = 0, over = 0, yes = 0;
  ForEachTalk([&](const Talked& game) {
    ASSERT_EQ(FoldTalk(game.states, game.actions, game.talk), game.pacts);
    broken += game.broken;
    for (const News& news : game.pacts.news) {
      over += news.kind == News::Over;
      yes += news.talk.kind == TalkKind::Yes;
    }
  });
  EXPECT_GT(broken, 50);
  EXPECT_GT(over, 50);
  EXPECT_GT(yes, 100);
}

TEST(Pacts, AreReadAsTheyAreWritten) {
  ForEachTalk([&](const Talked& game) {
    const Config& config = game.states[0].config;
    const auto read = DiplomacyFromJson(ToJson(game.pacts, game.pacts.news.size()), config);
    ASSERT_TRUE(read) << read.error().key;
    ASSERT_EQ(*read, game.pacts);
    const auto talk = TalkOfGameFromJson(ToJson(game.talk), config);
    ASSERT_TRUE(talk) << talk.error().key;
    ASSERT_EQ(*talk, game.talk);
  });
}

TEST(Pacts, FollowFromWhatLiesOpen) {
  ForEachTalk([&](const Talked& game) {
    Random random(3);
    const size_t at = game.states.size() / 2;
    State state = game.states[at];
    if (state.turn == 0 || state.step == Step::Over) return;
    const Diplomacy pacts = FoldTalk(std::span(game.states).first(at + 1),
                                     std::span(game.actions).first(at), game.talk);
    const auto say = [&](const State& now) {
      const View view = ViewOf(now, kSpectator);
      std::vector<std::vector<Talk>> possible;
      for (Seat seat = 0; seat < now.config.players; ++seat)
        possible.push_back(pacts.Possible(now, seat, ThreatsSeen(view)));
      return possible;
    };
    const std::optional<State> other = Sample(ViewOf(state, kSpectator), random);
    EXPECT_EQ(say(state), say(*other));
  });
}

TEST(Pacts, WrongJsonIsRefused) {
  const Config config{.players = 3};
  for (const char* text :
       {R"({})", R"(5)", R"({"say":"hello"})", R"({"say":"truce","to":[3],"rounds":1})",
        R"({"say":"truce","to":[1],"rounds":4})", R"({"say":"truce","to":[-1],"rounds":1})",
        R"({"say":"together","to":[1]})", R"({"say":"together","to":[1],"against":3})",
        R"({"say":"yes"})", R"({"say":"no","offer":70000})", R"({"say":"give-up","pact":-1})",
        R"({"say":"warn","about":1,"domain":"X"})", R"({"say":"signal"})"})
    EXPECT_FALSE(TalkFromJson(*ParseJson(text), config)) << text;
  Diplomacy one;
  one.offers = {{.id = 1, .by = 0, .to = 2, .rounds = 1}};
  one.pacts = {{.id = 2, .seats = {0, 1}}};
  const Json good = ToJson(one);
  ASSERT_TRUE(DiplomacyFromJson(good, config));
  for (const Wrong& wrong : std::vector<Wrong>{{"/offers/0/say", "yes", ""},
                                               {"/offers/0/against", 2, ""},
                                               {"/offers/0/to", Json::array({9}), ""},
                                               {"/pacts/0/seats", Json::array({0}), ""},
                                               {"/pacts/0/seats", Json::array({0, 3}), ""},
                                               {"/pacts/0/struck", "x", ""},
                                               {"/pacts/0/say", "together", ""},
                                               {"/news", Json::array({5}), ""},
                                               {"/ids", -1, ""}})
    EXPECT_FALSE(DiplomacyFromJson(With(good, wrong.field, wrong.value), config)) << wrong.field;
}

TEST(Pacts, ThePageIsToldWhatHoldsAndWhatWouldBreakIt) {
  Pacted at(Armed().Effects());
  at.Truce(0, 1, 2);
  at.Say(1, R"({"say":"together","to":[0],"against":2})");
  const Json request = {
      {"talk", {{"view", ToJson(ViewOf(at.game, 0))}, {"pacts", ToJson(at.pacts)}}}};
  const Json answer = *ParseJson(AnswerLook(Dump(request)));
  ASSERT_TRUE(answer["ok"].get<bool>()) << answer;
  EXPECT_TRUE(answer["offers"][0]["yours"].get<bool>());
  EXPECT_EQ(answer["offers"][0]["to"], Json::array({0}));
  EXPECT_EQ(answer["offers"][0]["against"], 2);
  EXPECT_EQ(answer["pacts"][0]["left"], 2);
  EXPECT_EQ(answer["breaks"]["inquisition 1"][0]["key"], "pact.breaks-truce");
  EXPECT_FALSE(answer["breaks"].contains("inquisition 2"));
  EXPECT_EQ(answer["news"].size(), 3u);
  EXPECT_EQ(answer["news"][1]["say"], "yes");
  EXPECT_EQ(answer["characters"].size(), 3u);
  EXPECT_EQ(std::ranges::count(answer["characters"], Json()), 0);
  EXPECT_EQ(answer["possible"][0]["talk"]["say"], "yes");
  for (const Json& possible : answer["possible"])
    EXPECT_EQ(possible.contains("terms"), possible["talk"].contains("to")) << possible;
}

// With four players the end of one turn can break two pacts between the same.
TEST(Pacts, ThePageIsToldWhichWereBroken) {
  Pacted at(Position(4)
                .TurnNumber(5)
                .Seat(0)
                .Table("M1 M1 R1 E1 S1 U3 C1")
                .Seat(2)
                .Table("S1 S1 S2 S2 S2")
                .Seat(3)
                .Table("R1 R1 R2 R2 R2")
                .Effects());
  at.Together(1, 0, 2);
  at.Together(1, 0, 3);
  for (Pact& pact : at.pacts.pacts) --pact.begun;  // a turn ago
  at.Do("end");
  const Json request = {
      {"talk", {{"view", ToJson(ViewOf(at.game, 0))}, {"pacts", ToJson(at.pacts)}}}};
  const Json broken = (*ParseJson(AnswerLook(Dump(request))))["broken"];
  ASSERT_EQ(broken.size(), 2u);
  EXPECT_EQ(broken[0]["with"], broken[1]["with"]);
  EXPECT_EQ(broken[0].value("id", 0), 2);
  EXPECT_EQ(broken[1].value("id", 0), 4);
}

TEST(Pacts, ThePageIsToldTheCharactersOfThoseWhoTalk) {
  Pacted at(Armed().Effects());
  Json request = {{"talk", {{"view", ToJson(ViewOf(at.game, 0))}, {"pacts", ToJson(at.pacts)}}}};
  const Json all = (*ParseJson(AnswerLook(Dump(request))))["characters"];
  request["talk"]["seats"] = {"human", "level2", "level3"};
  EXPECT_EQ((*ParseJson(AnswerLook(Dump(request))))["characters"],
            Json::array({Json(), Json(), all[2]}));
  request["talk"]["seats"] = {"master"};
  EXPECT_EQ((*ParseJson(AnswerLook(Dump(request))))["characters"],
            Json::array({all[0], Json(), Json()}));
  request["talk"]["seats"] = 5;
  EXPECT_FALSE((*ParseJson(AnswerLook(Dump(request))))["ok"].get<bool>());
}

TEST(Pacts, ThePageIsToldWhatHoldsAfterActionsThatItForesees) {
  Pacted at(Armed().TurnNumber(4).Effects());
  at.Truce(0, 1, 2);
  at.Together(1, 0, 2);
  for (Pact& pact : at.pacts.pacts) --pact.begun;  // a turn ago
  Json request = {{"talk", {{"view", ToJson(ViewOf(at.game, 0))}, {"pacts", ToJson(at.pacts)}}}};
  const auto after = [&](const Json& then) {
    request["talk"]["then"] = then;
    return *ParseJson(AnswerLook(Dump(request)));
  };
  EXPECT_TRUE(after(Json::array())["breaks"].contains("end"));
  const Json struck = after({"embargo 2 S"});
  EXPECT_FALSE(struck["breaks"].contains("end")) << struck;
  EXPECT_EQ(struck["pacts"].size(), 2u);
  const Json broken = after({"embargo 2 S", "democracy 1 R"});
  EXPECT_EQ(broken["pacts"].size(), 1u);
  EXPECT_EQ(broken["broken"][0]["with"], 1);
  EXPECT_EQ(broken["news"], after(Json::array())["news"]);  // nothing has happened yet
  EXPECT_TRUE(after({"inquisition 2"})["reveals"].get<bool>());
  EXPECT_FALSE(after({"embargo 2 S", "embargo 2 S"})["ok"].get<bool>());
  EXPECT_EQ(after({5})["error"]["key"], "error.action");
}

TEST(Pacts, ALookAtARecordFoldsWhatWasSaid) {
  const Config config{.players = 3};
  Record record;
  const Deal deal = DealFromSeed(config, 4);
  record.config = deal.config;
  record.deck.assign(deal.deck.Span().begin(), deal.deck.Span().end());
  Json request = {{"record", *ParseJson(record.Dump())}};
  EXPECT_FALSE(ParseJson(AnswerLook(Dump(request)))->contains("pacts"));
  const Json talk = *ParseJson(R"([{"at":0,"seat":1,"say":"truce","to":[0],"rounds":1}])");
  request["talk"] = talk;
  const Json told = *ParseJson(AnswerLook(Dump(request)));
  EXPECT_EQ(told["pacts"]["offers"].size(), 1u);
  request.erase("talk");
  request["record"]["comments"] = {{"talk", talk}};
  EXPECT_EQ((*ParseJson(AnswerLook(Dump(request))))["pacts"], told["pacts"]);
  request["record"]["comments"] = {{"talk", "somebody else's"}};  // comments are free-form
  EXPECT_TRUE((*ParseJson(AnswerLook(Dump(request))))["ok"].get<bool>());
  request["talk"] = 5;
  EXPECT_FALSE((*ParseJson(AnswerLook(Dump(request))))["ok"].get<bool>());
}

}  // namespace
}  // namespace civ::test
