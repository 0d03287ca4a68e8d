#include "civ/server/sharded_store.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "civ/server/ids.h"
#include "civ/server/postgres_store.h"

namespace civ {

Expected<std::unique_ptr<Store>> OpenSharedStore(const std::vector<std::string>& uris,
                                                 const Post& post) {
  std::vector<std::unique_ptr<Store>> shards;
  for (const std::string& uri : uris) {
    auto store = PostgresStore::Open(uri, post, shards.size());
    if (!store) return store.error();
    shards.push_back(std::move(*store));
  }
  if (shards.size() == 1) return std::move(shards.front());
  return std::unique_ptr<Store>(std::make_unique<ShardedStore>(std::move(shards)));
}

ShardedStore::ShardedStore(std::vector<std::unique_ptr<Store>> shards)
    : shards_(std::move(shards)) {}

// Whatever is no id of ours is nowhere, so it may be looked for in the first.
size_t ShardedStore::PlaceOf(const std::string& table) const {
  const size_t shard = LooksLikeId(table) ? ShardOf(table) : 0;
  return shard < shards_.size() ? shard : 0;
}

template <class T, class Ask, class Answer>
void ShardedStore::AskAll(const Ask& ask, const Answer& answer) {
  struct Parts {
    std::mutex mutex;
    std::vector<std::optional<T>> parts;
    size_t missing;
    std::optional<Error> problem;
  };
  const auto all = std::make_shared<Parts>();
  all->parts.resize(shards_.size());
  all->missing = shards_.size();
  for (size_t i = 0; i < shards_.size(); ++i)
    ask(*shards_[i], i, [all, i, answer](Expected<T> part) {
      {
        const std::scoped_lock lock(all->mutex);
        if (part) all->parts[i] = std::move(*part);
        if (!part && !all->problem) all->problem = part.error();
        if (--all->missing > 0) return;
      }
      if (all->problem) return answer(*all->problem);
      std::vector<T> parts;
      for (std::optional<T>& one : all->parts) parts.push_back(*std::move(one));
      answer(Expected<std::vector<T>>(std::move(parts)));
    });
}

template <class T, class Ask>
void ShardedStore::Collect(size_t at, size_t left, int most, std::vector<T> found, const Ask& ask,
                           Read<std::vector<T>> answer) {
  const int wanted = most - static_cast<int>(found.size());
  if (left == 0 || wanted <= 0) return answer(std::move(found));
  ask(*shards_[at % shards_.size()], wanted,
      [this, at, left, most, found = std::move(found), ask, answer = std::move(answer),
       alive = std::weak_ptr(alive_)](Expected<std::vector<T>> more) mutable {
        // What was found must be told: it is ours from now on.
        if (!more && found.empty()) return answer(std::move(more));
        if (more) std::ranges::move(*more, std::back_inserter(found));
        if (alive.expired()) return answer(std::move(found));
        Collect(at + 1, left - 1, most, std::move(found), ask, std::move(answer));
      });
}

// --- Logs

void ShardedStore::AppendAll(std::vector<Addition> additions, int64_t now, Done done) {
  if (additions.empty()) return first().AppendAll(std::move(additions), now, std::move(done));
  const size_t place = PlaceOf(additions.front().table);
  for (const Addition& added : additions)
    if (PlaceOf(added.table) != place) return done(Stored::Failed);
  shards_[place]->AppendAll(std::move(additions), now, std::move(done));
}

void ShardedStore::Load(std::string table, Loaded loaded) {
  Of(table).Load(table, std::move(loaded));
}

void ShardedStore::Tail(std::string table, int64_t from, Tailed tailed) {
  Of(table).Tail(table, from, std::move(tailed));
}

void ShardedStore::Lengths(std::vector<std::string> tables, Read<std::vector<int64_t>> answer) {
  std::vector<std::vector<std::string>> there(shards_.size());
  for (const std::string& table : tables) there[PlaceOf(table)].push_back(table);
  std::vector<size_t> places;
  for (const std::string& table : tables) places.push_back(PlaceOf(table));
  using Part = std::vector<int64_t>;
  AskAll<Part>([&](Store& shard, size_t i, const auto& part) { shard.Lengths(there[i], part); },
               [places = std::move(places), answer](const Expected<std::vector<Part>>& parts) {
                 if (!parts) return answer(parts.error());
                 std::vector<size_t> next(parts->size());
                 Part lengths;
                 for (const size_t place : places)
                   lengths.push_back((*parts)[place][next[place]++]);
                 answer(std::move(lengths));
               });
}

std::optional<Error> ShardedStore::LoadOpen(const std::function<void(StoredLog)>& each) {
  for (const auto& shard : shards_)
    if (auto problem = shard->LoadOpen(each)) return problem;
  return std::nullopt;
}

void ShardedStore::PutAside(const std::string& table, const std::string& why) {
  Of(table).PutAside(table, why);
}

std::string ShardedStore::Placed(std::string id, const std::string& near) const {
  const size_t shard = near.empty() ? std::hash<std::string>()(id) % shards_.size() : PlaceOf(near);
  return InShard(std::move(id), shard);
}

// --- Lists

void ShardedStore::List(std::string person, bool open_only, int most, Listed listed) {
  using Part = std::vector<Listing>;
  AskAll<Part>(
      [&](Store& shard, size_t, const auto& part) { shard.List(person, open_only, most, part); },
      [most, listed](const Expected<std::vector<Part>>& parts) {
        if (!parts) return listed(parts.error());
        Part all;
        for (size_t place = 0; place < static_cast<size_t>(most); ++place)
          for (const Part& part : *parts)
            if (place < part.size() && all.size() < static_cast<size_t>(most))
              all.push_back(part[place]);
        listed(std::move(all));
      });
}

void ShardedStore::WhoHasTables(std::vector<std::string> persons, Having having) {
  using Part = std::vector<std::string>;
  AskAll<Part>([&](Store& shard, size_t, const auto& part) { shard.WhoHasTables(persons, part); },
               [persons, having](const Expected<std::vector<Part>>& parts) {
                 if (!parts) return having(parts.error());
                 Part found = persons;
                 std::erase_if(found, [&](const std::string& person) {
                   return std::ranges::none_of(*parts, [&](const Part& part) {
                     return std::ranges::count(part, person) > 0;
                   });
                 });
                 having(std::move(found));
               });
}

void ShardedStore::Lobby(int most, Listed listed) {
  using Part = std::vector<Listing>;
  AskAll<Part>([&](Store& shard, size_t, const auto& part) { shard.Lobby(most, part); },
               [most, listed](const Expected<std::vector<Part>>& parts) {
                 if (!parts) return listed(parts.error());
                 Part all;
                 for (const Part& part : *parts) all.insert(all.end(), part.begin(), part.end());
                 std::ranges::sort(all, {}, [](const Listing& listing) {
                   return std::tuple(listing.lobby, -listing.changed, listing.table);
                 });
                 if (all.size() > static_cast<size_t>(most)) all.resize(static_cast<size_t>(most));
                 listed(std::move(all));
               });
}

void ShardedStore::CountOpen(std::string person, Read<Count> counted) {
  AskAll<Count>([&](Store& shard, size_t, const auto& part) { shard.CountOpen(person, part); },
                [counted](const Expected<std::vector<Count>>& parts) {
                  if (!parts) return counted(parts.error());
                  Count count;
                  for (const Count& part : *parts) {
                    count.all += part.all;
                    count.own += part.own;
                  }
                  counted(count);
                });
}

// --- Time and jobs

Expected<int64_t> ShardedStore::ServiceTime() { return first().ServiceTime(); }

void ShardedStore::PutServiceTime(int64_t now, Done done) {
  first().PutServiceTime(now, std::move(done));
}

void ShardedStore::TakeDue(int64_t now, int most, int64_t hold,
                           Read<std::vector<std::string>> taken) {
  using Part = std::vector<std::string>;
  AskAll<Part>(
      [&](Store& shard, size_t, const auto& part) { shard.TakeDue(now, most, hold, part); },
      [taken](const Expected<std::vector<Part>>& parts) {
        if (!parts) return taken(parts.error());
        Part all;
        for (const Part& part : *parts) all.insert(all.end(), part.begin(), part.end());
        taken(std::move(all));
      });
}

void ShardedStore::Beat(int most_due, int64_t hold, Read<Beaten> beaten) {
  // First whether all others can be written; then the time; then what is due at that time.
  const std::weak_ptr alive(alive_);
  const auto take = [this, most_due, hold, beaten, alive](const Expected<Beaten>& of_first) {
    if (!of_first || alive.expired()) return beaten(of_first);
    TakeDue(of_first->now, most_due, hold,
            [beaten, now = of_first->now](const Expected<std::vector<std::string>>& due) {
              if (!due) return beaten(due.error());
              beaten(Beaten{now, *due});
            });
  };
  AskAll<bool>(
      [](Store& shard, size_t i, const auto& part) {
        if (i == 0) return part(true);
        shard.PutServiceTime(0, [part](Stored stored) {
          if (stored == Stored::Stored) return part(true);
          part(Error{"error.store", {}});
        });
      },
      [this, hold, beaten, take, alive](const Expected<std::vector<bool>>& parts) {
        if (!parts) return beaten(parts.error());
        if (alive.expired()) return beaten(Error{"error.store", {}});
        first().Beat(0, hold, take);
      });
}

void ShardedStore::Postpone(std::string table, int64_t length, std::optional<int64_t> due,
                            Done done) {
  Of(table).Postpone(table, length, due, std::move(done));
}

void ShardedStore::AskJob(Job job, Read<AskedJob> asked) {
  Store& shard = Of(job.table);
  shard.AskJob(std::move(job), std::move(asked));
}

void ShardedStore::ClaimJobs(std::string kind, std::string worker, int most, int64_t hold,
                             Read<std::vector<Job>> claimed) {
  const auto ask = [kind = std::move(kind), worker = std::move(worker), hold](
                       Store& shard, int wanted, Read<std::vector<Job>> found) {
    shard.ClaimJobs(kind, worker, wanted, hold, std::move(found));
  };
  Collect<Job>(turn_++, shards_.size(), most, {}, ask, std::move(claimed));
}

void ShardedStore::AnswerJob(std::string table, int seat, int64_t builds, std::string answer,
                             Done done) {
  Of(table).AnswerJob(table, seat, builds, std::move(answer), std::move(done));
}

void ShardedStore::TakeAnswered(std::string table, int most, int64_t hold,
                                Read<std::vector<AnsweredJob>> taken) {
  if (!table.empty()) return Of(table).TakeAnswered(table, most, hold, std::move(taken));
  const auto ask = [hold](Store& shard, int wanted, Read<std::vector<AnsweredJob>> found) {
    shard.TakeAnswered("", wanted, hold, std::move(found));
  };
  Collect<AnsweredJob>(turn_++, shards_.size(), most, {}, ask, std::move(taken));
}

// --- People

void ShardedStore::AddSession(StoredSession session, Done done) {
  first().AddSession(std::move(session), std::move(done));
}
void ShardedStore::ChangePerson(std::string person, PersonChange change, Done done) {
  first().ChangePerson(std::move(person), std::move(change), std::move(done));
}
void ShardedStore::SeeSession(std::string hash, int64_t seen, Done done) {
  first().SeeSession(std::move(hash), seen, std::move(done));
}
void ShardedStore::DropSession(std::string hash, Done done) {
  first().DropSession(std::move(hash), std::move(done));
}
void ShardedStore::BanAddress(std::string address, bool on, Done done) {
  first().BanAddress(std::move(address), on, std::move(done));
}
Expected<std::vector<StoredSession>> ShardedStore::LoadSessions() { return first().LoadSessions(); }
Expected<std::vector<std::string>> ShardedStore::LoadBannedAddresses() {
  return first().LoadBannedAddresses();
}
void ShardedStore::FindSession(std::string hash, std::string address, Read<Found> found) {
  first().FindSession(std::move(hash), std::move(address), std::move(found));
}
void ShardedStore::ListSessions(std::string person, int most,
                                Read<std::vector<StoredSession>> listed) {
  first().ListSessions(std::move(person), most, std::move(listed));
}
void ShardedStore::ListBannedAddresses(Read<std::vector<std::string>> listed) {
  first().ListBannedAddresses(std::move(listed));
}
void ShardedStore::SweepSessions(int64_t forgotten, int64_t unseated, int most,
                                 Read<int64_t> swept) {
  (void)unseated;
  first().SweepSessions(forgotten, forgotten, most, std::move(swept));
}
void ShardedStore::PutCode(std::string hash, std::string person, int64_t until, int most,
                           Done done) {
  first().PutCode(std::move(hash), std::move(person), until, most, std::move(done));
}
void ShardedStore::TakeCode(std::string hash, int64_t now, Read<std::optional<std::string>> taken) {
  first().TakeCode(std::move(hash), now, std::move(taken));
}
void ShardedStore::DropCodes(std::string person, Done done) {
  first().DropCodes(std::move(person), std::move(done));
}

// --- How it is

bool ShardedStore::healthy() const {
  return std::ranges::all_of(shards_, [](const auto& shard) { return shard->healthy(); });
}

StoreFigures ShardedStore::figures() const {
  StoreFigures sum;
  for (const auto& shard : shards_) {
    const StoreFigures one = shard->figures();
    sum.commits += one.commits;
    sum.failures += one.failures;
    sum.events += one.events;
    sum.seconds += one.seconds;
    sum.last = std::max(sum.last, one.last);
  }
  return sum;
}

}  // namespace civ
