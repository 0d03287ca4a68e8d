// A store that forgets everything when the program ends: for tests, simulations and measurements.
#pragma once

#include <map>
#include <mutex>

#include "civ/server/post.h"
#include "civ/server/store.h"

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
  int64_t SharedTime() const { return clock_() - lost_; }
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
