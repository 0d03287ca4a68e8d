// A store that forgets everything when the program ends: for tests, simulations and measurements.
#pragma once

#include <map>
#include <mutex>

#include "civ/server/post.h"
#include "civ/server/store_calls.h"

namespace civ {

class MemoryStore : public Store {
 public:
  explicit MemoryStore(Post post) : post_(std::move(post)) {}
  // One that several halls share. `clock`: the milliseconds of the database's own.
  MemoryStore(Post post, std::function<int64_t()> clock)
      : post_(std::move(post)), clock_(std::move(clock)) {}

  // The log has only so many events: as after a fail-over to a standby that was behind.
  void Shorten(const std::string& table, size_t length);

  bool shared() const override { return clock_ != nullptr; }
  CIV_STORE_CALLS
  CIV_SHARED_STORE_CALLS

 private:
  struct Kept {
    std::vector<std::string> events;
    Listing listing;
    uint64_t order;  // of creation
    bool aside = false;
    std::optional<int64_t> due = {};
  };
  struct KeptJob {
    Job job;
    uint64_t order;       // of asking
    int64_t claimed = 0;  // until when
    std::optional<std::string> answer = {};
    int64_t taken = 0;  // until when
  };
  struct Code {
    std::string hash, person;
    int64_t until;
  };

  // Answers on the thread that was named for that.
  template <class F, class T>
  void Answer(F answer, T value) const {
    post_([answer = std::move(answer), value = std::move(value)] { answer(value); });
  }
  void PutJobs(const std::string& table, std::vector<Job> jobs);
  std::vector<std::string> DueAt(int64_t now, int most, int64_t hold);
  // No time is told that is more than kPulse after the last beat, and after a gap it goes on from
  // there.
  static constexpr int64_t kPulse = 200;
  int64_t SharedTime() const { return std::min(clock_(), beaten_ + kPulse) - lost_; }
  StoredSession Joined(StoredSession session) const;  // with what is its person's
  bool HasTable(const std::string& person) const;
  std::vector<Listing> Newest(std::vector<const Kept*> kept, int most) const;

  const Post post_;
  const std::function<int64_t()> clock_;
  mutable std::mutex mutex_;  // of all that follows
  std::map<std::string, Kept> tables_;
  std::vector<KeptJob> jobs_;  // the oldest first
  uint64_t last_job_ = 0;
  std::map<std::string, StoredSession> sessions_;  // by hash
  struct OfPerson {
    std::string name;
    bool muted, banned;
  };
  std::map<std::string, OfPerson> persons_;
  std::vector<std::string> addresses_;  // that are banned
  std::vector<Code> codes_;             // the oldest first
  int64_t service_time_ = 0;
  int64_t beaten_ = 0, lost_ = 0;  // when it was last, by the clock, and what is not service
  bool was_beaten_ = false;
};

}  // namespace civ
