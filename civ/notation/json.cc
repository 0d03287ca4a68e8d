#include "civ/notation/json.h"

#include <bit>

#include "civ/notation/notation.h"
#include "civ/rules/sides.h"
#include "civ/view/sample.h"

namespace civ {
namespace {

constexpr int kMaxTurn = 50'000;  // no game gets there: a card leaves the deck in every 20 rounds

Json OrNull(Seat seat) { return seat == kNone ? Json() : Json(seat); }

Json ListOf(Cards cards) {
  Json list = Json::array();
  for (int k = 0; k < kKinds; ++k)
    for (int i = cards[static_cast<Kind>(k)]; i > 0; --i)
      list.push_back(NameOf(static_cast<Kind>(k)));
  return list;
}

Json ListOf(Domains domains) {
  Json list = Json::array();
  for (unsigned rest = domains; rest != 0; rest &= rest - 1)
    list.push_back(NameOf(static_cast<Domain>(std::countr_zero(rest))));
  return list;
}

template <class T, class Print>
Json PerSeat(int players, const std::array<T, kMaxSeats>& items, Print print) {
  Json list = Json::array();
  for (int seat = 0; seat < players; ++seat)
    list.push_back(print(items[static_cast<size_t>(seat)]));
  return list;
}

Json EmbargoesToJson(const Public& table) {
  Json list = Json::array();
  for (int i = 0; i < table.embargo_count; ++i) {
    const Embargo& card = table.embargoes[static_cast<size_t>(i)];
    const auto domain = static_cast<Domain>(card.domain);
    list.push_back({{"seat", int{card.seat}},
                    {"domain", NameOf(domain)},
                    {"by", int{card.by}},
                    {"card", NameOf(card.card)}});
  }
  return list;
}

Json DemocraciesToJson(const Public& table) {
  Json list = Json::array();
  for (int i = 0; i < table.democracy_count; ++i) {
    const FaceDown& card = table.democracies[static_cast<size_t>(i)];
    list.push_back({{"seat", int{card.seat}},
                    {"domain", NameOf(static_cast<Domain>(card.domain))},
                    {"by", int{card.by}}});
  }
  return list;
}

Json CoinToJson(const Coin& coin) {
  if (coin.owner == kNone) return {};
  return {{"owner", coin.owner}, {"seat", coin.seat}, {"domain", NameOf(coin.domain)}};
}

Json ChoiceToJson(const Public& table) {
  if (table.step != Step::Choose) return {};
  const Choice& choice = table.choice;
  Json from;
  if (choice.from != kNone)
    from = choice.verb == Verb::Remove ? NameOf(static_cast<Domain>(choice.from))
                                       : NameOf(static_cast<Kind>(choice.from));
  return {{"effect", NameOf(choice.effect)},
          {"verb", NameOf(choice.verb)},
          {"left", choice.left},
          {"from", from},
          {"target", OrNull(choice.target)}};
}

// The parts that differ between a state and a view come from outside.
Json Print(const Public& table, Json deck, Json hands, Json packs) {
  const Config& config = table.config;
  return {
      {"edition", NameOf(config.edition)},
      {"players", config.players},
      {"setup", NameOf(config.setup)},
      {"teams", config.teams},
      {"first", config.first},
      {"turn", table.turn},
      {"seat", OrNull(table.seat)},
      {"step", NameOf(table.step)},
      {"deck", std::move(deck)},
      {"hands", std::move(hands)},
      {"tables", PerSeat(config.players, table.tables, [](Cards cards) { return ListOf(cards); })},
      {"discard", ListOf(table.discard)},
      {"packs", table.step == Step::Draft ? std::move(packs) : Json()},
      {"centre", table.step == Step::Claim ? ListOf(Cards(table.centre)) : Json()},
      {"embargoes", EmbargoesToJson(table)},
      {"democracies", DemocraciesToJson(table)},
      {"coin", CoinToJson(table.coin)},
      {"used", {{"permanent", ListOf(table.permanent)}, {"discard", ListOf(table.given_up)}}},
      {"handSize", table.hand_size},
      {"choice", ChoiceToJson(table)},
      {"lastDraw", table.last_draw},
      {"closing", OrNull(table.closing)},
      {"result", table.step == Step::Over ? ToJson(config, Result(table)) : Json()}};
}

Json BacksOf(const Holding& holding) {
  Json list = Json::array();
  for (int age = 1; age <= kAges; ++age)
    for (int i = holding.backs[static_cast<size_t>(age - 1)]; i > 0; --i) list.push_back(age);
  return list;
}

// --- Reading -------------------------------------------------------------------------------------

Domains ReadDomains(Reader& from, std::string_view field) {
  Domains domains = 0;
  for (const Json& item : from.Array(field)) {
    const std::optional<Domain> domain =
        item.is_string() ? ParseDomain(item.get<std::string>()) : std::nullopt;
    if (!domain || (domains & Bit(*domain)) != 0) {
      from.Fail("error.domains", {{"field", std::string(field)}});
      return 0;
    }
    domains |= Bit(*domain);
  }
  return domains;
}

// Calls read(item, seat) for a list with one item for each player.
template <class Read>
void ReadPerSeat(Reader& from, std::string_view field, int players, Read read) {
  const Json& list = from.Array(field);
  if (static_cast<int>(list.size()) != players)
    return from.Fail("error.per-seat", {{"field", std::string(field)}});
  for (size_t seat = 0; seat < list.size(); ++seat) read(list[seat], static_cast<Seat>(seat));
}

FaceDown ReadFaceDown(Reader& card, int players) {
  const auto seat = static_cast<uint8_t>(card.Int("seat", 0, players - 1));
  const auto domain = static_cast<uint8_t>(card.Word("domain", ParseDomain));
  const auto by = static_cast<uint8_t>(card.Int("by", 0, players - 1));
  return {seat, by, domain};
}

// Calls read(reader) for each of at most `most` objects.
template <class Read>
void ReadObjects(Reader& from, std::string_view field, int most, Read read) {
  const Json& list = from.Array(field);
  if (static_cast<int>(list.size()) > most)
    return from.Fail("error.too-long",
                     {{"field", std::string(field)}, {"most", std::to_string(most)}});
  for (const Json& item : list) {
    Reader reader(item);
    read(reader);
    from.Adopt(reader);
  }
}

Coin ReadCoin(Reader& from, int players) {
  if (from.IsNull("coin")) return {};
  Reader coin = from.Object("coin");
  const Coin value = {static_cast<Seat>(coin.Int("owner", 0, players - 1)),
                      static_cast<Seat>(coin.Int("seat", 0, players - 1)),
                      coin.Word("domain", ParseDomain)};
  from.Adopt(coin);
  return value;
}

std::optional<Verb> ParseChoiceVerb(std::string_view name) {
  for (const Verb verb : {Verb::Discard, Verb::Take, Verb::Recover, Verb::Give, Verb::Play})
    if (NameOf(verb) == name) return verb;
  return std::nullopt;
}

Choice ReadChoice(Reader& from, int players) {
  if (from.IsNull("choice")) return kNoChoice;
  Reader reader = from.Object("choice");
  Choice choice = kNoChoice;
  choice.effect = reader.Word("effect", ParseEffect);
  choice.verb = reader.Word("verb", ParseChoiceVerb);
  const bool economy = IsPermanent(choice.effect) && DomainOf(choice.effect) == Domain::Economy;
  if (choice.verb == Verb::Discard && economy) choice.verb = Verb::Remove;
  choice.left = static_cast<uint8_t>(reader.Int("left", 1, kCards));
  choice.target = reader.SeatOrNone("target", players);
  if (!reader.IsNull("from"))
    choice.from = choice.verb == Verb::Remove
                      ? static_cast<uint8_t>(reader.Word("from", ParseDomain))
                      : static_cast<uint8_t>(reader.Word("from", ParseKind));
  from.Adopt(reader);
  if ((choice.target != kNone) != (choice.effect == Effect::Inquisition))
    from.Fail("error.state.choice");
  return choice;
}

// The result that was written must be the one that follows from the play areas.
void CheckResult(Reader& from, const Public& table) {
  if (from.IsNull("result") != (table.step != Step::Over)) return from.Fail("error.state.result");
  if (!from.ok() || table.step != Step::Over) return;
  Reader given = from.Object("result");
  const Json right = ToJson(table.config, Result(table));
  for (const auto& [field, value] : right.items())
    if (given.Field(field) != value) given.Fail("error.state.result");
  from.Adopt(given);
}

void ReadPublic(Reader& from, Public& table) {
  table.config = from.Configuration(false);
  const int players = table.config.players;
  table.config.first = static_cast<Seat>(from.Int("first", 0, players - 1));
  table.turn = static_cast<uint16_t>(from.Int("turn", 0, kMaxTurn));
  table.seat = from.SeatOrNone("seat", players);
  table.step = from.Word("step", ParseStep);
  if ((table.seat == kNone) != (table.step == Step::Over)) from.Fail("error.state.seat");
  ReadPerSeat(from, "tables", players, [&](const Json& list, Seat seat) {
    const Cards cards = ReadMultiset(list, "tables", from.error);
    for (int k = 0; k < kKinds; ++k)
      for (int i = cards[static_cast<Kind>(k)]; i > 0; --i)
        AddToTable(table, seat, static_cast<Kind>(k));
  });
  table.discard = from.Multiset("discard");
  const Cards centre = from.IsNull("centre") ? Cards() : from.Multiset("centre");
  if (from.IsNull("centre") != (table.step != Step::Claim) || centre != centre.Of(Age::I))
    from.Fail("error.state.draft");
  table.centre = centre;
  ReadObjects(from, "embargoes", kMaxLoadedEmbargoes, [&](Reader& card) {
    LayEmbargo(table, {ReadFaceDown(card, players), card.Word("card", ParseKind)});
  });
  ReadObjects(from, "democracies", kMaxDemocracies, [&](Reader& card) {
    table.democracies[table.democracy_count++] = ReadFaceDown(card, players);
  });
  table.coin = ReadCoin(from, players);
  Reader used = from.Object("used");
  table.permanent = ReadDomains(used, "permanent");
  table.given_up = ReadDomains(used, "discard");
  from.Adopt(used);
  table.hand_size = static_cast<uint8_t>(from.Int("handSize", 3, 7));
  table.choice = ReadChoice(from, players);
  if (from.IsNull("choice") != (table.step != Step::Choose)) from.Fail("error.state.choice");
  table.last_draw = static_cast<uint16_t>(from.Int("lastDraw", 0, kMaxTurn));
  table.closing = from.SeatOrNone("closing", players);
  // A pack field that is missing or there at the wrong time is a contradiction, whatever it holds.
  if (from.IsNull("packs") != (table.step != Step::Draft)) from.Fail("error.state.draft");
}

Cards AgeOneOnly(Cards cards, Reader& from) {
  if (cards != cards.Of(Age::I)) from.Fail("error.state.draft");
  return cards;
}

const char* KeyOf(Fault fault) {
  switch (fault) {
    case Fault::Config: return "error.state.config";
    case Fault::Cards: return "error.state.cards";
    case Fault::DeckOrder: return "error.state.deck-order";
    case Fault::Seat: return "error.state.seat";
    case Fault::Turn: return "error.state.turn";
    case Fault::Draft: return "error.state.draft";
    case Fault::Packs: return "error.state.packs";
    case Fault::Used: return "error.state.used";
    case Fault::HandSize: return "error.state.hand-size";
    case Fault::Choice: return "error.state.choice";
    case Fault::FaceDown: return "error.state.face-down";
    case Fault::Coin: return "error.state.coin";
    case Fault::LastDraw: return "error.state.last-draw";
    case Fault::Closing: return "error.state.closing";
    case Fault::NotOver: return "error.state.not-over";
    case Fault::None: break;
  }
  return nullptr;
}

void CheckState(Reader& from, const State& state) {
  if (!from.ok()) return;
  if (const char* key = KeyOf(Check(state))) return from.Fail(key);
  CheckResult(from, state);
}

Holding ReadBacks(Reader& from) {
  Holding holding;
  for (const Json& age : from.Array("backs")) {
    if (!age.is_number_integer() || age < 1 || age > kAges || holding.Count() == kCards) {
      from.Fail("error.backs");
      break;
    }
    holding.backs[age.get<size_t>() - 1]++;
  }
  return holding;
}

// A hand or a pack, in one of its two forms. `own` says which.
Holding ReadHolding(const Json& json, bool is_hand, bool& own, std::optional<Error>& error) {
  Reader from(json);
  own = from.Has("cards");
  Holding holding;
  if (own) {
    holding.cards = from.Multiset("cards");
    for (const Age age : {Age::I, Age::II, Age::III})
      holding.backs[static_cast<size_t>(age) - 1] =
          static_cast<uint8_t>(holding.cards.Of(age).Count());
  } else {
    holding = ReadBacks(from);
    if (is_hand) holding.cards = from.Multiset("known");
  }
  if (!error) error = from.error;
  return holding;
}

void ReadHands(Reader& from, View& view) {
  view.viewer = kSpectator;
  ReadPerSeat(from, "hands", view.config.players, [&](const Json& json, Seat seat) {
    bool own = false;
    view.hands[seat] = ReadHolding(json, true, own, from.error);
    if (own && view.viewer != kSpectator) from.Fail("error.view.two-hands");
    if (own) view.viewer = seat;
  });
  // Which card was given back last is for the giver's eyes only.
  if (view.choice.verb == Verb::Give && view.choice.from != kNone && view.viewer != view.seat)
    from.Fail("error.state.choice");
  if (view.step != Step::Draft) return;
  ReadPerSeat(from, "packs", view.config.players, [&](const Json& json, Seat seat) {
    bool own = false;
    view.packs[seat] = ReadHolding(json, false, own, from.error);
    if (own != (seat == view.viewer)) from.Fail("error.view.two-hands");
    if (view.packs[seat].Count() != view.packs[seat].backs[0]) from.Fail("error.state.draft");
  });
}

}  // namespace

Json ToJson(std::span<const Kind> cards) {
  Json list = Json::array();
  for (const Kind kind : cards) list.push_back(NameOf(kind));
  return list;
}

Json ToJson(const Config& config, const Outcome& outcome) {
  Json winners = Json::array();
  for (int seat = 0; seat < config.players; ++seat)
    if ((outcome.winners >> seat & 1) != 0) winners.push_back(seat);
  if (outcome.hegemony)
    return {{"winners", winners}, {"by", "hegemony"}, {"domain", NameOf(outcome.domain)}};
  Json points = Json::array();
  for (int side = 0; side < SideCount(config); ++side)
    points.push_back(outcome.points[static_cast<size_t>(side)]);
  return {{"winners", winners}, {"by", "majority"}, {"points", points}};
}

Json ToJson(const State& state) {
  Json deck = Json::array();
  for (int i = state.deck_size; i > 0; --i) deck.push_back(NameOf(state.DeckCard(i - 1)));
  return Print(
      state, std::move(deck),
      PerSeat(state.config.players, state.hands, [](Cards cards) { return ListOf(cards); }),
      PerSeat(state.config.players, state.packs, [](Cards cards) { return ListOf(cards); }));
}

Json ToJson(const View& view) {
  Json hands = Json::array(), packs = Json::array();
  for (Seat seat = 0; seat < view.config.players; ++seat) {
    const bool own = seat == view.viewer;
    const Holding& hand = view.hands[seat];
    const Holding& pack = view.packs[seat];
    hands.push_back(own ? Json{{"cards", ListOf(hand.cards)}}
                        : Json{{"backs", BacksOf(hand)}, {"known", ListOf(hand.cards)}});
    packs.push_back(own ? Json{{"cards", ListOf(pack.cards)}} : Json{{"backs", BacksOf(pack)}});
  }
  Json top;
  if (view.deck_top != 0) top = view.deck_top;
  return Print(view, Json{{"count", view.deck_size}, {"top", top}}, std::move(hands),
               std::move(packs));
}

Expected<State> StateFromJson(const Json& json) {
  Reader from(json);
  State state = EmptyState({});
  ReadPublic(from, state);
  const std::vector<Kind> deck = from.List("deck");
  if (deck.size() > kCards) from.Fail("error.state.cards");
  if (from.ok()) state.SetDeck(deck);
  ReadPerSeat(from, "hands", state.config.players, [&](const Json& list, Seat seat) {
    state.hands[seat] = ReadMultiset(list, "hands", from.error);
  });
  if (state.step == Step::Draft)
    ReadPerSeat(from, "packs", state.config.players, [&](const Json& list, Seat seat) {
      state.packs[seat] = AgeOneOnly(ReadMultiset(list, "packs", from.error), from);
    });
  CheckState(from, state);
  if (!from.ok()) return *from.error;
  return state;
}

Expected<View> ViewFromJson(const Json& json) {
  Reader from(json);
  View view{};
  ReadPublic(from, view);
  Reader deck = from.Object("deck");
  view.deck_size = static_cast<uint8_t>(deck.Int("count", 0, kCards));
  view.deck_top = deck.IsNull("top") ? uint8_t{0} : static_cast<uint8_t>(deck.Int("top", 1, kAges));
  from.Adopt(deck);
  ReadHands(from, view);
  if (!from.ok()) return *from.error;
  Random random(0);
  const std::optional<State> state = Sample(view, random);
  if (!state) return Error{"error.view.impossible", {}};
  CheckState(from, *state);
  if (!from.ok()) return *from.error;
  return view;
}

}  // namespace civ
