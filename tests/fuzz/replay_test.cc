// Every kept input of the fuzzers: seeds, and what once broke something.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "tests/fuzz/targets.h"

namespace civ::fuzz {
namespace {

void Replay(const char* name, void (*target)(Input)) {
  int files = 0;
  for (const char* folder : {"corpus", "broken"}) {
    const std::filesystem::path path =
        std::filesystem::path(CIV_TESTS_DIR) / "fuzz" / folder / name;
    if (!std::filesystem::exists(path)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      SCOPED_TRACE(entry.path());
      std::ifstream file(entry.path(), std::ios::binary);
      const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
      EXPECT_NO_THROW(target({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}));
      ++files;
    }
  }
  EXPECT_GT(files, 5);
}

TEST(FuzzInputs, OfTheReferee) { Replay("referee", Referee); }
TEST(FuzzInputs, OfRecords) { Replay("record", Record); }
TEST(FuzzInputs, OfActions) { Replay("action", Action); }
TEST(FuzzInputs, OfStates) { Replay("state", State); }
TEST(FuzzInputs, OfViews) { Replay("view", View); }
TEST(FuzzInputs, OfCommands) { Replay("command", Command); }
TEST(FuzzInputs, OfTableLogs) { Replay("table_log", TableLog); }
TEST(FuzzInputs, OfTheServer) { Replay("server", Server); }

}  // namespace
}  // namespace civ::fuzz
