// The embedded store: one SQLite database in a folder of its own (docs/store.md).
#pragma once

#include <memory>

#include "civ/server/post.h"
#include "civ/server/store.h"

namespace civ {

class SqliteStore final : public Store {
 public:
  // Makes the folder and the database if they are missing. Refuses a folder that another server
  // uses.
  static Expected<std::unique_ptr<SqliteStore>> Open(const std::string& folder, Post post);
  // A database that is there, also beside the server that uses it: for tools. Open tables are the
  // server's, and not to be appended to. Reading takes an older layout as it is and changes
  // nothing. Appending needs the newest one: an older one is upgraded if no server uses it, else an
  // error.
  enum class Access : uint8_t { Read, Append };
  static Expected<std::unique_ptr<SqliteStore>> Visit(const std::string& folder, Access access,
                                                      Post post);
  ~SqliteStore() override;

  static std::string FileIn(const std::string& folder);

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
  bool healthy() const override;
  StoreFigures figures() const override;

 private:
  struct Impl;
  explicit SqliteStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace civ
