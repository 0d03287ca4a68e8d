#include "civ/notation/referee.h"

#include "civ/notation/checked.h"
#include "civ/notation/notation.h"
#include "civ/rules/perft.h"
#include "civ/view/deal.h"
#include "civ/view/sample.h"

namespace civ {
namespace {

constexpr int kDeepestPerft = 6;

Json NamesOf(const ActionSet& actions) {
  Json list = Json::array();
  for (const Action action : actions) list.push_back(NameOf(action));
  return list;
}

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string Referee::Refuse(const Error& error) const {
  return Dump({{"ok", false}, {"error", hooks_.describe(error)}});
}

std::optional<std::string> Referee::Answer(std::string_view line) {
  if (line.size() > kLongestLine) return Refuse({"error.line-too-long", {}});
  if (line.find_first_not_of(" \t\r\n") == line.npos) return Refuse({"error.empty-line", {}});
  const Expected<Json> json = ParseJson(line);
  if (!json) return Refuse(json.error());
  Reader request(*json);
  const std::string command = request.Text("cmd");
  if (!request.ok()) return Refuse(*request.error);
  if (command == "quit") return std::nullopt;
  const Expected<Json> answer = Respond(request, command);
  return answer ? Dump(*answer) : Refuse(answer.error());
}

Expected<Json> Referee::Respond(Reader& request, const std::string& command) {
  if (command == "new") return NewGame(request);
  if (command == "load") return Load(request);
  if (command == "legal") return LegalFromView(request);
  if (command == "sample") return SampleView(request);
  const bool needs_game = command == "apply" || command == "view" || command == "perft";
  if (!needs_game) return Error{"error.command", {{"command", command}}};
  if (!game_) return Error{"error.no-game", {}};
  if (command == "apply") return Act(request);
  if (command == "view") return Show(request);
  return Count(request);
}

Json Referee::Position() const {
  return {{"ok", true}, {"state", ToJson(game_->state)}, {"legal", NamesOf(Legal(game_->state))}};
}

Expected<Json> Referee::NewGame(Reader& request) {
  Config config = request.Configuration(true);
  const bool given = request.Has("first") || request.Has("deck");
  if (given && request.Has("seed")) request.Fail("error.seed-and-deck");
  if (given && !(request.Has("first") && request.Has("deck"))) request.Fail("error.first-and-deck");
  if (given) {
    config.first = static_cast<Seat>(request.Int("first", 0, config.players - 1));
    const std::vector<Kind> deck = request.List("deck");
    if (!request.ok()) return *request.error;
    const Expected<State> dealt = CheckedNew(config, deck);
    if (!dealt) return dealt.error();
    game_.emplace(*dealt);
    return Position();
  }
  const uint64_t seed = request.Has("seed") ? request.Number("seed") : hooks_.random_seed();
  if (!request.ok()) return *request.error;
  const Deal deal = DealFromSeed(config, seed);
  game_.emplace(New(deal.config, deal.deck.Span()));
  Json answer = Position();
  answer["seed"] = seed;
  return answer;
}

Expected<Json> Referee::Act(Reader& request) {
  const std::string name = request.Text("action");
  if (!request.ok()) return *request.error;
  const std::optional<Action> action = ParseAction(name);
  if (!action) return Error{"error.action", {{"action", name}}};
  if (const std::optional<Error> wrong = CheckedApply(*game_, *action)) return *wrong;
  return Position();
}

Expected<Json> Referee::Load(Reader& request) {
  const Json& json = request.Field("state");
  if (!request.ok()) return *request.error;
  const Expected<State> state = StateFromJson(json);
  if (!state) return state.error();
  game_.emplace(*state);
  return Position();
}

Expected<Json> Referee::Show(Reader& request) {
  const Seat seat = request.SeatOrNone("seat", game_->state.config.players);
  if (!request.ok()) return *request.error;
  return Json{{"ok", true},
              {"view", ToJson(MakeView(game_->state, game_->knowledge,
                                       seat == kNone ? kSpectator : seat))}};
}

Expected<Json> Referee::Count(Reader& request) {
  const int depth = request.Int("depth", 0, kDeepestPerft);
  if (!request.ok()) return *request.error;
  return Json{{"ok", true}, {"nodes", Perft(game_->state, depth)}};
}

Expected<Json> Referee::LegalFromView(Reader& request) {
  const Json& json = request.Field("view");
  if (!request.ok()) return *request.error;
  const Expected<View> view = ViewFromJson(json);
  if (!view) return view.error();
  if (view->seat != kNone && view->viewer != view->seat)
    return Error{"error.view.not-deciding", {}};
  return Json{{"ok", true}, {"legal", NamesOf(Legal(*view))}};
}

Expected<Json> Referee::SampleView(Reader& request) const {
  const Json& json = request.Field("view");
  const uint64_t seed = request.Has("seed") ? request.Number("seed") : hooks_.random_seed();
  if (!request.ok()) return *request.error;
  const Expected<View> view = ViewFromJson(json);
  if (!view) return view.error();
  Random random(seed);
  const std::optional<State> state = Sample(*view, random);
  if (!state) return Error{"error.view.impossible", {}};
  return Json{{"ok", true}, {"state", ToJson(*state)}};
}

}  // namespace civ
