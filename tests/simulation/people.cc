#include "tests/simulation/people.h"

#include <algorithm>

#include "civ/notation/notation.h"
#include "civ/notation/talk.h"
#include "tests/simulation/twin.h"

namespace civ::simulation {
namespace {

constexpr std::array<int64_t, 6> kPauses = {300, 1000, 2000, 4000, 8000, 15'000};
constexpr int64_t kSilence = 25'000, kAnswer = 4'000, kPatience = 8'000, kAgain = 1'000;
constexpr std::string_view kNotNow[] = {"error.store", "error.too-many-requests",
                                        "closing.restart"};

}  // namespace

// A connection between somebody and a process.
struct Visitor::Wire {
  std::weak_ptr<Process::Life> at;
  Hall::ClientId client = 0;
  bool cut = false;                            // nothing comes through any more
  bool left = false;                           // the hall knows
  int64_t to_client_at = 0, to_server_at = 0;  // when what was sent last arrives

  // Calls when what is sent now arrives, after what was sent before.
  void Carry(Stage& stage, int64_t& last, std::function<void()> arrives) const {
    last = std::max(last, stage.now() + stage.Between(1, 40));
    stage.In(last - stage.now(), std::move(arrives));
  }
  // There is no connection.
  void Refuse(Visitor& visitor, const std::shared_ptr<Wire>& self) {
    Carry(visitor.stage_, to_client_at, [&visitor, self] {
      if (visitor.wire_ == self) visitor.Lost();
    });
  }
  void Leave() {
    cut = true;
    if (const auto life = at.lock(); life && !std::exchange(left, true)) life->hall.Leave(client);
  }
};

class Visitor::Ear final : public Client {
 public:
  Ear(Visitor& visitor, const std::shared_ptr<Wire>& wire) : visitor_(visitor), wire_(wire) {}

  void Send(std::shared_ptr<const std::string> text) override {
    visitor_.place_.audit.Told(visitor_.table_, visitor_.person_, *text);
    Carry([text](Visitor& visitor) { visitor.Hear(*text); });
  }
  void Close(std::string_view why) override {
    visitor_.stage_.Trace("closed for " + visitor_.person_.name + ": " + std::string(why));
    if (const auto wire = wire_.lock()) wire->left = true;
    Carry([](Visitor& visitor) { visitor.Lost(); });
  }

 private:
  void Carry(std::function<void(Visitor&)> what) {
    const auto wire = wire_.lock();
    if (!wire || wire->cut) return;
    wire->Carry(visitor_.stage_, wire->to_client_at,
                [&visitor = visitor_, wire, what = std::move(what)] {
                  if (visitor.wire_ == wire && !wire->cut) what(visitor);
                });
  }

  Visitor& visitor_;  // who lives longer than all processes
  const std::weak_ptr<Wire> wire_;
};

Visitor::Visitor(Place& place, Person person, std::string table, Plan plan)
    : place_(place),
      stage_(place.stage),
      person_(std::move(person)),
      table_(std::move(table)),
      plan_(std::move(plan)) {}

// --- The line

void Visitor::After(int64_t delay, void (Visitor::*what)()) {
  stage_.In(delay, [this, what, timer = ++timer_] {
    if (timer == timer_) (this->*what)();
  });
}

void Visitor::Drop() {
  if (const auto wire = std::exchange(wire_, nullptr))
    stage_.In(stage_.Between(1, 40), [wire] { wire->Leave(); });
}

void Visitor::Connect() {
  Drop();
  state_ = State::Connecting;
  const auto wire = std::make_shared<Wire>();
  wire_ = wire;
  After(kPatience, &Visitor::Lost);
  const auto& processes = place_.processes;
  // Most of the time those of one table come to the same process.
  const size_t usual = std::hash<std::string>{}(table_) % processes.size();
  size_t chosen =
      tries_ == 0 && stage_.Chance(0.5)
          ? usual
          : static_cast<size_t>(stage_.Between(0, static_cast<int64_t>(processes.size()) - 1));
  // By then a proxy has noticed who is there.
  for (size_t i = 0; tries_ > 3 && i < processes.size() && !processes[chosen]->life(); ++i)
    chosen = (chosen + 1) % processes.size();
  Process& process = *processes[chosen];
  wire->Carry(stage_, wire->to_server_at, [this, wire, &process] {
    if (wire_ != wire) return;
    if (!process.life()) return wire->Refuse(*this, wire);
    stage_.Trace(person_.name + " comes to " + process.name() + " for " + table_ + ", seen " +
                 std::to_string(seen_));
    Enter(wire, process.life());
  });
}

void Visitor::Enter(const std::shared_ptr<Wire>& wire, const std::shared_ptr<Process::Life>& life) {
  wire->at = life;
  life->sessions.Seek(
      place_.tokens.at(person_.id), "10.0.0.1", WallClock(stage_), true,
      [this, wire](const Expected<Sessions::Sought>& sought) {
        if (wire_ != wire || wire->cut) return;
        if (!sought) return wire->Refuse(*this, wire);
        if (sought->session == nullptr || sought->session->stored.person != person_.id)
          return place_.audit.Fail("the session of " + person_.name + " is gone");
        wire->Carry(stage_, wire->to_client_at, [this, wire] { Opened(wire); });
        wire->client = wire->at.lock()->hall.Enter(
            table_, {person_.id, sought->session->stored.name}, seen_,
            std::make_shared<Ear>(*this, wire), sought->session->number);
      });
}

void Visitor::Opened(const std::shared_ptr<Wire>& wire) {
  if (wire_ != wire || wire->cut) return;
  state_ = State::Open;
  place_.audit.twice_sent += open_.size();
  for (const auto& [id, text] : open_) Transmit(text);
  Listen();
  ThinkSoon();
}

void Visitor::Transmit(const std::string& text) {
  const auto wire = wire_;
  if (!wire || wire->cut) return;
  wire->Carry(stage_, wire->to_server_at, [wire, text] {
    const auto life = wire->at.lock();
    if (life && !wire->cut && !wire->left) life->hall.Receive(wire->client, text);
  });
}

void Visitor::Cut(bool silently) {
  if (!wire_) return;
  stage_.Trace(person_.name + " is cut off" + (silently ? " silently" : ""));
  const auto wire = wire_;
  wire->cut = true;
  stage_.In(silently ? stage_.Between(1'000, 30'000) : 1, [wire] { wire->Leave(); });
  if (!silently) Lost();
}

void Visitor::Lost() {
  Drop();
  if (state_ == State::Gone) return;
  state_ = State::Lost;
  const int64_t pause = kPauses[std::min(tries_++, kPauses.size() - 1)];
  After(pause * stage_.Between(75, 125) / 100, &Visitor::Connect);
}

void Visitor::Listen() { After(open_.empty() ? kSilence : kAnswer, &Visitor::Probe); }

void Visitor::Probe() {
  Transmit(R"({"type":"ping"})");
  After(kPatience, &Visitor::Lost);
}

void Visitor::Send(Json command) {
  const std::string id = person_.name + '-' + std::to_string(++sent_) + '-' + table_.substr(0, 4);
  command["id"] = id;
  Audit::Sent sent{table_, person_.id, command["type"], 0};
  if (command.contains("builds")) sent.builds = command["builds"];
  place_.audit.Sends(id, std::move(sent));
  open_.emplace_back(id, command.dump());
  stage_.Trace(person_.name + " sends " + open_.back().second);
  if (state_ != State::Open) return;
  Transmit(open_.back().second);
  Listen();
}

void Visitor::Answered(const Json& answer) {
  const auto found = std::ranges::find(open_, answer["id"].get<std::string>(),
                                       &std::pair<std::string, std::string>::first);
  if (found == open_.end()) return;
  if (answer["type"] == "refused" &&
      std::ranges::count(kNotNow, answer["error"]["key"].get<std::string>()) > 0) {
    stage_.In(kAgain, [this, wire = wire_, text = found->second] {
      if (wire == wire_) Transmit(text);
    });
    return;
  }
  open_.erase(found);
  Listen();
  ThinkSoon();
}

void Visitor::Hear(const std::string& text) {
  Listen();
  const Json message = Json::parse(text);
  const std::string type = message["type"];
  if (type == "pong") return;
  if (type == "ack" || type == "refused") return Answered(message);
  tries_ = 0;
  if (!message.contains("n")) return;
  Learn(message);
  ThinkSoon();
}

// --- What they do

void Visitor::Learn(const Json& message) {
  const int64_t number = message["n"];
  if (message["type"] != "hello" && number <= seen_)
    place_.audit.Fail(person_.name + " hears number " + std::to_string(number) + " after " +
                      std::to_string(seen_));
  if (message["type"] == "hello" && number < seen_)
    place_.audit.Fail(person_.name + " is told an older table, number " + std::to_string(number) +
                      " after " + std::to_string(seen_));
  seen_ = number;
  if (message.contains("table")) known_ = message["table"];
  if (message["type"] == "hello") pacts_ = Json();
  if (message.contains("pacts")) pacts_ = message["pacts"];
  if (message.contains("game")) {
    view_ = message["game"]["view"];
    actions_ = message["game"]["actions"];
    final_ = message["game"]["final"];
  }
  seat_.reset();
  for (Seat seat = 0; seat < known_["chairs"].size(); ++seat) {
    const Json& chair = known_["chairs"][seat];
    if (!chair["person"].is_null() && chair["person"]["id"] == person_.id &&
        !chair.contains("left"))
      seat_ = seat;
  }
}

bool Visitor::IsUpToDate(const Audit::History& history) const {
  if (state_ == State::Gone) return true;
  if (state_ != State::Open || !open_.empty()) return false;
  for (int64_t number = seen_ + 1; number <= history.length(); ++number) {
    const auto at = static_cast<size_t>(number - 1);
    if (at == 0 || MayHear(history.tables[at - 1], history.events[at], history.tables[at], person_))
      return false;
  }
  return true;
}

std::string Visitor::Situation() const {
  static constexpr const char* kStates[] = {"away", "connecting", "open", "lost", "gone"};
  std::string text = person_.name + " at " + table_ + " (" + kStates[static_cast<size_t>(state_)] +
                     ") has seen " + std::to_string(seen_);
  for (const auto& [id, sent] : open_) text += ", waits for " + sent;
  return text;
}

void Visitor::ThinkSoon() {
  stage_.In(stage_.Between(10, plan_.slowness), [this, thought = ++thought_] {
    if (thought == thought_) Think();
  });
}

void Visitor::Think() {
  if (state_ != State::Open || !open_.empty() || asleep_ || known_.empty()) return;
  const std::string status = known_["status"];
  if (known_.contains("rematch")) place_.on_rematch(table_, known_["rematch"]);
  if (status == "over" && plan_.rematch && plan_.seat && !known_.contains("rematch"))
    return Send({{"type", "rematch"}});
  if (stage_.Chance(plan_.talks)) return Talks();
  if (!plan_.seat) return;
  if (status == "waiting" && Sits()) return;
  if (status == "dealing" && seat_ && known_["deal"]["randoms"][*seat_].is_null())
    return Send({{"type", "contribute"}, {"random", std::string(64, 'a')}});
  if (status == "running" && seat_) Plays();
}

void Visitor::Talks() {
  static const std::vector<std::string> kTexts = {"hello", "well played", "your turn", "hm"};
  const std::string& text = kTexts[static_cast<size_t>(stage_.Between(0, 3))];
  if (const std::optional<Talk> talk = AboutPacts())
    Send({{"type", "talk"}, {"talk", ToJson(*talk)}});
  else
    Send({{"type", "say"}, {"text", text}});
}

std::optional<Talk> Visitor::AboutPacts() const {
  if (!seat_ || view_.is_null()) return std::nullopt;
  const Expected<View> view = ViewFromJson(view_);
  const Expected<Diplomacy> pacts =
      pacts_.is_null() ? Diplomacy() : DiplomacyFromJson(pacts_, view->config);
  return ChooseTalk(table_ + ' ' + person_.id + ' ' + std::to_string(seen_), *view, *pacts);
}

// Whether something was done.
bool Visitor::Sits() {
  const Json& chairs = known_["chairs"];
  bool full = true;
  std::optional<Seat> free;
  for (Seat seat = 0; seat < chairs.size(); ++seat) {
    if (!chairs[seat]["person"].is_null() || !chairs[seat]["bot"].is_null()) continue;
    full = false;
    const auto bot = plan_.bots.find(seat);
    if (known_["host"] == person_.id && bot != plan_.bots.end()) {
      Send({{"type", "seat-bot"}, {"seat", seat}, {"bot", bot->second}});
      return true;
    }
    if (!free || seat == *plan_.seat) free = seat;
  }
  if (!seat_ && free) return Send({{"type", "sit"}, {"seat", *free}}), true;
  if (full && known_["host"] == person_.id) return Send({{"type", "start"}}), true;
  return false;
}

bool Visitor::Plays() {
  if (known_.contains("question")) {
    const Json& question = known_["question"];
    const bool agreed = std::ranges::count(question["yes"], Json(*seat_)) > 0;
    if (question["seat"] != *seat_ && !agreed) {
      Send({{"type", "answer"}, {"question", question["n"]}, {"yes", stage_.Chance(0.7)}});
      return true;
    }
  }
  if (actions_ > final_ && stage_.Chance(plan_.takes_back) && !known_.contains("question") &&
      !known_.contains("draft")) {
    Send({{"type", "take-back"}, {"builds", seen_}, {"to", stage_.Between(final_, actions_ - 1)}});
    return true;
  }
  const Expected<View> view = ViewFromJson(view_);
  if (!view) return place_.audit.Fail("a view that cannot be read"), false;
  const bool draft = view->step == Step::Draft;
  if (view->seat != *seat_ || (draft && known_["draft"]["picked"][*seat_] == true)) return false;
  if (plan_.falls_asleep && moved_ >= *plan_.falls_asleep) {
    stage_.Trace(person_.name + " falls asleep");
    asleep_ = true;
    if (plan_.goes) {
      Drop();
      state_ = State::Gone;
      ++timer_;
    }
    return false;
  }
  Moves();
  return true;
}

void Visitor::Moves() {
  if (moved_++ >= plan_.moves) return Send({{"type", "resign"}});
  const View view = *ViewFromJson(view_);
  const std::string question =
      table_ + ' ' + person_.id + ' ' + std::to_string(seen_) + ' ' + std::to_string(moved_);
  const Action action = Choose(stage_, question, view);
  if (view.step == Step::Draft)
    return Send(
        {{"type", "pick"}, {"round", known_["draft"]["round"]}, {"card", NameOf(action.kind())}});
  Send({{"type", "act"}, {"builds", seen_}, {"actions", {NameOf(action)}}});
}

}  // namespace civ::simulation
