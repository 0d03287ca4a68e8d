// A connection to PostgreSQL, as small as the store needs it: many statements are sent at once
// (pipeline mode), and nothing is waited for without an end.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "civ/notation/error.h"

struct pg_conn;
struct pg_result;

namespace civ {

// What is put in place of $1, $2 and so on, as PostgreSQL itself holds it. Every place in a
// statement names its type.
class PostgresValues {
 public:
  PostgresValues& Number(std::optional<int64_t> value);  // bigint
  PostgresValues& Flag(std::optional<bool> value);       // boolean
  PostgresValues& Text(std::optional<std::string_view> value);
  PostgresValues& Bytes(std::string_view value);                               // bytea
  PostgresValues& Numbers(const std::vector<std::optional<int64_t>>& values);  // bigint[]
  PostgresValues& Flags(const std::vector<bool>& values);                      // boolean[]
  PostgresValues& Texts(const std::vector<std::string>& values);
  PostgresValues& ByteTexts(const std::vector<std::string>& values);  // bytea[]

  const std::vector<std::optional<std::string>>& all() const { return values_; }

 private:
  std::vector<std::optional<std::string>> values_;
};

// What a statement has given.
class PostgresRows {
 public:
  explicit PostgresRows(pg_result* result);
  int size() const;
  bool empty() const { return size() == 0; }
  bool IsNull(int row, int column) const;
  int64_t Number(int row, int column) const;  // of a bigint
  bool Flag(int row, int column) const;
  std::string Text(int row, int column) const;  // or bytea
  int64_t changed() const;                      // rows that were inserted, updated or deleted
  bool missing() const { return result_ == nullptr; }  // there was no statement any more
  std::string Problem() const;                         // why it was refused

 private:
  struct Clear {
    void operator()(pg_result* result) const;
  };
  std::unique_ptr<pg_result, Clear> result_;
};

// Statements that are one transaction, unless one of them is BEGIN.
struct PostgresQuery {
  const char* sql;  // a literal: it is prepared once for each connection
  PostgresValues values = {};
};
using PostgresUnit = std::vector<PostgresQuery>;

struct PostgresOutcome {
  enum class How : uint8_t {
    Done,
    Refused,  // by the database: nothing was changed
    Unsent,   // no connection
    Lost,     // it was sent, and no answer came
  };
  How how = How::Unsent;
  std::vector<PostgresRows> rows = {};  // of each statement, if it is done
  std::string why = {};                 // it is not

  bool done() const { return how == How::Done; }
};

// One thread at a time. Whatever has gone wrong, the next call connects again.
class PostgresConnection {
 public:
  struct Options {
    std::string uri;
    std::string settings = {};                   // of the session, as in "-c name=value"
    std::chrono::milliseconds patience{10'000};  // how long an answer may take
  };
  explicit PostgresConnection(Options options);
  ~PostgresConnection();
  PostgresConnection(const PostgresConnection&) = delete;
  PostgresConnection& operator=(const PostgresConnection&) = delete;

  // Sends all units, and tells of each in their order.
  void Exchange(const std::vector<const PostgresUnit*>& units,
                const std::function<void(size_t, PostgresOutcome)>& each);
  PostgresOutcome Exchange(const PostgresUnit& unit);
  // The same in the transaction that has begun, so on no other connection.
  PostgresOutcome Continue(const PostgresUnit& unit);
  // Several statements without values, in the transaction that has begun.
  PostgresOutcome Script(const std::string& sql);
  void Close();

  // The address without user and password, for people.
  static std::string Plain(const std::string& uri);

 private:
  using Moment = std::chrono::steady_clock::time_point;
  bool Connect();
  bool Usable();  // connected, and nothing has been heard of an end
  void Submit(const std::vector<const PostgresUnit*>& units,
              const std::function<void(size_t, PostgresOutcome)>& each);
  bool Prepare(const std::vector<const PostgresUnit*>& units);
  static std::string NameOf(const char* sql);
  void Send(const PostgresUnit& unit);
  PostgresOutcome Receive();
  bool Wait(Moment end);  // for something to read
  pg_result* Next(Moment end);
  bool Ended(const pg_result* result) const;  // the connection, not just a statement

  const Options options_;
  pg_conn* connection_ = nullptr;
  std::unordered_set<const char*> prepared_;
  std::string why_;  // there is no connection
};

}  // namespace civ
