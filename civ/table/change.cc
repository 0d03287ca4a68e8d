// The events that follow from commands, bots' decisions and time. What an event does is in
// apply.cc.
#include <algorithm>
#include <bit>

#include "civ/table/table.h"

namespace civ {

// A change in the making: each event is tried on a copy of the table before the next is thought of.
class ChangeBuilder {
 public:
  ChangeBuilder(const Table& table, int64_t now, Cause cause = {})
      : now_(std::max(now, table.now_)), before_(table), cause_(std::move(cause)) {}

  const Table& table() const { return change_.tables.empty() ? before_ : change_.tables.back(); }
  int64_t now() const { return now_; }
  bool failed() const { return error_.has_value(); }
  void Fail(Error error) {
    if (!error_) error_ = std::move(error);
  }

  void Add(EventBody body) {
    if (error_) return;
    Event event{now_, std::move(body), std::exchange(cause_, {})};
    change_.tables.emplace_back(table());
    error_ = change_.tables.back().Apply(event);
    if (!error_) change_.events.push_back(std::move(event));
  }

  // Somebody goes for good. If only one side is left, or nobody who plays, that is the end.
  void Leave(Seat seat, Left why) {
    Add(event::Leave{seat, why});
    if (error_) return;
    const bool teams = table().options_.config.teams;
    const auto side = [&](Seat of) { return teams ? of % 2 : of; };
    unsigned sides = 0, winners = 0;
    for (Seat of = 0; of < table().seats(); ++of)
      if (!table().left_[of]) sides |= 1u << side(of);
    for (Seat of = 0; of < table().seats(); ++of)
      if ((sides >> side(of) & 1) != 0) winners |= Bit(of);
    if (std::has_single_bit(sides) || table().PersonsIn() == 0)
      Add(event::Forfeit{winners});
    else
      Agreed();  // it may be that nobody else was waited for
  }

  void DealIfReady(bool waited_long_enough) {
    if (error_ || table().status_ != Status::Dealing) return;
    for (Seat seat = 0; seat < table().seats(); ++seat)
      if (table().In(seat) && table().randoms_[seat].empty() && !waited_long_enough) return;
    const Deal deal = FairDeal(table().options_.config, table().secret_, table().randoms_);
    const auto cards = deal.deck.Span();
    Add(event::Deal{deal.config.first, {cards.begin(), cards.end()}});
  }

  // What was asked for happens once everybody else who plays agrees.
  void Agreed() {
    if (error_ || !table().question_) return;
    const Question question = *table().question_;
    if ((table().PersonsIn() & ~question.yes & ~Bit(question.seat)) != 0) return;
    if (question.back_to)
      Add(event::Back{question.seat, *question.back_to});
    else
      Add(event::Return{question.seat});
  }

  Expected<Change> Result() && {
    if (error_) return *error_;
    return std::move(change_);
  }

 private:
  int64_t now_;
  const Table& before_;
  Cause cause_;  // of the first event
  Change change_;
  std::optional<Error> error_;
};

namespace {

// Makes events of a person's command. It checks who may do what; what can happen at all is checked
// where the table applies an event.
struct CommandHandler {
  ChangeBuilder& change;
  const Person& who;
  const Given& given;
  int64_t stale_before;
  const Table& table = change.table();
  Seat seat = table.SeatOf(who.id);

  bool Needs(bool condition, const char* key) const {
    if (!condition) change.Fail({key, {}});
    return condition;
  }
  bool NeedsSeat() const { return Needs(seat != kSpectator, "error.table.not-seated"); }
  bool NeedsHost() const { return Needs(table.IsHost(who.id), "error.table.not-host"); }
  bool NeedsFresh(int64_t builds) const {
    return Needs(builds >= stale_before && builds <= table.number(), "error.stale");
  }
  bool NeedsTime() const {
    return Needs(!table.ClockRuns(seat) || change.now() - table.now() < table.clocks()[seat].Left(),
                 "error.table.time");
  }

  void operator()(const command::Sit& c) const {
    if (!Needs(seat == kSpectator || table.status() == Status::Waiting, "error.table.started"))
      return;
    if (!Needs(c.seat != seat, "error.table.seat-taken")) return;
    // However often people sit down and get up, there is room left for a game.
    if (!Needs(table.number() < Table::kMostEvents / 2, "error.table.full")) return;
    if (seat != kSpectator) change.Add(event::Stand{seat});  // to another chair
    change.Add(event::Sit{c.seat, who});
  }
  void operator()(const command::Stand&) const {
    if (NeedsSeat()) change.Add(event::Stand{seat});
  }
  void operator()(const command::SeatBot& c) const {
    if (NeedsHost()) change.Add(event::SeatBot{c.seat, c.bot});
  }
  void operator()(const command::Unseat& c) const {
    if (NeedsHost()) change.Add(event::Stand{c.seat});
  }
  void operator()(const command::Start&) const {
    if (NeedsHost()) change.Add(event::Commit{given.secret, HashOf(given.secret)});
  }
  void operator()(const command::Contribute& c) const {
    if (!NeedsSeat()) return;
    change.Add(event::Contribute{seat, c.random});
    change.DealIfReady(false);
  }
  void operator()(const command::Act& c) const {
    if (NeedsSeat() && NeedsFresh(c.builds) && NeedsTime()) change.Add(event::Act{seat, c.actions});
  }
  void operator()(const command::Pick& c) const {
    if (!NeedsSeat() || !NeedsTime()) return;
    if (table.DraftRound() == c.round && table.picks()[seat] == c.card) return;  // as it is
    change.Add(event::Pick{seat, c.round, c.card});
  }
  void operator()(const command::TakeBack& c) const {
    if (!NeedsSeat() || !NeedsFresh(c.builds)) return;
    const Takebacks allowed = table.options().takebacks;
    if (!Needs(allowed != Takebacks::Never, "error.table.no-takebacks")) return;
    if (WithinOwnTurn(c.to)) {
      change.Add(event::Back{seat, c.to});
    } else if (Needs(allowed == Takebacks::Ask, "error.table.no-takebacks")) {
      Ask(seat, c.to);
    }
  }
  void operator()(const command::Answer& c) const {
    if (!NeedsSeat()) return;
    if (const auto& asked = table.question(); asked && asked->number != c.question)
      return change.Fail({"error.table.not-asked", {}});
    if (c.yes && table.question() && (table.question()->yes & Bit(seat)) != 0) return;  // known
    change.Add(event::Answer{seat, c.yes});
    change.Agreed();
  }
  void operator()(const command::Resign&) const {
    if (NeedsSeat()) change.Leave(seat, Left::Resigned);
  }
  void operator()(const command::Abandon&) const {
    if (!NeedsSeat()) return;
    if (table.status() == Status::Waiting)
      change.Add(event::Stand{seat});
    else
      change.Leave(seat, Left::Abandoned);
  }
  void operator()(const command::Return&) const {
    const auto& chairs = table.chairs();
    for (Seat of = 0; of < table.seats(); ++of)
      if (table.LeftBy(of) && chairs[of].person->id == who.id) {
        Ask(of, std::nullopt);
        return;
      }
    change.Fail({"error.table.not-now", {}});
  }
  void operator()(const command::Say& c) const {  // spectators' talk is beside the log
    if (NeedsSeat()) change.Add(event::Say{who, seat, c.text, c.phrase});
  }
  void operator()(const command::Mute&) const {
    change.Fail({"error.table.not-now", {}});  // it is beside the log
  }
  void operator()(const command::Rematch&) const {
    const auto plays = [&](const Chair& chair) {
      return chair.person && chair.person->id == who.id;
    };
    if (Needs(std::ranges::any_of(table.chairs(), plays), "error.table.not-seated"))
      change.Add(event::Rematch{given.rematch});
  }

  void operator()(const command::Talk& c) const {
    if (!NeedsSeat()) return;
    if (std::optional<Error> why = table.WhyNotSay(seat, c.talk, table.ThreatsNow()))
      return change.Fail(*std::move(why));
    change.Add(event::Talk{seat, c.talk});
  }

  void Ask(Seat by, std::optional<int> back_to) const {
    if (const auto& asked = table.question();
        asked && asked->seat == by && asked->back_to == back_to)
      return;  // that is being asked
    change.Add(event::Ask{by, back_to});
    change.Agreed();
  }

  // Whether everything from that action on was done by this seat in the turn that is still under
  // way.
  bool WithinOwnTurn(int to) const {
    if (table.status() != Status::Running || to >= static_cast<int>(table.actions().size()))
      return false;
    const std::vector<State> states = table.States();
    return std::ranges::all_of(states.begin() + to, states.end(), [&](const State& state) {
      return state.turn == states.back().turn && state.seat == seat;
    });
  }
};

}  // namespace

Expected<Change> Table::Open(TableOptions options, const Person& by, std::vector<Chair> chairs,
                             int64_t now) {
  if (chairs.empty()) {
    chairs.resize(options.config.players);
    chairs[0].person = by;
  }
  const Table none;
  ChangeBuilder change(none, now);
  change.Add(event::Create{std::move(options), by, std::move(chairs)});
  return std::move(change).Result();
}

Expected<Change> Table::Do(const Person& who, const Command& command, int64_t now,
                           const Given& given) const {
  // A log must stay one that can be loaded. What brings a game to its end is always allowed.
  const bool ends = std::holds_alternative<command::Act>(command.body) ||
                    std::holds_alternative<command::Pick>(command.body) ||
                    std::holds_alternative<command::Resign>(command.body) ||
                    std::holds_alternative<command::Abandon>(command.body);
  if (number_ >= kMostEvents && !ends) return Error{"error.table.full", {}};
  ChangeBuilder change(*this, now, {who.id, std::string(NameOf(command.body)), command.id});
  std::visit(CommandHandler{change, who, given, stale_before_}, command.body);
  return std::move(change).Result();
}

Expected<Change> Table::BotActs(Seat seat, int64_t builds, Action action, int64_t now,
                                const std::optional<Talk>& say) const {
  if (builds < bots_number() || seat >= chairs_.size() || chairs_[seat].bot.empty())
    return Error{"error.stale", {}};
  ChangeBuilder change(*this, now);
  if (say && number_ < kMostEvents && !WhyNotSay(seat, *say, ThreatsNow()))
    change.Add(event::Talk{seat, *say});
  if (DraftRound() > 0)
    change.Add(event::Pick{seat, DraftRound(), action.kind()});
  else
    change.Add(event::Act{seat, {action}});
  return std::move(change).Result();
}

std::optional<Change> Table::Due(int64_t now, const Absences& absent_since) const {
  ChangeBuilder change(*this, now);
  if (status_ == Status::Dealing) change.DealIfReady(now >= waits_since_ + kContributionWait);
  for (Seat seat = 0; seat < seats() && change.table().status_ == Status::Running; ++seat) {
    if (!In(seat) || (Deciding() & Bit(seat)) == 0) continue;
    const bool out_of_time = ClockRuns(seat) && now - now_ >= clocks_[seat].Left();
    const bool absent =
        options_.absence > 0 && absent_since[seat] &&
        now - std::max(*absent_since[seat], waits_since_) >= Milliseconds(options_.absence);
    if (out_of_time || absent) change.Leave(seat, out_of_time ? Left::OutOfTime : Left::Absent);
  }
  Expected<Change> result = std::move(change).Result();
  if (!result || result->events.empty()) return std::nullopt;
  return *std::move(result);
}

std::optional<int64_t> Table::NextDue(const Absences& absent_since) const {
  std::optional<int64_t> next;
  const auto at = [&](int64_t moment) { next = next ? std::min(*next, moment) : moment; };
  if (status_ == Status::Dealing) at(waits_since_ + kContributionWait);
  for (Seat seat = 0; seat < seats() && status_ == Status::Running; ++seat) {
    if (!In(seat) || (Deciding() & Bit(seat)) == 0) continue;
    if (ClockRuns(seat)) at(now_ + clocks_[seat].Left());
    if (options_.absence > 0 && absent_since[seat])
      at(std::max(*absent_since[seat], waits_since_) + Milliseconds(options_.absence));
  }
  return next;
}

Expected<Change> Table::Renames(const Person& person, int64_t now) const {
  if (number_ >= kMostEvents) return Error{"error.table.full", {}};
  ChangeBuilder change(*this, now, {person.id, "rename", {}});
  change.Add(event::Rename{person});
  return std::move(change).Result();
}

Expected<Change> Table::CloseBy(std::string why, int64_t now) const {
  ChangeBuilder change(*this, now);
  change.Add(event::Close{std::move(why)});
  return std::move(change).Result();
}

}  // namespace civ
