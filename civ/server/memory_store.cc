#include "civ/server/memory_store.h"

#include <algorithm>

namespace civ {

void MemoryStore::AppendAll(std::vector<Addition> additions, int64_t now, Done done) {
  const std::scoped_lock lock(mutex_);
  const auto fits = [this](const Addition& added) {
    const auto found = tables_.find(added.table);
    const size_t length = found == tables_.end() ? 0 : found->second.events.size();
    return static_cast<int64_t>(length) == added.expected;
  };
  const bool stored = std::ranges::all_of(additions, fits);
  for (Addition& added : additions) {
    if (!stored) break;
    Kept& kept = tables_.try_emplace(added.table, Kept{{}, {}, tables_.size()}).first->second;
    std::ranges::move(added.events, std::back_inserter(kept.events));
    kept.listing = std::move(added.listing);
    service_time_ = now;
  }
  post_([done = std::move(done), stored] { done(stored ? Stored::Stored : Stored::Stale); });
}

void MemoryStore::Load(std::string table, Loaded loaded) {
  const std::scoped_lock lock(mutex_);
  std::optional<StoredLog> log;
  if (const auto found = tables_.find(table); found != tables_.end())
    log = {std::move(table), found->second.events};
  post_([loaded = std::move(loaded), log = std::move(log)] { loaded(log); });
}

std::optional<Error> MemoryStore::LoadOpen(const std::function<void(StoredLog)>& each) {
  const std::scoped_lock lock(mutex_);
  for (const auto& [table, kept] : tables_)
    if (kept.listing.open && !kept.aside) each({table, kept.events});
  return std::nullopt;
}

void MemoryStore::PutAside(const std::string& table, const std::string&) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = tables_.find(table); found != tables_.end()) found->second.aside = true;
}

void MemoryStore::List(std::string person, bool open_only, int most, Listed listed) {
  const std::scoped_lock lock(mutex_);
  std::vector<const Kept*> found;
  for (const auto& [table, kept] : tables_)
    if ((person.empty() || std::ranges::count(kept.listing.persons, person) > 0) &&
        (kept.listing.open || !open_only))
      found.push_back(&kept);
  std::ranges::sort(found, std::greater{}, &Kept::order);
  if (found.size() > static_cast<size_t>(most)) found.resize(static_cast<size_t>(most));
  std::vector<Listing> listings;
  for (const Kept* kept : found) listings.push_back(kept->listing);
  post_([listed = std::move(listed), listings = std::move(listings)] { listed(listings); });
}

void MemoryStore::WhoHasTables(std::vector<std::string> persons, Having having) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(persons, [this](const std::string& person) {
    return std::ranges::none_of(tables_, [&](const auto& table) {
      return std::ranges::count(table.second.listing.persons, person) > 0;
    });
  });
  post_([having = std::move(having), persons = std::move(persons)] { having(persons); });
}

Expected<std::vector<StoredSession>> MemoryStore::LoadSessions() {
  const std::scoped_lock lock(mutex_);
  std::vector<StoredSession> sessions;
  for (const auto& [hash, session] : sessions_) sessions.push_back(session);
  return sessions;
}

void MemoryStore::PutSessions(std::vector<StoredSession> sessions, Done done) {
  const std::scoped_lock lock(mutex_);
  for (StoredSession& session : sessions) sessions_[session.hash] = std::move(session);
  post_([done = std::move(done)] { done(Stored::Stored); });
}

void MemoryStore::DropSession(std::string hash, Done done) {
  const std::scoped_lock lock(mutex_);
  sessions_.erase(hash);
  post_([done = std::move(done)] { done(Stored::Stored); });
}

Expected<int64_t> MemoryStore::ServiceTime() {
  const std::scoped_lock lock(mutex_);
  return service_time_;
}

void MemoryStore::PutServiceTime(int64_t now, Done done) {
  const std::scoped_lock lock(mutex_);
  service_time_ = now;
  if (done) post_([done = std::move(done)] { done(Stored::Stored); });
}

}  // namespace civ
