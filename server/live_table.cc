#include "server/live_table.h"

#include <algorithm>
#include <set>

namespace civ {
namespace {

constexpr size_t kRecent = 32;  // events
constexpr size_t kDone = 64;    // commands

std::shared_ptr<const std::string> Shared(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

// KeyOf the command that made this event; nothing where the event does not say. Done twice, any other command changes nothing or is refused.
std::optional<uint64_t> CommandOf(const Event& event, const std::vector<Chair>& chairs) {
  const auto of_seat = [&](Seat seat, const std::string& id) -> std::optional<uint64_t> {
    if (id.empty() || !chairs[seat].person) return std::nullopt;
    return KeyOf(chairs[seat].person->id, NameOf(event.body), id);
  };
  if (const auto* act = std::get_if<event::Act>(&event.body)) return of_seat(act->seat, act->id);
  if (const auto* pick = std::get_if<event::Pick>(&event.body)) return of_seat(pick->seat, pick->id);
  const auto* say = std::get_if<event::Say>(&event.body);
  if (say == nullptr || say->id.empty()) return std::nullopt;
  return KeyOf(say->person.id, NameOf(event.body), say->id);
}

}  // namespace

uint64_t KeyOf(const std::string& person, std::string_view command, const std::string& id) {
  return std::hash<std::string>()(person + '\n' + std::string(command) + '\n' + id);
}

Expected<Loaded> LoadedFrom(const StoredLog& log) {
  std::vector<Event> events;
  events.reserve(log.events.size());
  for (const std::string& text : log.events) {
    Expected<Event> event = EventFromText(text);
    if (!event) {
      Error wrong = event.error();
      wrong.args.emplace_back("event", std::to_string(events.size() + 1));
      return wrong;
    }
    events.push_back(*std::move(event));
  }
  Expected<Table> table = Table::FromLog(events);
  if (!table) return table.error();
  Loaded loaded{*std::move(table), std::get<event::Create>(events[0].body).by.id, {}};
  for (size_t i = events.size() - std::min(events.size(), kDone); i < events.size(); ++i)
    if (const std::optional<uint64_t> command = CommandOf(events[i], loaded.table.chairs())) loaded.done.push_back(*command);
  return loaded;
}

void LiveTable::Become(Loaded loaded) {
  now_ = std::move(loaded.table);
  maker = std::move(loaded.maker);
  for (const uint64_t command : loaded.done) Remember(command);
  Forget();
  for (const Guest& guest : guests_)
    if (now_->MayWatch(guest.person.id)) guest.line->Send(Shared(TellAll(*now_, guest.person)));
}

void LiveTable::Tell(const Guest& guest, const Table& before, const Event& event, const Table& after, Texts& texts) {
  if (!MayHear(before, event, after, guest.person)) return;
  const Seat seat = after.SeatOf(guest.person.id);
  if (after.HasGame() && before.SeatOf(guest.person.id) != seat) {  // other cards are to be seen from there
    guest.line->Send(Shared(TellAll(after, guest.person)));
    return;
  }
  if (!texts[seat]) texts[seat] = Shared(TellEvent(before, event, after, seat));
  guest.line->Send(texts[seat]);
}

void LiveTable::Happens(const Event& event, Table after) {
  Texts texts;
  for (const Guest& guest : guests_) Tell(guest, *now_, event, after, texts);
  if (!base_) base_ = now_;
  if (recent_.size() == kRecent) {
    base_->Apply(recent_.front());
    recent_.erase(recent_.begin());
  }
  recent_.push_back(event);
  now_ = std::move(after);
}

void LiveTable::Welcome(const Guest& guest) const {
  if (!base_ || guest.seen < base_->number() || guest.seen > now_->number()) {
    guest.line->Send(Shared(TellAll(*now_, guest.person)));
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
  if (!SeePresence(time)) guests_.back().line->Send(TellPresence(time));
}

void LiveTable::Leave(Hall::LineId line) {
  std::erase_if(guests_, [line](const Guest& guest) { return guest.line_id == line; });
}

const LiveTable::Guest* LiveTable::Find(Hall::LineId line) const {
  const auto found = std::ranges::find(guests_, line, &Guest::line_id);
  return found == guests_.end() ? nullptr : &*found;
}

bool LiveTable::IsHere(const std::string& person) const {
  return std::ranges::any_of(guests_, [&](const Guest& guest) { return guest.person.id == person; });
}

Json LiveTable::Presence() const {
  Json seats = Json::array();
  for (const Chair& chair : now_->chairs()) seats.push_back(chair.person && IsHere(chair.person->id));
  std::set<std::string_view> watching;
  for (const Guest& guest : guests_)
    if (now_->SeatOf(guest.person.id) == kSpectator) watching.insert(guest.person.id);
  return {{"type", "presence"}, {"seats", std::move(seats)}, {"watching", watching.size()}};
}

// With the time, so that whoever has just come knows how far the clocks have run since the last event.
std::shared_ptr<const std::string> LiveTable::TellPresence(int64_t time) const {
  Json json = presence_;
  json["now"] = time;
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
  for (const Guest& guest : guests_) guest.line->Send(text);
  return true;
}

bool LiveTable::HasDone(uint64_t command) const { return std::ranges::find(done_, command) != done_.end(); }

void LiveTable::Remember(uint64_t command) {
  if (done_.size() == kDone) done_.erase(done_.begin());
  done_.push_back(command);
}

void LiveTable::Forget() {
  base_.reset();
  recent_ = {};
}

}  // namespace civ
