#include "server/hall.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "server/clean.h"
#include "server/ids.h"
#include "server/live_table.h"
#include "server/rebuild.h"

namespace civ {
namespace {

constexpr int64_t kSweep = 60'000;
constexpr int kMostListed = 100;

Error Stopping() { return {"closing.restart", {}}; }
Error Unknown() { return {"error.table.unknown", {}}; }
Error StoreFails() { return {"error.store", {}}; }
Error TooMany() { return {"error.too-many-requests", {}}; }

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (const char byte : bytes) {
    hex += "0123456789abcdef"[static_cast<uint8_t>(byte) >> 4];
    hex += "0123456789abcdef"[byte & 15];
  }
  return hex;
}

// Somebody with a line to some table, or who had one a moment ago.
struct Here {
  Bucket commands, says;
  int refused = 0;  // commands in a row that were too many
  std::vector<Hall::LineId> lines;
};

// The chairs of a rematch: everybody moves on by one. Who has gone for good leaves an empty one.
std::vector<Chair> Rotated(const Table& table) {
  std::vector<Chair> chairs = table.chairs();
  for (Seat seat = 0; seat < table.seats(); ++seat) {
    const std::optional<Left> left = table.LeftBy(seat);
    if (chairs[seat].person) chairs[seat].bot.clear();
    if (left == Left::Abandoned || left == Left::Absent) chairs[seat] = {};
  }
  std::ranges::rotate(chairs, chairs.end() - 1);
  return chairs;
}

// Whether somebody sits there who could play.
bool IsKept(const Table& table) {
  return std::ranges::any_of(table.chairs(), [](const Chair& chair) { return chair.person.has_value(); });
}

Listing ListingOf(const std::string& id, const Table& table) {
  Listing listing{id, !table.Ended(), TellSummary(id, table).dump(), {}};
  for (const Chair& chair : table.chairs())
    if (chair.person) listing.persons.push_back(chair.person->id);
  if (std::ranges::find(listing.persons, table.Host()) == listing.persons.end()) listing.persons.push_back(table.Host());
  return listing;
}

}  // namespace

struct Hall::Impl {
  Impl(Store& kept_in, BotPool& players, const HallOptions& given, Hooks wanted)
      : store(kept_in), bots(players), options(given), hooks(std::move(wanted)) {}

  // Answers of the store and of bots may come when the hall is gone.
  template <class F>
  auto Guarded(F f) {
    return [alive = std::weak_ptr(alive), f = std::move(f)](auto&&... args) {
      if (!alive.expired()) f(std::forward<decltype(args)>(args)...);
    };
  }

  int64_t Now() const { return hooks.now(); }
  Bucket::Clock::time_point Moment() const { return Bucket::Clock::time_point(std::chrono::milliseconds(Now())); }
  void Log(std::string_view level, std::string_view event, Json fields) const {
    if (hooks.log) hooks.log(level, event, std::move(fields));
  }
  std::string NewId() const { return IdFrom(hooks.random(kIdLength)); }

  // ---- Tables

  LiveTable* Find(const std::string& id) {
    const auto found = tables.find(id);
    return found == tables.end() ? nullptr : found->second.get();
  }

  LiveTable& Add(const std::string& id) {
    std::unique_ptr<LiveTable>& table = tables[id];
    table = std::make_unique<LiveTable>(id);
    table->empty_since = Now();
    return *table;
  }

  // Also one that is only in the store: it is loaded, and busy until then.
  LiveTable* FindOrLoad(const std::string& id) {
    if (LiveTable* table = Find(id)) return table;
    if (!LooksLikeId(id)) return nullptr;
    LiveTable& table = Add(id);
    Load(table);
    return &table;
  }

  void Load(LiveTable& table) {
    Begin(table);
    store.Load(table.id, Guarded([this, &table](const Expected<std::optional<StoredLog>>& log) {
                 if (!log) {
                   Log("error", "store.failed", {{"table", table.id}, {"error", log.error().key}});
                   return Drop(table, StoreFails());
                 }
                 if (!*log) return Drop(table, Unknown());
                 Expected<Loaded> loaded = LoadedFrom(**log);
                 if (!loaded) {
                   Log("error", "table.unreadable", {{"table", table.id}, {"error", loaded.error().key}});
                   return Drop(table, Unknown());
                 }
                 table.Become(*std::move(loaded));
                 SendAway(table);
                 Finish(table);
               }));
  }

  // There is no such table, or it cannot be read now.
  void Drop(LiveTable& table, const Error& why) {
    for (const LiveTable::Guest& guest : table.guests()) {
      guest.line->Close(why.key);
      Forget(guest.person.id, guest.line_id);
    }
    const std::deque<LiveTable::Step> waiting = std::move(table.waiting);
    --under_way;
    Unload(table);
    for (const LiveTable::Step& step : waiting) step.take(why);
    StopIfDone();
  }

  void Unload(LiveTable& table) {
    if (table.due) timers.erase({*table.due, &table});
    tables.erase(std::string(table.id));
  }

  // Calls with the table as soon as it is there.
  void With(const std::string& id, std::function<void(Expected<LiveTable*>)> call) {
    LiveTable* table = FindOrLoad(id);
    if (table == nullptr) return call(Unknown());
    if (!table->loaded()) return table->waiting.push_back({{}, 0, std::move(call)});
    call(table);
  }

  // ---- One thing at a time at each table

  void Begin(LiveTable& table) {
    table.busy = true;
    table.busy_since = Now();
    ++under_way;
  }

  void Finish(LiveTable& table) {
    table.busy = false;
    --under_way;
    table.SeePresence(Now());
    Continue(table);
    StopIfDone();
  }

  void Do(LiveTable& table, LiveTable::Step step) {
    table.waiting.push_back(std::move(step));
    Continue(table);
  }

  void Continue(LiveTable& table) {
    while (!table.busy && !table.waiting.empty()) {
      const LiveTable::Step step = std::move(table.waiting.front());
      table.waiting.pop_front();
      step.take(&table);
    }
    if (table.busy) return;
    AskBots(table);
    Schedule(table);
  }

  // Stores a change; then it has happened. `then` is called in any case, before anything else is done at the table.
  void Append(LiveTable& table, Change change, std::function<void(Stored)> then) {
    Begin(table);
    std::vector<std::string> texts;
    for (const Event& event : change.events) texts.push_back(ToText(event));
    Listing listing = ListingOf(table.id, change.tables.back());
    const auto shared = std::make_shared<Change>(std::move(change));
    store.Append(table.id, table.number(), std::move(texts), std::move(listing), Now(),
                 Guarded([this, &table, shared, then = std::move(then)](Stored stored) {
                   if (stored == Stored::Stored) Happen(table, *shared);
                   then(stored);
                   if (stored == Stored::Stale) {  // somebody else writes: what is stored is right
                     Log("error", "table.stale", {{"table", table.id}, {"number", table.number()}});
                     --under_way;
                     return Load(table);
                   }
                   if (stored == Stored::Failed) {
                     Log("error", "store.failed", {{"table", table.id}});
                     table.retry = Now() + options.retry;
                   }
                   Finish(table);
                 }));
  }

  void Happen(LiveTable& table, Change& change) {
    const bool ended = table.loaded() && table.now().Ended();
    for (size_t i = 0; i < change.events.size(); ++i) table.Happens(change.events[i], std::move(change.tables[i]));
    SendAway(table);
    if (!ended && table.now().Ended()) Log("info", "table.ended", {{"table", table.id}, {"status", NameOf(table.now().status())}});
  }

  // Those who may not look any more.
  void SendAway(LiveTable& table) {
    std::vector<LineId> away;
    for (const LiveTable::Guest& guest : table.guests())
      if (!table.now().MayWatch(guest.person.id)) away.push_back(guest.line_id);
    for (const LineId line : away) CloseLine(line, "error.table.no-spectators");
  }

  // ---- New tables

  std::optional<Error> MayOpen(const std::string& person) const {
    if (stopping) return Stopping();
    size_t open = opening.size();
    auto own = static_cast<size_t>(std::ranges::count(opening, person));
    for (const auto& [id, table] : tables) {
      if (!table->loaded() || table->now().Ended()) continue;
      ++open;
      if (table->maker == person) ++own;
    }
    if (open >= options.most_tables) return Error{"error.tables.full", {}};
    if (own >= options.most_tables_of_one) return Error{"error.tables.yours", {{"most", std::to_string(options.most_tables_of_one)}}};
    return std::nullopt;
  }

  void Create(std::string id, const Person& person, TableOptions wanted, std::vector<Chair> chairs, std::function<void(std::optional<Error>)> then) {
    if (std::optional<Error> refused = MayOpen(person.id)) return then(std::move(refused));
    wanted.config.first = 0;
    Expected<Change> change = Table::Open(std::move(wanted), person, std::move(chairs), Now());
    if (!change) return then(change.error());
    opening.push_back(person.id);
    ++under_way;
    const auto table = std::make_shared<Table>(std::move(change->tables.back()));
    store.Append(id, 0, {ToText(change->events[0])}, ListingOf(id, *table), Now(),
                 Guarded([this, id, maker = person.id, table, then = std::move(then)](Stored stored) {
                   opening.erase(std::ranges::find(opening, maker));
                   --under_way;
                   if (stored == Stored::Stored) {
                     LiveTable& live = Add(id);
                     live.Become({std::move(*table), maker, {}});
                     live.SeePresence(Now());
                     Schedule(live);
                     Log("info", "table.opened", {{"table", id}, {"by", maker}});
                   } else {
                     ++figures.failed;
                   }
                   then(stored == Stored::Stored ? std::nullopt : std::optional(StoreFails()));
                   StopIfDone();
                 }));
  }

  // ---- Lines

  void CloseLine(LineId line, std::string_view why) {
    const auto found = lines.find(line);
    if (found == lines.end()) return;
    if (const LiveTable::Guest* guest = found->second->Find(line)) guest->line->Close(why);
    Leave(line);
  }

  void Forget(const std::string& person, LineId line) {
    if (const auto here = people.find(person); here != people.end()) std::erase(here->second.lines, line);
    lines.erase(line);
  }

  void Leave(LineId line) {
    const auto found = lines.find(line);
    if (found == lines.end()) return;
    LiveTable& table = *found->second;
    Forget(std::string(table.Find(line)->person.id), line);
    table.Leave(line);
    table.SeePresence(Now());
    if (table.guests().empty()) table.empty_since = Now();
    if (!table.busy) Schedule(table);
  }

  void Send(LiveTable& table, LineId line, std::string text) {
    if (const LiveTable::Guest* guest = table.Find(line)) guest->line->Send(std::make_shared<const std::string>(std::move(text)));
  }

  void Refuse(LiveTable& table, LineId line, const std::string& id, const Error& error) {
    ++(error.key == "error.stale" ? figures.stale : error.key == StoreFails().key ? figures.failed : figures.refused);
    Send(table, line, TellRefused(id, table.number(), error));
  }

  // ---- Commands

  void Receive(LineId line, std::string_view text) {
    const auto found = lines.find(line);
    if (found == lines.end()) return;
    LiveTable& table = *found->second;
    const Person person = table.Find(line)->person;
    const uint64_t session = table.Find(line)->session;
    Here& here = people[person.id];
    if (text.size() > options.longest_message) return Refuse(table, line, {}, {"error.line-too-long", {}});
    if (IsPing(text)) return Send(table, line, R"({"type":"pong"})");
    const bool allowed = here.commands.Take(options.commands, Moment());
    here.refused = allowed ? 0 : here.refused + 1;
    if (here.refused > options.most_refused) return CloseLine(line, TooMany().key);
    std::string id;
    Expected<Command> command = CommandFromText(text, id);
    if (!allowed) return Refuse(table, line, id, TooMany());
    if (!command) return Refuse(table, line, id, command.error());
    if (stopping) return Refuse(table, line, id, Stopping());
    if (auto* say = std::get_if<command::Say>(&command->body))
      if (const std::optional<Error> wrong = Speak(person, here, *say)) return Refuse(table, line, id, *wrong);
    if (table.waiting.size() >= options.most_waiting) return Refuse(table, line, id, TooMany());
    // Nobody's clock runs while the store is slow.
    Do(table, {person.id, session, [this, line, person, command = *std::move(command), arrived = Now()](Expected<LiveTable*> at) {
                 if (at && (*at)->now().MayWatch(person.id)) Obey(**at, line, person, command, arrived);
               }});
  }

  static bool IsPing(std::string_view text) {
    if (text.size() > 100) return false;
    const Expected<Json> json = ParseJson(text);
    return json && json->is_object() && json->value("type", Json()) == "ping";
  }

  // Whether that may be said now; it is cleaned.
  std::optional<Error> Speak(const Person& person, Here& here, command::Say& say) const {
    if (muted.contains(person.id)) return Error{"error.muted", {}};
    if (say.phrase.empty()) {
      std::optional<std::string> text = Clean(say.text, kLongestSay);
      if (!text) return Error{"error.say", {{"most", std::to_string(kLongestSay)}}};
      say.text = *std::move(text);
    }
    return here.says.Take(options.says, Moment()) ? std::nullopt : std::optional(TooMany());
  }

  void Obey(LiveTable& table, LineId line, const Person& person, const Command& command, int64_t arrived) {
    const uint64_t key = KeyOf(person.id, NameOf(command.body), command.id);
    if (!command.id.empty() && table.HasDone(key)) return Send(table, line, TellStored(command.id, table.number()));
    Given given;
    if (std::holds_alternative<command::Start>(command.body)) given.secret = Hex(hooks.random(kSecretDigits / 2));
    const bool rematch = std::holds_alternative<command::Rematch>(command.body);
    if (rematch) given.rematch = NewId();
    Expected<Change> change = table.now().Do(person, command, arrived, given);
    if (!change) return Refuse(table, line, command.id, change.error());
    const auto answer = [this, &table, line, id = command.id, key](Stored stored) {
      if (stored != Stored::Stored) return Refuse(table, line, id, stored == Stored::Stale ? Error{"error.stale", {}} : StoreFails());
      ++figures.stored;
      if (!id.empty()) table.Remember(key);
      Send(table, line, TellStored(id, table.number()));
    };
    if (rematch) return StartRematch(table, line, person, command.id, given.rematch, *std::move(change), answer);
    Append(table, *std::move(change), answer);
  }

  // The new table is there before anybody is sent to it.
  void StartRematch(LiveTable& table, LineId line, const Person& person, const std::string& command, const std::string& id, Change change,
                    std::function<void(Stored)> answer) {
    Begin(table);
    const auto shared = std::make_shared<Change>(std::move(change));
    Create(id, person, table.now().options(), Rotated(table.now()),
           [this, &table, line, command, id, shared, answer = std::move(answer)](const std::optional<Error>& wrong) {
             if (wrong) {
               Refuse(table, line, command, *wrong);
               return Finish(table);
             }
             --under_way;
             Append(table, std::move(*shared), [this, id, answer](Stored stored) {
               answer(stored);
               if (stored != Stored::Stored) Close(id, "closing.unused");
             });
           });
  }

  std::optional<Error> Close(const std::string& id, const std::string& why) {
    LiveTable* table = Find(id);
    if (table == nullptr || !table->loaded()) return Unknown();
    if (table->now().Ended()) return Error{"error.table.ended", {}};
    Do(*table, {{}, 0, [this, why](Expected<LiveTable*> at) {
                  if (!at) return;
                  Expected<Change> change = (*at)->now().CloseBy(why, Now());
                  if (change) Append(**at, *std::move(change), [](Stored) {});
                }});
    return std::nullopt;
  }

  // ---- Bots

  void AskBots(LiveTable& table) {
    if (stopping || table.retry > Now()) return;
    for (const auto& [seat, bot] : table.now().BotTurns()) {
      LiveTable::BotSeat& player = table.bots[seat];
      if (player.asked) continue;
      player = {true, table.number(), Now() + options.bot_pause, std::nullopt};
      uint64_t seed;
      std::memcpy(&seed, hooks.random(sizeof seed).data(), sizeof seed);
      bots.Think(bot, table.now().ViewFor(seat), seed, Guarded([this, id = table.id, seat](Action action) {
                   LiveTable* at = Find(id);
                   if (at == nullptr || !at->bots[seat].asked) return;
                   at->bots[seat].answer = action;
                   if (!BotsAct(*at) && !at->busy) Schedule(*at);
                 }));
    }
  }

  // What bots have decided, once people have had the time to see what was before. Whether there was any.
  bool BotsAct(LiveTable& table) {
    bool acted = false;
    for (Seat seat = 0; seat < kMaxSeats; ++seat) {
      LiveTable::BotSeat& player = table.bots[seat];
      if (stopping || !player.answer || player.not_before > Now()) continue;
      const Action action = *std::exchange(player.answer, std::nullopt);
      acted = true;
      Do(table, {{}, 0, [this, seat, action](Expected<LiveTable*> found) {
                   if (!found) return;
                   LiveTable& at = **found;
                   at.bots[seat].asked = false;
                   Expected<Change> change = at.now().BotActs(seat, at.bots[seat].builds, action, Now());
                   if (change) return Append(at, *std::move(change), [](Stored) {});
                   if (change.error().key == "error.stale" || at.now().Ended()) return;  // the table has gone on
                   Log("error", "bot.refused", {{"table", at.id}, {"error", change.error().key}});
                   at.retry = Now() + options.retry;
                 }});
    }
    return acted;
  }

  // ---- Time

  int64_t IdleAt(const Table& table) const { return table.now() + (table.status() == Status::Waiting ? options.idle_table : options.idle_game); }
  bool MayUnload(const LiveTable& table) const { return table.guests().empty() && (table.now().Ended() || table.remembers()); }

  // Notes when the table has to be looked at next.
  void Schedule(LiveTable& table) {
    std::optional<int64_t> next = table.now().NextDue(table.absences());
    const auto at = [&](int64_t moment) { next = next ? std::min(*next, moment) : moment; };
    for (const LiveTable::BotSeat& player : table.bots)
      if (player.answer) at(player.not_before);
    if (!table.now().Ended()) at(IdleAt(table.now()));
    if (MayUnload(table)) at(table.empty_since + options.unload);
    if (table.retry > Now()) next = table.retry;
    if (next == table.due) return;
    if (table.due) timers.erase({*table.due, &table});
    if (next) timers.insert({*next, &table});
    table.due = next;
  }

  void Tick() {
    const int64_t now = Now();
    std::vector<LiveTable*> due;
    for (auto timer = timers.begin(); timer != timers.end() && timer->first <= now; ++timer) due.push_back(timer->second);
    for (LiveTable* table : due) {
      if (!table->due || *table->due > now) continue;
      timers.erase({*table->due, table});
      table->due.reset();
      if (!table->busy) LookAt(*table, now);
    }
    if (now < swept + kSweep) return;
    swept = now;
    std::erase_if(people, [](const auto& person) { return person.second.lines.empty(); });
  }

  void LookAt(LiveTable& table, int64_t now) {
    if (!stopping && MayUnload(table) && now >= table.empty_since + options.unload) {
      if (table.now().Ended()) return Unload(table);
      table.Forget();
    }
    if (!stopping && table.retry <= now) {
      std::optional<Change> change = table.now().Due(now, table.absences());
      if (!change && !table.now().Ended() && now >= IdleAt(table.now()))
        if (Expected<Change> closed = table.now().CloseBy("closing.idle", now)) change = *std::move(closed);
      if (change) return Append(table, *std::move(change), [](Stored) {});
      BotsAct(table);
    }
    Continue(table);
  }

  void StopIfDone() {
    if (!stopping || under_way > 0 || !stopped) return;
    const auto done = std::exchange(stopped, nullptr);
    std::vector<LineId> all;
    for (const auto& [line, table] : lines) all.push_back(line);
    for (const LineId line : all) CloseLine(line, Stopping().key);
    done();
  }

  Store& store;
  BotPool& bots;
  const HallOptions options;
  const Hooks hooks;
  const std::shared_ptr<int> alive = std::make_shared<int>();

  std::unordered_map<std::string, std::unique_ptr<LiveTable>> tables;
  std::unordered_map<LineId, LiveTable*> lines;
  std::unordered_map<std::string, Here> people;
  std::unordered_set<std::string> muted;
  std::set<std::pair<int64_t, LiveTable*>> timers;
  std::vector<std::string> opening;  // the persons whose new tables are being stored
  size_t under_way = 0;              // tables that are busy, and new ones
  LineId last_line = 0;
  int64_t swept = 0;
  bool stopping = false;
  std::function<void()> stopped;
  Figures figures{};

  Json lobby = Json::array();
  std::optional<int64_t> lobby_at;
};

Hall::Hall(Store& store, BotPool& bots, HallOptions options, Hooks hooks) : impl_(std::make_unique<Impl>(store, bots, options, std::move(hooks))) {}
Hall::~Hall() = default;

Expected<Hall::Rebuilt> Hall::Rebuild() {
  Rebuilt rebuilt;
  std::optional<Error> failed = RebuildAll(impl_->store, [&](const std::string& id, Expected<Loaded> loaded) {
    if (!loaded) return rebuilt.put_aside.emplace_back(id, loaded.error()), void();
    LiveTable& table = impl_->Add(id);
    table.Become(*std::move(loaded));
    table.SeePresence(impl_->Now());
    ++rebuilt.tables;
  });
  if (failed) return *failed;
  for (const auto& [id, error] : rebuilt.put_aside) {
    impl_->store.PutAside(id, error.key);
    impl_->Log("error", "table.put-aside", {{"table", id}, {"error", error.key}});
  }
  for (const auto& [id, table] : impl_->tables) impl_->Continue(*table);
  return rebuilt;
}

void Hall::Open(const Person& person, const TableOptions& options, Opened opened) {
  const std::string id = impl_->NewId();
  impl_->Create(id, person, options, {}, [id, opened = std::move(opened)](const std::optional<Error>& wrong) {
    if (wrong) return opened(*wrong);
    opened(id);
  });
}

Hall::LineId Hall::Enter(const std::string& table, const Person& person, int64_t seen, std::shared_ptr<Line> line, uint64_t session) {
  const LineId id = ++impl_->last_line;
  const auto refuse = [&](std::string_view why) {
    line->Close(why);
    return id;
  };
  if (impl_->stopping) return refuse(Stopping().key);
  LiveTable* at = impl_->FindOrLoad(table);
  if (at == nullptr) return refuse(Unknown().key);
  if (at->loaded() && !at->now().MayWatch(person.id)) return refuse("error.table.no-spectators");
  const bool known = at->IsHere(person.id) || (at->loaded() && at->now().SeatOf(person.id) != kSpectator);
  if (!known && at->guests().size() >= impl_->options.most_lines_at_one) return refuse("error.table.crowded");
  std::vector<LineId> older;
  for (const LiveTable::Guest& guest : at->guests())
    if (guest.person.id == person.id) older.push_back(guest.line_id);
  impl_->lines[id] = at;
  impl_->people[person.id].lines.push_back(id);
  at->Enter({id, person, std::move(line), seen, session}, impl_->Now());
  for (const LineId other : older) impl_->CloseLine(other, "closing.elsewhere");  // only now: they are here all the time
  if (!at->busy) impl_->Schedule(*at);
  return id;
}

void Hall::Receive(LineId line, std::string_view text) { impl_->Receive(line, text); }
void Hall::Leave(LineId line) { impl_->Leave(line); }

void Hall::Dismiss(const std::string& person, std::optional<uint64_t> session) {
  const auto here = impl_->people.find(person);
  if (here == impl_->people.end()) return;
  const auto ends = [&](uint64_t of) { return !session || of == *session; };
  for (const LineId line : std::vector<LineId>(here->second.lines)) {
    LiveTable& table = *impl_->lines[line];
    std::erase_if(table.waiting, [&](const LiveTable::Step& step) { return step.person == person && ends(step.session); });
    if (ends(table.Find(line)->session)) impl_->CloseLine(line, "closing.session");
  }
}

int64_t Hall::Now() const { return impl_->Now(); }

Json Hall::Lobby() const {
  if (impl_->lobby_at && impl_->Now() < *impl_->lobby_at + impl_->options.lobby_age) return impl_->lobby;
  std::vector<const LiveTable*> listed;
  for (const auto& [id, table] : impl_->tables)
    if (table->loaded() && table->now().options().listed && !table->now().Ended() && IsKept(table->now())) listed.push_back(table.get());
  const auto order = [](const LiveTable* table) {
    return std::tuple(table->now().status() != Status::Waiting, -table->now().changed_at(), table->id);
  };
  const size_t most = std::min(listed.size(), impl_->options.most_in_lobby);
  std::ranges::partial_sort(listed, listed.begin() + static_cast<ptrdiff_t>(most), std::less{}, order);
  impl_->lobby = Json::array();
  for (size_t i = 0; i < most; ++i) impl_->lobby.push_back(TellSummary(listed[i]->id, listed[i]->now()));
  impl_->lobby_at = impl_->Now();
  return impl_->lobby;
}

void Hall::TablesOf(const std::string& person, std::function<void(Expected<Json>)> answer) {
  impl_->store.List(person, false, kMostListed, impl_->Guarded([answer = std::move(answer)](const Expected<std::vector<Listing>>& listings) {
    if (!listings) return answer(StoreFails());
    Json tables = Json::array();
    for (const bool open : {true, false})
      for (const Listing& listing : *listings)
        if (const Expected<Json> summary = ParseJson(listing.summary); summary && listing.open == open) tables.push_back(*summary);
    answer(std::move(tables));
  }));
}

void Hall::Summary(const std::string& table, std::function<void(Expected<Json>)> answer) {
  impl_->With(table, [answer = std::move(answer)](Expected<LiveTable*> at) {
    if (!at) return answer(at.error());
    answer(TellSummary((*at)->id, (*at)->now()));
  });
}

void Hall::RecordOf(const std::string& table, std::function<void(Expected<std::string>)> answer) {
  impl_->With(table, [answer = std::move(answer)](Expected<LiveTable*> at) {
    if (!at) return answer(at.error());
    const Table& now = (*at)->now();
    if (now.status() == Status::Closed) return answer(Error{"error.table.closed", {}});
    if (now.status() != Status::Over) return answer(Error{"error.table.running", {}});
    answer(now.ToRecord().Dump());
  });
}

void Hall::PastOf(const std::string& table, const Person& person, size_t actions, std::function<void(Expected<std::string>)> answer) {
  impl_->With(table, [person, actions, answer = std::move(answer)](Expected<LiveTable*> at) {
    if (!at) return answer(at.error());
    const Table& now = (*at)->now();
    if (!now.MayWatch(person.id)) return answer(Error{"error.table.no-spectators", {}});
    if (!now.HasGame() || actions > now.actions().size()) return answer(Error{"error.table.no-moment", {}});
    answer(TellPast(now, actions, person));
  });
}

void Hall::Mute(const std::string& person, bool on) {
  if (on) {
    impl_->muted.insert(person);
  } else {
    impl_->muted.erase(person);
  }
}

std::optional<Error> Hall::Close(const std::string& table, const std::string& why) { return impl_->Close(table, why); }
void Hall::Tick() { impl_->Tick(); }

void Hall::Stop(std::function<void()> done) {
  impl_->stopping = true;
  impl_->stopped = std::move(done);
  impl_->StopIfDone();
}

Hall::Figures Hall::figures() const {
  Figures figures = impl_->figures;
  figures.lines = impl_->lines.size();
  figures.tables = impl_->tables.size();
  for (const auto& [id, table] : impl_->tables) {
    if (table->loaded() && table->now().status() == Status::Running) ++figures.running;
    if (table->busy) figures.oldest_wait = std::max(figures.oldest_wait, impl_->Now() - table->busy_since);
  }
  return figures;
}

}  // namespace civ
