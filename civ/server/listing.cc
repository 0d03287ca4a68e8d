#include "civ/server/listing.h"

#include <algorithm>
#include <cstring>

#include "civ/notation/notation.h"
#include "civ/notation/talk.h"
#include "civ/table/tell.h"

namespace civ {

Listing ListingOf(const std::string& id, const Table& table) {
  Listing listing{id, !table.Ended(), TellSummary(id, table).dump(), {}};
  listing.changed = table.changed_at();
  for (const Chair& chair : table.chairs())
    if (chair.person) listing.persons.push_back(chair.person->id);
  if (std::ranges::find(listing.persons, table.Host()) == listing.persons.end())
    listing.persons.push_back(table.Host());
  const bool seated = std::ranges::any_of(
      table.chairs(), [](const Chair& chair) { return chair.person.has_value(); });
  if (seated && table.options().listed && !table.Ended())
    listing.lobby =
        table.status() == Status::Waiting ? Listing::Lobby::Waits : Listing::Lobby::Runs;
  return listing;
}

std::vector<Job> JobsOf(const std::string& id, const std::string& maker, const Table& table,
                        const std::function<std::string(size_t count)>& random) {
  std::vector<Job> jobs;
  for (const auto& [seat, bot] : table.BotTurns()) {
    uint64_t seed;
    std::memcpy(&seed, random(sizeof seed).data(), sizeof seed);
    Json question = {{"bot", bot}, {"seed", seed}, {"view", ToJson(table.ViewFor(seat))}};
    if (table.HasTalk()) question["pacts"] = ToJson(table.pacts());
    jobs.push_back({.table = id,
                    .seat = seat,
                    .builds = table.bots_number(),
                    .kind = "bot",
                    .person = maker,
                    .question = question.dump()});
  }
  return jobs;
}

std::string AnswerOf(const BotMove& move) {
  if (!move.say) return NameOf(move.action);
  return Json{{"action", NameOf(move.action)}, {"say", ToJson(*move.say)}}.dump();
}

std::optional<BotMove> BotMoveIn(const std::string& answer) {
  if (!answer.starts_with('{')) {
    const std::optional<Action> action = ParseAction(answer);
    return action ? std::optional(BotMove{{}, *action}) : std::nullopt;
  }
  const Expected<Json> json = ParseJson(answer);
  if (!json) return std::nullopt;
  Reader from(*json);
  const Action action = from.Word("action", ParseAction);
  const Expected<Talk> say = TalkFromJson(json->value("say", Json()), {.players = kMaxSeats});
  if (!from.ok()) return std::nullopt;
  return BotMove{say ? std::optional(*say) : std::nullopt, action};
}

}  // namespace civ
