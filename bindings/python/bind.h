// What the files that show the library to Python have in common.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <optional>
#include <string>
#include <utility>

#include "bindings/python/state.h"
#include "civ/notation/record.h"

namespace civ {

namespace py = pybind11;

// --- Errors ---

// As civ.Error; `place` is that of an action in a record, or of a game in a batch.
[[noreturn]] void Raise(const Error& error, int place = RecordError::kHeader);

template <class T>
T OrRaise(Expected<T> value) {
  if (!value) Raise(value.error());
  return std::move(*value);
}

template <class T>
T Word(const char* field, const std::string& text, std::optional<T> (*parse)(std::string_view)) {
  const std::optional<T> value = parse(text);
  if (!value) Raise({"error.value", {{"field", field}, {"value", text}}});
  return *value;
}

// Lets other Python threads run, and refuses those that would use the same object meanwhile.
class Alone {
 public:
  explicit Alone(std::atomic<bool>& busy, const char* what) : busy_(busy) {
    if (busy_.exchange(true))
      throw std::runtime_error(std::string("another thread is using this ") + what);
    release_.emplace();
  }
  ~Alone() {
    release_.reset();
    busy_ = false;
  }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  std::atomic<bool>& busy_;
  std::optional<py::gil_scoped_release> release_;
};

// --- What several of them use ---

struct GameKind {
  Config config;
  bool chance_explicit = false;

  bool operator==(const GameKind&) const = default;
};

uint64_t AnySeed();
Record ReadOrRaise(const std::string& text);
int ActionCode(const std::string& name);
std::string ActionName(int action);
py::list ListOf(const ActionSet& legal);
void ApplyOrRaise(PlayState& state, int action);
py::list NumbersOf(const View& view);
void ObserveInto(const View& view, const py::object& out);

// --- The parts of the module ---

void BindGame(py::module_& module);
void BindState(py::module_& module);
void BindView(py::module_& module);
void BindBots(py::module_& module);
void BindBatch(py::module_& module);

}  // namespace civ
