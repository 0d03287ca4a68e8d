// The bots, and the judge of whole games.
#include <memory>

#include "bindings/python/bind.h"
#include "civ/analysis/analysis.h"
#include "civ/bots/bot.h"

namespace civ {
namespace {

using namespace py::literals;

class PyBot {
 public:
  PyBot(const std::string& name, int64_t iterations, int64_t ms, int threads)
      : name_(name), bot_(MakeBot(name)) {
    if (!bot_) Raise({"error.bot", {{"bot", name}}});
    if (iterations < 0 || ms < 0) throw py::value_error("limits are not negative");
    if (threads < 1 || threads > 256) throw py::value_error("threads: from 1 to 256");
    limits_ = iterations == 0 && ms == 0 ? DefaultLimits(name) : Limits{};
    if (iterations > 0) limits_.iterations = iterations;
    if (ms > 0) limits_.time = std::chrono::milliseconds(ms);
    limits_.threads = threads;
  }

  const std::string& name() const { return name_; }

  Thought Think(const View& view, uint64_t seed) {
    if (view.step == Step::Over || view.viewer != view.seat) Raise({"error.view.not-deciding", {}});
    const Alone alone(busy_, "bot");
    return bot_->Think(view, limits_, seed);
  }

 private:
  std::string name_;
  std::unique_ptr<Bot> bot_;
  Limits limits_;
  std::atomic<bool> busy_ = false;
};

py::list JudgementsOf(const Thought& thought, int players) {
  py::list list;
  for (const Judgement& judgement : thought.judgements) {
    py::list chances;
    for (int seat = 0; seat < players; ++seat)
      chances.append(judgement.chances[static_cast<size_t>(seat)]);
    list.append(py::make_tuple(static_cast<int>(judgement.action.code), judgement.weight, chances));
  }
  return list;
}

py::tuple ThinkOf(PyBot& bot, const View& view, std::optional<uint64_t> seed) {
  const Thought thought = bot.Think(view, seed ? *seed : AnySeed());
  return py::make_tuple(static_cast<int>(thought.best.code),
                        JudgementsOf(thought, view.config.players), thought.iterations);
}

std::string AnalysisOf(const std::string& record_text, int64_t iterations, int threads,
                       uint64_t seed) {
  const Record record = ReadOrRaise(record_text);
  if (iterations < 1) throw py::value_error("iterations: at least 1");
  if (threads < 1 || threads > 256) throw py::value_error("threads: from 1 to 256");
  Inquiry inquiry;
  inquiry.iterations = iterations;
  inquiry.threads = threads;
  inquiry.seed = seed;
  const py::gil_scoped_release release;
  return ToJson(record, Analyze(record, inquiry)).dump();
}

}  // namespace

void BindBots(py::module_& module) {
  py::class_<PyBot>(module, "_Bot")
      .def(py::init<const std::string&, int64_t, int64_t, int>(), "name"_a, "iterations"_a, "ms"_a,
           "threads"_a)
      .def_property_readonly("name", &PyBot::name)
      .def("think", &ThinkOf, "view"_a, "seed"_a);
  module.def("_analyze", &AnalysisOf, "record"_a, "iterations"_a, "threads"_a, "seed"_a);
  module.def("bot_names", [] {
    py::list names;
    for (const std::string_view name : BotNames()) names.append(std::string(name));
    return names;
  });
}

}  // namespace civ
