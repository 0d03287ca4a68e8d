#include "civ/server/database.h"

#include <sqlite3.h>

namespace civ {

Database::Database(std::string path, Mode mode) : path_(std::move(path)) {
  const int create = mode == Mode::Create ? SQLITE_OPEN_CREATE : 0;
  const int opened = sqlite3_open_v2(path_.c_str(), &connection_,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | create, nullptr);
  sqlite3_extended_result_codes(connection_, 1);
  Note(opened);
  if (!ok()) return;
  // Only somebody with a tool can hold the database for longer than an instant.
  sqlite3_busy_timeout(connection_, 1000);
  Run("PRAGMA synchronous = FULL");
  // What a log that grew during a long backup is cut down to.
  Run("PRAGMA journal_size_limit = 67108864");
  if (mode == Mode::Read) Run("PRAGMA query_only = 1");
  // Instead of SQLite's own hook, which moves the log before COMMIT returns: those who wait for it
  // should not wait for that.
  const auto count = [](void* pages, sqlite3*, const char*, int now) {
    *static_cast<int*>(pages) = now;
    return SQLITE_OK;
  };
  sqlite3_wal_hook(connection_, count, &pages_);
}

Database::~Database() {
  for (const auto& [sql, statement] : statements_) sqlite3_finalize(statement);
  sqlite3_close(connection_);
}

std::optional<Error> Database::Problem() const {
  if (ok()) return {};
  const int kind = code_ & 0xff;
  const char* key = kind == SQLITE_NOTADB    ? "data.not-ours"
                    : kind == SQLITE_CORRUPT ? "data.damaged"
                                             : "data.failed";
  if (kind == SQLITE_NOTADB) return Error{key, {{"file", path_}}};
  return Error{key, {{"file", path_}, {"why", why_}}};
}

void Database::Note(int code) {
  if (!ok() || code == SQLITE_OK) return;
  code_ = code;
  why_ = connection_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(connection_);
}

sqlite3_stmt* Database::Prepare(std::string_view sql) {
  if (!ok()) return nullptr;
  sqlite3_stmt*& statement = statements_[sql];
  if (statement == nullptr)
    Note(sqlite3_prepare_v3(connection_, sql.data(), static_cast<int>(sql.size()),
                            SQLITE_PREPARE_PERSISTENT, &statement, nullptr));
  return ok() ? statement : nullptr;
}

void Database::Bind(sqlite3_stmt* statement, int place, int64_t value) {
  if (statement != nullptr) Note(sqlite3_bind_int64(statement, place, value));
}

void Database::Bind(sqlite3_stmt* statement, int place, std::string_view value) {
  // An empty view may have no address, which would be NULL.
  const char* text = value.empty() ? "" : value.data();
  if (statement != nullptr)
    Note(sqlite3_bind_text64(statement, place, text, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Database::Script(const std::string& sql) {
  if (ok()) Note(sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr));
}

void Database::Tidy() {
  constexpr int kMany = 1000;
  if (ok() && pages_ >= kMany)
    sqlite3_wal_checkpoint_v2(connection_, nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
}

Database::Rows::~Rows() {
  if (statement_ != nullptr) sqlite3_reset(statement_);
}

bool Database::Rows::Next() {
  if (statement_ == nullptr || !database_.ok()) return false;
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_.Note(code);
  return false;
}

int64_t Database::Rows::Number(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::string Database::Rows::Text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return text == nullptr
             ? std::string()
             : std::string(text, static_cast<size_t>(sqlite3_column_bytes(statement_, column)));
}

bool Database::Rows::IsNull(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

}  // namespace civ
