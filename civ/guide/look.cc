#include "civ/guide/look.h"

#include "civ/guide/branch.h"
#include "civ/guide/danger.h"
#include "civ/guide/ending.h"
#include "civ/guide/json.h"
#include "civ/guide/offer.h"
#include "civ/guide/pacts.h"
#include "civ/guide/puzzle.h"
#include "civ/notation/notation.h"
#include "civ/notation/referee.h"
#include "civ/notation/talk.h"
#include "civ/view/deal.h"
#include "civ/view/sample.h"

namespace civ {
namespace {

constexpr size_t kMostActions = 10'000;  // games have a few hundred

// The latest moment before this one, in the same turn, at which a step of the turn began, unless
// something was revealed since then.
std::optional<size_t> BackFrom(const Course& course) {
  const State& now = course.states.back();
  for (size_t i = course.actions.size(); i-- > 0;) {
    const State& before = course.states[i];
    if (before.turn != now.turn || before.seat != now.seat ||
        Reveals(MakeView(before, {}, before.seat), course.actions[i]))
      return std::nullopt;
    if (before.step == Step::Play || before.step == Step::Effects) return i;
  }
  return std::nullopt;
}

View ViewOf(const State& state, const Knowledge& knowledge, const Listener& to) {
  View view = MakeView(state, knowledge, to.seat);
  for (Seat seat = 0; to.open && seat < state.config.players; ++seat) {
    view.hands[seat].cards = state.hands[seat];
    view.packs[seat].cards = state.packs[seat];
  }
  return view;
}

bool IsForfeit(const Record& record) {
  return record.result.is_object() && record.result.value("by", Json()) == "forfeit";
}

// With the course as far as the moment looked at, and what was known then.
Look LookAlong(const Record& record, const Course& course, const Knowledge& knowledge, size_t from,
               const Listener& to) {
  Look look{TellCourse(course, from, to),
            ViewOf(course.states.back(), knowledge, to),
            to.open,
            {},
            BackFrom(course),
            record.actions.size(),
            {}};
  look.guide = MakeGuide(look.view);
  look.guide.missed = TellMissed(course, to);
  if (course.actions.size() == record.actions.size() && IsForfeit(record))
    look.guide.ending = {TellForfeit(record.result)};
  return look;
}

}  // namespace

Look LookAt(const Record& record, size_t at, size_t from, const Listener& to) {
  std::vector<State> states = {New(record.config, record.deck)};
  states.reserve(at + 1);
  Knowledge knowledge;
  for (size_t i = 0; i < at; ++i) {
    knowledge.Observe(states.back(), record.actions[i]);
    states.push_back(states.back());
    Apply(states.back(), record.actions[i]);
  }
  return LookAlong(record, {states, std::span(record.actions).first(at)}, knowledge, from, to);
}

Expected<Preview> LookAhead(const View& view, const std::vector<std::string>& actions,
                            Diplomacy* pacts) {
  if (actions.empty()) return Preview{view};
  Random random(0);
  std::optional<Game> found = GameThatFits(view, random);
  if (!found) return Error{"error.view.impossible", {}};
  Game& game = *found;
  bool reveals = false;
  for (const std::string& name : actions) {
    const std::optional<Action> action = ParseAction(name);
    if (!action) return Error{"error.action", {{"action", name}}};
    if (reveals) continue;  // what is legal now depends on what would have been seen
    if (game.state.seat != view.viewer) return Error{"error.view.not-deciding", {}};
    const View before = MakeView(game.state, game.knowledge, view.viewer);
    if (const std::optional<Error> wrong = CheckedApply(game, *action)) return *wrong;
    reveals = Reveals(before, *action);
    if (pacts != nullptr) pacts->Act(before, *action, game.state, 0);
  }
  return reveals ? Preview{} : Preview{MakeView(game.state, game.knowledge, view.viewer)};
}

std::vector<std::string> ThenIn(Reader& request) {
  std::vector<std::string> actions;
  if (!request.Has("then")) return actions;
  for (const Json& name : request.Array("then"))
    actions.push_back(name.is_string() ? name.get<std::string>() : name.dump());
  return actions;
}

namespace {

Message MessageOf(const RecordError& wrong) {
  Message why = MessageOf(wrong.error);
  if (wrong.action == RecordError::kHeader) return why;
  if (wrong.at_end) return {"record.wrong-end", {{"why", Messages{why}}}};
  const int number = wrong.action + 1;
  if (wrong.table.step == Step::Over)
    return {"record.wrong-after", {{"number", number}, {"why", Messages{why}}}};
  return {"record.wrong-action",
          {{"number", number},
           {"turn", wrong.table.turn},
           {"name", Who{wrong.table.seat}},
           {"why", Messages{why}}}};
}

std::string AnswerView(Reader& request) {
  const Expected<View> view = ViewFromJson(request.Field("view"));
  if (!view) return Refusal(MessageOf(view.error()));
  const std::vector<std::string> actions = ThenIn(request);
  if (!request.ok()) return Refusal(MessageOf(*request.error));
  const Expected<Preview> ahead = LookAhead(*view, actions);
  if (!ahead) return Refusal(MessageOf(ahead.error()));
  if (!ahead->view) return R"({"ok":true,"reveals":true})";
  JsonText answer;
  answer.Open('{').Key("ok").Raw("true").Key("view").Raw(Dump(ToJson(*ahead->view)));
  Put(answer.Key("guide"), MakeGuide(*ahead->view), view->config);
  return answer.Close('}').text();
}

std::string Give(const Record& record) {
  return JsonText()
      .Open('{')
      .Key("ok")
      .Raw("true")
      .Key("record")
      .Raw(record.Dump())
      .Close('}')
      .text();
}

std::string AnswerDeal(Reader& request) {
  Reader table(request.Field("deal"));
  const Config config = table.Configuration(true);
  const uint64_t seed = request.Number("seed");
  for (const Reader* reader : {&request, &table})
    if (!reader->ok()) return Refusal(MessageOf(*reader->error));
  const Deal deal = DealFromSeed(config, seed);
  Record record;
  record.config = deal.config;
  record.deck.assign(deal.deck.Span().begin(), deal.deck.Span().end());
  return Give(record);
}

}  // namespace

// The record that is looked at: a whole one, or the last with other actions after some of its own.
std::optional<Message> Looker::Read(Reader& request) {
  const bool goes_on = has_record_ && request.Has("more");
  const Json& json = request.Field(goes_on ? "more" : "record");
  if (!request.ok()) return MessageOf(*request.error);
  size_t kept = 0;
  if (goes_on) {
    Reader more(json);
    kept =
        static_cast<size_t>(more.Int("kept", 0, static_cast<int>(reader_.record().actions.size())));
    more.Array("actions");
    if (!more.ok()) return MessageOf(*more.error);
  }
  const auto actions = json.is_object() ? json.find("actions") : json.end();
  if (json.is_object() && actions != json.end() && actions->is_array() &&
      kept + actions->size() > kMostActions)
    return MessageOf(
        Error{"error.too-long", {{"field", "actions"}, {"most", std::to_string(kMostActions)}}});
  const auto wrong = goes_on ? reader_.GoOn(kept, *actions) : reader_.Read(json);
  has_record_ = !wrong;
  return wrong ? std::optional(MessageOf(*wrong)) : std::nullopt;
}

std::string Looker::AnswerRecord(Reader& request) {
  if (const std::optional<Message> wrong = Read(request)) return Refusal(*wrong);
  const Record& record = reader_.record();
  const int length = static_cast<int>(record.actions.size());
  const int at = request.Has("at") ? request.Int("at", 0, length) : length;
  const int from = request.Has("from") ? request.Int("from", 0, at) : at;
  Listener to;
  if (const Seat seat =
          request.Has("seat") ? request.SeatOrNone("seat", record.config.players) : kNone;
      seat != kNone)
    to.seat = seat;
  to.you = request.Has("you") && request.Bool("you");
  to.open = request.Has("open") && request.Bool("open");
  const uint64_t anew = request.Has("anew") ? request.Number("anew") : 0;
  if (!request.ok()) return Refusal(MessageOf(*request.error));
  const auto moment = static_cast<size_t>(at);
  if (request.Has("anew")) return Give(DealAnew(record, moment, to.seat, anew));
  const Course course = {reader_.states().first(moment + 1),
                         std::span(record.actions).first(moment)};
  Look look = LookAlong(record, course, reader_.knowledge()[moment], static_cast<size_t>(from), to);
  const Expected<std::vector<Said>> said =
      request.Has("talk") ? TalkOfGameFromJson(request.Field("talk"), record.config)
                          : TalkIn(record);
  if (!said) return Refusal(MessageOf(said.error()));
  if (request.Has("talk") || (record.comments.is_object() && record.comments.contains("talk")))
    look.pacts = FoldTalk(course.states, course.actions, *said);
  JsonText answer;
  Put(answer, look);
  return answer.text();
}

std::string Looker::Answer(std::string_view text) {
  if (text.size() > Referee::kLongestLine) return Refusal({"error.line-too-long", {}});
  const Expected<Json> json = ParseJson(text);
  if (!json) return Refusal(MessageOf(json.error()));
  Reader request(*json);
  if (!request.ok()) return Refusal(MessageOf(*request.error));
  if (request.Has("deal")) return AnswerDeal(request);
  if (request.Has("puzzle")) return AnswerPuzzle(request);
  if (request.Has("view")) return AnswerView(request);
  return request.Has("talk") && request.Field("talk").is_object() ? AnswerTalk(request)
                                                                  : AnswerRecord(request);
}

std::string AnswerLook(std::string_view text) { return Looker().Answer(text); }

}  // namespace civ
