// A disk that forgets: an SQLite VFS over the usual one, in which what is written stays in the
// memory of this process until it is synced. kill -9 is then what a loss of power is to a real
// disk. It also refuses on demand: if the file that CIV_TEST_DISK names contains "full",
// "readonly", "broken" or "unreadable", writing, syncing or reading fails with that. Whoever links
// this file has it as the default VFS before main().
//
// Locks and the index of the write-ahead log are those of the usual VFS. After a kill that index
// may know more than the file has, but SQLite makes it anew when a process is the first to open the
// database: no other process may have it open meanwhile.
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace {

using Offset = sqlite3_int64;
constexpr Offset kBlock = 4096;
constexpr Offset kNoCut = std::numeric_limits<Offset>::max();

std::string Mood() {
  const char* name = std::getenv("CIV_TEST_DISK");
  std::string mood;
  if (name != nullptr) std::ifstream(name) >> mood;
  return mood;
}

int WhyNotWrite() {
  const std::string mood = Mood();
  return mood == "full" ? SQLITE_FULL : mood == "readonly" ? SQLITE_READONLY : SQLITE_OK;
}

// What has not been synced of a file; all handles of the file share it.
struct Unsynced {
  std::mutex mutex;
  int handles = 0;
  bool any = false;                                   // else the file is as it is on the disk
  Offset size = 0;                                    // of the whole file
  Offset cut = kNoCut;                                // what the disk has from here on was cut off
  std::map<Offset, std::array<char, kBlock>> blocks;  // by their number
};

std::mutex files_mutex;
std::map<std::string, std::shared_ptr<Unsynced>>& Files() {
  // Outlives what uses it.
  static auto& files = *new std::map<std::string, std::shared_ptr<Unsynced>>;
  return files;
}

struct File {
  sqlite3_file base;  // first, as SQLite wants it
  std::shared_ptr<Unsynced>* unsynced;
  std::string* path;
  sqlite3_file* disk;  // behind this in memory
};

sqlite3_vfs* Usual() {
  static sqlite3_vfs* usual = sqlite3_vfs_find("unix");
  return usual;
}
File& Of(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }
sqlite3_file* Disk(sqlite3_file* file) { return Of(file).disk; }
Unsynced& UnsyncedOf(sqlite3_file* file) { return **Of(file).unsynced; }

int Begin(sqlite3_file* file, Unsynced& unsynced) {
  if (unsynced.any) return SQLITE_OK;
  unsynced.any = true;
  return Disk(file)->pMethods->xFileSize(Disk(file), &unsynced.size);
}

// A block as this process sees it; zeros where there is nothing.
int ReadBlock(sqlite3_file* file, const Unsynced& unsynced, Offset number,
              std::array<char, kBlock>& block) {
  if (const auto found = unsynced.blocks.find(number); found != unsynced.blocks.end()) {
    block = found->second;
    return SQLITE_OK;
  }
  const int code = Disk(file)->pMethods->xRead(Disk(file), block.data(), kBlock,
                                               number * kBlock);  // fills up with zeros
  if (code != SQLITE_OK && code != SQLITE_IOERR_SHORT_READ) return code;
  const Offset kept = std::clamp<Offset>(unsynced.cut - number * kBlock, 0, kBlock);
  std::fill(block.begin() + kept, block.end(), '\0');
  return SQLITE_OK;
}

// Calls each(number, from, to, done) for every block that a range touches.
template <class Each>
int ForBlocks(Offset offset, int amount, Each each) {
  for (Offset done = 0; done < amount;) {
    const Offset at = offset + done, number = at / kBlock, from = at % kBlock,
                 to = std::min(kBlock, from + amount - done);
    if (const int code = each(number, from, to, done); code != SQLITE_OK) return code;
    done += to - from;
  }
  return SQLITE_OK;
}

int ToDisk(sqlite3_file* file, Unsynced& unsynced) {
  if (!unsynced.any) return SQLITE_OK;
  const sqlite3_io_methods& disk = *Disk(file)->pMethods;
  int code = unsynced.cut == kNoCut ? SQLITE_OK : disk.xTruncate(Disk(file), unsynced.cut);
  for (const auto& [number, block] : unsynced.blocks) {
    const Offset begin = number * kBlock, length = std::min(kBlock, unsynced.size - begin);
    if (code == SQLITE_OK && length > 0)
      code = disk.xWrite(Disk(file), block.data(), static_cast<int>(length), begin);
  }
  if (code == SQLITE_OK) code = disk.xTruncate(Disk(file), unsynced.size);
  if (code != SQLITE_OK) return code;
  unsynced.any = false;
  unsynced.cut = kNoCut;
  unsynced.blocks.clear();
  return SQLITE_OK;
}

int Close(sqlite3_file* file) {
  {
    const std::lock_guard lock(files_mutex);
    Unsynced& unsynced = UnsyncedOf(file);
    // Others may now open the file by other means, as the copy that civ backup makes is.
    if (--unsynced.handles == 0) {
      ToDisk(file, unsynced);
      if (const auto found = Files().find(*Of(file).path);
          found != Files().end() && found->second == *Of(file).unsynced)
        Files().erase(found);
    }
  }
  delete Of(file).unsynced;
  delete Of(file).path;
  return Disk(file)->pMethods->xClose(Disk(file));
}

int Read(sqlite3_file* file, void* buffer, int amount, Offset offset) {
  if (Mood() == "unreadable") return SQLITE_IOERR_READ;
  Unsynced& unsynced = UnsyncedOf(file);
  const std::lock_guard lock(unsynced.mutex);
  if (!unsynced.any) return Disk(file)->pMethods->xRead(Disk(file), buffer, amount, offset);
  const int code =
      ForBlocks(offset, amount, [&](Offset number, Offset from, Offset to, Offset done) {
        std::array<char, kBlock> block;
        const int read = ReadBlock(file, unsynced, number, block);
        if (read == SQLITE_OK)
          std::memcpy(static_cast<char*>(buffer) + done, block.data() + from,
                      static_cast<size_t>(to - from));
        return read;
      });
  return code == SQLITE_OK && offset + amount > unsynced.size ? SQLITE_IOERR_SHORT_READ : code;
}

int Write(sqlite3_file* file, const void* buffer, int amount, Offset offset) {
  if (const int code = WhyNotWrite(); code != SQLITE_OK) return code;
  Unsynced& unsynced = UnsyncedOf(file);
  const std::lock_guard lock(unsynced.mutex);
  if (const int code = Begin(file, unsynced); code != SQLITE_OK) return code;
  const int code =
      ForBlocks(offset, amount, [&](Offset number, Offset from, Offset to, Offset done) {
        std::array<char, kBlock> block;
        const int read = ReadBlock(file, unsynced, number, block);
        if (read != SQLITE_OK) return read;
        std::memcpy(block.data() + from, static_cast<const char*>(buffer) + done,
                    static_cast<size_t>(to - from));
        unsynced.blocks[number] = block;
        return SQLITE_OK;
      });
  unsynced.size = std::max(unsynced.size, offset + amount);
  return code;
}

int Truncate(sqlite3_file* file, Offset size) {
  if (const int code = WhyNotWrite(); code != SQLITE_OK) return code;
  Unsynced& unsynced = UnsyncedOf(file);
  const std::lock_guard lock(unsynced.mutex);
  if (const int code = Begin(file, unsynced); code != SQLITE_OK) return code;
  unsynced.blocks.erase(unsynced.blocks.lower_bound((size + kBlock - 1) / kBlock),
                        unsynced.blocks.end());
  if (const auto last = unsynced.blocks.find(size / kBlock); last != unsynced.blocks.end())
    std::fill(last->second.begin() + size % kBlock, last->second.end(), '\0');
  unsynced.cut = std::min(unsynced.cut, size);
  unsynced.size = size;
  return SQLITE_OK;
}

int Sync(sqlite3_file* file, int) {
  if (Mood() == "broken") return SQLITE_IOERR_FSYNC;
  Unsynced& unsynced = UnsyncedOf(file);
  const std::lock_guard lock(unsynced.mutex);
  return ToDisk(file,
                unsynced);  // what the kernel has survives a kill, so it need not be synced there
}

int FileSize(sqlite3_file* file, Offset* size) {
  Unsynced& unsynced = UnsyncedOf(file);
  const std::lock_guard lock(unsynced.mutex);
  if (!unsynced.any) return Disk(file)->pMethods->xFileSize(Disk(file), size);
  *size = unsynced.size;
  return SQLITE_OK;
}

int FileControl(sqlite3_file* file, int operation, void* argument) {
  // These would change the size of the file on the disk.
  if (operation == SQLITE_FCNTL_SIZE_HINT || operation == SQLITE_FCNTL_CHUNK_SIZE)
    return SQLITE_NOTFOUND;
  return Disk(file)->pMethods->xFileControl(Disk(file), operation, argument);
}

const sqlite3_io_methods kMethods = {
    .iVersion = 2,  // without memory maps of the file
    .xClose = Close,
    .xRead = Read,
    .xWrite = Write,
    .xTruncate = Truncate,
    .xSync = Sync,
    .xFileSize = FileSize,
    .xLock = [](sqlite3_file* file,
                int level) { return Disk(file)->pMethods->xLock(Disk(file), level); },
    .xUnlock = [](sqlite3_file* file,
                  int level) { return Disk(file)->pMethods->xUnlock(Disk(file), level); },
    .xCheckReservedLock =
        [](sqlite3_file* file, int* result) {
          return Disk(file)->pMethods->xCheckReservedLock(Disk(file), result);
        },
    .xFileControl = FileControl,
    .xSectorSize = [](sqlite3_file* file) { return Disk(file)->pMethods->xSectorSize(Disk(file)); },
    .xDeviceCharacteristics =
        [](sqlite3_file* file) { return Disk(file)->pMethods->xDeviceCharacteristics(Disk(file)); },
    .xShmMap =
        [](sqlite3_file* file, int page, int size, int extend, void volatile** memory) {
          return Disk(file)->pMethods->xShmMap(Disk(file), page, size, extend, memory);
        },
    .xShmLock =
        [](sqlite3_file* file, int offset, int n, int flags) {
          return Disk(file)->pMethods->xShmLock(Disk(file), offset, n, flags);
        },
    .xShmBarrier = [](sqlite3_file* file) { Disk(file)->pMethods->xShmBarrier(Disk(file)); },
    .xShmUnmap = [](sqlite3_file* file,
                    int remove) { return Disk(file)->pMethods->xShmUnmap(Disk(file), remove); },
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

int Open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out) {
  constexpr int kKept = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL;
  if (name == nullptr || (flags & kKept) == 0)
    return Usual()->xOpen(Usual(), name, file, flags,
                          out);  // temporary files may be forgotten anyway
  File& own = Of(file);
  own.disk = reinterpret_cast<sqlite3_file*>(&own + 1);
  const int code = Usual()->xOpen(Usual(), name, own.disk, flags, out);
  own.base.pMethods = nullptr;
  if (code != SQLITE_OK) {
    // SQLite closes a file that has methods even if it could not be opened.
    if (own.disk->pMethods != nullptr) own.disk->pMethods->xClose(own.disk);
    return code;
  }
  const std::lock_guard lock(files_mutex);
  std::shared_ptr<Unsynced>& unsynced = Files()[name];
  if (!unsynced) unsynced = std::make_shared<Unsynced>();
  ++unsynced->handles;
  own.unsynced = new std::shared_ptr(unsynced);
  own.path = new std::string(name);
  own.base.pMethods = &kMethods;
  return SQLITE_OK;
}

int Delete(sqlite3_vfs*, const char* name, int sync_folder) {
  {
    const std::lock_guard lock(files_mutex);
    Files().erase(name);  // a new file of this name begins empty
  }
  return Usual()->xDelete(Usual(), name, sync_folder);
}

struct Registered {
  Registered() {
    static sqlite3_vfs vfs = *Usual();
    vfs.zName = "forgetful";
    vfs.szOsFile += static_cast<int>(sizeof(File));
    vfs.xOpen = Open;
    vfs.xDelete = Delete;
    sqlite3_vfs_register(&vfs, 1);
  }
} registered;

}  // namespace
