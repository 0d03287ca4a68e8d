// What people send to the hall: commands, from their text to their acknowledgement.
#include <algorithm>

#include "civ/server/clean.h"
#include "civ/server/hall_impl.h"
#include "civ/server/replay.h"
#include "civ/table/hash.h"
#include "civ/table/tell.h"

namespace civ {
namespace {

// With whatever else: fields that are not known are ignored.
bool IsPing(std::string_view text) {
  if (text.find("\"ping\"") == text.npos) return false;
  const Expected<Json> json = ParseJson(text);
  return json && json->is_object() && json->value("type", Json()) == "ping";
}

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

}  // namespace

void Hall::Impl::Receive(ClientId client, std::string_view text) {
  const auto found = clients.find(client);
  if (found == clients.end()) return;
  LiveTable& table = *found->second;
  const Person person = table.Find(client)->person;
  const uint64_t session = table.Find(client)->session;
  Visitor& visitor = visitors[person.id];
  if (text.size() > options.longest_message)
    return Refuse(table, client, {}, {"error.line-too-long", {}});
  if (IsPing(text))
    return Send(table, client,
                Json{{"type", "pong"}, {"spread", options.Spread(clients.size())}}.dump());
  const bool allowed = visitor.commands.Take(options.commands, Moment());
  visitor.refused = allowed ? 0 : visitor.refused + 1;
  if (visitor.refused > options.most_refused) return CloseClient(client, TooManyRequests().key);
  std::string id;
  Expected<Command> command = CommandFromText(text, id);
  if (!allowed) return Refuse(table, client, id, TooManyRequests());
  if (!command) return Refuse(table, client, id, command.error());
  if (stopping) return Refuse(table, client, id, Stopping());
  if (auto* say = std::get_if<command::Say>(&command->body))
    if (const std::optional<Error> wrong = MaySay(person, visitor, *say))
      return Refuse(table, client, id, *wrong);
  if (table.waiting.size() >= options.most_waiting)
    return Refuse(table, client, id, TooManyRequests());
  // It counts from its arrival: nobody's clock runs while the store is slow.
  Do(table, TaskOf({client, person, session, *std::move(command), Now()}));
}

LiveTable::Task Hall::Impl::TaskOf(Order order) {
  const std::string person = order.person.id;
  const uint64_t session = order.session;
  return {person, session, [this, order = std::move(order)](Expected<LiveTable*> at) {
            if (at && (*at)->now().MayWatch(order.person.id)) Obey(**at, order);
          }};
}

std::optional<Error> Hall::Impl::MaySay(const Person& person, Visitor& visitor,
                                        command::Say& say) const {
  if (muted.contains(person.id)) return Error{"error.muted", {}};
  if (say.phrase.empty()) {
    std::optional<std::string> text = Clean(say.text, kLongestSay);
    if (!text) return Error{"error.say", {{"most", std::to_string(kLongestSay)}}};
    say.text = *std::move(text);
  }
  if (!visitor.says.Take(options.says, Moment())) return TooManyRequests();
  return std::nullopt;
}

void Hall::Impl::Obey(LiveTable& table, const Order& order) {
  const auto& [client, person, session, command, sent, tries, checked] = order;
  int64_t arrived = sent;
  table.command = command.id;
  const uint64_t key = CommandKey(person.id, NameOf(command.body), command.id);
  if (!command.id.empty() && table.HasDone(key))
    return Send(table, client, TellStored(command.id, table.number()));
  if (Asides::Takes(table.now(), person, command.body)) {
    const Expected<LiveTable::Aside> aside = table.HappensAside(person, command.body, Now());
    if (!aside) return Refuse(table, client, command.id, aside.error());
    if (store.shared()) TellAside(table, *aside);
    if (!command.id.empty()) table.RememberAside(key);
    return Acknowledge(table, client, command.id);
  }
  Given given;
  if (std::holds_alternative<command::Start>(command.body))
    given.secret = Hex(hooks.random(kSecretDigits / 2));
  const bool moves = !command.id.empty() && (std::holds_alternative<command::Act>(command.body) ||
                                             std::holds_alternative<command::Pick>(command.body));
  const Seat seat = table.now().SeatOf(person.id);
  if (moves && seat != kSpectator && table.arrivals[seat] && table.arrivals[seat]->command == key)
    arrived = table.arrivals[seat]->at;
  if (std::holds_alternative<command::Rematch>(command.body)) given.rematch = NewId(table.id);
  Expected<Change> change = table.now().Do(person, command, arrived, given);
  if (!change) return Doubt(table, order, change.error());
  if (change->events.empty()) return Acknowledge(table, client, command.id);  // it is so already
  if (tries == 0)
    if (const std::optional<Error> wrong = TakeShare(table, person, *change))
      return Refuse(table, client, command.id, *wrong);
  std::optional<NewTable> next;
  if (!given.rematch.empty()) {
    const Table& now = table.now();
    Expected<NewTable> made = Prepare(given.rematch, person, now.options(), Rotated(now));
    if (!made) return Refuse(table, client, command.id, made.error());
    next = *std::move(made);
    next->command = command.id;
  }
  const auto answer = [this, &table, order, key, moves, seat, arrived](Stored stored) {
    if (moves) Note(table, seat, {key, arrived}, stored);
    Answer(table, order, key, stored);
  };
  Append(table, *std::move(change), answer, std::move(next));
}

void Hall::Impl::Answer(LiveTable& table, const Order& order, uint64_t key, Stored stored) {
  constexpr int kMostTries = 3;
  const std::string& id = order.command.id;
  // Without an id nobody could tell whether it was stored after all.
  const bool again =
      stored == Stored::Stale || (stored == Stored::Unknown && !order.command.id.empty());
  if (again && order.tries < kMostTries) {
    ++figures.retried;
    Order next = order;
    ++next.tries;
    return table.waiting.push_front(TaskOf(std::move(next)));
  }
  if (stored != Stored::Stored)
    return Refuse(table, order.client, id,
                  stored == Stored::Stale ? Error{"error.stale", {}} : StoreFails());
  if (!id.empty()) table.Remember(key);
  LogAt(table, "debug", "command.stored", {{"number", table.number()}});
  Acknowledge(table, order.client, id);
}

void Hall::Impl::Doubt(LiveTable& table, const Order& order, const Error& error) {
  if (!store.shared() || order.checked) return Refuse(table, order.client, order.command.id, error);
  Begin(table);
  CatchUpSurely(table, [this, &table, order, error, before = table.number()](bool) {
    Order next = order;
    next.checked = true;
    if (table.number() > before)
      table.waiting.push_front(TaskOf(std::move(next)));
    else
      Refuse(table, order.client, order.command.id, error);
    Finish(table);
  });
}

void Hall::Impl::Acknowledge(LiveTable& table, ClientId client, const std::string& command) {
  ++figures.stored;
  Send(table, client, TellStored(command, table.number()));
}

std::optional<Error> Hall::Impl::TakeShare(LiveTable& table, const Person& person,
                                           const Change& change) {
  const EventBody& first = change.events[0].body;
  if (IsMove(first)) return std::nullopt;
  LiveTable::Share& share = table.shares[person.id];
  bool allowed = share.stored < options.most_stored_of_one;
  if (std::holds_alternative<event::Ask>(first))
    allowed = allowed && share.asks.Take(options.asks, Moment());
  else if (!std::holds_alternative<event::Say>(first))
    allowed = allowed && share.changes.Take(options.changes, Moment());
  if (!allowed) return Error{"error.table.share", {}};
  ++share.stored;
  return std::nullopt;
}

void Hall::Impl::Rename(const Person& person) {
  const auto rename = [this, person](const std::string& id) {
    DoAt(id, {{}, 0, [this, person](Expected<LiveTable*> at) {
                if (!at || !(*at)->now().KnowsByOtherName(person)) return;
                Expected<Change> change = (*at)->now().Renames(person, Now());
                if (change && !TakeShare(**at, person, *change))
                  Append(**at, *std::move(change), [](Stored) {});
              }});
  };
  std::vector<std::string> known;
  for (const auto& [id, table] : tables) {
    table->Rename(person);
    if (table->loaded() && table->now().KnowsByOtherName(person)) known.push_back(id);
  }
  if (!store.shared()) return std::ranges::for_each(known, rename), void();
  constexpr int kMost = 100;
  store.List(person.id, true, kMost,
             Guarded([rename](const Expected<std::vector<Listing>>& listings) {
               if (!listings) return;
               for (const Listing& listing : *listings) rename(listing.table);
             }));
}

// Remembers when a move arrived until it is stored.
void Hall::Impl::Note(LiveTable& table, Seat seat, LiveTable::Arrival arrival,
                      Stored stored) const {
  if (stored == Stored::Failed || stored == Stored::Unknown) {
    table.arrivals[seat] = arrival;
    table.patience = Now() + options.resend;
  } else {
    table.arrivals[seat].reset();
    if (std::ranges::none_of(table.arrivals, [](const auto& move) { return move.has_value(); }))
      table.patience = 0;
  }
}

void Hall::Rename(const Person& person) { impl_->Rename(person); }
void Hall::Called(const Person& person) {
  for (const auto& [id, table] : impl_->tables) table->Rename(person);
}
void Hall::Receive(ClientId client, std::string_view text) { impl_->Receive(client, text); }

}  // namespace civ
