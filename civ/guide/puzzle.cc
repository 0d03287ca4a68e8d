#include "civ/guide/puzzle.h"

#include <algorithm>
#include <bit>

#include "civ/guide/danger.h"
#include "civ/guide/ending.h"
#include "civ/guide/json.h"
#include "civ/guide/reason.h"
#include "civ/notation/notation.h"
#include "civ/view/threat.h"
#include "civ/view/turn.h"

namespace civ {
namespace {

bool IsSafe(const View& at) {
  for (Seat other = at.Next(at.viewer); other != at.viewer; other = at.Next(other))
    if (ThreatOf(at, other)) return false;
  return true;
}

// The own column that lacks least for Hegemony.
Domain NearestOf(const View& at) {
  Domain nearest{};
  int least = kCards;
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    const int lacks = LackFor(at, at.viewer, domain);
    if (lacks < least) nearest = domain;
    least = std::min(least, lacks);
  }
  return nearest;
}

Messages StillThere(const View& at) {
  Messages threats;
  for (Seat other = at.Next(at.viewer); other != at.viewer; other = at.Next(other))
    if (const std::optional<Threat> threat = ThreatOf(at, other))
      threats.push_back({"puzzle.still",
                         {{"name", Who{other}},
                          {"domains", DomainList{threat->domains}},
                          {"how", TellWay(at, other, *threat)}}});
  return threats;
}

}  // namespace

Expected<bool> Plays(const View& view, std::span<const Action> turn) {
  State state = Planned(view);
  bool over = false;
  for (const Action action : turn) {
    if (over) return Error{"error.action", {{"action", NameOf(action)}}};
    if (!Legal(state).Contains(action)) return IllegalAction(state, action);
    over = action == kEnd || IsUnseen(action);
    if (!over) Apply(state, action);
  }
  return over;
}

std::string EndingOf(const View& view, std::span<const Action> turn) {
  const View at = BeforeLast(view, turn);
  std::string text(1, static_cast<char>(turn.back().code));
  const auto add = [&](int number) { text += static_cast<char>(number); };
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    for (Seat seat = 0; seat < at.config.players; ++seat) {
      add(at.Count(seat, domain));
      add(HegemonyNeed(at, seat, domain));
    }
    add(at.hands[at.viewer].cards.Of(domain).Count());
    add(at.discard.Of(domain).Count());
  }
  for (Seat seat = 0; seat < at.config.players; ++seat) add(at.Embargoed(seat));
  add(at.hand_size);
  return text;
}

bool Reaches(Goal goal, const View& at) {
  return HegemonyOf(at, at.viewer) != kNone || WinsByMajority(at, at.viewer) ||
         (goal == Goal::Stop && IsSafe(at));
}

bool Solves(const Puzzle& puzzle, std::span<const Action> turn) {
  if (puzzle.goal == Goal::Best) {
    const std::string ending = EndingOf(puzzle.view, turn);
    const auto is_same = [&](const auto& right) { return EndingOf(puzzle.view, right) == ending; };
    return is_same(puzzle.answer) || std::ranges::any_of(puzzle.others, is_same);
  }
  return turn.back() == kEnd && Reaches(puzzle.goal, BeforeLast(puzzle.view, turn));
}

Messages WhyWrong(const Puzzle& puzzle, std::span<const Action> turn) {
  if (puzzle.goal == Goal::Best) {
    Messages reasons = ReasonsFor(puzzle.view, puzzle.answer, turn);
    reasons.insert(reasons.begin(), {"puzzle.better", {{"points", puzzle.margin}}});
    return reasons;
  }
  if (turn.back() != kEnd) return {{"puzzle.unseen", {}}};
  const View at = BeforeLast(puzzle.view, turn);
  if (puzzle.goal == Goal::Stop) return StillThere(at);
  if (puzzle.goal == Goal::Majority) return {TellLeader(at)};
  const Domain nearest = NearestOf(at);
  return {{"puzzle.short",
           {{"domain", nearest},
            {"count", at.Count(at.viewer, nearest)},
            {"need", HegemonyNeed(at, at.viewer, nearest)}}}};
}

Messages WhyRight(const Puzzle& puzzle) {
  Messages reasons = ReasonsFor(puzzle.view, puzzle.answer);
  if (puzzle.goal == Goal::Best) reasons.push_back({"puzzle.margin", {{"points", puzzle.margin}}});
  return reasons;
}

Domain TopicOf(const Puzzle& puzzle) {
  const View& view = puzzle.view;
  if (puzzle.goal == Goal::Win)
    return static_cast<Domain>(HegemonyOf(BeforeLast(view, puzzle.answer), view.viewer));
  if (puzzle.goal == Goal::Stop)
    for (Seat other = view.Next(view.viewer); other != view.viewer; other = view.Next(other))
      if (const std::optional<Threat> threat = ThreatOf(view, other))
        return static_cast<Domain>(std::countr_zero(static_cast<unsigned>(threat->domains)));
  for (const Action action : puzzle.answer)
    if (!action.NamesCard() && action != kEnd) {
      if (action.IsCopy()) return Domain::Culture;
      return IsPermanent(action.effect()) ? DomainOf(action.effect()) : CostOf(action.effect());
    }
  return puzzle.answer[0] == kSkip ? Domain{} : DomainOf(puzzle.answer[0].kind());
}

Expected<std::vector<Action>> ActionsFrom(const Json& names) {
  std::vector<Action> actions;
  for (const Json& name : names) {
    const std::optional<Action> action =
        name.is_string() ? ParseAction(name.get<std::string>()) : std::nullopt;
    if (!action) return Error{"error.action", {{"action", Dump(name)}}};
    actions.push_back(*action);
  }
  return actions;
}

std::string AnswerPuzzle(Reader& request) {
  const std::string text = request.Text("puzzle");
  const Json& names = request.Has("turn") ? request.Array("turn") : Json::array();
  if (!request.ok()) return Refusal(MessageOf(*request.error));
  const Expected<Puzzle> puzzle = PuzzleFromText(text);
  if (!puzzle) return Refusal(MessageOf(puzzle.error()));
  JsonText answer;
  answer.Open('{').Key("ok").Raw("true");
  if (request.Has("turn")) {
    const Expected<std::vector<Action>> turn = ActionsFrom(names);
    if (!turn) return Refusal(MessageOf(turn.error()));
    const Expected<bool> over = Plays(puzzle->view, *turn);
    if (!over) return Refusal(MessageOf(over.error()));
    if (!*over) return R"({"ok":true,"over":false})";
    const bool right = Solves(*puzzle, *turn);
    answer.Key("over").Raw("true").Key("right").Raw(right ? "true" : "false").Key("why");
    PutAll(answer, right ? WhyRight(*puzzle) : WhyWrong(*puzzle, *turn));
    return answer.Close('}').text();
  }
  answer.Key("goal").Name(NameOf(puzzle->goal)).Key("level").Number(puzzle->level);
  PutActions(answer.Key("answer"), puzzle->answer);
  answer.Key("view").Raw(Dump(ToJson(puzzle->view)));
  Put(answer.Key("guide"), MakeGuide(puzzle->view), puzzle->view.config);
  return answer.Close('}').text();
}

}  // namespace civ
