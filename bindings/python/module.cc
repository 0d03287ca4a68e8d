// The Python module civ._civ: the library as Python calls it (docs/python.md). What is checked and
// said to people in words is in bindings/python/civ/; what plays is in the files beside this one.
#include <random>

#include "bindings/python/batch.h"
#include "bindings/python/bind.h"
#include "civ/notation/notation.h"

namespace civ {

[[noreturn]] void Raise(const Error& error, int place) {
  py::dict arguments;
  for (const auto& [name, value] : error.args) arguments[py::str(name)] = value;
  const py::object type = py::module_::import("civ._errors").attr("Error");
  PyErr_SetObject(type.ptr(), py::make_tuple(error.key, arguments, place).ptr());
  throw py::error_already_set();
}

uint64_t AnySeed() {
  std::random_device device;
  return (uint64_t{device()} << 32 | device()) >> 11;
}

Record ReadOrRaise(const std::string& text) {
  auto read = ReadRecord(text);
  if (const auto* wrong = std::get_if<RecordError>(&read)) Raise(wrong->error, wrong->action);
  return std::move(std::get<Record>(read));
}

py::list ListOf(const ActionSet& legal) {
  py::list list(legal.Size());
  Py_ssize_t i = 0;
  for (const Action action : legal) PyList_SET_ITEM(list.ptr(), i++, PyLong_FromLong(action.code));
  return list;
}

void ApplyOrRaise(PlayState& state, int action) {
  if (const auto error = state.Apply(action)) Raise(*error);
}

int ActionCode(const std::string& name) {
  const std::optional<Action> action = ParseAction(name);
  if (!action) Raise({"error.action", {{"action", name}}});
  return action->code;
}

std::string ActionName(int action) {
  if (action >= 0 && action < kActionCodes)
    if (const Action named = {static_cast<uint8_t>(action)}; ParseAction(NameOf(named)) == named)
      return NameOf(named);
  Raise({"error.action", {{"action", std::to_string(action)}}});
}

PYBIND11_MODULE(_civ, module) {
  using namespace py::literals;
  BindGame(module);
  BindView(module);
  BindState(module);
  BindBots(module);
  BindBatch(module);
  module.def("action_name", &ActionName, "action"_a);
  module.def("action_code", &ActionCode, "name"_a);
  module.attr("NUM_ACTIONS") = kActionCodes;
  module.attr("CHANCE") = kChancePlayer;
  module.attr("TERMINAL") = kTerminalPlayer;
  module.attr("__version__") = CIV_VERSION;
  py::list cards, effects;
  for (int k = 0; k < kKinds; ++k) cards.append(std::string(NameOf(static_cast<Kind>(k))));
  for (const Effect effect : kAllEffects) effects.append(std::string(NameOf(effect)));
  module.attr("CARDS") = py::tuple(cards);
  module.attr("EFFECTS") = py::tuple(effects);
}

}  // namespace civ
