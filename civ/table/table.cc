#include "civ/table/table.h"

#include <algorithm>

#include "civ/notation/notation.h"
#include "civ/notation/talk.h"

namespace civ {
std::string_view NameOf(Status status) {
  static constexpr std::array<std::string_view, 5> kNames = {"waiting", "dealing", "running",
                                                             "over", "closed"};
  return kNames[static_cast<size_t>(status)];
}

Expected<Table> Table::FromLog(std::span<const Event> log) {
  Table table;
  for (const Event& event : log)
    if (std::optional<Error> wrong = table.Apply(event)) {
      wrong->args.emplace_back("event", std::to_string(table.number_ + 1));
      return *wrong;
    }
  if (log.empty()) return Error{"error.table.empty-log", {}};
  return table;
}

Seat Table::SeatOf(std::string_view person) const {
  for (Seat seat = 0; seat < seats(); ++seat)
    if (In(seat) && chairs_[seat].person->id == person) return seat;
  return kSpectator;
}

const std::string& Table::Host() const {
  if (SeatOf(maker_) != kSpectator) return maker_;
  for (Seat seat = 0; seat < seats(); ++seat)
    if (In(seat)) return chairs_[seat].person->id;
  return maker_;
}

bool Table::MayWatch(std::string_view person) const {
  if (options_.spectators || status_ == Status::Waiting) return true;
  return std::ranges::any_of(
      chairs_, [&](const Chair& chair) { return chair.person && chair.person->id == person; });
}

bool Table::KnowsByOtherName(const Person& person) const {
  return std::ranges::any_of(chairs_, [&](const Chair& chair) {
    return chair.person && chair.person->id == person.id && chair.person->name != person.name;
  });
}

unsigned Table::PersonsIn() const {
  unsigned found = 0;
  for (Seat seat = 0; seat < seats(); ++seat)
    if (In(seat)) found |= Bit(seat);
  return found;
}

int Table::DraftRound() const {
  if (status_ != Status::Running || game_->state.step != Step::Draft) return 0;
  return game_->state.hands[game_->state.seat].Count() + 1;
}

unsigned Table::Deciding() const {
  if (status_ != Status::Running) return 0;
  if (DraftRound() == 0) return Bit(game_->state.seat);
  unsigned found = 0;
  for (Seat seat = 0; seat < seats(); ++seat)
    if (!picks_[seat]) found |= Bit(seat);
  return found;
}

unsigned Table::Awaited() const {
  if (status_ != Status::Dealing) return Deciding();
  unsigned found = 0;
  for (Seat seat = 0; seat < seats(); ++seat)
    if (In(seat) && randoms_[seat].empty()) found |= Bit(seat);
  return found;
}

std::vector<Table::BotTurn> Table::BotTurns() const {
  std::vector<BotTurn> turns;
  for (Seat seat = 0; seat < seats(); ++seat)
    if ((Deciding() & Bit(seat)) != 0 && !chairs_[seat].bot.empty())
      turns.push_back({seat, chairs_[seat].bot});
  return turns;
}

View Table::ViewFor(Seat viewer) const {
  if (DraftRound() == 0 || viewer >= chairs_.size())
    return MakeView(game_->state, game_->knowledge, viewer);
  // Those before the viewer keep any card: which one is hidden, and in the draft all backs are
  // alike.
  Game game = *game_;
  while (game.state.seat != viewer) game.Apply(Legal(game.state)[0]);
  return MakeView(game.state, game.knowledge, viewer);
}

std::vector<State> Table::States() const {
  std::vector<State> states;
  states.reserve(actions_.size() + 1);
  states.push_back(New(options_.config, deck_));
  for (const Action action : actions_) {
    states.push_back(states.back());
    civ::Apply(states.back(), action);
  }
  return states;
}

std::optional<Error> Table::WhyNotSay(Seat seat, const Talk& talk, const Threats& threats) const {
  if (status_ != Status::Running || seat >= seats()) return Error{"error.table.not-now", {}};
  if (!options_.pacts) return Error{"error.table.no-pacts", {}};
  if (pacts_.MaySay(game_->state, seat, talk, threats)) return std::nullopt;
  return Error{"error.table.talk", {}};
}

Json Table::Result() const {
  if (forfeit_ != 0) {
    Json winners = Json::array();
    for (Seat seat = 0; seat < seats(); ++seat)
      if ((forfeit_ & Bit(seat)) != 0) winners.push_back(seat);
    return {{"winners", winners}, {"by", "forfeit"}};
  }
  return status_ == Status::Over ? ToJson(options_.config, civ::Result(game_->state)) : Json();
}

Record Table::ToRecord() const {
  Record record;
  record.config = options_.config;
  record.deck = deck_;
  record.actions = actions_;
  record.result = Result();
  record.names = Json::array();
  for (const Chair& chair : chairs_)
    record.names.push_back(chair.person ? chair.person->name : chair.bot);
  Json randoms = Json::array();
  for (Seat seat = 0; seat < seats(); ++seat)
    randoms.push_back(randoms_[seat].empty() ? Json() : Json(randoms_[seat]));
  record.comments = {{"deal", {{"hash", hash_}, {"secret", secret_}, {"randoms", randoms}}}};
  if (!said_.empty()) record.comments["talk"] = ToJson(said_);
  return record;
}

bool Table::ClockRuns(Seat seat) const {
  return options_.clock && In(seat) && (Deciding() & Bit(seat)) != 0;
}

int Table::TurnNumber() const {
  if (!game_) return -1;
  return game_->state.turn > 0 ? game_->state.turn
                               : DraftRound() - 10;  // rounds of the draft are turns of their own
}

}  // namespace civ
