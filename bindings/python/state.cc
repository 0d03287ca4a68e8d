#include "bindings/python/state.h"

#include <algorithm>

#include "bindings/python/worlds.h"
#include "civ/notation/checked.h"
#include "civ/notation/json.h"
#include "civ/notation/notation.h"

namespace civ {
namespace {

// What chance shows a player, beside what follows from actions: its own cards, the backs of the
// others, the Age on top of the deck, the centre of a draft.
std::string Shown(const View& view) {
  std::string text = "[";
  const auto add = [&](Cards cards) {
    for (int k = 0; k < kKinds; ++k)
      for (int i = 0; i < cards[static_cast<Kind>(k)]; ++i) text += NameOf(static_cast<Kind>(k));
    text += '/';
  };
  add(view.hands[view.viewer].cards);
  add(view.packs[view.viewer].cards);
  add(view.centre);
  for (Seat seat = 0; seat < view.config.players; ++seat)
    for (const uint8_t backs : view.hands[seat].backs) text += std::to_string(backs);
  return text + '/' + std::to_string(view.deck_top) + ']';
}

std::string Named(const Public& before, Action action, Seat viewer) {
  return ' ' + std::to_string(before.seat) + ':' + NameFor(before, action, viewer);
}

// Whether the player does not see which card an action names.
bool IsHidden(const Public& before, Action action, Seat player) {
  if (before.seat == player || !action.NamesCard() || action == kSkip) return false;
  if (action.verb() == Verb::Keep) return true;
  return action.verb() == Verb::Give && before.choice.target != player;
}

// All that a hidden action shows of itself: its verb and the Age of a card.
Action Masked(Action action) {
  const Kind first = AgeOf(action.kind()) == Age::I    ? Kind::M1
                     : AgeOf(action.kind()) == Age::II ? Kind::M2
                                                       : Kind::M3;
  return Action::Name(action.verb(), first);
}

}  // namespace

PlayState::PlayState(const Config& config, std::span<const Kind> deck)
    : config_(config), has_deal_(true), now_(New(config, deck)) {
  std::ranges::copy(deck, deck_.cards.begin());
  deck_.size = named_ = static_cast<int>(deck.size());
}

PlayState PlayState::Undealt(const Config& config) {
  PlayState state;
  state.config_ = config;
  state.explicit_ = state.has_deal_ = true;
  state.dealt_ = state.first_known_ = false;
  state.deck_.size = DeckSize(config.players);
  state.needed_ = config.players * (config.setup == Setup::Draft ? 4 : kUsualHand);
  return state;
}

Game PlayState::Start() const { return has_deal_ ? Game(New(config_, deck_.Span())) : start_; }

int PlayState::CurrentPlayer() const {
  if (AtChance()) return kChancePlayer;
  return now_.state.step == Step::Over ? kTerminalPlayer : now_.state.seat;
}

std::vector<uint8_t> PlayState::History() const {
  std::vector<uint8_t> history;
  if (!explicit_) {
    for (const Action action : actions_) history.push_back(action.code);
    return history;
  }
  int place = 0;
  const auto draw = [&](int cards) {
    for (; cards > 0; --cards)
      history.push_back(static_cast<uint8_t>(deck_.cards[static_cast<size_t>(place++)]));
  };
  if (first_known_) history.push_back(config_.first);
  if (!dealt_) {
    draw(named_);
    return history;
  }
  Game game = Start();
  draw(deck_.size - game.state.deck_size);
  for (const Action action : actions_) {
    const int before = game.state.deck_size;
    game.Apply(action);
    history.push_back(action.code);
    draw(before - game.state.deck_size);
  }
  if (pending_) {
    history.push_back(pending_->code);
    draw(named_ - place);
  }
  return history;
}

std::vector<std::pair<int, double>> PlayState::ChanceOutcomes() const {
  std::vector<std::pair<int, double>> outcomes;
  if (!first_known_) {
    for (int seat = 0; seat < config_.players; ++seat)
      outcomes.emplace_back(seat, 1.0 / config_.players);
    return outcomes;
  }
  if (!AtChance()) return outcomes;
  std::array<int, kKinds> left{};
  std::ranges::copy(kCopies, left.begin());
  for (int i = 0; i < named_; ++i) --left[static_cast<size_t>(deck_.cards[static_cast<size_t>(i)])];
  int all = 0;
  const Age age = AgeAt(config_.players, named_);
  for (int k = 0; k < kKinds; ++k)
    if (AgeOf(static_cast<Kind>(k)) == age) all += left[static_cast<size_t>(k)];
  for (int k = 0; k < kKinds; ++k)
    if (const int count = left[static_cast<size_t>(k)];
        count > 0 && AgeOf(static_cast<Kind>(k)) == age)
      outcomes.emplace_back(k, static_cast<double>(count) / all);
  return outcomes;
}

// Puts some cards that are left where chance has named none, so that there is a whole deck.
void PlayState::FillDeck() {
  std::array<int, kKinds> left{};
  std::ranges::copy(kCopies, left.begin());
  for (int i = 0; i < named_; ++i) --left[static_cast<size_t>(deck_.cards[static_cast<size_t>(i)])];
  for (int i = named_; i < deck_.size; ++i) {
    size_t k = 0;
    while (left[k] == 0 || AgeOf(static_cast<Kind>(k)) != AgeAt(config_.players, i)) ++k;
    --left[k];
    deck_.cards[static_cast<size_t>(i)] = static_cast<Kind>(k);
  }
}

void PlayState::DoChance(int outcome) {
  if (!first_known_) {
    config_.first = static_cast<Seat>(outcome);
    first_known_ = true;
    return;
  }
  deck_.cards[static_cast<size_t>(named_++)] = static_cast<Kind>(outcome);
  if (--needed_ > 0) return;
  FillDeck();
  if (!dealt_) {
    dealt_ = true;
    now_ = Start();
    return;
  }
  now_.state.SetDeck(deck_.Span().last(now_.state.deck_size));
  const Action action = *pending_;
  pending_.reset();
  Do(action);
}

void PlayState::Do(Action action) {
  now_.Apply(action);
  actions_.push_back(action);
}

std::optional<Error> PlayState::Apply(int code) {
  if (AtChance()) {
    const auto outcomes = ChanceOutcomes();
    if (std::ranges::find(outcomes, code, &std::pair<int, double>::first) == outcomes.end())
      return Error{"error.action", {{"action", std::to_string(code)}}};
    DoChance(code);
    return std::nullopt;
  }
  if (code < 0 || code > 0xff) return Error{"error.action", {{"action", std::to_string(code)}}};
  const Action action = {static_cast<uint8_t>(code)};
  if (!explicit_) {
    std::optional<Error> error = CheckedApply(now_, action);
    if (!error) actions_.push_back(action);
    return error;
  }
  State after = now_.state;
  if (auto error = CheckedApply(after, action)) return error;
  needed_ = now_.state.deck_size - after.deck_size;
  if (needed_ > 0)
    pending_ = action;
  else
    Do(action);
  return std::nullopt;
}

std::string PlayState::InformationState(Seat player) const {
  if (!dealt_) return {};
  Game game = Start();
  const auto view = [&] { return MakeView(game.state, game.knowledge, player); };
  std::string text = ToJson(view()).dump(), shown = Shown(view());
  for (const Action action : actions_) {
    text += Named(game.state, action, player);
    game.Apply(action);
    if (std::string now = Shown(view()); now != shown) text += shown = std::move(now);
  }
  if (pending_) text += Named(game.state, *pending_, player);
  return text;
}

// What was done, but with other cards; nothing if the player would have seen a difference.
std::optional<PlayState> PlayState::Replay(const World& world, Seat player,
                                           const std::string& seen) const {
  PlayState other = *this;
  other.deck_ = world.deck();
  other.actions_.clear();
  other.now_ = other.Start();
  std::vector<Kind> moved = world.moved();
  auto next = moved.begin();
  Game game = Start();
  for (Action action : actions_) {
    const Action done = action;
    if (IsHidden(game.state, action, player)) {
      const Choice& choice = game.state.choice;
      if (action.verb() == Verb::Give && choice.from == kNone)  // all are named in card order
        std::sort(next, next + std::min<ptrdiff_t>(choice.left, moved.end() - next));
      action = Action::Name(action.verb(), *next++);
    }
    if (!Legal(other.now_.state).Contains(action)) return std::nullopt;
    other.Do(action);
    game.Apply(done);
  }
  const ActionSet legal = Legal(other.now_.state);
  if (pending_ ? !legal.Contains(*pending_) : legal.Empty() != IsOver()) return std::nullopt;
  if (other.InformationState(player) != seen) return std::nullopt;
  return other;
}

// Nothing that the player has not seen is looked at: what is found depends on the information state
// and on chance alone.
std::optional<PlayState> PlayState::Resample(Seat player, Random& random) const {
  if (!has_deal_) return std::nullopt;
  if (!dealt_) return Redealt(random);
  Game game = Start();
  const auto view = [&] { return MakeView(game.state, game.knowledge, player); };
  const View start = view();
  std::vector<Sight> course;
  for (const Action action : actions_) {
    const bool hidden = IsHidden(game.state, action, player);
    game.Apply(action);
    course.push_back({hidden ? Masked(action) : action, hidden, view()});
  }
  const std::string seen = InformationState(player);
  for (int tries = kFirstTries; tries <= kMostTries; tries *= 8)
    for (const World& world : Fitting(start, course, tries, random))
      if (auto found = Replay(world, player, seen)) return found;
  return std::nullopt;
}

// Before all have been dealt their cards, nobody has seen anything.
PlayState PlayState::Redealt(Random& random) const {
  PlayState other = *this;
  other.deck_ = ShuffledDeck(config_.players, random);
  if (first_known_) other.config_.first = static_cast<Seat>(random.Below(config_.players));
  return other;
}

}  // namespace civ
