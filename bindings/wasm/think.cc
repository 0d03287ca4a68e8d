// The bots for a page: what one of them thinks about a view. In a module of its own, because it is
// larger and may come later.
//
// A request is {"view":{…},"bot":"level4","ms":250,"iterations":1000,"seed":7,"why":1}; the limits
// may be left out for the bot's own, the seed for 0. The answer is {"ok":true,"action":"play
// M1","iterations":1000,"judgements":[{"action":…,"weight":…,"chances":[…]},…]}, best first, or
// {"ok":false,"error":{"key":…,"args":{…}}}. So many judgements as "why" says also have "reasons",
// messages (docs/guide.md). With "pacts", as a look at a record gives them, and if it likes a
// "character", the bot takes part in talk (docs/diplomacy.md), and the answer may have "say", to be
// said before the action. With "keeps" as well it is advice to somebody who keeps the pacts:
// nothing is said, and what breaks one is left out of every thought, also of the others. The host's
// clock says how time passes: one that says infinity stops the bot.
#include <memory>
#include <optional>
#include <string>

#include "bindings/wasm/civ.h"
#include "civ/analysis/advice.h"
#include "civ/analysis/analysis.h"
#include "civ/bots/diplomat.h"
#include "civ/bots/signature.h"
#include "civ/notation/json.h"
#include "civ/notation/notation.h"
#include "civ/notation/talk.h"

extern "C" [[clang::import_module("civ"), clang::import_name("now")]] double civ_now();

namespace civ {

std::chrono::nanoseconds SteadyClock() {
  constexpr double kNever = 9e12;  // infinity and beyond
  const double milliseconds = civ_now();
  return std::chrono::microseconds(
      static_cast<int64_t>(1000 * (milliseconds < kNever ? milliseconds : kNever)));
}

namespace {

std::string Text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string Refuse(const Error& error) { return Text({{"ok", false}, {"error", Describe(error)}}); }

// A number of a request that is at least 0; anything else counts as 0.
int64_t Number(const Json& request, const char* name) {
  const auto found = request.find(name);
  return found != request.end() && found->is_number_unsigned() ? found->get<int64_t>() : 0;
}

Json ToJson(const Judgement& judgement, int players) {
  Json chances = Json::array();
  for (int seat = 0; seat < players; ++seat)
    chances.push_back(judgement.chances[static_cast<size_t>(seat)]);
  return {{"action", NameOf(judgement.action)}, {"weight", judgement.weight}, {"chances", chances}};
}

Limits LimitsOf(const Json& request, const std::string& bot) {
  const Limits limits = {.iterations = Number(request, "iterations"),
                         .time = std::chrono::milliseconds(Number(request, "ms"))};
  return limits.iterations > 0 || limits.time.count() > 0 ? limits : DefaultLimits(bot);
}

// The bot that is asked, with what it remembers as long as it is the same one.
Bot* BotOf(const std::string& name) {
  static std::unique_ptr<Bot> bot;
  static std::string name_of_bot;
  if (bot == nullptr || name != name_of_bot) bot = MakeBot(name);
  name_of_bot = name;
  return bot.get();
}

Character CharacterIn(const Json& request, const View& view) {
  const auto named = request.find("character");
  for (int i = 0; named != request.end() && i < kCharacters; ++i)
    if (const auto character = static_cast<Character>(i); *named == NameOf(character))
      return character;
  return CharacterOf(view.config, view.seat);
}

// The pacts of a bot that talks; none otherwise.
Expected<std::optional<Diplomacy>> PactsIn(const Json& request, const std::string& name,
                                           const View& view) {
  const auto found = request.find("pacts");
  if (found == request.end() || !Talks(name)) return std::optional<Diplomacy>();
  const Expected<Diplomacy> pacts = DiplomacyFromJson(*found, view.config);
  if (!pacts) return pacts.error();
  return std::optional(*pacts);
}

Decision Ask(Bot& bot, const std::string& name, const View& view, const Json& request,
             const std::optional<Diplomacy>& pacts) {
  const Limits limits = LimitsOf(request, name);
  const auto seed = static_cast<uint64_t>(Number(request, "seed"));
  if (pacts && request.value("keeps", Json()) != true)
    return Decide(bot, view, *pacts, CharacterIn(request, view), limits, seed);
  const Thought thought =
      pacts ? Advise(bot, view, limits, seed, *pacts) : bot.Think(view, limits, seed);
  return {.say = {}, .action = thought.best, .thought = thought};
}

std::string Think(std::string_view text) {
  const Expected<Json> request = ParseJson(text);
  if (!request) return Refuse(request.error());
  if (!request->is_object() || !request->contains("view")) return Refuse({"error.json", {}});
  const Expected<View> view = ViewFromJson((*request)["view"]);
  if (!view) return Refuse(view.error());
  if (view->viewer != view->seat) return Refuse({"error.view.not-deciding", {}});
  const auto named = request->find("bot");
  const std::string name =
      named != request->end() && named->is_string() ? named->get<std::string>() : "master";
  Bot* bot = BotOf(name);
  if (bot == nullptr) return Refuse({"error.bot", {{"bot", name}}});

  const Expected<std::optional<Diplomacy>> pacts = PactsIn(*request, name, *view);
  if (!pacts) return Refuse(pacts.error());
  const Decision decision = Ask(*bot, name, *view, *request, *pacts);
  Json answer = {{"ok", true},
                 {"action", NameOf(decision.action)},
                 {"iterations", decision.thought.iterations},
                 {"judgements", Json::array()}};
  if (decision.say) answer["say"] = ToJson(*decision.say);
  int64_t why = Number(*request, "why");
  for (const Judgement& judgement : decision.thought.judgements) {
    Json& told = answer["judgements"].emplace_back(ToJson(judgement, view->config.players));
    if (why-- > 0)
      told["reasons"] = ToJson(WhyTake(*view, judgement.action, 0, pacts->value_or(Diplomacy())));
  }
  return Text(answer);
}

}  // namespace

// The answer to such a request; civ_length is its length.
CIV_EXPORT(civ_think) const char* ThinkOf(const char* request, size_t length) {
  return SetAnswer(Think({request, length}));
}
CIV_EXPORT(civ_bot_signature) uint64_t BotSignatureOfModule() { return BotSignature(); }

}  // namespace civ
