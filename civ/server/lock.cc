#include "civ/server/lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace civ {

Expected<FolderLock> FolderLock::Take(const std::string& folder) {
  const std::filesystem::path path = folder;
  const auto unusable = [&](const std::string& why) {
    return Error{"data.folder", {{"folder", folder}, {"why", why}}};
  };
  std::error_code failed;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), failed);
  if (failed) return unusable(failed.message());
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return unusable(std::strerror(errno));
  const int file = open((path / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return unusable(std::strerror(errno));
  FolderLock lock(file);
  if (flock(file, LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno == EWOULDBLOCK) return Error{"data.locked", {{"folder", folder}}};
  return unusable(std::strerror(errno));
}

FolderLock::~FolderLock() {
  if (file_ >= 0) close(file_);
}

void SyncFolder(const std::string& folder) {
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  fsync(file);
  close(file);
}

}  // namespace civ
