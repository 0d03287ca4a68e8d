// What happened in generated games, so that a run that never came across something fails.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/generate.h"

namespace civ::test {

class Census : public Watcher {
 public:
  void Begin(const Game& game) override;
  void Step(const Game& before, Action action, const Game& after) override;

  // Everything that should occur, and did not.
  std::vector<std::string> Missing() const;
  int Count(const std::string& what) const;

 private:
  void Note(const std::string& what, bool happened = true) { counts_[what] += happened; }
  void NoteEffect(const State& before, Action action, const State& after);
  void NoteThen(const State& before, const State& after);
  void NoteEnd(const State& before, const State& after);
  void NoteDrawn(const State& before, Action action, const State& after);
  void NoteCoin(const State& before, Action action, const State& after);
  void NoteFaceDown(const State& before, Action action, const State& after);
  void NoteKnown(const Game& after);

  // Everything is entered with 0 when it is first looked for, or by name where that might never be.
  std::map<std::string, int> counts_;
};

}  // namespace civ::test
