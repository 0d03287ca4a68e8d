#include "civ/guide/branch.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "civ/view/random.h"
#include "civ/view/view.h"

namespace civ {
namespace {

constexpr size_t kSweeps = 40;  // over the whole deck: late in a game few cards are free to move

// What a seat sees and knows; all else of its view follows from this and from what was done.
struct Noticed {
  Step step;
  Seat seat;
  Choice choice;
  Cards hand, pack, discard, centre;
  std::array<Cards, kMaxSeats> tables, known;

  bool operator==(const Noticed&) const = default;
};

Noticed SeenBy(Seat viewer, const Game& game) {
  const State& state = game.state;
  Noticed seen = {state.step,    state.seat,   state.choice, {}, {},
                  state.discard, state.centre, state.tables, {}};
  if (viewer != kSpectator) {
    seen.hand = state.hands[viewer];
    seen.pack = state.packs[viewer];
  }
  for (size_t hand = 0; hand < kMaxSeats; ++hand)
    seen.known[hand] = game.knowledge.known[hand][viewer];
  return seen;
}

// The same, or the same done with another card of its Age, at random. Nothing if none is legal.
std::optional<Action> Likely(const State& state, Action wanted, Random& random) {
  const ActionSet legal = Legal(state);
  if (legal.Contains(wanted)) return wanted;
  if (!wanted.NamesCard() || wanted.verb() == Verb::Remove || wanted == kSkip) return std::nullopt;
  std::vector<Action> alike;
  for (const Action action : legal)
    if (action.NamesCard() && action != kSkip && action.verb() == wanted.verb() &&
        AgeOf(action.kind()) == AgeOf(wanted.kind()))
      alike.push_back(action);
  if (alike.empty()) return std::nullopt;
  return alike[random.Below(static_cast<uint32_t>(alike.size()))];
}

// The deck, and then what went back in the box.
std::vector<Kind> AllCards(const std::vector<Kind>& deck) {
  std::array<uint8_t, kKinds> left = kCopies;
  for (const Kind kind : deck) --left[static_cast<size_t>(kind)];
  std::vector<Kind> cards = deck;
  for (size_t kind = 0; kind < kKinds; ++kind)
    cards.insert(cards.end(), left[kind], static_cast<Kind>(kind));
  return cards;
}

// A game as it may have been, with what the seat saw of the one there was.
class Dealer {
 public:
  Dealer(const Record& record, size_t at, Seat seat, uint64_t seed)
      : seat_(seat), random_(seed), record_(record), cards_(AllCards(record.deck)) {
    record_.actions.resize(at);
    record_.result = {};
    course_ = {Game(New(record_.config, record_.deck))};
    for (const Action action : record_.actions) {
      course_.push_back(course_.back());
      course_.back().Apply(action);
    }
    for (const Game& game : course_) seen_.push_back(SeenBy(seat, game));
  }

  // Two cards of an Age change places wherever the seat could not tell: done often enough, all
  // decks that it could not tell apart are equally likely, as far as one leads to another.
  Record Deal() {
    std::array<std::vector<size_t>, kAges> places;
    for (size_t i = 0; i < cards_.size(); ++i)
      places[static_cast<size_t>(AgeOf(cards_[i])) - 1].push_back(i);
    for (size_t n = 0; n < kSweeps * record_.deck.size(); ++n) {
      const size_t one = n % record_.deck.size();
      const std::vector<size_t>& others = places[static_cast<size_t>(AgeOf(cards_[one])) - 1];
      const size_t other = others[random_.Below(static_cast<uint32_t>(others.size()))];
      if (cards_[one] == cards_[other]) continue;
      Swap(one, other);
      if (!Fits(std::min(one, other))) Swap(one, other);
    }
    return record_;
  }

 private:
  void Swap(size_t one, size_t other) {
    std::swap(cards_[one], cards_[other]);
    for (const size_t place : {one, other})
      if (place < record_.deck.size()) record_.deck[place] = cards_[place];
  }

  // Whether the seat sees the same with the deck as it is now, which is another one from this place
  // on. What others chose unseen is changed where it must be.
  bool Fits(size_t place) {
    const size_t size = record_.deck.size();
    const auto drawn = std::ranges::find_if(
        course_, [&](const Game& game) { return game.state.deck_size < size - place; });
    if (drawn == course_.end()) return true;
    const auto from = static_cast<size_t>(drawn - course_.begin());
    std::vector<Game> course;
    std::vector<Action> actions;
    if (from == 0) {
      course = {Game(New(record_.config, record_.deck))};
      if (SeenBy(seat_, course.back()) != seen_[0]) return false;
    } else {
      course = {course_[from - 1]};
      State& state = course.back().state;
      state.SetDeck(std::span(record_.deck).last(state.deck_size));
    }
    const size_t begin = from == 0 ? 0 : from - 1;
    for (size_t i = begin; i < record_.actions.size(); ++i) {
      const std::optional<Action> action = Likely(course.back().state, record_.actions[i], random_);
      if (!action) return false;
      actions.push_back(*action);
      course.push_back(course.back());
      course.back().Apply(*action);
      if (SeenBy(seat_, course.back()) != seen_[i + 1]) return false;
    }
    std::ranges::copy(course, course_.begin() + static_cast<std::ptrdiff_t>(begin));
    std::ranges::copy(actions, record_.actions.begin() + static_cast<std::ptrdiff_t>(begin));
    return true;
  }

  Seat seat_;
  Random random_;
  Record record_;
  std::vector<Kind> cards_;    // the deck, and then the box
  std::vector<Game> course_;   // before the first action, and after each
  std::vector<Noticed> seen_;  // likewise
};

}  // namespace

Record DealAnew(const Record& record, size_t at, Seat seat, uint64_t seed) {
  return Dealer(record, at, seat, seed).Deal();
}

}  // namespace civ
