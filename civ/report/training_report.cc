#include "civ/report/training_report.h"

#include <algorithm>

#include "civ/report/arena_figures.h"
#include "civ/report/html.h"

namespace civ {
namespace {

std::string Losses(std::span<const Generation> generations) {
  html::Series loss{"learnt from", {}}, held_back{"held back", {}};
  double low = 10, high = 0;
  for (const Generation& of : generations) {
    loss.points.push_back({static_cast<double>(of.number), of.loss});
    held_back.points.push_back({static_cast<double>(of.number), of.held_back});
    low = std::min({low, double{of.loss}, double{of.held_back}});
    high = std::max({high, double{of.loss}, double{of.held_back}});
  }
  return html::Section(
      "Loss",
      html::Lines("Cross-entropy by generation", std::vector{loss, held_back},
                  html::RoundAxis(0, static_cast<double>(std::max<size_t>(1, generations.size()))),
                  html::RoundAxis(low - 0.01, high + 0.01)) +
          html::Quiet("Cross-entropy of the chances with how games ended and what the search said, "
                      "over the games learnt from and over those held back."));
}

std::string Strengths(std::span<const Generation> generations) {
  std::vector<html::Bar> bars;
  for (const Generation& of : generations)
    if (!of.first)
      bars.push_back({"generation " + std::to_string(of.number), 100 * of.share,
                      PercentText(of.share) + (of.kept ? "" : ", left")});
  if (bars.empty()) return {};
  return html::Section("Strength", html::Bars("Share of victories against the net before", bars,
                                              html::RoundAxis(0, 100, " %"), 50));
}

std::string Generations(std::span<const Generation> generations) {
  std::vector<html::Row> rows;
  for (const Generation& of : generations)
    rows.push_back({std::to_string(of.number), std::to_string(of.games),
                    std::to_string(of.positions), std::to_string(of.decisions), Fixed(of.loss, 4),
                    Fixed(of.held_back, 4), of.first ? "" : std::to_string(of.decks),
                    of.first ? "" : PercentText(of.share), of.kept ? "kept" : "left"});
  return html::Section(
      "Generations",
      html::Table({"Generation", "Games", "Positions", "Decisions", "Loss", "Held back", "Decks",
                   "Share", ""},
                  rows) +
          html::Quiet("Positions include those of the generation before. Decks are those on which "
                      "the net had to beat the one before; each is played from several seats."));
}

}  // namespace

std::string TrainingReport(const TrainOptions& options, std::span<const Generation> generations,
                           std::string_view version) {
  const std::string title =
      "Training: " +
      (options.teams ? std::string("teams") : std::to_string(options.players) + " players");
  const std::string body =
      "<h1>" + html::Escape(title) + "</h1>" +
      html::Paragraph(std::to_string(options.iterations) +
                      " iterations in turns whose choices are learnt from, " +
                      Fixed(100 * options.noise, 0) + " % chance in the priors of the root, seed " +
                      std::to_string(options.seed) + "; civ " + std::string(version) + ".") +
      Strengths(generations) + Losses(generations) + Generations(generations);
  return html::Page("en", title, body);
}

}  // namespace civ
