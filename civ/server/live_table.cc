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

}  // namespace

void LiveTable::Become(Replayed replayed) {
  const bool first = !now_;  // else what the guests knew may not be what is stored
  now_ = std::move(replayed.table);
  maker = std::move(replayed.maker);
  for (const uint64_t command : replayed.done) Remember(command);
  base_ = std::move(replayed.before);
  recent_ = std::move(replayed.recent);
  for (const Guest& guest : guests_) {
    if (!now_->MayWatch(guest.person.id)) continue;
    if (first) {
      Welcome(guest);
    } else {
      guest.client->Send(Shared(TellAll(*now_, guest.person)));
    }
  }
}

void LiveTable::Tell(const Guest& guest, const Table& before, const Event& event,
                     const Table& after, Texts& texts) {
  if (!MayHear(before, event, after, guest.person)) return;
  const Seat seat = after.SeatOf(guest.person.id);
  if (after.HasGame() &&
      before.SeatOf(guest.person.id) != seat) {  // other cards are to be seen from there
    guest.client->Send(Shared(TellAll(after, guest.person)));
    return;
  }
  if (!texts[seat]) texts[seat] = Shared(TellEvent(before, event, after, seat));
  guest.client->Send(texts[seat]);
}

void LiveTable::Happens(const Event& event, Table after) {
  Texts texts;
  for (const Guest& guest : guests_) Tell(guest, *now_, event, after, texts);
  if (!base_) base_ = now_;
  if (recent_.size() >= kRecent) {
    base_->Apply(recent_.front());
    recent_.erase(recent_.begin());
  }
  recent_.push_back(event);
  now_ = std::move(after);
}

void LiveTable::Welcome(const Guest& guest) const {
  if (guest.seen == now_->number()) return;
  if (!base_ || guest.seen < base_->number() || guest.seen > now_->number()) {
    guest.client->Send(Shared(TellAll(*now_, guest.person)));
    return;
  }
  Table before = *base_;
  for (const Event& event : recent_) {
    Table after = before;
    after.Apply(event);
    Texts texts;
    if (after.number() > guest.seen) Tell(guest, before, event, after, texts);
    before = std::move(after);
  }
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

const LiveTable::Guest* LiveTable::Find(Hall::ClientId client) const {
  const auto found = std::ranges::find(guests_, client, &Guest::client_id);
  return found == guests_.end() ? nullptr : &*found;
}

bool LiveTable::IsHere(const std::string& person) const {
  return std::ranges::any_of(guests_,
                             [&](const Guest& guest) { return guest.person.id == person; });
}

Json LiveTable::Presence() const {
  Json seats = Json::array();
  for (const Chair& chair : now_->chairs())
    seats.push_back(chair.person && IsHere(chair.person->id));
  std::set<std::string_view> watching;
  for (const Guest& guest : guests_)
    if (now_->SeatOf(guest.person.id) == kSpectator) watching.insert(guest.person.id);
  return {{"type", "presence"}, {"seats", std::move(seats)}, {"watching", watching.size()}};
}

// With the time, so that whoever has just come knows how far the clocks have run since the last
// event.
std::shared_ptr<const std::string> LiveTable::TellPresence(int64_t time) const {
  Json json = presence_;
  json["now"] = time;
  json["spread"] = spread_();
  return Shared(json.dump());
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
  Json presence = Presence();
  if (presence == presence_) return false;
  presence_ = std::move(presence);
  const std::shared_ptr<const std::string> text = TellPresence(time);
  for (const Guest& guest : guests_) guest.client->Send(text);
  return true;
}

bool LiveTable::HasDone(uint64_t command) const {
  return std::ranges::find(done_, command) != done_.end();
}

void LiveTable::Remember(uint64_t command) {
  if (done_.size() == kCommandsRemembered) done_.erase(done_.begin());
  done_.push_back(command);
}

void LiveTable::Forget() {
  base_.reset();
  recent_ = {};
}

}  // namespace civ
