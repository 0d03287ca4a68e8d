#include "civ/report/analysis_report.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "civ/guide/offer.h"
#include "civ/guide/story.h"
#include "civ/notation/notation.h"
#include "civ/report/html.h"

namespace civ {
namespace {

constexpr Listener kEverybody = {.seat = kSpectator, .you = false, .open = true};

std::string RemarkWord(const Phrases& say, Remark remark) {
  switch (remark) {
    case Remark::Mistake: return say("analyze.mistake");
    case Remark::Blunder: return say("analyze.blunder");
    case Remark::MissedWin: return say("analyze.missed-win");
    default: return {};
  }
}

std::string IdOf(const Decision& decision) {
  return "action-" + std::to_string(decision.action + 1);
}

}  // namespace

AnalysisReport::AnalysisReport(const Phrases& say, const Record& record, const Analysis& analysis)
    : say_(say), record_(record), analysis_(analysis), states_(StatesOf(record)) {}

Lines AnalysisReport::Story(bool all) const {
  Lines lines;
  int shown_turn = -1;
  for (size_t i = 0; i < analysis_.decisions.size(); ++i) {
    const Decision& decision = analysis_.decisions[i];
    if (!all && !Matters(i)) continue;
    if (decision.turn != shown_turn) {
      lines.emplace_back();
      lines.push_back(say_(Heading(states_[decision.action], kEverybody)));
      shown_turn = decision.turn;
    }
    lines.push_back("  " + Told(decision));
    for (const std::string& line : Comments(i)) lines.push_back("    " + line);
  }
  lines.emplace_back();
  if (analysis_.decisions.empty()) {
    lines.push_back(say_("analyze.nothing"));
    return lines;
  }
  if (shown_turn == -1) lines.push_back(say_("analyze.quiet"));
  for (const std::string& line : Accuracies()) lines.push_back(line);
  return lines;
}

// What was done, without what came of it by itself.
std::string AnalysisReport::Told(const Decision& decision) const {
  return say_(
      Tell({states_, record_.actions}, decision.action, decision.action + 1, kEverybody).front());
}

Lines AnalysisReport::Comments(size_t i) const {
  const Decision& decision = analysis_.decisions[i];
  Lines lines;
  if (decision.remark != Remark::None)
    lines.push_back(say_("analyze.fault", {{"fault", RemarkWord(say_, decision.remark)},
                                           {"before", say_.Percent(decision.before[decision.seat])},
                                           {"after", say_.Percent(decision.after[decision.seat])},
                                           {"better", Better(decision)}}));
  lines.push_back(say_("analyze.chances", {{"chances", Odds(decision.after)}}));
  if (i == analysis_.turning_point) {
    const unsigned winners = WinnersOf(record_);
    lines.push_back(say_("analyze.lead", {{"names", say_.Names(winners)},
                                          {"how", std::popcount(winners) == 1 ? "one" : "other"}}));
  }
  return lines;
}

std::string AnalysisReport::Better(const Decision& decision) const {
  const View view =
      MakeView(states_[decision.action], {},
               decision.seat);  // what is known of other hands does not enter the words
  return say_("analyze.action",
              {{"action", NameOf(decision.best)}, {"words", say_(Offer(view, decision.best))}});
}

// "Ada 61%, Ben 39%".
std::string AnalysisReport::Odds(const Chances& chances) const {
  Lines parts;
  for (Seat seat = 0; seat < record_.config.players; ++seat)
    if (!std::isnan(chances[seat]))
      parts.push_back(say_("analyze.chance",
                           {{"name", say_.Name(seat)}, {"chance", say_.Percent(chances[seat])}}));
  return Join(parts, ", ");
}

int AnalysisReport::Count(Seat seat, Remark remark) const {
  return static_cast<int>(std::ranges::count_if(analysis_.decisions, [=](const Decision& decision) {
    return decision.seat == seat && decision.remark == remark;
  }));
}

Lines AnalysisReport::Accuracies() const {
  Lines lines;
  for (Seat seat = 0; seat < record_.config.players; ++seat)
    if (!std::isnan(analysis_.accuracy[seat]))
      lines.push_back(
          say_("analyze.accuracy",
               {{"name", say_.Name(seat)},
                {"accuracy", std::lround(analysis_.accuracy[seat])},
                {"decisions", std::ranges::count(analysis_.decisions, seat, &Decision::seat)},
                {"wins", Count(seat, Remark::MissedWin)},
                {"blunders", Count(seat, Remark::Blunder)},
                {"mistakes", Count(seat, Remark::Mistake)}}));
  return lines;
}

// --- The page ------------------------------------------------------------------------------------

std::string AnalysisReport::Page(const Lines& about) const {
  std::string body = "<h1>" + html::Escape(say_("report.title")) + "</h1>\n";
  for (const std::string& line : about) body += html::Quiet(line);
  if (analysis_.decisions.empty()) {
    body += html::Paragraph(say_("analyze.nothing"));
  } else {
    body += html::Section(say_("report.chances"), Curves());
    body += html::Section(say_("report.accuracy"), AccuracyTable());
    body += html::Section(say_("report.moments"), Moments());
    body += html::Section(say_("report.decisions"), DecisionTable());
  }
  return html::Page(say_.words().language(), say_("report.title"), body);
}

std::string AnalysisReport::Curves() const {
  const std::vector<Decision>& decisions = analysis_.decisions;
  std::vector<html::Series> series(record_.config.players);
  for (Seat seat = 0; seat < record_.config.players; ++seat) {
    series[seat].name = say_.Name(seat);
    for (const Decision& decision : decisions)
      if (!std::isnan(decision.before[seat]))
        series[seat].points.push_back(
            {static_cast<double>(decision.action), 100.0 * decision.before[seat]});
    if (analysis_.result)
      series[seat].points.push_back(
          {static_cast<double>(record_.actions.size()), 100.0 * (*analysis_.result)[seat]});
  }
  for (size_t i = 0; i < decisions.size(); ++i)
    if (Matters(i)) {
      const Decision& decision = decisions[i];
      const html::Point at = {static_cast<double>(decision.action),
                              100.0 * decision.before[decision.seat]};
      series[decision.seat].marks.push_back({at, Join(Comments(i), " "), '#' + IdOf(decision)});
    }

  html::Axis x = {0, static_cast<double>(record_.actions.size()), {}};
  const int step = std::max(1, (states_.back().turn + 5) / 6);
  for (size_t i = 1; i < record_.actions.size(); ++i)
    if (const int turn = states_[i].turn; turn != states_[i - 1].turn && turn % step == 0)
      x.ticks.push_back({static_cast<double>(i), std::to_string(turn)});
  html::Axis y = {0, 100, {}};
  for (const int percent : {0, 25, 50, 75, 100})
    y.ticks.push_back(
        {static_cast<double>(percent), say_.Percent(static_cast<float>(percent) / 100)});
  return html::Lines(say_("report.curve"), series, x, y) + html::Quiet(say_("report.curve"));
}

std::string AnalysisReport::AccuracyTable() const {
  std::vector<html::Row> rows;
  for (Seat seat = 0; seat < record_.config.players; ++seat)
    if (!std::isnan(analysis_.accuracy[seat]))
      rows.push_back({html::Escape(say_.Name(seat)),
                      std::to_string(std::lround(analysis_.accuracy[seat])),
                      std::to_string(Count(seat, Remark::MissedWin)),
                      std::to_string(Count(seat, Remark::Blunder)),
                      std::to_string(Count(seat, Remark::Mistake))});
  return html::Table({html::Escape(say_("report.player")), html::Escape(say_("report.accuracy")),
                      html::Escape(say_("report.missed-wins")),
                      html::Escape(say_("report.blunders")), html::Escape(say_("report.mistakes"))},
                     rows);
}

std::string AnalysisReport::Moments() const {
  std::string moments;
  int shown_turn = -1;
  for (size_t i = 0; i < analysis_.decisions.size(); ++i) {
    if (!Matters(i)) continue;
    const Decision& decision = analysis_.decisions[i];
    if (decision.turn != shown_turn)
      moments += html::Quiet(say_(Heading(states_[decision.action], kEverybody)));
    shown_turn = decision.turn;
    moments += "<p id=\"" + IdOf(decision) + "\"><strong>" + html::Escape(Told(decision)) +
               "</strong></p>\n";
    for (const std::string& line : Comments(i)) moments += html::Paragraph(line);
  }
  return moments.empty() ? html::Paragraph(say_("analyze.quiet")) : moments;
}

std::string AnalysisReport::DecisionTable() const {
  std::vector<html::Row> rows;
  for (size_t i = 0; i < analysis_.decisions.size(); ++i) {
    const Decision& decision = analysis_.decisions[i];
    Lines remarks;
    if (decision.remark != Remark::None) remarks.push_back(RemarkWord(say_, decision.remark));
    if (i == analysis_.turning_point) remarks.push_back(say_("analyze.turning-point"));
    const std::string turn =
        decision.turn == 0 ? say_("setup.draft") : std::to_string(decision.turn);
    html::Row row = {turn,
                     say_.Name(decision.seat),
                     NameOf(decision.played),
                     NameOf(decision.best),
                     say_.Percent(decision.before[decision.seat]),
                     say_.Percent(decision.lost),
                     Join(remarks, ", ")};
    std::ranges::transform(row, row.begin(),
                           [](const std::string& cell) { return html::Escape(cell); });
    if (Matters(i)) row.back() = "<a href=\"#" + IdOf(decision) + "\">" + row.back() + "</a>";
    rows.push_back(row);
  }
  html::Row head;
  for (const char* key : {"report.turn", "report.player", "report.played", "report.best",
                          "report.chance", "report.lost", "report.remark"})
    head.push_back(html::Escape(say_(key)));
  return html::Table(head, rows);
}

}  // namespace civ
