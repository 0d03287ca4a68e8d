// Several databases as one store: an id of a table names its database, persons and the time of
// service are in the first.
#pragma once

#include <atomic>
#include <memory>

#include "civ/server/post.h"
#include "civ/server/store_calls.h"

namespace civ {

// One that many processes share, in these PostgreSQL databases, at most kMostShards.
Expected<std::unique_ptr<Store>> OpenSharedStore(const std::vector<std::string>& uris,
                                                 const Post& post);

// Time stands still in all of them while one cannot be written, so that nobody's clock runs at a
// table where nobody can move.
class ShardedStore final : public Store {
 public:
  explicit ShardedStore(std::vector<std::unique_ptr<Store>> shards);

  bool shared() const override { return true; }
  // Tables of different databases cannot be stored together: that fails. A list has the newest of
  // each database, in turns. Who has a table is known to other databases as well: SweepSessions
  // ends sessions by `forgotten` only.
  CIV_STORE_CALLS
  CIV_SHARED_STORE_CALLS
  std::string Placed(std::string id, const std::string& near) const override;
  bool healthy() const override;
  StoreFigures figures() const override;

 private:
  size_t PlaceOf(const std::string& table) const;
  Store& Of(const std::string& table) { return *shards_[PlaceOf(table)]; }
  Store& first() { return *shards_.front(); }
  // Asks every database, and answers with what all have said, or with the first error.
  template <class T, class Ask, class Answer>
  void AskAll(const Ask& ask, const Answer& answer);
  // Asks one database after another until there is enough.
  template <class T, class Ask>
  void Collect(size_t at, size_t left, int most, std::vector<T> found, const Ask& ask,
               Read<std::vector<T>> answer);

  const std::vector<std::unique_ptr<Store>> shards_;
  std::atomic<size_t> turn_ = 0;  // which is asked for jobs first
  // What is answered after the store has gone asks no further.
  const std::shared_ptr<const bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace civ
