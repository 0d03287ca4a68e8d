// An analysis as people read it: told in lines, or as a page in HTML.
#pragma once

#include <string>
#include <vector>

#include "civ/analysis/analysis.h"
#include "civ/diplomacy/pacts.h"
#include "civ/words/phrases.h"

namespace civ {

class AnalysisReport {
 public:
  AnalysisReport(const Phrases& say, const Record& record, const Analysis& analysis);

  // The turns that mattered, or all of them, and what each player owes to luck and to skill.
  Lines Story(bool all) const;

  // Everything, with the curves of the chances, under a few lines about the game.
  std::string Page(const Lines& about) const;

 private:
  bool Matters(size_t i) const {
    return analysis_.turns[i].remark != Remark::None || analysis_.turns[i].joker ||
           i == analysis_.turning_point;
  }
  Message HeadingOf(const Turn& turn) const;
  Lines Told(const Turn& turn) const;
  Lines Comments(size_t i) const;
  Lines RemarksOn(size_t i) const;
  std::string Odds(const Chances& chances) const;
  int64_t Count(Seat seat, Remark remark) const;
  int64_t Jokers(Seat seat) const;
  Lines Balances() const;

  std::string Curves() const;
  std::string BalanceTable() const;
  std::string MarksTable() const;
  std::string Moments() const;
  std::string TurnTable() const;

  const Phrases& say_;
  const Record& record_;
  const Analysis& analysis_;
  const std::vector<State> states_;
  const Diplomacy pacts_;
};

}  // namespace civ
