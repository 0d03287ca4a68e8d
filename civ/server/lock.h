// The lock of a data folder: one server at a time.
#pragma once

#include <string>
#include <utility>

#include "civ/notation/error.h"

namespace civ {

class FolderLock {
 public:
  // Makes the folder, for its owner only, if it is missing. The lock goes with the object, or with
  // the process however that ends.
  static Expected<FolderLock> Take(const std::string& folder);
  FolderLock(FolderLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int file) : file_(file) {}
  int file_;
};

// The names in a folder survive a loss of power.
void SyncFolder(const std::string& folder);

}  // namespace civ
