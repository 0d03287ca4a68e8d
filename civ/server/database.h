// A connection to an SQLite database, as small as the store needs it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "civ/notation/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace civ {

// After the first failure everything else does nothing, so that only the end of a piece of work
// needs to ask. One thread at a time.
class Database {
 public:
  enum class Mode : uint8_t { Create, Write, Read };
  Database(std::string path, Mode mode);
  ~Database();  // what has not been committed is rolled back
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  bool ok() const { return code_ == 0; }
  // What has gone wrong, as a value for people.
  std::optional<Error> Problem() const;

  // The rows of one statement, which is kept for the next time.
  class Rows {
   public:
    Rows(Database& database, sqlite3_stmt* statement)
        : database_(database), statement_(statement) {}
    ~Rows();
    Rows(const Rows&) = delete;
    Rows& operator=(const Rows&) = delete;

    bool Next();
    int64_t Number(int column) const;
    std::string Text(int column) const;
    bool IsNull(int column) const;

   private:
    Database& database_;
    sqlite3_stmt* statement_;  // null after a failure
  };
  template <class... Values>
  Rows Query(std::string_view sql, const Values&... values) {
    sqlite3_stmt* statement = Prepare(sql);
    [&]<size_t... I>(std::index_sequence<I...>) {
      (Bind(statement, static_cast<int>(I) + 1, values), ...);
    }(std::index_sequence_for<Values...>());
    return {*this, statement};
  }
  template <class... Values>
  void Run(std::string_view sql, const Values&... values) {
    Query(sql, values...).Next();
  }
  // The only number of the only row.
  template <class... Values>
  int64_t Number(std::string_view sql, const Values&... values) {
    Rows rows = Query(sql, values...);
    return rows.Next() ? rows.Number(0) : 0;
  }
  // Several statements, which are not kept.
  void Script(const std::string& sql);

  // Moves what is in the write-ahead log into the database once there is much of it. If that fails,
  // the log just grows.
  void Tidy();

 private:
  sqlite3_stmt* Prepare(std::string_view sql);
  void Bind(sqlite3_stmt* statement, int place, int64_t value);
  void Bind(sqlite3_stmt* statement, int place, std::string_view value);
  void Note(int code);

  std::string path_;
  sqlite3* connection_ = nullptr;
  std::unordered_map<std::string_view, sqlite3_stmt*>
      statements_;  // by their text, which is a literal
  int pages_ = 0;   // in the write-ahead log
  int code_ = 0;    // of the first failure
  std::string why_;
};

}  // namespace civ
