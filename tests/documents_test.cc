// docs/api.md and docs/table-log.md against the code: what they show can be read, and is what the
// code writes.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "civ/notation/notation.h"
#include "civ/table/tell.h"

namespace civ {
namespace {

using Strings = std::vector<std::string>;

std::string Document(const char* name) {
  std::ostringstream text;
  text << std::ifstream(std::filesystem::path(CIV_TESTS_DIR) / ".." / "docs" / name).rdbuf();
  return text.str();
}

// What stands between ```json and ```, by the word after json.
std::string Block(const std::string& document, const std::string& name) {
  const std::string begin = "```json " + name + "\n";
  const size_t from = document.find(begin);
  if (from == document.npos) return {};
  return document.substr(from + begin.size(),
                         document.find("```", from + begin.size()) - from - begin.size());
}

Strings Lines(const std::string& text) {
  Strings lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string TypeIn(const std::string& text) { return ParseJson(text)->value("type", "none"); }

TEST(Documents, EveryEventOfALogIsReadAndWritten) {
  std::set<size_t> types;
  for (const std::string& line : Lines(Block(Document("table-log.md"), "log"))) {
    const Expected<Event> event = EventFromText(line);
    ASSERT_TRUE(event) << line;
    EXPECT_EQ(ToText(*event), line);
    types.insert(event->body.index());
  }
  EXPECT_EQ(types.size(), std::variant_size_v<EventBody>);
}

TEST(Documents, EveryCommandIsUnderstood) {
  std::set<size_t> types;
  for (const std::string& line : Lines(Block(Document("api.md"), "commands"))) {
    std::string id;
    const Expected<Command> command = CommandFromText(line, id);
    ASSERT_TRUE(command) << line;
    types.insert(command->body.index());
  }
  EXPECT_EQ(types.size(), std::variant_size_v<CommandBody>);
}

const Person kHost = {"p_Hk2vXw", "Ada"}, kGuest = {"p_9sQd4T", "Ben"},
             kWatcher = {"p_Zr71mB", "Cleo"};
const std::string kSecret = "6b85ef3dff7bb6fea77cd2b8662cb19b7a6895139e8e86e307e1875e456dab7e";
const std::string kNumberOfAda = "99a563ab2f6e21e96998f9fddd2a2bab82b70ac019579502b8d7fc0032ff62bb";
const std::string kNumberOfBen = "030d756286e59f22a464c36e1fbff606a795dfc70aaf0108bd86f2aa193d05f4";

// A table, and all that was told there: to the seats, and to those who watch.
class Transcript {
 public:
  explicit Transcript(TableOptions options) { Take(Table::Open(std::move(options), kHost, {}, 0)); }

  const Table& table() const { return table_; }

  void Do(const Person& who, const std::string& command) {
    std::string id;
    now_ += 1500;
    const Expected<Command> read = CommandFromText(command, id);
    ASSERT_TRUE(read) << command;
    Take(table_.Do(who, *read, now_, {.secret = kSecret, .rematch = "n4kq7w2hy8sbd3ze"}));
  }
  void Take(const Expected<Change>& change) {
    ASSERT_TRUE(change) << change.error().key;
    for (size_t i = 0; i < change->events.size(); ++i) {
      if (table_.number() > 0) Tell(change->events[i], change->tables[i]);
      table_ = change->tables[i];
    }
  }
  // Whoever decides does the first thing there is.
  void Act() {
    const Seat seat = table_.game().state.seat;
    const Action action = Legal(table_.game().state)[0];
    if (!table_.chairs()[seat].bot.empty())
      return Take(table_.BotActs(seat, table_.number(), action, now_ += 1500));
    Do(*table_.chairs()[seat].person, Json{{"type", "act"},
                                           {"id", "a1"},
                                           {"builds", table_.number()},
                                           {"actions", {NameOf(action)}}}
                                          .dump());
  }

  Strings to_ada, to_all;

 private:
  void Tell(const Event& event, const Table& after) {
    for (const Person& viewer : {kHost, kGuest, kWatcher}) {
      if (!MayHear(table_, event, after, viewer)) continue;
      to_all.push_back(TellEvent(table_, event, after, after.SeatOf(viewer.id)));
      if (viewer == kHost) to_ada.push_back(to_all.back());
    }
  }

  Table table_;
  int64_t now_ = 0;
};

TableOptions Options(int players, Setup setup, bool clock) {
  TableOptions options;
  options.config = {static_cast<uint8_t>(players), setup, Edition::En, false, 0};
  if (clock) options.clock = TimeControl{60, 600, 10};
  return options;
}

void Begin(Transcript& told) {
  told.Do(kHost, R"({"type":"start"})");
  told.Do(kHost, R"({"type":"contribute","random":")" + kNumberOfAda + R"("})");
  told.Do(kGuest, R"({"type":"contribute","random":")" + kNumberOfBen + R"("})");
}

struct Everything {
  std::string hello;
  Strings to_ada, to_all;
};

// Three tables at which everything happens that can.
Everything TellEverything() {
  Transcript game(Options(3, Setup::Basic, true));
  game.Do(kGuest, R"({"type":"sit","seat":1})");
  game.Do(kHost, R"({"type":"seat-bot","seat":2,"bot":"level3"})");
  game.Do(kHost, R"({"type":"unseat","seat":2})");
  game.Do(kHost, R"({"type":"seat-bot","seat":2,"bot":"level3"})");
  game.Do(kGuest, R"({"type":"say","text":"Hello everybody!"})");
  game.Do(kGuest, R"({"type":"say","phrase":"good-luck"})");
  Begin(game);
  game.Act();
  game.Do(kGuest, R"({"type":"talk","talk":{"say":"truce","to":[0],"rounds":2}})");
  const std::string hello = TellAll(game.table(), kHost);
  const auto take_back = [&](const Person& who) {
    game.Do(who, Json{{"type", "take-back"},
                      {"builds", game.table().number()},
                      {"to", game.table().actions().size() - 1}}
                     .dump());
  };
  const auto agree = [&] {
    game.Do(kHost,
            Json{{"type", "answer"}, {"question", game.table().number()}, {"yes", true}}.dump());
  };
  take_back(kGuest);
  agree();
  game.Act();
  take_back(kHost);
  game.Act();
  take_back(kGuest);
  for (int i = 0; i < 6 || !game.table().pacts().offers.empty(); ++i)
    game.Act();  // the first of them leaves the question without an object
  game.Do(kGuest, R"({"type":"abandon"})");
  game.Do(kGuest, R"({"type":"return"})");
  agree();
  game.Do(kGuest, R"({"type":"resign"})");
  game.Do(kHost, R"({"type":"resign"})");
  game.Do(kHost, R"({"type":"rematch"})");

  Transcript draft(Options(2, Setup::Draft, true));
  draft.Do(kGuest, R"({"type":"sit","seat":1})");
  Begin(draft);
  for (const Person& who : {kGuest, kHost}) {
    const Seat seat = draft.table().SeatOf(who.id);
    const Kind card = Legal(draft.table().ViewFor(seat))[0].kind();
    draft.Do(who, Json{{"type", "pick"}, {"round", 1}, {"card", NameOf(card)}}.dump());
  }
  draft.Take(draft.table().Renames({kGuest.id, "Benjamin"}, 20'000));
  draft.Do(kGuest, R"({"type":"resign"})");

  Transcript closed(Options(4, Setup::Basic, false));
  closed.Take(closed.table().CloseBy("closing.idle", 86'400'000));

  Everything everything{hello, {}, {}};
  for (const Transcript* told : {&game, &draft, &closed}) {
    everything.to_ada.insert(everything.to_ada.end(), told->to_ada.begin(), told->to_ada.end());
    everything.to_all.insert(everything.to_all.end(), told->to_all.begin(), told->to_all.end());
  }
  return everything;
}

// The large parts are shown once, in hello.
std::string Short(const std::string& message) {
  Json json = *ParseJson(message);
  for (const char* part : {"table", "clock", "game", "pacts"})
    if (json.contains(part) && json[part].is_object()) json[part] = "…";
  return json.dump();
}

TEST(Documents, MessagesAreShownAsTheyAreSent) {
  const Everything everything = TellEverything();
  const std::string document = Document("api.md");
  std::set<std::string> shown;
  Strings expected;
  for (const std::string& message : everything.to_ada)
    if (shown.insert(TypeIn(message)).second) expected.push_back(Short(message));
  EXPECT_EQ(shown.size(),
            std::variant_size_v<EventBody> - 2);  // nobody is there when a table is made, and mutes
                                                  // are in old logs only
  EXPECT_EQ(Lines(Block(document, "messages")), expected);
  const Expected<Json> hello = ParseJson(Block(document, "hello"));
  ASSERT_TRUE(hello);
  EXPECT_EQ(hello->dump(), ParseJson(everything.hello)->dump());
}

// The table of messages names each field that is ever sent, and no other.
TEST(Documents, EveryFieldIsNamed) {
  std::map<std::string, std::set<std::string>> sent, named;
  const Everything everything = TellEverything();
  for (const std::string& message : everything.to_all) {
    const Json json = *ParseJson(message);
    for (const auto& [field, value] : json.items()) sent[TypeIn(message)].insert(field);
  }
  for (auto& [type, fields] : sent) {
    fields.erase("type");
    fields.erase("n");
  }
  const std::string document = Document("api.md");
  for (const std::string& line : Lines(document.substr(document.find("| message | fields |")))) {
    if (!line.starts_with("| `")) continue;
    std::set<std::string> words;
    std::istringstream cells(line);
    std::string type, cell, word;
    std::getline(cells, type, '|');
    std::getline(cells, type, '|');
    type = type.substr(2, type.size() - 4);
    std::getline(cells, cell, '|');
    for (std::istringstream in(cell); std::getline(in, word, '`');)
      if (std::getline(in, word, '`')) words.insert(word);
    named[type] = words;
  }
  EXPECT_EQ(named, sent);
}

TEST(Documents, AnswersAreShownAsTheyAreSent) {
  const Strings shown = Lines(Block(Document("api.md"), "answers"));
  ASSERT_EQ(shown.size(), 2u);
  EXPECT_EQ(shown[0], TellStored("Fbn7j3AS", 42));
  EXPECT_EQ(shown[1], TellRefused("3JYMq3Y6", 42, {"error.table.not-in-pack", {{"card", "S1"}}}));
}

TEST(Documents, WhatHasNoNumberIsShownAsItIsSent) {
  const Strings shown = Lines(Block(Document("api.md"), "asides"));
  Asides asides;
  const Table table = Table::Open({}, kHost, {}, 0)->tables.back();
  const Asides::Line& line = asides.Say(table, kWatcher, {"Well done!", {}}, int64_t{1} << 37);
  ASSERT_EQ(shown.size(), 2u);
  EXPECT_EQ(shown[0], TellLine(line.place, line.said));
  EXPECT_EQ(shown[1], TellMute({"p_9sQd4T", true}));
}

TEST(Documents, OptionsAreTheDefaults) {
  const Expected<Json> shown = ParseJson(Block(Document("api.md"), "options"));
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->dump(), ToJson(TableOptions()).dump());
}

}  // namespace
}  // namespace civ
