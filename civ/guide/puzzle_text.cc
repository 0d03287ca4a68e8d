// How a puzzle is written.
#include <algorithm>
#include <charconv>

#include "civ/guide/puzzle.h"
#include "civ/notation/notation.h"

namespace civ {
namespace {

constexpr std::array<std::string_view, 4> kGoalNames = {"win", "stop", "majority", "best"};
constexpr size_t kGoalLetter = 1;  // after the level

std::string Digits(int number) { return std::to_string(number); }

// Age by Age: "M3R/E/".
std::string Write(Cards cards) {
  std::string text;
  for (const Age age : {Age::I, Age::II, Age::III}) {
    if (age != Age::I) text += '/';
    for (int k = 0; k < kKinds; ++k) {
      const auto kind = static_cast<Kind>(k);
      if (AgeOf(kind) != age || cards[kind] == 0) continue;
      text += NameOf(DomainOf(kind));
      if (cards[kind] > 1) text += Digits(cards[kind]);
    }
  }
  return text;
}

std::string Write(const std::vector<Action>& turn) {
  std::string text;
  for (const Action action : turn) text += (text.empty() ? "" : ", ") + NameOf(action);
  return text;
}

// Seats as the viewer counts them.
class Seats {
 public:
  explicit Seats(const View& view) : view_(view) {}
  Seat From(Seat seat) const {
    return static_cast<Seat>((seat + view_.config.players - view_.viewer) % view_.config.players);
  }
  Seat To(int place) const {
    return static_cast<Seat>((place + view_.viewer) % view_.config.players);
  }

 private:
  const View& view_;
};

std::string WriteMarkers(const View& view, const Seats& seats) {
  std::string text;
  const auto add = [&](char kind, Seat seat, Domain domain, Seat by, std::string_view more) {
    if (!text.empty()) text += ',';
    (((text += kind) += Digits(seats.From(seat))) += NameOf(domain)) += Digits(seats.From(by));
    text += more;
  };
  for (int i = 0; i < view.embargo_count; ++i) {
    const Embargo& card = view.embargoes[static_cast<size_t>(i)];
    add('e', card.seat, static_cast<Domain>(card.domain), card.by, NameOf(card.card).substr(1));
  }
  for (int i = 0; i < view.democracy_count; ++i) {
    const FaceDown& card = view.democracies[static_cast<size_t>(i)];
    add('d', card.seat, static_cast<Domain>(card.domain), card.by, "");
  }
  if (view.coin.owner != kNone) add('c', view.coin.seat, view.coin.domain, view.coin.owner, "");
  return text.empty() ? "-" : text;
}

// The parts of a text between the separators.
std::vector<std::string_view> Parts(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// What is wrong stays wrong, and is noticed at the end.
class Parser {
 public:
  bool ok() const { return ok_; }

  int Number(std::string_view text) {
    constexpr int kMost = 9999;  // turns; all else is less
    int number = 0;
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
    ok_ &= wrong == std::errc() && end == text.data() + text.size();
    ok_ &= number >= 0 && number <= kMost;
    return std::clamp(number, 0, kMost);
  }

  Json CardList(std::string_view text) {
    Json list = Json::array();
    const std::vector<std::string_view> ages = Parts(text, '/');
    ok_ &= ages.size() == kAges;
    for (size_t age = 0; age < ages.size(); ++age)
      for (size_t i = 0; i < ages[age].size();) {
        const std::string name = ages[age][i] + Digits(static_cast<int>(age) + 1);
        const size_t end =
            std::min(ages[age].find_first_not_of("0123456789", i + 1), ages[age].size());
        const int count = end > i + 1 ? Number(ages[age].substr(i + 1, end - i - 1)) : 1;
        for (int n = std::min(count, kCards); n > 0; --n) list.push_back(name);
        i = end;
      }
    return list;
  }

  // Backs by Age, and what is known of them: "021", "021=/R/".
  Json Hand(std::string_view text) {
    Json backs = Json::array(), known = Json::array();
    for (size_t age = 0; age < kAges; ++age)
      for (int n = Number(text.substr(std::min(age, text.size()), 1)); n > 0; --n)
        backs.push_back(age + 1);
    if (text.size() > kAges) known = CardList(text.substr(kAges + 1));
    return {{"backs", backs}, {"known", known}};
  }

  std::vector<Action> Turn(std::string_view text) {
    std::vector<Action> turn;
    for (std::string_view name : Parts(text, ',')) {
      if (name.starts_with(' ')) name.remove_prefix(1);
      const std::optional<Action> action = ParseAction(name);
      ok_ &= action.has_value();
      if (action) turn.push_back(*action);
    }
    return turn;
  }

  void Markers(std::string_view text, Json& view) {
    if (text == "-") return;
    for (const std::string_view part : Parts(text, ',')) {
      if (part.size() < 4) return void(ok_ = false);
      const std::string domain(part.substr(2, 1));
      const int seat = Number(part.substr(1, 1)), by = Number(part.substr(3, 1));
      if (part[0] == 'c')
        view["coin"] = {{"owner", by}, {"seat", seat}, {"domain", domain}};
      else if (part[0] == 'd')
        view["democracies"].push_back({{"seat", seat}, {"domain", domain}, {"by", by}});
      else
        view["embargoes"].push_back({{"seat", seat},
                                     {"domain", domain},
                                     {"by", by},
                                     {"card", "E" + std::string(part.substr(4))}});
    }
  }

 private:
  bool ok_ = true;
};

Error Wrong() { return {"error.puzzle", {}}; }

}  // namespace

std::string_view NameOf(Goal goal) { return kGoalNames[static_cast<size_t>(goal)]; }

std::string ToText(const View& view) {
  const Seats seats(view);
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!text.empty()) text += ' ';
    text += part;
  };
  const int players = view.config.players;
  add(Digits(players) + ',' + Digits(seats.From(view.config.first)) + ',' + Digits(view.turn) +
      ',' + Digits(view.turn - view.last_draw) + ',' + Digits(view.deck_size) + ',' +
      Digits(view.deck_top));
  for (int place = 0; place < players; ++place) add(Write(view.tables[seats.To(place)]));
  add(Write(view.hands[view.viewer].cards));
  for (int place = 1; place < players; ++place) {
    const Holding& hand = view.hands[seats.To(place)];
    std::string backs;
    for (const uint8_t count : hand.backs) backs += Digits(count);
    add(hand.cards.Empty() ? backs : backs + '=' + Write(hand.cards));
  }
  add(Write(view.discard));
  add(WriteMarkers(view, seats));
  return text;
}

Expected<View> ViewFromText(std::string_view text) {
  const std::vector<std::string_view> parts = Parts(text, ' ');
  const std::vector<std::string_view> numbers = Parts(parts[0], ',');
  if (numbers.size() != 6) return Wrong();
  Parser parser;
  const int players = parser.Number(numbers[0]);
  const int first = parser.Number(numbers[1]), turn = parser.Number(numbers[2]);
  const int deck = parser.Number(numbers[4]), top = parser.Number(numbers[5]);
  if (!parser.ok() || players < 2 || players > kMaxSeats ||
      parts.size() != static_cast<size_t>(2 * players) + 3)
    return Wrong();
  size_t next = 1;
  Json tables = Json::array(), hands = Json::array();
  for (int place = 0; place < players; ++place) tables.push_back(parser.CardList(parts[next++]));
  hands.push_back({{"cards", parser.CardList(parts[next++])}});
  for (int place = 1; place < players; ++place) hands.push_back(parser.Hand(parts[next++]));
  Json view = {{"edition", "en"},
               {"players", players},
               {"setup", "basic"},
               {"teams", false},
               {"first", first},
               {"turn", turn},
               {"seat", 0},
               {"step", "play"},
               {"deck", {{"count", deck}, {"top", top == 0 ? Json() : Json(top)}}},
               {"hands", hands},
               {"tables", tables},
               {"discard", parser.CardList(parts[next])},
               {"packs", nullptr},
               {"centre", nullptr},
               {"embargoes", Json::array()},
               {"democracies", Json::array()},
               {"coin", nullptr},
               {"used", {{"permanent", Json::array()}, {"discard", Json::array()}}},
               {"handSize", kUsualHand},
               {"choice", nullptr},
               {"lastDraw", turn - parser.Number(numbers[3])},
               {"closing", deck == 0 ? Json((first + players - 1) % players) : Json()},
               {"result", nullptr}};
  parser.Markers(parts[next + 1], view);
  return parser.ok() ? ViewFromJson(view) : Wrong();
}

std::string ToText(const Puzzle& puzzle) {
  std::string text = Digits(puzzle.level) + std::string(NameOf(puzzle.goal)).substr(0, 1);
  if (puzzle.goal == Goal::Best) text += Digits(puzzle.margin);
  text += ' ' + ToText(puzzle.view);
  text += ' ' + Write(puzzle.answer);
  for (const std::vector<Action>& other : puzzle.others) text += "; " + Write(other);
  return text;
}

Expected<Puzzle> PuzzleFromText(std::string_view text) {
  const size_t head = std::min(text.find(' '), text.size());
  // The answer begins with the word for playing a card, or none.
  const size_t answer = std::min(text.find(" play "), text.find(" skip"));
  if (head <= kGoalLetter || answer == text.npos || answer <= head) return Wrong();
  Puzzle puzzle;
  Parser parser;
  puzzle.level = parser.Number(text.substr(0, kGoalLetter));
  const auto goal =
      std::ranges::find_if(kGoals, [&](Goal one) { return NameOf(one)[0] == text[kGoalLetter]; });
  if (goal == kGoals.end()) return Wrong();
  puzzle.goal = *goal;
  if (*goal == Goal::Best) puzzle.margin = parser.Number(text.substr(2, head - 2));
  const Expected<View> view = ViewFromText(text.substr(head + 1, answer - head - 1));
  if (!view) return view.error();
  puzzle.view = *view;
  for (const std::string_view part : Parts(text.substr(answer + 1), ';')) {
    const std::vector<Action> turn = parser.Turn(part);
    const Expected<bool> over = Plays(puzzle.view, turn);
    if (!over || !*over) return Wrong();
    puzzle.others.push_back(turn);
  }
  puzzle.answer = std::move(puzzle.others.front());
  puzzle.others.erase(puzzle.others.begin());
  return parser.ok() ? Expected<Puzzle>(puzzle) : Wrong();
}

}  // namespace civ
