// A database that is simulated, and connections of processes to it over a network that is: requests
// and answers are lost, come late, or have to wait; what was acknowledged is never lost.
#pragma once

#include <deque>
#include <memory>

#include "civ/server/memory_store.h"
#include "civ/table/table.h"
#include "tests/simulation/weather.h"

namespace civ::simulation {

class Connection;

class Database {
 public:
  Database(Stage& at, const Weather& with, Broken promise);

  // Runs one request to its end, and gives its answer.
  template <class T>
  T Run(const std::function<void(Store&, std::function<void(T)>)>& request) {
    std::optional<T> result;
    request(truth, [&](T value) { result = std::move(value); });
    while (!answers_.empty()) {
      const auto answer = std::move(answers_.front());
      answers_.pop_front();
      answer();
    }
    return *std::move(result);
  }

  // The whole log of a table, as it is stored.
  std::vector<std::string> Log(const std::string& table);

  void StandStill(int64_t milliseconds) {
    still_until_ = std::max(still_until_, stage.now() + milliseconds);
  }
  void Refuse(int64_t milliseconds) {
    refuses_until_ = std::max(refuses_until_, stage.now() + milliseconds);
  }
  // All connections break, and there are none for so long.
  void FailOver(int64_t milliseconds);
  int64_t still_for() const { return std::max<int64_t>(0, still_until_ - stage.now()); }
  bool refuses() const { return stage.now() < refuses_until_; }
  bool gone() const { return stage.now() < gone_until_; }

  Stage& stage;
  const Weather& weather;
  const Broken promise;
  MemoryStore truth;
  std::vector<Connection*> connections;                         // in the order in which they came
  std::function<void(const std::vector<Addition>&)> on_stored;  // is told of everything

 private:
  void BeatOn();

  std::deque<std::function<void()>> answers_;
  int64_t still_until_ = 0, refuses_until_ = 0, gone_until_ = 0;
};

// One process's own. It goes with the process: what is under way then may still arrive, but nobody
// hears of it.
class Connection final : public Store {
 public:
  Connection(Database& database, std::string name);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // All that is under way gets no answer, and nothing reaches the database for so long.
  void Cut(int64_t milliseconds);
  bool cut() const { return stage_.now() < cut_until_ || database_.gone(); }

  bool shared() const override { return true; }
  bool healthy() const override { return healthy_; }

  void AppendAll(std::vector<Addition> additions, int64_t now, Done done) override;
  void Load(std::string table, Loaded loaded) override;
  void Tail(std::string table, int64_t from, Tailed tailed) override;
  void Lengths(std::vector<std::string> tables, Read<std::vector<int64_t>> answer) override;
  std::optional<Error> LoadOpen(const std::function<void(StoredLog)>& each) override;
  void PutAside(const std::string& table, const std::string& why) override;
  void List(std::string person, bool open_only, int most, Listed listed) override;
  void WhoHasTables(std::vector<std::string> persons, Having having) override;
  void AddSession(StoredSession session, Done done) override;
  void ChangePerson(std::string person, PersonChange change, Done done) override;
  void SeeSession(std::string hash, int64_t seen, Done done) override;
  void DropSession(std::string hash, Done done) override;
  void BanAddress(std::string address, bool on, Done done) override;
  Expected<std::vector<StoredSession>> LoadSessions() override;
  Expected<std::vector<std::string>> LoadBannedAddresses() override;
  Expected<int64_t> ServiceTime() override;
  void PutServiceTime(int64_t now, Done done) override;
  void Beat(int most_due, int64_t hold, Read<Beaten> beaten) override;
  void Postpone(std::string table, int64_t length, std::optional<int64_t> due, Done done) override;
  void ClaimJobs(std::string kind, std::string worker, int most, int64_t hold,
                 Read<std::vector<Job>> claimed) override;
  void AnswerJob(std::string table, int seat, int64_t builds, std::string answer,
                 Done done) override;
  void TakeAnswered(std::string table, int most, int64_t hold,
                    Read<std::vector<AnsweredJob>> taken) override;
  void Lobby(int most, Listed listed) override;
  void CountOpen(std::string person, Read<Count> counted) override;
  void FindSession(std::string hash, std::string address, Read<Found> found) override;
  void ListSessions(std::string person, int most, Read<std::vector<StoredSession>> listed) override;
  void ListBannedAddresses(Read<std::vector<std::string>> listed) override;
  void SweepSessions(int64_t forgotten, int64_t unseated, int most, Read<int64_t> swept) override;
  void PutCode(std::string hash, std::string person, int64_t until, int most, Done done) override;
  void TakeCode(std::string hash, int64_t now, Read<std::optional<std::string>> taken) override;
  void DropCodes(std::string person, Done done) override;

 private:
  // A request, and what it is answered with if the answer is lost, or the database refuses.
  template <class T>
  struct Asked {
    std::string what;
    bool writes;
    std::function<T()> run;
    std::function<void(T)> answer;
    T lost, refused;
  };
  template <class T>
  struct Way;

  template <class T>
  void Ask(Asked<T> asked);
  void Write(const char* what, std::function<void(Store&, Done)> request, Done done);
  template <class T>
  void Look(const char* what, std::function<void(Store&, Read<T>)> request, Read<T> answer,
            bool writes = false);  // what is taken or claimed is written, too
  Database& database_;
  Stage& stage_;
  const std::string name_;
  const std::shared_ptr<int> alive_ = std::make_shared<int>();
  std::map<uint64_t, std::function<void()>> under_way_;  // how each ends without an answer
  uint64_t last_ = 0;
  int64_t cut_until_ = 0;
  int64_t written_at_ = 0;  // when the last write reaches the database: they stay in order
  bool healthy_ = true;
};

}  // namespace civ::simulation
