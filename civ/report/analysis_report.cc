#include "civ/report/analysis_report.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "civ/guide/pacts.h"
#include "civ/notation/notation.h"
#include "civ/notation/talk.h"
#include "civ/report/html.h"

namespace civ {
namespace {

constexpr Listener kEverybody = {.seat = kSpectator, .you = false, .open = true};

std::string RemarkWord(const Phrases& say, Remark remark) {
  switch (remark) {
    case Remark::Slip: return say("analyze.slip");
    case Remark::Error: return say("analyze.error");
    case Remark::Blunder: return say("analyze.blunder");
    default: return {};
  }
}

std::string IdOf(const Turn& turn) {
  return "turn-" + std::to_string(turn.turn) + "-" + std::to_string(turn.seat + 1);
}

int Points(float part) { return static_cast<int>(std::lround(100 * part)); }

// "+8", "−40".
std::string Signed(int points) {
  return (points < 0 ? "\u2212" : "+") + std::to_string(std::abs(points));
}

std::string Written(const Line& line) {
  Lines names;
  for (const Action action : line) names.emplace_back(NameOf(action));
  return Join(names, ", ");
}

// What made the difference, in whole points that add up.
struct Balance {
  int luck, skill, others;
};
Balance BalanceOf(const Analysis& analysis, Seat seat) {
  const int luck = Points(analysis.luck[seat]), skill = Points(analysis.skill[seat]);
  return {luck, skill, Points(analysis.end[seat]) - Points(analysis.deal[seat]) - luck - skill};
}

html::Row Escaped(html::Row row) {
  std::ranges::transform(row, row.begin(),
                         [](const std::string& cell) { return html::Escape(cell); });
  return row;
}

}  // namespace

AnalysisReport::AnalysisReport(const Phrases& say, const Record& record, const Analysis& analysis)
    : say_(say),
      record_(record),
      analysis_(analysis),
      states_(StatesOf(record)),
      pacts_(FoldTalk(states_, record.actions, TalkIn(record))) {}

Lines AnalysisReport::Story(bool all) const {
  if (analysis_.turns.empty()) return {"", say_("analyze.nothing")};
  Lines lines;
  for (size_t i = 0; i < analysis_.turns.size(); ++i) {
    if (!all && !Matters(i)) continue;
    lines.emplace_back();
    lines.push_back(say_(HeadingOf(analysis_.turns[i])));
    for (const std::string& line : Told(analysis_.turns[i])) lines.push_back("  " + line);
    for (const std::string& line : Comments(i)) lines.push_back("    " + line);
  }
  if (lines.empty()) lines = {"", say_("analyze.quiet")};
  lines.emplace_back();
  for (const std::string& line : Balances()) lines.push_back(line);
  return lines;
}

Message AnalysisReport::HeadingOf(const Turn& turn) const {
  return Heading(states_[turn.begin], kEverybody);
}

// What the seat did in its turn, and what was said in it.
Lines AnalysisReport::Told(const Turn& turn) const {
  const Course course = {std::span(states_).first(turn.end + 1),
                         std::span(record_.actions).first(turn.end)};
  std::vector<civ::Told> story = TellCourse(course, turn.begin, kEverybody);
  std::span<const News> news = NewsFrom(pacts_, turn.begin);
  while (!news.empty() && news.front().kind != News::Spoken && news.front().at == turn.begin)
    news = news.subspan(1);  // the turn before has told it
  while (!news.empty() && news.back().at > turn.end - (news.back().kind == News::Spoken ? 1 : 0))
    news = news.first(news.size() - 1);
  TellTalk(story, news, states_[turn.begin], kEverybody);
  Lines lines;
  for (const civ::Told& told : story)
    if (told.seat == turn.seat || told.seat == kNone)
      for (const std::string& line : say_(told.lines)) lines.push_back(line);
  return lines;
}

Lines AnalysisReport::Comments(size_t i) const {
  const Turn& turn = analysis_.turns[i];
  Lines lines;
  if (turn.remark != Remark::None) {
    lines.push_back(say_("analyze.fault", {{"fault", RemarkWord(say_, turn.remark)},
                                           {"before", say_.Percent(turn.chance)},
                                           {"after", say_.Percent(turn.chance - turn.loss)},
                                           {"better", Written(turn.better)}}));
    for (const std::string& reason : say_(turn.reasons)) lines.push_back(reason);
  }
  if (turn.joker)
    lines.push_back(say_("analyze.lucky", {{"points", Points(turn.luck[turn.seat])}}));
  lines.push_back(say_("analyze.chances", {{"chances", Odds(turn.before)}}));
  if (i == analysis_.turning_point) {
    const unsigned winners = WinnersOf(record_);
    lines.push_back(say_("analyze.lead", {{"names", say_.Names(winners)},
                                          {"how", std::popcount(winners) == 1 ? "one" : "other"}}));
  }
  return lines;
}

// "Ada 61%, Ben 39%".
std::string AnalysisReport::Odds(const Chances& chances) const {
  Lines parts;
  for (Seat seat = 0; seat < record_.config.players; ++seat)
    parts.push_back(say_("analyze.chance",
                         {{"name", say_.Name(seat)}, {"chance", say_.Percent(chances[seat])}}));
  return Join(parts, ", ");
}

int64_t AnalysisReport::Count(Seat seat, Remark remark) const {
  return std::ranges::count_if(analysis_.turns, [=](const Turn& turn) {
    return turn.seat == seat && turn.remark == remark;
  });
}

int64_t AnalysisReport::Jokers(Seat seat) const {
  return std::ranges::count_if(analysis_.turns,
                               [=](const Turn& turn) { return turn.seat == seat && turn.joker; });
}

Lines AnalysisReport::Balances() const {
  Lines lines;
  for (Seat seat = 0; seat < record_.config.players; ++seat) {
    if (std::isnan(analysis_.quality[seat])) continue;
    const Balance balance = BalanceOf(analysis_, seat);
    lines.push_back(say_("analyze.balance", {{"name", say_.Name(seat)},
                                             {"quality", std::lround(analysis_.quality[seat])},
                                             {"deal", say_.Percent(analysis_.deal[seat])},
                                             {"end", say_.Percent(analysis_.end[seat])},
                                             {"luck", Signed(balance.luck)},
                                             {"skill", Signed(balance.skill)},
                                             {"others", Signed(balance.others)}}));
    lines.push_back("  " + say_("analyze.marks", {{"blunders", Count(seat, Remark::Blunder)},
                                                  {"errors", Count(seat, Remark::Error)},
                                                  {"slips", Count(seat, Remark::Slip)},
                                                  {"jokers", Jokers(seat)}}));
  }
  return lines;
}

Lines AnalysisReport::RemarksOn(size_t i) const {
  Lines remarks;
  const Turn& turn = analysis_.turns[i];
  if (turn.remark != Remark::None) remarks.push_back(RemarkWord(say_, turn.remark));
  if (turn.joker) remarks.push_back(say_("analyze.joker"));
  if (i == analysis_.turning_point) remarks.push_back(say_("analyze.turning-point"));
  return remarks;
}

// --- The page ------------------------------------------------------------------------------------

std::string AnalysisReport::Page(const Lines& about) const {
  std::string body = "<h1>" + html::Escape(say_("report.title")) + "</h1>\n";
  for (const std::string& line : about) body += html::Quiet(line);
  if (analysis_.turns.empty()) {
    body += html::Paragraph(say_("analyze.nothing"));
  } else {
    body += html::Section(say_("report.chances"), Curves());
    body += html::Section(say_("report.balance"), BalanceTable() + MarksTable());
    body += html::Section(say_("report.moments"), Moments());
    body += html::Section(say_("report.turns"), TurnTable());
  }
  return html::Page(say_.words().language(), say_("report.title"), body);
}

std::string AnalysisReport::Curves() const {
  const std::vector<Turn>& turns = analysis_.turns;
  std::vector<html::Series> series(record_.config.players);
  for (Seat seat = 0; seat < record_.config.players; ++seat) {
    series[seat].name = say_.Name(seat);
    for (const Turn& turn : turns)
      series[seat].points.push_back({static_cast<double>(turn.begin), 100.0 * turn.before[seat]});
    series[seat].points.push_back(
        {static_cast<double>(record_.actions.size()), 100.0 * analysis_.end[seat]});
  }
  for (size_t i = 0; i < turns.size(); ++i)
    if (Matters(i)) {
      Lines note = Told(turns[i]);
      for (const std::string& line : Comments(i)) note.push_back(line);
      series[turns[i].seat].marks.push_back(
          {{static_cast<double>(turns[i].begin), 100.0 * turns[i].before[turns[i].seat]},
           Join(note, " "),
           '#' + IdOf(turns[i])});
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

std::string AnalysisReport::BalanceTable() const {
  std::vector<html::Row> rows;
  std::vector<html::Bar> bars;
  for (Seat seat = 0; seat < record_.config.players; ++seat) {
    if (std::isnan(analysis_.quality[seat])) continue;
    const Balance balance = BalanceOf(analysis_, seat);
    rows.push_back(
        Escaped({say_.Name(seat), std::to_string(std::lround(analysis_.quality[seat])),
                 say_.Percent(analysis_.deal[seat]), Signed(balance.luck), Signed(balance.skill),
                 Signed(balance.others), say_.Percent(analysis_.end[seat])}));
    for (const auto& [key, points] :
         {std::pair("report.luck", balance.luck), std::pair("report.skill", balance.skill),
          std::pair("report.others", balance.others)})
      bars.push_back({.label = say_.Name(seat) + ", " + say_(key),
                      .value = static_cast<double>(points),
                      .text = Signed(points),
                      .colour = seat});
  }
  double most = 10;
  for (const html::Bar& bar : bars) most = std::max(most, std::abs(bar.value));
  html::Row head;
  for (const char* key : {"report.player", "report.quality", "report.deal", "report.luck",
                          "report.skill", "report.others", "report.end"})
    head.push_back(html::Escape(say_(key)));
  return html::Table(head, rows) +
         html::Bars(say_("report.balance"), bars, html::RoundAxis(-most, most), 0.0);
}

std::string AnalysisReport::MarksTable() const {
  std::vector<html::Row> rows;
  for (Seat seat = 0; seat < record_.config.players; ++seat)
    rows.push_back(
        Escaped({say_.Name(seat), std::to_string(Count(seat, Remark::Blunder)),
                 std::to_string(Count(seat, Remark::Error)),
                 std::to_string(Count(seat, Remark::Slip)), std::to_string(Jokers(seat))}));
  html::Row head;
  for (const char* key :
       {"report.player", "report.blunders", "report.errors", "report.slips", "report.jokers"})
    head.push_back(html::Escape(say_(key)));
  return html::Table(head, rows);
}

std::string AnalysisReport::Moments() const {
  std::string moments;
  for (size_t i = 0; i < analysis_.turns.size(); ++i) {
    if (!Matters(i)) continue;
    const Turn& turn = analysis_.turns[i];
    moments += "<p class=\"quiet\" id=\"" + IdOf(turn) + "\">" +
               html::Escape(say_(HeadingOf(turn))) + "</p>\n<p><strong>" +
               html::Escape(Join(Told(turn), " ")) + "</strong></p>\n";
    for (const std::string& line : Comments(i)) moments += html::Paragraph(line);
  }
  return moments.empty() ? html::Paragraph(say_("analyze.quiet")) : moments;
}

std::string AnalysisReport::TurnTable() const {
  std::vector<html::Row> rows;
  for (size_t i = 0; i < analysis_.turns.size(); ++i) {
    const Turn& turn = analysis_.turns[i];
    html::Row row =
        Escaped({turn.turn == 0 ? say_("setup.draft") : std::to_string(turn.turn),
                 say_.Name(turn.seat), Written(turn.played), say_.Percent(turn.before[turn.seat]),
                 Signed(Points(turn.luck[turn.seat])), Signed(-Points(turn.lost)),
                 Join(RemarksOn(i), ", ")});
    if (Matters(i)) row.back() = "<a href=\"#" + IdOf(turn) + "\">" + row.back() + "</a>";
    rows.push_back(row);
  }
  html::Row head;
  for (const char* key : {"report.turn", "report.player", "report.played", "report.chance",
                          "report.luck", "report.skill", "report.remark"})
    head.push_back(html::Escape(say_(key)));
  return html::Table(head, rows);
}

}  // namespace civ
