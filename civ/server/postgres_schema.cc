#include "civ/server/postgres_schema.h"

#include <array>

namespace civ {
namespace {

// Migrations (docs/store.md): the script at index v makes version v + 1 of version v. Scripts that
// have been released are never changed. Whatever people or programs have written is bytea: it comes
// back byte by byte.
constexpr auto kPostgresScripts = std::to_array<const char*>({
    R"(
CREATE SCHEMA civ;
-- Which of several databases it is, from 0 on, is settled by the first who opens it.
CREATE TABLE civ.layout (version integer NOT NULL, shard integer);
INSERT INTO civ.layout VALUES (0);

-- What an append changes here is in no index, so that PostgreSQL changes a row in its place.
CREATE TABLE civ.tables (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  length bigint NOT NULL DEFAULT 0,
  open boolean NOT NULL DEFAULT true,
  asked boolean NOT NULL DEFAULT false,  -- it has jobs
  maker text COLLATE "C" NOT NULL DEFAULT '',
  persons text NOT NULL DEFAULT '',      -- as in seats, one in a line
  summary bytea NOT NULL DEFAULT '',
  aside bytea
) WITH (fillfactor = 60);
CREATE INDEX tables_open ON civ.tables (key) WHERE open;
CREATE INDEX tables_made_by ON civ.tables (maker) WHERE open;

CREATE TABLE civ.events (key bigint, n bigint, body bytea NOT NULL, PRIMARY KEY (key, n));

CREATE TABLE civ.seats (key bigint, place bigint, person text COLLATE "C" NOT NULL,
                        PRIMARY KEY (key, place));
CREATE INDEX seats_of ON civ.seats (person, key);

-- Of open tables only: what changes with every move and is looked for.
CREATE TABLE civ.live (
  key bigint PRIMARY KEY,
  due bigint,  -- in time of service
  lobby bigint NOT NULL,
  changed bigint NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX live_due ON civ.live (due) WHERE due IS NOT NULL;
CREATE INDEX live_lobby ON civ.live (lobby, changed DESC) WHERE lobby > 0;

CREATE TABLE civ.jobs (
  made bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL,  -- of the table
  seat bigint NOT NULL,
  builds bigint NOT NULL,
  kind text NOT NULL,
  priority bigint NOT NULL,
  person text NOT NULL,
  question bytea NOT NULL,
  worker text NOT NULL DEFAULT '',
  claimed bigint NOT NULL DEFAULT 0,  -- until when, by the database's clock
  answer bytea,
  taken bigint NOT NULL DEFAULT 0,
  UNIQUE (id, seat, builds)
);
CREATE INDEX jobs_free ON civ.jobs (kind, priority, made) WHERE answer IS NULL;
CREATE INDEX jobs_answered ON civ.jobs (made) WHERE answer IS NOT NULL AND kind = 'bot';

CREATE TABLE civ.persons (id text COLLATE "C" PRIMARY KEY, name bytea NOT NULL,
                          muted boolean NOT NULL, banned boolean NOT NULL);
CREATE TABLE civ.sessions (hash text COLLATE "C" PRIMARY KEY, person text COLLATE "C" NOT NULL,
                           bot boolean NOT NULL, created bigint NOT NULL, seen bigint NOT NULL);
CREATE INDEX sessions_of ON civ.sessions (person);
CREATE INDEX sessions_seen ON civ.sessions (seen);
CREATE INDEX sessions_made ON civ.sessions (created, person);
CREATE TABLE civ.addresses (address text COLLATE "C" PRIMARY KEY,
                            banned bigint GENERATED ALWAYS AS IDENTITY);
CREATE TABLE civ.codes (hash text COLLATE "C" PRIMARY KEY, person text COLLATE "C" NOT NULL,
                        until bigint NOT NULL, made bigint GENERATED ALWAYS AS IDENTITY);
CREATE INDEX codes_of ON civ.codes (person, made);

-- The time of service is the clock less what is lost. Milliseconds since 1970.
CREATE TABLE civ.service (beat bigint NOT NULL, lost bigint NOT NULL) WITH (fillfactor = 10);
INSERT INTO civ.service
  SELECT m, m FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS m) AS clock;
)",
});

constexpr const char* kLayoutNow = "SELECT version::bigint FROM civ.layout";
constexpr const char* kSettleShard = "UPDATE civ.layout SET shard = $1::bigint WHERE shard IS NULL";

}  // namespace

int NewestPostgresSchema() { return static_cast<int>(kPostgresScripts.size()); }

std::optional<Error> UpgradePostgresSchema(PostgresConnection& connection,
                                           const std::string& name) {
  const auto failed = [&](const std::string& why) {
    connection.Close();  // which rolls back
    return Error{"data.failed", {{"file", name}, {"why", why}}};
  };
  // The number is that of the embedded database's files (kApplicationId). The lock is the
  // connection's: only a transaction that begins after it was got sees what others have made.
  const PostgresOutcome locked =
      connection.Exchange(PostgresUnit{{"SELECT pg_advisory_lock(1128879665)"}});
  if (!locked.done()) return failed(locked.why);
  const PostgresOutcome begun = connection.Continue(
      {{"BEGIN"},
       {"SELECT current_setting('server_encoding'), to_regnamespace('civ') IS NOT NULL, "
        "to_regclass('civ.layout') IS NOT NULL"}});
  if (!begun.done()) return failed(begun.why);
  const PostgresRows& found = begun.rows[1];
  if (found.Text(0, 0) != "UTF8") return failed("its encoding is not UTF8");
  int64_t version = 0;
  if (found.Flag(0, 1)) {
    if (!found.Flag(0, 2)) {
      connection.Close();
      return Error{"data.not-ours", {{"file", name}}};
    }
    const PostgresOutcome layout = connection.Continue({{kLayoutNow}});
    if (!layout.done() || layout.rows[0].size() != 1) return failed(layout.why);
    version = layout.rows[0].Number(0, 0);
  }
  if (version > NewestPostgresSchema()) {
    connection.Close();
    return Error{"data.newer",
                 {{"file", name},
                  {"version", std::to_string(version)},
                  {"known", std::to_string(NewestPostgresSchema())}}};
  }
  std::string script;
  for (auto next = static_cast<size_t>(version); next < kPostgresScripts.size(); ++next)
    script += kPostgresScripts[next];
  script += "UPDATE civ.layout SET version = " + std::to_string(NewestPostgresSchema()) +
            " WHERE version < " + std::to_string(NewestPostgresSchema()) + "; COMMIT";
  const PostgresOutcome upgraded = connection.Script(script);
  return upgraded.done() ? std::nullopt : std::optional(failed(upgraded.why));
}

std::optional<Error> CheckShard(PostgresConnection& connection, const std::string& name,
                                int64_t shard) {
  const PostgresOutcome settled = connection.Exchange(PostgresUnit{
      {kSettleShard, PostgresValues().Number(shard)}, {"SELECT shard::bigint FROM civ.layout"}});
  if (!settled.done()) return Error{"data.failed", {{"file", name}, {"why", settled.why}}};
  const int64_t is = settled.rows[1].Number(0, 0);
  if (is == shard) return std::nullopt;
  return Error{
      "data.shard",
      {{"file", name}, {"number", std::to_string(is + 1)}, {"asked", std::to_string(shard + 1)}}};
}

}  // namespace civ
