#include "app/match.h"

#include <filesystem>
#include <fstream>

#include "app/files.h"

namespace civ {

std::string DescribeWrong(const std::string& text, const RecordError& wrong, const Words& words) {
  std::string why = words.Describe(wrong.error);
  if (wrong.action == RecordError::kHeader) return why;
  if (wrong.at_end) return words("record.wrong-end", {{"why", why}});
  const int number = wrong.action + 1;
  if (wrong.table.step == Step::Over) return words("record.wrong-after", {{"number", number}, {"why", why}});
  Record begun;  // as far as it is needed for the names of its seats
  begun.config = wrong.table.config;
  begun.names = ParseJson(text)->value("names", Json());
  const std::string name = NamesIn(begun, words)[wrong.table.seat];
  return words("record.wrong-action", {{"number", number}, {"turn", wrong.table.turn}, {"name", name}, {"why", why}});
}

namespace {

bool CanRead(const std::string& file) {
  std::error_code ignored;
  return file == "-" || (!std::filesystem::is_directory(file, ignored) && std::ifstream(file));
}

}  // namespace

std::vector<std::string> NamesIn(const Record& record, const Words& words) {
  std::vector<std::string> names;
  for (Seat seat = 0; seat < record.config.players; ++seat) {
    const std::string name = PlainText(record.NameOf(seat));
    const std::string letter(1, static_cast<char>('A' + seat));
    names.push_back(name.empty() ? words("play.player", {{"letter", letter}}) : name);
  }
  return names;
}

Record LoadRecord(const std::string& file, const Words& words) {
  if (!CanRead(file)) Fail(words("record.unreadable", {{"file", file}}));
  const std::string text = ReadFile(file);
  const auto read = ReadRecord(text);
  if (const auto* wrong = std::get_if<RecordError>(&read)) Fail(words("record.wrong", {{"file", file}, {"why", DescribeWrong(text, *wrong, words)}}));
  return std::get<Record>(read);
}

Match::Match(Record record, Seating seating, uint64_t seed, int64_t iterations)
    : record_(std::move(record)), states_({New(record_.config, record_.deck)}), seating_(std::move(seating)), seed_(seed), iterations_(iterations) {
  Json bots = Json::array(), levels = Json::array();
  for (Seat seat = 0; seat < record_.config.players; ++seat) {
    if (IsBot(seat)) bots.push_back(seat);
    levels.push_back(LevelOf(seat));
  }
  if (!record_.comments.is_null() && !record_.comments.is_object()) record_.comments = Json{{"comments", record_.comments}};
  record_.comments["bots"] = bots;
  record_.comments["levels"] = levels;
  record_.comments["seed"] = seed;
  StartPrograms();
  for (const Action action : record_.actions) Observe(action);
}

void Match::StartPrograms() {
  constexpr std::chrono::milliseconds kTime{1000};  // as long as people like to wait
  for (Seat seat = 0; seat < record_.config.players; ++seat) {
    if (seating_[seat].command.empty()) continue;
    OutsideBot::Terms terms = {.seat = seat, .config = record_.config, .seed = seat, .time = kTime, .iterations = iterations_};
    for (Seat s = 0; s < record_.config.players; ++s) terms.names.push_back(record_.NameOf(s));
    programs_[seat] = std::make_unique<Outside>(seating_[seat].command, std::move(terms));
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
  return MakeBot(bot)->Think(ViewOf(Now().seat), limits, seed_ + 0x9e3779b97f4a7c15 * (Length() + 1));
}

std::optional<unsigned> BotsIn(const Record& record) {
  if (!record.comments.is_object() || !record.comments.contains("bots") || !record.comments["bots"].is_array()) return std::nullopt;
  unsigned bots = 0;
  for (const Json& seat : record.comments["bots"])
    if (seat.is_number_unsigned() && seat < record.config.players) bots |= 1u << seat.get<unsigned>();
  return bots;
}

std::optional<int> LevelIn(const Record& record, Seat seat) {
  if (!record.comments.is_object()) return std::nullopt;
  const Json levels = record.comments.value("levels", Json());
  if (!levels.is_array() || seat >= levels.size() || !levels[seat].is_number_integer()) return std::nullopt;
  const auto level = levels[seat].get<int64_t>();
  return level >= 1 && level <= kLevels ? std::optional(static_cast<int>(level)) : std::nullopt;
}

std::optional<uint64_t> SeedIn(const Record& record) {
  if (!record.comments.is_object() || !record.comments.contains("seed") || !record.comments["seed"].is_number_unsigned()) return std::nullopt;
  return record.comments["seed"].get<uint64_t>();
}

}  // namespace civ
