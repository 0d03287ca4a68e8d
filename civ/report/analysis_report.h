// An analysis as people read it: told in lines, or as a page in HTML.
#pragma once

#include <string>
#include <vector>

#include "civ/analysis/analysis.h"
#include "civ/words/phrases.h"

namespace civ {

class AnalysisReport {
 public:
  AnalysisReport(const Phrases& say, const Record& record, const Analysis& analysis);

  // The decisions that mattered, or all of them, and how well each has played.
  Lines Story(bool all) const;

  // Everything, with the curves of the chances, under a few lines about the game.
  std::string Page(const Lines& about) const;

 private:
  bool Matters(size_t i) const {
    return analysis_.decisions[i].remark != Remark::None || i == analysis_.turning_point;
  }
  Lines Comments(size_t i) const;
  std::string Told(const Decision& decision) const;
  std::string Better(const Decision& decision) const;
  std::string Odds(const Chances& chances) const;
  int Count(Seat seat, Remark remark) const;
  Lines Accuracies() const;

  std::string Curves() const;
  std::string AccuracyTable() const;
  std::string Moments() const;
  std::string DecisionTable() const;

  const Phrases& say_;
  const Record& record_;
  const Analysis& analysis_;
  const std::vector<State> states_;
};

}  // namespace civ
