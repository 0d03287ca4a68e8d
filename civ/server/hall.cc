#include "civ/server/hall.h"

#include <algorithm>
#include <tuple>

#include "civ/server/hall_impl.h"
#include "civ/server/ids.h"
#include "civ/server/replay.h"
#include "civ/table/tell.h"

namespace civ {
namespace {

constexpr int kMostListed = 100;  // of one person's tables

bool HasPerson(const Table& table) {
  return std::ranges::any_of(table.chairs(),
                             [](const Chair& chair) { return chair.person.has_value(); });
}

// Their summaries, as the text of a JSON array.
std::string ArrayOf(const std::vector<Listing>& listings) {
  std::string text;
  for (const Listing& listing : listings) (text += text.empty() ? '[' : ',') += listing.summary;
  return text.empty() ? "[]" : text + ']';
}

}  // namespace

void Hall::Impl::Log(std::string_view level, std::string_view event, const Json& fields) const {
  if (hooks.log) hooks.log(level, event, fields);
}

void Hall::Impl::LogAt(const LiveTable& table, std::string_view level, std::string_view event,
                       const Json& fields) const {
  if (level == "debug" && !hooks.debug) return;
  Json whole = {{"table", table.id}};
  if (!table.command.empty()) whole["command"] = table.command;
  whole.update(fields);
  Log(level, event, whole);
}

std::string Hall::Impl::NewId(const std::string& near) const {
  return store.Placed(IdFrom(hooks.random(kIdLength)), near);
}

Hall::Hall(Store& store, Bus& bus, BotPool* bots, HallOptions options, Hooks hooks)
    : impl_(std::make_unique<Impl>(store, bus, bots, options, std::move(hooks))) {}
Hall::~Hall() = default;

Expected<Hall::Rebuilt> Hall::Rebuild() {
  Rebuilt rebuilt;
  if (impl_->store.shared()) {  // tables are loaded when somebody asks for them
    const Expected<int64_t> now = impl_->store.ServiceTime();
    if (!now) return now.error();
    impl_->service_time.Set(impl_->hooks.now(), *now);
    impl_->reached_at = impl_->beaten_well = impl_->bus_well_since = impl_->hooks.now();
    return rebuilt;
  }
  std::optional<Error> failed =
      ReplayOpen(impl_->store, [&](const std::string& id, Expected<Replayed> replayed) {
        if (!replayed) return rebuilt.put_aside.emplace_back(id, replayed.error()), void();
        LiveTable& table = impl_->Add(id);
        table.Become(*std::move(replayed));
        table.SeePresence(impl_->Now());
        ++rebuilt.tables;
      });
  if (failed) return *failed;
  for (const auto& [id, error] : rebuilt.put_aside) {
    // One that a newer version has written waits for that version.
    if (error.key != kNewerLog) impl_->store.PutAside(id, error.key);
    impl_->Log("error", "table.put-aside", {{"table", id}, {"error", error.key}});
  }
  for (const auto& [id, table] : impl_->tables) impl_->Continue(*table);
  return rebuilt;
}

int64_t Hall::Now() const { return impl_->Now(); }

Json Hall::Lobby() const {
  if (impl_->lobby_at && impl_->Now() < *impl_->lobby_at + impl_->options.lobby_age)
    return impl_->lobby;
  std::vector<const LiveTable*> listed;
  for (const auto& [id, table] : impl_->tables)
    if (table->loaded() && table->now().options().listed && !table->now().Ended() &&
        HasPerson(table->now()))
      listed.push_back(table.get());
  const auto order = [](const LiveTable* table) {
    return std::tuple(table->now().status() != Status::Waiting, -table->now().changed_at(),
                      table->id);
  };
  const size_t most = std::min(listed.size(), impl_->options.most_in_lobby);
  std::ranges::partial_sort(listed, listed.begin() + static_cast<ptrdiff_t>(most), std::less{},
                            order);
  impl_->lobby = Json::array();
  for (size_t i = 0; i < most; ++i)
    impl_->lobby.push_back(TellSummary(listed[i]->id, listed[i]->now()));
  impl_->lobby_at = impl_->Now();
  return impl_->lobby;
}

void Hall::ListLobby(std::function<void(Expected<std::string>)> answer) {
  if (!impl_->store.shared()) return answer(Lobby().dump());
  if (impl_->lobby_at && impl_->Now() < *impl_->lobby_at + impl_->options.lobby_age)
    return answer(impl_->lobby_text);
  impl_->store.Lobby(
      static_cast<int>(impl_->options.most_in_lobby),
      impl_->Guarded([this, answer = std::move(answer)](const Expected<std::vector<Listing>>& all) {
        if (!all) return answer(StoreFails());
        impl_->lobby_text = ArrayOf(*all);
        impl_->lobby_at = impl_->Now();
        answer(impl_->lobby_text);
      }));
}

// It is asked often: what is stored is told as it is, and not read again.
void Hall::TablesOf(const std::string& person, std::function<void(Expected<std::string>)> answer) {
  impl_->store.List(
      person, false, kMostListed,
      impl_->Guarded([answer = std::move(answer)](const Expected<std::vector<Listing>>& listings) {
        if (!listings) return answer(StoreFails());
        std::vector<Listing> sorted;
        for (const bool open : {true, false})
          for (const Listing& listing : *listings)
            if (listing.open == open) sorted.push_back(listing);
        answer(ArrayOf(sorted));
      }));
}

void Hall::Summary(const std::string& table, std::function<void(Expected<Json>)> answer) {
  impl_->With(table, [answer = std::move(answer)](Expected<LiveTable*> at) {
    if (!at) return answer(at.error());
    answer(TellSummary((*at)->id, (*at)->now()));
  });
}

Expected<Record> Hall::Impl::RecordAt(const Expected<LiveTable*>& at) {
  if (!at) return at.error();
  const Table& now = (*at)->now();
  if (now.status() == Status::Closed) return Error{"error.table.closed", {}};
  if (now.status() != Status::Over) return Error{"error.table.running", {}};
  return now.ToRecord();
}

void Hall::RecordOf(const std::string& table, std::function<void(Expected<std::string>)> answer) {
  impl_->With(table, [answer = std::move(answer)](const Expected<LiveTable*>& at) {
    const Expected<Record> record = Impl::RecordAt(at);
    if (!record) return answer(record.error());
    answer(record->Dump());
  });
}

void Hall::AnalysisOf(const std::string& table, const std::string& person,
                      std::function<void(Expected<std::optional<std::string>>)> answer) {
  impl_->With(
      table, [this, table, person, answer = std::move(answer)](const Expected<LiveTable*>& at) {
        Expected<Record> record = Impl::RecordAt(at);
        if (!record) return answer(record.error());
        record->names = record->date = record->comments = Json();  // nothing of it is needed
        const Job job{.table = table,
                      .seat = -1,
                      .kind = "analysis",
                      .priority = 1,
                      .person = person,
                      .question = record->Dump()};
        const auto asked = [answer](const Expected<Store::AskedJob>& found) {
          if (!found) return answer(StoreFails());
          if (!found->asked) return answer(TooManyRequests());
          answer(found->answer);
        };
        if (impl_->store.shared()) return impl_->store.AskJob(job, impl_->Guarded(asked));
        asked(impl_->Judge(job, *record));
      });
}

Store::AskedJob Hall::Impl::Judge(const Job& job, const Record& record) {
  constexpr ptrdiff_t kMostKept = 100;  // in memory
  const auto same = [table = job.table](const Judged& other) { return other.job.table == table; };
  if (const auto found = std::ranges::find_if(judged, same); found != judged.end())
    return {true, found->answer};
  const auto waits = [](const Judged& other) { return !other.answer; };
  const auto own = [&](const Judged& other) {
    return waits(other) && other.job.person == job.person;
  };
  if (std::ranges::count_if(judged, waits) >= Store::kMostAsked || bots == nullptr ||
      std::ranges::count_if(judged, own) >= Store::kMostAskedOfOne)
    return {};
  if (std::ranges::count_if(judged, std::not_fn(waits)) >= kMostKept)
    judged.erase(std::ranges::find_if(judged, std::not_fn(waits)));
  judged.push_back({job});
  bots->Analyze(record, Guarded([this, same](const std::string& text) {
                  std::ranges::find_if(judged, same)->answer = text;
                }));
  return {true};
}

void Hall::Impl::LookBack(const std::string& id, const Person& person,
                          std::optional<size_t> actions, Teller tell, TextAnswer answer) {
  With(id, [this, person, actions, tell, answer = std::move(answer)](Expected<LiveTable*> at) {
    if (!at) return answer(at.error());
    const Table& now = (*at)->now();
    if (!now.MayWatch(person.id)) return answer(Error{"error.table.no-spectators", {}});
    const size_t wanted = actions.value_or(now.actions().size());
    if (!now.HasGame() || wanted > now.actions().size())
      return answer(Error{"error.table.no-moment", {}});
    // Taken out on this thread: what is behind it belongs here.
    const auto waits = std::make_shared<TextAnswer>(answer);
    Elsewhere([table = now, wanted, person, tell, waits]() -> std::function<void()> {
      return [waits, text = tell(table, wanted, person)] { std::exchange(*waits, nullptr)(text); };
    });
  });
}

void Hall::PastOf(const std::string& table, const Person& person, size_t actions,
                  std::function<void(Expected<std::string>)> answer) {
  impl_->LookBack(table, person, actions, TellPast, std::move(answer));
}

void Hall::StoryOf(const std::string& table, const Person& person, std::optional<size_t> actions,
                   std::function<void(Expected<std::string>)> answer) {
  impl_->LookBack(table, person, actions, TellStory, std::move(answer));
}

void Hall::Mute(const std::string& person, bool on) {
  if (on) {
    impl_->muted.insert(person);
  } else {
    impl_->muted.erase(person);
  }
}

void Hall::Stop(std::function<void()> done) {
  impl_->stopping = true;
  impl_->stopped = std::move(done);
  impl_->StopIfDone();
}

void Hall::Impl::StopIfDone() {
  if (!stopping || under_way > 0 || !stopped) return;
  const auto done = std::exchange(stopped, nullptr);
  std::vector<ClientId> all;
  for (const auto& [client, table] : clients) all.push_back(client);
  for (const ClientId client : all) CloseClient(client, Stopping().key);
  done();
}

Hall::Figures Hall::figures() const {
  Figures figures = impl_->figures;
  figures.clients = impl_->clients.size();
  figures.lost = impl_->lost;
  figures.tables = impl_->tables.size();
  for (const auto& [id, table] : impl_->tables) {
    if (table->loaded() && table->now().status() == Status::Running) ++figures.running;
    if (table->busy)
      figures.oldest_wait = std::max(figures.oldest_wait, impl_->hooks.now() - table->busy_since);
  }
  return figures;
}

}  // namespace civ
