#include "civ/server/api.h"

#include <algorithm>
#include <ctime>
#include <set>

#include "civ/bots/bot.h"
#include "civ/server/clean.h"
#include "civ/table/command.h"

namespace civ {
namespace {

int64_t WallClock() { return std::time(nullptr); }

// The status that goes with an error.
int StatusOf(const Error& error) {
  static constexpr std::pair<std::string_view, int> kStatus[] = {{"error.code", 401},
                                                                 {"error.table.unknown", 404},
                                                                 {"error.person", 404},
                                                                 {"error.table.running", 409},
                                                                 {"error.table.closed", 409},
                                                                 {"error.tables.yours", 409},
                                                                 {"error.too-many-requests", 429},
                                                                 {"error.tables.full", 503},
                                                                 {"error.full", 503},
                                                                 {"error.store", 503},
                                                                 {"error.table.newer", 503},
                                                                 {"closing.restart", 503}};
  for (const auto& [key, status] : kStatus)
    if (error.key == key) return status;
  return 400;
}

Answer Failed(const Error& error) { return Refused(StatusOf(error), error); }

Answer TooMany(const auto& limiter) {
  Answer answer = Refused(429, {"error.too-many-requests", {}});
  answer.headers.emplace_back("Retry-After", std::to_string(limiter.Seconds()));
  return answer;
}

Answer Nothing() { return {204, {}}; }

bool IsHere(const std::string& address) { return address.starts_with("127.") || address == "::1"; }

std::string Cookie(const std::string& token, int64_t seconds, bool secure) {
  return "civ=" + token + "; HttpOnly; SameSite=Lax; Path=/; Max-Age=" + std::to_string(seconds) +
         (secure ? "; Secure" : "");
}

}  // namespace

// Somebody's request.
struct Api::Call {
  std::string address;
  bool forwarded = false, secure = false;
  const Sessions::Session* session = nullptr;  // for as long as nothing has been waited for
  Done done;
};

// One function for each operation.
struct Api::Handler {
  Api& api;
  Call call;
  Parts& parts = api.parts_;

  void Answer(civ::Answer answer) const { call.done(std::move(answer)); }
  void Refuse(int status, const char* key) const { Answer(Refused(status, {key, {}})); }
  Person person() const { return call.session->person(); }

  // For what needs a session.
  bool Knows() const {
    if (call.session == nullptr) Refuse(401, "error.no-session");
    return call.session != nullptr;
  }

  auto Finished() const {
    return [done = call.done](const std::optional<Error>& failed) {
      done(failed ? Failed(*failed) : Nothing());
    };
  }

  void operator()(const operation::MakeSession& operation) const {
    const std::optional<std::string> name = Clean(operation.name, kLongestName);
    if (!name) return Refuse(400, "error.name");
    if (call.session != nullptr && !operation.bot) {
      if (call.session->stored.muted) return Refuse(403, "error.muted");
      const Person renamed{person().id, *name};
      return parts.sessions.Rename(renamed.id, *name,
                                   [renamed, handler = *this](const std::optional<Error>& failed) {
                                     if (failed) return handler.Answer(Failed(*failed));
                                     handler.parts.hall.Rename(renamed);
                                     handler.Answer(Answered(200, {{"person", ToJson(renamed)}}));
                                   });
    }
    if (!api.sessions_.Take(call.address) ||
        !api.TakeOfAll("sessions", call.address, api.options_.sessions))
      return Answer(TooMany(api.sessions_));
    if (parts.password == nullptr) return Make(*name, operation.bot);
    if (operation.password.empty()) return Refuse(401, "error.password");
    if (!api.passwords_.Take(call.address) ||
        !api.TakeOfAll("passwords", call.address, api.options_.passwords))
      return Answer(TooMany(api.passwords_));
    const bool taken = parts.password->Check(
        operation.password, [handler = *this, name = *name, bot = operation.bot](bool right) {
          if (right) return handler.Make(name, bot);
          handler.parts.log("warn", "password.wrong", {{"address", handler.call.address}});
          handler.Refuse(401, "error.password");
        });
    if (!taken) Answer(TooMany(api.passwords_));
  }

  void Make(const std::string& name, bool bot) const {
    parts.sessions.Make(name, bot, call.address, WallClock(), Welcome(bot));
  }

  Sessions::Answer Welcome(bool bot) const {
    return [handler = *this, bot](const Expected<Sessions::Made>& made) {
      if (!made) return handler.Answer(Failed(made.error()));
      handler.parts.log("info", "session.made", {{"person", made->person.id}, {"bot", bot}});
      Json body = {{"person", ToJson(made->person)}};
      if (bot) body["token"] = made->token;
      civ::Answer answer = Answered(201, body);
      constexpr int64_t kYear = int64_t{365} * 24 * 3600;
      if (!bot)
        answer.headers.emplace_back("Set-Cookie", Cookie(made->token, kYear, handler.call.secure));
      handler.Answer(std::move(answer));
    };
  }

  void operator()(const operation::MakeCode&) const {
    if (!Knows()) return;
    parts.sessions.GiveCode(
        person().id, WallClock(), [handler = *this](const Expected<std::string>& code) {
          handler.Answer(code
                             ? Answered(201, {{"code", *code}, {"seconds", Sessions::kCodeSeconds}})
                             : Failed(code.error()));
        });
  }

  void operator()(const operation::UseCode& operation) const {
    if (!api.sessions_.Take(call.address)) return Answer(TooMany(api.sessions_));
    if (!api.passwords_.Take(call.address) ||
        !api.TakeOfAll("passwords", call.address, api.options_.passwords))
      return Answer(TooMany(api.passwords_));
    parts.sessions.MakeByCode(operation.code, operation.bot, call.address, WallClock(),
                              Welcome(operation.bot));
  }

  void operator()(const operation::About&) const {
    // Whoever is elsewhere has come by an address that is good for others, too, and what this
    // machine is called at home is none of their business.
    const bool here = !call.forwarded && IsHere(call.address);
    std::vector<std::string_view> bots(BotNames().begin(), BotNames().end());
    std::ranges::rotate(bots, std::ranges::find(bots, "level1"));  // people look for these
    Answer(Answered(200, {{"version", api.options_.version},
                          {"password", parts.password != nullptr},
                          {"address", here && parts.address ? Json(*parts.address) : Json()},
                          {"bots", bots},
                          {"phrases", QuickPhrases()},
                          {"name", kLongestName},
                          {"text", kLongestSay}}));
  }

  void operator()(const operation::WhoAmI&) const {
    if (Knows()) Answer(Answered(200, {{"person", ToJson(person())}}));
  }

  void operator()(const operation::EndSession&) const {
    if (!Knows()) return;
    const std::string id = person().id;
    parts.hall.Dismiss(id, call.session->number);
    parts.log("info", "session.ended", {{"person", id}});
    parts.sessions.End(*call.session, [handler = *this](const std::optional<Error>& failed) {
      civ::Answer answer = failed ? Failed(*failed) : Nothing();
      answer.headers.emplace_back("Set-Cookie", Cookie("", 0, handler.call.secure));
      handler.Answer(std::move(answer));
    });
  }

  void operator()(const operation::Lobby&) const { parts.hall.ListLobby(Tables()); }

  void operator()(const operation::Mine&) const {
    if (Knows()) parts.hall.TablesOf(person().id, Tables());
  }

  // The list is the text of a JSON array already.
  std::function<void(Expected<std::string>)> Tables() const {
    return [handler = *this](const Expected<std::string>& tables) {
      if (!tables) return handler.Answer(Failed(tables.error()));
      handler.Answer({200, "{\"now\":" + std::to_string(handler.parts.hall.Now()) +
                               ",\"tables\":" + *tables + '}'});
    };
  }

  void operator()(const operation::OpenTable& operation) const {
    if (!Knows()) return;
    if (!api.tables_.Take(person().id) ||
        !api.TakeOfAll("tables", person().id, api.options_.tables))
      return Answer(TooMany(api.tables_));
    if (!api.address_tables_.Take(call.address)) return Answer(TooMany(api.address_tables_));
    parts.hall.Open(person(), operation.options,
                    [done = call.done](const Expected<std::string>& id) {
                      done(id ? Answered(201, {{"table", *id}}) : Failed(id.error()));
                    });
  }

  void operator()(const operation::ShowTable& operation) const {
    parts.hall.Summary(operation.table, [done = call.done](const Expected<Json>& table) {
      done(table ? Answered(200, *table) : Failed(table.error()));
    });
  }

  // What was put together already.
  auto Told() const {
    return [done = call.done](const Expected<std::string>& text) {
      done(text ? civ::Answer{200, *text} : Failed(text.error()));
    };
  }

  void operator()(const operation::TakeRecord& operation) const {
    parts.hall.RecordOf(operation.table, Told());
  }

  // While it is being found out, the client is to ask again.
  void operator()(const operation::TakeAnalysis& operation) const {
    static constexpr const char* kAgain = "2";  // seconds
    if (!api.analyses_.Take(call.address)) return Answer(TooMany(api.analyses_));
    parts.hall.AnalysisOf(operation.table, call.session == nullptr ? std::string() : person().id,
                          [done = call.done](const Expected<std::optional<std::string>>& found) {
                            civ::Answer answer{202, "{}"};
                            if (!found) answer = Failed(found.error());
                            if (found && *found) return done(civ::Answer{200, **found});
                            if (answer.status == 202 || answer.status == 429)
                              answer.headers.emplace_back("Retry-After", kAgain);
                            done(std::move(answer));
                          });
  }

  void operator()(const operation::LookBack& operation) const {
    if (!Knows()) return;
    parts.hall.PastOf(operation.table, person(), static_cast<size_t>(operation.actions), Told());
  }

  void operator()(const operation::TakeStory& operation) const {
    if (!Knows()) return;
    std::optional<size_t> actions;
    if (operation.actions) actions = static_cast<size_t>(*operation.actions);
    parts.hall.StoryOf(operation.table, person(), actions, Told());
  }

  void operator()(const operation::Watch& operation) const {
    if (!Knows()) return;
    Upgrade upgrade{operation.table, person(), operation.seen, call.address, call.session->number};
    // Asked first, so that a table that does not exist is a 404 and not a line that is closed at
    // once.
    parts.hall.Summary(operation.table, [upgrade = std::move(upgrade),
                                         done = call.done](const Expected<Json>& table) {
      if (table)
        done(upgrade);
      else
        done(Failed(table.error()));
    });
  }

  void operator()(const operation::Ready&) const {
    const Metrics::Now now = parts.figures();
    std::string text = now.ready ? "ready" : "not ready";
    if (now.shared)
      text += std::string("\ndatabase: ") + (now.database_well ? "up" : "down") +
              "\nbus: " + (now.bus_well ? "up" : "down") + '\n';
    Answer({now.ready ? 200 : 503, text, "text/plain; charset=utf-8"});
  }

  void operator()(const operation::Figures&) const {
    if (!api.options_.public_metrics && (call.forwarded || !IsHere(call.address)))
      return Refuse(404, "error.path");
    Answer({200, parts.metrics.Text(parts.figures()), "text/plain; version=0.0.4; charset=utf-8"});
  }

  void operator()(const operation::ListTables&) const {
    constexpr int kMost = 100'000;
    parts.store.List({}, true, kMost,
                     [done = call.done](const Expected<std::vector<Listing>>& listings) {
                       if (!listings) return done(Failed({"error.store", {}}));
                       Json tables = Json::array();
                       for (const Listing& listing : *listings)
                         if (const Expected<Json> summary = ParseJson(listing.summary))
                           tables.push_back(*summary);
                       done(Answered(200, {{"tables", tables}}));
                     });
  }

  void operator()(const operation::ListSessions&) const {
    parts.sessions.List({}, [handler = *this](const Expected<std::vector<Sessions::Session>>& all) {
      if (!all) return handler.Answer(Failed(all.error()));
      Json sessions = Json::array();
      for (const Sessions::Session& session : *all) {
        const StoredSession& s = session.stored;
        sessions.push_back({{"person", s.person},
                            {"name", s.name},
                            {"bot", s.bot},
                            {"muted", s.muted},
                            {"banned", s.banned},
                            {"created", s.created},
                            {"seen", s.seen},
                            {"address", session.address}});
      }
      handler.Answer(Answered(
          200, {{"sessions", sessions}, {"addresses", handler.parts.sessions.BannedAddresses()}}));
    });
  }

  void operator()(const operation::CloseTable& operation) const {
    parts.log("info", "admin.close", {{"table", operation.table}});
    Finished()(parts.hall.Close(operation.table, "closing.admin"));
  }

  void operator()(const operation::Mute& operation) const {
    parts.log("info", "admin.mute", {{"person", operation.person}, {"on", operation.on}});
    parts.hall.Mute(operation.person, operation.on);
    parts.sessions.Mute(operation.person, operation.on, Finished());
  }

  void operator()(const operation::Ban& operation) const {
    parts.log("info", "admin.ban",
              {{"person", operation.person}, {"on", operation.on}, {"address", operation.address}});
    if (const std::string address =
            AddressKey(operation.person.substr(0, operation.person.find('/')));
        !address.empty())
      return BanAddress(address, operation.on, Finished());
    std::set<std::string> addresses;
    for (const Sessions::Session* session : parts.sessions.OfPerson(operation.person))
      if (operation.address && !session->address.empty()) addresses.insert(session->address);
    if (!parts.store.shared() && parts.sessions.OfPerson(operation.person).empty())
      return Answer(Failed({"error.person", {{"person", operation.person}}}));
    if (operation.address && addresses.empty())
      return Answer(Failed({"error.no-address", {{"person", operation.person}}}));
    const Sessions::Done done = Joined(1 + addresses.size(), Finished());
    parts.sessions.Ban(operation.person, operation.on, done);
    for (const std::string& address : addresses) BanAddress(address, operation.on, done);
    if (operation.on) parts.hall.Dismiss(operation.person);
  }

  void operator()(const operation::Drop& operation) const {
    const std::optional<Network> network = Network::From(operation.who);
    parts.sessions.List(network ? std::string() : operation.who,
                        [handler = *this, network,
                         who = operation.who](const Expected<std::vector<Sessions::Session>>& all) {
                          if (!all) return handler.Answer(Failed(all.error()));
                          handler.End(*all, network, who);
                        });
  }

  void End(const std::vector<Sessions::Session>& all, const std::optional<Network>& network,
           const std::string& who) const {
    std::vector<Sessions::Session> dropped;
    for (const Sessions::Session& session : all)
      if (!network || (network->Contains(session.address) && !session.stored.banned))
        dropped.push_back(session);
    if (!network && dropped.empty()) return Answer(Failed({"error.person", {{"person", who}}}));
    const size_t count = dropped.size();
    parts.log("info", "admin.drop", {{"who", who}, {"sessions", count}});
    const Sessions::Done done =
        Joined(count + 1, [done = call.done, count](const std::optional<Error>& failed) {
          done(failed ? Failed(*failed) : Answered(200, {{"sessions", count}}));
        });
    for (const Sessions::Session& session : dropped) {
      parts.hall.Dismiss(session.stored.person, session.number);
      parts.sessions.End(session, done);
    }
    done(std::nullopt);
  }

  void BanAddress(const std::string& address, bool on, const Sessions::Done& done) const {
    parts.sessions.BanAddress(address, on, done);
    if (!on) return;
    for (const Sessions::Session* session : parts.sessions.All())
      if (session->address == address) parts.hall.Dismiss(session->stored.person);
  }
};

bool Api::TakeOfAll(std::string_view what, const std::string& key, const Rate& rate) {
  if (parts_.bus == nullptr) return true;
  constexpr size_t kMost = 50'000;
  const auto now = Bucket::Clock::now();
  const std::string name = "limit." + std::string(what) + '.' + key;
  if (const auto found = too_much_.find(name); found != too_much_.end()) {
    if (now < found->second) return false;
    too_much_.erase(found);
  }
  if (too_much_.size() >= kMost) too_much_.clear();
  const auto length = std::chrono::milliseconds(static_cast<int64_t>(rate.seconds * 1000));
  parts_.bus->Count(name, length.count(),
                    [this, name, now, length, rate](const std::optional<int64_t>& count) {
                      if (count && static_cast<double>(*count) >= rate.count)
                        too_much_[name] = now + length;
                    });
  return true;
}

Api::Api(Parts parts, ApiOptions options)
    : parts_(std::move(parts)), options_(std::move(options)) {}

std::optional<std::string> Api::AddressOf(const Request& request, const Peer& peer) {
  const std::optional<std::string> forwarded = ForwardedAddress(request);
  if (!forwarded) return peer.address;
  if (peer.proxy) {
    const std::string address = AddressKey(*forwarded);
    return address.empty() ? std::nullopt : std::optional(address);
  }
  if (!options_.proxies.empty() && !std::exchange(warned_, true))
    parts_.log("warn", "proxy.not-trusted", {{"address", peer.address}});
  return peer.address;
}

void Api::Handle(const Request& request, std::string_view body, const Peer& peer, Done done) {
  const bool admin = peer.owner;
  const std::optional<std::string> address = AddressOf(request, peer);
  // Never the proxy's own: that one may do more.
  if (!address) return done(Refused(400, {"error.forwarded", {}}));
  Call call;
  call.address = *address;
  call.forwarded = !peer.proxy && request.Has("X-Forwarded-For");
  call.secure =
      options_.secure_cookie || (peer.proxy && request.Header("X-Forwarded-Proto") == "https");
  call.done = std::move(done);
  if (!admin && parts_.sessions.IsBanned(call.address))
    return call.done(Refused(403, {"error.banned", {}}));
  if (!admin && !requests_.Take(call.address)) return call.done(TooMany(requests_));

  std::variant<Asked, Answer> understood = Understand(request, body, {options_.origins, admin});
  if (Answer* refused = std::get_if<Answer>(&understood)) return call.done(std::move(*refused));
  const Asked& asked = std::get<Asked>(understood);
  // Who comes to a table is looked up afresh: a ban by another process counts at once.
  const bool fresh = std::holds_alternative<operation::Watch>(asked.operation);
  const std::string token = asked.token, from = call.address;
  parts_.sessions.Seek(
      token, from, WallClock(), fresh,
      [this, admin, call = std::move(call), asked](const Expected<Sessions::Sought>& sought) {
        if (!sought) return call.done(Failed(sought.error()));
        if (!admin && sought->banned) return call.done(Refused(403, {"error.banned", {}}));
        Call known = call;
        known.session = sought->session;
        Perform(std::move(known), asked, admin);
      });
}

void Api::Perform(Call call, const Asked& asked, bool admin) {
  if (call.session != nullptr && call.session->stored.banned)
    return call.done(Refused(403, {"error.banned", {}}));
  if (call.session != nullptr && !own_requests_.Take(call.session->stored.person))
    return call.done(TooMany(own_requests_));
  // Where there is a password, nothing is for those who have not said it.
  const bool open = admin || parts_.password == nullptr ||
                    std::holds_alternative<operation::About>(asked.operation) ||
                    std::holds_alternative<operation::MakeSession>(asked.operation) ||
                    std::holds_alternative<operation::UseCode>(asked.operation) ||
                    std::holds_alternative<operation::Ready>(asked.operation) ||
                    std::holds_alternative<operation::Figures>(asked.operation);
  if (!open && call.session == nullptr) return call.done(Refused(401, {"error.no-session", {}}));
  std::visit(Handler{*this, std::move(call)}, asked.operation);
}

}  // namespace civ
