// Clients of the hall: who is connected to which table.
#include <algorithm>

#include "civ/server/hall_impl.h"
#include "civ/table/tell.h"

namespace civ {
namespace {

// Those who play there, or whose table it is, are never too many.
bool Watches(const LiveTable& table, const std::string& person) {
  return table.now().SeatOf(person) == kSpectator && !table.now().IsHost(person);
}

bool HasFreeChair(const Table& table) {
  return table.status() == Status::Waiting &&
         std::ranges::any_of(table.chairs(),
                             [](const Chair& chair) { return !chair.person && chair.bot.empty(); });
}

}  // namespace

void Hall::Impl::CloseClient(ClientId client, std::string_view why) {
  const auto found = clients.find(client);
  if (found == clients.end()) return;
  if (const LiveTable::Guest* guest = found->second->Find(client)) guest->client->Close(why);
  Leave(client);
}

void Hall::Impl::Forget(const std::string& person, ClientId client) {
  if (const auto visitor = visitors.find(person); visitor != visitors.end())
    std::erase(visitor->second.clients, client);
  clients.erase(client);
}

void Hall::Impl::Leave(ClientId client) {
  const auto found = clients.find(client);
  if (found == clients.end()) return;
  LiveTable& table = *found->second;
  const std::string person = table.Find(client)->person.id;
  Forget(person, client);
  table.Leave(client);
  if (store.shared() && !table.IsHere(person)) Went(table, person);
  table.SeePresence(Now());
  if (table.guests().empty()) table.empty_since = Now();
  if (!table.busy) Schedule(table);
}

void Hall::Impl::Send(LiveTable& table, ClientId client, std::string text) {
  if (const LiveTable::Guest* guest = table.Find(client))
    guest->client->Send(std::make_shared<const std::string>(std::move(text)));
}

void Hall::Impl::Refuse(LiveTable& table, ClientId client, const std::string& command,
                        const Error& error) {
  ++(error.key == "error.stale"      ? figures.stale
     : error.key == StoreFails().key ? figures.failed
                                     : figures.refused);
  Json fields = {{"table", table.id}, {"error", error.key}};
  if (!command.empty()) fields["command"] = command;
  Log("debug", "command.refused", fields);
  Send(table, client, TellRefused(command, table.number(), error));
}

void Hall::Impl::SendAway(LiveTable& table) {
  std::vector<ClientId> away;
  for (const LiveTable::Guest& guest : table.guests())
    if (!table.now().MayWatch(guest.person.id)) away.push_back(guest.client_id);
  for (const ClientId client : away) CloseClient(client, "error.table.no-spectators");
}

void Hall::Impl::SendCrowdAway(LiveTable& table) {
  std::vector<ClientId> away;
  size_t watching = 0;
  for (const LiveTable::Guest& guest : table.guests())
    if (Watches(table, guest.person.id) && ++watching > options.most_watching)
      away.push_back(guest.client_id);
  for (const ClientId client : away) CloseClient(client, "error.table.crowded");
}

bool Hall::IsHere(const std::string& person) const {
  const auto visitor = impl_->visitors.find(person);
  return visitor != impl_->visitors.end() && !visitor->second.clients.empty();
}

Hall::ClientId Hall::Enter(const std::string& table, const Person& person, int64_t seen,
                           std::shared_ptr<Client> client, uint64_t session) {
  const ClientId id = ++impl_->last_client;
  const auto refuse = [&](std::string_view why) {
    client->Close(why);
    return id;
  };
  if (impl_->stopping || impl_->lost) return refuse(Stopping().key);
  LiveTable* at = impl_->FindOrLoad(table);
  if (at == nullptr) return refuse(UnknownTable().key);
  if (at->loaded() && !at->now().MayWatch(person.id)) return refuse("error.table.no-spectators");
  // Of a table that is being loaded it is not known yet who plays there.
  const bool watches = at->loaded() && Watches(*at, person.id) && !at->IsHere(person.id);
  std::vector<ClientId> crowd;
  for (const LiveTable::Guest& guest : at->guests())
    if (watches && Watches(*at, guest.person.id)) crowd.push_back(guest.client_id);
  if (watches && crowd.size() >= impl_->options.most_watching) {
    // Where a chair is free, nobody is kept from it by those who only watch: the one goes who has
    // watched longest.
    if (crowd.empty() || !HasFreeChair(at->now())) return refuse("error.table.crowded");
    impl_->CloseClient(crowd.front(), "error.table.crowded");
  }
  std::vector<ClientId> older;
  for (const LiveTable::Guest& guest : at->guests())
    if (guest.person.id == person.id) older.push_back(guest.client_id);
  impl_->clients[id] = at;
  impl_->visitors[person.id].clients.push_back(id);
  at->Enter({id, person, std::move(client), seen, session, impl_->Now()}, impl_->Now());
  // Only now: so the person is here all the time.
  for (const ClientId other : older) impl_->CloseClient(other, "closing.elsewhere");
  if (impl_->store.shared()) impl_->Came(*at, person.id);
  if (at->IsBehindGuests()) impl_->CatchUpSoon(*at);
  if (!at->busy) impl_->Schedule(*at);
  return id;
}

void Hall::Leave(ClientId client) { impl_->Leave(client); }

void Hall::Dismiss(const std::string& person, std::optional<uint64_t> session) {
  const auto visitor = impl_->visitors.find(person);
  if (visitor == impl_->visitors.end()) return;
  const auto ends = [&](uint64_t of) { return !session || of == *session; };
  for (const ClientId client : std::vector<ClientId>(visitor->second.clients)) {
    LiveTable& table = *impl_->clients[client];
    std::erase_if(table.waiting, [&](const LiveTable::Task& task) {
      return task.person == person && ends(task.session);
    });
    if (ends(table.Find(client)->session)) impl_->CloseClient(client, "closing.session");
  }
}

}  // namespace civ
