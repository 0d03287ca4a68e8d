#include "tests/simulation/database.h"

#include "civ/notation/json.h"
#include "civ/server/sharded_store.h"
#include "tests/simulation/twin.h"

namespace civ::simulation {
namespace {

constexpr int64_t kBegins = 5'000'000;  // the clock of the first database at the beginning

// The same event without the id of its command.
std::string Forgetful(const std::string& text) {
  Expected<Event> event = EventFromText(text);
  event->cause = {};
  return ToText(*event);
}

// Whether a deal is to be taken for another process's (twin.h).
bool DealsAsTwin(Database& database, Addition& added) {
  Twin* twin = database.stage.twin;
  if (twin == nullptr || !twin->IsDeal(added)) return false;
  const std::vector<std::string> log = database.Log(added.table);
  if (static_cast<int64_t>(log.size()) != added.expected) return false;
  twin->Deals(log, added);
  return true;
}

}  // namespace

Database::Database(Stage& at, const Weather& with, Broken broken, int number)
    : stage(at),
      weather(with),
      promise(broken),
      truth([this](std::function<void()> answer) { answers_.push_back(std::move(answer)); },
            [this, number] { return kBegins * (number + 1) + stage.now(); }) {
  if (promise == Broken::ChargesAnOutage) BeatOn();
}

// So that no gap is ever found.
void Database::BeatOn() {
  Run<Expected<Store::Beaten>>([](Store& store, auto answer) { store.Beat(0, 0, answer); });
  stage.In(1'000, [this] { BeatOn(); });
}

std::vector<std::string> Database::Log(const std::string& table) {
  const auto log = Run<Expected<std::optional<StoredLog>>>(
      [&](Store& store, auto answer) { store.Load(table, answer); });
  return *log ? (*log)->events : std::vector<std::string>();
}

void Database::FailOver(int64_t milliseconds) {
  gone_until_ = std::max(gone_until_, stage.now() + milliseconds);
  for (Connection* connection : connections) connection->Cut(milliseconds);
}

std::unique_ptr<Store> Connect(const Databases& databases, const std::string& name) {
  std::vector<std::unique_ptr<Store>> all;
  for (const auto& database : databases)
    all.push_back(std::make_unique<Connection>(*database, name));
  if (all.size() == 1) return std::move(all.front());
  return std::make_unique<ShardedStore>(std::move(all));
}

Connection::Connection(Database& database, std::string name)
    : database_(database), stage_(database.stage), name_(std::move(name)) {
  database_.connections.push_back(this);
}

Connection::~Connection() { std::erase(database_.connections, this); }

void Connection::Cut(int64_t milliseconds) {
  cut_until_ = std::max(cut_until_, stage_.now() + milliseconds);
  for (const auto& [number, lost] : std::exchange(under_way_, {})) stage_.In(1, lost);
}

// The way of one request to the database and back.
template <class T>
struct Connection::Way : std::enable_shared_from_this<Way<T>> {
  Way(Connection& from, Asked<T> what)
      : connection(from), database(from.database_), stage(from.stage_), asked(std::move(what)) {}

  // The process hears of it, if it is still there, once.
  void Answer(T value, bool well) {
    if (alive.expired() || std::exchange(answered, true)) return;
    connection.under_way_.erase(number);
    connection.healthy_ = well;
    asked.answer(std::move(value));
  }
  void Lose() {
    if (!alive.expired()) stage.Trace(connection.name_ + " lost the answer of " + asked.what);
    Answer(asked.lost, false);
  }
  void Arrive() {
    if (database.gone()) return;  // nothing of it is left
    if (const int64_t wait = database.still_for(); wait > 0)
      return stage.In(wait + stage.Between(0, 20),
                      [self = this->shared_from_this()] { self->Arrive(); });
    if (asked.writes && database.refuses()) return Return(asked.refused, false);
    Return(asked.run(), true);
  }
  void Return(T value, bool well) {
    int64_t delay = stage.Between(0, database.weather.slow);
    if (stage.Chance(database.weather.answer_late)) delay += stage.Between(100, 3'000);
    stage.In(delay, [self = this->shared_from_this(), value = std::move(value), well] {
      self->Answer(value, well);
    });
  }

  Connection& connection;  // only while it is alive
  Database& database;
  Stage& stage;
  Asked<T> asked;
  const std::weak_ptr<int> alive = connection.alive_;
  const uint64_t number = ++connection.last_;
  bool answered = false;
};

template <class T>
void Connection::Ask(Asked<T> asked) {
  const auto way = std::make_shared<Way<T>>(*this, std::move(asked));
  if (cut())
    return stage_.In(stage_.Between(1, 50), [way] { way->Answer(way->asked.refused, false); });
  under_way_[way->number] = [way] { way->Lose(); };
  int64_t delay = stage_.Between(0, database_.weather.slow);
  if (stage_.Chance(database_.weather.answer_lost)) {
    // Whether it gets there, and whether before or after the process has given up, chance decides.
    stage_.In(stage_.Between(0, 2'000), [way] { way->Lose(); });
    if (stage_.Chance(0.5)) return;
    if (stage_.Chance(0.5)) return stage_.In(stage_.Between(0, 4'000), [way] { way->Arrive(); });
  }
  if (way->asked.writes) {
    delay = std::max(delay, written_at_ - stage_.now());
    written_at_ = stage_.now() + delay;
  }
  stage_.In(delay, [way] { way->Arrive(); });
}

void Connection::Write(const char* what, std::function<void(Store&, Done)> request, Done done) {
  const auto run = [&database = database_, request = std::move(request)] {
    return database.Run<Stored>(request);
  };
  if (!done) done = [](Stored) {};
  Ask<Stored>({what, true, run, std::move(done), Stored::Unknown, Stored::Failed});
}

template <class T>
void Connection::Look(const char* what, std::function<void(Store&, Read<T>)> request,
                      Read<T> answer, bool writes) {
  const auto run = [&database = database_, request = std::move(request)] {
    return database.Run<Expected<T>>(request);
  };
  const Error failed{"data.failed", {}};
  Ask<Expected<T>>({what, writes, run, std::move(answer), failed, failed});
}

void Connection::AppendAll(std::vector<Addition> additions, int64_t now, Done done) {
  const auto run = [&database = database_, additions = std::move(additions), now]() mutable {
    const bool dealt = DealsAsTwin(database, additions[0]);
    const auto stored = database.Run<Stored>(
        [&](Store& store, auto answer) { store.AppendAll(additions, now, answer); });
    if (stored == Stored::Stored) database.on_stored(additions);
    return dealt ? Stored::Stale : stored;
  };
  if (database_.promise == Broken::AcknowledgesBeforeTheCommit && !cut()) {
    stage_.In(1, [done = std::move(done), alive = std::weak_ptr(alive_)] {
      if (!alive.expired()) done(Stored::Stored);
    });
    done = [](Stored) {};
  }
  Ask<Stored>({"append", true, run, std::move(done), Stored::Unknown, Stored::Failed});
}

void Connection::Load(std::string table, Loaded loaded) {
  if (database_.promise == Broken::ForgetsCommands)
    loaded = [loaded = std::move(loaded)](Expected<std::optional<StoredLog>> log) {
      if (log && *log)
        for (std::string& event : (*log)->events) event = Forgetful(event);
      loaded(std::move(log));
    };
  Look<std::optional<StoredLog>>(
      "load", [table](Store& store, Loaded answer) { store.Load(table, std::move(answer)); },
      std::move(loaded));
}

void Connection::Tail(std::string table, int64_t from, Tailed tailed) {
  if (database_.promise == Broken::ForgetsCommands)
    tailed = [tailed = std::move(tailed)](Expected<std::optional<StoredTail>> tail) {
      if (tail && *tail)
        for (std::string& event : (*tail)->events) event = Forgetful(event);
      tailed(std::move(tail));
    };
  Look<std::optional<StoredTail>>(
      "tail",
      [table, from](Store& store, Tailed answer) { store.Tail(table, from, std::move(answer)); },
      std::move(tailed));
}

void Connection::Lengths(std::vector<std::string> tables, Read<std::vector<int64_t>> answer) {
  Look<std::vector<int64_t>>(
      "lengths", [tables](Store& store, auto then) { store.Lengths(tables, then); },
      std::move(answer));
}

std::optional<Error> Connection::LoadOpen(const std::function<void(StoredLog)>& each) {
  return database_.truth.LoadOpen(each);
}

void Connection::PutAside(const std::string& table, const std::string& why) {
  stage_.Trace(name_ + " puts aside " + table + ": " + why);
  database_.truth.PutAside(table, why);
}

void Connection::List(std::string person, bool open_only, int most, Listed listed) {
  Look<std::vector<Listing>>(
      "list", [=](Store& store, auto answer) { store.List(person, open_only, most, answer); },
      std::move(listed));
}

void Connection::WhoHasTables(std::vector<std::string> persons, Having having) {
  Look<std::vector<std::string>>(
      "who", [persons](Store& store, auto answer) { store.WhoHasTables(persons, answer); },
      std::move(having));
}

void Connection::AddSession(StoredSession session, Done done) {
  Write(
      "session", [session](Store& store, auto answer) { store.AddSession(session, answer); },
      std::move(done));
}

void Connection::ChangePerson(std::string person, PersonChange change, Done done) {
  Write(
      "person", [=](Store& store, auto answer) { store.ChangePerson(person, change, answer); },
      std::move(done));
}

void Connection::SeeSession(std::string hash, int64_t seen, Done done) {
  Write(
      "seen", [=](Store& store, auto answer) { store.SeeSession(hash, seen, answer); },
      std::move(done));
}

void Connection::DropSession(std::string hash, Done done) {
  Write(
      "drop", [=](Store& store, auto answer) { store.DropSession(hash, answer); }, std::move(done));
}

void Connection::BanAddress(std::string address, bool on, Done done) {
  Write(
      "ban", [=](Store& store, auto answer) { store.BanAddress(address, on, answer); },
      std::move(done));
}

Expected<std::vector<StoredSession>> Connection::LoadSessions() {
  return database_.truth.LoadSessions();
}

Expected<std::vector<std::string>> Connection::LoadBannedAddresses() {
  return database_.truth.LoadBannedAddresses();
}

Expected<int64_t> Connection::ServiceTime() {
  if (cut() || database_.still_for() > 0) return Error{"data.failed", {}};
  return database_.truth.ServiceTime();
}

void Connection::PutServiceTime(int64_t now, Done done) {
  Write(
      "time", [=](Store& store, auto answer) { store.PutServiceTime(now, answer); },
      std::move(done));
}

void Connection::Beat(int most_due, int64_t hold, Read<Beaten> beaten) {
  Look<Beaten>(
      "beat", [=](Store& store, auto answer) { store.Beat(most_due, hold, answer); },
      std::move(beaten), true);
}

void Connection::TakeDue(int64_t now, int most, int64_t hold,
                         Read<std::vector<std::string>> taken) {
  Look<std::vector<std::string>>(
      "due", [=](Store& store, auto answer) { store.TakeDue(now, most, hold, answer); },
      std::move(taken), true);
}

void Connection::Postpone(std::string table, int64_t length, std::optional<int64_t> due,
                          Done done) {
  Write(
      "postpone", [=](Store& store, auto answer) { store.Postpone(table, length, due, answer); },
      std::move(done));
}

void Connection::AskJob(Job job, Read<AskedJob> asked) {
  Look<AskedJob>(
      "ask", [job](Store& store, auto answer) { store.AskJob(job, answer); }, std::move(asked),
      true);
}

void Connection::ClaimJobs(std::string kind, std::string worker, int most, int64_t hold,
                           Read<std::vector<Job>> claimed) {
  Look<std::vector<Job>>(
      "claim",
      [=](Store& store, auto answer) { store.ClaimJobs(kind, worker, most, hold, answer); },
      std::move(claimed), true);
}

void Connection::AnswerJob(std::string table, int seat, int64_t builds, std::string answer,
                           Done done) {
  Write(
      "answer",
      [=](Store& store, auto then) { store.AnswerJob(table, seat, builds, answer, then); },
      std::move(done));
}

void Connection::TakeAnswered(std::string table, int most, int64_t hold,
                              Read<std::vector<AnsweredJob>> taken) {
  Look<std::vector<AnsweredJob>>(
      "take", [=](Store& store, auto answer) { store.TakeAnswered(table, most, hold, answer); },
      std::move(taken), true);
}

void Connection::Lobby(int most, Listed listed) {
  Look<std::vector<Listing>>(
      "lobby", [=](Store& store, auto answer) { store.Lobby(most, answer); }, std::move(listed));
}

void Connection::CountOpen(std::string person, Read<Count> counted) {
  Look<Count>(
      "count", [=](Store& store, auto answer) { store.CountOpen(person, answer); },
      std::move(counted));
}

void Connection::FindSession(std::string hash, std::string address, Read<Found> found) {
  Look<Found>(
      "find", [=](Store& store, auto answer) { store.FindSession(hash, address, answer); },
      std::move(found));
}

void Connection::ListSessions(std::string person, int most,
                              Read<std::vector<StoredSession>> listed) {
  Look<std::vector<StoredSession>>(
      "sessions", [=](Store& store, auto answer) { store.ListSessions(person, most, answer); },
      std::move(listed));
}

void Connection::ListBannedAddresses(Read<std::vector<std::string>> listed) {
  Look<std::vector<std::string>>(
      "bans", [](Store& store, auto answer) { store.ListBannedAddresses(answer); },
      std::move(listed));
}

void Connection::SweepSessions(int64_t forgotten, int64_t unseated, int most, Read<int64_t> swept) {
  Look<int64_t>(
      "sweep",
      [=](Store& store, auto answer) { store.SweepSessions(forgotten, unseated, most, answer); },
      std::move(swept), true);
}

void Connection::PutCode(std::string hash, std::string person, int64_t until, int most, Done done) {
  Write(
      "code", [=](Store& store, auto answer) { store.PutCode(hash, person, until, most, answer); },
      std::move(done));
}

void Connection::TakeCode(std::string hash, int64_t now, Read<std::optional<std::string>> taken) {
  Look<std::optional<std::string>>(
      "code", [=](Store& store, auto answer) { store.TakeCode(hash, now, answer); },
      std::move(taken), true);
}

void Connection::DropCodes(std::string person, Done done) {
  Write(
      "codes", [=](Store& store, auto answer) { store.DropCodes(person, answer); },
      std::move(done));
}

}  // namespace civ::simulation
