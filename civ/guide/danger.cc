#include "civ/guide/danger.h"

#include <algorithm>

#include "civ/guide/offer.h"

namespace civ {
namespace {

// --- How -----------------------------------------------------------------------------------------

// A way to win as a list of what is played and used. What effects take or discard is left out.
class Way {
 public:
  Way(const View& view, Seat seat) : known_(view.hands[seat].cards) {}

  void Add(Action action) {
    // Of a hand that is not known something else may be played there, which spoils nothing.
    if (action == kSkip) return;
    if (!action.NamesCard())
      AddEffect(action);
    else if (action.verb() == Verb::Recover)
      AddCards("threat.recover", action.kind(), true);
    else if (action.verb() == Verb::Play)
      AddCards("threat.play", action.kind(), known_[action.kind()] > 0);
    // A card that is taken back or picked is seen by everybody.
    if (action.NamesCard()) Move(action);
  }

  Messages Told() {
    Flush();
    if (told_.empty()) told_.push_back({"threat.enough", {}});
    return std::move(told_);
  }

 private:
  void Move(Action action) {
    if (action.verb() == Verb::Recover || action.verb() == Verb::Take)
      known_ += Cards(action.kind());
    else if (action.verb() == Verb::Play && known_[action.kind()] > 0)
      known_ -= Cards(action.kind());
  }

  void AddEffect(Action action) {
    Flush();
    const Effect effect = action.effect();
    if (action.IsCopy())
      told_.push_back({"threat.copy", {{"effect", effect}}});
    else if (effect == Effect::Attack)
      told_.push_back({"threat.on", {{"effect", effect}, {"domain", action.domain()}}});
    else
      told_.push_back({"threat.use", {{"effect", effect}}});
  }

  // Cards of one Domain are counted together; their Age does not matter.
  void AddCards(std::string_view key, Kind kind, bool sure) {
    if (count_ > 0 && (key != key_ || DomainOf(kind) != domain_ || sure != sure_)) Flush();
    key_ = key;
    domain_ = DomainOf(kind);
    sure_ = sure;
    ++count_;
  }

  void Flush() {
    if (count_ == 0) return;
    Message& told =
        told_.emplace_back(key_, Message::Arguments{{"count", count_}, {"domain", domain_}});
    if (key_ == "threat.play") told.Add("known", sure_ ? "yes" : "no");
    count_ = 0;
  }

  Cards known_;
  Messages told_;
  std::string_view key_;
  Domain domain_{};
  bool sure_ = false;
  int count_ = 0;
};

// --- What stops it -------------------------------------------------------------------------------

bool SameSide(const Config& config, Seat one, Seat other) {
  return one == other || (config.teams && (one ^ other) == 2);
}

// Whether the seat `by` has step 2 of a turn before the turn of the other begins.
bool ComesBefore(const View& view, Seat by, Seat other) {
  if (view.turn == 0 || view.step == Step::Over) return false;
  Seat seat = TurnOf(view);
  while (seat != by && seat != other) seat = view.Next(seat);
  return seat == by;
}

// The table after what `by` did in step 2; whose turn it is stays as it is.
View After(const View& view, const State& state) {
  View after = view;
  static_cast<Public&>(after) = state;
  after.choice = view.choice;
  after.step = view.step;
  after.seat = view.seat;
  after.permanent = view.permanent;
  after.given_up = view.given_up;
  return after;
}

// A threat that was proven is stopped for the time being if it no longer is.
bool Stops(const View& after, Seat seat, const Threat& threat, Domains& left) {
  left = 0;
  if (Threatens(after, seat, threat.proven)) return false;
  if (threat.proven) left = Reachable(after, seat, false);
  return true;
}

// What a threat by another seat may depend on of what an effect that asks for cards changes: levels
// to be copied, Culture, and cards that can be picked up. What is equal in this need not be tried.
uint64_t Mattering(const State& state, const View& before, Seat by) {
  auto matter = static_cast<uint64_t>(state.Count(by, Domain::Culture));
  for (const Domain domain : {Domain::Economy, Domain::Science, Domain::Utopia})
    matter =
        matter << 2 | static_cast<uint64_t>(LevelAt(state.config.players, state.Count(by, domain)));
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    matter = matter << 6 | static_cast<uint64_t>(std::min(state.discard.Of(domain).Count(),
                                                          before.discard.Of(domain).Count()));
  }
  return matter;
}

class Stopping {
 public:
  Stopping(const View& view, Seat by, Seat seat, const Threat& threat)
      : view_(view), by_(by), seat_(seat), threat_(threat) {}

  std::vector<Guide::Stop> All() {
    const State state = InStepTwo(view_, by_);
    for (const Action action : InOrder(Legal(state))) {
      if (action == kEnd) continue;
      if (IsPermanent(action.effect()))
        TryChoices(state, action);
      else if (action.effect() == Effect::Inquisition)
        TryInquisition(action);
      else if (MayHelp(action))
        Try(action, Following(action), {});
    }
    if (by_ == view_.viewer && by_ == view_.seat && view_.step == Step::Play) TryCards();
    return std::move(stops_);
  }

 private:
  // What lies on a column of somebody else, or on one that has nothing to do with it, does not.
  bool MayHelp(Action action) const {
    if (action.effect() == Effect::Breakthrough) return false;
    const Domains matter = threat_.domains | Bit(Domain::Culture);
    if (action.effect() == Effect::Attack) return true;
    return action.seat() == seat_ && (Bit(action.domain()) & matter) != 0;
  }

  View Following(Action action) const {
    State state = InStepTwo(view_, by_);
    state.hands = {};
    Apply(state, action);
    return After(view_, state);
  }

  bool Try(Action action, const View& after, std::vector<Action> then) {
    Domains left = 0;
    const bool stops = Stops(after, seat_, threat_, left);
    if (stops) Add(action, std::move(then), left);
    return stops;
  }

  void Add(Action action, std::vector<Action> then, Domains left) {
    View in_step_two = view_;
    static_cast<Public&>(in_step_two) = InStepTwo(view_, by_);
    Add(action, Offer(action.NamesCard() ? view_ : in_step_two, action), std::move(then), left);
  }

  void Add(Action action, Message offer, std::vector<Action> then, Domains left) {
    const bool now = view_.seat == by_ &&
                     (action.NamesCard() ? view_.step == Step::Play : view_.step == Step::Effects);
    // What leaves nothing possible comes first.
    const auto place =
        left == 0
            ? std::ranges::find_if(stops_, [](const Guide::Stop& stop) { return stop.left != 0; })
            : stops_.end();
    stops_.insert(place, {action, std::move(offer), now, std::move(then), left});
  }

  // An effect that asks for cards: with those that leave least possible. Only one's own hand is
  // known well enough, and what is discarded from it helps nobody.
  void TryChoices(const State& before, Action action) {
    const Domain domain = DomainOf(action.effect());
    if (by_ != view_.viewer || domain == Domain::Military || domain == Domain::Religion) return;
    State state = before;
    Apply(state, action);
    tried_ = {Mattering(before, view_, by_)};
    best_.reset();
    Choose(state);
    if (best_) Add(action, best_->first, best_->second);
  }

  void Choose(const State& state) {
    const bool asks = state.step == Step::Choose && state.seat == by_;
    for (const Action action : asks ? Legal(state) : ActionSet()) {
      State next = state;
      Apply(next, action);
      then_.push_back(action);
      Choose(next);
      then_.pop_back();
    }
    const uint64_t matter = Mattering(state, view_, by_);
    if (asks || std::ranges::find(tried_, matter) != tried_.end()) return;
    tried_.push_back(matter);
    View after = After(view_, state);
    after.hands[by_].cards = state.hands[by_];
    for (size_t age = 0; age < kAges; ++age)
      after.hands[by_].backs[age] =
          static_cast<uint8_t>(state.hands[by_].Of(static_cast<Age>(age + 1)).Count());
    Domains left = 0;
    if (!Stops(after, seat_, threat_, left)) return;
    if (!best_ || (left == 0 && best_->second != 0)) best_.emplace(then_, left);
  }

  // Certain only where as many cards of one's own can be given back as are taken: then the hand is
  // known.
  void TryInquisition(Action action) {
    const Cards own = view_.hands[by_].cards;
    const int count = view_.hands[seat_].Count();
    if (action.seat() != seat_ || by_ != view_.viewer || count == 0 || own.Count() < count) return;
    View taken = Following(action);
    for (size_t age = 0; age < kAges; ++age)
      taken.hands[by_].backs[age] += view_.hands[seat_].backs[age];
    taken.hands[seat_] = {};
    // What helps to win is given last: cards of those Domains, or those that let play more.
    const Domains helping = Bit(Domain::Culture) | Bit(Domain::Utopia);
    for (const Domains last : {threat_.domains, helping}) {
      View after = taken;
      std::vector<Action> then;
      const Cards give = Least(own, count, threat_.domains | helping, last);
      for (int k = 0; k < kKinds; ++k)
        for (int i = 0; i < give[static_cast<Kind>(k)]; ++i) {
          Give(after, static_cast<Kind>(k));
          then.push_back(Action::Name(Verb::Give, static_cast<Kind>(k)));
        }
      if (Try(action, after, std::move(then))) return;
    }
  }

  void Give(View& after, Kind kind) const {
    const size_t age = static_cast<size_t>(AgeOf(kind)) - 1;
    after.hands[seat_].cards += Cards(kind);
    ++after.hands[seat_].backs[age];
    after.hands[by_].cards -= Cards(kind);
    --after.hands[by_].backs[age];
  }

  // Cards that do not help; then those that do; then those to be kept longest.
  static Cards Least(Cards own, int count, Domains help, Domains last) {
    Cards give;
    for (const Domains domains : {~help, help & ~last, +last})
      for (int k = 0; k < kKinds; ++k) {
        const auto kind = static_cast<Kind>(k);
        if ((Bit(DomainOf(kind)) & domains) == 0) continue;
        for (int i = own[kind]; i > 0 && give.Count() < count; --i) give += Cards(kind);
      }
    return give;
  }

  void TryCards() {
    const ActionSet possible = Legal(InStepTwo(view_, by_));
    for (const Action card : Legal(view_)) {
      if (!card.NamesCard() || card == kSkip) continue;
      State state = InStepTwo(view_, by_);
      state.step = Step::Play;
      Apply(state, card);
      Domains left = 0;
      if (Stops(Having(state, card), seat_, threat_, left))
        Add(card, {}, left);
      else
        TryWith(card, state, possible);
    }
  }

  // A card with the discard effect that only it makes possible and that leaves least.
  void TryWith(Action card, const State& played, const ActionSet& possible) {
    std::optional<std::pair<Action, Domains>> best;
    for (const Action action : InOrder(Legal(played))) {
      if (action == kEnd || possible.Contains(action) || IsPermanent(action.effect()) ||
          action.effect() == Effect::Inquisition || !MayHelp(action))
        continue;
      State state = played;
      Apply(state, action);
      Domains left = 0;
      if (!Stops(Having(state, card), seat_, threat_, left)) continue;
      if (!best || (left == 0 && best->second != 0)) best.emplace(action, left);
    }
    if (!best) return;
    const Message effect = Offer(Having(played, card), best->first);
    Add(card,
        {"offer.then", {{"first", Messages{Offer(view_, card)}}, {"second", Messages{effect}}}},
        {best->first}, best->second);
  }

  // What is seen once the card has been played.
  View Having(const State& state, Action card) const {
    View after = view_;
    static_cast<Public&>(after) = state;
    after.hands[by_].cards -= Cards(card.kind());
    --after.hands[by_].backs[static_cast<size_t>(AgeOf(card.kind())) - 1];
    return after;
  }

  const View& view_;
  const Seat by_, seat_;
  const Threat threat_;
  std::vector<Guide::Stop> stops_;
  // Of the effect whose choices are tried:
  std::vector<Action> then_;                                     // those made so far
  std::vector<uint64_t> tried_;                                  // what mattered of the others
  std::optional<std::pair<std::vector<Action>, Domains>> best_;  // the best, and what it leaves
};

// --- Afterwards ----------------------------------------------------------------------------------

// What the one whose step 2 this is could do so that the winner's hand would not do. When a game is
// over, its hands are no secret.
Messages StopsIn(const State& state, Seat winner) {
  View view = MakeView(state, {}, kSpectator);
  view.hands[winner].cards = state.hands[winner];
  const std::optional<Threat> threat = ThreatOf(view, winner);
  Messages stops;
  if (!threat) return stops;
  for (const Guide::Stop& stop : Stopping(view, state.seat, winner, *threat).All())
    if (stop.left == 0)
      stops.push_back(
          {"threat.on", {{"effect", stop.action.effect()}, {"domain", stop.action.domain()}}});
  return stops;
}

}  // namespace

State InStepTwo(const View& view, Seat seat) {
  State state{};
  static_cast<Public&>(state) = view;
  Cards& hand = state.hands[seat] = view.hands[seat].cards;
  constexpr std::array<Kind, kAges> kAny = {Kind::M1, Kind::M2, Kind::M3};
  for (size_t age = 0; age < kAges; ++age)
    for (int i = hand.Of(static_cast<Age>(age + 1)).Count(); i < view.hands[seat].backs[age]; ++i)
      hand += Cards(kAny[age]);
  state.step = Step::Effects;
  state.choice = kNoChoice;
  state.seat = seat;
  if (view.turn == 0 || TurnOf(view) != seat) state.permanent = state.given_up = 0;
  return state;
}

Messages TellWay(const View& view, Seat seat, const Threat& threat) {
  Way way(view, seat);
  for (const Action action : WayOf(view, seat, threat)) way.Add(action);
  return way.Told();
}

Messages TellLine(const View& view, std::span<const Action> line) {
  Way way(view, view.seat);
  for (const Action action : line)
    if (action != kEnd) way.Add(action);
  return way.Told();
}

std::optional<Guide::Danger> DangerOf(const View& view, Seat seat) {
  const std::optional<Threat> threat = ThreatOf(view, seat);
  if (!threat) return std::nullopt;
  Guide::Danger danger{*threat, TellWay(view, seat, *threat), {}};
  const Seat by = view.viewer;
  if (by != kSpectator && !SameSide(view.config, by, seat) && ComesBefore(view, by, seat))
    danger.stops = Stopping(view, by, seat, *threat).All();
  return danger;
}

Messages TellMissed(const Course& course, const Listener& to) {
  const State& end = course.states.back();
  Messages missed;
  if (end.step != Step::Over || !Result(end).hegemony) return missed;
  const Seat winner = TurnOf(end);
  const int first = end.turn - end.config.players + 1;  // the turns since the winner's one before
  unsigned told = 0;
  for (size_t i = 0; i < course.actions.size(); ++i) {
    const State& state = course.states[i];
    if (state.turn < first || state.turn == end.turn || state.step != Step::Effects ||
        SameSide(end.config, state.seat, winner) || (told >> state.seat & 1) != 0)
      continue;
    Messages stops = StopsIn(state, winner);
    if (stops.empty()) continue;
    told |= 1u << state.seat;
    missed.push_back({"ending.could-stop",
                      {{"you", to.Is(state.seat) ? "yes" : "no"},
                       {"name", Who{state.seat}},
                       {"turn", state.turn},
                       {"stops", std::move(stops)}}});
  }
  return missed;
}

}  // namespace civ
