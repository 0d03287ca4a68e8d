#include "civ/server/sessions.h"

#include <algorithm>

#include "civ/server/ids.h"
#include "civ/server/token.h"

namespace civ {
namespace {

constexpr size_t kTokenBytes = 32, kTokenLength = 43, kPersonBytes = 12;
constexpr int64_t kHour = 3600, kDay = 24 * kHour, kForgotten = 365 * kDay;
constexpr int64_t kUnseated = 3 * kDay;  // for which somebody who never sat down is kept
constexpr int64_t kSweepPause = 600,
                  kSweepHurry = 5;    // seconds between two looks for those who are gone
constexpr size_t kMostAtOnce = 2000;  // sessions that one look ends
constexpr size_t kMostCodesOfAll = 10'000;

constexpr const char* kPeople = "people";  // what the bus calls it
constexpr int kMostSessions = 100'000;

void TellNobody(const std::optional<Error>&) {}

Store::Done Answering(Sessions::Done done) {
  return [done = std::move(done)](Stored stored) {
    done(stored == Stored::Stored ? std::nullopt : std::optional<Error>(Error{"error.store", {}}));
  };
}

}  // namespace

Sessions::Sessions(Store& store, size_t most, Random random)
    : store_(store), most_(most), random_(std::move(random)) {}

void Sessions::Share(Bus& bus, std::string process, std::function<void(const News&)> changed) {
  bus_ = &bus;
  process_ = std::move(process);
  changed_ = std::move(changed);
  hints_ = bus.Subscribe(kPeople, [this](const std::string& text) { Heard(text); });
}

void Sessions::Tell(Json news) const {
  if (bus_ == nullptr) return;
  news["by"] = process_;
  bus_->Publish(kPeople, news.dump());
}

void Sessions::Heard(const std::string& text) {
  const Expected<Json> json = ParseJson(text);
  if (!json || !json->is_object() || json->value("by", process_) == process_) return;
  News news{.person = json->value("person", ""),
            .banned = json->value("banned", false),
            .address = json->value("address", "")};
  if (json->contains("ended")) news.ended = json->value("ended", uint64_t{0});
  if (json->contains("name")) news.name = json->value("name", "");
  if (json->contains("muted")) news.muted = json->value("muted", false);
  if (!news.address.empty() && news.banned) banned_.insert(news.address);
  if (!news.address.empty() && !news.banned) banned_.erase(news.address);
  Forget(news.person);
  changed_(news);
}

void Sessions::Forget(const std::string& person) {
  for (const Session* session : OfPerson(person)) by_hash_.erase(std::string(session->stored.hash));
  hashes_of_.erase(person);
}

std::optional<Error> Sessions::Load(int64_t now) {
  Expected<std::vector<std::string>> addresses = store_.LoadBannedAddresses();
  if (!addresses) return addresses.error();
  banned_.insert(addresses->begin(), addresses->end());
  if (store_.shared()) return std::nullopt;  // sessions are looked up when they are asked for
  Expected<std::vector<StoredSession>> sessions = store_.LoadSessions();
  if (!sessions) return sessions.error();
  for (StoredSession& session : *sessions) {
    if (session.seen < now - kForgotten && !session.banned)
      Drop(session.hash, TellNobody);
    else
      Add({std::move(session), {}});
  }
  return std::nullopt;
}

void Sessions::Add(Session session) {
  const std::string hash = session.stored.hash;
  session.number = std::hash<std::string>()(hash);  // the same in all processes
  session.used = std::max(session.used, session.stored.seen);
  std::vector<std::string>& hashes = hashes_of_[session.stored.person];
  if (std::ranges::find(hashes, hash) == hashes.end()) hashes.push_back(hash);
  by_hash_[hash] = std::move(session);
}

const Sessions::Session* Sessions::Find(std::string_view token, const std::string& address,
                                        int64_t now) {
  if (token.size() != kTokenLength) return nullptr;
  const auto found = by_hash_.find(TokenHash(token));
  if (found == by_hash_.end()) return nullptr;
  Session& session = found->second;
  if (store_.shared() && now - session.read >= kFresh) return nullptr;
  if (session.address != address) session.address = address;
  session.used = std::max(session.used, now);
  if (now - session.stored.seen >= kDay) {  // often enough to know who is gone for good
    session.stored.seen = now;
    store_.SeeSession(session.stored.hash, now, [](Stored) {});
  }
  return &session;
}

void Sessions::Seek(std::string_view token, const std::string& address, int64_t now, bool fresh,
                    std::function<void(Expected<Sought>)> answer) {
  const Session* known = fresh && store_.shared() ? nullptr : Find(token, address, now);
  const bool ask = store_.shared() && known == nullptr && (fresh || token.size() == kTokenLength);
  if (!ask) return answer(Sought{known, IsBanned(address)});
  store_.FindSession(TokenHash(token), address,
                     [this, token = std::string(token), address, now,
                      answer = std::move(answer)](const Expected<Store::Found>& found) {
                       if (!found) return answer(Error{"error.store", {}});
                       if (found->session)
                         Add({*found->session, address, 0, 0, false, now});
                       else if (const auto old = by_hash_.find(TokenHash(token));
                                old != by_hash_.end())
                         Forget(std::string(old->second.stored.person));
                       answer(Sought{Find(token, address, now), found->address_banned});
                     });
}

void Sessions::SweepShared(int64_t now,
                           const std::function<bool(const std::string& person)>& is_here) {
  if (now >= addresses_read_ + kFresh) {
    addresses_read_ = now;
    store_.ListBannedAddresses([this](const Expected<std::vector<std::string>>& addresses) {
      if (addresses) banned_ = {addresses->begin(), addresses->end()};
    });
  }
  if (now < swept_ + kSweepPause) return;
  swept_ = now;
  std::vector<std::string> gone;
  for (const auto& [hash, session] : by_hash_)
    if (session.used < now - kSweepPause && !is_here(session.stored.person))
      gone.push_back(session.stored.person);
  for (const std::string& person : gone) Forget(person);
  store_.SweepSessions(now - kForgotten, now - kUnseated, kMostAtOnce,
                       [](const Expected<int64_t>&) {});
}

void Sessions::Sweep(int64_t now, std::function<bool(const std::string& person)> is_here) {
  if (store_.shared()) return SweepShared(now, is_here);
  const bool full = by_hash_.size() >= most_ - most_ / 10;
  if (sweeping_ || now < swept_ + (full ? kSweepHurry : kSweepPause)) return;
  swept_ = now;
  const int64_t before = now - (full ? kHour : kUnseated);
  std::vector<const Session*> forgotten;
  std::vector<std::string> unseated;  // persons, as far as is known here
  for (const auto& [hash, session] : by_hash_) {
    if (forgotten.size() + unseated.size() >= kMostAtOnce) break;
    if (session.stored.banned) continue;
    if (session.used < now - kForgotten)
      forgotten.push_back(&session);
    else if (session.used < before && !session.seated && !is_here(session.stored.person))
      unseated.push_back(session.stored.person);
  }
  for (const Session* session : forgotten) End(*session, TellNobody);
  if (unseated.empty()) return;
  sweeping_ = true;
  store_.WhoHasTables(unseated, [this, unseated, before, is_here = std::move(is_here)](
                                    const Expected<std::vector<std::string>>& seated) {
    sweeping_ = false;
    if (seated) EndUnseated(unseated, *seated, before, is_here);
  });
}

void Sessions::EndUnseated(const std::vector<std::string>& asked,
                           const std::vector<std::string>& seated, int64_t before,
                           const std::function<bool(const std::string& person)>& is_here) {
  for (const std::string& person : seated)
    if (const auto hashes = hashes_of_.find(person); hashes != hashes_of_.end())
      for (const std::string& hash : hashes->second) by_hash_.at(hash).seated = true;
  for (const std::string& person : asked)
    for (const Session* session : OfPerson(person))
      if (!session->seated && session->used < before && !is_here(person)) End(*session, TellNobody);
}

std::vector<const Sessions::Session*> Sessions::OfPerson(const std::string& person) const {
  std::vector<const Session*> found;
  if (const auto hashes = hashes_of_.find(person); hashes != hashes_of_.end())
    for (const std::string& hash : hashes->second) found.push_back(&by_hash_.at(hash));
  return found;
}

bool Sessions::IsOpen(const std::string& person, uint64_t number) const {
  return std::ranges::any_of(OfPerson(person), [&](const Session* session) {
    return session->number == number && !session->stored.banned;
  });
}

void Sessions::Make(std::string name, bool bot, const std::string& address, int64_t now,
                    Answer made) {
  if (!store_.shared() && by_hash_.size() >= most_) return made(Error{"error.full", {}});
  const std::string token = NewToken(kTokenBytes);
  const Session session{{TokenHash(token), "p_" + NewToken(kPersonBytes), std::move(name), bot,
                         false, false, now, now},
                        address,
                        0,
                        0,
                        false,
                        now};
  store_.AddSession(session.stored, [this, session, token, made = std::move(made)](Stored stored) {
    if (stored != Stored::Stored) return made(Error{"error.store", {}});
    Add(session);
    made(Made{token, session.person()});
  });
}

Expected<std::string> Sessions::MakeCode(const std::string& person, int64_t now) {
  std::erase_if(codes_, [now](const Code& code) { return code.until <= now; });
  if (std::ranges::count(codes_, person, &Code::person) >= static_cast<std::ptrdiff_t>(kMostCodes))
    codes_.erase(std::ranges::find(codes_, person, &Code::person));
  if (codes_.size() >= kMostCodesOfAll) return Error{"error.full", {}};
  std::string code = IdFrom(random_(kIdLength));
  codes_.push_back({TokenHash(code), person, now + kCodeSeconds});
  return code;
}

void Sessions::GiveCode(const std::string& person, int64_t now,
                        std::function<void(Expected<std::string>)> answer) {
  if (!store_.shared()) return answer(MakeCode(person, now));
  const std::string code = IdFrom(random_(kIdLength));
  store_.PutCode(TokenHash(code), person, now + kCodeSeconds, kMostCodes,
                 [code, answer = std::move(answer)](Stored stored) {
                   if (stored != Stored::Stored) return answer(Error{"error.store", {}});
                   answer(code);
                 });
}

void Sessions::AddByCode(const std::string& person, bool bot, const std::string& address,
                         int64_t now, Answer made) {
  store_.ListSessions(person, 1,
                      [this, bot, address, now,
                       made = std::move(made)](const Expected<std::vector<StoredSession>>& others) {
                        if (!others) return made(Error{"error.store", {}});
                        if (others->empty())
                          return made(Error{"error.code", {}});  // the person has gone
                        const std::string token = NewToken(kTokenBytes);
                        Session session{others->front(), address, 0, 0, false, now};
                        session.stored.hash = TokenHash(token);
                        session.stored.bot = bot;
                        session.stored.created = session.stored.seen = now;
                        store_.AddSession(session.stored,
                                          [this, session, token, made](Stored stored) {
                                            if (stored != Stored::Stored)
                                              return made(Error{"error.store", {}});
                                            Add(session);
                                            made(Made{token, session.person()});
                                          });
                      });
}

void Sessions::MakeByCode(const std::string& code, bool bot, const std::string& address,
                          int64_t now, Answer made) {
  const auto wrong = [] { return Error{"error.code", {}}; };
  if (store_.shared())
    return store_.TakeCode(
        TokenHash(code), now,
        [=, this, made = std::move(made)](const Expected<std::optional<std::string>>& person) {
          if (!person) return made(Error{"error.store", {}});
          if (!*person) return made(wrong());
          AddByCode(**person, bot, address, now, made);
        });
  const auto found = std::ranges::find(codes_, TokenHash(code), &Code::hash);
  if (found == codes_.end() || found->until <= now) return made(wrong());
  if (by_hash_.size() >= most_) return made(Error{"error.full", {}});
  const std::string token = NewToken(kTokenBytes);
  Session session{OfPerson(found->person).front()->stored, address};
  codes_.erase(found);
  session.stored.hash = TokenHash(token);
  session.stored.bot = bot;
  session.stored.created = session.stored.seen = now;
  store_.AddSession(
      session.stored, [this, session, token, wrong, made = std::move(made)](Stored stored) mutable {
        if (stored != Stored::Stored) return made(Error{"error.store", {}});
        const std::vector<const Session*> others = OfPerson(session.stored.person);
        if (others.empty()) {  // the person has gone meanwhile
          Drop(session.stored.hash, TellNobody);
          return made(wrong());
        }
        // What has become of the person meanwhile goes for this session, too.
        const auto fate = [](auto& of) { return std::tie(of.name, of.muted, of.banned); };
        fate(session.stored) = fate(others.front()->stored);
        const Made answer{token, session.person()};
        Add(std::move(session));
        made(answer);
      });
}

void Sessions::Change(const std::string& person, const PersonChange& change, Done done) {
  const auto hashes = hashes_of_.find(person);
  const bool known = hashes != hashes_of_.end();
  if (!known && !store_.shared()) return done(Error{"error.person", {{"person", person}}});
  for (const std::string& hash : known ? hashes->second : std::vector<std::string>()) {
    StoredSession& stored = by_hash_.at(hash).stored;
    stored.name = change.name.value_or(stored.name);
    stored.muted = change.muted.value_or(stored.muted);
    stored.banned = change.banned.value_or(stored.banned);
  }
  Put(person, change, std::move(done));
}

void Sessions::Put(const std::string& person, const PersonChange& change, Done done) {
  store_.ChangePerson(
      person, change, [this, person, change, done = std::move(done)](Stored stored) {
        const bool failed = stored == Stored::Failed || stored == Stored::Unknown;
        if (failed) not_stored_.emplace_back(person, change);
        if (stored == Stored::Stale && store_.shared())
          return done(Error{"error.person", {{"person", person}}});
        Json news = {{"person", person}, {"banned", change.banned.value_or(false)}};
        if (change.name) news["name"] = *change.name;
        if (change.muted) news["muted"] = *change.muted;
        Tell(std::move(news));
        // Where there is no such person any more, nothing is to be changed.
        done(failed ? std::optional<Error>(Error{"error.store", {}}) : std::nullopt);
      });
}

void Sessions::Rename(const std::string& person, std::string name, Done done) {
  Change(person, {.name = std::move(name)}, std::move(done));
}

void Sessions::Mute(const std::string& person, bool on, Done done) {
  Change(person, {.muted = on}, std::move(done));
}

void Sessions::Ban(const std::string& person, bool on, Done done) {
  Change(person, {.banned = on}, std::move(done));
}

void Sessions::End(const Session& session, Done done) {
  const std::string hash = session.stored.hash, person = session.stored.person;
  const uint64_t number = session.number;
  std::erase_if(codes_, [&](const Code& code) { return code.person == person; });
  std::erase(hashes_of_[person], hash);
  if (hashes_of_[person].empty()) hashes_of_.erase(person);
  by_hash_.erase(hash);
  if (store_.shared()) store_.DropCodes(person, [](Stored) {});
  Drop(hash, [this, person, number, done = std::move(done)](std::optional<Error> failed) {
    Tell({{"person", person}, {"ended", number}});
    done(std::move(failed));
  });
}

void Sessions::Drop(const std::string& hash, Done done) {
  store_.DropSession(hash,
                     Answering([this, hash, done = std::move(done)](std::optional<Error> failed) {
                       if (failed) not_dropped_.push_back(hash);
                       done(std::move(failed));
                     }));
}

void Sessions::Retry() {
  for (const std::string& hash : std::exchange(not_dropped_, {})) Drop(hash, TellNobody);
  for (const auto& [person, change] : std::exchange(not_stored_, {}))
    Put(person, change, TellNobody);
}

void Sessions::BanAddress(const std::string& address, bool on, Done done) {
  if (on)
    banned_.insert(address);
  else
    banned_.erase(address);
  store_.BanAddress(
      address, on,
      Answering([this, address, on, done = std::move(done)](std::optional<Error> failed) {
        Tell({{"address", address}, {"banned", on}});
        done(std::move(failed));
      }));
}

void Sessions::List(const std::string& person,
                    std::function<void(Expected<std::vector<Session>>)> answer) {
  if (!store_.shared()) {
    std::vector<Session> sessions;
    for (const Session* session : person.empty() ? All() : OfPerson(person))
      sessions.push_back(*session);
    return answer(std::move(sessions));
  }
  store_.ListSessions(
      person, kMostSessions,
      [this, answer = std::move(answer)](const Expected<std::vector<StoredSession>>& listed) {
        if (!listed) return answer(Error{"error.store", {}});
        std::vector<Session> sessions;
        for (const StoredSession& stored : *listed) {
          const auto known = by_hash_.find(stored.hash);
          sessions.push_back({stored, known == by_hash_.end() ? "" : known->second.address,
                              std::hash<std::string>()(stored.hash)});
        }
        answer(std::move(sessions));
      });
}

std::vector<const Sessions::Session*> Sessions::All() const {
  std::vector<const Session*> all;
  for (const auto& [hash, session] : by_hash_) all.push_back(&session);
  std::ranges::sort(all, [](const Session* a, const Session* b) {
    return std::tie(b->stored.created, b->stored.person) <
           std::tie(a->stored.created, a->stored.person);
  });
  return all;
}

Sessions::Done Joined(size_t answers, Sessions::Done done) {
  const auto failed = std::make_shared<std::optional<Error>>();
  const auto missing = std::make_shared<size_t>(answers);
  return [failed, missing, done = std::move(done)](std::optional<Error> error) {
    if (error) *failed = std::move(error);
    if (--*missing == 0) done(*failed);
  };
}

}  // namespace civ
