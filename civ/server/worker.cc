#include "civ/server/worker.h"

#include <algorithm>

#include "civ/bots/bot.h"
#include "civ/notation/json.h"
#include "civ/notation/talk.h"
#include "civ/server/listing.h"

namespace civ {
namespace {

// Nothing where the bot is not to talk.
Expected<std::optional<Diplomacy>> PactsIn(const Json& question, const Expected<View>& view) {
  if (!view || !question.contains("pacts")) return std::optional<Diplomacy>();
  const Expected<Diplomacy> pacts = DiplomacyFromJson(question["pacts"], view->config);
  if (!pacts) return pacts.error();
  return std::optional(*pacts);
}

}  // namespace

Worker::Worker(Store& store, Bus& bus, Thinks thinks, Judges judges, Options options)
    : store_(store),
      bus_(bus),
      thinks_(std::move(thinks)),
      judges_(std::move(judges)),
      options_(std::move(options)) {
  looked_ = options_.now() - options_.pause;
  hints_ = bus_.Subscribe("jobs", [this, alive = std::weak_ptr(alive_)](const std::string&) {
    if (!alive.expired()) Claim();
  });
}

void Worker::Tick() {
  if (options_.now() < looked_ + options_.pause) return;
  Claim();
  if (busy_ < options_.most) ClaimGame();
}

void Worker::ClaimGame() {
  if (judging_ || stopping_) return;
  judging_ = true;
  store_.ClaimJobs("analysis", options_.name, 1, options_.hold_game,
                   [this, alive = std::weak_ptr(alive_)](const Expected<std::vector<Job>>& jobs) {
                     if (alive.expired()) return;
                     judging_ = false;
                     if (jobs && !jobs->empty()) Judge(jobs->front());
                   });
}

void Worker::Judge(const Job& job) {
  const std::variant<Record, RecordError> record = ReadRecord(job.question);
  if (!std::holds_alternative<Record>(record)) return;  // as with bots
  judging_ = true;
  judges_(std::get<Record>(record),
          [this, job, alive = std::weak_ptr(alive_)](const std::string& answer) {
            if (alive.expired()) return;
            judging_ = false;
            store_.AnswerJob(job.table, job.seat, job.builds, answer, [](Stored) {});
          });
}

void Worker::Claim() {
  more_ = claiming_;  // what has come meanwhile
  if (claiming_ || stopping_ || busy_ >= options_.most) return;
  claiming_ = true;
  looked_ = options_.now();
  store_.ClaimJobs("bot", options_.name, options_.most - busy_, options_.hold,
                   [this, alive = std::weak_ptr(alive_)](const Expected<std::vector<Job>>& jobs) {
                     if (alive.expired()) return;
                     claiming_ = false;
                     if (!jobs) return;
                     for (const Job& job : *jobs) Think(job);
                     if (more_) Claim();
                   });
}

void Worker::Think(const Job& job) {
  const Expected<Json> question = ParseJson(job.question);
  if (!question) return;
  Reader from(*question);
  const std::string bot = from.Text("bot");
  const uint64_t seed = from.Number("seed");
  const Expected<View> view = ViewFromJson(question->value("view", Json()));
  const Expected<std::optional<Diplomacy>> pacts = PactsIn(*question, view);
  // What is not understood was asked by a newer version, and is for a worker of that one.
  if (!from.ok() || !view || !pacts || std::ranges::find(BotNames(), bot) == BotNames().end())
    return;
  ++busy_;
  thinks_(
      bot, *view, *pacts, seed,
      [this, job, alive = std::weak_ptr(alive_)](const BotMove& move) {
        if (!alive.expired()) Done(job, AnswerOf(move));
      },
      job.person);
}

void Worker::Done(const Job& job, const std::string& answer) {
  --busy_;
  ++answered_;
  store_.AnswerJob(job.table, job.seat, job.builds, answer,
                   [this, table = job.table, alive = std::weak_ptr(alive_)](Stored stored) {
                     // Whether it was stored or not: if the answer is lost, the claim ends.
                     if (!alive.expired() && stored == Stored::Stored)
                       bus_.Publish("table." + table, "answer");
                   });
  Claim();
}

}  // namespace civ
