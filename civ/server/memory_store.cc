#include "civ/server/memory_store.h"

#include <algorithm>
#include <set>

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
    kept.listing.open = kept.listing.open && !kept.aside;
    kept.due = added.due;
    PutJobs(added.table, std::move(added.jobs));
    service_time_ = std::max(service_time_, now);
  }
  Answer(std::move(done), stored ? Stored::Stored : Stored::Stale);
}

void MemoryStore::PutJobs(const std::string& table, std::vector<Job> jobs) {
  const auto name = [](const Job& job) { return std::pair(job.seat, job.builds); };
  std::erase_if(jobs_, [&](const KeptJob& kept) {
    return kept.job.table == table && kept.job.kind == "bot" &&
           std::ranges::none_of(jobs, [&](const Job& job) { return name(job) == name(kept.job); });
  });
  for (Job& job : jobs)
    if (std::ranges::none_of(jobs_, [&](const KeptJob& kept) {
          return kept.job.table == table && name(kept.job) == name(job);
        }))
      jobs_.push_back({std::move(job), ++last_job_});
}

void MemoryStore::Shorten(const std::string& table, size_t length) {
  const std::scoped_lock lock(mutex_);
  tables_.at(table).events.resize(length);
}

void MemoryStore::Load(std::string table, Loaded loaded) {
  const std::scoped_lock lock(mutex_);
  std::optional<StoredLog> log;
  if (const auto found = tables_.find(table); found != tables_.end())
    log = {std::move(table), found->second.events};
  Answer(std::move(loaded), std::move(log));
}

void MemoryStore::Tail(std::string table, int64_t from, Tailed tailed) {
  const std::scoped_lock lock(mutex_);
  std::optional<StoredTail> tail;
  if (const auto found = tables_.find(table); found != tables_.end()) {
    const std::vector<std::string>& events = found->second.events;
    tail.emplace().length = static_cast<int64_t>(events.size());
    if (from <= tail->length)
      tail->events.assign(events.begin() + std::max<int64_t>(0, from - 1), events.end());
  }
  Answer(std::move(tailed), std::move(tail));
}

void MemoryStore::Lengths(std::vector<std::string> tables, Read<std::vector<int64_t>> answer) {
  const std::scoped_lock lock(mutex_);
  std::vector<int64_t> lengths;
  for (const std::string& table : tables) {
    const auto found = tables_.find(table);
    lengths.push_back(found == tables_.end() ? 0
                                             : static_cast<int64_t>(found->second.events.size()));
  }
  Answer(std::move(answer), std::move(lengths));
}

std::optional<Error> MemoryStore::LoadOpen(const std::function<void(StoredLog)>& each) {
  const std::scoped_lock lock(mutex_);
  for (const auto& [table, kept] : tables_)
    if (kept.listing.open) each({table, kept.events});
  return std::nullopt;
}

void MemoryStore::PutAside(const std::string& table, const std::string&) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = tables_.find(table); found != tables_.end()) {
    found->second.aside = true;
    found->second.listing.open = false;
    found->second.due.reset();
  }
}

std::vector<Listing> MemoryStore::Newest(std::vector<const Kept*> kept, int most) const {
  if (kept.size() > static_cast<size_t>(most)) kept.resize(static_cast<size_t>(most));
  std::vector<Listing> listings;
  for (const Kept* one : kept) listings.push_back(one->listing);
  return listings;
}

void MemoryStore::List(std::string person, bool open_only, int most, Listed listed) {
  const std::scoped_lock lock(mutex_);
  std::vector<const Kept*> found;
  for (const auto& [table, kept] : tables_)
    if ((person.empty() || std::ranges::count(kept.listing.persons, person) > 0) &&
        (kept.listing.open || !open_only))
      found.push_back(&kept);
  std::ranges::sort(found, std::greater{}, &Kept::order);
  Answer(std::move(listed), Newest(std::move(found), most));
}

bool MemoryStore::HasTable(const std::string& person) const {
  return std::ranges::any_of(tables_, [&](const auto& table) {
    return std::ranges::count(table.second.listing.persons, person) > 0;
  });
}

void MemoryStore::WhoHasTables(std::vector<std::string> persons, Having having) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(persons, [this](const std::string& person) { return !HasTable(person); });
  Answer(std::move(having), std::move(persons));
}

// --- People

StoredSession MemoryStore::Joined(StoredSession session) const {
  const OfPerson& person = persons_.at(session.person);
  session.name = person.name;
  session.muted = person.muted;
  session.banned = person.banned;
  return session;
}

void MemoryStore::AddSession(StoredSession session, Done done) {
  const std::scoped_lock lock(mutex_);
  persons_.try_emplace(session.person, OfPerson{session.name, session.muted, session.banned});
  sessions_[session.hash] = std::move(session);
  Answer(std::move(done), Stored::Stored);
}

void MemoryStore::ChangePerson(std::string person, PersonChange change, Done done) {
  const std::scoped_lock lock(mutex_);
  const auto found = persons_.find(person);
  if (found == persons_.end()) return Answer(std::move(done), Stored::Stale);
  OfPerson& of = found->second;
  of.name = change.name.value_or(of.name);
  of.muted = change.muted.value_or(of.muted);
  of.banned = change.banned.value_or(of.banned);
  Answer(std::move(done), Stored::Stored);
}

void MemoryStore::SeeSession(std::string hash, int64_t seen, Done done) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = sessions_.find(hash); found != sessions_.end())
    found->second.seen = std::max(found->second.seen, seen);
  Answer(std::move(done), Stored::Stored);
}

void MemoryStore::DropSession(std::string hash, Done done) {
  const std::scoped_lock lock(mutex_);
  const auto found = sessions_.find(hash);
  if (found != sessions_.end()) {
    const std::string person = found->second.person;
    sessions_.erase(found);
    if (std::ranges::none_of(sessions_, [&](const auto& s) { return s.second.person == person; }))
      persons_.erase(person);
  }
  Answer(std::move(done), Stored::Stored);
}

void MemoryStore::BanAddress(std::string address, bool on, Done done) {
  const std::scoped_lock lock(mutex_);
  std::erase(addresses_, address);
  if (on) addresses_.push_back(std::move(address));
  Answer(std::move(done), Stored::Stored);
}

Expected<std::vector<StoredSession>> MemoryStore::LoadSessions() {
  const std::scoped_lock lock(mutex_);
  std::vector<StoredSession> sessions;
  for (const auto& [hash, session] : sessions_) sessions.push_back(Joined(session));
  return sessions;
}

Expected<std::vector<std::string>> MemoryStore::LoadBannedAddresses() {
  const std::scoped_lock lock(mutex_);
  return addresses_;
}

void MemoryStore::FindSession(std::string hash, std::string address, Read<Found> found) {
  const std::scoped_lock lock(mutex_);
  Found result{{}, std::ranges::count(addresses_, address) > 0};
  if (const auto session = sessions_.find(hash); session != sessions_.end())
    result.session = Joined(session->second);
  Answer(std::move(found), std::move(result));
}

void MemoryStore::ListSessions(std::string person, int most,
                               Read<std::vector<StoredSession>> listed) {
  const std::scoped_lock lock(mutex_);
  std::vector<StoredSession> sessions;
  for (const auto& [hash, session] : sessions_)
    if (person.empty() || session.person == person) sessions.push_back(Joined(session));
  std::ranges::sort(sessions, [](const StoredSession& a, const StoredSession& b) {
    return std::tie(b.created, b.person) < std::tie(a.created, a.person);
  });
  if (sessions.size() > static_cast<size_t>(most)) sessions.resize(static_cast<size_t>(most));
  Answer(std::move(listed), std::move(sessions));
}

void MemoryStore::ListBannedAddresses(Read<std::vector<std::string>> listed) {
  const std::scoped_lock lock(mutex_);
  Answer(std::move(listed), addresses_);
}

void MemoryStore::SweepSessions(int64_t forgotten, int64_t unseated, int most,
                                Read<int64_t> swept) {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> ended;
  for (const auto& [hash, session] : sessions_) {
    if (static_cast<int>(ended.size()) >= most) break;
    if (persons_.at(session.person).banned) continue;
    if (session.seen < forgotten || (session.seen < unseated && !HasTable(session.person)))
      ended.push_back(hash);
  }
  for (const std::string& hash : ended) sessions_.erase(hash);
  std::set<std::string> left;
  for (const auto& [hash, session] : sessions_) left.insert(session.person);
  std::erase_if(persons_, [&](const auto& person) { return !left.contains(person.first); });
  Answer(std::move(swept), static_cast<int64_t>(ended.size()));
}

void MemoryStore::PutCode(std::string hash, std::string person, int64_t until, int most,
                          Done done) {
  const std::scoped_lock lock(mutex_);
  while (std::ranges::count(codes_, person, &Code::person) >= most)
    codes_.erase(std::ranges::find(codes_, person, &Code::person));
  codes_.push_back({std::move(hash), std::move(person), until});
  Answer(std::move(done), Stored::Stored);
}

void MemoryStore::TakeCode(std::string hash, int64_t now, Read<std::optional<std::string>> taken) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(codes_, [now](const Code& code) { return code.until <= now; });
  std::optional<std::string> person;
  if (const auto found = std::ranges::find(codes_, hash, &Code::hash); found != codes_.end()) {
    person = found->person;
    codes_.erase(found);
  }
  Answer(std::move(taken), std::move(person));
}

void MemoryStore::DropCodes(std::string person, Done done) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(codes_, [&](const Code& code) { return code.person == person; });
  Answer(std::move(done), Stored::Stored);
}

// --- Time

Expected<int64_t> MemoryStore::ServiceTime() {
  const std::scoped_lock lock(mutex_);
  if (!shared()) return service_time_;
  return was_beaten_ ? SharedTime() : 0;
}

void MemoryStore::PutServiceTime(int64_t now, Done done) {
  const std::scoped_lock lock(mutex_);
  service_time_ = std::max(service_time_, now);
  if (done) Answer(std::move(done), Stored::Stored);
}

void MemoryStore::Beat(int most_due, int64_t hold, Read<Beaten> beaten) {
  const std::scoped_lock lock(mutex_);
  if (!shared()) return Answer(std::move(beaten), Expected<Beaten>(NotShared()));
  const int64_t moment = clock_();
  if (!was_beaten_) lost_ = moment;  // the time of service begins here, at 0
  if (was_beaten_ && moment - beaten_ > kLongestGap) lost_ += moment - beaten_ - kPulse;
  was_beaten_ = true;
  beaten_ = std::max(beaten_, moment);
  const int64_t now = SharedTime();
  Answer(std::move(beaten), Expected<Beaten>(Beaten{now, DueAt(now, most_due, hold)}));
}

void MemoryStore::TakeDue(int64_t now, int most, int64_t hold,
                          Read<std::vector<std::string>> taken) {
  const std::scoped_lock lock(mutex_);
  Answer(std::move(taken), Expected<std::vector<std::string>>(DueAt(now, most, hold)));
}

std::vector<std::string> MemoryStore::DueAt(int64_t now, int most, int64_t hold) {
  std::vector<std::pair<int64_t, std::string>> due;
  for (const auto& [table, kept] : tables_)
    if (kept.due && *kept.due <= now) due.emplace_back(*kept.due, table);
  std::ranges::sort(due);
  std::vector<std::string> taken;
  for (const auto& [moment_due, table] : due) {
    if (static_cast<int>(taken.size()) >= most) break;
    tables_.at(table).due = now + hold;
    taken.push_back(table);
  }
  return taken;
}

void MemoryStore::Postpone(std::string table, int64_t length, std::optional<int64_t> due,
                           Done done) {
  const std::scoped_lock lock(mutex_);
  const auto found = tables_.find(table);
  const bool same =
      found != tables_.end() && static_cast<int64_t>(found->second.events.size()) == length;
  if (same) found->second.due = due;
  Answer(std::move(done), same ? Stored::Stored : Stored::Stale);
}

// --- Jobs

void MemoryStore::AskJob(Job job, Read<AskedJob> asked) {
  const std::scoped_lock lock(mutex_);
  const auto same = [&](const KeptJob& kept) {
    return kept.job.table == job.table && kept.job.seat == job.seat &&
           kept.job.builds == job.builds;
  };
  const auto waits = [&](const KeptJob& kept) { return kept.job.kind == job.kind && !kept.answer; };
  const auto own = [&](const KeptJob& kept) {
    return waits(kept) && kept.job.person == job.person;
  };
  if (const auto found = std::ranges::find_if(jobs_, same); found != jobs_.end())
    return Answer(std::move(asked), Expected<AskedJob>(AskedJob{true, found->answer}));
  if (std::ranges::count_if(jobs_, waits) >= kMostAsked ||
      std::ranges::count_if(jobs_, own) >= kMostAskedOfOne)
    return Answer(std::move(asked), Expected<AskedJob>(AskedJob{}));
  const auto is_kept = [&](const KeptJob& kept) {
    return kept.job.kind == job.kind && kept.answer;
  };
  if (std::ranges::count_if(jobs_, is_kept) >= kMostKept)
    jobs_.erase(std::ranges::find_if(jobs_, is_kept));
  jobs_.push_back({std::move(job), ++last_job_});
  Answer(std::move(asked), Expected<AskedJob>(AskedJob{true}));
}

void MemoryStore::ClaimJobs(std::string kind, std::string, int most, int64_t hold,
                            Read<std::vector<Job>> claimed) {
  const std::scoped_lock lock(mutex_);
  const int64_t moment = clock_();
  std::map<std::string, int> before;  // of that person
  std::vector<std::tuple<int, int, uint64_t, KeptJob*>> free;
  for (KeptJob& kept : jobs_)
    if (kept.job.kind == kind && !kept.answer && kept.claimed <= moment)
      free.emplace_back(kept.job.priority, before[kept.job.person]++, kept.order, &kept);
  std::ranges::sort(free);
  std::vector<Job> jobs;
  for (const auto& [priority, place, order, kept] : free) {
    if (static_cast<int>(jobs.size()) >= most) break;
    kept->claimed = moment + hold;
    jobs.push_back(kept->job);
  }
  Answer(std::move(claimed), std::move(jobs));
}

void MemoryStore::AnswerJob(std::string table, int seat, int64_t builds, std::string answer,
                            Done done) {
  const std::scoped_lock lock(mutex_);
  const auto found = std::ranges::find_if(jobs_, [&](const KeptJob& kept) {
    return kept.job.table == table && kept.job.seat == seat && kept.job.builds == builds;
  });
  const bool asked = found != jobs_.end() && !found->answer;
  if (asked) found->answer = std::move(answer);
  Answer(std::move(done), asked ? Stored::Stored : Stored::Stale);
}

void MemoryStore::TakeAnswered(std::string table, int most, int64_t hold,
                               Read<std::vector<AnsweredJob>> taken) {
  const std::scoped_lock lock(mutex_);
  const int64_t moment = clock_();
  std::vector<AnsweredJob> answers;
  for (KeptJob& kept : jobs_) {
    if (static_cast<int>(answers.size()) >= most) break;
    if (kept.job.kind != "bot" || !kept.answer || kept.taken > moment ||
        (!table.empty() && kept.job.table != table))
      continue;
    kept.taken = moment + hold;
    answers.push_back({kept.job.table, kept.job.seat, kept.job.builds, *kept.answer});
  }
  Answer(std::move(taken), std::move(answers));
}

// --- Lists

void MemoryStore::Lobby(int most, Listed listed) {
  const std::scoped_lock lock(mutex_);
  std::vector<const Kept*> found;
  for (const auto& [table, kept] : tables_)
    if (kept.listing.open && kept.listing.lobby != Listing::Lobby::No) found.push_back(&kept);
  std::ranges::sort(found, {}, [](const Kept* kept) {
    return std::tuple(kept->listing.lobby, -kept->listing.changed, kept->listing.table);
  });
  Answer(std::move(listed), Newest(std::move(found), most));
}

void MemoryStore::CountOpen(std::string person, Read<Count> counted) {
  const std::scoped_lock lock(mutex_);
  Count count;
  for (const auto& [table, kept] : tables_) {
    if (!kept.listing.open) continue;
    ++count.all;
    if (kept.listing.maker == person) ++count.own;
  }
  Answer(std::move(counted), count);
}

}  // namespace civ
