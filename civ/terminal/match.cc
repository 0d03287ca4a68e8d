#include "civ/terminal/match.h"

namespace civ {

Match::Match(Record record, Players players, uint64_t seed, int64_t iterations)
    : record_(std::move(record)),
      states_({New(record_.config, record_.deck)}),
      players_(std::move(players)),
      seed_(seed),
      iterations_(iterations) {
  Json bots = Json::array(), levels = Json::array();
  for (Seat seat = 0; seat < record_.config.players; ++seat) {
    if (IsBot(seat)) bots.push_back(seat);
    levels.push_back(LevelOf(seat));
  }
  if (!record_.comments.is_null() && !record_.comments.is_object())
    record_.comments = Json{{"comments", record_.comments}};
  record_.comments["bots"] = bots;
  record_.comments["levels"] = levels;
  record_.comments["seed"] = seed;
  StartPrograms();
  for (const Action action : record_.actions) Observe(action);
}

void Match::StartPrograms() {
  constexpr std::chrono::milliseconds kTime{1000};  // as long as people like to wait
  for (Seat seat = 0; seat < record_.config.players; ++seat) {
    if (players_[seat].command.empty()) continue;
    OutsideBot::Terms terms = {.seat = seat,
                               .config = record_.config,
                               .seed = seat,
                               .time = kTime,
                               .iterations = iterations_};
    for (Seat s = 0; s < record_.config.players; ++s) terms.names.push_back(record_.NameOf(s));
    programs_[seat] = std::make_unique<Outside>(players_[seat].command, std::move(terms));
  }
}

void Match::Observe(Action action) {
  for (const auto& program : programs_)
    if (program) program->bot.Watch(Now(), action);
  knowledge_.Observe(Now(), action);
  states_.push_back(Now());
  civ::Apply(states_.back(), action);
}

void Match::Apply(Action action) {
  Observe(action);
  record_.actions.push_back(action);
  if (Now().step != Step::Over) return;
  record_.result = ToJson(record_.config, Result(Now()));
  for (const auto& program : programs_)
    if (program) program->bot.End(record_.result);
}

Match::Choice Match::BotChoice() {
  const Seat seat = Now().seat;
  Choice choice;
  if (programs_[seat]) {
    const auto answer = programs_[seat]->bot.Decide(ViewOf(seat));
    if (const auto* action = std::get_if<Action>(&answer)) return {*action, {}};
    choice.failure = std::get<Failure>(answer).reason;
    programs_[seat].reset();
  }
  choice.action = Ask("level" + std::to_string(LevelOf(seat))).best;
  return choice;
}

unsigned Match::Bots() const {
  unsigned bots = 0;
  for (Seat seat = 0; seat < kMaxSeats; ++seat) bots |= IsBot(seat) ? 1u << seat : 0;
  return bots;
}

Thought Match::Ask(std::string_view bot) const {
  const Limits limits = iterations_ > 0 ? Limits{.iterations = iterations_} : DefaultLimits(bot);
  return MakeBot(bot)->Think(ViewOf(Now().seat), limits,
                             seed_ + 0x9e3779b97f4a7c15 * (Length() + 1));
}

std::optional<unsigned> BotsIn(const Record& record) {
  if (!record.comments.is_object() || !record.comments.contains("bots") ||
      !record.comments["bots"].is_array())
    return std::nullopt;
  unsigned bots = 0;
  for (const Json& seat : record.comments["bots"])
    if (seat.is_number_unsigned() && seat < record.config.players)
      bots |= 1u << seat.get<unsigned>();
  return bots;
}

std::optional<int> LevelIn(const Record& record, Seat seat) {
  if (!record.comments.is_object()) return std::nullopt;
  const Json levels = record.comments.value("levels", Json());
  if (!levels.is_array() || seat >= levels.size() || !levels[seat].is_number_integer())
    return std::nullopt;
  const auto level = levels[seat].get<int64_t>();
  return level >= 1 && level <= kBotLevels ? std::optional(static_cast<int>(level)) : std::nullopt;
}

std::optional<uint64_t> SeedIn(const Record& record) {
  if (!record.comments.is_object() || !record.comments.contains("seed") ||
      !record.comments["seed"].is_number_unsigned())
    return std::nullopt;
  return record.comments["seed"].get<uint64_t>();
}

}  // namespace civ
