#include "tests/simulation/audit.h"

#include <algorithm>

#include "civ/notation/talk.h"
#include "civ/server/ids.h"
#include "tests/simulation/twin.h"

namespace civ::simulation {
namespace {

std::string NameOfCause(const std::string& person, const std::string& command,
                        const std::string& id) {
  return person + ' ' + command + ' ' + id;
}

// Commands that may be right as they are, so that nothing has to be stored.
bool NeedsNoEvent(const std::string& command) {
  return command == "pick" || command == "answer" || command == "take-back" ||
         command == "return" || command == "mute";
}

bool ChangesTheGame(const Event& event) {
  return std::holds_alternative<event::Act>(event.body) ||
         std::holds_alternative<event::Pick>(event.body) ||
         std::holds_alternative<event::Back>(event.body) ||
         std::holds_alternative<event::Deal>(event.body) ||
         std::holds_alternative<event::Leave>(event.body) ||
         std::holds_alternative<event::Return>(event.body) ||
         std::holds_alternative<event::Forfeit>(event.body) ||
         std::holds_alternative<event::Close>(event.body);
}

// Whether the pacts are what follows from what was said.
bool HasItsPacts(const Table& table) {
  return table.said().empty() ||
         table.pacts() == FoldTalk(table.States(), table.actions(), table.said());
}

}  // namespace

Audit::Audit(const Databases& databases) : databases_(databases), stage_(databases.front()->stage) {
  for (size_t i = 0; i < databases.size(); ++i)
    databases[i]->on_stored = [this, i](const std::vector<Addition>& additions) {
      for (const Addition& added : additions) {
        if (ShardOf(added.table) != i) Fail(added.table + " is in another database");
        Stored(added);
      }
    };
}

void Audit::Fail(const std::string& what) {
  stage_.Trace("WRONG: " + what);
  if (fault_.empty()) fault_ = "at " + std::to_string(stage_.now()) + ": " + what;
}

const Audit::History* Audit::Find(const std::string& table) const {
  const auto found = histories_.find(table);
  return found == histories_.end() ? nullptr : &found->second;
}

void Audit::Stored(const Addition& added) {
  History& history = histories_[added.table];
  if (added.expected != history.length()) Fail("the log of " + added.table + " has a gap");
  for (const std::string& text : added.events) {
    ++stored;
    stage_.Trace("stored " + added.table + ' ' + std::to_string(history.length() + 1) + ' ' + text);
    const Expected<Event> event = EventFromText(text);
    if (!event) return Fail("an event that cannot be read: " + text);
    Table table = history.tables.empty() ? Table() : history.now();
    if (const auto wrong = table.Apply(*event))
      return Fail("an event that cannot happen: " + wrong->key + ' ' + text);
    if (std::holds_alternative<event::Back>(event->body) && !HasItsPacts(table))
      Fail("other pacts than were made: " + text);
    history.events.push_back(*event);
    history.tables.push_back(std::move(table));
    history.stored_at.push_back(stage_.now());
    if (stage_.twin != nullptr) stage_.twin->Stored(added.table, history.now());
    const Cause& cause = event->cause;
    if (cause.id.empty()) continue;
    const std::string name = NameOfCause(cause.person, cause.command, cause.id);
    if (!history.causes.emplace(name, history.length()).second)
      Fail("twice in " + added.table + ": " + name);
  }
  history.last = added;
  history.last.events.clear();
  Jobs(added, history.now());
}

// Only of a table that is open, only for a bot that has to decide, and with its view only.
void Audit::Jobs(const Addition& added, const Table& table) {
  const auto turns = table.BotTurns();
  for (const Job& job : added.jobs) {
    const std::string name = "the job of " + job.table + " seat " + std::to_string(job.seat);
    const auto asks = [&](const Table::BotTurn& turn) { return turn.seat == job.seat; };
    if (job.table != added.table || std::ranges::none_of(turns, asks)) Fail(name + " is of nobody");
    if (stage_.twin != nullptr)
      stage_.twin->Hears(stage_.now(), job.table, Twin::NameOfSeat(job.seat), job.question);
    if (job.question.find(table.secret()) != std::string::npos) Fail(name + " tells the secret");
    const Expected<Json> question = ParseJson(job.question);
    if (!question || !question->contains("view"))
      return Fail(name + " has no view: " + job.question);
    const auto& history = histories_[added.table];
    const auto builds = static_cast<size_t>(job.builds);
    if (job.builds < 1 || builds > history.tables.size()) return Fail(name + " builds on nothing");
    if ((*question)["view"] !=
        ToJson(history.tables[builds - 1].ViewFor(static_cast<Seat>(job.seat))))
      Fail(name + " has not the seat's view");
    if (table.HasTalk() != question->contains("pacts") ||
        (table.HasTalk() && (*question)["pacts"] != ToJson(table.pacts())))
      Fail(name + " has not the pacts that there are");
  }
}

void Audit::Told(const std::string& table, const Person& person, const std::string& text) {
  ++told;
  if (stage_.twin != nullptr) stage_.twin->Hears(stage_.now(), table, person.id, text);
  const std::string_view type = std::string_view(text).substr(0, 16);
  stage_.Trace("told " + person.name + " of " + table + ' ' + text.substr(0, 60));
  if (type.starts_with(R"({"type":"pong")") || type.starts_with(R"({"type":"presen)")) return;
  const auto found = histories_.find(table);
  if (found == histories_.end()) return Fail("told of no table: " + text);
  History& history = found->second;
  if (type.starts_with(R"({"type":"ack")") || type.starts_with(R"({"type":"refuse)"))
    return Answered(table, person, Json::parse(text));
  if (type.starts_with(R"({"type":"hello")")) return ToldAll(history, person, Json::parse(text));
  const size_t number = text.find(R"(","n":)");
  if (number == std::string::npos || number > 24)
    return ToldLine(history, person, Json::parse(text));
  ToldEvent(history, std::stoll(text.substr(number + 6, 12)), person, text);
}

void Audit::Answered(const std::string& table, const Person& person, const Json& answer) {
  const auto found = sent_.find(answer["id"].get<std::string>());
  if (found == sent_.end()) return Fail("an answer to nothing: " + answer.dump());
  const Sent& sent = found->second;
  if (sent.table != table || sent.person != person.id) return Fail("an answer to another");
  const History& history = histories_.at(table);
  if (answer["n"].get<int64_t>() > history.length())
    return Fail("told of an event that is not stored: " + answer.dump());
  const bool there = history.causes.contains(NameOfCause(sent.person, sent.name, found->first));
  if (answer["type"] == "refused") {
    if (there) Fail("refused although it is stored: " + answer.dump());
    return Refused(sent, answer);
  }
  ++acknowledged;
  const bool aside = sent.name == "say" && history.now().SeatOf(person.id) == kSpectator;
  if (!there && !NeedsNoEvent(sent.name) && !aside)
    Fail("acknowledged and not stored: " + sent.name + ' ' + answer.dump());
}

// Nobody is told that the game has gone on if it has not.
void Audit::Refused(const Sent& sent, const Json& answer) {
  if (answer["error"]["key"] != "error.stale") return;
  const std::vector<Event>& events = histories_.at(sent.table).events;
  for (auto i = static_cast<size_t>(std::max<int64_t>(0, sent.builds)); i < events.size(); ++i)
    if (ChangesTheGame(events[i])) return;
  Fail("refused without cause: " + sent.name + " on " + std::to_string(sent.builds) + ' ' +
       answer.dump());
}

// What was said beside the log is not in it, so it is left out.
void Audit::ToldAll(const History& history, const Person& person, Json hello) {
  const int64_t number = hello["n"];
  if (number < 1 || number > history.length()) return Fail("told of a table that is not stored");
  const Table& table = history.tables[static_cast<size_t>(number - 1)];
  Json right = Json::parse(TellAll(table, person));
  const bool hears = table.Ended() || table.SeatOf(person.id) == kSpectator;
  for (const Json& line : hello["chat"])
    if (line["seat"].is_null() && !hears) Fail("a player hears a spectator: " + line.dump());
  for (Json* all : {&hello, &right}) {
    all->erase("chat");
    (*all)["you"].erase("muted");
    (*all)["you"]["person"].erase("name");  // people are renamed
  }
  if (hello != right) Fail("not the table as it is stored: " + hello.dump() + "\n" + right.dump());
}

void Audit::ToldEvent(History& history, int64_t number, const Person& person,
                      const std::string& text) {
  if (number < 2 || number > history.length())
    return Fail("told of an event that is not stored: " + text);
  const auto at = static_cast<size_t>(number - 1);
  const Table &before = history.tables[at - 1], &after = history.tables[at];
  if (!MayHear(before, history.events[at], after, person))
    return Fail("told what is not for " + person.name + ": " + text);
  const Seat seat = after.SeatOf(person.id);
  std::string& right = history.told[{number, seat}];
  if (right.empty()) right = TellEvent(before, history.events[at], after, seat);
  if (text != right) Fail("not as it is stored: " + text + "\n" + right);
}

void Audit::ToldLine(const History& history, const Person& person, const Json& line) {
  if (line["type"] != "say" && line["type"] != "mute") return Fail("what is that: " + line.dump());
  if (line["type"] == "say" && !history.now().Ended() &&
      history.now().SeatOf(person.id) != kSpectator)
    Fail("a player hears a spectator: " + line.dump());
}

void Audit::Replays() {
  for (const auto& [id, history] : histories_) {
    if (databases_[ShardOf(id)]->Log(id).size() != history.events.size())
      Fail("the log of " + id + " is another");
    const Expected<Table> table = Table::FromLog(history.events);
    if (!table) return Fail("the log of " + id + " does not replay");
    if (!HasItsPacts(*table)) Fail(id + " has other pacts than were made");
    if (history.last.listing.open == table->Ended()) Fail(id + " is listed as what it is not");
    if (table->Ended() && (history.last.due || !history.last.jobs.empty()))
      Fail(id + " is over and still waited for");
    if (!table->Ended() && table->NextDue({}) && !history.last.due)
      Fail(id + " runs out of time, and nobody looks");
  }
}

void Audit::Hints(const std::set<std::string>& texts) {
  for (const auto& [id, history] : histories_)
    for (const std::string& text : texts)
      if (!history.now().secret().empty() && text.find(history.now().secret()) != std::string::npos)
        Fail("a secret on the bus: " + text);
}

}  // namespace civ::simulation
