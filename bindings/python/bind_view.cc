// Views, and views as numbers.
#include "bindings/python/array.h"
#include "bindings/python/batch.h"
#include "civ/notation/json.h"
#include "civ/view/sample.h"

namespace civ {
namespace {

using namespace py::literals;

View ReadView(const std::string& text) { return OrRaise(ViewFromJson(OrRaise(ParseJson(text)))); }

PlayState SampleOf(const View& view, uint64_t seed) {
  Random random(seed);
  const std::optional<State> state = Sample(view, random);
  if (!state) Raise({"error.view.impossible", {}});
  Game game(*state);
  if (view.viewer < kMaxSeats)
    for (Seat seat = 0; seat < view.config.players; ++seat)
      if (seat != view.viewer) game.knowledge.known[seat][view.viewer] = view.hands[seat].cards;
  return PlayState(game);
}

py::list PlaneList(int players) {
  if (players < 2 || players > kMaxSeats)
    Raise({"error.range", {{"field", "players"}, {"least", "2"}, {"most", "4"}}});
  py::list list;
  int begin = 0;
  for (const Plane& plane : Planes()) {
    list.append(py::make_tuple(std::string(plane.name), begin, plane.per_seat ? players : 1,
                               static_cast<int>(plane.width), std::string(plane.meaning)));
    begin += plane.Size(players);
  }
  return list;
}

}  // namespace

py::list NumbersOf(const View& view) {
  std::array<uint8_t, kMostObserved> numbers;
  Observe(view, numbers.data());
  const int size = ObservationSize(view.config.players);
  py::list list(size);
  for (int i = 0; i < size; ++i)
    PyList_SET_ITEM(list.ptr(), i, PyFloat_FromDouble(numbers[static_cast<size_t>(i)]));
  return list;
}

void ObserveInto(const View& view, const py::object& out) {
  const int size = ObservationSize(view.config.players);
  const Array array(out, "out", {size}, kBytesOrFloats);
  if (array.Format() == 'B') return Observe(view, array.As<uint8_t>());
  std::array<uint8_t, kMostObserved> numbers;
  Observe(view, numbers.data());
  std::copy_n(numbers.begin(), size, array.As<float>());
}

void BindView(py::module_& module) {
  module.def("_planes", &PlaneList, "players"_a);
  py::class_<View>(module, "View", "What one player may see.")
      .def_static("from_json", &ReadView, "view"_a, "A view from its JSON, as bots get it.")
      .def(
          "to_json", [](const View& view) { return ToJson(view).dump(); }, "The view as JSON.")
      .def_property_readonly("player",
                             [](const View& view) -> std::optional<int> {
                               if (view.viewer >= kMaxSeats) return std::nullopt;
                               return view.viewer;
                             })
      .def(
          "legal_actions",
          [](const View& view) {
            if (view.step != Step::Over && view.viewer != view.seat)
              Raise({"error.view.not-deciding", {}});
            return ListOf(Legal(view));
          },
          "What the viewer, who decides, may do.")
      .def("sample", &SampleOf, "seed"_a, "A random state that fits the view.")
      .def("observation_tensor", &NumbersOf, "The view as numbers.")
      .def("observe", &ObserveInto, "out"_a,
           "Writes those numbers into an array of float32 or uint8.");
}

}  // namespace civ
