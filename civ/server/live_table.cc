#include "civ/server/live_table.h"

#include <algorithm>
#include <set>

#include "civ/table/tell.h"

namespace civ {
namespace {

constexpr size_t kRecent = 32;  // events

std::shared_ptr<const std::string> Shared(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

void Keep(std::vector<uint64_t>& done, uint64_t command) {
  if (done.size() == kCommandsRemembered) done.erase(done.begin());
  done.push_back(command);
}

}  // namespace

void LiveTable::Become(Replayed replayed) {
  const bool first = !now_;  // else what the guests knew may not be what is stored
  if (first) asides_ = Asides(replayed.table);
  now_ = std::move(replayed.table);
  for (const auto& [person, stored] : replayed.stored) shares[person].stored = stored;
  maker = std::move(replayed.maker);
  for (const uint64_t command : replayed.done) Remember(command);
  base_ = std::move(replayed.before);
  recent_ = std::move(replayed.recent);
  last = replayed.last;
  for (Guest& guest : guests_) {
    if (!now_->MayWatch(guest.person.id)) continue;
    if (first) {
      Welcome(guest);
    } else {
      guest.client->Send(Shared(TellAll(*now_, guest.person, asides_)));
    }
  }
}

// An event, and what was told of it: the same to all in one seat.
struct LiveTable::News {
  const Table& before;
  const Event& event;
  const Table& after;
  EventTeller teller{before, event, after};
  std::array<std::shared_ptr<const std::string>, kMaxSeats + 1> texts = {};
};

void LiveTable::Tell(const Guest& guest, News& news) const {
  const auto& [before, event, after, teller, texts] = news;
  if (guest.ahead && after.number() <= guest.seen) return;
  if (!MayHear(before, event, after, guest.person, asides_)) return;
  const Seat seat = after.SeatOf(guest.person.id);
  if (after.HasGame() &&
      before.SeatOf(guest.person.id) != seat) {  // other cards are to be seen from there
    guest.client->Send(Shared(TellAll(after, guest.person, asides_)));
    return;
  }
  if (!texts[seat]) news.texts[seat] = Shared(news.teller.For(seat));
  guest.client->Send(texts[seat]);
  if (after.Ended() && !before.Ended() && seat != kSpectator) TellLines(guest);
}

void LiveTable::TellLines(const Guest& guest) const {
  const auto tell = [&](double place, const event::Say& said) {
    if (!asides_.HasMuted(guest.person.id, said.person.id))
      guest.client->Send(Shared(TellLine(place, said)));
  };
  for (const Table::ChatMessage& message : now_->chat())  // of an earlier version
    if (!message.said.seat) tell(static_cast<double>(message.number), message.said);
  for (const Asides::Line& line : asides_.lines()) tell(line.place, line.said);
}

bool LiveTable::Knows(const std::string& person) const {
  const auto is = [&](const Chair& chair) { return chair.person && chair.person->id == person; };
  const auto spoke = [&](const auto& line) { return line.said.person.id == person; };
  return IsHere(person) || std::ranges::any_of(now_->chairs(), is) ||
         std::ranges::any_of(now_->chat(), spoke) || std::ranges::any_of(asides_.lines(), spoke);
}

std::optional<Error> LiveTable::Mute(const Person& by, const command::Mute& mute) {
  if (std::optional<Error> wrong = asides_.Mute(*now_, by, mute)) return wrong;
  for (const Guest& guest : guests_)
    if (guest.person.id == by.id) guest.client->Send(Shared(TellMute(mute)));
  return std::nullopt;
}

void LiveTable::Tell(const Asides::Line& line) const {
  const auto text = Shared(TellLine(line.place, line.said));
  for (const Guest& guest : guests_)
    if (MayHear(*now_, line.said, guest.person, asides_)) guest.client->Send(text);
}

Expected<LiveTable::Aside> LiveTable::HappensAside(const Person& who, const CommandBody& command,
                                                   int64_t time) {
  if (const auto* mute = std::get_if<command::Mute>(&command)) {
    if (mute->on && !Knows(mute->whom)) return Error{"error.table.no-such-person", {}};
    if (const std::optional<Error> wrong = Mute(who, *mute)) return *wrong;
    return Aside{0, event::Mute{who.id, mute->whom, mute->on}};
  }
  const Asides::Line& line = asides_.Say(*now_, who, std::get<command::Say>(command), time);
  Tell(line);
  return Aside{line.place, line.said};
}

void LiveTable::HappensElsewhere(const Aside& aside) {
  if (const auto* mute = std::get_if<event::Mute>(&aside.body)) {
    if (asides_.HasMuted(mute->by, mute->whom) != mute->on)
      Mute({mute->by, {}}, {mute->whom, mute->on});
  } else if (const auto* said = std::get_if<event::Say>(&aside.body)) {
    const Asides::Line line = {aside.place, *said};
    if (asides_.Hear(line)) Tell(line);
  }
}

std::vector<LiveTable::Aside> LiveTable::Earlier() const {
  std::vector<Aside> all;
  for (const event::Mute& mute : asides_.mutes()) all.push_back({0, mute});
  for (const Asides::Line& line : asides_.lines()) all.push_back({line.place, line.said});
  return all;
}

void LiveTable::HappenedElsewhere(const std::vector<Aside>& earlier) {
  bool heard = false;
  for (const Aside& aside : earlier) {
    const auto* said = std::get_if<event::Say>(&aside.body);
    if (said == nullptr)
      HappensElsewhere(aside);
    else
      heard = asides_.Hear({aside.place, *said}) || heard;
  }
  // What is told of the whole table has these lines in their places.
  for (const Guest& guest : guests_)
    if (heard && MayHear(*now_, asides_.lines().back().said, guest.person, {}))
      guest.client->Send(Shared(TellAll(*now_, guest.person, asides_)));
}

void LiveTable::Happens(const Event& event, Table after) {
  if (!guests_.empty()) {
    News news{*now_, event, after};
    for (const Guest& guest : guests_) Tell(guest, news);
  }
  if (!base_) base_ = now_;
  if (recent_.size() >= kRecent) {
    base_->Apply(recent_.front());
    recent_.erase(recent_.begin());
  }
  recent_.push_back(event);
  now_ = std::move(after);
}

void LiveTable::Welcome(Guest& guest) const {
  if (guest.seen == now_->number()) return;
  if (shared && guest.seen > now_->number()) {
    guest.ahead = true;
    return;
  }
  if (!base_ || guest.seen < base_->number() || guest.seen > now_->number()) {
    guest.client->Send(Shared(TellAll(*now_, guest.person, asides_)));
    return;
  }
  Table before = *base_;
  for (const Event& event : recent_) {
    Table after = before;
    after.Apply(event);
    News news{before, event, after};
    if (after.number() > guest.seen) Tell(guest, news);
    before = std::move(after);
  }
}

bool LiveTable::IsBehindGuests() const { return std::ranges::any_of(guests_, &Guest::ahead); }

void LiveTable::HasCaughtUp(Hall::ClientId newest) {
  for (Guest& guest : guests_)
    if (guest.client_id <= newest && std::exchange(guest.ahead, false) &&
        guest.seen > now_->number())
      guest.client->Send(Shared(TellAll(*now_, guest.person, asides_)));
}

void LiveTable::Enter(Guest guest, int64_t time) {
  guests_.push_back(std::move(guest));
  if (!now_) return;
  Welcome(guests_.back());
  if (!SeePresence(time)) guests_.back().client->Send(TellPresence(time));
}

void LiveTable::Leave(Hall::ClientId client) {
  std::erase_if(guests_, [client](const Guest& guest) { return guest.client_id == client; });
}

void LiveTable::Rename(const Person& person) {
  for (Guest& guest : guests_)
    if (guest.person.id == person.id) guest.person = person;
}

const LiveTable::Guest* LiveTable::Find(Hall::ClientId client) const {
  const auto found = std::ranges::find(guests_, client, &Guest::client_id);
  return found == guests_.end() ? nullptr : &*found;
}

bool LiveTable::IsHere(const std::string& person) const {
  return std::ranges::any_of(guests_,
                             [&](const Guest& guest) { return guest.person.id == person; });
}

LiveTable::Presence LiveTable::PresenceNow() const {
  Presence presence;
  for (const Chair& chair : now_->chairs())
    presence.seats.push_back(chair.person &&
                             (IsHere(chair.person->id) || elsewhere_.contains(chair.person->id)));
  std::set<std::string_view> watching;
  for (const Guest& guest : guests_)
    if (now_->SeatOf(guest.person.id) == kSpectator) watching.insert(guest.person.id);
  for (const std::string& person : elsewhere_)
    if (now_->SeatOf(person) == kSpectator) watching.insert(person);
  presence.watching = watching.size();
  return presence;
}

// With the time, so that whoever has just come knows how far the clocks have run since the last
// event.
std::shared_ptr<const std::string> LiveTable::TellPresence(int64_t time) const {
  return Shared(Json{
      {"type", "presence"},
      {"seats", presence_.seats},
      {"watching", presence_.watching},
      {"now", time},
      {"spread",
       spread_()}}.dump());
}

bool LiveTable::SeePresence(int64_t time) {
  if (!now_) return false;
  for (Seat seat = 0; seat < now_->seats(); ++seat) {
    const std::optional<Person>& person = now_->chairs()[seat].person;
    if (!person || IsHere(person->id)) {
      absences_[seat].reset();
    } else if (!absences_[seat]) {
      absences_[seat] = time;
    }
  }
  Presence presence = PresenceNow();
  if (presence == presence_) return false;
  presence_ = std::move(presence);
  const std::shared_ptr<const std::string> text = TellPresence(time);
  for (const Guest& guest : guests_) guest.client->Send(text);
  return true;
}

void LiveTable::Learn(const Event& event) {
  const auto& [person, command, id_of_command] = event.cause;
  if (!id_of_command.empty()) Remember(CommandKey(person, command, id_of_command));
  if (!person.empty() && !IsMove(event.body)) ++shares[person].stored;
}

bool LiveTable::HasDone(uint64_t command) const {
  return std::ranges::find(done_, command) != done_.end() ||
         std::ranges::find(done_aside_, command) != done_aside_.end();
}

void LiveTable::Remember(uint64_t command) { Keep(done_, command); }
void LiveTable::RememberAside(uint64_t command) { Keep(done_aside_, command); }

void LiveTable::Forget() {
  base_.reset();
  recent_ = {};
}

}  // namespace civ
