#include "civ/bots/signature.h"

#include <gtest/gtest.h>

#include <fstream>

namespace {

uint64_t InFile(const char* name) {
  std::ifstream file(std::string(CIV_TESTS_DIR "/") + name);
  uint64_t signature = 0;
  file >> std::hex >> signature;
  return signature;
}

// The file names the behaviour of rules, dealing and simple policies. A commit that changes them
// changes it, and says so.
TEST(Signature, IsTheOneInTheFile) { EXPECT_EQ(civ::Signature(), InFile("signature")); }

// Likewise the behaviour of the bots.
TEST(Signature, OfTheBotsIsTheOneInTheFile) {
  EXPECT_EQ(civ::BotSignature(), InFile("bot-signature"));
}

}  // namespace
