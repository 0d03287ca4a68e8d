// Pages that people look at: one HTML file each, with everything in it, for light and dark, wide
// and narrow screens. Charts are SVG that grows with the page while its text keeps its size.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace civ::html {

// Text as text, in elements and in attributes.
std::string Escape(std::string_view text);

// The whole page: the title is text, the body HTML. It starts with its own heading.
std::string Page(std::string_view language, std::string_view title, std::string_view body);

// A part of a page with a heading. The heading is text, the rest HTML.
std::string Section(std::string_view heading, std::string_view body);

// A paragraph of text; a quiet one is for what explains or adds.
std::string Paragraph(std::string_view text);
std::string Quiet(std::string_view text);

// Cells are HTML. The first column is aligned left, the others right; a wide table scrolls by
// itself.
using Row = std::vector<std::string>;
std::string Table(const Row& head, std::span<const Row> rows);

// What is shown when somebody asks for it. The summary is text, the body HTML.
std::string Details(std::string_view summary, std::string_view body);

struct Tick {
  double at;
  std::string label;
};

// From where to where, and what is written beside it.
struct Axis {
  double from, to;
  std::vector<Tick> ticks;
};
// With three to six ticks at round numbers. `unit` follows each, as in " %"; the ends are moved out
// to ticks.
Axis RoundAxis(double from, double to, std::string_view unit = "");

struct Bar {
  std::string label;
  double value;
  std::string text;                // shown at the right, such as "52.0 %"
  double low = 0, high = 0;        // an interval, if high is above low
  std::string note = {};           // shown when somebody points at it
  std::optional<int> colour = {};  // number of a series; by default all are alike
};
// Bars from zero, or dots if zero is not on the axis; `reference` is a line through all of them.
// `summary` says in words what is to be seen, for those who cannot see it.
std::string Bars(std::string_view summary, std::span<const Bar> bars, const Axis& axis,
                 std::optional<double> reference = {});

// Columns that stand side by side, as in a histogram. Labels that would not fit are left out.
struct Column {
  std::string label;
  double value;
  std::string note = {};
};
std::string Columns(std::string_view summary, std::span<const Column> columns, const Axis& axis);

struct Point {
  double x, y;
};
// A dot on a line, with what it means; with a link it can be followed, as in "#turn-12".
struct Mark {
  Point at;
  std::string note;
  std::string link = {};
};
struct Series {
  std::string name;
  std::vector<Point> points;
  std::vector<Mark> marks = {};
};
// Lines of several series, in the order of their points, with a legend. Series number n has colour
// n.
std::string Lines(std::string_view summary, std::span<const Series> series, const Axis& x,
                  const Axis& y);

}  // namespace civ::html
