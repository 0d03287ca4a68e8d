// A game as it is stored, shared and exported: `civ-game/1` (docs/protocol.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "civ/notation/checked.h"
#include "civ/notation/json.h"

namespace civ {

inline constexpr int kRulesVersion = 1;

struct Record {
  Config config;
  std::vector<Kind> deck;
  std::vector<Action> actions;
  Json result;  // null while the game goes on
  Json names;   // free-form, as are the next two; null where there are none
  Json date;
  Json comments;

  std::string Dump() const;
  // The name of a seat, if names are a list of texts.
  std::string NameOf(Seat seat) const;
};

// Where a record goes wrong: before its first action (kHeader), at one of them (from 0), or after
// the last (its size).
struct RecordError {
  static constexpr int kHeader = -1;
  int action = kHeader;
  Error error;
  Public table{};  // before that action, or after the last
  bool at_end = false;
};

// Checks everything: the deck, every action, the result.
std::variant<Record, RecordError> ReadRecord(std::string_view text);
// Reads records of games that may still go on, one after the other. What a record has in common
// with the one before is not played again: a game is read after each of its actions.
class RecordReader {
 public:
  // A result is not asked for where the rules have ended the game.
  std::optional<RecordError> Read(const Json& json);
  // The last record with other actions after its first `kept` ones, of which it must have so many.
  // Only where the last reading found nothing wrong.
  std::optional<RecordError> GoOn(size_t kept, const Json& actions);

  // Of the last record that was read without an error. There is one more state than actions, and
  // as many times what was known then.
  const Record& record() const { return record_; }
  std::span<const State> states() const { return states_; }
  std::span<const Knowledge> knowledge() const { return knowledge_; }

  int64_t applied() const { return applied_; }  // actions, since the reader was made

 private:
  friend std::variant<Record, RecordError> ReadRecord(std::string_view text);

  // `complete` if a game that is over must have its result.
  std::optional<RecordError> Read(const Json& json, bool complete);
  std::optional<RecordError> Begin(Record header);
  std::optional<RecordError> Follow(size_t kept, const Json& actions);
  std::optional<RecordError> CheckEnd(bool complete) const;
  void KeepFirst(size_t actions);

  Record record_;
  std::vector<State> states_;
  std::vector<Knowledge> knowledge_;
  int64_t applied_ = 0;
};

// The states of a record from the first to the last: one more than there are actions.
std::vector<State> StatesOf(const Record& record);

}  // namespace civ
