// Batches over arrays that belong to Python.
#include <unistd.h>

#include <memory>

#include "bindings/python/array.h"
#include "bindings/python/batch.h"
#include "civ/notation/checked.h"

namespace civ {
namespace {

using namespace py::literals;

class PyBatch {
 public:
  PyBatch(int games, const GameKind& kind, uint64_t seed, int threads, const py::dict& buffers)
      : players_(kind.config.players), process_(getpid()) {
    constexpr int kMost = 1 << 24;
    if (games < 1 || games > kMost)
      throw py::value_error("games: from 1 to " + std::to_string(kMost));
    if (threads < 0 || threads > 256)
      throw py::value_error("threads: from 1 to 256, 0 for all cores");
    if (kind.chance_explicit) throw py::value_error("in a batch chance is sampled");
    BatchBuffers to;
    games_ = games;
    to.actions = Bind<uint8_t>(buffers, "actions", {games}, "B");
    if (to.actions == nullptr) throw py::value_error("actions: a batch cannot do without");
    to.masks = Bind<uint8_t>(buffers, "masks", {games, kActionCodes}, kBytes);
    to.rewards = Bind<float>(buffers, "rewards", {games, players_}, kFloats);
    to.seats = Bind<uint8_t>(buffers, "seats", {games}, "B");
    to.dones = Bind<uint8_t>(buffers, "dones", {games}, kBytes);
    void* observations =
        Bind<void>(buffers, "observations", {games, ObservationSize(players_)}, kBytesOrFloats);
    if (observations != nullptr && arrays_.back()->Format() == 'f')
      to.float_observations = static_cast<float*>(observations);
    else
      to.observations = static_cast<uint8_t*>(observations);
    if (buffers.size() != arrays_.size())
      throw py::value_error(
          "buffers are actions, masks, rewards, seats, dones, observations, and no others");
    if (threads == 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    actions_ = to.actions;
    const py::gil_scoped_release release;
    batch_ = std::make_unique<Batch>(games, kind.config, seed, threads, to);
  }
  PyBatch(const PyBatch&) = delete;
  PyBatch& operator=(const PyBatch&) = delete;
  ~PyBatch() {
    // After a fork the threads are those of another process: there is nothing to wait for.
    if (process_ != getpid()) static_cast<void>(batch_.release());
  }

  int games() const { return games_; }
  int threads() const { return batch_->threads(); }

  void Reset(uint64_t seed) {
    const Alone alone = Use();
    batch_->Reset(seed);
  }
  void ChooseUniform() {
    const Alone alone = Use();
    batch_->ChooseUniform();
  }

  void Step(const py::object& actions) {
    if (!actions.is_none()) Take(actions);
    int wrong = -1;
    {
      const Alone alone = Use();
      wrong = batch_->FirstWrong();
      if (wrong < 0) batch_->Step();
    }
    if (wrong >= 0) RaiseWrong(wrong, actions_[wrong]);
  }

  PlayState StateAt(int place) {
    Check(place);
    const Alone alone = Use();
    return PlayState(batch_->game(place));
  }
  uint64_t SeedAt(int place) const {
    Check(place);
    return batch_->seed(place);
  }

 private:
  template <class T>
  T* Bind(const py::dict& buffers, const char* name, std::initializer_list<Py_ssize_t> shape,
          std::string_view formats) {
    if (!buffers.contains(name)) return nullptr;
    arrays_.push_back(std::make_unique<Array>(buffers[name], name, shape, formats));
    return arrays_.back()->template As<T>();
  }

  Alone Use() {
    if (process_ != getpid())
      throw std::runtime_error("a batch stays in the process that made it: it has threads");
    return Alone(busy_, "batch");
  }

  void Check(int place) const {
    if (place < 0 || place >= games_)
      throw py::index_error("there is no game " + std::to_string(place) + ": there are " +
                            std::to_string(games_) + ", from 0 on");
  }

  // All of them, if all could be actions; what is legal is looked at later.
  void Take(const py::object& actions) {
    const Array from(actions, "actions", {games_}, kIntegers, false);
    const auto read = [&](int i) -> int64_t {
      switch (from.Format()) {
        case 'B': return from.As<uint8_t>()[i];
        case 'i': return from.As<int32_t>()[i];
        default: return from.As<int64_t>()[i];
      }
    };
    for (int i = 0; i < games_; ++i)
      if (const int64_t action = read(i); action < 0 || action >= kActionCodes)
        RaiseWrong(i, action);
    for (int i = 0; i < games_; ++i)
      if (const Action action = {static_cast<uint8_t>(read(i))};
          !Legal(batch_->game(i).state).Contains(action))
        RaiseWrong(i, action.code);
    for (int i = 0; i < games_; ++i) actions_[i] = static_cast<uint8_t>(read(i));
  }

  [[noreturn]] void RaiseWrong(int place, int64_t action) const {
    const Error error =
        action < 0 || action >= kActionCodes
            ? Error{"error.action", {{"action", std::to_string(action)}}}
            : IllegalAction(batch_->game(place).state, {static_cast<uint8_t>(action)});
    Raise(error, place);
  }

  int games_ = 0;
  const int players_;
  const pid_t process_;
  uint8_t* actions_ = nullptr;
  std::vector<std::unique_ptr<Array>> arrays_;
  std::unique_ptr<Batch> batch_;
  std::atomic<bool> busy_ = false;
};

}  // namespace

void BindBatch(py::module_& module) {
  py::class_<PyBatch>(module, "_Batch")
      .def(py::init<int, const GameKind&, uint64_t, int, const py::dict&>(), "n"_a, "game"_a,
           "seed"_a, "threads"_a, "buffers"_a)
      .def("reset", &PyBatch::Reset, "seed"_a, "New games in all places.")
      .def("step", &PyBatch::Step, "actions"_a = py::none(),
           "Does an action in each game: those given, or those in the buffer actions.")
      .def("random_actions", &PyBatch::ChooseUniform,
           "Writes random legal actions into the buffer actions.")
      .def("state", &PyBatch::StateAt, "place"_a,
           "A copy of the game in a place, as it stands. Without observations nobody knows "
           "anything of other hands in it.")
      .def("seed", &PyBatch::SeedAt, "place"_a, "The seed that the game in a place was dealt from.")
      .def("__len__", &PyBatch::games)
      .def_property_readonly("threads", &PyBatch::threads);
}

}  // namespace civ
