// Several PostgreSQL databases as one store: an id of a table names its database, persons and the
// time of service are in the first.
#pragma once

#include <atomic>
#include <memory>

#include "civ/server/postgres_store.h"

namespace civ {

// One that many processes share, in these databases, at most kMostShards.
Expected<std::unique_ptr<Store>> OpenSharedStore(const std::vector<std::string>& uris,
                                                 const Post& post);

// Time stands still in all of them while one cannot be written, so that nobody's clock runs at a
// table where nobody can move.
class ShardedStore final : public Store {
 public:
  explicit ShardedStore(std::vector<std::unique_ptr<PostgresStore>> shards);

  bool shared() const override { return true; }
  // Tables of different databases cannot be stored together: that fails.
  void AppendAll(std::vector<Addition> additions, int64_t now, Done done) override;
  void Load(std::string table, Loaded loaded) override;
  void Tail(std::string table, int64_t from, Tailed tailed) override;
  void Lengths(std::vector<std::string> tables, Read<std::vector<int64_t>> answer) override;
  std::optional<Error> LoadOpen(const std::function<void(StoredLog)>& each) override;
  void PutAside(const std::string& table, const std::string& why) override;
  std::string Placed(std::string id, const std::string& near) const override;
  // The newest of each database, in turns.
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
  // Who has a table is known to other databases as well: sessions end by `forgotten` only.
  void SweepSessions(int64_t forgotten, int64_t unseated, int most, Read<int64_t> swept) override;
  void PutCode(std::string hash, std::string person, int64_t until, int most, Done done) override;
  void TakeCode(std::string hash, int64_t now, Read<std::optional<std::string>> taken) override;
  void DropCodes(std::string person, Done done) override;

  bool healthy() const override;
  StoreFigures figures() const override;

 private:
  size_t PlaceOf(const std::string& table) const;
  PostgresStore& Of(const std::string& table) { return *shards_[PlaceOf(table)]; }
  PostgresStore& first() { return *shards_.front(); }
  // Asks every database, and answers with what all have said, or with the first error.
  template <class T, class Ask, class Answer>
  void AskAll(const Ask& ask, const Answer& answer);
  // Asks one database after another until there is enough.
  template <class T, class Ask>
  void Collect(size_t at, size_t left, int most, std::vector<T> found, const Ask& ask,
               Read<std::vector<T>> answer);

  const std::vector<std::unique_ptr<PostgresStore>> shards_;
  std::atomic<size_t> turn_ = 0;  // which is asked for jobs first
  // What is answered after the store has gone asks no further.
  const std::shared_ptr<const bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace civ
