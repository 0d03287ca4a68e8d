// The fold of a table's log: whether an event can happen, and what it changes.
#include <algorithm>

#include "civ/guide/offer.h"
#include "civ/notation/checked.h"
#include "civ/notation/notation.h"
#include "civ/table/table.h"

namespace civ {
namespace {

Error Wrong(std::string key) { return {std::move(key), {}}; }
Error NotNow() { return Wrong("error.table.not-now"); }

// Whether nothing changes that everybody may know of. That somebody has picked another card is
// nobody else's business.
bool IsQuiet(const Table& table, const EventBody& body) {
  const auto* pick = std::get_if<event::Pick>(&body);
  return (pick != nullptr && table.picks()[pick->seat]) ||
         std::holds_alternative<event::Say>(body) || std::holds_alternative<event::Mute>(body) ||
         std::holds_alternative<event::Rename>(body) || std::holds_alternative<event::Talk>(body);
}

// Whether somebody has seen something by this action that was hidden before. Cards that are given
// show their new owner what was in the other hand.
bool Shows(const State& before, Action action, const State& after) {
  if (action.NamesCard() && action.verb() == Verb::Give) return true;
  if (action == kEnd) return before.deck_size != after.deck_size;
  return Reveals(MakeView(before, {}, before.seat), action);
}

}  // namespace

// Takes the time since the last event from those who had to decide.
void Table::Charge(int64_t at) {
  const int64_t passed = at - now_;
  for (Seat seat = 0; seat < seats(); ++seat) {
    if (!ClockRuns(seat)) continue;
    int64_t rest = passed;
    for (int64_t* part : {&clocks_[seat].free, &clocks_[seat].turn, &clocks_[seat].bank}) {
      const int64_t taken = std::min(rest, *part);
      *part -= taken;
      rest -= taken;
    }
  }
}

// A new turn's own time for those who decide in it from now on, once; some free time for everybody
// whose decision begins; and what a finished turn adds.
void Table::GrantTime(unsigned deciding_before, int turn_before, Seat turn_of_before) {
  if (!options_.clock) return;
  const bool new_turn = TurnNumber() != turn_before;
  const bool finished = TurnNumber() > turn_before;  // and not taken back
  if (finished && turn_of_before != kNone)
    clocks_[turn_of_before].bank += Milliseconds(options_.clock->increment);
  for (Seat seat = 0; seat < seats(); ++seat) {
    if ((Deciding() & Bit(seat)) == 0) continue;
    if (!new_turn && (deciding_before & Bit(seat)) != 0) continue;
    clocks_[seat].free = kFree;
    const bool again = clock_rules_ > 1 && granted_turns_[seat] == TurnNumber();
    if (!again) clocks_[seat].turn = Milliseconds(options_.clock->turn);
    granted_turns_[seat] = TurnNumber();
  }
}

void Table::Play(Action action) {
  const State before = game_->state;
  game_->Apply(action);
  actions_.push_back(action);
  pacts_.Act(before, action, game_->state, static_cast<uint16_t>(actions_.size()));
  if (Shows(before, action, game_->state)) barrier_ = static_cast<int>(actions_.size());
  if (game_->state.step == Step::Over) status_ = Status::Over;
}

void Table::CloseDraftRound() {
  for (size_t i = 0; i < chairs_.size(); ++i)
    Play(Action::Name(Verb::Keep, *picks_[game_->state.seat]));
  picks_.fill(std::nullopt);
}

void Table::ReplayGame(size_t actions) {
  game_.emplace(New(options_.config, deck_));
  actions_.resize(actions);
  for (const Action action : actions_) game_->Apply(action);
  if (said_.empty()) return;
  for (Said& said : said_) said.at = std::min(said.at, static_cast<uint16_t>(actions));
  pacts_ = FoldTalk(States(), actions_, said_);
}

// Checks whether an event can happen now.
struct EventCheck {
  const Table& table;
  const Event& event;
  using Fault = std::optional<Error>;

  bool IsSeat(Seat seat) const { return seat < table.chairs_.size(); }
  bool Waiting() const { return table.status_ == Status::Waiting; }
  bool Running() const { return table.status_ == Status::Running; }
  bool Plays(Seat seat) const { return Running() && IsSeat(seat) && table.In(seat); }
  bool Free(Seat seat) const {
    return IsSeat(seat) && !table.chairs_[seat].person && table.chairs_[seat].bot.empty();
  }

  Fault operator()(const event::Create& e) const {
    if (table.number_ != 0) return NotNow();
    if (e.chairs.size() != e.options.config.players) return Wrong("error.table.chairs");
    for (const Chair& chair : e.chairs)
      if (chair.person && !chair.bot.empty()) return Wrong("error.table.chairs");
    return {};
  }
  Fault operator()(const event::Sit& e) const {
    if (!Waiting()) return Wrong("error.table.started");
    if (!IsSeat(e.seat)) return Wrong("error.table.no-seat");
    if (!Free(e.seat)) return Wrong("error.table.seat-taken");
    return {};
  }
  Fault operator()(const event::Stand& e) const {
    if (!Waiting()) return Wrong("error.table.started");
    if (!IsSeat(e.seat) || Free(e.seat)) return Wrong("error.table.seat-empty");
    return {};
  }
  Fault operator()(const event::SeatBot& e) const { return (*this)(event::Sit{e.seat, {}}); }
  Fault operator()(const event::Commit& e) const {
    if (!Waiting()) return Wrong("error.table.started");
    for (Seat seat = 0; seat < table.seats(); ++seat)
      if (Free(seat)) return Wrong("error.table.empty-seats");
    if (table.PersonsIn() == 0) return Wrong("error.table.no-people");
    if (!IsSecret(e.secret) || HashOf(e.secret) != e.hash) return Wrong("error.table.secret");
    return {};
  }
  Fault operator()(const event::Contribute& e) const {
    if (table.status_ != Status::Dealing || !IsSeat(e.seat) || !table.In(e.seat)) return NotNow();
    if (!table.randoms_[e.seat].empty()) return Wrong("error.table.contributed");
    if (!IsSecret(e.random)) return Wrong("error.table.random");
    return {};
  }
  Fault operator()(const event::Deal& e) const {
    if (table.status_ != Status::Dealing || !IsSeat(e.first)) return NotNow();
    if (!IsDeck(table.options_.config.players, e.deck)) return Wrong("error.deck");
    return {};
  }
  Fault operator()(const event::Act& e) const {
    if (!Running()) return NotNow();
    if (table.DraftRound() > 0) return Wrong("error.table.draft");
    if (e.actions.empty()) return NotNow();
    State state = table.game_->state;
    bool shown = false;
    for (const Action action : e.actions) {
      if (state.step == Step::Over || state.seat != e.seat)
        return Wrong("error.table.not-your-turn");
      // Else whether the rest is refused would tell what is hidden, and nothing would have been
      // done for it.
      if (shown) return Wrong("error.table.revealed");
      const State before = state;
      if (const Fault wrong = CheckedApply(state, action)) return wrong;
      shown = Shows(before, action, state);
    }
    return {};
  }
  Fault operator()(const event::Pick& e) const {
    if (table.DraftRound() == 0 || !IsSeat(e.seat)) return NotNow();
    if (e.round != table.DraftRound())
      return Error{"error.table.round", {{"round", std::to_string(table.DraftRound())}}};
    if (Cards(table.game_->state.packs[e.seat])[e.card] == 0)
      return Error{"error.table.not-in-pack", {{"card", std::string(NameOf(e.card))}}};
    return {};
  }
  Fault operator()(const event::Ask& e) const {
    if (!Running() || !IsSeat(e.seat)) return NotNow();
    if (table.question_ && table.question_->seat != e.seat) return Wrong("error.table.asked");
    if (e.back_to) return table.In(e.seat) ? CheckBack(*e.back_to) : NotNow();
    return table.left_[e.seat] ? Fault() : NotNow();
  }
  Fault operator()(const event::Answer& e) const {
    if (!Plays(e.seat)) return NotNow();
    if (!table.question_ || table.question_->seat == e.seat) return Wrong("error.table.not-asked");
    return {};
  }
  Fault operator()(const event::Back& e) const {
    return Plays(e.seat) ? CheckBack(e.to) : NotNow();
  }
  Fault operator()(const event::Leave& e) const { return Plays(e.seat) ? Fault() : NotNow(); }
  Fault operator()(const event::Return& e) const {
    return Running() && IsSeat(e.seat) && table.left_[e.seat] ? Fault() : NotNow();
  }
  Fault operator()(const event::Forfeit& e) const {
    return Running() && e.winners != 0 && e.winners >> table.chairs_.size() == 0 ? Fault()
                                                                                 : NotNow();
  }
  Fault operator()(const event::Say& e) const {
    return !e.seat || IsSeat(*e.seat) ? Fault() : Wrong("error.table.no-seat");
  }
  Fault operator()(const event::Mute&) const { return {}; }
  Fault operator()(const event::Rematch&) const {
    if (table.status_ != Status::Over) return NotNow();
    return table.rematch_.empty() ? Fault()
                                  : Error{"error.table.rematch", {{"table", table.rematch_}}};
  }
  Fault operator()(const event::Rename& e) const {
    if (table.Ended()) return NotNow();
    return table.KnowsByOtherName(e.person) ? Fault() : NotNow();
  }
  Fault operator()(const event::Close&) const { return table.Ended() ? NotNow() : Fault(); }
  // Whether a warning was true is checked before there is an event of it.
  Fault operator()(const event::Talk& e) const {
    return table.WhyNotSay(e.seat, e.talk, kAnyThreat);
  }

  Fault CheckBack(int to) const {
    if (table.DraftRound() > 0 || to >= static_cast<int>(table.actions_.size()))
      return Wrong("error.table.nothing-back");
    return to < table.barrier_ ? Wrong("error.table.revealed") : Fault();
  }
};

// Makes the changes of an event that can happen.
struct EventEffect {
  Table& table;
  const Event& event;

  void operator()(const event::Create& e) const {
    table.options_ = e.options;
    table.maker_ = e.by.id;
    table.chairs_ = e.chairs;
    table.clock_rules_ = e.clock_rules;
  }
  void operator()(const event::Sit& e) const { table.chairs_[e.seat].person = e.person; }
  void operator()(const event::Stand& e) const { table.chairs_[e.seat] = {}; }
  void operator()(const event::SeatBot& e) const { table.chairs_[e.seat].bot = e.bot; }
  void operator()(const event::Commit& e) const {
    table.secret_ = e.secret;
    table.hash_ = e.hash;
    table.status_ = Status::Dealing;
    table.waits_since_ = event.at;
  }
  void operator()(const event::Contribute& e) const { table.randoms_[e.seat] = e.random; }
  void operator()(const event::Deal& e) const {
    table.options_.config.first = e.first;
    table.deck_ = e.deck;
    table.status_ = Status::Running;
    table.ReplayGame(0);
    if (table.options_.clock)
      for (SeatClock& clock : table.clocks_) clock.bank = Milliseconds(table.options_.clock->bank);
    GameChanged();
  }
  void operator()(const event::Act& e) const {
    for (const Action action : e.actions) table.Play(action);
    GameChanged();
  }
  void operator()(const event::Pick& e) const {
    table.picks_[e.seat] = e.card;
    if (table.Deciding() != 0) return;
    table.CloseDraftRound();
    GameChanged();
  }
  void operator()(const event::Ask& e) const {
    table.question_ = Question{e.seat, e.back_to, table.number_ + 1};
  }
  void operator()(const event::Answer& e) const {
    if (e.yes)
      table.question_->yes |= Bit(e.seat);
    else
      table.question_.reset();
  }
  void Note(Seat seat, std::string_view what, std::optional<Left> why = {}) const {
    std::vector<Table::Note>& notes = table.notes_;
    notes.push_back({static_cast<int>(table.actions_.size()), seat, what, why});
    if (notes.size() > Table::kNotesKept) notes.erase(notes.begin());
  }
  void operator()(const event::Back& e) const {
    table.ReplayGame(static_cast<size_t>(e.to));
    for (Table::Note& note : table.notes_) note.at = std::min(note.at, e.to);
    Note(e.seat, "back");
    GameChanged();
  }
  void operator()(const event::Leave& e) const {
    table.left_[e.seat] = e.why;
    Note(e.seat, "leave", e.why);
    table.chairs_[e.seat].bot = table.options_.takeover;
    if (table.question_ && table.question_->seat == e.seat) table.question_.reset();
  }
  void operator()(const event::Return& e) const {
    table.left_[e.seat].reset();
    Note(e.seat, "return");
    table.chairs_[e.seat].bot.clear();
    table.question_.reset();
    if (table.options_.clock) {
      table.clocks_[e.seat].free = Table::kFree;
      table.clocks_[e.seat].turn = Milliseconds(table.options_.clock->turn);
    }
    table.waits_since_ = event.at;
  }
  void operator()(const event::Forfeit& e) const {
    table.forfeit_ = e.winners;
    table.status_ = Status::Over;
    table.question_.reset();
  }
  void operator()(const event::Say& e) const {
    const auto alike = [&](const Table::ChatMessage& message) {
      return message.said.seat.has_value() == e.seat.has_value();
    };
    table.chat_.push_back({table.number_ + 1, e});
    if (std::ranges::count_if(table.chat_, alike) > static_cast<std::ptrdiff_t>(Table::kChatKept))
      table.chat_.erase(std::ranges::find_if(table.chat_, alike));
  }
  void operator()(const event::Mute& e) const {
    std::erase(table.mutes_, std::pair(e.by, e.whom));
    if (e.on) table.mutes_.emplace_back(e.by, e.whom);
  }
  void operator()(const event::Rematch& e) const { table.rematch_ = e.table; }
  void operator()(const event::Rename& e) const {
    for (Chair& chair : table.chairs_)
      if (chair.person && chair.person->id == e.person.id) chair.person = e.person;
  }
  void operator()(const event::Close& e) const {
    table.close_reason_ = e.why;
    table.status_ = Status::Closed;
    table.question_.reset();
  }

  void operator()(const event::Talk& e) const {
    table.said_.push_back({static_cast<uint16_t>(table.actions_.size()), e.seat, e.talk});
    table.pacts_.Say(table.game_->state, table.said_.back());
    if (e.talk.kind == TalkKind::Yes) table.agreed_ = table.number_ + 1;
  }

  // Commands that build on an older number are stale, and a question about it has no object any
  // more.
  void GameChanged() const {
    table.stale_before_ = table.number_ + 1;
    table.waits_since_ = event.at;
    if (table.status_ == Status::Over || (table.question_ && table.question_->back_to))
      table.question_.reset();
  }
};

std::optional<Error> Table::Apply(const Event& event) {
  if ((number_ == 0) != std::holds_alternative<event::Create>(event.body)) return NotNow();
  if (event.at < now_) return Wrong("error.table.time-runs-back");
  if (std::optional<Error> wrong = std::visit(EventCheck{*this, event}, event.body)) return wrong;
  if (!IsQuiet(*this, event.body)) changed_at_ = event.at;
  const unsigned deciding = Deciding();
  const int turn = TurnNumber();
  const Seat turn_of = status_ == Status::Running && turn > 0 ? TurnOf(game_->state) : kNone;
  Charge(event.at);
  std::visit(EventEffect{*this, event}, event.body);
  ++number_;
  now_ = event.at;
  if (status_ == Status::Running) GrantTime(deciding, turn, turn_of);
  return std::nullopt;
}

}  // namespace civ
