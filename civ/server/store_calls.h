// The calls of Store (store.h) that a store answers, as it declares them.
#pragma once

#include "civ/server/store.h"

#define CIV_STORE_CALLS                                                                      \
  void AppendAll(std::vector<Addition> additions, int64_t now, Done done) override;          \
  void Load(std::string table, Loaded loaded) override;                                      \
  void Tail(std::string table, int64_t from, Tailed tailed) override;                        \
  void Lengths(std::vector<std::string> tables, Read<std::vector<int64_t>> answer) override; \
  std::optional<Error> LoadOpen(const std::function<void(StoredLog)>& each) override;        \
  void PutAside(const std::string& table, const std::string& why) override;                  \
  void List(std::string person, bool open_only, int most, Listed listed) override;           \
  void WhoHasTables(std::vector<std::string> persons, Having having) override;               \
  void AddSession(StoredSession session, Done done) override;                                \
  void ChangePerson(std::string person, PersonChange change, Done done) override;            \
  void SeeSession(std::string hash, int64_t seen, Done done) override;                       \
  void DropSession(std::string hash, Done done) override;                                    \
  void BanAddress(std::string address, bool on, Done done) override;                         \
  Expected<std::vector<StoredSession>> LoadSessions() override;                              \
  Expected<std::vector<std::string>> LoadBannedAddresses() override;                         \
  Expected<int64_t> ServiceTime() override;                                                  \
  void PutServiceTime(int64_t now, Done done) override;

// And those of one that is shared.
#define CIV_SHARED_STORE_CALLS                                                                     \
  void Beat(int most_due, int64_t hold, Read<Beaten> beaten) override;                             \
  void TakeDue(int64_t now, int most, int64_t hold, Read<std::vector<std::string>> taken)          \
      override;                                                                                    \
  void Postpone(std::string table, int64_t length, std::optional<int64_t> due, Done done)          \
      override;                                                                                    \
  void AskJob(Job job, Read<AskedJob> asked) override;                                             \
  void ClaimJobs(std::string kind, std::string worker, int most, int64_t hold,                     \
                 Read<std::vector<Job>> claimed) override;                                         \
  void AnswerJob(std::string table, int seat, int64_t builds, std::string answer, Done done)       \
      override;                                                                                    \
  void TakeAnswered(std::string table, int most, int64_t hold,                                     \
                    Read<std::vector<AnsweredJob>> taken) override;                                \
  void Lobby(int most, Listed listed) override;                                                    \
  void CountOpen(std::string person, Read<Count> counted) override;                                \
  void FindSession(std::string hash, std::string address, Read<Found> found) override;             \
  void ListSessions(std::string person, int most, Read<std::vector<StoredSession>> listed)         \
      override;                                                                                    \
  void ListBannedAddresses(Read<std::vector<std::string>> listed) override;                        \
  void SweepSessions(int64_t forgotten, int64_t unseated, int most, Read<int64_t> swept) override; \
  void PutCode(std::string hash, std::string person, int64_t until, int most, Done done) override; \
  void TakeCode(std::string hash, int64_t now, Read<std::optional<std::string>> taken) override;   \
  void DropCodes(std::string person, Done done) override;
