// Nothing hidden is told: two games that differ only in what a seat, or the spectators, cannot see
// send it the same bytes.
//
// A twin of a game has two cards of one Age change places in the deck. The same is done in both as
// long as that is possible; where a hidden choice (kept in the draft, given back by an Inquisition)
// names a card that its owner does not have in the twin, another is chosen. The twin is one as long
// as all that MakeView and NameFor show of it is the same (tests of civ/view/ say that this is
// right). Until then everything told must be the same, too.
#include <gtest/gtest.h>

#include <map>

#include "tests/generate.h"
#include "tests/sitting.h"

namespace civ::sitting {
namespace {

using std::string;
using test::AllConfigs;
using test::Choose;
using test::kOrders;
using test::kStyles;
using test::MakeDeck;
using test::Order;
using test::Style;
using test::Times;

const Person kEve = PersonCalled("Eve");

// One of two tables at which the same is done.
struct Side {
  Table table;

  std::optional<Error> Happen(const EventBody& body, int64_t at) { return table.Apply({at, body}); }
};

// What a game comes to be by chance: who plays how, and what else happens at the table.
class Twins {
 public:
  // Counts what it has compared.
  Twins(const Config& config, uint64_t seed, std::map<string, int>& counts)
      : random_(seed), talk_(seed), config_(config), counts_(counts) {
    const Deck deck = MakeDeck(config.players, static_cast<Order>(random_.Below(kOrders)), random_);
    const bool builders = random_.Below(2) == 0;  // who get far in a Domain
    for (Style& style : styles_)
      style = builders ? Style::Builder : static_cast<Style>(random_.Below(kStyles - 1));
    viewer_ = static_cast<Seat>(random_.Below(config.players + 1u));
    if (viewer_ == config.players) viewer_ = kSpectator;
    person_ = viewer_ == kSpectator ? kEve : PersonCalled(kNames[viewer_]);
    std::vector<Kind> cards(deck.Span().begin(), deck.Span().end()), other = cards;
    Swap(other);
    TableOptions options;
    options.config = config;
    options.clock = TimeControl{30, 600, 5};
    const Change opened = *Table::Open(options, PersonCalled("Ada"), {}, 0);
    sides_ = {Side{opened.tables[0]}, Side{opened.tables[0]}};
    for (Seat seat = 1; seat < config.players; ++seat)
      Both(event::Sit{seat, PersonCalled(kNames[seat])});
    Both(event::Commit{SecretOf('a'), HashOf(SecretOf('a'))});
    const auto first = static_cast<Seat>(random_.Below(config.players));
    Each(event::Deal{first, cards}, event::Deal{first, other});
  }

  // Until the twins part or the game is over.
  void Run() {
    while (!parted_ && sides_[0].table.status() == Status::Running &&
           !testing::Test::HasFailure()) {
      now_ += random_.Below(900);
      Aside();
      if (parted_ || sides_[0].table.status() != Status::Running) break;
      if (sides_[0].table.DraftRound() > 0)
        PickAll();
      else
        Act();
    }
  }

  int told() const { return told_; }

 private:
  // Two different cards of one Age; nearer ones are sooner in somebody's hands.
  void Swap(std::vector<Kind>& cards) {
    while (true) {
      const size_t a = random_.Below(static_cast<uint32_t>(cards.size())),
                   b = random_.Below(static_cast<uint32_t>(cards.size()));
      if (cards[a] == cards[b] || AgeOf(cards[a]) != AgeOf(cards[b])) continue;
      std::swap(cards[a], cards[b]);
      return;
    }
  }

  bool SameToSee() const {
    const Game &one = sides_[0].table.game(), &two = sides_[1].table.game();
    const bool same_centre =
        Cards(one.state.centre) == Cards(two.state.centre) && one.state.tables == two.state.tables;
    if (actions_alike_ && !Differ() && same_centre) return true;  // only the deck differs
    return ToJson(MakeView(one.state, one.knowledge, viewer_)) ==
           ToJson(MakeView(two.state, two.knowledge, viewer_));
  }
  bool Differ() const {
    const State &one = sides_[0].table.game().state, &two = sides_[1].table.game().state;
    for (Seat seat = 0; seat < config_.players; ++seat)
      if (one.hands[seat] != two.hands[seat] || Cards(one.packs[seat]) != Cards(two.packs[seat]))
        return true;
    return false;
  }

  void Both(const EventBody& body) { Each(body, body); }

  // The same to the viewer, it is supposed. Then everything that is told of it is compared.
  void Each(const EventBody& one, const EventBody& two) {
    const std::array<Table, 2> before = {sides_[0].table, sides_[1].table};
    const auto wrong = sides_[0].Happen(one, now_);
    const auto other_wrong = sides_[1].Happen(two, now_);
    ASSERT_FALSE(wrong) << wrong->key;
    parted_ = parted_ || other_wrong.has_value() || (sides_[0].table.HasGame() && !SameToSee());
    parted_ = parted_ || sides_[0].table.status() == Status::Over ||
              sides_[1].table.status() == Status::Over;  // then the secret is told
    if (parted_) return;
    ++told_;
    const bool differ = sides_[0].table.HasGame() && Differ();
    if (!differ && told_ % 4 != 0 && Times() == 1) return;
    ASSERT_EQ(TellEvent(before[0], {now_, one}, sides_[0].table, viewer_),
              TellEvent(before[1], {now_, two}, sides_[1].table, viewer_));
    ASSERT_EQ(TellSummary("t", sides_[0].table), TellSummary("t", sides_[1].table));
    if (differ) ++counts_["hands or packs differ"];
    if (told_ % 8 == 0 || Times() > 1) {
      const Table &one = sides_[0].table, &other = sides_[1].table;
      ASSERT_EQ(TellAll(one, person_), TellAll(other, person_));
      if (one.HasGame() && told_ % 64 == 0) {
        const size_t all = one.actions().size();
        ASSERT_EQ(TellStory(one, all, person_), TellStory(other, all, person_));
      }
    }
  }

  // What else goes on at a table.
  void Aside() {
    const Table& table = sides_[0].table;
    const auto seat = static_cast<Seat>(random_.Below(config_.players));
    const Person who = PersonCalled(kNames[seat]);
    switch (random_.Below(40)) {
      case 0: return Both(event::Say{who, seat, "hm", ""});
      case 1: return Both(event::Say{kEve, std::nullopt, "", "wow"});
      case 2:
        if (table.actions().size() > static_cast<size_t>(table.barrier()) &&
            table.DraftRound() == 0) {
          ++counts_["taken back"];
          const auto free = static_cast<uint32_t>(table.actions().size()) -
                            static_cast<uint32_t>(table.barrier());
          Both(event::Ask{seat, table.barrier()});
          Both(event::Back{seat, table.barrier() + static_cast<int>(random_.Below(free))});
        }
        return;
      case 3:
        if (random_.Below(8) == 0 && config_.players > 2 && !table.LeftBy(seat) &&
            seat != viewer_) {
          Both(event::Leave{seat, Left::Resigned});
          Both(event::Ask{seat, std::nullopt});
          Both(event::Return{seat});
          ++counts_["left and returned"];
        }
        return;
      case 4:
      case 5:
      case 6: return Talk(seat);
      default: return;
    }
  }

  // What may be said follows from what everybody sees.
  void Talk(Seat seat) {
    const auto possible = [seat](const Table& table) {
      return table.pacts().Possible(table.game().state, seat, table.ThreatsNow());
    };
    const std::vector<civ::Talk> all = possible(sides_[0].table);
    ASSERT_EQ(all, possible(sides_[1].table));
    if (all.empty()) return;
    const bool asked = all[0].kind == TalkKind::Yes;
    Both(event::Talk{seat, all[talk_.Below(asked ? 2 : static_cast<uint32_t>(all.size()))]});
    ++counts_["talk"];
  }

  void PickAll() {
    std::vector<Seat> order;
    for (Seat seat = 0; seat < config_.players; ++seat) order.push_back(seat);
    random_.Shuffle(std::span(order));
    const int round = sides_[0].table.DraftRound();
    for (const Seat seat : order) {
      const Cards one = sides_[0].table.game().state.packs[seat],
                  two = sides_[1].table.game().state.packs[seat];
      const Kind kind = ChooseUniform(Legal(sides_[0].table.ViewFor(seat)), random_).kind();
      Kind other = kind;
      if (seat != viewer_) {
        // Now and then something else although it need not be: which card is kept is hidden.
        const ActionSet choices = Legal(sides_[1].table.ViewFor(seat));
        if (two[kind] == 0 || random_.Below(3) == 0) other = ChooseUniform(choices, random_).kind();
      }
      const bool last = std::has_single_bit(sides_[0].table.Deciding());
      if (one == two && !last && random_.Below(4) == 0)
        Both(event::Pick{seat, round, one.First()});  // to be replaced
      actions_alike_ = actions_alike_ && kind == other;
      Each(event::Pick{seat, round, kind}, event::Pick{seat, round, other});
      if (parted_ || testing::Test::HasFailure()) return;
      if (sides_[0].table.DraftRound() != round) return;
    }
  }

  static string NameOfEffect(Action action) {
    return action.IsCopy() ? "copy" : string(NameOf(action.effect()));
  }

  // Now and then the permanent effect that was seen least, and Utopia, which comes late and seldom
  // far.
  std::optional<Action> Rare(const State& state) {
    if (random_.Below(2) == 0) return std::nullopt;
    const Action utopia = Action::Name(Verb::Play, Kind::U3);
    if (state.step == Step::Play && Legal(state).Contains(utopia)) return utopia;
    if (state.step != Step::Effects) return std::nullopt;
    std::optional<Action> rarest;
    for (const Action action : Legal(state)) {
      if (action == kEnd || !IsPermanent(action.effect())) continue;
      if (!rarest || counts_[NameOfEffect(action)] < counts_[NameOfEffect(*rarest)])
        rarest = action;
    }
    return rarest;
  }

  void Act() {
    const State &state = sides_[0].table.game().state, &twin = sides_[1].table.game().state;
    if (state.seat == viewer_ && random_.Below(3) == 0) TryAll();
    const Action action =
        Rare(state).value_or(Choose(styles_[state.seat], state, Legal(state), random_));
    Action other = action;
    const Seat seat = state.seat;
    const string name = NameFor(state, action, viewer_);
    if (!Legal(twin).Contains(action) || (name != NameOf(action) && random_.Below(2) == 0)) {
      std::vector<Action> alike;
      for (const Action candidate : Legal(twin))
        if (NameFor(twin, candidate, viewer_) == name) alike.push_back(candidate);
      if (alike.empty()) {
        parted_ = true;
        return;
      }
      other = alike[random_.Below(static_cast<uint32_t>(alike.size()))];
    }
    const bool effect = state.step == Step::Effects && action != kEnd, differ = Differ();
    const int told = told_;
    const string used = effect ? NameOfEffect(action) : "";
    actions_alike_ = actions_alike_ && action == other;
    Each(event::Act{seat, {action}}, event::Act{seat, {other}});
    if (told_ == told) return;
    if (effect) ++counts_[used];
    if (effect) ++counts_[used + (viewer_ == kSpectator ? " before spectators" : " before a seat")];
    if (effect && differ) ++counts_[used + " with other hands"];
    if (action != other) ++counts_["hidden choices that differ"];
  }

  // The viewer tries this and that. What is refused, and why, tells nothing either.
  void TryAll() {
    const Table &one = sides_[0].table, &two = sides_[1].table;
    const ActionSet legal = Legal(one.game().state);
    for (int tries = 0; tries < 2; ++tries) {
      command::Act act{one.number(), {ChooseUniform(legal, random_)}};
      State next = (random_.Below(2) == 0 ? one : two).game().state;
      if (!Legal(next).Contains(act.actions[0])) continue;  // which would be found elsewhere
      Apply(next, act.actions[0]);
      if (next.step == Step::Over) continue;
      act.actions.push_back(
          random_.Below(4) == 0
              ? Action::Name(Verb::Discard, static_cast<Kind>(random_.Below(kKinds)))
              : ChooseUniform(Legal(next), random_));
      const Expected<Change> done = one.Do(person_, {"", act}, now_),
                             other = two.Do(person_, {"", act}, now_);
      const auto answer = [](const Expected<Change>& change) {
        return change ? "done" : TellRefused("", 0, change.error());
      };
      ASSERT_EQ(answer(done), answer(other))
          << NameOf(act.actions[0]) << ", " << NameOf(act.actions[1]);
      ++counts_[done ? "tries that would do" : "tries refused"];
    }
  }

  Random random_, talk_;  // what is said changes nothing in how the game goes
  Config config_;
  std::array<Style, kMaxSeats> styles_{};
  Seat viewer_;
  Person person_;
  std::array<Side, 2> sides_;
  int64_t now_ = 0;
  bool parted_ = false, actions_alike_ = true;
  int told_ = 0;
  std::map<string, int>& counts_;
};

constexpr const char* kEffects[] = {"assassination", "purge",        "holy-book",  "divine-right",
                                    "development",   "monopoly",     "experiment", "research",
                                    "oligarchy",     "republic",     "attack",     "inquisition",
                                    "embargo",       "breakthrough", "democracy",  "copy"};

TEST(Leaks, TwinsSendTheSameToWhoCannotTellThemApart) {
  std::map<string, int> counts;
  uint64_t seed = 0;
  for (int round = 0; round < 25 * Times(); ++round)
    for (const Config& config : AllConfigs()) {
      SCOPED_TRACE(++seed);
      Twins twins(config, seed, counts);
      twins.Run();
      if (testing::Test::HasFailure()) return;
      counts["told"] += twins.told();
    }
  for (const char* effect : kEffects) {
    EXPECT_GE(counts[string(effect) + " before spectators"], 2) << effect;
    EXPECT_GE(counts[string(effect) + " before a seat"], 15) << effect;
    EXPECT_GE(counts[string(effect) + " with other hands"], 5) << effect;
  }
  for (const char* what : {"taken back", "left and returned", "hidden choices that differ",
                           "tries refused", "tries that would do", "talk"})
    EXPECT_GE(counts[what], 100) << what;
  EXPECT_GE(counts["hands or packs differ"], 10'000);
}

}  // namespace
}  // namespace civ::sitting
