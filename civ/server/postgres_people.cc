// Persons, sessions, bans and codes in PostgreSQL.
#include "civ/server/postgres_impl.h"

namespace civ {
namespace {

using PeopleRows = std::vector<PostgresRows>;

// Takes the person's row, so that nobody removes it meanwhile.
constexpr const char* kAddPerson =
    "INSERT INTO persons (id, name, muted, banned) "
    "VALUES ($1::text, $2::bytea, $3::boolean, $4::boolean) "
    "ON CONFLICT (id) DO UPDATE SET name = persons.name";
constexpr const char* kAddSession =
    "INSERT INTO sessions (hash, person, bot, created, seen) "
    "VALUES ($1::text, $2::text, $3::boolean, $4::bigint, $5::bigint) "
    "ON CONFLICT (hash) DO UPDATE SET person = excluded.person, bot = excluded.bot, "
    "created = excluded.created, seen = excluded.seen";
constexpr const char* kChangePerson =
    "UPDATE persons SET name = coalesce($2::bytea, name), muted = coalesce($3::boolean, muted), "
    "banned = coalesce($4::boolean, banned) WHERE id = $1::text";
constexpr const char* kSee =
    "UPDATE sessions SET seen = $2::bigint WHERE hash = $1::text AND seen < $2::bigint";
constexpr const char* kLockPersonOf =
    "SELECT FROM persons WHERE id = (SELECT person FROM sessions WHERE hash = $1::text) FOR UPDATE";
constexpr const char* kDropSession =
    "WITH dropped AS (DELETE FROM sessions WHERE hash = $1::text RETURNING person) "
    "DELETE FROM persons USING dropped WHERE id = person AND NOT EXISTS "
    "(SELECT FROM sessions WHERE sessions.person = persons.id AND hash <> $1::text)";
constexpr const char* kLockPersons =
    "SELECT FROM persons WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE";
constexpr const char* kDropPersons =
    "DELETE FROM persons WHERE id = ANY ($1::text[]) AND NOT EXISTS "
    "(SELECT FROM sessions WHERE sessions.person = persons.id)";
constexpr const char* kBan =
    "WITH lifted AS (DELETE FROM addresses WHERE address = $1::text AND NOT $2::boolean) "
    "INSERT INTO addresses (address) SELECT $1::text WHERE $2::boolean "
    "ON CONFLICT (address) DO NOTHING";
constexpr const char* kBanned = "SELECT address FROM addresses ORDER BY banned";

// The columns of ReadSession.
#define CIV_SESSION                                                             \
  "SELECT hash, person, name, bot, muted, banned, created, seen FROM sessions " \
  "JOIN persons ON persons.id = person "
constexpr const char* kSessions = CIV_SESSION;
constexpr const char* kNewestSessions =
    CIV_SESSION "ORDER BY created DESC, person DESC LIMIT $1::bigint";
constexpr const char* kSessionsOf =
    CIV_SESSION "WHERE person = $2::text ORDER BY created DESC LIMIT $1::bigint";
constexpr const char* kFindSession = CIV_SESSION "WHERE hash = $1::text";
#undef CIV_SESSION
constexpr const char* kIsBanned = "SELECT EXISTS (SELECT FROM addresses WHERE address = $1::text)";

constexpr const char* kSweepOld =
    "WITH old AS (SELECT hash FROM sessions JOIN persons ON persons.id = person WHERE NOT banned "
    "AND seen < greatest($1::bigint, $2::bigint) AND (seen < $1::bigint OR NOT EXISTS "
    "(SELECT FROM seats WHERE seats.person = sessions.person)) "
    "LIMIT $3::bigint FOR UPDATE OF sessions SKIP LOCKED) "
    "DELETE FROM sessions USING old WHERE sessions.hash = old.hash RETURNING sessions.person";

constexpr const char* kLockPerson = "SELECT FROM persons WHERE id = $1::text FOR UPDATE";
constexpr const char* kDropOldCodes =
    "DELETE FROM codes WHERE hash IN (SELECT hash FROM codes WHERE person = $1::text "
    "ORDER BY made DESC OFFSET greatest($2::bigint - 1, 0))";
constexpr const char* kPutCode =
    "INSERT INTO codes (hash, person, until) VALUES ($1::text, $2::text, $3::bigint) "
    "ON CONFLICT (hash) DO UPDATE SET person = excluded.person, until = excluded.until";
constexpr const char* kEndCodes = "DELETE FROM codes WHERE until <= $1::bigint";
constexpr const char* kTakeCode = "DELETE FROM codes WHERE hash = $1::text RETURNING person";
constexpr const char* kDropCodes = "DELETE FROM codes WHERE person = $1::text";

StoredSession ReadSession(const PostgresRows& rows, int row) {
  return {.hash = rows.Text(row, 0),
          .person = rows.Text(row, 1),
          .name = rows.Text(row, 2),
          .bot = rows.Flag(row, 3),
          .muted = rows.Flag(row, 4),
          .banned = rows.Flag(row, 5),
          .created = rows.Number(row, 6),
          .seen = rows.Number(row, 7)};
}

std::vector<StoredSession> ReadAllSessions(const PeopleRows& rows) {
  std::vector<StoredSession> sessions;
  for (int row = 0; row < rows[0].size(); ++row) sessions.push_back(ReadSession(rows[0], row));
  return sessions;
}

std::vector<std::string> ReadFirstColumn(const PeopleRows& rows) {
  std::vector<std::string> texts;
  for (int row = 0; row < rows[0].size(); ++row) texts.push_back(rows[0].Text(row, 0));
  return texts;
}

}  // namespace

void PostgresStore::AddSession(StoredSession session, Done done) {
  impl_->Write({{kAddPerson, PostgresValues()
                                 .Text(session.person)
                                 .Bytes(session.name)
                                 .Flag(session.muted)
                                 .Flag(session.banned)},
                {kAddSession, PostgresValues()
                                  .Text(session.hash)
                                  .Text(session.person)
                                  .Flag(session.bot)
                                  .Number(session.created)
                                  .Number(session.seen)}},
               std::move(done));
}

void PostgresStore::ChangePerson(std::string person, PersonChange change, Done done) {
  PostgresUnit unit{
      {kChangePerson,
       PostgresValues().Text(person).Text(change.name).Flag(change.muted).Flag(change.banned)}};
  impl_->Write(impl_->chores, std::move(unit), std::move(done),
               [](const PeopleRows& rows) { return rows[0].changed() > 0; });
}

void PostgresStore::SeeSession(std::string hash, int64_t seen, Done done) {
  impl_->Write({{kSee, PostgresValues().Text(hash).Number(seen)}}, std::move(done));
}

void PostgresStore::DropSession(std::string hash, Done done) {
  impl_->Write(
      {{kLockPersonOf, PostgresValues().Text(hash)}, {kDropSession, PostgresValues().Text(hash)}},
      std::move(done));
}

void PostgresStore::BanAddress(std::string address, bool on, Done done) {
  impl_->Write({{kBan, PostgresValues().Text(address).Flag(on)}}, std::move(done));
}

Expected<std::vector<StoredSession>> PostgresStore::LoadSessions() {
  return impl_->Wait({{kSessions}}, ReadAllSessions);
}

Expected<std::vector<std::string>> PostgresStore::LoadBannedAddresses() {
  return impl_->Wait({{kBanned}}, ReadFirstColumn);
}

void PostgresStore::FindSession(std::string hash, std::string address, Read<Found> found) {
  impl_->Ask(
      impl_->reads,
      {{kFindSession, PostgresValues().Text(hash)}, {kIsBanned, PostgresValues().Text(address)}},
      std::move(found), [](const PeopleRows& rows) {
        Found result{{}, rows[1].Flag(0, 0)};
        if (!rows[0].empty()) result.session = ReadSession(rows[0], 0);
        return result;
      });
}

void PostgresStore::ListSessions(std::string person, int most,
                                 Read<std::vector<StoredSession>> listed) {
  PostgresValues values;
  values.Number(most);
  if (!person.empty()) values.Text(person);
  impl_->Ask(impl_->reads, {{person.empty() ? kNewestSessions : kSessionsOf, std::move(values)}},
             std::move(listed), ReadAllSessions);
}

void PostgresStore::ListBannedAddresses(Read<std::vector<std::string>> listed) {
  impl_->Ask(impl_->reads, {{kBanned}}, std::move(listed), ReadFirstColumn);
}

void PostgresStore::SweepSessions(int64_t forgotten, int64_t unseated, int most,
                                  Read<int64_t> swept) {
  PostgresUnit sweep{{kSweepOld, PostgresValues().Number(forgotten).Number(unseated).Number(most)}};
  impl_->Ask<int64_t>(impl_->chores, std::move(sweep), std::move(swept),
                      [this](const PeopleRows& rows) -> int64_t {
                        const std::vector<std::string> persons = ReadFirstColumn(rows);
                        impl_->Write({{kLockPersons, PostgresValues().Texts(persons)},
                                      {kDropPersons, PostgresValues().Texts(persons)}},
                                     {});
                        return static_cast<int64_t>(persons.size());
                      });
}

void PostgresStore::PutCode(std::string hash, std::string person, int64_t until, int most,
                            Done done) {
  impl_->Write({{kLockPerson, PostgresValues().Text(person)},
                {kDropOldCodes, PostgresValues().Text(person).Number(most)},
                {kPutCode, PostgresValues().Text(hash).Text(person).Number(until)}},
               std::move(done));
}

void PostgresStore::TakeCode(std::string hash, int64_t now,
                             Read<std::optional<std::string>> taken) {
  impl_->Ask(impl_->chores,
             {{kEndCodes, PostgresValues().Number(now)}, {kTakeCode, PostgresValues().Text(hash)}},
             std::move(taken), [](const PeopleRows& rows) -> std::optional<std::string> {
               if (rows[1].empty()) return std::nullopt;
               return rows[1].Text(0, 0);
             });
}

void PostgresStore::DropCodes(std::string person, Done done) {
  impl_->Write({{kDropCodes, PostgresValues().Text(person)}}, std::move(done));
}

}  // namespace civ
