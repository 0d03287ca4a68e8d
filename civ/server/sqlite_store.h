// The embedded store: one SQLite database in a folder of its own (docs/store.md).
#pragma once

#include <memory>

#include "civ/server/post.h"
#include "civ/server/store_calls.h"

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

  CIV_STORE_CALLS
  bool healthy() const override;
  StoreFigures figures() const override;

 private:
  struct Impl;
  explicit SqliteStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace civ
