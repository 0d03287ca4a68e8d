// Time and jobs in PostgreSQL.
#include <algorithm>
#include <tuple>

#include "civ/server/postgres_impl.h"

namespace civ {
namespace {

using WorkRows = std::vector<PostgresRows>;

// The database's own clock, read once for each statement.
#define CIV_CLOCK "(SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint)"

static_assert(Store::kLongestGap == 5'000, "as the statements have it");
// Everybody's beats are one row, which is not written more often than it helps. No time is told
// that is more than 200 ms after the last beat, and after a gap it goes on from there: so it never
// goes back. Likewise where the clock does, with a change of the machine.
constexpr const char* kBeat =
    "UPDATE service SET beat = m, lost = lost + "
    "CASE WHEN m - beat > 5000 OR m < beat THEN m - beat - 200 ELSE 0 END "
    "FROM " CIV_CLOCK " AS clock (m) WHERE m - beat >= 200 OR m < beat - 1000";
#define CIV_SERVICE_TIME \
  "least(greatest(m, beat), beat + 200) - lost AS now FROM service, " CIV_CLOCK " AS clock (m)"
constexpr const char* kNow = "SELECT " CIV_SERVICE_TIME;
constexpr const char* kBringForward =
    "UPDATE service SET lost = lost - greatest(0, $1::bigint - (SELECT " CIV_SERVICE_TIME "))";
// Both give the time and the tables.
#define CIV_TAKE_DUE(time)                                                          \
  "WITH clock AS MATERIALIZED (SELECT " time                                        \
  ", "                                                                              \
  "due AS (SELECT key, due FROM live WHERE due <= (SELECT now FROM clock) "         \
  "ORDER BY due LIMIT $1::bigint FOR UPDATE SKIP LOCKED), "                         \
  "taken AS (UPDATE live SET due = (SELECT now FROM clock) + $2::bigint FROM due "  \
  "WHERE live.key = due.key RETURNING live.key, due.due) "                          \
  "SELECT now, id FROM clock LEFT JOIN taken ON true LEFT JOIN tables USING (key) " \
  "ORDER BY due, id"
constexpr const char* kTakeDue = CIV_TAKE_DUE(CIV_SERVICE_TIME ")");
constexpr const char* kTakeDueAt = CIV_TAKE_DUE("$3::bigint AS now)");
constexpr const char* kPostpone =
    "WITH found AS (SELECT key FROM tables WHERE id = $1::text AND length = $2::bigint "
    "AND aside IS NULL FOR UPDATE) "
    "INSERT INTO live (key, due, lobby, changed) SELECT key, $3::bigint, 0, 0 FROM found "
    "ON CONFLICT (key) DO UPDATE SET due = excluded.due";

// Two who ask for the same at once ask for one job.
constexpr const char* kAskJob =
    "WITH waits AS (SELECT count(*) AS everybodys, "
    "count(*) FILTER (WHERE person = $6::text) AS own FROM jobs WHERE kind = $4::text AND answer "
    "IS NULL), "
    "asked AS (INSERT INTO jobs (id, seat, builds, kind, priority, person, question) "
    "SELECT $1::text, $2::bigint, $3::bigint, $4::text, $5::bigint, $6::text, $7::bytea FROM waits "
    "WHERE everybodys < $8::bigint AND own < $9::bigint "
    "ON CONFLICT (id, seat, builds) DO NOTHING RETURNING made) "
    "DELETE FROM jobs WHERE EXISTS (SELECT FROM asked) AND made IN (SELECT made FROM jobs "
    "WHERE kind = $4::text AND answer IS NOT NULL ORDER BY made DESC OFFSET $10::bigint)";
constexpr const char* kAskedJob =
    "SELECT answer FROM jobs WHERE id = $1::text AND seat = $2::bigint AND builds = $3::bigint";
// Of very many only the oldest are looked at, so that asking stays quick.
constexpr const char* kClaim =
    "WITH free AS (SELECT made, row_number() OVER (PARTITION BY person ORDER BY made) AS place "
    "FROM (SELECT made, person FROM jobs WHERE kind = $1::text AND answer IS NULL AND "
    "claimed <= " CIV_CLOCK
    " ORDER BY priority, made LIMIT 5000) AS oldest), "
    "picked AS (SELECT jobs.made, place FROM jobs JOIN free USING (made) WHERE answer IS NULL AND "
    "claimed <= " CIV_CLOCK
    " ORDER BY priority, place, made LIMIT $3::bigint "
    "FOR UPDATE OF jobs SKIP LOCKED) "
    "UPDATE jobs SET claimed = " CIV_CLOCK
    " + $4::bigint, worker = $2::text FROM picked "
    "WHERE jobs.made = picked.made "
    "RETURNING id, seat, builds, kind, priority, person, question, place, jobs.made";
constexpr const char* kAnswer =
    "UPDATE jobs SET answer = $4::bytea WHERE id = $1::text AND seat = $2::bigint AND "
    "builds = $3::bigint AND answer IS NULL";
#define CIV_TAKE(which)                                                                        \
  "WITH picked AS (SELECT made FROM jobs WHERE answer IS NOT NULL AND kind = 'bot' AND taken " \
  "<= " CIV_CLOCK which                                                                        \
  " ORDER BY made LIMIT $1::bigint FOR UPDATE SKIP LOCKED) "                                   \
  "UPDATE jobs SET taken = " CIV_CLOCK                                                         \
  " + $2::bigint FROM picked "                                                                 \
  "WHERE jobs.made = picked.made RETURNING id, seat, builds, answer, jobs.made"
constexpr const char* kTakeAll = CIV_TAKE("");
constexpr const char* kTakeOf = CIV_TAKE(" AND id = $3::text");

std::vector<std::string> ReadDue(const PostgresRows& rows) {
  std::vector<std::string> tables;
  for (int row = 0; row < rows.size(); ++row)
    if (!rows.IsNull(row, 1)) tables.push_back(rows.Text(row, 1));
  return tables;
}

std::vector<Job> ReadJobs(const WorkRows& all) {
  const PostgresRows& rows = all[0];
  std::vector<std::tuple<int64_t, int64_t, int64_t, Job>> jobs;
  for (int row = 0; row < rows.size(); ++row)
    jobs.emplace_back(rows.Number(row, 4), rows.Number(row, 7), rows.Number(row, 8),
                      Job{.table = rows.Text(row, 0),
                          .seat = static_cast<int>(rows.Number(row, 1)),
                          .builds = rows.Number(row, 2),
                          .kind = rows.Text(row, 3),
                          .priority = static_cast<int>(rows.Number(row, 4)),
                          .person = rows.Text(row, 5),
                          .question = rows.Text(row, 6)});
  std::ranges::sort(jobs, {}, [](const auto& job) {
    return std::tuple(std::get<0>(job), std::get<1>(job), std::get<2>(job));
  });
  std::vector<Job> sorted;
  for (auto& job : jobs) sorted.push_back(std::move(std::get<3>(job)));
  return sorted;
}

std::vector<AnsweredJob> ReadAnswers(const WorkRows& all) {
  const PostgresRows& rows = all[0];
  std::vector<std::pair<int64_t, AnsweredJob>> answers;
  for (int row = 0; row < rows.size(); ++row)
    answers.emplace_back(rows.Number(row, 4),
                         AnsweredJob{rows.Text(row, 0), static_cast<int>(rows.Number(row, 1)),
                                     rows.Number(row, 2), rows.Text(row, 3)});
  std::ranges::sort(answers, {}, [](const auto& answer) { return answer.first; });
  std::vector<AnsweredJob> sorted;
  for (auto& answer : answers) sorted.push_back(std::move(answer.second));
  return sorted;
}

}  // namespace

Expected<int64_t> PostgresStore::ServiceTime() {
  return impl_->Wait({{kNow}}, [](const WorkRows& rows) { return rows[0].Number(0, 0); });
}

void PostgresStore::PutServiceTime(int64_t now, Done done) {
  (void)now;
  impl_->Write({{kBeat}}, std::move(done));
}

void PostgresStore::BringForward(int64_t now, Done done) {
  impl_->Write({{kBringForward, PostgresValues().Number(now)}}, std::move(done));
}

void PostgresStore::Beat(int most_due, int64_t hold, Read<Beaten> beaten) {
  impl_->Ask(impl_->chores, {{kBeat}, {kTakeDue, PostgresValues().Number(most_due).Number(hold)}},
             std::move(beaten),
             [](const WorkRows& rows) { return Beaten{rows[1].Number(0, 0), ReadDue(rows[1])}; });
}

void PostgresStore::TakeDue(int64_t now, int most, int64_t hold,
                            Read<std::vector<std::string>> taken) {
  impl_->Ask(impl_->chores, {{kTakeDueAt, PostgresValues().Number(most).Number(hold).Number(now)}},
             std::move(taken), [](const WorkRows& rows) { return ReadDue(rows[0]); });
}

void PostgresStore::Postpone(std::string table, int64_t length, std::optional<int64_t> due,
                             Done done) {
  impl_->Write(impl_->jobs, {{kPostpone, PostgresValues().Text(table).Number(length).Number(due)}},
               std::move(done), [](const WorkRows& rows) { return rows[0].changed() > 0; });
}

void PostgresStore::AskJob(Job job, Read<AskedJob> asked) {
  const auto name = [&] {
    return PostgresValues().Text(job.table).Number(job.seat).Number(job.builds);
  };
  PostgresValues all = name();
  all.Text(job.kind).Number(job.priority).Text(job.person).Bytes(job.question);
  all.Number(kMostAsked).Number(kMostAskedOfOne).Number(kMostKept - 1);
  impl_->Ask(impl_->jobs, {{kAskJob, std::move(all)}, {kAskedJob, name()}}, std::move(asked),
             [](const WorkRows& rows) {
               AskedJob found{!rows[1].empty()};
               if (found.asked && !rows[1].IsNull(0, 0)) found.answer = rows[1].Text(0, 0);
               return found;
             });
}

void PostgresStore::ClaimJobs(std::string kind, std::string worker, int most, int64_t hold,
                              Read<std::vector<Job>> claimed) {
  impl_->Ask(impl_->jobs,
             {{kClaim, PostgresValues().Text(kind).Text(worker).Number(most).Number(hold)}},
             std::move(claimed), ReadJobs);
}

void PostgresStore::AnswerJob(std::string table, int seat, int64_t builds, std::string answer,
                              Done done) {
  impl_->Write(impl_->jobs,
               {{kAnswer, PostgresValues().Text(table).Number(seat).Number(builds).Bytes(answer)}},
               std::move(done), [](const WorkRows& rows) { return rows[0].changed() > 0; });
}

void PostgresStore::TakeAnswered(std::string table, int most, int64_t hold,
                                 Read<std::vector<AnsweredJob>> taken) {
  PostgresValues values;
  values.Number(most).Number(hold);
  if (!table.empty()) values.Text(table);
  impl_->Ask(impl_->jobs, {{table.empty() ? kTakeAll : kTakeOf, std::move(values)}},
             std::move(taken), ReadAnswers);
}

}  // namespace civ
