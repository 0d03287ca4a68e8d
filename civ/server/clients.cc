#include "civ/server/clients.h"

#include <algorithm>
#include <utility>

namespace civ {

std::optional<Answer> Clients::WhyNot(const std::string& address) const {
  if (stopping_) return Refused(503, {"closing.restart", {}});
  const bool too_many =
      clients_.size() >= options_.most_sockets ||
      addresses_.IsFull(address, options_.most_sockets_of_one_address, options_.most_sockets);
  if (!too_many) return std::nullopt;
  Answer answer = Refused(429, {"error.too-many-requests", {}});
  answer.headers.emplace_back("Retry-After", "10");
  return answer;
}

void Clients::CloseAll(std::string_view why) {
  for (const auto& [client, known] : clients_) client->Close(why);
}

void Clients::Add(Client& client, Upgrade from) {
  addresses_.Add(from.address);
  clients_[&client] = {std::move(from)};
}

void Clients::Opened(std::shared_ptr<Client> client) {
  Known& known = clients_.at(client.get());
  // The session may have ended during the handshake.
  const Upgrade& from = known.from;
  if (!sessions_->IsOpen(from.person.id, from.session_number) || sessions_->IsBanned(from.address))
    return client->Close("closing.session");
  for (const Sessions::Session* session : sessions_->OfPerson(from.person.id))
    hall_->Mute(from.person.id, session->stored.muted);
  known.id =
      hall_->Enter(from.table, from.person, from.seen, std::move(client), from.session_number);
  known.from = {{}, {}, 0, std::move(known.from.address), 0};  // the hall has the rest
}

void Clients::Received(Client& client, std::string_view text) {
  hall_->Receive(clients_.at(&client).id, text);
}

void Clients::Closed(Client& client) { hall_->Leave(clients_.at(&client).id); }

void Clients::Waits(Client& client, size_t bytes) {
  size_t& waiting = clients_.at(&client).waiting;
  queued_ += bytes - waiting;
  waiting = bytes;
  while (queued_ > options_.all_queues) {
    const auto furthest = std::ranges::max_element(
        clients_, {}, [](const auto& entry) { return entry.second.waiting; });
    queued_ -= std::exchange(furthest->second.waiting, 0);
    furthest->first->Close("closing.slow");
  }
}

void Clients::Gone(Client& client) {
  const auto found = clients_.find(&client);
  addresses_.Remove(found->second.from.address);
  queued_ -= found->second.waiting;
  clients_.erase(found);
  ended_();
}

}  // namespace civ
