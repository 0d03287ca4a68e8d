// Which addresses are in which network.
#include "civ/server/network.h"

#include <gtest/gtest.h>

namespace civ {
namespace {

bool In(const std::string& address, const std::string& network) {
  return Network::From(network)->Contains(address);
}

TEST(Networks, Contain) {
  EXPECT_TRUE(In("127.0.0.1", "127.0.0.0/8"));
  EXPECT_TRUE(In("127.255.1.1", "127.0.0.0/8"));
  EXPECT_FALSE(In("128.0.0.1", "127.0.0.0/8"));
  EXPECT_TRUE(In("192.0.2.130", "192.0.2.128/25"));
  EXPECT_FALSE(In("192.0.2.127", "192.0.2.128/25"));
  EXPECT_TRUE(In("192.0.2.7", "192.0.2.7"));
  EXPECT_FALSE(In("192.0.2.8", "192.0.2.7"));
  EXPECT_TRUE(In("::ffff:192.0.2.7", "192.0.2.0/24"));
  EXPECT_TRUE(In("1.2.3.4", "0.0.0.0/0"));
  EXPECT_FALSE(In("2001:db8::1", "0.0.0.0/0"));
  EXPECT_TRUE(In("::1", "::1"));
  EXPECT_FALSE(In("::2", "::1"));
  EXPECT_TRUE(In("2001:db8:1:2::3", "2001:db8::/32"));
  EXPECT_FALSE(In("2001:db9::", "2001:db8::/32"));
  EXPECT_TRUE(In("2001:db8:1:2::/64", "2001:db8:1:2::9"));  // of a key no more is known
  EXPECT_FALSE(In("2001:db8:1:3::/64", "2001:db8:1:2::9"));
  for (const char* none : {"", "p_x", "unknown"}) EXPECT_FALSE(In(none, "0.0.0.0/0")) << none;
}

TEST(Networks, AreWrittenSo) {
  for (const char* wrong : {"", "true", "p_Hk2vXw", "10", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/",
                            "10.0.0.0/8x", "2001:db8::/129", "/8", "localhost"})
    EXPECT_FALSE(Network::From(wrong)) << wrong;
}

TEST(Networks, OfOneMachineOrOneHouse) {
  for (const char* here : {"127.0.0.1", "127.0.0.0/8", "::1"})
    EXPECT_TRUE(Network::From(here)->IsLoopback()) << here;
  for (const char* home : {"127.0.0.1", "10.0.0.0/8", "172.16.3.0/24", "192.168.0.0/16",
                           "169.254.0.0/16", "fd00::/8", "fe80::1"})
    EXPECT_TRUE(Network::From(home)->IsPrivate()) << home;
  for (const char* open : {"0.0.0.0/0", "::/0", "126.0.0.0/7", "10.0.0.0/7", "192.0.2.7",
                           "2001:db8::/32", "172.0.0.0/8"})
    EXPECT_FALSE(Network::From(open)->IsPrivate()) << open;
}

TEST(Networks, OfOneCustomer) {
  using List = std::vector<std::string>;
  EXPECT_EQ(NetworksOf("192.0.2.7"), List{"192.0.2.7"});
  EXPECT_EQ(NetworksOf("::1"), List{"::1"});
  EXPECT_EQ(NetworksOf("2001:db8:1:203::/64"),
            (List{"2001:db8:1:203::/64", "2001:db8:1:200::/56", "2001:db8:1::/48"}));
}

}  // namespace
}  // namespace civ
