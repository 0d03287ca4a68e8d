// What happens in the hall by itself: bots that act, clocks that run out, tables that are idle.
#include <algorithm>
#include <cstring>

#include "civ/server/hall_impl.h"

namespace civ {
namespace {

constexpr int64_t kVisitorSweep =
    60'000;  // milliseconds between two looks for visitors who have gone

}  // namespace

void Hall::Impl::AskBots(LiveTable& table) {
  if (stopping || bots == nullptr || table.retry > Now()) return;
  for (const auto& [seat, bot] : table.now().BotTurns()) {
    LiveTable::BotSeat& player = table.bots[seat];
    if (player.asked) continue;
    player = {true, table.number(), Now() + options.bot_pause, std::nullopt};
    uint64_t seed;
    std::memcpy(&seed, hooks.random(sizeof seed).data(), sizeof seed);
    const auto pacts = table.now().HasTalk() ? std::optional(table.now().pacts()) : std::nullopt;
    bots->Think(bot, table.now().ViewFor(seat), pacts, seed,
                Guarded([this, id = table.id, seat](const BotMove& move) {
                  LiveTable* at = Find(id);
                  if (at == nullptr || !at->bots[seat].asked) return;
                  at->bots[seat].answer = move;
                  if (!BotsAct(*at) && !at->busy) Schedule(*at);
                }),
                table.maker);
  }
}

bool Hall::Impl::BotsAct(LiveTable& table) {
  bool acted = false;
  for (Seat seat = 0; seat < kMaxSeats; ++seat) {
    LiveTable::BotSeat& player = table.bots[seat];
    if (stopping || !player.answer || player.not_before > Now()) continue;
    const BotMove move = *std::exchange(player.answer, std::nullopt);
    acted = true;
    Do(table, {{}, 0, [this, seat, move](Expected<LiveTable*> found) {
                 if (!found) return;
                 LiveTable& at = **found;
                 at.bots[seat].asked = false;
                 Expected<Change> change =
                     at.now().BotActs(seat, at.bots[seat].builds, move.action, Now(), move.say);
                 if (change)
                   return Append(at, *std::move(change), [this, &at, seat, move](Stored stored) {
                     // Only talk, perhaps, has come between.
                     if (store.shared() && stored != Stored::Stored) at.bots[seat].answer = move;
                   });
                 if (change.error().key == "error.stale" || at.now().Ended())
                   return;  // the table has gone on
                 LogAt(at, "error", "bot.refused", {{"error", change.error().key}});
                 at.retry = Now() + options.retry;
               }});
  }
  return acted;
}

// Talk keeps no table open.
int64_t Hall::Impl::IdleAt(const Table& table) const {
  return table.changed_at() +
         (table.status() == Status::Waiting ? options.idle_table : options.idle_game);
}

bool Hall::Impl::MayUnload(const LiveTable& table) const {
  return table.guests().empty() && (table.now().Ended() || table.remembers() || store.shared());
}

void Hall::Impl::UnloadSome() {
  more_ended = false;
  if (stopping || tables.size() <= options.most_ended) return;
  size_t ended = 0;
  std::vector<LiveTable*> idle;
  for (const auto& [id, table] : tables) {
    if (!table->loaded() || !table->now().Ended()) continue;
    ++ended;
    if (table->guests().empty() && !table->busy && table->waiting.empty())
      idle.push_back(table.get());
  }
  if (ended <= options.most_ended) return;
  const size_t count = std::min(ended - options.most_ended, idle.size());
  std::ranges::partial_sort(idle, idle.begin() + static_cast<ptrdiff_t>(count), std::less{},
                            &LiveTable::empty_since);
  for (size_t i = 0; i < count; ++i) Unload(*idle[i]);
}

void Hall::Impl::Schedule(LiveTable& table) {
  std::optional<int64_t> next;  // where the store is shared, that says what is due
  if (!store.shared()) next = table.now().NextDue(table.absences());
  const auto at = [&](int64_t moment) { next = next ? std::min(*next, moment) : moment; };
  for (const LiveTable::BotSeat& player : table.bots)
    if (player.answer) at(player.not_before);
  if (next) next = std::max(*next, table.patience);
  if (!store.shared() && !table.now().Ended()) at(IdleAt(table.now()));
  if (MayUnload(table)) at(table.empty_since + options.unload);
  if (table.retry > Now()) next = table.retry;
  if (next == table.due) return;
  if (table.due) timers.erase({*table.due, &table});
  if (next) timers.insert({*next, &table});
  table.due = next;
}

void Hall::Impl::Beat() {
  if (store.shared()) return SharedBeat();
  const int64_t pause = service_time.failing() ? options.retry : options.beat;
  if (beating || hooks.now() < beaten + pause) return;
  beating = true;
  beaten = hooks.now();
  store.PutServiceTime(Now(), Written([this](Stored) { beating = false; }));
}

void Hall::Impl::Tick() {
  Beat();
  if (store.shared()) SharedTick();
  const int64_t now = Now();
  std::vector<LiveTable*> due;
  for (auto timer = timers.begin(); timer != timers.end() && timer->first <= now; ++timer)
    due.push_back(timer->second);
  for (LiveTable* table : due) {
    if (!table->due || *table->due > now) continue;
    timers.erase({*table->due, table});
    table->due.reset();
    if (!table->busy) LookAt(*table, now);
  }
  if (more_ended) UnloadSome();
  if (now < swept + kVisitorSweep) return;
  swept = now;
  std::erase_if(visitors, [](const auto& visitor) { return visitor.second.clients.empty(); });
}

void Hall::Impl::LookAt(LiveTable& table, int64_t now) {
  if (!stopping && MayUnload(table) && now >= table.empty_since + options.unload) {
    if (table.now().Ended() || store.shared()) return Unload(table);
    table.Forget();
  }
  if (!stopping && table.retry <= now) {
    std::optional<Change> change;
    if (!store.shared() && table.patience <= now) change = table.now().Due(now, table.absences());
    if (!change && !store.shared() && !table.now().Ended() && now >= IdleAt(table.now()))
      if (Expected<Change> closed = table.now().CloseBy("closing.idle", now))
        change = *std::move(closed);
    if (change) return Append(table, *std::move(change), [](Stored) {});
    BotsAct(table);
  }
  Continue(table);
}

void Hall::Tick() { impl_->Tick(); }

}  // namespace civ
