// States: deciding, results, what players know, and what is stored.
#include "bindings/python/batch.h"
#include "bindings/python/bind.h"
#include "civ/notation/json.h"
#include "civ/notation/notation.h"

namespace civ {
namespace {

using namespace py::literals;

GameKind KindOf(const PlayState& state) {
  Config config = state.config();
  config.first = 0;
  return {config, state.is_explicit()};
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

py::list LegalList(const PlayState& state, std::optional<int> player) {
  if (player && *player != state.CurrentPlayer()) return py::list();
  if (!state.AtChance()) return ListOf(state.LegalActions());
  py::list list;
  for (const auto& [outcome, chance] : state.ChanceOutcomes()) list.append(outcome);
  return list;
}

std::vector<float> ReturnsOf(const PlayState& state) {
  std::vector<float> returns(state.config().players);
  if (state.IsOver()) {
    const auto all = Returns(state.game().state);
    std::copy_n(all.begin(), returns.size(), returns.begin());
  }
  return returns;
}

std::string NameOfAction(const PlayState& state, int player, int action) {
  if (player != kChancePlayer) return ActionName(action);
  for (const auto& [outcome, chance] : state.ChanceOutcomes())
    if (outcome == action)
      return state.History().empty() ? "first " + std::to_string(action)
                                     : "draw " + std::string(NameOf(static_cast<Kind>(action)));
  Raise({"error.action", {{"action", std::to_string(action)}}});
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

PlayState FromRecord(const std::string& text) {
  const Record record = ReadOrRaise(text);
  PlayState state(record.config, record.deck);
  for (const Action action : record.actions) state.Apply(action.code);
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
  if (!found) throw std::runtime_error("no game was found that fits what this player has seen");
  return std::move(*found);
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
      .def("apply_action", &ApplyOrRaise, "action"_a,
           "Does a legal action, and all that follows from it; raises Error, and changes nothing, "
           "if it is not legal.")
      .def(
          "apply", [](PlayState& s, const std::string& name) { ApplyOrRaise(s, ActionCode(name)); },
          "action"_a, "The same for an action by its name, such as \"play M1\".")
      .def(
          "child",
          [](const PlayState& s, int action) {
            PlayState next = s;
            ApplyOrRaise(next, action);
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
      .def("action_to_string", &NameOfAction, "player"_a, "action"_a,
           "What an action means, as in \"play M1\" or \"draw E2\".")
      .def(
          "action_to_string",
          [](const PlayState& s, int action) { return NameOfAction(s, s.CurrentPlayer(), action); },
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

}  // namespace

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

}  // namespace civ
