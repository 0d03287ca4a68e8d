// The Python module civ._civ: the library as Python calls it (docs/python.md). What is checked and
// said to people in words is in bindings/python/civ/; what plays is in the files beside this one.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <random>

#include "bindings/python/batch.h"
#include "bindings/python/state.h"
#include "civ/analysis/analysis.h"
#include "civ/bots/bot.h"
#include "civ/notation/json.h"
#include "civ/notation/notation.h"
#include "civ/notation/record.h"
#include "civ/view/sample.h"

namespace civ {
namespace {

namespace py = pybind11;
using namespace py::literals;

// --- Errors ---

[[noreturn]] void Raise(const Error& error, int action = RecordError::kHeader) {
  py::dict arguments;
  for (const auto& [name, value] : error.args) arguments[py::str(name)] = value;
  const py::object type = py::module_::import("civ._errors").attr("Error");
  PyErr_SetObject(type.ptr(), py::make_tuple(error.key, arguments, action).ptr());
  throw py::error_already_set();
}

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

// --- Buffers that belong to others ---

// A C-contiguous array of somebody else's, kept in place while we hold it.
class Array {
 public:
  Array(const py::object& owner, const char* name, std::initializer_list<Py_ssize_t> shape,
        std::string_view formats, bool writable = true) {
    const int flags =
        PyBUF_ND | PyBUF_FORMAT | PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(owner.ptr(), &view_, flags) != 0) {
      PyErr_Clear();
      throw py::type_error(std::string(name) + ": needs a C-contiguous" +
                           (writable ? ", writable" : "") + " array, not " +
                           std::string(py::str(py::type::of(owner))));
    }
    if (formats.find(Format()) == std::string_view::npos) {
      const std::string format(1, Format());
      PyBuffer_Release(&view_);
      throw py::type_error(std::string(name) + ": the type of its numbers must be one of \"" +
                           std::string(formats) + "\" (as in the module array), not \"" + format +
                           "\"");
    }
    if (!std::equal(shape.begin(), shape.end(), view_.shape, view_.shape + view_.ndim)) {
      std::string wanted, found;
      for (const Py_ssize_t size : shape) wanted += std::to_string(size) + ", ";
      for (int i = 0; i < view_.ndim; ++i) found += std::to_string(view_.shape[i]) + ", ";
      PyBuffer_Release(&view_);
      throw py::value_error(std::string(name) + ": its shape must be (" + wanted + "), not (" +
                            found + ")");
    }
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { PyBuffer_Release(&view_); }

  template <class T>
  T* As() const {
    return static_cast<T*>(view_.buf);
  }
  char Format() const {
    const std::string_view format = view_.format == nullptr ? "B" : view_.format;
    return format.size() == 1 ? format[0] : 'x';
  }

 private:
  Py_buffer view_{};
};

constexpr std::string_view kBytes = "B?", kFloats = "f", kBytesOrFloats = "Bf";
constexpr std::string_view kIntegers = "Bilq";

// --- Games and states ---

struct GameKind {
  Config config;
  bool chance_explicit = false;

  bool operator==(const GameKind&) const = default;
};

GameKind MakeKind(int players, const std::string& setup, const std::string& edition, bool teams,
                  const std::string& chance) {
  if (players < 2 || players > kMaxSeats)
    Raise({"error.range", {{"field", "players"}, {"least", "2"}, {"most", "4"}}});
  GameKind kind;
  kind.config.players = static_cast<uint8_t>(players);
  kind.config.setup = Word("setup", setup, ParseSetup);
  kind.config.edition = Word("edition", edition, ParseEdition);
  kind.config.teams = teams;
  if (teams && players != kMaxSeats) Raise({"error.teams", {}});
  if (chance != "sampled" && chance != "explicit")
    Raise({"error.value", {{"field", "chance"}, {"value", chance}}});
  kind.chance_explicit = chance == "explicit";
  return kind;
}

GameKind KindOf(const PlayState& state) {
  Config config = state.config();
  config.first = 0;
  return {config, state.is_explicit()};
}

py::dict Parameters(const GameKind& kind) {
  return py::dict("players"_a = static_cast<int>(kind.config.players),
                  "setup"_a = std::string(NameOf(kind.config.setup)),
                  "edition"_a = std::string(NameOf(kind.config.edition)),
                  "teams"_a = kind.config.teams,
                  "chance"_a = kind.chance_explicit ? "explicit" : "sampled");
}

uint64_t AnySeed() {
  std::random_device device;
  return (uint64_t{device()} << 32 | device()) >> 11;
}

PlayState Dealt(const Config& config, std::span<const Kind> deck) {
  OrRaise(CheckedNew(config, deck));
  return {config, deck};
}

PlayState Begin(const GameKind& kind, std::optional<uint64_t> seed, std::optional<int> first,
                const std::optional<std::vector<std::string>>& cards) {
  if (first.has_value() != cards.has_value()) Raise({"error.first-and-deck", {}});
  if (seed && cards) Raise({"error.seed-and-deck", {}});
  if (kind.chance_explicit) {
    if (seed || cards)
      throw py::value_error("where chance is explicit, it deals: no seed, no deck");
    return PlayState::Undealt(kind.config);
  }
  if (!cards) {
    const Deal deal = DealFromSeed(kind.config, seed ? *seed : AnySeed());
    return {deal.config, deal.deck.Span()};
  }
  Config config = kind.config;
  if (*first < 0 || *first >= config.players) Raise({"error.state.config", {}});
  config.first = static_cast<Seat>(*first);
  std::vector<Kind> deck;
  for (const std::string& card : *cards) deck.push_back(Word("deck", card, ParseKind));
  return Dealt(config, deck);
}

Seat SeatOr(const PlayState& state, std::optional<int> player) {
  const int seat = player.value_or(state.CurrentPlayer());
  if (!player && seat < 0)
    throw py::value_error("nobody decides here: say which player's view it shall be");
  if (seat < 0 || seat >= state.config().players)
    throw py::value_error("there is no player " + std::to_string(seat) + ": there are " +
                          std::to_string(state.config().players) + ", from 0 on");
  return static_cast<Seat>(seat);
}

View ViewOf(const PlayState& state, std::optional<int> player) {
  if (!state.dealt()) throw py::value_error("no card has been dealt yet");
  return MakeView(state.game().state, state.game().knowledge, SeatOr(state, player));
}

py::list ListOf(const ActionSet& legal) {
  py::list list(legal.Size());
  Py_ssize_t i = 0;
  for (const Action action : legal) PyList_SET_ITEM(list.ptr(), i++, PyLong_FromLong(action.code));
  return list;
}

py::list LegalList(const PlayState& state, std::optional<int> player) {
  if (player && *player != state.CurrentPlayer()) return py::list();
  if (!state.AtChance()) return ListOf(state.LegalActions());
  py::list list;
  for (const auto& [outcome, chance] : state.ChanceOutcomes()) list.append(outcome);
  return list;
}

void Apply(PlayState& state, int action) {
  if (const auto error = state.Apply(action)) Raise(*error);
}

std::vector<float> ReturnsOf(const PlayState& state) {
  std::vector<float> returns(state.config().players);
  if (state.IsOver()) {
    const auto all = Returns(state.game().state);
    std::copy_n(all.begin(), returns.size(), returns.begin());
  }
  return returns;
}

std::string ActionName(const PlayState& state, int player, int action) {
  if (player == kChancePlayer) {
    for (const auto& [outcome, chance] : state.ChanceOutcomes())
      if (outcome == action)
        return state.History().empty() ? "first " + std::to_string(action)
                                       : "draw " + std::string(NameOf(static_cast<Kind>(action)));
  } else if (action >= 0 && action < kActionCodes) {
    const Action named = {static_cast<uint8_t>(action)};
    if (std::string name = NameOf(named); ParseAction(name) == named) return name;
  }
  Raise({"error.action", {{"action", std::to_string(action)}}});
}

int ActionCode(const std::string& name) {
  const std::optional<Action> action = ParseAction(name);
  if (!action) Raise({"error.action", {{"action", name}}});
  return action->code;
}

Record RecordOf(const PlayState& state) {
  if (!state.has_deal() || state.is_explicit())
    throw py::value_error("only a game whose deck is settled has a record");
  Record record;
  record.config = state.config();
  record.deck.assign(state.deck().begin(), state.deck().end());
  record.actions = state.actions();
  if (state.IsOver()) record.result = ToJson(state.config(), Result(state.game().state));
  return record;
}

Record ReadOrRaise(const std::string& text) {
  auto read = ReadRecord(text);
  if (const auto* wrong = std::get_if<RecordError>(&read)) Raise(wrong->error, wrong->action);
  return std::move(std::get<Record>(read));
}

PlayState FromRecord(const std::string& text) {
  const Record record = ReadOrRaise(text);
  PlayState state(record.config, record.deck);
  for (const Action action : record.actions) state.Apply(action.code);
  return state;
}

PlayState FromHistory(const GameKind& kind, const std::vector<int>& history) {
  PlayState state = PlayState::Undealt(kind.config);
  for (const int action : history) Apply(state, action);
  return state;
}

PlayState FromJson(const std::string& text) {
  return PlayState(Game(OrRaise(StateFromJson(OrRaise(ParseJson(text))))));
}

PlayState Resampled(const PlayState& state, int player, const py::object& source) {
  uint64_t seed = 0;
  if (py::isinstance<py::int_>(source))
    seed = source.cast<uint64_t>();
  else  // as OpenSpiel has it: a function that gives numbers from 0 to 1
    seed = static_cast<uint64_t>(source().cast<double>() * 0x1p53);
  Random random(seed);
  if (!state.has_deal())
    throw py::value_error("the deal of this state is not known: sample its view instead");
  auto found = state.Resample(SeatOr(state, player), random);
  if (!found) Raise({"error.view.impossible", {}});
  return std::move(*found);
}

// --- Observations ---

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

// --- Bots and the judge ---

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

// --- Batches ---

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

// --- What Python sees ---

void BindGame(py::module_& module) {
  py::class_<GameKind>(module, "Game",
                       "A kind of game: players, set-up, edition, teams, and whether chance is "
                       "sampled inside or explicit.")
      .def(py::init(&MakeKind), "players"_a = 2, "setup"_a = "basic", "edition"_a = "en",
           "teams"_a = false, "chance"_a = "sampled")
      .def("new_initial_state", &Begin, "seed"_a = py::none(), py::kw_only(),
           "first"_a = py::none(), "deck"_a = py::none(),
           "A new game: dealt from a seed (any, if none is given) or from First Player and deck, "
           "or undealt where chance is explicit.")
      .def(
          "num_players", [](const GameKind& kind) { return int{kind.config.players}; },
          "How many players there are.")
      .def(
          "num_distinct_actions", [](const GameKind&) { return kActionCodes; },
          "Actions are numbers below this one.")
      .def(
          "max_chance_outcomes",
          [](const GameKind& kind) { return kind.chance_explicit ? kKinds : 0; },
          "How many outcomes a decision of chance has at most; 0 where chance is sampled.")
      .def(
          "min_utility", [](const GameKind&) { return -1.0; }, "What a player who has lost gets.")
      .def(
          "max_utility",
          [](const GameKind& kind) { return kind.config.teams ? 1.0 : kind.config.players - 1.0; },
          "What a player who has won alone gets.")
      .def(
          "utility_sum", [](const GameKind&) { return 0.0; }, "What all get together: nothing.")
      .def(
          "observation_tensor_shape",
          [](const GameKind& kind) { return std::vector{ObservationSize(kind.config.players)}; },
          "The shape of an observation.")
      .def(
          "observation_tensor_size",
          [](const GameKind& kind) { return ObservationSize(kind.config.players); },
          "How many numbers an observation has.")
      .def("get_parameters", &Parameters, "What the game was made with.")
      .def("from_history", &FromHistory, "history"_a,
           "The state of a game with explicit chance after these actions.")
      .def("__eq__",
           [](const GameKind& one, const py::object& other) {
             return py::isinstance<GameKind>(other) && one == other.cast<GameKind>();
           })
      .def("__hash__", [](const GameKind& kind) { return py::hash(py::str(Parameters(kind))); })
      .def("__repr__",
           [](const GameKind& kind) {
             return "civ.Game(**" + std::string(py::str(Parameters(kind))) + ")";
           })
      .def(py::pickle([](const GameKind& kind) { return py::make_tuple(Parameters(kind)); },
                      [](const py::tuple& saved) {
                        const auto of = saved[0].cast<py::dict>();
                        return MakeKind(of["players"].cast<int>(), of["setup"].cast<std::string>(),
                                        of["edition"].cast<std::string>(), of["teams"].cast<bool>(),
                                        of["chance"].cast<std::string>());
                      }));
}

void BindDecisions(py::class_<PlayState>& state) {
  state
      .def("current_player", &PlayState::CurrentPlayer,
           "The seat that decides, civ.CHANCE, or civ.TERMINAL when the game is over.")
      .def("is_terminal", &PlayState::IsOver, "Whether the game is over.")
      .def("is_chance_node", &PlayState::AtChance,
           "Whether chance decides: only where it is explicit.")
      .def(
          "is_player_node", [](const PlayState& s) { return s.CurrentPlayer() >= 0; },
          "Whether a player decides.")
      .def(
          "legal_actions", [](const PlayState& s) { return LegalList(s, std::nullopt); },
          "What may be done now; of a player who does not decide: nothing.")
      .def(
          "legal_actions", [](const PlayState& s, int p) { return LegalList(s, p); }, "player"_a,
          "What may be done now; of a player who does not decide: nothing.")
      .def(
          "legal_actions_mask",
          [](const PlayState& s) {
            std::vector<int> mask(kActionCodes);
            for (const Action action : s.LegalActions()) mask[action.code] = 1;
            return mask;
          },
          "The same as a list of 256 zeros and ones.")
      .def(
          "chance_outcomes",
          [](const PlayState& s) {
            if (!s.AtChance()) throw py::value_error("chance does not decide here");
            return s.ChanceOutcomes();
          },
          "What chance may do, with how likely that is: seats for the First Player, then kinds of "
          "cards.")
      .def("apply_action", &Apply, "action"_a,
           "Does a legal action, and all that follows from it; raises Error, and changes nothing, "
           "if it is not legal.")
      .def(
          "apply", [](PlayState& s, const std::string& name) { Apply(s, ActionCode(name)); },
          "action"_a, "The same for an action by its name, such as \"play M1\".")
      .def(
          "child",
          [](const PlayState& s, int action) {
            PlayState next = s;
            Apply(next, action);
            return next;
          },
          "action"_a, "A copy after an action.");
}

void BindResults(py::class_<PlayState>& state) {
  state
      .def("returns", &ReturnsOf,
           "What each player has got: in sum nothing, -1 for who has lost; zeros before the end.")
      .def("rewards", &ReturnsOf, "The same: there are none before the end.")
      .def(
          "player_return",
          [](const PlayState& s, int player) { return ReturnsOf(s)[SeatOr(s, player)]; },
          "player"_a, "What one player has got.")
      .def("action_to_string", &ActionName, "player"_a, "action"_a,
           "What an action means, as in \"play M1\" or \"draw E2\".")
      .def(
          "action_to_string",
          [](const PlayState& s, int action) { return ActionName(s, s.CurrentPlayer(), action); },
          "action"_a, "What an action means, as in \"play M1\" or \"draw E2\".")
      .def(
          "string_to_action",
          [](const PlayState&, const std::string& name) { return ActionCode(name); }, "action"_a,
          "The number of an action.");
}

void BindKnowledge(py::class_<PlayState>& state) {
  state
      .def(
          "information_state_string",
          [](const PlayState& s, std::optional<int> player) {
            return s.InformationState(SeatOr(s, player));
          },
          "player"_a = py::none(), "All that a player has seen so far, in order: perfect recall.")
      .def(
          "observation_string",
          [](const PlayState& s, std::optional<int> player) {
            return s.dealt() ? ToJson(ViewOf(s, player)).dump() : std::string();
          },
          "player"_a = py::none(), "What a player sees now: its view as JSON.")
      .def(
          "observation_tensor",
          [](const PlayState& s, std::optional<int> player) {
            return NumbersOf(ViewOf(s, player));
          },
          "player"_a = py::none(),
          "What a player sees now, as numbers; civ.planes() says what they mean.")
      .def(
          "observe",
          [](const PlayState& s, const py::object& out, std::optional<int> player) {
            ObserveInto(ViewOf(s, player), out);
          },
          "out"_a, "player"_a = py::none(),
          "Writes those numbers into an array of float32 or uint8.")
      .def("view", &ViewOf, "player"_a = py::none(), "What a player may see, and nothing else.")
      .def("resample_from_infostate", &Resampled, "player"_a, "sampler"_a,
           "A game that the player cannot tell from this one: what it has not seen is dealt anew. "
           "sampler is a seed or a function that gives numbers from 0 to 1.")
      .def(
          "record", [](const PlayState& s) { return RecordOf(s).Dump(); },
          "The game as a record, civ-game/1.")
      .def_static("from_record", &FromRecord, "record"_a,
                  "The state after all actions of a record, which is checked.")
      .def(
          "to_json",
          [](const PlayState& s) {
            if (!s.dealt()) throw py::value_error("no card has been dealt yet");
            return ToJson(s.game().state).dump();
          },
          "The whole state as JSON, hidden cards included.")
      .def_static("from_json", &FromJson, "state"_a,
                  "A state from its JSON. How it came about is not known.")
      .def_property_readonly("has_deal", &PlayState::has_deal);
}

void BindState(py::module_& module) {
  py::class_<PlayState> state(module, "State", "A game under way, with its course.");
  BindDecisions(state);
  BindResults(state);
  state
      .def(
          "num_players", [](const PlayState& s) { return int{s.config().players}; },
          "How many players there are.")
      .def(
          "num_distinct_actions", [](const PlayState&) { return kActionCodes; },
          "Actions are numbers below this one.")
      .def("get_game", &KindOf, "The game that this is a state of.")
      .def(
          "clone", [](const PlayState& s) { return s; }, "A copy that goes its own way.")
      .def("__copy__", [](const PlayState& s) { return s; })
      .def(
          "__deepcopy__", [](const PlayState& s, const py::dict&) { return s; }, "memo"_a)
      .def(
          "history",
          [](const PlayState& s) {
            const auto history = s.History();
            return std::vector<int>(history.begin(), history.end());
          },
          "All actions so far, those of chance among them where it is explicit.")
      .def(
          "move_number", [](const PlayState& s) { return s.History().size(); },
          "How many they are.");
  BindKnowledge(state);
}

void BindView(py::module_& module) {
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

PYBIND11_MODULE(_civ, module) {
  BindGame(module);
  BindView(module);
  BindState(module);
  BindBots(module);
  BindBatch(module);
  module.def("_planes", &PlaneList, "players"_a);
  module.def(
      "action_name",
      [](int action) {
        if (action >= 0 && action < kActionCodes)
          if (const Action named = {static_cast<uint8_t>(action)};
              ParseAction(NameOf(named)) == named)
            return NameOf(named);
        Raise({"error.action", {{"action", std::to_string(action)}}});
      },
      "action"_a);
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
