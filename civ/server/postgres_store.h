// The store that many processes share: a PostgreSQL database (docs/cluster.md).
#pragma once

#include <chrono>
#include <memory>

#include "civ/server/post.h"
#include "civ/server/store_calls.h"

namespace civ {

class PostgresStore final : public Store {
 public:
  // `uri` as libpq takes it, postgresql://… with one host or several. Makes the tables if they are
  // missing; refuses a layout that is newer than this program. `shard`: its place among several,
  // from 0 on. `patience`: how long an answer may take.
  static constexpr std::chrono::milliseconds kPatience{10'000};
  static Expected<std::unique_ptr<PostgresStore>> Open(
      const std::string& uri, Post post, size_t shard = 0,
      std::chrono::milliseconds patience = kPatience);
  ~PostgresStore() override;

  bool shared() const override { return true; }
  CIV_STORE_CALLS
  CIV_SHARED_STORE_CALLS

  // The time of service is at least that from now on: for what comes from another store.
  void BringForward(int64_t now, Done done);

  bool healthy() const override;
  StoreFigures figures() const override;

 private:
  struct Impl;
  explicit PostgresStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace civ
