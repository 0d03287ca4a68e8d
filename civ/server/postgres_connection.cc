#include "civ/server/postgres_connection.h"

#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <map>

namespace civ {
namespace {

// In the order of the network.
template <class T>
void PutNumber(std::string& out, T value) {
  for (int shift = static_cast<int>(sizeof(T)) * 8 - 8; shift >= 0; shift -= 8)
    out += static_cast<char>(static_cast<uint64_t>(value) >> shift & 0xff);
}

// PostgreSQL's numbers of the types.
constexpr uint32_t kBoolean = 16, kBytea = 17, kBigint = 20, kText = 25;

// The head of an array; its elements follow, each after its length.
std::string ArrayOf(uint32_t type, size_t size) {
  std::string out;
  PutNumber<int32_t>(out, size == 0 ? 0 : 1);  // dimensions
  PutNumber<int32_t>(out, 1);                  // there may be nulls
  PutNumber(out, type);
  if (size == 0) return out;
  PutNumber(out, static_cast<int32_t>(size));
  PutNumber<int32_t>(out, 1);  // the number of the first
  return out;
}

std::string StringsOf(uint32_t type, const std::vector<std::string>& values) {
  std::string out = ArrayOf(type, values.size());
  for (const std::string& value : values) {
    PutNumber(out, static_cast<int32_t>(value.size()));
    out += value;
  }
  return out;
}

// Errors of libpq end with a new line, and may have several.
std::string OneLine(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::map<std::string, std::string> SettingsOf(const std::string& uri, std::string& why) {
  std::map<std::string, std::string> settings;
  char* problem = nullptr;
  PQconninfoOption* options = PQconninfoParse(uri.c_str(), &problem);
  if (problem != nullptr) {
    why = OneLine(problem);
    PQfreemem(problem);
  }
  for (const PQconninfoOption* one = options; one != nullptr && one->keyword != nullptr; ++one)
    if (one->val != nullptr) settings[one->keyword] = one->val;
  PQconninfoFree(options);
  return settings;
}

void IgnoreNotice(void* context, const PGresult* notice) { (void)context, (void)notice; }

}  // namespace

PostgresValues& PostgresValues::Number(std::optional<int64_t> value) {
  values_.emplace_back();
  if (value) PutNumber(values_.back().emplace(), *value);
  return *this;
}
PostgresValues& PostgresValues::Flag(std::optional<bool> value) {
  values_.emplace_back();
  if (value) values_.back().emplace() += *value ? '\1' : '\0';
  return *this;
}
PostgresValues& PostgresValues::Text(std::optional<std::string_view> value) {
  values_.emplace_back(value);
  return *this;
}
PostgresValues& PostgresValues::Bytes(std::string_view value) { return Text(value); }
PostgresValues& PostgresValues::Numbers(const std::vector<std::optional<int64_t>>& values) {
  std::string out = ArrayOf(kBigint, values.size());
  for (const std::optional<int64_t>& value : values) {
    PutNumber<int32_t>(out, value ? 8 : -1);
    if (value) PutNumber(out, *value);
  }
  values_.emplace_back(std::move(out));
  return *this;
}
PostgresValues& PostgresValues::Flags(const std::vector<bool>& values) {
  std::string out = ArrayOf(kBoolean, values.size());
  for (const bool value : values) {
    PutNumber<int32_t>(out, 1);
    out += value ? '\1' : '\0';
  }
  values_.emplace_back(std::move(out));
  return *this;
}
PostgresValues& PostgresValues::Texts(const std::vector<std::string>& values) {
  values_.emplace_back(StringsOf(kText, values));
  return *this;
}
PostgresValues& PostgresValues::ByteTexts(const std::vector<std::string>& values) {
  values_.emplace_back(StringsOf(kBytea, values));
  return *this;
}

PostgresRows::PostgresRows(pg_result* result) : result_(result) {}
std::string PostgresRows::Problem() const { return OneLine(PQresultErrorMessage(result_.get())); }
void PostgresRows::Clear::operator()(pg_result* result) const { PQclear(result); }
int PostgresRows::size() const { return PQntuples(result_.get()); }
bool PostgresRows::IsNull(int row, int column) const {
  return PQgetisnull(result_.get(), row, column) != 0;
}
int64_t PostgresRows::Number(int row, int column) const {
  uint64_t value = 0;
  for (const char c : Text(row, column)) value = value << 8 | static_cast<uint8_t>(c);
  return std::bit_cast<int64_t>(value);
}
bool PostgresRows::Flag(int row, int column) const { return Number(row, column) != 0; }
std::string PostgresRows::Text(int row, int column) const {
  return {PQgetvalue(result_.get(), row, column),
          static_cast<size_t>(PQgetlength(result_.get(), row, column))};
}
int64_t PostgresRows::changed() const {
  return std::strtoll(PQcmdTuples(result_.get()), nullptr, 10);
}

PostgresConnection::PostgresConnection(Options options) : options_(std::move(options)) {}
PostgresConnection::~PostgresConnection() { Close(); }

void PostgresConnection::Close() {
  PQfinish(connection_);
  connection_ = nullptr;
  prepared_.clear();
}

std::string PostgresConnection::Plain(const std::string& uri) {
  std::string why;
  std::map<std::string, std::string> settings = SettingsOf(uri, why);
  if (settings.empty()) return "PostgreSQL";
  return "postgresql://" + settings["host"] +
         (settings["port"].empty() ? "" : ":" + settings["port"]) + "/" + settings["dbname"];
}

bool PostgresConnection::Connect() {
  Close();
  why_.clear();
  std::map<std::string, std::string> settings = SettingsOf(options_.uri, why_);
  if (!why_.empty()) return false;
  const auto patience = std::to_string(options_.patience.count());
  for (const auto& [name, value] : std::initializer_list<std::pair<std::string, std::string>>{
           {"connect_timeout", "3"},
           {"target_session_attrs", "read-write"},
           {"application_name", "civ"},
           {"keepalives_idle", "5"},
           {"keepalives_interval", "2"},
           {"keepalives_count", "3"},
           {"tcp_user_timeout", patience}})
    settings.try_emplace(name, value);
  settings["client_encoding"] = "UTF8";
  // Nobody waits for a lock for as long as the answer may take, and what has begun and is not
  // continued ends. There is no limit to the time of a statement: it would end a commit's wait for
  // the standby, which is then told to have succeeded.
  settings["options"] += " -c search_path=civ -c jit=off -c enable_seqscan=off -c lock_timeout=" +
                         std::to_string(options_.patience.count() / 2) +
                         " -c idle_in_transaction_session_timeout=" + patience + " " +
                         options_.settings;
  std::vector<const char*> names, values;
  for (const auto& [name, value] : settings) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  names.push_back(nullptr);
  values.push_back(nullptr);
  connection_ = PQconnectdbParams(names.data(), values.data(), 0);
  if (PQstatus(connection_) == CONNECTION_OK && PQsetnonblocking(connection_, 1) == 0 &&
      PQenterPipelineMode(connection_) == 1) {
    PQsetNoticeReceiver(connection_, IgnoreNotice, nullptr);
    return true;
  }
  why_ = OneLine(PQerrorMessage(connection_));
  Close();
  return false;
}

bool PostgresConnection::Usable() {
  if (connection_ == nullptr) return false;
  pollfd socket{PQsocket(connection_), POLLIN, 0};
  if (poll(&socket, 1, 0) > 0) PQconsumeInput(connection_);
  PGnotify* none = PQnotifies(connection_);  // reads what has come
  PQfreemem(none);
  return PQstatus(connection_) == CONNECTION_OK;
}

bool PostgresConnection::Wait(Moment end) {
  for (;;) {
    const int left = PQflush(connection_);
    if (left < 0) return false;
    const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - std::chrono::steady_clock::now());
    if (time.count() <= 0) {
      why_ = "no answer in time";
      return false;
    }
    pollfd socket{PQsocket(connection_), static_cast<short>(POLLIN | (left > 0 ? POLLOUT : 0)), 0};
    if (poll(&socket, 1, static_cast<int>(time.count())) < 0 && errno != EINTR) return false;
    if ((socket.revents & (POLLIN | POLLERR | POLLHUP)) != 0)
      return PQconsumeInput(connection_) == 1;
  }
}

pg_result* PostgresConnection::Next(Moment end) {
  // A null stands between the results of two statements.
  for (int nulls = 0; nulls < 3; ++nulls) {
    while (PQisBusy(connection_) == 1)
      if (!Wait(end)) return nullptr;
    if (pg_result* result = PQgetResult(connection_)) return result;
  }
  return nullptr;
}

bool PostgresConnection::Ended(const pg_result* result) const {
  const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  return PQstatus(connection_) != CONNECTION_OK || state == nullptr ||
         std::strncmp(state, "57P0", 4) == 0;  // it is being shut down
}

// A statement's name is where its text is.
std::string PostgresConnection::NameOf(const char* sql) {
  return "s" + std::to_string(std::bit_cast<uintptr_t>(sql));
}

void PostgresConnection::Send(const PostgresUnit& unit) {
  for (const PostgresQuery& query : unit) {
    std::vector<const char*> values;
    std::vector<int> lengths;
    for (const std::optional<std::string>& value : query.values.all()) {
      values.push_back(value ? value->data() : nullptr);
      lengths.push_back(value ? static_cast<int>(value->size()) : 0);
    }
    const std::vector<int> binary(values.size(), 1);
    PQsendQueryPrepared(connection_, NameOf(query.sql).c_str(), static_cast<int>(values.size()),
                        values.data(), lengths.data(), binary.data(), 1);
  }
  PQpipelineSync(connection_);
}

PostgresOutcome PostgresConnection::Receive() {
  PostgresOutcome outcome{.how = PostgresOutcome::How::Done};
  const Moment end = std::chrono::steady_clock::now() + options_.patience;
  for (;;) {
    pg_result* result = connection_ == nullptr ? nullptr : Next(end);  // of rows from now on
    const PostgresRows& rows = outcome.rows.emplace_back(result);
    const ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_PIPELINE_SYNC) return outcome;
    if (result == nullptr || (status == PGRES_FATAL_ERROR && Ended(result))) {
      if (outcome.done()) outcome.how = PostgresOutcome::How::Lost;
      if (connection_ != nullptr && why_.empty()) why_ = OneLine(PQerrorMessage(connection_));
      if (outcome.why.empty()) outcome.why = why_;
      Close();
      return outcome;
    }
    if (status == PGRES_FATAL_ERROR) {
      outcome.how = PostgresOutcome::How::Refused;
      outcome.why = rows.Problem();
    }
  }
}

bool PostgresConnection::Prepare(const std::vector<const PostgresUnit*>& units) {
  std::vector<const char*> missing;
  for (const PostgresUnit* unit : units)
    for (const PostgresQuery& query : *unit)
      if (!prepared_.contains(query.sql) && std::ranges::find(missing, query.sql) == missing.end())
        missing.push_back(query.sql);
  if (missing.empty()) return true;
  for (const char* sql : missing) PQsendPrepare(connection_, NameOf(sql).c_str(), sql, 0, nullptr);
  PQpipelineSync(connection_);
  const PostgresOutcome outcome = Receive();
  why_ = outcome.why;
  if (outcome.done()) prepared_.insert(missing.begin(), missing.end());
  // Those that were made have their names, and would be in the way.
  if (!outcome.done()) Close();
  return outcome.done();
}

void PostgresConnection::Exchange(const std::vector<const PostgresUnit*>& units,
                                  const std::function<void(size_t, PostgresOutcome)>& each) {
  if (!Usable() && !Connect()) {
    for (size_t i = 0; i < units.size(); ++i) each(i, {.why = why_});
    return;
  }
  Submit(units, each);
}

void PostgresConnection::Submit(const std::vector<const PostgresUnit*>& units,
                                const std::function<void(size_t, PostgresOutcome)>& each) {
  if (!Prepare(units)) {
    for (size_t i = 0; i < units.size(); ++i) each(i, {.why = why_});
    return;
  }
  why_.clear();
  for (const PostgresUnit* unit : units) Send(*unit);
  for (size_t i = 0; i < units.size(); ++i) each(i, Receive());
}

PostgresOutcome PostgresConnection::Exchange(const PostgresUnit& unit) {
  PostgresOutcome result;
  Exchange({&unit}, [&](size_t, PostgresOutcome outcome) { result = std::move(outcome); });
  return result;
}

PostgresOutcome PostgresConnection::Continue(const PostgresUnit& unit) {
  PostgresOutcome result{.why = "the connection has ended"};
  if (Usable())
    Submit({&unit}, [&](size_t, PostgresOutcome outcome) { result = std::move(outcome); });
  else
    Close();
  return result;
}

PostgresOutcome PostgresConnection::Script(const std::string& sql) {
  if (!Usable() && !Connect()) return {.why = why_};
  PQexitPipelineMode(connection_);
  PQsendQuery(connection_, sql.c_str());
  PostgresOutcome outcome{.how = PostgresOutcome::How::Done};
  const Moment end = std::chrono::steady_clock::now() + options_.patience;
  for (;;) {
    const PostgresRows rows(Next(end));
    if (rows.missing()) break;
    if (!rows.Problem().empty())
      outcome = {.how = PostgresOutcome::How::Refused, .why = rows.Problem()};
  }
  if (!Usable() || PQenterPipelineMode(connection_) == 0) {
    outcome = {.how = PostgresOutcome::How::Lost, .why = OneLine(PQerrorMessage(connection_))};
    Close();
  }
  return outcome;
}

}  // namespace civ
