#include "civ/report/html.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace civ::html {
namespace {

constexpr int kColours = 6;  // as many as kStyle has

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --back: #fcfbf8; --card: #ffffff; --ink: #1d2430;
  --quiet: #5b6575; --line: #dcdfe4; --grid: #e9ebee;
  --c0: #1f6fb2; --c1: #c8501e; --c2: #2d8a57; --c3: #8a4fb0; --c4: #a67c00; --c5: #4b5563; }
@media (prefers-color-scheme: dark) {
  :root { --back: #14171c; --card: #1c2027; --ink: #e8eaee;
    --quiet: #a0a9b6; --line: #343a44; --grid: #2a2f38;
    --c0: #62aee8; --c1: #f0905f; --c2: #63c08d; --c3: #c193e0; --c4: #ddb84a; --c5: #a3adbb; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 66rem;
  background: var(--back); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  font-variant-numeric: tabular-nums; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; line-height: 1.3; margin: 0 0 .5rem; }
p { margin: .25rem 0 .75rem; max-width: 46rem; }
a { color: var(--c0); }
.quiet { color: var(--quiet); font-size: .9rem; }
section { margin: 1.1rem 0; padding: 1.1rem 1.25rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 10px; }
.pair { display: grid; gap: 1.1rem; margin: 1.1rem 0;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
.pair section { margin: 0; min-width: 0; }
.pair .odd { display: none; }
.wide { overflow-x: auto; }
summary { cursor: pointer; color: var(--quiet); margin-top: .6rem; }
table { margin-top: .6rem; border-collapse: collapse; width: 100%; font-size: .95rem; }
th, td { padding: .35rem .6rem; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--grid); }
th { color: var(--quiet); font-weight: 600; font-size: .85rem; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
th:last-child, td:last-child { padding-right: 0; }
tbody tr:last-child td { border-bottom: 0; }
figure { margin: .5rem 0 0; }
svg { display: block; width: 100%; overflow: visible; }
svg text { fill: var(--quiet); font-size: 12px; }
.bars { display: grid; gap: 0 .8rem; align-items: center;
  grid-template-columns: minmax(4rem, max-content) 1fr max-content; }
.bars > span:nth-child(3n+1) { overflow-wrap: anywhere; max-width: 12rem; line-height: 1.2; }
.bars > span:nth-child(3n) { text-align: right; white-space: nowrap; }
.bars .axis { grid-column: 2; }
.grid { stroke: var(--grid); }
.reference { stroke: var(--ink); stroke-dasharray: 3 3; opacity: .6; }
.interval { stroke: var(--ink); stroke-width: 2; }
.fill { opacity: .85; }
.plot { display: grid; grid-template-columns: max-content 1fr; gap: 0 .5rem; }
.plot .up { width: 3.2rem; height: 16rem; }
.plot .up text { text-anchor: end; }
.plot .area { height: 16rem; }
.plot .along { grid-column: 2; height: 1.6rem; }
.trace { fill: none; stroke-width: 2; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
.dot { stroke: var(--card); stroke-width: 2; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: 0 0 .6rem; padding: 0;
  list-style: none; font-size: .9rem; }
.legend i { display: inline-block; width: .8rem; height: .8rem; border-radius: 2px;
  margin-right: .4rem; vertical-align: -1px; }
@media (max-width: 36rem) {
  body { padding: 1.25rem .75rem 3rem; }
  section { padding: .9rem; }
  .bars { font-size: .9rem; gap: 0 .6rem; }
  .bars > span:nth-child(3n+1) { max-width: 7.5rem; }
  .odd { display: none; }
  .plot .up { width: 2.6rem; }
  .plot .up, .plot .area { height: 12rem; }
}
@media print { body { background: none; } section { break-inside: avoid; } }
)";

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  std::string number = text;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return number == "-0" ? "0" : number;
}

// Where on an axis, from 0 to 100.
double Along(const Axis& axis, double value) {
  return std::clamp(100 * (value - axis.from) / (axis.to - axis.from), 0.0, 100.0);
}
std::string Percent(double value) { return Number(value) + "%"; }

std::string Colour(int series) { return "var(--c" + std::to_string(series % kColours) + ")"; }

std::string Tooltip(const std::string& note) {
  return note.empty() ? "" : "<title>" + Escape(note) + "</title>";
}

std::string SvgLine(std::string_view kind, double x1, double y1, double x2, double y2) {
  return "<line class=\"" + std::string(kind) + "\" x1=\"" + Percent(x1) + "\" y1=\"" +
         Percent(y1) + "\" x2=\"" + Percent(x2) + "\" y2=\"" + Percent(y2) + "\"/>";
}

// Labels at the ends stay inside.
std::string TextAnchor(double at) { return at < 6 ? "start" : at > 94 ? "end" : "middle"; }

std::string LabelsAlong(const Axis& axis) {
  std::string labels;
  for (size_t i = 0; i < axis.ticks.size(); ++i) {
    const double at = Along(axis, axis.ticks[i].at);
    // Left out on narrow screens.
    const std::string kind = i % 2 == 1 && axis.ticks.size() > 3 ? "class=\"odd\" " : "";
    labels += "<text " + kind + "x=\"" + Percent(at) + "\" y=\"15\" text-anchor=\"" +
              TextAnchor(at) + "\">" + Escape(axis.ticks[i].label) + "</text>";
  }
  return labels;
}

// The frame of a chart with a vertical axis. What is drawn and what stands below it are parts of
// SVG.
std::string Plot(std::string_view summary, const Axis& y, const std::string& drawn,
                 const std::string& below) {
  std::string labels, grid;
  for (const Tick& tick : y.ticks) {
    const double at = 100 - Along(y, tick.at);
    labels +=
        "<text x=\"100%\" y=\"" + Percent(at) + "\" dy=\".35em\">" + Escape(tick.label) + "</text>";
    grid += SvgLine("grid", 0, at, 100, at);
  }
  return "<figure class=\"plot\" role=\"img\" aria-label=\"" + Escape(summary) +
         "\"><svg class=\"up\">" + labels + "</svg><svg class=\"area\">" + grid + drawn +
         "</svg><svg class=\"along\">" + below + "</svg></figure>\n";
}

std::string Trace(const Series& series, const Axis& x, const Axis& y, int number) {
  std::string points;
  for (const Point& point : series.points)
    points += Number(Along(x, point.x)) + "," + Number(100 - Along(y, point.y)) + " ";
  return "<polyline class=\"trace\" stroke=\"" + Colour(number) + "\" points=\"" + points + "\"/>";
}

std::string Dot(const Mark& mark, const Axis& x, const Axis& y, int number) {
  const std::string dot = "<circle class=\"dot\" r=\"6\" fill=\"" + Colour(number) + "\" cx=\"" +
                          Percent(Along(x, mark.at.x)) + "\" cy=\"" +
                          Percent(100 - Along(y, mark.at.y)) + "\">" + Tooltip(mark.note) +
                          "</circle>";
  return mark.link.empty() ? dot : "<a href=\"" + Escape(mark.link) + "\">" + dot + "</a>";
}

// The length of a bar means something only if it begins at zero.
std::string BarOrDot(const Bar& bar, const Axis& axis) {
  const bool has_zero = axis.from <= 0 && axis.to >= 0;
  const double zero = Along(axis, 0), end = Along(axis, bar.value);
  const std::string colour = "fill=\"" + Colour(bar.colour.value_or(0)) + "\"";
  const std::string interval =
      bar.high > bar.low ? SvgLine("interval", Along(axis, bar.low), 50, Along(axis, bar.high), 50)
                         : "";
  if (!has_zero)
    return interval + "<circle class=\"dot\" r=\"7\" cy=\"50%\" cx=\"" + Percent(end) + "\" " +
           colour + "/>";
  return "<rect class=\"fill\" y=\"6\" height=\"18\" rx=\"2\" x=\"" + Percent(std::min(zero, end)) +
         "\" width=\"" + Percent(std::abs(end - zero)) + "\" " + colour + "/>" + interval;
}

}  // namespace

std::string Escape(std::string_view text) {
  std::string escaped;
  for (const char c : text) switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&#39;"; break;
      default: escaped += c;
    }
  return escaped;
}

std::string Page(std::string_view language, std::string_view title, std::string_view body) {
  return "<!DOCTYPE html>\n<html lang=\"" + Escape(language) +
         "\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\"/>\n<title>" +
         Escape(title) + "</title>\n<style>" + std::string(kStyle) + "</style>\n</head>\n<body>\n" +
         std::string(body) + "</body>\n</html>\n";
}

std::string Section(std::string_view heading, std::string_view body) {
  return "<section>\n<h2>" + Escape(heading) + "</h2>\n" + std::string(body) + "</section>\n";
}

std::string Paragraph(std::string_view text) { return "<p>" + Escape(text) + "</p>\n"; }
std::string Quiet(std::string_view text) { return "<p class=\"quiet\">" + Escape(text) + "</p>\n"; }

std::string Table(const Row& head, std::span<const Row> rows) {
  std::string table = "<div class=\"wide\"><table><thead><tr>";
  for (const std::string& cell : head) table += "<th scope=\"col\">" + cell + "</th>";
  table += "</tr></thead><tbody>\n";
  for (const Row& row : rows) {
    table += "<tr>";
    for (const std::string& cell : row) table += "<td>" + cell + "</td>";
    table += "</tr>\n";
  }
  return table + "</tbody></table></div>\n";
}

std::string Details(std::string_view summary, std::string_view body) {
  return "<details><summary>" + Escape(summary) + "</summary>\n" + std::string(body) +
         "</details>\n";
}

Axis RoundAxis(double from, double to, std::string_view unit) {
  constexpr double kFewest = 2;
  if (to <= from) to = from + 1;
  double step = std::pow(10, std::floor(std::log10((to - from) / kFewest)));
  if ((to - from) / step >= 5 * kFewest) step *= 5;
  if ((to - from) / step >= 2 * kFewest) step *= 2;
  const auto first = std::lround(std::floor(from / step + 1e-9)),
             last = std::lround(std::ceil(to / step - 1e-9));
  Axis axis = {step * static_cast<double>(first), step * static_cast<double>(last), {}};
  for (auto i = first; i <= last; ++i)
    axis.ticks.push_back(
        {step * static_cast<double>(i), Number(step * static_cast<double>(i)) + std::string(unit)});
  return axis;
}

std::string Bars(std::string_view summary, std::span<const Bar> bars, const Axis& axis,
                 std::optional<double> reference) {
  std::string chart =
      "<figure class=\"bars\" role=\"group\" aria-label=\"" + Escape(summary) + "\">\n";
  for (const Bar& bar : bars) {
    chart += "<span>" + Escape(bar.label) + "</span><svg height=\"30\" aria-hidden=\"true\">" +
             Tooltip(bar.note);
    for (const Tick& tick : axis.ticks)
      chart += SvgLine("grid", Along(axis, tick.at), 0, Along(axis, tick.at), 100);
    chart += BarOrDot(bar, axis);
    if (reference)
      chart += SvgLine("reference", Along(axis, *reference), 0, Along(axis, *reference), 100);
    chart += "</svg><span>" + Escape(bar.text) + "</span>\n";
  }
  return chart + "<svg class=\"axis\" height=\"20\" aria-hidden=\"true\">" + LabelsAlong(axis) +
         "</svg></figure>\n";
}

std::string Columns(std::string_view summary, std::span<const Column> columns, const Axis& axis) {
  constexpr size_t kMostLabels = 8;
  const double width = 100.0 / static_cast<double>(std::max<size_t>(columns.size(), 1));
  const size_t every = (columns.size() + kMostLabels - 1) / kMostLabels;
  std::string drawn, below;
  for (size_t i = 0; i < columns.size(); ++i) {
    const double height = Along(axis, columns[i].value), left = width * static_cast<double>(i);
    drawn += "<rect class=\"fill\" fill=\"var(--c0)\" x=\"" + Percent(left + width * 0.06) +
             "\" width=\"" + Percent(width * 0.88) + "\" y=\"" + Percent(100 - height) +
             "\" height=\"" + Percent(height) + "\">" + Tooltip(columns[i].note) + "</rect>";
    if (i % every == 0)
      below += "<text x=\"" + Percent(left + width / 2) + "\" y=\"15\" text-anchor=\"middle\">" +
               Escape(columns[i].label) + "</text>";
  }
  return Plot(summary, axis, drawn, below);
}

std::string Lines(std::string_view summary, std::span<const Series> series, const Axis& x,
                  const Axis& y) {
  std::string legend, traces, dots;
  for (size_t i = 0; i < series.size(); ++i) {
    const int number = static_cast<int>(i);
    legend += "<li><i style=\"background:" + Colour(number) + "\"></i>" + Escape(series[i].name) +
              "</li>";
    traces += Trace(series[i], x, y, number);
    for (const Mark& mark : series[i].marks) dots += Dot(mark, x, y, number);
  }
  return "<ul class=\"legend\">" + legend + "</ul>\n" +
         Plot(summary, y,
              "<svg height=\"100%\" viewBox=\"0 0 100 100\" preserveAspectRatio=\"none\">" +
                  traces + "</svg>" + dots,
              LabelsAlong(x));
}

}  // namespace civ::html
