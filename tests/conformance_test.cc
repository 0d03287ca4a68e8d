// The recorded sessions of tests/conformance: every field of every recorded answer is in the
// referee's answer.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "civ/notation/referee.h"

namespace civ::test {
namespace {

using nlohmann::json;  // objects are the same in any order of fields

std::vector<std::string> Sessions() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(CIV_TESTS_DIR "/conformance"))
    if (entry.path().extension() == ".jsonl") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

class Conformance : public testing::TestWithParam<std::string> {};

TEST_P(Conformance, AnswersAreTheRecordedOnes) {
  std::ifstream file(CIV_TESTS_DIR "/conformance/" + GetParam() + ".jsonl");
  Referee referee({.describe = [](const Error& error) { return error.key; },
                   .random_seed = [] { return uint64_t{0}; }});
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    const json recorded = json::parse(line);
    const auto text = referee.Answer(recorded.at("request").dump());
    ASSERT_TRUE(text);
    const json answer = json::parse(*text);
    for (const auto& [field, wanted] : recorded.at("answer").items()) {
      ASSERT_TRUE(answer.contains(field))
          << "line " << number << ": no " << field << " in " << *text;
      if (field == "legal")
        ASSERT_EQ(answer[field].get<std::multiset<std::string>>(),
                  wanted.get<std::multiset<std::string>>())
            << "line " << number;
      else
        ASSERT_EQ(answer[field], wanted) << "line " << number << ", " << field;
    }
  }
  EXPECT_GT(number, 10);
}

std::string TestName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Conformance, testing::ValuesIn(Sessions()), TestName);

TEST(ConformanceSessions, AreThere) { EXPECT_GE(Sessions().size(), 12u); }

}  // namespace
}  // namespace civ::test
