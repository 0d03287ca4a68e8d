// Many runs of the simulation (docs/testing.md). A run that fails is replayed by
//
//   build/civ_simulation --seed N     prints its trace
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <set>

#include "tests/simulation/world.h"

namespace civ::simulation {
namespace {

// Those that once failed.
constexpr uint64_t kOnceFailed[] = {1,   3,   12,  25,  26,   31,   100,
                                    222, 260, 268, 433, 1464, 6203, 9251};

bool IsLong() {
  const char* set = std::getenv("CIV_LONG");
  return set != nullptr && std::string(set) == "1";
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr uint64_t kSeeds = 60, kSeedsLong = 600;  // slow there, and the same code
#else
constexpr uint64_t kSeeds = 300, kSeedsLong = 10'000;
#endif
constexpr uint64_t kParts = 6;  // so that several cores can share the work

void ExpectWell(uint64_t seed) {
  const Outcome outcome = Simulate(seed);
  EXPECT_EQ(outcome.fault, "") << "replay: build/civ_simulation --seed " << seed;
}

class Seeds : public testing::TestWithParam<uint64_t> {};

TEST_P(Seeds, AllPromisesHold) {
  uint64_t stored = 0, acknowledged = 0, told = 0, twice = 0;
  for (uint64_t seed = GetParam() + 1; seed <= (IsLong() ? kSeedsLong : kSeeds); seed += kParts) {
    const Outcome outcome = Simulate(seed);
    EXPECT_EQ(outcome.fault, "") << "replay: build/civ_simulation --seed " << seed;
    stored += outcome.stored;
    acknowledged += outcome.acknowledged;
    told += outcome.told;
    twice += outcome.twice_sent;
  }
  std::cout << stored << " events, " << acknowledged << " commands acknowledged, " << twice
            << " sent again, " << told << " messages\n";
}
INSTANTIATE_TEST_SUITE_P(Simulation, Seeds, testing::Range<uint64_t>(0, kParts));

TEST(Simulation, SeedsThatOnceFailedDoNot) {
  for (const uint64_t seed : kOnceFailed) ExpectWell(seed);
}

TEST(Simulation, TheSameSeedIsTheSameRun) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const Outcome one = Simulate(seed, Broken::None, true), two = Simulate(seed);
    EXPECT_EQ(one.hash, two.hash) << seed;
  }
}

// The first of the seeds by which it is noticed that a promise is broken, and how.
void ExpectNoticed(Broken broken) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed)
    if (const Outcome outcome = Simulate(seed, broken); !outcome.fault.empty()) {
      std::cout << "noticed by seed " << seed << ": " << outcome.fault << '\n';
      return;
    }
  ADD_FAILURE() << "nothing was noticed";
}
TEST(Simulation, NoticesAnAcknowledgementBeforeTheCommit) {
  ExpectNoticed(Broken::AcknowledgesBeforeTheCommit);
}
TEST(Simulation, NoticesAForgottenCommand) { ExpectNoticed(Broken::ForgetsCommands); }
TEST(Simulation, NoticesAnOutageThatIsCharged) { ExpectNoticed(Broken::ChargesAnOutage); }

// Nobody is told too much: two runs that differ only in hidden cards tell the same.
TEST(Simulation, TwinsAreToldTheSame) {
  uint64_t compared = 0;
  for (uint64_t seed = 1; seed <= (IsLong() ? kSeedsLong / 10 : kSeeds / 20); ++seed) {
    const Outcome outcome = SimulateTwins(seed);
    EXPECT_EQ(outcome.fault, "") << "twins of seed " << seed;
    compared += outcome.told;
  }
  std::cout << compared << " messages compared\n";
  EXPECT_GT(compared, kSeeds);
}
TEST(Simulation, NoticesThatSomebodyIsToldTooMuch) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed)
    if (const Outcome outcome = SimulateTwins(seed, true); !outcome.fault.empty()) return;
  ADD_FAILURE() << "nothing was noticed";
}

int Replay(uint64_t seed, int broken) {
  const Outcome outcome = Simulate(seed, static_cast<Broken>(broken), true);
  for (const std::string& line : outcome.trace) std::cout << line << '\n';
  std::cout << "seed " << seed << ", " << outcome.milliseconds << " ms, hash " << outcome.hash
            << ": " << (outcome.fault.empty() ? "all is well" : outcome.fault) << '\n';
  return outcome.fault.empty() ? 0 : 1;
}

}  // namespace
}  // namespace civ::simulation

// `--seed N` replays one run; `--seed N --broken K` with a promise broken.
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc >= 3 && std::string(argv[1]) == "--seed")
    return civ::simulation::Replay(std::strtoull(argv[2], nullptr, 10),
                                   argc >= 5 ? std::atoi(argv[4]) : 0);
  return RUN_ALL_TESTS();
}
