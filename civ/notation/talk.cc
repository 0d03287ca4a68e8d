#include "civ/notation/talk.h"

#include <algorithm>
#include <array>
#include <utility>

#include "civ/notation/notation.h"

namespace civ {
namespace {

constexpr int kMostActions = UINT16_MAX;
constexpr int kMostTurns = UINT16_MAX;

constexpr std::array<std::pair<TalkKind, std::string_view>, 7> kNames = {
    {{TalkKind::Truce, "truce"},
     {TalkKind::Together, "together"},
     {TalkKind::Yes, "yes"},
     {TalkKind::No, "no"},
     {TalkKind::GiveUp, "give-up"},
     {TalkKind::Warn, "warn"},
     {TalkKind::Signal, "signal"}}};
constexpr std::array<std::pair<News::Kind, std::string_view>, 3> kNewsNames = {
    {{News::Spoken, "said"}, {News::Breach, "broken"}, {News::Over, "over"}}};

template <class Kind, size_t kCount>
std::optional<Kind> ParseOf(const std::array<std::pair<Kind, std::string_view>, kCount>& names,
                            std::string_view text) {
  for (const auto& [kind, name] : names)
    if (name == text) return kind;
  return std::nullopt;
}
std::optional<TalkKind> ParseTalkKind(std::string_view text) { return ParseOf(kNames, text); }
std::optional<News::Kind> ParseNewsKind(std::string_view text) { return ParseOf(kNewsNames, text); }

Json SeatsOf(unsigned seats) {
  Json json = Json::array();
  for (unsigned seat = 0; seat < kMaxSeats; ++seat)
    if ((seats >> seat & 1) != 0) json.push_back(seat);
  return json;
}

Json SeatOf(Seat seat) { return seat == kNone ? Json() : Json(seat); }

bool IsUpTo(const Json& number, int most) {
  return number.is_number_integer() && number >= 0 && number <= most;
}

// Reads parts of pacts for a game of so many players.
struct TalkReader : Reader {
  TalkReader(const Json& json, const Config& config) : Reader(json), config(config) {}
  const Config& config;

  Seat AnySeat(std::string_view field) {
    return static_cast<Seat>(Int(field, 0, config.players - 1));
  }
  Seat NoneOrSeat(std::string_view field) { return SeatOrNone(field, config.players); }
  uint16_t Id(std::string_view field) { return static_cast<uint16_t>(Int(field, 0, UINT16_MAX)); }
  uint8_t Seats(std::string_view field) {
    unsigned seats = 0;
    for (const Json& seat : Array(field)) {
      if (!IsUpTo(seat, config.players - 1))
        Fail("error.value", {{"field", std::string(field)}, {"value", seat.dump()}});
      else
        seats |= 1u << seat.get<unsigned>();
    }
    return static_cast<uint8_t>(seats);
  }
  int Turn(std::string_view field) { return Int(field, 0, kMostTurns); }
  TalkKind ReadKind() {
    const TalkKind kind = Word("say", ParseTalkKind);
    if (!IsProposal(kind))
      Fail("error.value", {{"field", "say"}, {"value", std::string(NameOf(kind))}});
    return kind;
  }

  Talk ReadTalk() {
    Talk talk{.kind = Word("say", ParseTalkKind)};
    if (IsProposal(talk.kind)) talk.to = Seats("to");
    if (talk.kind == TalkKind::Truce)
      talk.rounds = static_cast<uint8_t>(Int("rounds", 1, kMostRounds));
    if (talk.kind == TalkKind::Together) talk.about = AnySeat("against");
    if (talk.kind == TalkKind::Warn) talk.about = AnySeat("about");
    if (talk.kind == TalkKind::Warn || talk.kind == TalkKind::Signal)
      talk.domain = Word("domain", ParseDomain);
    if (talk.kind == TalkKind::Yes || talk.kind == TalkKind::No) talk.id = Id("offer");
    if (talk.kind == TalkKind::GiveUp) talk.id = Id("pact");
    return talk;
  }
  Proposal ReadOffer() {
    Proposal offer{.id = Id("id"), .kind = ReadKind(), .by = AnySeat("by"), .to = Seats("to")};
    offer.against = NoneOrSeat("against");
    offer.rounds = static_cast<uint8_t>(Int("rounds", 0, kMostRounds));
    offer.turn = Turn("turn");
    CheckAgainst(offer.kind, offer.against);
    return offer;
  }
  Pact ReadPact() {
    Pact pact{.id = Id("id"), .kind = ReadKind()};
    ReadTwo("seats", config.players - 1, pact.seats);
    pact.against = NoneOrSeat("against");
    pact.begun = Turn("begun");
    pact.last = IsNull("last") ? kOpenEnd : Turn("last");
    pact.given_up = NoneOrSeat("givenUp");
    ReadTwo("struck", kMostTurns, pact.struck);
    CheckAgainst(pact.kind, pact.against);
    return pact;
  }
  Action ReadAction() { return Word("action", ParseAction); }

  // A part in an object of its own, and the parts of a list.
  template <class Part>
  Part One(const Json& json, Part (TalkReader::*read)()) {
    TalkReader part(json, config);
    const Part found = part.ok() ? (part.*read)() : Part{};
    Adopt(part);
    return found;
  }
  template <class Part>
  std::vector<Part> All(std::string_view field, Part (TalkReader::*read)()) {
    std::vector<Part> parts;
    for (const Json& json : Array(field)) parts.push_back(One(json, read));
    return parts;
  }

  Broken ReadBroken() {
    return {One(Field("pact"), &TalkReader::ReadPact), AnySeat("by"), ReadAction(), Turn("turn")};
  }
  Repeated ReadRepeated() {
    return {Turn("turn"), AnySeat("seat"), One(Field("talk"), &TalkReader::ReadTalk)};
  }
  News ReadNews() {
    News news{.kind = Word("what", ParseNewsKind),
              .at = static_cast<uint16_t>(Int("at", 0, kMostActions)),
              .seat = NoneOrSeat("seat")};
    if (news.kind == News::Spoken) news.talk = One(Field("talk"), &TalkReader::ReadTalk);
    if (Has("pact")) news.pact = One(Field("pact"), &TalkReader::ReadPact);
    if (Has("action")) news.action = ReadAction();
    if (news.kind != News::Over && news.seat == kNone)
      Fail("error.value", {{"field", "seat"}, {"value", "null"}});
    return news;
  }

 private:
  template <class Number>
  void ReadTwo(std::string_view field, int most, std::array<Number, 2>& into) {
    const Json& json = Array(field);
    const auto fits = [&](const Json& number) { return IsUpTo(number, most); };
    if (json.size() != into.size() || !std::ranges::all_of(json, fits))
      return Fail("error.value", {{"field", std::string(field)}, {"value", json.dump()}});
    for (size_t i = 0; i < into.size(); ++i) into[i] = json[i].get<Number>();
  }
  void CheckAgainst(TalkKind kind, Seat against) {
    if ((kind == TalkKind::Together) != (against != kNone))
      Fail("error.value", {{"field", "against"}, {"value", SeatOf(against).dump()}});
  }
};

Json ToJson(const Proposal& offer) {
  return {{"id", offer.id},          {"say", NameOf(offer.kind)},        {"by", offer.by},
          {"to", SeatsOf(offer.to)}, {"against", SeatOf(offer.against)}, {"rounds", offer.rounds},
          {"turn", offer.turn}};
}

Json ToJson(const Pact& pact) {
  return {{"id", pact.id},
          {"say", NameOf(pact.kind)},
          {"seats", pact.seats},
          {"against", SeatOf(pact.against)},
          {"begun", pact.begun},
          {"last", pact.last == kOpenEnd ? Json() : Json(pact.last)},
          {"givenUp", SeatOf(pact.given_up)},
          {"struck", pact.struck}};
}

bool IsAboutPact(TalkKind kind) {
  return kind == TalkKind::Yes || kind == TalkKind::No || kind == TalkKind::GiveUp;
}

Json ToJson(const News& news) {
  Json json = {{"what", NameOf(news.kind)}, {"at", news.at}, {"seat", SeatOf(news.seat)}};
  if (news.kind == News::Spoken) json["talk"] = ToJson(news.talk);
  if (news.kind != News::Spoken || IsAboutPact(news.talk.kind)) json["pact"] = ToJson(news.pact);
  if (news.kind == News::Breach) json["action"] = NameOf(news.action);
  return json;
}

}  // namespace

std::string_view NameOf(TalkKind kind) { return kNames[static_cast<size_t>(kind)].second; }

std::string_view NameOf(News::Kind kind) { return kNewsNames[kind].second; }

std::string_view NameOf(Character character) {
  static constexpr std::array<std::string_view, kCharacters> kCharacterNames = {"faithful", "fair",
                                                                                "opportunist"};
  return kCharacterNames[static_cast<size_t>(character)];
}

Json ToJson(const Talk& talk) {
  Json json = {{"say", NameOf(talk.kind)}};
  if (IsProposal(talk.kind)) json["to"] = SeatsOf(talk.to);
  if (talk.kind == TalkKind::Truce) json["rounds"] = talk.rounds;
  if (talk.kind == TalkKind::Together) json["against"] = talk.about;
  if (talk.kind == TalkKind::Warn) json["about"] = talk.about;
  if (talk.kind == TalkKind::Warn || talk.kind == TalkKind::Signal)
    json["domain"] = NameOf(talk.domain);
  if (talk.kind == TalkKind::GiveUp) json["pact"] = talk.id;
  if (talk.kind == TalkKind::Yes || talk.kind == TalkKind::No) json["offer"] = talk.id;
  return json;
}

Expected<Talk> TalkFromJson(const Json& json, const Config& config) {
  TalkReader reader(json, config);
  const Talk talk = reader.ReadTalk();
  if (!reader.ok()) return *reader.error;
  return talk;
}

Json ToJson(const std::vector<Said>& talk) {
  Json list = Json::array();
  for (const Said& said : talk) {
    Json json = {{"at", said.at}, {"seat", said.seat}};
    json.update(ToJson(said.talk));
    list.push_back(std::move(json));
  }
  return list;
}

Expected<std::vector<Said>> TalkOfGameFromJson(const Json& json, const Config& config) {
  std::vector<Said> talk;
  if (!json.is_array()) return Error{"error.type", {{"field", "talk"}, {"wanted", "list"}}};
  for (const Json& one : json) {
    TalkReader reader(one, config);
    const auto at = static_cast<uint16_t>(reader.Int("at", 0, kMostActions));
    talk.push_back({at, reader.AnySeat("seat"), reader.ReadTalk()});
    if (!reader.ok()) return *reader.error;
  }
  return talk;
}

std::vector<Said> TalkIn(const Record& record) {
  if (!record.comments.is_object()) return {};
  const Expected<std::vector<Said>> talk =
      TalkOfGameFromJson(record.comments.value("talk", Json()), record.config);
  return talk ? *talk : std::vector<Said>();
}

namespace {

// Of each who has broken a pact with somebody the last one.
std::vector<Broken> LastBroken(const Diplomacy& pacts) {
  std::vector<Broken> last;
  for (const Broken& broken : pacts.broken) {
    std::erase_if(last, [&](const Broken& earlier) {
      return earlier.by == broken.by &&
             earlier.pact.Other(broken.by) == broken.pact.Other(broken.by);
    });
    last.push_back(broken);
  }
  return last;
}

}  // namespace

Json ToJson(const Diplomacy& pacts, size_t news) {
  Json json = {{"ids", pacts.ids},        {"offers", Json::array()},   {"pacts", Json::array()},
               {"broken", Json::array()}, {"repeated", Json::array()}, {"news", Json::array()}};
  for (const Proposal& offer : pacts.offers) json["offers"].push_back(ToJson(offer));
  for (const Pact& pact : pacts.pacts) json["pacts"].push_back(ToJson(pact));
  for (const Broken& broken : pacts.news.size() > news ? LastBroken(pacts) : pacts.broken)
    json["broken"].push_back({{"pact", ToJson(broken.pact)},
                              {"by", broken.by},
                              {"action", NameOf(broken.action)},
                              {"turn", broken.turn}});
  for (const Repeated& last : pacts.repeated)
    json["repeated"].push_back(
        {{"turn", last.turn}, {"seat", last.seat}, {"talk", ToJson(last.talk)}});
  for (size_t i = pacts.news.size() - std::min(news, pacts.news.size()); i < pacts.news.size(); ++i)
    json["news"].push_back(ToJson(pacts.news[i]));
  return json;
}

Expected<Diplomacy> DiplomacyFromJson(const Json& json, const Config& config) {
  TalkReader reader(json, config);
  const Diplomacy pacts = {.ids = reader.Id("ids"),
                           .offers = reader.All("offers", &TalkReader::ReadOffer),
                           .pacts = reader.All("pacts", &TalkReader::ReadPact),
                           .broken = reader.All("broken", &TalkReader::ReadBroken),
                           .news = reader.All("news", &TalkReader::ReadNews),
                           .repeated = reader.All("repeated", &TalkReader::ReadRepeated)};
  if (!reader.ok()) return *reader.error;
  return pacts;
}

}  // namespace civ
