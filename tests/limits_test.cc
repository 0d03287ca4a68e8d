// How often somebody may do something, and which addresses are taken together.
#include "civ/server/limits.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace civ {
namespace {

using namespace std::chrono_literals;
const Bucket::Clock::time_point kEpoch = Bucket::Clock::time_point() + 1000h;

TEST(Limits, SoManyAtOnceAndThenAsTheyComeBack) {
  Limiter limiter({5, 10});
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(limiter.Take("a", kEpoch)) << i;
  EXPECT_FALSE(limiter.Take("a", kEpoch));
  EXPECT_TRUE(limiter.Take("b", kEpoch));  // others are not concerned
  EXPECT_FALSE(limiter.Take("a", kEpoch + 1900ms));
  EXPECT_TRUE(limiter.Take("a", kEpoch + 2100ms));
  EXPECT_FALSE(limiter.Take("a", kEpoch + 2200ms));
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(limiter.Take("a", kEpoch + 1h)) << i;  // no more than the whole has come back
  EXPECT_FALSE(limiter.Take("a", kEpoch + 1h));
  EXPECT_EQ(limiter.Seconds(), 2);
}

TEST(Limits, AskingInVainCostsNothing) {
  Limiter limiter({1, 10});
  EXPECT_TRUE(limiter.Take("a", kEpoch));
  for (int i = 1; i < 100; ++i) EXPECT_FALSE(limiter.Take("a", kEpoch + i * 10ms));
  EXPECT_TRUE(limiter.Take("a", kEpoch + 10001ms));
}

TEST(Limits, MemoryIsBounded) {
  Limiter limiter({2, 10}, 100);
  EXPECT_TRUE(limiter.Take("known", kEpoch));
  int allowed = 0;
  for (int i = 0; i < 10'000; ++i)
    allowed += limiter.Take("flood " + std::to_string(i), kEpoch) ? 1 : 0;
  EXPECT_EQ(limiter.size(), 100u);
  EXPECT_EQ(allowed, 99 + 2);                      // the rest has one bucket
  EXPECT_TRUE(limiter.Take("known", kEpoch));      // who was there before is not thrown out,
  EXPECT_FALSE(limiter.Take("known", kEpoch));     // nor forgiven
  EXPECT_TRUE(limiter.Take("new", kEpoch + 20s));  // those who are silent are forgotten
  EXPECT_EQ(limiter.size(), 1u);
}

TEST(Limits, ANetworkHasAShare) {
  NetworkLimiter limiter({2, 10});
  const auto of = [](int second, int third) {
    char text[40];
    std::snprintf(text, sizeof text, "2001:db8:%x:%x::/64", second, third);
    return std::string(text);
  };
  int allowed = 0;
  for (int i = 0; i < 100; ++i) allowed += limiter.Take(of(1, 0), kEpoch) ? 1 : 0;
  EXPECT_EQ(allowed, 2);  // of a /64
  for (int i = 0; i < 256; ++i) allowed += limiter.Take(of(1, i), kEpoch) ? 1 : 0;
  EXPECT_EQ(allowed, 8);  // of a /56
  for (int i = 0; i < 65536; ++i) allowed += limiter.Take(of(1, i), kEpoch) ? 1 : 0;
  EXPECT_EQ(allowed, 32);                       // of a /48
  EXPECT_TRUE(limiter.Take(of(2, 0), kEpoch));  // others are not concerned
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(limiter.Take("127.0.0." + std::to_string(i), kEpoch));
}

TEST(Limits, ANetworkOfIPv4HasALargerShare) {
  NetworkLimiter limiter({2, 10});
  int allowed = 0;
  for (int i = 0; i < 1000; ++i)
    allowed += limiter.Take("192.0.2." + std::to_string(i % 250), kEpoch) ? 1 : 0;
  EXPECT_EQ(allowed, 32);  // of a /24
  for (int i = 0; i < 1000; ++i)
    allowed += limiter.Take("192.0." + std::to_string(i % 250) + ".7", kEpoch) ? 1 : 0;
  EXPECT_EQ(allowed, 128);  // of a /16
  EXPECT_TRUE(limiter.Take("192.1.2.7", kEpoch));
}

TEST(Limits, ANetworkHasOnlySoMany) {
  NetworkCounts counts;
  const auto fill = [&](const std::string& key) {
    int added = 0;
    for (; !counts.IsFull(key, 2, 100); ++added) counts.Add(key);
    return added;
  };
  EXPECT_EQ(fill("192.0.2.7"), 2);
  EXPECT_EQ(fill("2001:db8:1:100::/64"), 2);
  int of_56 = 2;
  for (int i = 1; i < 16; ++i)
    of_56 += fill("2001:db8:1:10" + std::string(1, "0123456789abcdef"[i]) + "::/64");
  EXPECT_EQ(of_56, 8);
  int of_48 = of_56;
  for (int i = 2; i < 10; ++i) of_48 += fill("2001:db8:1:" + std::to_string(i) + "00::/64");
  EXPECT_EQ(of_48, 24);  // and not 32: that were more than a quarter of all
  counts.Remove("2001:db8:1:100::/64");
  EXPECT_EQ(fill("2001:db8:1:100::/64"), 1);
}

TEST(Limits, WhatCountsAsOneAddress) {
  EXPECT_EQ(AddressKey("192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(AddressKey("::ffff:192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(AddressKey("::1"), "::1");
  EXPECT_EQ(AddressKey("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
  EXPECT_EQ(AddressKey("2001:db8:1:2:ffff::"), AddressKey("2001:db8:1:2:3:4:5:6"));
  EXPECT_NE(AddressKey("2001:db8:1:3::1"), AddressKey("2001:db8:1:2::1"));
  EXPECT_EQ(AddressKey("fe80::1%eth0"), "fe80::/64");
  for (const char* wrong :
       {"", "unknown", "192.0.2", "192.0.2.7:80", "1.2.3.4, 5.6.7.8", "[::1]", "<script>"})
    EXPECT_EQ(AddressKey(wrong), "") << wrong;
}

// ---- Networks

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
  using List = std::vector<Part>;
  EXPECT_EQ(NetworksOf("192.0.2.7"),
            (List{{"192.0.2.7", 0}, {"192.0.2.0/24", 2}, {"192.0.0.0/16", 3}}));
  EXPECT_EQ(NetworksOf("127.0.0.1"), (List{{"127.0.0.1", 0}}));
  EXPECT_EQ(NetworksOf("::1"), (List{{"::1", 0}}));
  EXPECT_EQ(NetworksOf("2001:db8:1:203::/64"),
            (List{{"2001:db8:1:203::/64", 0}, {"2001:db8:1:200::/56", 1}, {"2001:db8:1::/48", 2}}));
}

}  // namespace
}  // namespace civ
