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
constexpr const char* kBannedAddress = "address";  // stands for the person in what is stored of one

void TellNobody(const std::optional<Error>&) {}

Store::Done Answering(Sessions::Done done) {
  return [done = std::move(done)](Stored stored) {
    done(stored == Stored::Stored ? std::nullopt : std::optional<Error>(Error{"error.store", {}}));
  };
}

}  // namespace

Sessions::Sessions(Store& store, size_t most) : store_(store), most_(most) {}

std::optional<Error> Sessions::Load(int64_t now) {
  Expected<std::vector<StoredSession>> sessions = store_.LoadSessions();
  if (!sessions) return sessions.error();
  for (StoredSession& session : *sessions) {
    if (session.person == kBannedAddress)
      banned_.insert(session.name);
    else if (session.seen < now - kForgotten && !session.banned)
      Drop(session.hash, TellNobody);
    else
      Add({std::move(session), {}});
  }
  return std::nullopt;
}

void Sessions::Add(Session session) {
  session.number = ++last_number_;
  session.used = std::max(session.used, session.stored.seen);
  hashes_of_[session.stored.person].push_back(session.stored.hash);
  const std::string hash = session.stored.hash;
  by_hash_[hash] = std::move(session);
}

const Sessions::Session* Sessions::Find(std::string_view token, const std::string& address,
                                        int64_t now) {
  if (token.size() != kTokenLength) return nullptr;
  const auto found = by_hash_.find(TokenHash(token));
  if (found == by_hash_.end()) return nullptr;
  Session& session = found->second;
  if (session.address != address) session.address = address;
  session.used = std::max(session.used, now);
  if (now - session.stored.seen >= kDay) {  // often enough to know who is gone for good
    session.stored.seen = now;
    store_.PutSessions({session.stored}, [](Stored) {});
  }
  return &session;
}

void Sessions::Sweep(int64_t now, std::function<bool(const std::string& person)> is_here) {
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
  if (by_hash_.size() >= most_) return made(Error{"error.full", {}});
  const std::string token = RandomToken(kTokenBytes);
  const Session session{{TokenHash(token), "p_" + RandomToken(kPersonBytes), std::move(name), bot,
                         false, false, now, now},
                        address};
  store_.PutSessions({session.stored},
                     [this, session, token, made = std::move(made)](Stored stored) {
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
  std::string code = IdFrom(RandomBytes(kIdLength));
  codes_.push_back({TokenHash(code), person, now + kCodeSeconds});
  return code;
}

void Sessions::MakeByCode(const std::string& code, bool bot, const std::string& address,
                          int64_t now, Answer made) {
  const auto wrong = [] { return Error{"error.code", {}}; };
  const auto found = std::ranges::find(codes_, TokenHash(code), &Code::hash);
  if (found == codes_.end() || found->until <= now) return made(wrong());
  if (by_hash_.size() >= most_) return made(Error{"error.full", {}});
  const std::string token = RandomToken(kTokenBytes);
  Session session{OfPerson(found->person).front()->stored, address};
  codes_.erase(found);
  session.stored.hash = TokenHash(token);
  session.stored.bot = bot;
  session.stored.created = session.stored.seen = now;
  store_.PutSessions({session.stored}, [this, session, token, wrong,
                                        made = std::move(made)](Stored stored) mutable {
    if (stored != Stored::Stored) return made(Error{"error.store", {}});
    const std::string person = session.stored.person;
    const std::vector<const Session*> others = OfPerson(person);
    if (others.empty()) {  // the person has gone meanwhile
      Drop(session.stored.hash, TellNobody);
      return made(wrong());
    }
    // What has become of the person meanwhile goes for this session, too.
    const auto fate = [](auto& of) { return std::tie(of.name, of.muted, of.banned); };
    const bool changed = fate(session.stored) != fate(others.front()->stored);
    fate(session.stored) = fate(others.front()->stored);
    const Made answer{token, session.person()};
    Add(std::move(session));
    if (!changed) return made(answer);
    Put(person, [made, answer](const std::optional<Error>&) { made(answer); });
  });
}

void Sessions::Change(const std::string& person, const std::function<void(StoredSession&)>& change,
                      Done done) {
  const auto hashes = hashes_of_.find(person);
  if (hashes == hashes_of_.end()) return done(Error{"error.person", {{"person", person}}});
  for (const std::string& hash : hashes->second) change(by_hash_.at(hash).stored);
  Put(person, std::move(done));
}

void Sessions::Put(const std::string& person, Done done) {
  std::vector<StoredSession> sessions;
  for (const Session* session : OfPerson(person)) sessions.push_back(session->stored);
  if (sessions.empty()) return done(std::nullopt);  // has ended
  store_.PutSessions(std::move(sessions),
                     Answering([this, person, done = std::move(done)](std::optional<Error> failed) {
                       if (failed) not_stored_.push_back(person);
                       done(std::move(failed));
                     }));
}

void Sessions::Rename(const std::string& person, std::string name, Done done) {
  Change(
      person, [name = std::move(name)](StoredSession& session) { session.name = name; },
      std::move(done));
}

void Sessions::Mute(const std::string& person, bool on, Done done) {
  Change(person, [on](StoredSession& session) { session.muted = on; }, std::move(done));
}

void Sessions::Ban(const std::string& person, bool on, Done done) {
  Change(person, [on](StoredSession& session) { session.banned = on; }, std::move(done));
}

void Sessions::End(const Session& session, Done done) {
  const std::string hash = session.stored.hash, person = session.stored.person;
  std::erase_if(codes_, [&](const Code& code) { return code.person == person; });
  std::erase(hashes_of_[person], hash);
  if (hashes_of_[person].empty()) hashes_of_.erase(person);
  by_hash_.erase(hash);
  Drop(hash, std::move(done));
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
  for (const std::string& person : std::exchange(not_stored_, {})) Put(person, TellNobody);
}

void Sessions::BanAddress(const std::string& address, bool on, Done done) {
  if (on)
    banned_.insert(address);
  else
    banned_.erase(address);
  const auto stored = Answering(std::move(done));
  const std::string hash = TokenHash("address " + address);
  if (on)
    store_.PutSessions({{hash, kBannedAddress, address, false, false, true, 0, 0}}, stored);
  else
    store_.DropSession(hash, stored);
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
