// Pages and charts: text stays text, and what is drawn is where the numbers say.
#include "civ/report/html.h"

#include <gtest/gtest.h>

namespace civ::html {
namespace {

bool Has(const std::string& page, std::string_view part) {
  return page.find(part) != std::string::npos;
}

std::string Labels(const Axis& axis) {
  std::string labels;
  for (const Tick& tick : axis.ticks) labels += tick.label + " ";
  return labels;
}

TEST(Html, EscapesTextInElementsAndAttributes) {
  EXPECT_EQ(Escape("a<b> & \"c\" 'd' é"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; é");
  const std::string wrong = "<script>\"'&";
  const Bar bar = {.label = wrong, .value = 1, .text = wrong, .note = wrong};
  const Series series = {
      .name = wrong, .points = {{0, 0}, {1, 1}}, .marks = {{{1, 1}, wrong, wrong}}};
  const Column column = {.label = wrong, .value = 1, .note = wrong};
  const Axis axis = {0, 1, {{0, wrong}}};
  for (const std::string& part :
       {Page(wrong, wrong, ""), Section(wrong, ""), Paragraph(wrong), Quiet(wrong),
        Details(wrong, ""), Bars(wrong, {&bar, 1}, axis), Columns(wrong, {&column, 1}, axis),
        Lines(wrong, {&series, 1}, axis, axis)}) {
    EXPECT_FALSE(Has(part, "<script>")) << part;
    EXPECT_FALSE(Has(part, "\"'")) << part;
    EXPECT_TRUE(Has(part, "&lt;script&gt;")) << part;
  }
}

TEST(Html, AxesEndAtRoundNumbers) {
  EXPECT_EQ(Labels(RoundAxis(0, 100, " %")), "0 % 50 % 100 % ");
  EXPECT_EQ(Labels(RoundAxis(0, 87)), "0 20 40 60 80 100 ");
  EXPECT_EQ(Labels(RoundAxis(-0.13, 0.32)), "-0.2 0 0.2 0.4 ");
  EXPECT_EQ(Labels(RoundAxis(1432, 1568)), "1400 1450 1500 1550 1600 ");
  EXPECT_EQ(Labels(RoundAxis(5, 5)), "5 5.5 6 ");
  const Axis axis = RoundAxis(3, 17);
  EXPECT_LE(axis.from, 3);
  EXPECT_GE(axis.to, 17);
}

TEST(Html, BarsBeginAtZeroWhereverItIs) {
  const std::vector<Bar> bars = {
      {.label = "up", .value = 30, .text = ""},
      {.label = "down", .value = -10, .text = "", .low = -20, .high = 10}};
  const std::string chart = Bars("", bars, {-20, 60, {}});
  EXPECT_TRUE(Has(chart, "x=\"25%\" width=\"37.5%\"")) << chart;
  EXPECT_TRUE(Has(chart, "x=\"12.5%\" width=\"12.5%\"")) << chart;
  EXPECT_TRUE(Has(chart, "class=\"interval\" x1=\"0%\" y1=\"50%\" x2=\"37.5%\" y2=\"50%\""))
      << chart;
  const std::string dots = Bars("", {bars.data(), 1}, {20, 60, {}});
  EXPECT_TRUE(Has(dots, "cx=\"25%\"") && !Has(dots, "<rect")) << dots;
}

TEST(Html, LinesGoThroughTheirPoints) {
  const std::vector<Series> series = {
      {.name = "a", .points = {{0, 0}, {5, 100}}},
      {.name = "b", .points = {{10, 25}}, .marks = {{{10, 25}, "here", "#there"}}}};
  const std::string chart = Lines("", series, {0, 10, {}}, {0, 100, {}});
  EXPECT_TRUE(Has(chart, "stroke=\"var(--c0)\" points=\"0,100 50,0 \"")) << chart;
  EXPECT_TRUE(Has(chart,
                  "<a href=\"#there\"><circle class=\"dot\" r=\"6\" fill=\"var(--c1)\" cx=\"100%\" "
                  "cy=\"75%\"><title>here</title>"))
      << chart;
}

TEST(Html, ColumnsStandOnTheAxis) {
  const std::vector<Column> columns = {{.label = "1", .value = 0}, {.label = "2", .value = 5}};
  EXPECT_TRUE(Has(Columns("", columns, {0, 10, {}}), "y=\"50%\" height=\"50%\""));
  const std::vector<Column> many(80, {.label = "x", .value = 1});
  const std::string chart = Columns("", many, {0, 1, {}});
  EXPECT_LE(std::string_view(chart).size(), 40'000u);
  int labels = 0;
  for (size_t at = chart.find(">x<"); at != std::string::npos; at = chart.find(">x<", at + 1))
    ++labels;
  EXPECT_EQ(labels, 8);
}

}  // namespace
}  // namespace civ::html
