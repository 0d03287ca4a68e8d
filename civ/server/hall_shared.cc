// What other processes do with the same store: their events are read and told here, and what is due
// is done by whoever takes it.
#include <algorithm>
#include <charconv>
#include <tuple>

#include "civ/notation/notation.h"
#include "civ/server/hall_impl.h"
#include "civ/server/listing.h"
#include "civ/server/replay.h"
#include "civ/table/tell.h"

namespace civ {
namespace {

constexpr int64_t kHere = 30'000;     // milliseconds of service that a note of somebody's holds
constexpr int64_t kBusWell = 60'000;  // after which all processes have said who is there
constexpr int64_t kHold = 5'000;      // for what is due, and for bots' answers
constexpr int kMostDue = 64, kMostAnswers = 64;

std::string PlaceOf(const std::string& table) { return "here." + table; }
std::string MutesOf(const std::string& table) { return "mutes." + table; }

// Until when somebody was there by any of the processes but one; nothing if that is not known.
std::optional<int64_t> LastThere(const Bus::Notes& notes, const std::string& person,
                                 std::string_view except = {}) {
  std::optional<int64_t> last;
  for (const auto& [who, until] : notes) {
    const size_t at = who.find('@');
    if (std::string_view(who).substr(0, at) != person) continue;
    if (!except.empty() && std::string_view(who).substr(at + 1) == except) continue;
    last = std::max(last.value_or(until), until);
  }
  return last;
}

Json AsideToJson(const LiveTable::Aside& aside) {
  return {{"place", aside.place}, {"event", ToText({0, aside.body})}};
}

std::optional<LiveTable::Aside> AsideFromJson(const Json& json) {
  Reader from(json);
  const Expected<Event> event = EventFromText(from.Text("event"));
  if (!from.ok() || !event) return std::nullopt;
  return LiveTable::Aside{json.value("place", 0.0), event->body};
}

}  // namespace

// --- What is stored

void Hall::Impl::CatchUp(LiveTable& table, std::function<void(bool)> then) {
  table.behind = false;
  const auto read = [this, &table, newest = last_client,
                     then = std::move(then)](const Expected<std::optional<StoredTail>>& tail) {
    if (!tail) {
      LogAt(table, "error", "store.failed", {{"error", tail.error().key}});
      return then(false);
    }
    const int64_t length = *tail ? (*tail)->length : 0;
    const bool other =
        length >= table.number() && store.shared() && TextHash((*tail)->events[0]) != table.last;
    if (length < table.number() || other) {
      // What was acknowledged is gone: a database has gone back to an earlier moment.
      ++figures.shorter;
      LogAt(table, "error", "store.shorter", {{"known", table.number()}, {"stored", length}});
      return Drop(table, {"closing.database", {}});
    }
    for (size_t i = 1; i < (*tail)->events.size(); ++i)
      if (const std::optional<Error> wrong = Follow(table, (*tail)->events[i])) {
        LogAt(table, "error", "table.unreadable", {{"error", wrong->key}});
        return Drop(table, wrong->key == kNewerLog ? *wrong : UnknownTable());
      }
    table.HasCaughtUp(newest);
    table.behind = table.behind || table.IsBehindGuests();
    SendAway(table);
    then(true);
  };
  store.Tail(table.id, table.number(), Guarded(read));
}

void Hall::Impl::CatchUpSurely(LiveTable& table, std::function<void(bool)> then) {
  CatchUp(table, [this, &table, then = std::move(then)](bool read) {
    if (read || stopping) return then(read);
    Later(options.retry, [this, &table, then] { CatchUpSurely(table, then); });
  });
}

std::optional<Error> Hall::Impl::Follow(LiveTable& table, const std::string& text) {
  const Expected<Event> event = EventFromText(text);
  if (!event) return event.error();
  Table after = table.now();
  if (std::optional<Error> wrong = after.Apply(*event)) return wrong;
  if (after.Ended()) more_ended = true;
  table.Learn(*event);
  table.Happens(*event, std::move(after));
  table.last = TextHash(text);
  return std::nullopt;
}

void Hall::Impl::CatchUpSoon(LiveTable& table) {
  table.behind = true;
  if (table.busy) return;
  Begin(table);
  CatchUp(table, [this, &table](bool) { Finish(table); });
}

void Hall::Impl::LookUp(LiveTable& table, const std::shared_ptr<Pending>& pending) {
  const auto read = [this, &table, pending](const Expected<std::optional<StoredTail>>& tail) {
    // Nobody is told anything before it is known.
    if (!tail) return Later(options.retry, [this, &table, pending] { LookUp(table, pending); });
    const std::vector<Event>& events = pending->change.events;
    bool stored = *tail && (*tail)->events.size() >= events.size();
    for (size_t i = 0; stored && i < events.size(); ++i)
      stored = (*tail)->events[i] == ToText(events[i]);
    if (stored) {
      table.behind = (*tail)->events.size() > events.size();
      return Appended(table, pending, Stored::Stored);
    }
    if (pending->begins) Created(*pending->begins, Stored::Failed);
    CatchUp(table, [this, &table, pending](bool) {
      pending->then(Stored::Unknown);
      Finish(table);
    });
  };
  ++figures.unknown;
  store.Tail(table.id, table.number() + 1, Guarded(read));
}

void Hall::Impl::LookUpNew(const std::shared_ptr<NewTable>& made, const Opened& then) {
  ++figures.unknown;
  store.Tail(made->id, 1,
             Guarded([this, made, then](const Expected<std::optional<StoredTail>>& tail) {
               if (!tail) return Later(options.retry, [=, this] { LookUpNew(made, then); });
               Settle(made, then, *tail ? Stored::Stored : Stored::Failed);
             }));
}

// --- Hints

void Hall::Impl::Subscribe(LiveTable& table) {
  table.shared = true;
  table.follows =
      bus.Subscribe(TopicOf(table.id),
                    Guarded([this, id = table.id](const std::string& text) { Hint(id, text); }));
}

void Hall::Impl::Hint(const std::string& id, const std::string& text) {
  LiveTable* table = Find(id);
  if (table == nullptr) return;
  if (text == "here") return ReadPresence(id);
  if (text == "answer") return TakeAnswers(id);
  if (text.starts_with("came ")) return SomebodyCame(*table, text.substr(5));
  if (text.starts_with("aside ")) return HearAsides(*table, text.substr(6));
  if (text.starts_with("asks ")) return TellEarlier(*table, text.substr(5));
  int64_t length = 0;
  std::from_chars(text.data(), text.data() + text.size(), length);
  if (length > table->number()) CatchUpSoon(*table);
}

void Hall::Impl::CompareLengths() {
  std::vector<std::string> ids;
  for (const auto& [id, table] : tables)
    if (table->loaded()) ids.push_back(id);
  compared = hooks.now();
  if (ids.empty()) return;
  comparing = true;
  store.Lengths(ids, Guarded([this, ids](const Expected<std::vector<int64_t>>& lengths) {
                  comparing = false;
                  if (!lengths) return;
                  for (size_t i = 0; i < ids.size(); ++i)
                    if (LiveTable* table = Find(ids[i]);
                        table != nullptr && table->loaded() && (*lengths)[i] != table->number())
                      CatchUpSoon(*table);
                }));
}

// --- Who is here

void Hall::Impl::Came(const LiveTable& table, const std::string& person) {
  bus.Note(PlaceOf(table.id), person + '@' + hooks.name, Now() + kHere);
  bus.Publish(TopicOf(table.id), "came " + std::to_string(Now()) + ' ' + person + '@' + hooks.name);
  bus.Publish(TopicOf(table.id), "here");
}

void Hall::Impl::Went(const LiveTable& table, const std::string& person) {
  bus.Note(PlaceOf(table.id), person + '@' + hooks.name, Now());
  bus.Publish(TopicOf(table.id), "here");
}

void Hall::Impl::TellPresence() {
  told_presence = hooks.now();
  for (const auto& [id, table] : tables) {
    if (table->guests().empty()) continue;
    for (const LiveTable::Guest& guest : table->guests())
      bus.Note(PlaceOf(id), guest.person.id + '@' + hooks.name, Now() + kHere);
    ReadPresence(id);
    if (table->loaded() && !table->mutes().empty()) ReadMutes(id);
    if (!bus_well && table->loaded()) PutOff(*table);
  }
}

void Hall::Impl::PutOff(LiveTable& table) {
  const int64_t absence = 1000LL * table.now().options().absence;
  const bool matters = absence > 0 && table.now().status() == Status::Running;
  if (!matters || Now() < table.put_off + absence / 3) return;
  table.put_off = Now();
  store.Postpone(table.id, table.number(), DueOf(table.now(), {}, Now()), Written([](Stored) {}));
}

void Hall::Impl::ReadPresence(const std::string& id) {
  bus.ReadNotes(PlaceOf(id), Guarded([this, id](const std::optional<Bus::Notes>& notes) {
                  LiveTable* table = Find(id);
                  if (!notes || table == nullptr || !table->loaded()) return;
                  std::set<std::string> elsewhere;
                  for (const auto& [who, until] : *notes) {
                    const size_t at = who.find('@');
                    if (until > Now() && at != who.npos && who.substr(at + 1) != hooks.name)
                      elsewhere.insert(who.substr(0, at));
                  }
                  table->SetElsewhere(std::move(elsewhere));
                  table->SeePresence(Now());
                }));
}

// A hint may be late: of two connections that which came later stays, in the view of everybody.
void Hall::Impl::SomebodyCame(LiveTable& table, const std::string& text) {
  int64_t when = 0;
  const char* end = text.data() + text.size();
  const char* rest = std::from_chars(text.data(), end, when).ptr;
  const std::string who(rest + (rest < end ? 1 : 0), end);
  const size_t at = who.find('@');
  if (at == who.npos || who.substr(at + 1) == hooks.name) return;
  std::vector<ClientId> older;
  for (const LiveTable::Guest& guest : table.guests())
    if (guest.person.id == who.substr(0, at) &&
        std::tuple(guest.came, hooks.name) < std::tuple(when, who.substr(at + 1)))
      older.push_back(guest.client_id);
  for (const ClientId client : older) CloseClient(client, "closing.elsewhere");
}

// --- What leaves no event

void Hall::Impl::TellAside(const LiveTable& table, const LiveTable::Aside& aside) {
  if (const auto* mute = std::get_if<event::Mute>(&aside.body))
    bus.Note(MutesOf(table.id), mute->by + ' ' + mute->whom, mute->on ? 1 : 0);
  Json told = AsideToJson(aside);
  told["by"] = hooks.name;
  bus.Publish(TopicOf(table.id), "aside " + told.dump());
}

void Hall::Impl::TellEarlier(const LiveTable& table, const std::string& whom) {
  if (!table.loaded() || whom == hooks.name) return;
  Json earlier = Json::array();
  for (const LiveTable::Aside& aside : table.Earlier()) earlier.push_back(AsideToJson(aside));
  if (earlier.empty()) return;
  bus.Publish(TopicOf(table.id),
              "aside " + Json{{"by", hooks.name}, {"to", whom}, {"earlier", earlier}}.dump());
}

void Hall::Impl::HearAsides(LiveTable& table, std::string_view text) {
  const Expected<Json> json = ParseJson(text);
  if (!json) return;
  Reader from(*json);
  const bool earlier = from.Has("earlier");
  const std::string by = from.Text("by"), to = earlier ? from.Text("to") : hooks.name;
  if (!from.ok() || by == hooks.name || to != hooks.name) return;
  std::vector<LiveTable::Aside> asides;
  for (const Json& told : earlier ? (*json)["earlier"] : Json::array({*json}))
    if (std::optional<LiveTable::Aside> aside = AsideFromJson(told))
      asides.push_back(*std::move(aside));
  if (asides.empty()) return;
  // In its turn, and after what was before it: who has just sat down hears no spectators.
  table.behind = table.behind ||
                 (table.loaded() && static_cast<double>(table.number() + 1) <= asides.back().place);
  Do(table, {{}, 0, [asides = std::move(asides), earlier](Expected<LiveTable*> at) {
               if (!at) return;
               if (earlier)
                 (*at)->HappenedElsewhere(asides);
               else
                 (*at)->HappensElsewhere(asides[0]);
             }});
}

void Hall::Impl::ReadMutes(const std::string& id) {
  bus.ReadNotes(MutesOf(id), Guarded([this, id](const std::optional<Bus::Notes>& notes) {
                  LiveTable* table = Find(id);
                  if (!notes || table == nullptr || !table->loaded()) return;
                  for (const event::Mute& mute : table->mutes())
                    if (const std::string who = mute.by + ' ' + mute.whom; !notes->contains(who))
                      bus.Note(MutesOf(id), who, 1);
                  for (const auto& [who, on] : *notes)
                    if (const size_t gap = who.find(' '); gap != who.npos)
                      table->HappensElsewhere(
                          {0, event::Mute{who.substr(0, gap), who.substr(gap + 1), on != 0}});
                }));
}

// --- Time

std::optional<int64_t> Hall::Impl::DueOf(const Table& table, Table::Absences absences,
                                         int64_t now) const {
  if (table.Ended()) return std::nullopt;
  for (std::optional<int64_t>& since : absences) since = since.value_or(now);
  const int64_t idle = IdleAt(table);
  return std::min(table.NextDue(absences).value_or(idle), idle);
}

Table::Absences Hall::Impl::AbsencesAt(const LiveTable& table,
                                       const std::optional<Bus::Notes>& notes) {
  Table::Absences absences;
  // While it is not known who is there, nobody is absent.
  if (!notes || !bus_well || hooks.now() - bus_well_since < kBusWell) return absences;
  for (Seat seat = 0; seat < table.now().seats(); ++seat) {
    const std::optional<Person>& person = table.now().chairs()[seat].person;
    if (!person || table.IsHere(person->id)) continue;
    const std::optional<int64_t> last = LastThere(*notes, person->id);
    if (last && *last > Now()) continue;
    if (!last) bus.Note(PlaceOf(table.id), person->id + '@', Now());
    absences[seat] = last.value_or(Now());
  }
  return absences;
}

void Hall::Impl::CheckDue(const std::string& id) {
  DoAt(id, {{}, 0, [this](Expected<LiveTable*> at) {
              if (!at || stopping) return;
              LiveTable& table = **at;
              Begin(table);
              bus.ReadNotes(PlaceOf(table.id),
                            Guarded([this, &table](const std::optional<Bus::Notes>& notes) {
                              table.busy = false;
                              --under_way;
                              LookAtDue(table, notes);
                            }));
            }});
}

void Hall::Impl::LookAtDue(LiveTable& table, const std::optional<Bus::Notes>& notes) {
  const int64_t now = Now();
  const Table::Absences absences = AbsencesAt(table, notes);
  std::optional<Change> change = table.now().Due(now, absences);
  if (!change && !table.now().Ended() && now >= IdleAt(table.now()))
    if (Expected<Change> closed = table.now().CloseBy("closing.idle", now))
      change = *std::move(closed);
  if (change && !stopping) return Append(table, *std::move(change), [](Stored) {});
  store.Postpone(table.id, table.number(), DueOf(table.now(), absences, now),
                 Written([](Stored) {}));
  Continue(table);
  StopIfDone();
}

void Hall::Impl::SharedBeat() {
  if (beating || hooks.now() < beaten + options.shared_beat) return;
  beating = true;
  beaten = hooks.now();
  service_time.Given(beaten);
  store.Beat(stopping ? 0 : kMostDue, kHold, Guarded([this](const Expected<Store::Beaten>& beat) {
               beating = false;
               service_time.Answered(hooks.now(), bool(beat));
               if (!beat) return;
               service_time.Set(hooks.now(), beat->now);
               reached_at = beaten_well = hooks.now();
               not_stored = false;
               if (lost) Log("info", "store.reached", Json::object());
               lost = false;
               for (const std::string& table : beat->due) CheckDue(table);
             }));
  TakeAnswers({});
}

// Of several databases one may be out of reach while others are not.
void Hall::Impl::LoseStore() {
  if (lost || hooks.now() - (not_stored ? beaten_well : reached_at) <= options.lost) return;
  lost = true;
  Log("error", "store.lost", {{"sockets", clients.size()}});
  std::vector<ClientId> all;
  for (const auto& [client, table] : clients) all.push_back(client);
  for (const ClientId client : all) CloseClient(client, Stopping().key);
}

void Hall::Impl::SharedTick() {
  const int64_t moment = hooks.now();
  for (size_t i = 0; i < later.size();) {
    if (later[i].first > moment) {
      ++i;
      continue;
    }
    const std::function<void()> call = std::move(later[i].second);
    later.erase(later.begin() + static_cast<ptrdiff_t>(i));
    call();
  }
  const bool well = bus.healthy();
  if (well && !bus_well) bus_well_since = moment;
  if (well && !bus_well) told_presence = moment - options.presence;  // it may know nothing
  bus_well = well;
  LoseStore();
  if (!comparing && moment >= compared + options.compare) CompareLengths();
  if (moment >= told_presence + options.presence) TellPresence();
}

void Hall::Impl::Later(int64_t milliseconds, std::function<void()> call) {
  later.emplace_back(hooks.now() + milliseconds, std::move(call));
}

// --- Bots

void Hall::Impl::TakeAnswers(const std::string& id) {
  if (stopping || lost) return;
  const auto take = [this](const Expected<std::vector<AnsweredJob>>& answers) {
    if (!answers) return;
    for (const AnsweredJob& job : *answers) {
      const std::optional<BotMove> move = BotMoveIn(job.answer);
      const auto seat = static_cast<Seat>(job.seat);
      if (!move || seat >= kMaxSeats) continue;
      DoAt(job.table, {{}, 0, [this, seat, builds = job.builds, move](Expected<LiveTable*> at) {
                         if (!at) return;
                         LiveTable& table = **at;
                         table.bots[seat] = {true, builds,
                                             table.now().changed_at() + options.bot_pause, move};
                         BotsAct(table);
                       }});
    }
  };
  store.TakeAnswered(id, kMostAnswers, kHold, Guarded(take));
}

}  // namespace civ
