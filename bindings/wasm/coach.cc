// The coach for a page (docs/analysis.md).
//
// A request is {"view":{…},"played":["play M1","end"],"iterations":1000,"seed":1}: what the
// deciding seat did from this view. The answer is {"ok":true,"mistake":null} or
// {"ok":true,"mistake":{"better":["play R1","end"],"lost":0.14,"reasons":[…],"told":[[…],[…]]}}:
// what was better, how much was lost, why, and what was played and what is better in short, as
// messages (docs/guide.md). Without "played" it only thinks ahead, so that the answer to the same
// view with it comes sooner; it is the same answer. Iterations and seed may be left out. With
// "pacts", as a look at a record gives them, nothing is better that would break one.
#include "civ/analysis/coach.h"

#include "bindings/wasm/civ.h"
#include "civ/analysis/analysis.h"
#include "civ/guide/danger.h"
#include "civ/guide/puzzle.h"
#include "civ/notation/json.h"
#include "civ/notation/notation.h"
#include "civ/notation/talk.h"

namespace civ {
namespace {

constexpr int kMostIterations = 1'000'000;

std::string Refuse(const Error& error) {
  return Json{{"ok", false}, {"error", Describe(error)}}.dump();
}

Json ToJson(const View& view, const Line& played, const Mistake& mistake) {
  Json better = Json::array();
  for (const Action action : mistake.better) better.push_back(NameOf(action));
  return {{"better", better},
          {"lost", mistake.lost},
          {"reasons", ToJson(mistake.reasons)},
          {"told", {ToJson(TellLine(view, played)), ToJson(TellLine(view, mistake.better))}}};
}

// Looked for once for each view.
const Line& Better(const View& view, const Coaching& coaching, const Diplomacy& pacts) {
  static std::string known;
  static Line better;
  const std::string asked =
      Json{ToJson(view), coaching.iterations, coaching.seed, ToJson(pacts)}.dump();
  if (asked != known) better = BetterLine(view, coaching, pacts);
  known = asked;
  return better;
}

std::string AnswerCoach(std::string_view text) {
  const Expected<Json> json = ParseJson(text);
  if (!json) return Refuse(json.error());
  Reader request(*json);
  Coaching coaching;
  if (request.Has("iterations"))
    coaching.iterations = request.Int("iterations", 1, kMostIterations);
  if (request.Has("seed")) coaching.seed = request.Number("seed");
  const Json names = request.Has("played") ? request.Array("played") : Json::array();
  const Json& seen = request.Field("view");
  if (!request.ok()) return Refuse(*request.error);
  const Expected<View> view = ViewFromJson(seen);
  if (!view) return Refuse(view.error());
  if (view->viewer != view->seat) return Refuse({"error.view.not-deciding", {}});
  const Expected<std::vector<Action>> played = ActionsFrom(names);
  if (!played) return Refuse(played.error());
  if (const Expected<bool> legal = Plays(*view, *played); !legal) return Refuse(legal.error());
  const Expected<Diplomacy> pacts =
      request.Has("pacts") ? DiplomacyFromJson(request.Field("pacts"), view->config) : Diplomacy();
  if (!pacts) return Refuse(pacts.error());
  const Line& better = Better(*view, coaching, *pacts);
  const std::optional<Mistake> mistake = MistakeIn(*view, *played, better, coaching);
  return Json{{"ok", true}, {"mistake", mistake ? ToJson(*view, *played, *mistake) : Json()}}
      .dump();
}

}  // namespace

// The answer to such a request; civ_length is its length.
CIV_EXPORT(civ_coach) const char* CoachOf(const char* request, size_t length) {
  return SetAnswer(AnswerCoach({request, length}));
}

}  // namespace civ
