// A table is its log: sessions of people who do sensible things and others, with time passing and
// bots acting, and what must hold after every event.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/generate.h"
#include "tests/sitting.h"

namespace civ::sitting {
namespace {

using std::string;
using test::AllActionNames;
using test::AllConfigs;
using test::Choose;
using test::kOrders;
using test::kStyles;
using test::MakeDeck;
using test::Order;
using test::Style;
using test::Times;
using Plain = nlohmann::json;  // in which the order of fields does not matter

const std::vector<string> kEverybody = {"Ada", "Bob", "Cyd", "Dan", "Eve", "Fay"};

// --- Sessions ------------------------------------------------------------------------------------

class Session {
 public:
  explicit Session(uint64_t seed) : random_(seed) {
    const std::vector<Config> configs = AllConfigs();
    TableOptions options;
    options.config = configs[seed % configs.size()];
    if (Chance(60)) options.clock = TimeControl{1 + Below(60), Below(200), Below(10)};
    options.absence = Chance(50) ? 0 : 1 + Below(20);
    options.takeover = Chance(50) ? "level1" : "level4";
    options.listed = Chance(50);
    options.spectators = Chance(80);
    options.takebacks = static_cast<Takebacks>(Below(3));
    options.pacts = Chance(90);
    Config& config = options.config;
    const Deck deck = MakeDeck(config.players, static_cast<Order>(Below(kOrders)), random_);
    deck_.assign(deck.Span().begin(), deck.Span().end());
    for (Style& style : styles_) style = static_cast<Style>(Below(kStyles - 1));
    opening_ = *Table::Open(options, PersonCalled("Ada"), {}, 0);
    table_ = opening_.tables.back();
  }

  const Change& opening() const { return opening_; }
  const Table& table() const { return table_; }
  void Goes(const Table& table) { table_ = table; }

  // What somebody, a bot or time does next; an error if it is refused.
  Expected<Change> Next() {
    now_ += Chance(3) ? Below(100'000) : Below(2'000);
    if (Chance(10)) {
      for (auto& since : absent_)
        since = Chance(20) ? std::optional<int64_t>(now_ - Below(400'000)) : std::nullopt;
      if (auto change = table_.Due(now_, absent_)) return *std::move(change);
    }
    if (Chance(30)) return Do(kEverybody[Pick(kEverybody.size())], AnyCommand());
    return Sensible();
  }

 private:
  bool Chance(int percent) { return random_.Below(100) < static_cast<uint32_t>(percent); }
  int Below(int n) { return static_cast<int>(random_.Below(static_cast<uint32_t>(n))); }
  size_t Pick(size_t n) { return random_.Below(static_cast<uint32_t>(n)); }

  int64_t Asked() const { return table_.question() ? table_.question()->number : 0; }

  // An event that only earlier versions have logged.
  Expected<Change> Old(EventBody body) {
    const Event event{std::max(now_, table_.now()), std::move(body)};
    Table table = table_;
    EXPECT_FALSE(table.Apply(event));
    return Change{{event}, {table}};
  }

  Expected<Change> Do(const string& who, CommandBody body) {
    if (const auto* mute = std::get_if<command::Mute>(&body))
      return Old(event::Mute{"p_" + who, mute->whom, mute->on});
    if (const auto* say = std::get_if<command::Say>(&body);
        say != nullptr && table_.SeatOf("p_" + who) == kSpectator)
      return Old(event::Say{PersonCalled(who), {}, say->text, say->phrase});
    return table_.Do(PersonCalled(who), {std::to_string(Below(1000)), std::move(body)}, now_,
                     {SecretOf('a'), "next"});
  }

  Expected<Change> Sensible() {
    const size_t seats = table_.chairs().size();
    switch (table_.status()) {
      case Status::Waiting:
        for (Seat seat = 0; seat < seats; ++seat)
          if (const Chair& chair = table_.chairs()[seat]; !chair.person && chair.bot.empty()) {
            if (Chance(25)) return Do(NameOfHost(), command::SeatBot{seat, "level1"});
            for (const string& name : kNames)
              if (table_.SeatOf("p_" + name) == kSpectator) return Do(name, command::Sit{seat});
          }
        return Do(NameOfHost(), command::Start{});
      case Status::Dealing: {
        if (Chance(70))
          return Do(kNames[Pick(4)],
                    command::Contribute{SecretOf(static_cast<char>('0' + Below(10)))});
        // Often a deck of another order than chance gives, so that more happens in the game.
        Change change;
        Table table = table_;
        const Event event{std::max(now_, table.now()),
                          event::Deal{static_cast<Seat>(Below(static_cast<int>(seats))), deck_}};
        EXPECT_FALSE(table.Apply(event));
        change.events.push_back(event);
        change.tables.push_back(table);
        return change;
      }
      case Status::Running: return Move();
      default:
        return Do(kEverybody[Pick(kEverybody.size())],
                  Chance(50) ? CommandBody(command::Rematch{}) : command::Say{"gg", ""});
    }
  }

  // Somebody who is asked answers, or somebody who has left wants to return.
  std::optional<Expected<Change>> Courtesy() {
    for (Seat seat = 0; seat < table_.chairs().size(); ++seat) {
      const auto& person = table_.chairs()[seat].person;
      if (!person || Chance(50)) continue;
      if (!table_.LeftBy(seat) && table_.question() && table_.question()->seat != seat)
        return Do(person->name, command::Answer{Asked(), Chance(90)});
      if (table_.LeftBy(seat) && !table_.question()) return Do(person->name, command::Return{});
    }
    return std::nullopt;
  }

  Expected<Change> Move() {
    if (Chance(30))
      if (auto change = Courtesy()) return *change;
    if (const Chair& chair = table_.chairs()[Pick(table_.chairs().size())];
        chair.person && Chance(15))
      if (const auto talk = AnyTalk(table_.SeatOf(chair.person->id)))
        return Do(chair.person->name, command::Talk{*talk});
    std::vector<Seat> deciding;
    for (Seat seat = 0; seat < table_.chairs().size(); ++seat)
      if ((table_.Deciding() >> seat & 1) != 0) deciding.push_back(seat);
    const Seat seat = deciding[Pick(deciding.size())];
    const Chair& chair = table_.chairs()[seat];
    if (const int round = table_.DraftRound(); round > 0) {
      const Action keep = ChooseUniform(Legal(table_.ViewFor(seat)), random_);
      return chair.bot.empty() ? Do(chair.person->name, command::Pick{round, keep.kind()})
                               : table_.BotActs(seat, table_.number(), keep, now_);
    }
    State state = table_.game().state;
    if (!chair.bot.empty())
      return table_.BotActs(seat, table_.number(),
                            Choose(styles_[seat], state, Legal(state), random_), now_,
                            AnyTalk(seat));
    command::Act act{table_.number() - (Chance(20) ? Below(3) : 0), {}};
    do {
      act.actions.push_back(Choose(styles_[seat], state, Legal(state), random_));
      Apply(state, act.actions.back());
    } while (state.step != Step::Over && state.seat == seat && Chance(40));
    return Do(chair.person->name, act);
  }

  string NameOfHost() const { return table_.Host().substr(2); }

  Action AnyAction() {
    if (table_.status() == Status::Running && Chance(70))
      return ChooseUniform(Legal(table_.game().state), random_);
    return AllActions_[Pick(AllActions_.size())];
  }

  // Something that may be said, answers most often: they are few.
  std::optional<Talk> AnyTalk(Seat seat) {
    if (!table_.HasGame()) return std::nullopt;
    std::vector<Talk> all = table_.pacts().Possible(table_.game().state, seat, table_.ThreatsNow());
    if (all.empty()) return std::nullopt;
    return all[Pick(Chance(60) ? std::min<size_t>(2, all.size()) : all.size())];
  }

  CommandBody AnyCommand() {
    const auto seat = static_cast<Seat>(Below(kMaxSeats));
    switch (Below(19)) {
      case 0: return command::Sit{seat};
      case 1: return command::Stand{};
      case 2: return command::SeatBot{seat, "level2"};
      case 3: return command::Unseat{seat};
      case 4: return command::Start{};
      case 5: return command::Contribute{SecretOf(Chance(80) ? '5' : 'x')};
      case 6: {
        command::Act act{table_.number() + 1 - Below(4), {}};
        for (int count = 1 + Below(3); count > 0; --count) act.actions.push_back(AnyAction());
        return act;
      }
      case 7: return command::Pick{1 + Below(3), static_cast<Kind>(Below(5))};
      case 8:
      case 9:
      case 10:
        return command::TakeBack{table_.number(),
                                 std::max(0, static_cast<int>(table_.actions().size()) - Below(6))};
      case 11:
      case 12: return command::Answer{Chance(90) ? Asked() : Below(50), Chance(80)};
      case 13:
        return Chance(85)   ? CommandBody(command::Answer{Asked(), true})
               : Chance(50) ? CommandBody(command::Resign{})
                            : command::Abandon{};
      case 14: return command::Return{};
      case 15:
        return Chance(50) ? command::Say{Chance(50) ? "ça \"va\" \\ \n?" : "\xF0\x9F\x90\xA2", ""}
                          : command::Say{"", "well-played"};
      case 16: return command::Talk{AnyTalk(seat).value_or(Talk{})};
      case 17: return command::Mute{"p_" + kEverybody[Pick(kEverybody.size())], Chance(60)};
      default: return command::Rematch{};
    }
  }

  inline static const std::vector<Action> AllActions_ = [] {
    std::vector<Action> all;
    for (const string& name : AllActionNames()) all.push_back(*ParseAction(name));
    return all;
  }();

  Random random_;
  int64_t now_ = 0;
  std::array<Style, kMaxSeats> styles_{};
  std::vector<Kind> deck_;
  Table::Absences absent_{};
  Change opening_;
  Table table_;
};

// Shows every event with the tables before and after it. Most sessions are broken off.
struct Happened {
  const Table& before;
  const Event& event;
  const Table& after;
};
template <class See>
std::vector<Event> RunSession(uint64_t seed, See see) {
  Session session(seed);
  const int most = seed % 8 == 0 ? 4000 : 40 + static_cast<int>(seed % 100);
  std::vector<Event> log;
  Table now;
  const auto take = [&](const Change& change) {
    ASSERT_EQ(change.tables.size(), change.events.size());
    for (size_t i = 0; i < change.events.size(); ++i) {
      log.push_back(change.events[i]);
      see(Happened{now, change.events[i], change.tables[i]}, log);
      now = change.tables[i];
    }
  };
  take(session.opening());
  int after_the_end = 0;
  for (int step = 0; step < most && after_the_end < 12 && !testing::Test::HasFailure(); ++step) {
    if (const Expected<Change> change = session.Next()) take(*change);
    session.Goes(now);
    after_the_end += now.Ended();
  }
  return log;
}

int Sessions() { return 300 * Times(); }

string AllOf(const Table& table) {
  string all;
  for (const string& who : kEverybody)
    all += TellAll(table, PersonCalled(who), Asides(table)) + "\n";
  return all + (table.HasGame() ? table.ToRecord().Dump() : "");
}

// The pacts that follow from what was said.
Diplomacy Folded(const Table& table) {
  return table.HasGame() ? FoldTalk(table.States(), table.actions(), table.said()) : Diplomacy();
}

// --- The log -------------------------------------------------------------------------------------

TEST(TableLog, IsReadAsItWasWrittenAndGivesTheSameTableAfterEveryEvent) {
  std::map<string, int> seen;
  for (int seed = 0; seed < Sessions(); ++seed) {
    SCOPED_TRACE(seed);
    Table mirror;
    const std::vector<Event> log = RunSession(
        static_cast<uint64_t>(seed), [&](const Happened& step, const std::vector<Event>&) {
          const string text = ToText(step.event);
          const Expected<Event> read = EventFromText(text);
          ASSERT_TRUE(static_cast<bool>(read)) << text;
          ASSERT_EQ(read->body.index(), step.event.body.index());
          ASSERT_EQ(ToText(*read), text);
          const std::optional<Error> wrong = mirror.Apply(*read);
          ASSERT_FALSE(wrong) << wrong->key << " " << text;
          ASSERT_EQ(mirror.number(), step.after.number());
          if (mirror.number() % 8 == 0 || mirror.Ended()) {
            ASSERT_EQ(AllOf(mirror), AllOf(step.after));
          }
          const bool talks = std::holds_alternative<event::Talk>(step.event.body);
          const bool back = std::holds_alternative<event::Back>(step.event.body);
          if (talks || back || mirror.number() % 8 == 0) {
            ASSERT_EQ(mirror.pacts(), Folded(mirror));
          }
          if (back && !mirror.said().empty()) ++seen["taken back after talk"];
          if (!mirror.pacts().broken.empty()) ++seen["after a broken pact"];
          ++seen[string(NameOf(step.event.body))];
          if (const auto* leave = std::get_if<event::Leave>(&step.event.body))
            ++seen[string(NameOf(leave->why))];
          if (step.after.status() == Status::Over && step.before.status() == Status::Running) {
            const auto record = ReadRecord(step.after.ToRecord().Dump());
            ASSERT_TRUE(std::holds_alternative<Record>(record))
                << std::get<RecordError>(record).error.key;
            ++seen[step.after.Result()["by"] == "forfeit" ? "a forfeit" : "a game to the end"];
          }
        });
    if (testing::Test::HasFailure()) return;
    const Expected<Table> again = Table::FromLog(log);
    ASSERT_TRUE(static_cast<bool>(again));
    ASSERT_EQ(AllOf(*again), AllOf(mirror));
  }
  for (const char* what : {"create",
                           "sit",
                           "stand",
                           "seat-bot",
                           "commit",
                           "contribute",
                           "deal",
                           "act",
                           "pick",
                           "ask",
                           "answer",
                           "back",
                           "leave",
                           "return",
                           "forfeit",
                           "say",
                           "mute",
                           "rematch",
                           "resigned",
                           "abandoned",
                           "absent",
                           "time",
                           "a forfeit",
                           "a game to the end",
                           "talk",
                           "taken back after talk",
                           "after a broken pact"})
    EXPECT_GE(seen[what], 3) << what;
}

TEST(TableLog, SaysWhoseCommandItWas) {
  Sitting at(TableOptions{});
  at.Do("Bob", command::Sit{1}, "b1");
  at.Do("Ada", command::Start{}, "a1");
  at.Happen(event::Deal{0, DeckFrom(2, "M1 M1 M1 M1 M1 M1 M1 M1")});
  at.Do("Bob", command::Resign{}, "b2");
  string all;
  for (const Event& event : at.log) {
    const Expected<Event> read = EventFromText(ToText(event));
    ASSERT_TRUE(read);
    const auto& [person, command, id] = read->cause;
    all += person + " " + command + " " + id + ", ";
  }
  EXPECT_EQ(all, " create , p_Bob sit b1, p_Ada start a1,  deal , p_Bob resign b2,  forfeit , ");
}

TEST(TableLog, IdsOfVersion020AreStillRead) {
  const Expected<Event> act =
      EventFromText(R"({"type":"act","at":5,"seat":0,"id":"a17","actions":["end"]})");
  ASSERT_TRUE(act);
  EXPECT_EQ(act->cause.id, "a17");
  EXPECT_EQ(act->cause.command, "act");
  EXPECT_EQ(act->cause.person, "");
}

TEST(TableLog, AnEmptyOneIsNone) {
  EXPECT_EQ(Table::FromLog({}).error().key, "error.table.empty-log");
  const Event close{0, event::Close{"why"}};
  EXPECT_EQ(Table::FromLog({&close, 1}).error().key, "error.table.not-now");
}

TEST(TableLog, TimeDoesNotRunBack) {
  Sitting at;
  at.now = 5;
  EXPECT_EQ(at.Happen(event::Say{PersonCalled("Ada"), {}, "x", ""}), "error.table.time-runs-back");
}

TEST(TableLog, NoMomentIsSoLateThatSumsOfTimesOverflow) {
  const auto read = [](const char* at) {
    return static_cast<bool>(
        EventFromText(R"({"type":"return","seat":1,"at":)" + string(at) + "}"));
  };
  EXPECT_TRUE(read("9007199254740992"));
  EXPECT_FALSE(read("9007199254740993"));
  EXPECT_FALSE(read("9223372036854775807"));
  EXPECT_FALSE(read("-1"));
}

// Works with a table as the server would; nothing may break.
void Use(const Table& table) {
  AllOf(table);
  table.BotTurns();
  Table::Absences absent{};
  absent.fill(0);
  table.NextDue(absent);
  table.Due(table.now() + 1'000'000'000, absent);
  for (Seat seat = 0; seat < table.chairs().size(); ++seat) {
    if (table.HasGame()) Legal(table.ViewFor(seat));
    for (const string& who : kEverybody) {
      table.Do(PersonCalled(who), {"", command::Resign{}}, table.now());
      table.Do(PersonCalled(who), {"", command::TakeBack{table.number(), 0}}, table.now());
      table.Do(PersonCalled(who),
               {"", command::Answer{table.question() ? table.question()->number : 0, true}},
               table.now());
      table.Do(PersonCalled(who), {"", command::Return{}}, table.now());
    }
  }
}

void Alter(string& line, Random& random) {
  Json event = Json::parse(line);
  Json* at = &event;
  while (at->is_structured() && !at->empty() && (at == &event || random.Below(3) != 0)) {
    auto item = at->begin();
    std::advance(item, random.Below(static_cast<uint32_t>(at->size())));
    at = &*item;
  }
  const std::vector<Json> values = {nullptr,
                                    -1,
                                    0,
                                    1,
                                    2,
                                    3,
                                    4,
                                    7,
                                    1e300,
                                    9223372036854775807,
                                    18446744073709551615u,
                                    true,
                                    "",
                                    "M1",
                                    "U3",
                                    "end",
                                    "play M1",
                                    "act",
                                    "p_Bob",
                                    Json::array(),
                                    Json::object(),
                                    "level1"};
  *at = values[random.Below(static_cast<uint32_t>(values.size()))];
  line = event.dump();
}

TEST(TableLog, WithSomethingWrongIsRefusedOrHarmless) {
  int refused = 0, taken = 0;
  for (int seed = 0; seed < Sessions() / 2; ++seed) {
    SCOPED_TRACE(seed);
    std::vector<string> lines;
    for (const Event& event :
         RunSession(static_cast<uint64_t>(seed), [](const auto&, const auto&) {}))
      lines.push_back(ToText(event));
    Random random(static_cast<uint64_t>(seed));
    for (int kind = 0; kind < 8; ++kind) {
      std::vector<string> wrong = lines;
      const size_t a = random.Below(static_cast<uint32_t>(lines.size())),
                   b = random.Below(static_cast<uint32_t>(lines.size()));
      if (kind == 0) wrong.erase(wrong.begin() + static_cast<std::ptrdiff_t>(a));
      if (kind == 1) wrong.insert(wrong.begin() + static_cast<std::ptrdiff_t>(a), wrong[b]);
      if (kind == 2) std::swap(wrong[a], wrong[b]);
      if (kind == 3) std::swap(wrong[a], wrong[(a + 1) % wrong.size()]);
      if (kind >= 4) Alter(wrong[a], random);
      Table table;
      bool right = true;
      for (const string& line : wrong) {
        const Expected<Event> event = EventFromText(line);
        if (!event || table.Apply(*event)) {
          right = false;
          break;
        }
      }
      ++(right ? taken : refused);
      if (table.number() > 0) Use(table);
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(taken, 30);
}

TEST(TableLog, AnEventThatIsRefusedChangesNothing) {
  int refused = 0;
  for (int seed = 0; seed < 60 * Times(); ++seed) {
    std::vector<Event> others =
        RunSession(static_cast<uint64_t>(seed) + 1, [](const auto&, const auto&) {});
    Random random(static_cast<uint64_t>(seed));
    RunSession(static_cast<uint64_t>(seed), [&](const Happened& step, const std::vector<Event>&) {
      if (random.Below(4) != 0) return;
      Event other = others[random.Below(static_cast<uint32_t>(others.size()))];
      other.at = step.after.now();
      Table table = step.after;
      if (!table.Apply(other)) return;
      ++refused;
      ASSERT_EQ(AllOf(table), AllOf(step.after)) << ToText(other);
    });
  }
  EXPECT_GT(refused, 300);
}

// --- Catching up ---------------------------------------------------------------------------------

// A hello, and the story before the one in it.
Plain Whole(const Table& table, const Person& who) {
  Plain all = Plain::parse(TellAll(table, who, Asides(table)));
  if (!all.contains("game")) return all;
  Plain& game = all["game"];
  const Plain earlier = Plain::parse(TellStory(table, game["from"], who));
  for (const auto& [list, told] : earlier.items()) {
    Plain joined = told;
    for (const Plain& entry : game[list]) joined.push_back(entry);
    game[list] = joined;
  }
  game["from"] = 0;
  EXPECT_EQ(game["log"].size(), game["actions"]);
  return all;
}

// What a client makes of what it is told. Who gets another seat, or loses it, is told everything
// anew.
class Client {
 public:
  explicit Client(const Plain& hello) : all_(hello) {}

  void Hear(const string& text) {
    const Plain told = Plain::parse(text);
    EXPECT_GT(told["n"], all_["n"]);
    all_["n"] = told["n"];
    for (const char* part : {"table", "clock", "pacts"})
      if (told.contains(part)) all_[part] = told[part];
    if (told.contains("game")) HearGame(told["game"]);
    const Plain& type = told["type"];
    Plain& you = all_["you"];
    if (type == "say") {
      Plain line = told;
      line.erase("type");
      all_["chat"].push_back(line);
    }
    if (type == "mute") {
      Plain& muted = you["muted"];
      std::erase(muted.get_ref<Plain::array_t&>(), told["whom"]);
      if (told["on"] == true) muted.push_back(told["whom"]);
    }
    if (type == "pick" && told["seat"] == you["seat"]) you["pick"] = told["card"];
    if (!all_["table"].contains("draft") || you["seat"].is_null() ||
        all_["table"]["draft"]["picked"][you["seat"].get<size_t>()] == false)
      you.erase("pick");
  }

  const Plain& all() const { return all_; }

 private:
  void HearGame(const Plain& told) {
    if (!all_.contains("game")) {
      EXPECT_EQ(told["from"], 0);
      all_["game"] = told;
      return;
    }
    Plain& game = all_["game"];
    const auto from = told["from"].get<size_t>();
    EXPECT_LE(from, game["log"].size());
    for (const char* list : {"story", "headings"}) {
      std::erase_if(game[list].get_ref<Plain::array_t&>(),
                    [&](const Plain& entry) { return entry["begin"] >= from; });
      for (const Plain& entry : told[list]) game[list].push_back(entry);
    }
    auto& log = game["log"].get_ref<Plain::array_t&>();
    log.resize(from);
    for (const Plain& name : told["log"]) log.push_back(name);
    for (const char* part : {"actions", "final", "view"}) game[part] = told[part];
  }

  Plain all_;
};

// The clock at another moment.
Plain At(Plain clock, int64_t moment) {
  const int64_t passed = moment - clock["at"].get<int64_t>();
  for (Plain& seat : clock["seats"]) {
    if (seat["running"] != true) continue;
    int64_t rest = passed;
    for (const char* part : {"free", "turn", "bank"}) {
      const int64_t left = seat[part], taken = std::min(rest, left);
      seat[part] = left - taken;
      rest -= taken;
    }
  }
  clock["at"] = moment;
  return clock;
}

void ExpectKnows(const Client& client, const Table& table, const Person& who, int64_t heard_from,
                 const std::set<string>& ever_muted) {
  const Plain wanted = Whole(table, who);
  for (const char* part : {"table", "game", "you"})
    ASSERT_EQ(client.all().value(part, Plain()), wanted.value(part, Plain())) << part;
  ASSERT_EQ(client.all().contains("clock"), wanted.contains("clock"));
  if (wanted.contains("clock")) {
    ASSERT_EQ(At(client.all()["clock"], table.now()), wanted["clock"]);
  }
  // What was said to spectators is told to players when it is over, and what the muted have said
  // when they no longer are.
  for (const Plain& line : wanted["chat"]) {
    if (line["n"] <= heard_from || (line["seat"].is_null() && table.Ended()) ||
        ever_muted.contains(line["person"]["id"]))
      continue;
    const Plain& chat = client.all()["chat"];
    ASSERT_NE(std::find(chat.begin(), chat.end(), line), chat.end()) << line;
  }
}

TEST(TableCatchUp, WhatIsToldOneByOneComesToWhatIsToldAtOnce) {
  int compared = 0;
  for (int seed = 0; seed < Sessions(); ++seed) {
    SCOPED_TRACE(seed);
    Random random(static_cast<uint64_t>(seed));
    const Person who = PersonCalled(kEverybody[static_cast<size_t>(seed / 8) % kEverybody.size()]);
    std::optional<Client> client;
    int64_t heard_from = 0;
    std::set<string> ever_muted;
    RunSession(static_cast<uint64_t>(seed), [&](const Happened& step, const std::vector<Event>&) {
      const Seat seat = step.after.SeatOf(who.id);
      for (const auto& [by, whom] : step.after.mutes())
        if (by == who.id) ever_muted.insert(whom);
      if (!client || step.before.SeatOf(who.id) != seat || random.Below(60) == 0) {
        client.emplace(Whole(step.after, who));
        heard_from = step.after.number();
        return;
      }
      if (!MayHear(step.before, step.event, step.after, who, Asides(step.after))) return;
      client->Hear(TellEvent(step.before, step.event, step.after, seat));
      const bool usual = std::holds_alternative<event::Act>(step.event.body) ||
                         std::holds_alternative<event::Say>(step.event.body);
      if (usual && random.Below(8) != 0) return;
      ExpectKnows(*client, step.after, who, heard_from, ever_muted);
      ++compared;
    });
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(compared, 2000);
}

// The second of two cards that are told together is taken back.
TEST(TableCatchUp, PartOfWhatIsToldTogetherMayBeTakenBack) {
  Sitting at;
  at.Begin("S1 S1 S1 R1 R1 R1 M1 M1 M1 M1 M1 M1 M1 M1");
  at.Act("Ada", "play S1, breakthrough");
  ASSERT_EQ(at.Act("Ada", "discard M1, discard M1, discard M1"), "");
  Client client(Whole(at.table, PersonCalled("Bob")));
  const Table before = at.table;
  ASSERT_EQ(at.Back("Ada", 4), "");
  client.Hear(TellEvent(before, at.log.back(), at.table, 1));
  ExpectKnows(client, at.table, PersonCalled("Bob"), 0, {});
}

// Of two fields with one name a client would see only one.
void ExpectNoFieldTwice(const string& text) {
  std::vector<std::set<string>> open;
  const Json told = Json::parse(text, [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key) {
      EXPECT_TRUE(open.back().insert(parsed.get<string>()).second) << parsed << " in " << text;
    }
    return true;
  });
}

TEST(TableTell, NoFieldIsTwiceInOneText) {
  for (int seed = 0; seed < 40 * Times(); ++seed)
    RunSession(static_cast<uint64_t>(seed), [&](const Happened& step, const std::vector<Event>&) {
      ExpectNoFieldTwice(ToText(step.event));
      ExpectNoFieldTwice(TellEvent(step.before, step.event, step.after, kSpectator));
      if (step.after.number() % 16 == 0)
        ExpectNoFieldTwice(TellAll(step.after, PersonCalled("Ada")));
    });
}

// --- What is nobody's business -------------------------------------------------------------------

TEST(TableTell, NoTextOfARunningGameHasTheSecretOrTheDeck) {
  for (int seed = 0; seed < Sessions() / 4; ++seed)
    RunSession(static_cast<uint64_t>(seed), [&](const Happened& step, const std::vector<Event>&) {
      if (step.after.status() == Status::Over) return;
      const string& who = kEverybody[static_cast<size_t>(step.after.number()) % kEverybody.size()];
      string told = TellAll(step.after, PersonCalled(who)) + TellSummary("t", step.after).dump();
      if (step.after.HasGame())
        told += TellStory(step.after, step.after.actions().size(), PersonCalled(who));
      for (const Seat viewer : {Seat{0}, Seat{1}, kSpectator})
        told += TellEvent(step.before, step.event, step.after, viewer);
      ASSERT_EQ(told.find(SecretOf('a')), told.npos);
      ASSERT_EQ(told.find("\"deck\":["), told.npos);
    });
}

}  // namespace
}  // namespace civ::sitting
