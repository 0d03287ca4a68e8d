// Kinds of games, and how a game begins.
#include "bindings/python/batch.h"
#include "bindings/python/bind.h"
#include "civ/notation/checked.h"
#include "civ/notation/notation.h"

namespace civ {
namespace {

using namespace py::literals;

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

py::dict Parameters(const GameKind& kind) {
  return py::dict("players"_a = static_cast<int>(kind.config.players),
                  "setup"_a = std::string(NameOf(kind.config.setup)),
                  "edition"_a = std::string(NameOf(kind.config.edition)),
                  "teams"_a = kind.config.teams,
                  "chance"_a = kind.chance_explicit ? "explicit" : "sampled");
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

PlayState FromHistory(const GameKind& kind, const std::vector<int>& history) {
  PlayState state = PlayState::Undealt(kind.config);
  for (const int action : history) ApplyOrRaise(state, action);
  return state;
}

}  // namespace

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

}  // namespace civ
