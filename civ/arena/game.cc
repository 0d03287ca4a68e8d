#include "civ/arena/game.h"

#include <algorithm>

#include "civ/bots/diplomat.h"
#include "civ/notation/notation.h"
#include "civ/notation/talk.h"
#include "civ/view/deal.h"

namespace civ {
namespace {

// Whoever decides for one seat of one game: one of our bots, or an outside program.
class Player {
 public:
  Player(const Contest& contest, const Entrant& entrant, ProgramPool* pool,
         const OutsideBot::Terms& terms)
      : talks_(contest.pacts && !entrant.silent && (pool != nullptr || Talks(entrant.bot))),
        character_(entrant.character.value_or(CharacterOf(terms.config, terms.seat))) {
    if (pool != nullptr)
      outside_ = std::make_unique<OutsideBot>(*pool, terms);
    else
      bot_ = MakeBot(entrant.bot);
    limits_.time = std::chrono::milliseconds(entrant.ms);
    limits_.iterations = entrant.iterations;
    limits_.stop = terms.stop;
  }

  std::variant<OutsideBot::Answer, Failure> Decide(const View& view, const Diplomacy& pacts,
                                                   uint64_t seed) {
    if (outside_) return outside_->Decide(view, talks_ ? &pacts : nullptr);
    OutsideBot::Answer answer;
    if (talks_) {
      const Decision reply = civ::Decide(*bot_, view, pacts, character_, limits_, seed);
      answer = {reply.action, reply.say ? ToJson(*reply.say) : Json()};
    } else {
      answer.action = bot_->Think(view, limits_, seed).best;
    }
    if (!Legal(view).Contains(answer.action))
      return Failure{"the action is not legal: " + NameOf(answer.action)};
    return answer;
  }
  void Watch(const Public& before, Action action) {
    if (outside_) outside_->Watch(before, action);
  }
  void End(const Json& result) {
    if (outside_) outside_->End(result);
  }

 private:
  std::unique_ptr<Bot> bot_;
  std::unique_ptr<OutsideBot> outside_;
  Limits limits_;
  const bool talks_;
  const Character character_;
};

// Takes what a seat says before it acts, if it can be said.
void Hear(PlayedGame& played, const View& view, Diplomacy& pacts, std::vector<Said>& talk,
          const Json& say) {
  constexpr size_t kNoted = 100;  // characters
  if (say.is_null()) return;
  const Expected<Talk> said = TalkFromJson(say, view.config);
  if (!said || !pacts.MaySay(view, view.seat, *said, ThreatsSeen(view))) {
    played.ignored.push_back({view.seat, say.dump(-1, ' ', true).substr(0, kNoted)});
    return;
  }
  talk.push_back({static_cast<uint16_t>(played.record.actions.size()), view.seat, *said});
  pacts.Say(view, talk.back());
}

Record NewRecord(const Contest& contest, int number) {
  const Deal deal = DealFromSeed(contest.config, contest.SeedOf(number));
  Record record;
  record.config = deal.config;
  record.deck.assign(deal.deck.Span().begin(), deal.deck.Span().end());
  record.names = Json::array();
  for (const int entrant : contest.SeatsOf(number))
    record.names.push_back(contest.entrants[static_cast<size_t>(entrant)].name);
  return record;
}

std::vector<Player> PlayersFor(const Contest& contest, const PlayedGame& game, const Pools& pools,
                               const std::atomic<bool>& stop) {
  const Seating& seats = contest.SeatsOf(game.number);
  std::vector<Player> players;
  for (Seat seat = 0; seat < contest.config.players; ++seat) {
    const Entrant& entrant = contest.entrants[static_cast<size_t>(seats[seat])];
    const auto pool = pools.find(entrant.bot);
    players.emplace_back(
        contest, entrant, pool == pools.end() ? nullptr : pool->second.get(),
        OutsideBot::Terms{.seat = seat,
                          .config = game.record.config,
                          .names = game.record.names.get<std::vector<std::string>>(),
                          .seed = Mix(static_cast<uint64_t>(game.number), seat) >> 11,
                          .time = std::chrono::milliseconds(entrant.ms),
                          .iterations = entrant.iterations,
                          .patience = contest.patience,
                          .stop = &stop});
  }
  return players;
}

// Those who are not on the side of the seat that failed.
uint8_t WinnersByForfeit(const Config& config, Seat failed) {
  const unsigned sides = (1u << SideCount(config)) - 1, side = 1u << SideOf(config, failed);
  return SeatsOf(config, sides & ~side);
}

Json ForfeitResult(uint8_t winners) {
  Json seats = Json::array();
  for (Seat seat = 0; seat < kMaxSeats; ++seat)
    if ((winners >> seat & 1) != 0) seats.push_back(seat);
  return {{"winners", seats}, {"by", "forfeit"}};
}

// Fills in what follows from the course of a game.
void FillInResult(PlayedGame& game, const State& last) {
  game.turns = last.turn;
  game.outcome = game.forfeit
                     ? Outcome{.winners = WinnersByForfeit(last.config, game.forfeit->seat)}
                     : Result(last);
  game.record.result =
      game.forfeit ? ForfeitResult(game.outcome.winners) : ToJson(last.config, game.outcome);
}

}  // namespace

Diplomacy PactsOf(const PlayedGame& game) {
  const std::vector<Said> talk = TalkIn(game.record);
  return talk.empty() ? Diplomacy{} : FoldTalk(StatesOf(game.record), game.record.actions, talk);
}

Chances SharesOf(const PlayedGame& game) { return Shares(game.record.config, game.outcome); }

double ShareOf(const PlayedGame& game, const Seating& seats, int entrant) {
  const auto sides = static_cast<size_t>(SideCount(game.record.config));
  int won = 0, all = 0;
  for (size_t side = 0; side < sides; ++side) {
    if ((game.outcome.winners >> side & 1) == 0) continue;
    ++all;
    if (seats[side] == entrant) ++won;
  }
  return static_cast<double>(won) / std::max(all, 1);
}

Pools PoolsFor(const Contest& contest) {
  Pools pools;
  for (const Entrant& entrant : contest.entrants)
    if (!entrant.command.empty())
      pools.try_emplace(entrant.bot, std::make_unique<ProgramPool>(entrant.command));
  return pools;
}

std::optional<PlayedGame> PlayGame(const Contest& contest, int number, const Pools& pools,
                                   const std::atomic<bool>& stop) {
  PlayedGame played = {.number = number, .record = NewRecord(contest, number)};
  Game game(New(played.record.config, played.record.deck));
  std::vector<Player> players = PlayersFor(contest, played, pools, stop);
  Diplomacy pacts;
  std::vector<Said> talk;
  while (game.state.step != Step::Over && !played.forfeit) {
    const Seat seat = game.state.seat;
    const uint64_t seed = Mix(Mix(contest.SeedOf(number), seat), played.record.actions.size());
    const View view = MakeView(game.state, game.knowledge, seat);
    const std::chrono::nanoseconds begin = SteadyClock();
    const auto answer = players[seat].Decide(view, pacts, seed);
    if (stop) return std::nullopt;
    if (Legal(game.state).Size() > 1) played.thinking[seat].Add(SteadyClock() - begin);
    if (const auto* failure = std::get_if<Failure>(&answer)) {
      played.forfeit = {seat, failure->reason};
      continue;
    }
    const auto& [action, say] = std::get<OutsideBot::Answer>(answer);
    Hear(played, view, pacts, talk, say);
    for (Player& player : players) player.Watch(game.state, action);
    const State before = game.state;
    game.Apply(action);
    played.record.actions.push_back(action);
    pacts.Act(before, action, game.state, static_cast<uint16_t>(played.record.actions.size()));
  }
  if (!talk.empty()) played.record.comments = {{"talk", ToJson(talk)}};
  FillInResult(played, game.state);
  for (Player& player : players) player.End(played.record.result);
  return played;
}

std::string ToLine(const Contest& contest, const PlayedGame& game) {
  Json errors = Json::array();
  if (game.forfeit)
    errors.push_back({{"seat", game.forfeit->seat},
                      {"name", game.record.NameOf(game.forfeit->seat)},
                      {"reason", game.forfeit->reason}});
  Json line = {{"game", game.number},
               {"deck", contest.DeckOf(game.number)},
               {"seed", contest.SeedOf(game.number)},
               {"seats", game.record.names},
               {"winners", game.record.result["winners"]},
               {"by", game.record.result["by"]}};
  if (game.record.result.contains("domain")) line["domain"] = game.record.result["domain"];
  line["turns"] = game.turns;
  line["errors"] = errors;
  for (const auto& [seat, say] : game.ignored)
    line["ignored"].push_back({{"seat", seat}, {"say", say}});
  line["settings"] = contest.Settings();
  line["record"] = *ParseJson(game.record.Dump());
  return line.dump();
}

std::variant<PlayedGame, Failure> FromLine(const Contest& contest, std::string_view line) {
  const Expected<Json> json = ParseJson(line);
  if (!json || !json->is_object()) return Failure{"is not JSON"};
  for (const char* field : {"game", "errors", "settings", "record"})
    if (!json->contains(field))
      return Failure{"is no game of an arena: it has no \"" + std::string(field) + "\""};
  const Json settings = contest.Settings(), &others = json->at("settings");
  for (const auto& [field, value] : settings.items())
    if (const Json other = others.is_object() ? others.value(field, Json()) : Json();
        other != value)
      return Failure{"was played with other settings: " + field + " was " + other.dump() +
                     " and is now " + value.dump()};
  if (others.value("pacts", Json(false)) != Json(contest.pacts))
    return Failure{"was played with other settings: pacts"};
  const auto read = ReadRecord(json->at("record").dump());
  const Json &number = json->at("game"), &errors = json->at("errors");
  if (std::holds_alternative<RecordError>(read) || !number.is_number_integer() || number < 0 ||
      number > INT32_MAX || !errors.is_array())
    return Failure{"holds a game that is not right"};
  PlayedGame game = {.number = number.get<int>(), .record = std::get<Record>(read)};
  const Record expected = NewRecord(contest, game.number);
  if (game.record.config != expected.config || game.record.deck != expected.deck ||
      game.record.names != expected.names || game.record.result.is_null())
    return Failure{"holds another game than the settings say"};
  if (!errors.empty()) {
    Reader error(errors[0]);
    game.forfeit = {static_cast<Seat>(error.Int("seat", 0, game.record.config.players - 1)),
                    error.Text("reason")};
    if (!error.ok()) return Failure{"holds an error that is not right"};
  }
  for (const Json& ignored : json->value("ignored", Json::array())) {
    Reader note(ignored);
    game.ignored.push_back(
        {static_cast<Seat>(note.Int("seat", 0, game.record.config.players - 1)), note.Text("say")});
    if (!note.ok()) return Failure{"holds a note that is not right"};
  }
  const State last = StatesOf(game.record).back();
  if ((last.step == Step::Over) == game.forfeit.has_value())
    return Failure{"holds a game that is not over"};
  FillInResult(game, last);
  return game;
}

}  // namespace civ
