#include "civ/table/asides.h"

#include <algorithm>

namespace civ {
namespace {

constexpr ptrdiff_t kMostMutes = 20;         // of one person
constexpr size_t kMostMutesInAll = 1'000;    // of which those who play have a part that is theirs
constexpr double kMoments = 274877906944.0;  // 2 to the 38th milliseconds are nine years

}  // namespace

Asides::Asides(const Table& table) {
  for (const auto& [by, whom] : table.mutes())
    mutes_.push_back({by, whom, table.SeatOf(by) != kSpectator});
}

bool Asides::Takes(const Table& table, const Person& who, const CommandBody& command) {
  return std::holds_alternative<command::Mute>(command) ||
         (std::holds_alternative<command::Say>(command) && table.SeatOf(who.id) == kSpectator);
}

std::optional<Error> Asides::Mute(const Table& table, const Person& by, const command::Mute& mute) {
  if (mute.whom == by.id) return Error{"error.table.no-such-person", {}};
  std::erase_if(mutes_,
                [&](const Deaf& deaf) { return deaf.by == by.id && deaf.whom == mute.whom; });
  if (!mute.on) return std::nullopt;
  if (std::ranges::count(mutes_, by.id, &Deaf::by) >= kMostMutes)
    return Error{"error.table.too-many-mutes", {}};
  if (mutes_.size() >= kMostMutesInAll)  // so many cannot be of those who play
    mutes_.erase(std::ranges::find(mutes_, false, &Deaf::plays));
  mutes_.push_back({by.id, mute.whom, table.SeatOf(by.id) != kSpectator});
  return std::nullopt;
}

bool Asides::HasMuted(std::string_view person, std::string_view whom) const {
  return std::ranges::any_of(
      mutes_, [&](const Deaf& deaf) { return deaf.by == person && deaf.whom == whom; });
}

std::vector<std::string> Asides::MutedBy(std::string_view person) const {
  std::vector<std::string> muted;
  for (const Deaf& deaf : mutes_)
    if (deaf.by == person) muted.push_back(deaf.whom);
  return muted;
}

std::vector<event::Mute> Asides::mutes() const {
  std::vector<event::Mute> all;
  for (const Deaf& deaf : mutes_) all.push_back({deaf.by, deaf.whom, true});
  return all;
}

const Asides::Line& Asides::Say(const Table& table, const Person& who, const command::Say& say,
                                int64_t now) {
  double place = static_cast<double>(table.number()) +
                 static_cast<double>(now % static_cast<int64_t>(kMoments)) / kMoments;
  if (!lines_.empty()) place = std::max(place, lines_.back().place + 1 / kMoments);
  Keep({place, {who, std::nullopt, say.text, say.phrase}});
  return lines_.back();
}

bool Asides::Hear(const Line& line) {
  if (std::ranges::any_of(lines_, [&](const Line& known) {
        return known.place == line.place && known.said.person.id == line.said.person.id;
      }))
    return false;
  Keep(line);
  return true;
}

void Asides::Keep(Line line) {
  lines_.insert(std::ranges::upper_bound(lines_, line.place, {}, &Line::place), std::move(line));
  if (lines_.size() > Table::kChatKept) lines_.pop_front();
}

}  // namespace civ
