// The rules a second time, written as plainly as they can be and without the engine's counts, marks
// and masks: what the property tests compare with. Section numbers are those of docs/rules.md.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "civ/view/view.h"

namespace civ::test {

// Every action that can be written down.
const std::vector<Action>& AllActions();

// Whether the deciding seat may do this.
bool MayPlainly(const State& state, Action action);

// The state after a legal action. Its counts, marks and embargoed are not brought up to date.
State ApplyPlainly(State state, Action action);

// How many cards of the Domain lie in the play area; where levels, and Hegemony, begin.
int CountPlainly(const Public& table, Seat seat, Domain domain);
int LevelNeedPlainly(int players, int level);
int HegemonyNeedPlainly(const Public& table, Seat seat, Domain domain);

// Majority, and what decided it.
struct Tally {
  Outcome outcome;
  std::string decided;  // "points", "shared", or the Domain of the tie-break: "U"
};
Tally MajorityPlainly(const Public& table);
Outcome ResultPlainly(const Public& table);

// Section 10, kept by the words of the rules.
struct PlainKnowledge {
  std::array<std::array<Cards, kObservers>, kMaxSeats> known{};  // [hand][observer]
  void Observe(const State& before, Action action);
};

// The first difference between two tables, or nothing. Derived fields are left out.
std::string Difference(const Public& a, const Public& b);
std::string Difference(const State& a, const State& b);
std::string Difference(const View& a, const View& b);

// What is wrong with the fields that follow from others, or nothing.
std::string WrongDerived(const Public& table);

}  // namespace civ::test
