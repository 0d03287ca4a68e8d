// Tables in the hall: found, loaded and made; and at each of them one task after another.
#include <algorithm>

#include "civ/server/hall_impl.h"
#include "civ/server/ids.h"
#include "civ/server/listing.h"
#include "civ/server/replay.h"
#include "civ/table/tell.h"

namespace civ {

Addition Hall::Impl::AdditionOf(const std::string& id, const std::string& maker, int64_t number,
                                const Change& change) const {
  std::vector<std::string> texts;
  for (const Event& event : change.events) texts.push_back(ToText(event));
  const Table& after = change.tables.back();
  Addition addition{id, number, std::move(texts), ListingOf(id, after)};
  if (!store.shared()) return addition;
  addition.listing.maker = maker;
  addition.due = DueOf(after, {}, after.now());
  addition.jobs = JobsOf(id, maker, after, hooks.random);
  return addition;
}

LiveTable* Hall::Impl::Find(const std::string& id) {
  const auto found = tables.find(id);
  return found == tables.end() ? nullptr : found->second.get();
}

LiveTable& Hall::Impl::Add(const std::string& id) {
  std::unique_ptr<LiveTable>& table = tables[id];
  table = std::make_unique<LiveTable>(id, [this] { return options.Spread(clients.size()); });
  table->empty_since = Now();
  if (store.shared()) Subscribe(*table);
  return *table;
}

LiveTable* Hall::Impl::FindOrLoad(const std::string& id) {
  if (LiveTable* table = Find(id)) return table;
  if (!LooksLikeId(id)) return nullptr;
  LiveTable& table = Add(id);
  Load(table);
  return &table;
}

void Hall::Impl::Load(LiveTable& table) {
  Begin(table);
  store.Load(table.id, Guarded([this, &table](const Expected<std::optional<StoredLog>>& log) {
               if (!log) {
                 LogAt(table, "error", "store.failed", {{"error", log.error().key}});
                 return Drop(table, StoreFails());
               }
               if (!*log) return Drop(table, UnknownTable());
               const auto loaded =
                   Guarded([this, &table](const std::shared_ptr<Expected<Replayed>>& replayed) {
                     Loaded(table, std::move(*replayed));
                   });
               Elsewhere([log = **log, loaded]() -> std::function<void()> {
                 const auto replayed = std::make_shared<Expected<Replayed>>(Replay(log));
                 return [loaded, replayed] { loaded(replayed); };
               });
             }));
}

void Hall::Impl::Loaded(LiveTable& table, Expected<Replayed> replayed) {
  if (!replayed) {
    LogAt(table, "error", "table.unreadable", {{"error", replayed.error().key}});
    return Drop(table, replayed.error().key == kNewerLog ? replayed.error() : UnknownTable());
  }
  table.Become(*std::move(replayed));
  table.behind = table.behind || table.IsBehindGuests();
  more_ended = true;
  if (store.shared()) ReadMutes(table.id);
  if (store.shared()) bus.Publish(TopicOf(table.id), "asks " + hooks.name);
  SendAway(table);
  SendCrowdAway(table);
  Finish(table);
}

void Hall::Impl::Drop(LiveTable& table, const Error& why) {
  for (const LiveTable::Guest& guest : table.guests()) {
    guest.client->Close(why.key);
    Forget(guest.person.id, guest.client_id);
  }
  const std::deque<LiveTable::Task> waiting = std::move(table.waiting);
  --under_way;
  Unload(table);
  for (const LiveTable::Task& task : waiting) task.run(why);
  StopIfDone();
}

void Hall::Impl::Unload(LiveTable& table) {
  if (table.due) timers.erase({*table.due, &table});
  tables.erase(std::string(table.id));
}

void Hall::Impl::DoAt(const std::string& id, LiveTable::Task task) {
  LiveTable* table = FindOrLoad(id);
  if (table == nullptr) return task.run(UnknownTable());
  table->waiting.push_back(std::move(task));
  if (!table->busy) Continue(*table);
}

void Hall::Impl::With(const std::string& id, std::function<void(Expected<LiveTable*>)> call) {
  LiveTable* table = FindOrLoad(id);
  if (table == nullptr) return call(UnknownTable());
  if (!table->loaded()) return table->waiting.push_back({{}, 0, std::move(call)});
  call(table);
}

void Hall::Impl::Begin(LiveTable& table) {
  table.busy = true;
  table.busy_since = hooks.now();
  ++under_way;
}

void Hall::Impl::Finish(LiveTable& table) {
  table.busy = false;
  --under_way;
  table.command.clear();
  table.SeePresence(Now());
  Continue(table);
  StopIfDone();
}

void Hall::Impl::Do(LiveTable& table, LiveTable::Task task) {
  table.waiting.push_back(std::move(task));
  Continue(table);
}

void Hall::Impl::Continue(LiveTable& table) {
  if (table.behind && !table.busy) return CatchUpSoon(table);
  while (!table.busy && !table.waiting.empty()) {
    const LiveTable::Task task = std::move(table.waiting.front());
    table.waiting.pop_front();
    task.run(&table);
    if (!table.busy) table.command.clear();
  }
  if (table.busy) return;
  AskBots(table);
  Schedule(table);
}

void Hall::Impl::Append(LiveTable& table, Change change, std::function<void(Stored)> then,
                        std::optional<NewTable> begins) {
  Begin(table);
  std::vector<Addition> additions = {AdditionOf(table.id, table.maker, table.number(), change)};
  if (begins) {
    additions.push_back(AdditionOf(begins->id, begins->maker, 0, begins->change));
    opening.push_back(begins->maker);
  }
  const auto pending =
      std::make_shared<Pending>(std::move(change), std::move(begins), std::move(then));
  store.AppendAll(std::move(additions), Now(), Written([this, &table, pending](Stored stored) {
                    Appended(table, pending, stored);
                  }));
}

void Hall::Impl::Appended(LiveTable& table, const std::shared_ptr<Pending>& pending,
                          Stored stored) {
  if (stored == Stored::Unknown) return LookUp(table, pending);
  if (pending->begins) Created(*pending->begins, stored);  // before anybody is sent there
  if (stored == Stored::Stale)  // somebody else writes: what is stored is right
    LogAt(table, store.shared() ? "debug" : "error", "table.stale", {{"number", table.number()}});
  if (stored == Stored::Failed) {
    LogAt(table, "error", "store.failed");
    table.retry = Now() + options.retry;
  }
  // What failed here may be stored by another process, which was asked for it before: whoever is
  // behind does not refuse it.
  if (stored == Stored::Stale || (stored == Stored::Failed && store.shared()))
    return CatchUpSurely(
        table, [this, &table, pending, stored, before = table.number()](bool read) {
          const bool stale = stored == Stored::Stale ? read : table.number() > before;
          pending->then(stale ? Stored::Stale : Stored::Failed);
          Finish(table);
        });
  if (stored == Stored::Stored) {
    if (store.shared()) table.last = TextHash(ToText(pending->change.events.back()));
    Happen(table, pending->change);
    bus.Publish(TopicOf(table.id), std::to_string(table.number()));
    if (store.shared() && !table.now().BotTurns().empty()) bus.Publish(kJobsTopic, {});
  }
  pending->then(stored);
  Finish(table);
}

void Hall::Impl::Happen(LiveTable& table, Change& change) {
  const bool ended = table.loaded() && table.now().Ended();
  for (size_t i = 0; i < change.events.size(); ++i)
    table.Happens(change.events[i], std::move(change.tables[i]));
  SendAway(table);
  if (ended || !table.now().Ended()) return;
  more_ended = true;
  LogAt(table, "info", "table.ended", {{"status", NameOf(table.now().status())}});
}

std::optional<Error> Hall::Impl::MayOpen(const std::string& person) const {
  if (stopping) return Stopping();
  size_t open = opening.size();
  auto own = static_cast<size_t>(std::ranges::count(opening, person));
  for (const auto& [id, table] : tables) {
    if (!table->loaded() || table->now().Ended()) continue;
    ++open;
    if (table->maker == person) ++own;
  }
  return TooMany(static_cast<int64_t>(open), static_cast<int64_t>(own));
}

std::optional<Error> Hall::Impl::TooMany(int64_t open, int64_t own) const {
  if (open >= static_cast<int64_t>(options.most_tables)) return Error{"error.tables.full", {}};
  if (own >= static_cast<int64_t>(options.most_tables_of_one))
    return Error{"error.tables.yours", {{"most", std::to_string(options.most_tables_of_one)}}};
  return std::nullopt;
}

Expected<Hall::Impl::NewTable> Hall::Impl::Prepare(std::string id, const Person& person,
                                                   TableOptions wanted,
                                                   std::vector<Chair> chairs) const {
  if (const std::optional<Error> refused = MayOpen(person.id)) return *refused;
  wanted.config.first = 0;
  Expected<Change> change = Table::Open(std::move(wanted), person, std::move(chairs), Now());
  if (!change) return change.error();
  return NewTable{std::move(id), person.id, *std::move(change)};
}

void Hall::Impl::Create(NewTable made, Opened then) {
  ++under_way;
  opening.push_back(made.maker);
  std::vector<Addition> additions = {AdditionOf(made.id, made.maker, 0, made.change)};
  const auto shared = std::make_shared<NewTable>(std::move(made));
  store.AppendAll(std::move(additions), Now(),
                  Written([this, shared, then = std::move(then)](Stored stored) {
                    Settle(shared, then, stored);
                  }));
}

void Hall::Impl::Settle(const std::shared_ptr<NewTable>& made, const Opened& then, Stored stored) {
  if (stored == Stored::Unknown) return LookUpNew(made, then);
  --under_way;
  Created(*made, stored);
  if (stored == Stored::Stored) {
    then(made->id);
  } else {
    ++figures.failed;
    then(StoreFails());
  }
  StopIfDone();
}

void Hall::Impl::Created(NewTable& made, Stored stored) {
  opening.erase(std::ranges::find(opening, made.maker));
  if (stored != Stored::Stored) return;
  // Somebody heard of it elsewhere and has come before the answer did: then it is being loaded.
  if (Find(made.id) != nullptr) return;
  LiveTable& live = Add(made.id);
  live.Become({std::move(made.change.tables.back()), made.maker});
  if (store.shared()) live.last = TextHash(ToText(made.change.events.back()));
  live.SeePresence(Now());
  Schedule(live);
  live.command = std::move(made.command);
  LogAt(live, "info", "table.opened", {{"by", made.maker}});
  live.command.clear();
}

std::optional<Error> Hall::Impl::Close(const std::string& id, const std::string& why) {
  const LiveTable* table = Find(id);
  if (!store.shared() && (table == nullptr || !table->loaded())) return UnknownTable();
  if (table != nullptr && table->loaded() && table->now().Ended())
    return Error{"error.table.ended", {}};
  DoAt(id, {{}, 0, [this, why](Expected<LiveTable*> at) {
              if (!at) return;
              Expected<Change> change = (*at)->now().CloseBy(why, Now());
              if (change) Append(**at, *std::move(change), [](Stored) {});
            }});
  return std::nullopt;
}

void Hall::Open(const Person& person, const TableOptions& options, const Opened& opened) {
  const auto open = [this, person, options, opened] {
    Expected<Impl::NewTable> made = impl_->Prepare(impl_->NewId({}), person, options, {});
    if (!made) return opened(made.error());
    impl_->Create(*std::move(made), opened);
  };
  if (!impl_->store.shared()) return open();
  impl_->store.CountOpen(person.id,
                         impl_->Guarded([this, open, opened](const Expected<Store::Count>& count) {
                           if (!count) return opened(StoreFails());
                           const std::optional<Error> full = impl_->TooMany(count->all, count->own);
                           return full ? opened(*full) : open();
                         }));
}

std::optional<Error> Hall::Close(const std::string& table, const std::string& why) {
  return impl_->Close(table, why);
}

}  // namespace civ
