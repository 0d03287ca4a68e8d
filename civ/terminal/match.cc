#include "civ/terminal/match.h"

#include <algorithm>

#include "civ/bots/diplomat.h"
#include "civ/notation/talk.h"

namespace civ {

Match::Match(Record record, Players players, uint64_t seed, int64_t iterations, bool silent)
    : record_(std::move(record)),
      states_({New(record_.config, record_.deck)}),
      said_(TalkIn(record_)),
      players_(std::move(players)),
      seed_(seed),
      iterations_(iterations),
      silent_(silent) {
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
  pacts_ = FoldTalk(states_, record_.actions, said_);
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
  pacts_.Act(states_[Length() - 1], action, Now(), static_cast<uint16_t>(Length()));
  if (Now().step != Step::Over) return;
  record_.result = ToJson(record_.config, Result(Now()));
  for (const auto& program : programs_)
    if (program) program->bot.End(record_.result);
}

std::vector<Talk> Match::Possible(Seat seat) const {
  if (silent_) return {};
  return pacts_.Possible(Now(), seat, ThreatsSeen(ViewOf(seat)));
}

std::optional<Talk> Match::Sayable(Seat seat, const Json& said) const {
  const Expected<Talk> talk = TalkFromJson(said, record_.config);
  if (!talk || std::ranges::count(Possible(seat), *talk) == 0) return std::nullopt;
  return *talk;
}

void Match::Say(Seat seat, const Talk& talk) {
  said_.push_back({static_cast<uint16_t>(Length()), seat, talk});
  pacts_.Say(Now(), said_.back());
  record_.comments["talk"] = ToJson(said_);
}

Match::Choice Match::BotChoice() {
  const Seat seat = Now().seat;
  const bool talks = !silent_ && record_.config.players > 2;
  Choice choice;
  if (programs_[seat]) {
    const auto answer = programs_[seat]->bot.Decide(ViewOf(seat), talks ? &pacts_ : nullptr);
    if (const auto* given = std::get_if<OutsideBot::Answer>(&answer))
      return {given->action, {}, Sayable(seat, given->say)};
    choice.failure = std::get<Failure>(answer).reason;
    programs_[seat].reset();
  }
  const std::string bot = BotOf(seat);
  if (!talks || !Talks(bot)) {
    choice.action = Ask(bot).best;
    return choice;
  }
  const auto reply = Decide(*MakeBot(bot), ViewOf(seat), pacts_, CharacterOf(record_.config, seat),
                            LimitsOf(bot), ChanceNow());
  choice.action = reply.action;
  choice.say = reply.say;
  return choice;
}

unsigned Match::Bots() const {
  unsigned bots = 0;
  for (Seat seat = 0; seat < kMaxSeats; ++seat) bots |= IsBot(seat) ? 1u << seat : 0;
  return bots;
}

unsigned Match::Talkers() const {
  unsigned talkers = 0;
  for (Seat seat = 0; seat < kMaxSeats; ++seat)
    if (!silent_ && HasPacts(record_.config) && IsBot(seat) && !programs_[seat] &&
        Talks(BotOf(seat)))
      talkers |= 1u << seat;
  return talkers;
}

Limits Match::LimitsOf(std::string_view bot) const {
  return iterations_ > 0 ? Limits{.iterations = iterations_} : DefaultLimits(bot);
}

Thought Match::Ask(std::string_view bot) const {
  return MakeBot(bot)->Think(ViewOf(Now().seat), LimitsOf(bot), ChanceNow());
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
