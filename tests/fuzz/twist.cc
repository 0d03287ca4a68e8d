#include "tests/fuzz/twist.h"

#include <algorithm>
#include <vector>

#include "civ/notation/notation.h"
#include "civ/view/deal.h"
#include "tests/generate.h"
#include "tests/plain.h"
#include "tests/support.h"

namespace civ::fuzz {
namespace {

constexpr const char* kEffects[] = {"assassination", "purge",        "holy-book",  "divine-right",
                                    "development",   "monopoly",     "experiment", "research",
                                    "oligarchy",     "republic",     "attack",     "inquisition",
                                    "embargo",       "breakthrough", "democracy"};
constexpr const char* kVerbs[] = {"discard", "take", "recover", "give", "play", "keep"};
constexpr const char* kDomainNames[] = {"M", "R", "E", "S", "C", "U"};
constexpr const char* kSteps[] = {"draft", "claim", "play", "effects", "choose", "over"};
constexpr const char* kEditions[] = {"en", "fr", "es", "pt", "ro"};

std::string SomeCard(Bytes& bytes) {
  return std::string(NameOf(static_cast<Kind>(bytes.Below(kKinds))));
}
Json SomeSeat(Bytes& bytes) { return bytes.Below(4); }

Json Nonsense(Bytes& bytes) {
  switch (bytes.Below(16)) {
    case 0: return nullptr;
    case 1: return -1;
    case 2: return 1e300;
    case 3: return 18446744073709551615u;
    case 4: return -9223372036854775807;
    case 5: return 1.5;
    case 6: return true;
    case 7: return "";
    case 8: return Json::array();
    case 9: return Json::object();
    case 10: return Json::array({Json::array(), nullptr, "M1", 3});
    case 11: return 65536;
    case 12: return 256;
    case 13: return SomeCard(bytes);
    case 14: return std::string(300, 'x');
    default: return bytes.Below(110);
  }
}

// Any value inside; every step down is a decision.
Json* Somewhere(Json& json, Bytes& bytes) {
  Json* here = &json;
  while (here->is_structured() && !here->empty() && (here == &json || bytes.Chance(150))) {
    auto item = here->begin();
    std::advance(item, bytes.Below(here->size()));
    here = &*item;
  }
  return here;
}

// The lists of cards of a state.
std::vector<Json*> Places(Json& state) {
  std::vector<Json*> places;
  const auto add = [&](Json& list) {
    if (list.is_array()) places.push_back(&list);
  };
  for (const char* name : {"deck", "discard", "centre"})
    if (state.contains(name)) add(state[name]);
  for (const char* name : {"hands", "tables", "packs"})
    if (state.contains(name) && state[name].is_array())
      for (Json& list : state[name]) add(list);
  return places;
}

// In the order of the Ages, and otherwise as it was.
void SortDeck(Json& state) {
  if (!state.contains("deck") || !state["deck"].is_array()) return;
  Json sorted = Json::array();
  for (const char age : {'1', '2', '3'})
    for (const Json& card : state["deck"])
      if (card.is_string() && card.get<std::string>().ends_with(age)) sorted.push_back(card);
  state["deck"] = sorted;
}

std::string TakeCard(Json& list, Bytes& bytes) {
  const uint32_t at = bytes.Below(list.size());
  const std::string card = list[at].is_string() ? list[at].get<std::string>() : "";
  list.erase(at);
  return card;
}

void MoveCards(Json& state, Bytes& bytes) {
  const std::vector<Json*> places = Places(state);
  if (places.empty()) return;
  Json& from = *places[bytes.Below(places.size())];
  Json& to = *places[bytes.Below(places.size())];
  for (uint32_t count = bytes.Below(12); count > 0 && !from.empty(); --count)
    to.push_back(TakeCard(from, bytes));
  SortDeck(state);
}

// Takes a card of this Domain from anywhere.
std::string Find(Json& state, char domain, Bytes& bytes) {
  const std::vector<Json*> places = Places(state);
  for (size_t i = 0, begin = bytes.Below(places.empty() ? 1 : places.size()); i < places.size();
       ++i) {
    Json& list = *places[(begin + i) % places.size()];
    for (size_t c = 0; c < list.size(); ++c)
      if (list[c].is_string() && list[c].get<std::string>().starts_with(domain)) {
        const std::string card = list[c];
        list.erase(c);
        return card;
      }
  }
  return {};
}

void LayDown(Json& state, Bytes& bytes) {
  const bool embargo = bytes.Chance(128);
  const char* field = embargo ? "embargoes" : "democracies";
  for (uint32_t count = 1 + bytes.Below(9); count > 0; --count) {
    const std::string card = Find(state, embargo ? 'E' : 'U', bytes);
    if (card.empty()) return;
    Json laid = {
        {"seat", SomeSeat(bytes)}, {"domain", bytes.OneOf(kDomainNames)}, {"by", SomeSeat(bytes)}};
    if (embargo) laid["card"] = card;
    if (state.contains(field) && state[field].is_array()) state[field].push_back(laid);
  }
}

void Ask(Json& state, Bytes& bytes) {
  const std::string effect = bytes.OneOf(kEffects);
  Json from;
  if (bytes.Chance(128)) from = bytes.Chance(50) ? bytes.OneOf(kDomainNames) : SomeCard(bytes);
  state["step"] = "choose";
  state["choice"] = {{"effect", effect},
                     {"verb", bytes.OneOf(kVerbs)},
                     {"left", 1 + bytes.Below(6)},
                     {"from", from},
                     {"target", effect == "inquisition" ? SomeSeat(bytes) : Json()}};
  // What the choice needs to have been used.
  state["used"]["permanent"] = {"M", "E", "S", "U"};
  state["used"]["discard"] = {"R", "S"};
}

Json SomeDomains(Bytes& bytes) {
  Json list = Json::array();
  for (const char* domain : kDomainNames)
    if (bytes.Chance(90)) list.push_back(domain);
  return list;
}

// The turn, and the seat that follows from it.
void SetTurn(Json& state, Bytes& bytes) {
  static constexpr int kTurns[] = {0, 1, 2, 19, 20, 40, 79, 80, 160, 1000, 40'000, 65'535};
  const int turn = bytes.Chance(100) ? kTurns[bytes.Below(std::size(kTurns))]
                                     : static_cast<int>(bytes.Below(400));
  state["turn"] = turn;
  if (state["first"].is_number_integer() && state["players"].is_number_integer() &&
      state["players"] > 0 && state["players"] < 5)
    state["seat"] =
        (state["first"].get<int64_t>() % 5 + turn - 1) % state["players"].get<int64_t>();
}

// What both states and views have.
void TwistTable(Json& json, Bytes& bytes) {
  switch (bytes.Below(14)) {
    case 0: return SetTurn(json, bytes);
    case 1: json["step"] = bytes.OneOf(kSteps); return;
    case 2:
    case 3: return Ask(json, bytes);
    case 4:
      json["used"] = {{"permanent", SomeDomains(bytes)}, {"discard", SomeDomains(bytes)}};
      return;
    case 5: json["handSize"] = 3 + bytes.Below(5); return;
    case 6: json["lastDraw"] = bytes.Below(300); return;
    case 7: json["closing"] = bytes.Chance(60) ? Json() : SomeSeat(bytes); return;
    case 8: json["edition"] = bytes.OneOf(kEditions); return;
    case 9:
      json["coin"] = {{"owner", SomeSeat(bytes)},
                      {"seat", SomeSeat(bytes)},
                      {"domain", bytes.OneOf(kDomainNames)}};
      return;
    case 10: *Somewhere(json, bytes) = Nonsense(bytes); return;
    case 11:
      if (Json* place = Somewhere(json, bytes); place->is_structured() && !place->empty()) {
        auto item = place->begin();
        std::advance(item, bytes.Below(place->size()));
        place->erase(item);
      }
      return;
    case 12: json[bytes.OneOf({"first", "seat", "players"})] = bytes.Below(5); return;
    default:
      json["step"] = "effects";
      json["choice"] = nullptr;
      return;
  }
}

// Everything else the same, but over: by the result that follows.
void CallOver(Json& state, Bytes& bytes) {
  state["step"] = "over";
  state["seat"] = nullptr;
  state["choice"] = nullptr;
  if (bytes.Chance(128))
    state["result"] = {{"winners", {bytes.Below(4)}},
                       {"by", "majority"},
                       {"points", {bytes.Below(7), bytes.Below(7)}}};
  else
    state["result"] = {
        {"winners", {bytes.Below(4)}}, {"by", "hegemony"}, {"domain", bytes.OneOf(kDomainNames)}};
}

}  // namespace

Game SomeGame(Bytes& bytes) {
  const std::vector<Config> configs = test::AllConfigs();
  const Config config = configs[bytes.Below(configs.size())];
  Random random(bytes.Byte());
  const auto begin = [&] {
    if (config.setup == Setup::Basic && bytes.Chance(180))
      return test::MadeUpPosition(config, random);
    Config seated = config;
    seated.first = static_cast<Seat>(random.Below(config.players));
    return New(seated, test::MakeDeck(config.players,
                                      static_cast<test::Order>(bytes.Below(test::kOrders)), random)
                           .Span());
  };
  Game game(begin());
  const auto style = static_cast<test::Style>(bytes.Below(test::kStyles));
  for (uint32_t count = bytes.Below(120); count > 0 && game.state.step != Step::Over; --count)
    game.Apply(test::Choose(style, game.state, Legal(game.state), random));
  return game;
}

void TwistState(Json& state, Bytes& bytes) {
  switch (bytes.Below(8)) {
    case 0:
    case 1:
    case 2: return MoveCards(state, bytes);
    case 3: return LayDown(state, bytes);
    case 4: return CallOver(state, bytes);
    case 5: return std::reverse(state["deck"].begin(), state["deck"].end());
    default: return TwistTable(state, bytes);
  }
}

void TwistView(Json& view, Bytes& bytes) {
  const auto holding = [&](const char* field) -> Json* {
    if (!view.contains(field) || !view[field].is_array() || view[field].empty()) return nullptr;
    Json& one = view[field][bytes.Below(view[field].size())];
    return one.is_object() ? &one : nullptr;
  };
  switch (bytes.Below(8)) {
    case 0:
    case 1: {  // a hidden card becomes known, or a back changes places with the deck
      Json* hand = holding("hands");
      if (hand == nullptr) return;
      if (bytes.Chance(128) && hand->contains("known") && (*hand)["known"].is_array())
        (*hand)["known"].push_back(SomeCard(bytes));
      if (bytes.Chance(128) && hand->contains("backs") && (*hand)["backs"].is_array()) {
        (*hand)["backs"].push_back(1 + bytes.Below(3));
        if (view["deck"].is_object() && view["deck"]["count"].is_number_unsigned())
          view["deck"]["count"] = view["deck"]["count"].get<uint64_t>() - 1;
      }
      return;
    }
    case 2: {  // one own card for another
      Json* hand = holding(bytes.Chance(200) ? "hands" : "packs");
      if (hand != nullptr && hand->contains("cards") && (*hand)["cards"].is_array() &&
          !(*hand)["cards"].empty())
        (*hand)["cards"][bytes.Below((*hand)["cards"].size())] = SomeCard(bytes);
      return;
    }
    case 3:
      if (view["choice"].is_object()) {
        view["choice"]["from"] = bytes.Chance(80) ? Json() : Json(SomeCard(bytes));
        view["choice"]["left"] = 1 + bytes.Below(8);
      }
      return;
    case 4:
      view["deck"] = {{"count", bytes.Below(105)},
                      {"top", bytes.Chance(40) ? Json() : Json(1 + bytes.Below(3))}};
      return;
    default: return TwistTable(view, bytes);
  }
}

void TwistRecord(Json& record, Bytes& bytes) {
  Json& actions = record["actions"];
  switch (bytes.Below(6)) {
    case 0:
      if (actions.is_array() && !actions.empty())
        actions[bytes.Below(actions.size())] =
            NameOf(test::AllActions()[bytes.Below(test::AllActions().size())]);
      return;
    case 1:
      if (actions.is_array() && !actions.empty()) actions.erase(actions.size() - 1);
      return;
    case 2:
      record["result"] =
          bytes.Chance(128) ? Json() : Json{{"winners", {bytes.Below(5)}}, {"by", "forfeit"}};
      return;
    case 3:
      if (record["deck"].is_array() && record["deck"].size() > 1)
        std::swap(record["deck"][bytes.Below(record["deck"].size())],
                  record["deck"][bytes.Below(record["deck"].size())]);
      return;
    case 4:
      record[bytes.OneOf({"names", "date", "comments", "rules", "format"})] = Nonsense(bytes);
      return;
    default: *Somewhere(record, bytes) = Nonsense(bytes);
  }
}

void TwistEvent(Json& event, Bytes& bytes) { *Somewhere(event, bytes) = Nonsense(bytes); }

}  // namespace civ::fuzz
