#include "civ/guide/json.h"

#include <charconv>
#include <span>

#include "civ/notation/notation.h"
#include "civ/notation/talk.h"
#include "civ/rules/sides.h"

namespace civ {

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void JsonText::Comma() {
  if (!text_.empty() && text_.back() != '{' && text_.back() != '[' && text_.back() != ':')
    text_ += ',';
}

JsonText& JsonText::Key(std::string_view key) {
  Name(key);
  text_ += ':';
  return *this;
}

JsonText& JsonText::Open(char bracket) {
  Comma();
  text_ += bracket;
  return *this;
}

JsonText& JsonText::Close(char bracket) {
  text_ += bracket;
  return *this;
}

JsonText& JsonText::Raw(std::string_view json) {
  Comma();
  text_ += json;
  return *this;
}

JsonText& JsonText::Number(int64_t number) {
  std::array<char, 24> digits;
  return Raw(
      {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr});
}

JsonText& JsonText::Name(std::string_view name) {
  Comma();
  text_ += '"';
  text_ += name;
  text_ += '"';
  return *this;
}

JsonText& JsonText::Text(const std::string& text) { return Raw(Dump(text)); }

namespace {

template <class Items, class Item>
void PutList(JsonText& to, const Items& items, Item put) {
  to.Open('[');
  for (const auto& item : items) put(item);
  to.Close(']');
}

}  // namespace

void PutSeat(JsonText& to, Seat seat) {
  if (seat == kNone)
    to.Raw("null");
  else
    to.Number(seat);
}

void PutAll(JsonText& to, const Messages& messages) {
  PutList(to, messages, [&](const Message& message) { Put(to, message); });
}

void PutActions(JsonText& to, const std::vector<Action>& actions) {
  PutList(to, actions, [&](Action action) { to.Name(NameOf(action)); });
}

namespace {

void PutSeats(JsonText& to, unsigned seats) {
  to.Open('[');
  for (int seat = 0; seat < kMaxSeats; ++seat)
    if ((seats >> seat & 1) != 0) to.Number(seat);
  to.Close(']');
}

void PutCards(JsonText& to, Cards cards) {
  to.Open('[');
  for (int k = 0; k < kKinds; ++k)
    for (int i = cards[static_cast<Kind>(k)]; i > 0; --i) to.Name(NameOf(static_cast<Kind>(k)));
  to.Close(']');
}

void PutDomains(JsonText& to, Domains domains) {
  to.Open('[');
  for (int d = 0; d < kDomains; ++d)
    if (const auto domain = static_cast<Domain>(d); (domains & Bit(domain)) != 0)
      to.Name(NameOf(domain));
  to.Close(']');
}

void PutBool(JsonText& to, bool value) { to.Raw(value ? "true" : "false"); }

void PutOrNull(JsonText& to, const std::optional<Message>& message) {
  if (message)
    Put(to, *message);
  else
    to.Raw("null");
}

// A value by itself, or in an object that says what it is.
struct PutValue {
  JsonText& to;

  void operator()(int64_t number) const { to.Number(number); }
  void operator()(const std::string& text) const { to.Text(text); }
  void operator()(Who who) const { As("seat").Number(who.seat).Close('}'); }
  void operator()(Group group) const {
    PutSeats(As("seats"), group.seats);
    to.Close('}');
  }
  void operator()(Domain domain) const { As("domain").Name(NameOf(domain)).Close('}'); }
  void operator()(DomainList list) const {
    PutDomains(As("domains"), list.domains);
    to.Close('}');
  }
  void operator()(Effect effect) const { As("effect").Name(NameOf(effect)).Close('}'); }
  void operator()(Does does) const { As("does").Name(NameOf(does.effect)).Close('}'); }
  void operator()(Kind kind) const { As("card").Name(NameOf(kind)).Close('}'); }
  void operator()(Cards cards) const {
    PutCards(As("cards"), cards);
    to.Close('}');
  }
  void operator()(const Backs& backs) const {
    As("backs").Open('[');
    for (int age = 1; age <= kAges; ++age)
      for (int i = backs.count[static_cast<size_t>(age - 1)]; i > 0; --i) to.Number(age);
    to.Close(']').Close('}');
  }
  void operator()(Age age) const { As("age").Number(static_cast<int>(age)).Close('}'); }
  void operator()(const Messages& messages) const {
    PutAll(As("list"), messages);
    to.Close('}');
  }

 private:
  JsonText& As(std::string_view what) const { return to.Open('{').Key(what); }
};

constexpr std::array<std::string_view, 5> kUses = {"ready", "waiting", "used", "not-yet",
                                                   "blocked"};

void PutColumns(JsonText& to, const Guide& guide, int players) {
  to.Key("columns").Open('[');
  for (size_t seat = 0; seat < static_cast<size_t>(players); ++seat)
    PutList(to, guide.columns[seat], [&](const Guide::Column& column) {
      to.Open('{')
          .Key("count")
          .Number(column.count)
          .Key("need")
          .Number(column.need)
          .Key("level")
          .Number(column.level)
          .Close('}');
    });
  to.Close(']');
}

void PutNotes(JsonText& to, const std::vector<Guide::EffectNote>& notes) {
  to.Open('{');
  for (const Guide::EffectNote& note : notes) {
    to.Key(note.name).Open('{').Key("state").Name(kUses[static_cast<size_t>(note.use)]).Key("why");
    PutOrNull(to, note.why);
    to.Close('}');
  }
  to.Close('}');
}

void PutEffects(JsonText& to, const Guide& guide, int players) {
  PutNotes(to.Key("effects"), guide.effects);
  PutList(to.Key("effectsOf"), std::span(guide.effects_of).first(static_cast<size_t>(players)),
          [&](const auto& notes) { PutNotes(to, notes); });
  to.Key("unplayable").Open('{');
  for (const auto& [kind, why] : guide.unplayable) Put(to.Key(NameOf(kind)), why);
  to.Close('}');
}

void PutChoose(JsonText& to, const std::optional<Guide::Choose>& choose) {
  to.Key("choose");
  if (!choose) {
    to.Raw("null");
    return;
  }
  PutList(to.Open('{').Key("left").Number(choose->left).Key("cards"), choose->cards,
          [&](std::string_view name) { to.Name(name); });
  to.Close('}');
}

void PutStop(JsonText& to, const Guide::Stop& stop) {
  Put(to.Open('{').Key("action").Name(NameOf(stop.action)).Key("offer"), stop.offer);
  PutBool(to.Key("now"), stop.now);
  PutList(to.Key("then"), stop.then, [&](Action action) { to.Name(NameOf(action)); });
  PutDomains(to.Key("left"), stop.left);
  to.Close('}');
}

void PutThreats(JsonText& to, const Guide& guide, int players) {
  PutList(to.Key("threats"), std::span(guide.threats).first(static_cast<size_t>(players)),
          [&](const std::optional<Guide::Danger>& danger) {
            if (!danger) {
              to.Raw("null");
              return;
            }
            PutDomains(to.Open('{').Key("domains"), danger->domains);
            PutBool(to.Key("proven"), danger->proven);
            PutAll(to.Key("how"), danger->how);
            PutList(to.Key("stops"), danger->stops,
                    [&](const Guide::Stop& stop) { PutStop(to, stop); });
            to.Close('}');
          });
}

void PutMajority(JsonText& to, const Guide& guide, const Config& config) {
  PutList(to.Key("majority").Open('{').Key("most"), guide.most,
          [&](unsigned seats) { PutSeats(to, seats); });
  to.Key("points").Open('[');
  for (size_t side = 0; side < static_cast<size_t>(SideCount(config)); ++side)
    to.Number(guide.majority.points[side]);
  to.Close(']');
  PutSeats(to.Key("winners"), guide.majority.winners);
  PutAll(to.Key("told"), guide.told);
  to.Close('}');
}

}  // namespace

void Put(JsonText& to, const Message& message) {
  to.Open('{').Key("key").Name(message.key).Key("args").Open('{');
  for (const auto& [name, value] : message.args) {
    to.Key(name);
    std::visit(PutValue{to}, value);
  }
  to.Close('}').Close('}');
}

void Put(JsonText& to, const Guide& guide, const Config& config) {
  PutActions(to.Open('{').Key("legal"), guide.legal);
  PutAll(to.Key("offers"), guide.offers);
  PutOrNull(to.Key("ask"), guide.ask);
  PutSeat(to.Key("turnOf"), guide.turn_of);
  to.Key("round").Number(guide.round);
  to.Key("levels").Open('[').Number(guide.levels[0]).Number(guide.levels[1]).Close(']');
  to.Key("cultureLead").Number(guide.culture_lead);
  PutColumns(to, guide, config.players);
  PutEffects(to, guide, config.players);
  PutChoose(to, guide.choose);
  PutActions(to.Key("draw").Number(guide.draw).Key("reveals"), guide.reveals);
  PutBool(to.Key("wins"), guide.wins);
  PutBool(to.Key("lastTurn"), guide.last_turn);
  to.Key("hegemony").Number(guide.hegemony);
  to.Key("turns").Open('{').Key("all").Number(guide.turns.all);
  to.Key("own").Number(guide.turns.own).Close('}');
  PutThreats(to, guide, config.players);
  PutMajority(to, guide, config);
  PutAll(to.Key("ending"), guide.ending);
  PutAll(to.Key("missed"), guide.missed);
  to.Close('}');
}

namespace {

// Every hand, and every pack, with its cards.
Json OpenView(const View& view) {
  Json json = ToJson(view);
  for (Seat seat = 0; seat < view.config.players; ++seat) {
    View own = view;
    own.viewer = seat;
    const Json seen = ToJson(own);
    json["hands"][seat] = seen["hands"][seat];
    if (view.step == Step::Draft) json["packs"][seat] = seen["packs"][seat];
  }
  return json;
}

void PutTold(JsonText& to, const Told& told) {
  to.Open('{')
      .Key("begin")
      .Number(static_cast<int64_t>(told.begin))
      .Key("end")
      .Number(static_cast<int64_t>(told.end));
  to.Key("seat").Number(told.seat).Key("turn").Number(told.turn).Key("effect");
  if (told.effect.empty())
    to.Raw("null");
  else
    to.Name(told.effect);
  PutAll(to.Key("lines"), told.lines);
  to.Close('}');
}

}  // namespace

void PutStory(JsonText& to, const std::vector<Told>& story) {
  to.Key("headings").Open('[');
  for (const Told& told : story) {
    if (!told.heading) continue;
    to.Open('{')
        .Key("begin")
        .Number(static_cast<int64_t>(told.begin))
        .Key("turn")
        .Number(told.turn)
        .Key("seat")
        .Number(told.seat);
    Put(to.Key("heading"), *told.heading);
    to.Close('}');
  }
  to.Close(']');
  PutList(to.Key("story"), story, [&](const Told& told) { PutTold(to, told); });
}

void Put(JsonText& to, const Look& look) {
  to.Open('{').Key("ok").Raw("true").Key("view").Raw(
      Dump(look.open ? OpenView(look.view) : ToJson(look.view)));
  Put(to.Key("guide"), look.guide, look.view.config);
  PutStory(to, look.story);
  to.Key("back");
  if (look.back)
    to.Number(static_cast<int64_t>(*look.back));
  else
    to.Raw("null");
  to.Key("actions").Number(static_cast<int64_t>(look.actions));
  if (look.pacts) to.Key("pacts").Raw(Dump(ToJson(*look.pacts, look.pacts->news.size())));
  to.Close('}');
}

std::string Refusal(const Message& error) {
  JsonText answer;
  Put(answer.Open('{').Key("ok").Raw("false").Key("error"), error);
  return answer.Close('}').text();
}

}  // namespace civ
