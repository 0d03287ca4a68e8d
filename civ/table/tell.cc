#include "civ/table/tell.h"

#include <algorithm>
#include <utility>

#include "civ/guide/json.h"
#include "civ/guide/look.h"
#include "civ/notation/notation.h"
#include "civ/notation/talk.h"

namespace civ {
namespace {

Json ChairsOf(const Table& table) {
  Json chairs = Json::array();
  for (Seat seat = 0; seat < table.seats(); ++seat) {
    const Chair& chair = table.chairs()[seat];
    Json json = {{"person", chair.person ? ToJson(*chair.person) : Json()},
                 {"bot", chair.bot.empty() ? Json() : Json(chair.bot)}};
    if (const std::optional<Left> left = table.LeftBy(seat)) json["left"] = NameOf(*left);
    chairs.push_back(std::move(json));
  }
  return chairs;
}

Json Summary(const Table& table) {
  Json json = {{"status", NameOf(table.status())},
               {"options", civ::ToJson(table.options())},
               {"chairs", ChairsOf(table)},
               {"host", table.Host()}};
  if (Json result = table.Result(); !result.is_null()) json["result"] = std::move(result);
  if (!table.close_reason().empty()) json["closed"] = table.close_reason();
  if (!table.rematch().empty()) json["rematch"] = table.rematch();
  return json;
}

Json SeatsOf(unsigned seats, Seat count) {
  Json json = Json::array();
  for (Seat seat = 0; seat < count; ++seat)
    if ((seats >> seat & 1) != 0) json.push_back(seat);
  return json;
}

Json NotesOf(const Table& table) {
  Json notes = Json::array();
  for (const Table::Note& note : table.notes()) {
    notes.push_back({{"at", note.at}, {"type", note.what}, {"seat", note.seat}});
    if (note.why) notes.back()["why"] = NameOf(*note.why);
  }
  return notes;
}

Json DealOf(const Table& table) {
  Json randoms = Json::array();
  for (Seat seat = 0; seat < table.seats(); ++seat)
    randoms.push_back(table.randoms()[seat].empty() ? Json() : Json(table.randoms()[seat]));
  Json deal = {{"hash", table.hash()}, {"randoms", std::move(randoms)}};
  if (table.Ended()) deal["secret"] = table.secret();
  return deal;
}

// All of a table but the game, the clock and the talk: the same for everybody.
Json Meta(const Table& table) {
  const Seat seats = table.seats();
  Json json = Summary(table);
  if (const auto& question = table.question())
    json["question"] = {{"n", question->number},
                        {"seat", question->seat},
                        {"back", question->back_to ? Json(*question->back_to) : Json()},
                        {"yes", SeatsOf(question->yes, seats)}};
  if (const int round = table.DraftRound(); round > 0) {
    Json picked = Json::array();
    for (Seat seat = 0; seat < seats; ++seat) picked.push_back(table.picks()[seat].has_value());
    json["draft"] = {{"round", round}, {"picked", std::move(picked)}};
  }
  if (!table.hash().empty()) json["deal"] = DealOf(table);
  if (!table.notes().empty()) json["notes"] = NotesOf(table);
  return json;
}

Json ClockOf(const Table& table) {
  Json seats = Json::array();
  for (Seat seat = 0; seat < table.seats(); ++seat) {
    const SeatClock& clock = table.clocks()[seat];
    seats.push_back({{"free", clock.free},
                     {"turn", clock.turn},
                     {"bank", clock.bank},
                     {"running", table.ClockRuns(seat)}});
  }
  return {{"at", table.now()}, {"seats", std::move(seats)}};
}

// Where the group of actions begins in which number `since` is the first that is new, or the last
// group before it: if something was taken back that one may have been longer.
size_t GroupAt(const Course& course, size_t since) {
  size_t from = 0;
  for (size_t next = 0; next < since && next < course.actions.size();
       next += TogetherFrom(course, next))
    from = next;
  return from;
}

// Where the turn before the one under way begins: what whoever comes is told of the game so far.
size_t LastTurns(const Course& course) {
  const auto last = course.states.back().turn;
  const auto earlier = std::ranges::find_if(
      course.states, [last](const State& state) { return state.turn + 1 >= last; });
  return static_cast<size_t>(earlier - course.states.begin());
}

// What happened from number `from` on: "log", "headings" and "story", into an object that is open.
void PutCourse(JsonText& text, const Course& course, size_t from, Seat viewer) {
  text.Key("log").Open('[');
  for (size_t i = from; i < course.actions.size(); ++i)
    text.Name(NameFor(course.states[i], course.actions[i], viewer));
  text.Close(']');
  PutStory(text, TellCourse(course, from, {.seat = viewer, .you = viewer != kSpectator}));
}

// The game as it is now, with what happened since number `since`, or in the last turns. `states`
// are the table's own.
std::string GameOf(const Table& table, const std::vector<State>& states,
                   std::optional<size_t> since, Seat viewer) {
  const Course course{states, table.actions()};
  const size_t from = since ? GroupAt(course, *since) : LastTurns(course);
  JsonText text;
  text.Open('{')
      .Key("actions")
      .Number(static_cast<int64_t>(table.actions().size()))
      .Key("from")
      .Number(static_cast<int64_t>(from));
  text.Key("final").Number(table.barrier());
  PutCourse(text, course, from, viewer);
  return text.Key("view").Raw(Dump(civ::ToJson(table.ViewFor(viewer)))).Close('}').text();
}

Json ChatOf(const event::Say& said) {
  Json json = {{"person", ToJson(said.person)}, {"seat", said.seat ? Json(*said.seat) : Json()}};
  json[said.phrase.empty() ? "text" : "phrase"] = said.phrase.empty() ? said.text : said.phrase;
  return json;
}

// What an event is about, for one viewer.
struct FieldsFor {
  Seat viewer;

  Json operator()(const event::Create&) const { return Json::object(); }
  Json operator()(const event::Sit& e) const {
    return {{"seat", e.seat}, {"person", ToJson(e.person)}};
  }
  Json operator()(const event::Stand& e) const { return {{"seat", e.seat}}; }
  Json operator()(const event::SeatBot& e) const { return {{"seat", e.seat}, {"bot", e.bot}}; }
  Json operator()(const event::Commit& e) const { return {{"hash", e.hash}}; }
  Json operator()(const event::Contribute& e) const {
    return {{"seat", e.seat}, {"random", e.random}};
  }
  Json operator()(const event::Deal& e) const { return {{"first", e.first}}; }
  Json operator()(const event::Act& e) const { return {{"seat", e.seat}}; }
  Json operator()(const event::Pick& e) const {
    Json json = {{"seat", e.seat}, {"round", e.round}};
    if (viewer == e.seat) json["card"] = NameOf(e.card);
    return json;
  }
  Json operator()(const event::Ask& e) const {
    return {{"seat", e.seat}, {"back", e.back_to ? Json(*e.back_to) : Json()}};
  }
  Json operator()(const event::Answer& e) const { return {{"seat", e.seat}, {"yes", e.yes}}; }
  Json operator()(const event::Back& e) const { return {{"seat", e.seat}, {"to", e.to}}; }
  Json operator()(const event::Leave& e) const {
    return {{"seat", e.seat}, {"why", NameOf(e.why)}};
  }
  Json operator()(const event::Return& e) const { return {{"seat", e.seat}}; }
  Json operator()(const event::Forfeit&) const { return Json::object(); }
  Json operator()(const event::Say& e) const { return ChatOf(e); }
  Json operator()(const event::Mute& e) const { return {{"whom", e.whom}, {"on", e.on}}; }
  Json operator()(const event::Rematch& e) const { return {{"rematch", e.table}}; }
  Json operator()(const event::Rename& e) const { return {{"person", ToJson(e.person)}}; }
  Json operator()(const event::Close& e) const { return {{"why", e.why}}; }
  Json operator()(const event::Talk& e) const {
    return {{"seat", e.seat}, {"talk", ToJson(e.talk)}};
  }
};

// The last lines that the viewer may hear, in their order.
Json ChatFor(const Table& table, const Person& viewer, const Asides& asides) {
  using Placed = std::pair<Json, const event::Say*>;
  std::vector<Placed> lines;
  for (const Table::ChatMessage& message : table.chat())
    lines.emplace_back(message.number, &message.said);
  for (const Asides::Line& line : asides.lines()) lines.emplace_back(line.place, &line.said);
  std::ranges::stable_sort(lines, {}, [](const Placed& line) { return line.first.get<double>(); });
  Json chat = Json::array();
  for (const auto& [place, said] : lines) {
    if (!MayHear(table, *said, viewer, asides)) continue;
    chat.push_back(ChatOf(*said));
    chat.back()["n"] = place;
  }
  return chat;
}

}  // namespace

Json ToJson(const Error& error) {
  JsonText text;
  Put(text, MessageOf(error));
  return Json::parse(text.text());
}

std::string TellAll(const Table& table, const Person& viewer, const Asides& asides) {
  const Seat seat = table.SeatOf(viewer.id);
  Json you = {{"person", ToJson(viewer)},
              {"seat", seat == kSpectator ? Json() : Json(seat)},
              {"muted", asides.MutedBy(viewer.id)}};
  if (seat != kSpectator && table.DraftRound() > 0 && table.picks()[seat])
    you["pick"] = NameOf(*table.picks()[seat]);
  JsonText text;
  text.Open('{').Key("type").Name("hello").Key("n").Number(table.number());
  text.Key("you").Raw(Dump(you)).Key("table").Raw(Dump(Meta(table)));
  if (table.options().clock && table.HasGame()) text.Key("clock").Raw(Dump(ClockOf(table)));
  if (table.HasGame()) text.Key("game").Raw(GameOf(table, table.States(), {}, seat));
  if (!table.said().empty()) text.Key("pacts").Raw(Dump(ToJson(table.pacts())));
  return text.Key("chat").Raw(Dump(ChatFor(table, viewer, asides))).Close('}').text();
}

std::string TellPast(const Table& table, size_t actions, const Person& viewer) {
  const Seat seat = table.SeatOf(viewer.id);
  const View view = actions == table.actions().size()
                        ? table.ViewFor(seat)
                        : LookAt(table.ToRecord(), actions, actions, {.seat = seat}).view;
  return Dump({{"view", ToJson(view)}});
}

std::string TellStory(const Table& table, size_t actions, const Person& viewer) {
  const std::vector<State> states = table.States();
  const Course course{std::span(states).first(actions + 1),
                      std::span(table.actions()).first(actions)};
  JsonText text;
  PutCourse(text.Open('{'), course, 0, table.SeatOf(viewer.id));
  return text.Close('}').text();
}

bool MayHear(const Table& table, const event::Say& said, const Person& viewer,
             const Asides& asides) {
  if (asides.HasMuted(viewer.id, said.person.id)) return false;
  return said.seat || table.Ended() || table.SeatOf(viewer.id) == kSpectator;
}

bool MayHear(const Table& before, const Event& event, const Table& after, const Person& viewer,
             const Asides& asides) {
  if (const auto* said = std::get_if<event::Say>(&event.body))
    return MayHear(after, *said, viewer, asides);
  if (const auto* mute = std::get_if<event::Mute>(&event.body)) return mute->by == viewer.id;
  if (const auto* pick = std::get_if<event::Pick>(&event.body))
    return !before.picks()[pick->seat] || after.SeatOf(viewer.id) == pick->seat;
  return true;
}

void EventTeller::Prepare() {
  if (std::exchange(prepared_, true)) return;
  // Most events are moves, which change the game and nothing else.
  const bool only_game = std::holds_alternative<event::Act>(event_.body) &&
                         before_.status() == after_.status() && !before_.question();
  if (!only_game) {
    const Json meta = Meta(after_);
    if (meta != Meta(before_)) table_ = Dump(meta);
  }
  // A draft that is broken off looks different, too: nobody chooses any more.
  played_ = before_.HasGame() != after_.HasGame() || before_.actions() != after_.actions() ||
            (before_.DraftRound() > 0 && after_.DraftRound() == 0);
  if (played_) states_ = after_.States();
  if (after_.HasGame() && after_.options().clock && (played_ || !table_.empty()))
    clock_ = Dump(ClockOf(after_));
  if (before_.pacts() != after_.pacts()) pacts_ = Dump(ToJson(after_.pacts()));
}

std::string EventTeller::For(Seat viewer) {
  Prepare();
  JsonText text;
  text.Open('{').Key("type").Name(NameOf(event_.body)).Key("n").Number(after_.number());
  const Json fields = std::visit(FieldsFor{viewer}, event_.body);
  for (const auto& [name, value] : fields.items()) text.Key(name).Raw(Dump(value));
  if (!table_.empty()) text.Key("table").Raw(table_);
  if (!clock_.empty()) text.Key("clock").Raw(clock_);
  if (!pacts_.empty()) text.Key("pacts").Raw(pacts_);
  if (played_)
    text.Key("game").Raw(GameOf(
        after_, states_, std::min(before_.actions().size(), after_.actions().size()), viewer));
  return text.Close('}').text();
}

std::string TellEvent(const Table& before, const Event& event, const Table& after, Seat viewer) {
  return EventTeller(before, event, after).For(viewer);
}

std::string TellLine(double place, const event::Say& said) {
  Json json = {{"type", "say"}, {"line", place}};
  json.update(ChatOf(said));
  return Dump(json);
}

std::string TellMute(const command::Mute& mute) {
  return Dump({{"type", "mute"}, {"whom", mute.whom}, {"on", mute.on}});
}

std::string TellStored(const std::string& id, int64_t number) {
  return Dump({{"type", "ack"}, {"id", id}, {"n", number}});
}

std::string TellRefused(const std::string& id, int64_t number, const Error& error) {
  return Dump({{"type", "refused"}, {"id", id}, {"n", number}, {"error", ToJson(error)}});
}

Json TellSummary(const std::string& id, const Table& table) {
  Json json = {{"id", id}};
  json.update(Summary(table));
  if (table.HasGame()) json["turn"] = table.game().state.turn;
  json["waits"] = SeatsOf(table.Awaited(), table.seats());
  json["changed"] = table.changed_at();
  return json;
}

}  // namespace civ
