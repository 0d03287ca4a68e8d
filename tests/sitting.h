// A table in a test, with the log that it comes from and a time that stands still unless it is
// moved.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "civ/notation/notation.h"
#include "civ/table/asides.h"
#include "civ/table/table.h"
#include "civ/table/tell.h"
#include "tests/support.h"
#include "tests/table_options.h"

namespace civ::sitting {

using test::DeckFrom;
using test::For;
using test::Split;

inline Person PersonCalled(const std::string& name) { return {"p_" + name, name}; }

// Those who sit on the seats, in this order; everybody else is a spectator.
inline const std::vector<std::string> kNames = {"Ada", "Bob", "Cyd", "Dan"};

inline std::string SecretOf(char digit) { return std::string(kSecretDigits, digit); }

struct Sitting {
  Table table;
  Asides asides;
  std::vector<Event> log;
  int64_t now = 1000;
  Table::Absences absent{};

  explicit Sitting(const TableOptions& options = {}) {
    Take(Table::Open(options, PersonCalled("Ada"), {}, now));
  }

  // What is wrong, or "".
  std::string Take(Expected<Change> change) {
    if (!change) return change.error().key;
    EXPECT_EQ(change->tables.size(), change->events.size());
    for (const Event& event : change->events) log.push_back(event);
    if (!change->tables.empty()) table = std::move(change->tables.back());
    return "";
  }
  std::string Do(const std::string& who, CommandBody body, const std::string& id = "") {
    if (Asides::Takes(table, PersonCalled(who), body)) return DoAside(PersonCalled(who), body);
    return Take(table.Do(PersonCalled(who), {id, std::move(body)}, now, {SecretOf('a'), "next"}));
  }
  std::string DoAside(const Person& who, const CommandBody& body) {
    if (const auto* mute = std::get_if<command::Mute>(&body)) {
      const std::optional<Error> wrong = asides.Mute(table, who, *mute);
      return wrong ? wrong->key : "";
    }
    asides.Say(table, who, std::get<command::Say>(body), now);
    return "";
  }
  // Actions as they are written, with a comma between them, built on what there is now.
  std::string Act(const std::string& who, std::string_view actions) {
    return ActOn(table.number(), who, actions);
  }
  std::string ActOn(int64_t builds, const std::string& who, std::string_view actions) {
    command::Act act{builds, {}};
    for (const std::string& name : Split(actions, ", ")) act.actions.push_back(*ParseAction(name));
    return Do(who, act);
  }
  std::string Back(const std::string& who, int to) {
    return Do(who, command::TakeBack{table.number(), to});
  }
  // To the question that there is.
  std::string Answers(const std::string& who, bool yes) {
    return Do(who, command::Answer{table.question() ? table.question()->number : 0, yes});
  }
  std::string Pick(const std::string& who, int round, std::string_view card) {
    return Do(who, command::Pick{round, *ParseKind(card)});
  }
  std::string Bot(Seat seat, std::string_view action) {
    return Take(table.BotActs(seat, table.number(), *ParseAction(action), now));
  }

  // Events as they are, without a command.
  std::string Happen(EventBody body) {
    const Event event{now, std::move(body)};
    if (const std::optional<Error> wrong = table.Apply(event)) return wrong->key;
    log.push_back(event);
    return "";
  }
  // What is due at this moment, as the types of its events: "leave forfeit".
  std::string Due() {
    std::string types;
    if (const auto change = table.Due(now, absent)) {
      for (const Event& event : change->events)
        types += (types.empty() ? "" : " ") + std::string(NameOf(event.body));
      Take(*change);
    }
    return types;
  }

  // Everybody sits down, bots on the seats of `bots`, and the game begins with this deck and seat
  // 0.
  Sitting& Begin(const std::vector<Kind>& deck, unsigned bots = 0) {
    for (Seat seat = 1; seat < table.chairs().size(); ++seat)
      EXPECT_EQ((bots >> seat & 1) != 0 ? Do("Ada", command::SeatBot{seat, "level1"})
                                        : Do(kNames[seat], command::Sit{seat}),
                "");
    EXPECT_EQ(Do("Ada", command::Start{}), "");
    EXPECT_EQ(Happen(event::Deal{0, deck}), "");
    return *this;
  }
  Sitting& Begin(std::string_view first_cards = "", unsigned bots = 0) {
    return Begin(DeckFrom(static_cast<int>(table.chairs().size()), first_cards), bots);
  }

  const State& state() const { return table.game().state; }
  int actions() const { return static_cast<int>(table.actions().size()); }
  Json Tell(const std::string& who) const {
    return Json::parse(TellAll(table, PersonCalled(who), asides));
  }
};

// Ada has three Science and Bob three Religion cards; what follows is Military.
inline constexpr const char* kScienceAndReligion = "S1 S1 S1 R1 R1 R1 M1 M1 M1 M1 M1 M1 M1 M1";

inline TableOptions WithClock(int players, int turn, int bank, int increment,
                              Setup setup = Setup::Basic) {
  TableOptions options = For(players, setup);
  options.clock = TimeControl{turn, bank, increment};
  return options;
}
inline TableOptions WithTakebacks(int players, Takebacks takebacks) {
  TableOptions options = For(players);
  options.takebacks = takebacks;
  return options;
}

inline std::string ChairOf(const Sitting& at, size_t seat) {
  const Chair& chair = at.table.chairs()[seat];
  return chair.person        ? chair.person->name + (chair.bot.empty() ? "" : "/" + chair.bot)
         : chair.bot.empty() ? "-"
                             : chair.bot;
}
inline std::string Chairs(const Sitting& at) {
  std::string all;
  for (size_t seat = 0; seat < at.table.chairs().size(); ++seat)
    all += (seat == 0 ? "" : " ") + ChairOf(at, seat);
  return all;
}
inline std::string WonBy(const Sitting& at) { return at.table.Result().dump(); }

}  // namespace civ::sitting
