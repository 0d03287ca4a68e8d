#include "civ/server/backup.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "civ/server/database.h"
#include "civ/server/lock.h"
#include "civ/server/schema.h"
#include "civ/server/sqlite_store.h"

namespace civ {
namespace {

// The whole content of one database in a new one.
Expected<int64_t> Copy(const std::string& from, const std::string& to) {
  Database source(from, Database::Mode::Write);
  const bool ours = source.Number("PRAGMA application_id") == kApplicationId;
  if (source.ok() && !ours) return Error{"data.not-ours", {{"file", from}}};
  source.Run("VACUUM INTO ?", to);
  if (auto problem = source.Problem()) return *problem;
  Database copy(to, Database::Mode::Write);
  Database::Rows check = copy.Query("PRAGMA integrity_check");
  const std::string found = check.Next() ? check.Text(0) : "";
  const int64_t tables = copy.Number("SELECT count(*) FROM tables");
  if (auto problem = copy.Problem()) return *problem;
  if (found != "ok") return Error{"data.damaged", {{"file", from}, {"why", found}}};
  return tables;
}

// Gives the new file its name. Not every file system can refuse to replace another; there it was
// seen a moment ago that there is none.
bool Move(const std::string& from, const std::string& to, bool force) {
  if (!force && renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0)
    return true;
  return (force || errno == EINVAL) && std::rename(from.c_str(), to.c_str()) == 0;
}

}  // namespace

Expected<int64_t> Backup(const std::string& folder, const std::string& file, bool force) {
  const auto cannot = [&] {
    return Error{"backup.cannot", {{"file", file}, {"why", std::strerror(errno)}}};
  };
  std::error_code ignored;
  if (!force && std::filesystem::exists(std::filesystem::symlink_status(file, ignored)))
    return Error{"backup.exists", {{"file", file}}};
  std::string partial = file + ".XXXXXX";
  // For its owner only: sessions are in it.
  const int descriptor = mkostemp(partial.data(), O_CLOEXEC);
  if (descriptor < 0) return cannot();
  Expected<int64_t> tables = Copy(SqliteStore::FileIn(folder), partial);
  if (tables && (fsync(descriptor) != 0 || !Move(partial, file, force))) tables = cannot();
  close(descriptor);
  if (!tables) {
    unlink(partial.c_str());
    return tables;
  }
  const std::string parent = std::filesystem::path(file).parent_path().string();
  SyncFolder(parent.empty() ? "." : parent);
  return tables;
}

}  // namespace civ
