// Where others find this machine.
#include "civ/server/address.h"

#include <gtest/gtest.h>

namespace civ {
namespace {

TEST(Address, ForOthers) {
  for (const char* here : {"127.0.0.1", "127.1.2.3", "::1"})
    EXPECT_FALSE(AddressForOthers(here)) << here;
  EXPECT_EQ(AddressForOthers("192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(AddressForOthers("2001:db8::7"), "[2001:db8::7]");
  EXPECT_EQ(AddressForOthers("0.0.0.0"), AddressForOthers("::"));
  EXPECT_FALSE(AddressForOthers("0.0.0.0").value_or("none without a network").starts_with("127."));
}

}  // namespace
}  // namespace civ
