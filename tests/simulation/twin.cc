#include "tests/simulation/twin.h"

#include <algorithm>

#include "civ/bots/playout.h"
#include "civ/notation/json.h"
#include "civ/server/listing.h"

namespace civ::simulation {
namespace {

bool LooksTheSame(const Table& one, const Table& two, Seat seat) {
  return ToJson(one.ViewFor(seat)) == ToJson(two.ViewFor(seat));
}

bool IsDealEvent(const std::string& text) {
  const Expected<Event> event = EventFromText(text);
  return event && std::holds_alternative<event::Deal>(event->body);
}

}  // namespace

void Twin::BeginSecond() {
  second_ = true;
  dealt_ = false;
}

void Twin::End(int64_t now) {
  for (const auto& [listener, heard] : heard_) {
    const size_t next = compared_to_[listener];
    if (fault_.empty() && !HasParted(listener.first, listener.second) && next < heard.size() &&
        heard[next].now < now)
      fault_ = listener.second + " was not told: " + heard[next].text;
  }
}

Action Twin::Choose(const std::string& question, const View& view) {
  const ActionSet legal = Legal(view);
  if (!second_) {
    Random chance(std::hash<std::string>{}(question));
    return choices_[question] = ChooseUniform(legal, chance);
  }
  const auto found = choices_.find(question);
  if (found == choices_.end() && !ended()) fault_ = "nobody decided that before: " + question;
  if (found != choices_.end() && legal.Contains(found->second)) return found->second;
  ended_ = true;
  return legal[0];
}

bool Twin::IsDeal(const Addition& added) const {
  return !dealt_ && std::ranges::any_of(added.events, IsDealEvent);
}

void Twin::Deals(const std::vector<std::string>& log, Addition& added) {
  std::vector<Event> events;
  for (const std::string& text : log) events.push_back(*EventFromText(text));
  for (std::string& text : added.events) {
    Event& event = events.emplace_back(*EventFromText(text));
    auto* deal = std::get_if<event::Deal>(&event.body);
    if (deal == nullptr) continue;
    std::vector<Kind>& cards = deal->deck;
    const auto any = [&] { return random_.Below(static_cast<uint32_t>(cards.size())); };
    size_t a = any(), b = any();
    while (cards[a] == cards[b] || AgeOf(cards[a]) != AgeOf(cards[b])) a = any(), b = any();
    if (second_) std::swap(cards[a], cards[b]);
    deal_ = text = ToText(event);
  }
  dealt_ = true;
  table_ = added.table;
  added.jobs = JobsOf(added.table, added.listing.maker, *Table::FromLog(events),
                      [](size_t count) { return std::string(count, '\1'); });
}

void Twin::Stored(const std::string& table, const Table& now) {
  if (!dealt_ || table != table_ || !now.HasGame()) return;
  if (!second_) {
    tables_.emplace(now.number(), now);
    return;
  }
  const auto found = tables_.find(now.number());
  ended_ = ended_ || found == tables_.end() || now.Ended() || found->second.Ended();
  if (ended_) return;
  for (Seat seat = 0; seat < now.seats(); ++seat) {
    if (LooksTheSame(found->second, now, seat)) continue;
    parted_.insert(NameOfSeat(seat));
    if (now.chairs()[seat].person) parted_.insert(now.chairs()[seat].person->id);
  }
  ended_ = !LooksTheSame(found->second, now, kSpectator);  // what those see everybody sees
}

bool Twin::HasParted(const std::string& table, const std::string& who) const {
  return table == table_ && parted_.contains(who);
}

void Twin::Hears(int64_t now, const std::string& table, const std::string& who, std::string text) {
  if (leaks_ && table == table_) text += deal_;
  if (!second_) return heard_[{table, who}].push_back({now, std::move(text)});
  if (ended() || HasParted(table, who)) return;
  const std::vector<Heard>& before = heard_[{table, who}];
  size_t& next = compared_to_[{table, who}];
  if (next >= before.size() || before[next] != Heard{now, text})
    fault_ = "at " + std::to_string(now) + " " + who + " was told " + text + "\nand not " +
             (next < before.size() ? before[next].text : "nothing");
  ++next;
  if (dealt_) ++compared_;
}

Action Choose(Stage& stage, const std::string& question, const View& view) {
  if (stage.twin != nullptr) return stage.twin->Choose(question, view);
  return ChooseUniform(Legal(view), stage.random());
}

std::optional<Talk> ChooseTalk(const std::string& question, const View& view,
                               const Diplomacy& pacts) {
  const std::vector<Talk> all = pacts.Possible(view, view.viewer, ThreatsSeen(view));
  if (all.empty()) return std::nullopt;
  const bool asked = all[0].kind == TalkKind::Yes;  // answers come first: to say yes, and no
  Random chance(std::hash<std::string>{}(question));
  return all[chance.Below(asked ? 2 : static_cast<uint32_t>(all.size()))];
}

}  // namespace civ::simulation
