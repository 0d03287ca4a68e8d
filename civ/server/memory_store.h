// A store that forgets everything when the program ends: for tests and measurements.
#pragma once

#include <map>
#include <mutex>

#include "civ/server/post.h"
#include "civ/server/store.h"

namespace civ {

class MemoryStore : public Store {
 public:
  explicit MemoryStore(Post post) : post_(std::move(post)) {}

  void AppendAll(std::vector<Addition> additions, int64_t now, Done done) override;
  void Load(std::string table, Loaded loaded) override;
  std::optional<Error> LoadOpen(const std::function<void(StoredLog)>& each) override;
  void PutAside(const std::string& table, const std::string& why) override;
  void List(std::string person, bool open_only, int most, Listed listed) override;
  void WhoHasTables(std::vector<std::string> persons, Having having) override;
  Expected<std::vector<StoredSession>> LoadSessions() override;
  void PutSessions(std::vector<StoredSession> sessions, Done done) override;
  void DropSession(std::string hash, Done done) override;
  Expected<int64_t> ServiceTime() override;
  void PutServiceTime(int64_t now, Done done) override;

 private:
  struct Kept {
    std::vector<std::string> events;
    Listing listing;
    uint64_t order;  // of creation
    bool aside = false;
  };

  const Post post_;
  std::mutex mutex_;
  std::map<std::string, Kept> tables_;
  std::map<std::string, StoredSession> sessions_;
  int64_t service_time_ = 0;
};

}  // namespace civ
