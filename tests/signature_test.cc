#include "bots/signature.h"

#include <gtest/gtest.h>

#include <fstream>

// The file names the behaviour of rules, dealing and simple policies. A commit that changes them changes it, and says so.
TEST(Signature, IsTheOneInTheFile) {
  std::ifstream file(CIV_TESTS_DIR "/signature");
  uint64_t expected = 0;
  file >> std::hex >> expected;
  EXPECT_EQ(civ::Signature(), expected);
}
