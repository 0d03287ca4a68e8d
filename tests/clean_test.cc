// Names and chat: what is left of what people write.
#include "civ/server/clean.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace civ {
namespace {

constexpr size_t kLongest = 300;

std::string Cleaned(std::string_view text) { return Clean(text, kLongest).value_or("(nothing)"); }

TEST(Clean, LeavesOrdinaryTextAlone) {
  for (const std::string_view text : {"Ada", "Zoë", "Łukasz Ștefan", "李小龍", "Ω & <b>", "दुनिया",
                                      "กำลัง", "שָׁלוֹם", "🎲🏳", "ﷺ", "e = mc²"})
    EXPECT_EQ(Cleaned(text), text);
}

TEST(Clean, Composes) { EXPECT_EQ(Cleaned("Zoe\u0308"), "Zo\u00eb"); }

TEST(Clean, CollapsesSpaces) {
  EXPECT_EQ(Cleaned("  Ada \t\r\n\u00a0\u3000 Lovelace\u2028\u2800"), "Ada Lovelace");
}

TEST(Clean, TakesOutWhatIsNotShown) {
  EXPECT_EQ(Cleaned("A\u0001d\u007fa\u0085"), "Ada");  // control characters; the last is a line end
  EXPECT_EQ(Cleaned("A\u202ed\u2066a\u2069\u200f"), "Ada");  // directions
  EXPECT_EQ(Cleaned("A\u200bd\u200da\ufeff\u00ad"), "Ada");  // format characters
  EXPECT_EQ(Cleaned("A\u3164d\u115f\ufe0fa\U000e0041"),
            "Ada");  // invisible, though some are called letters
  EXPECT_EQ(Cleaned("A\ue000d\U000f0000a\U00100000"), "Ada");  // private
  EXPECT_EQ(Cleaned("A\u0378d\uffffa\U0003ffff"), "Ada");      // unassigned
  EXPECT_EQ(Cleaned("e\u200b\u0301"), "\u00e9");               // composed after that
}

TEST(Clean, LimitsMarks) {
  std::string zalgo = "x";
  for (int i = 0; i < 50; ++i) zalgo += "\u0336\u0489";
  EXPECT_EQ(Cleaned(zalgo + "y"), "x\u0336\u0489\u0336y");
  EXPECT_EQ(Cleaned("\u0336a \u0336b"), "a b");  // nothing to stand on
}

TEST(Clean, CountsCodePoints) {
  EXPECT_EQ(Clean("🎲🎲🎲", 3), "🎲🎲🎲");
  EXPECT_EQ(Clean("🎲🎲🎲🎲", 3), std::nullopt);
  EXPECT_EQ(Clean("  a     b  ", 3), "a b");
  for (const std::string_view nothing : {"", "   ", "\u200b", "\u3164 \u2800", "\u0301"})
    EXPECT_EQ(Clean(nothing, 3), std::nullopt);
}

TEST(Clean, RefusesWhatIsNotUtf8) {
  for (const std::string_view wrong :
       {"\xff", "a\xc3", "\xed\xa0\x80", "\xc0\x80", "\xf5\x80\x80\x80"})
    EXPECT_EQ(Clean(wrong, 9), std::nullopt);
}

TEST(Clean, TwiceIsOnce) {
  EXPECT_TRUE(rc::check([](const std::vector<uint16_t>& codes) {
    std::string text;
    for (const uint16_t code : codes) {  // of the scripts and marks where things go wrong, as UTF-8
      const unsigned c = code % 4 == 0   ? 0x300 + code % 0x70
                         : code % 4 == 1 ? 0x1100 + code % 0x100
                                         : 0x20 + code % 0x2000;
      if (c < 0x80) {
        text += static_cast<char>(c);
      } else if (c < 0x800) {
        text += {static_cast<char>(0xc0 | c >> 6), static_cast<char>(0x80 | (c & 63))};
      } else {
        text += {static_cast<char>(0xe0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 63)),
                 static_cast<char>(0x80 | (c & 63))};
      }
    }
    const std::optional<std::string> once = Clean(text, kLongest);
    if (once) RC_ASSERT(Clean(*once, kLongest) == once);
  }));
}

}  // namespace
}  // namespace civ
