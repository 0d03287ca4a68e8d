// Who is behind a request: sessions, found by their tokens.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "civ/server/bus.h"
#include "civ/server/store.h"
#include "civ/server/token.h"
#include "civ/table/event.h"

namespace civ {

// A person has a session on each device. A token is known by its hash only, in memory as on the
// disk: looking it up tells nothing about how near a guess was.
class Sessions {
 public:
  using Random = std::function<std::string(size_t count)>;  // that many random bytes
  explicit Sessions(Store& store, size_t most = 200'000, Random random = RandomBytes);

  struct Session {
    StoredSession stored;
    std::string address;  // from which it was last used, as far as this run of the server knows
    uint64_t number = 0;  // tells it from others
    int64_t used = 0;     // when it was last, in seconds of the wall clock
    bool seated = false;  // the person is known to have a table
    int64_t read = 0;     // from the store, in seconds of the wall clock

    Person person() const { return {stored.person, stored.name}; }
  };

  // Where the store is shared, only those are in memory who were here of late, and each is read
  // again after kFresh seconds. What changes is told to the other processes over the bus, and
  // `changed` is called with what they tell.
  static constexpr int64_t kFresh = 30;
  struct News {
    std::string person;
    std::optional<uint64_t> ended = {};  // a session's number
    std::optional<std::string> name = {};
    std::optional<bool> muted = {};
    bool banned = false;
    std::string address = {};  // that is banned from now on
  };
  void Share(Bus& bus, std::string process, std::function<void(const News&)> changed);

  // Everything that was stored; those that nobody has used for a year are dropped. `now`: seconds
  // of the wall clock.
  std::optional<Error> Load(int64_t now);

  // Ends sessions that nobody has used for a year, and for three days those of persons who have no
  // table and never had one; for an hour if there is hardly room for more. `is_here` says that
  // somebody is connected: they stay. To be called now and then; it looks at a few at a time.
  void Sweep(int64_t now, std::function<bool(const std::string& person)> is_here);

  // The session of a token as it is stored, and whether the address is banned. `fresh`: as it is
  // now, and not a moment ago. The session is there until the answer has been taken.
  struct Sought {
    const Session* session = nullptr;
    bool banned = false;  // the address
  };
  void Seek(std::string_view token, const std::string& address, int64_t now, bool fresh,
            std::function<void(Expected<Sought>)> answer);
  // Of those in memory: nothing for a token that is not or no longer known.
  const Session* Find(std::string_view token, const std::string& address, int64_t now);
  std::vector<const Session*> OfPerson(const std::string& person) const;
  // Whether that session of the person has neither ended nor been banned.
  bool IsOpen(const std::string& person, uint64_t number) const;

  // The answer comes when it is stored; an error means that nothing has changed.
  struct Made {
    std::string token;
    Person person;
  };
  using Answer = std::function<void(Expected<Made>)>;
  void Make(std::string name, bool bot, const std::string& address, int64_t now, Answer made);
  // A code with which another device becomes a session of the same person: once, within
  // kCodeSeconds, and in this run of the server.
  static constexpr int64_t kCodeSeconds = 300;
  static constexpr size_t kMostCodes = 3;  // of one person; one more ends the oldest
  Expected<std::string> MakeCode(const std::string& person, int64_t now);
  void GiveCode(const std::string& person, int64_t now,
                std::function<void(Expected<std::string>)> answer);
  void MakeByCode(const std::string& code, bool bot, const std::string& address, int64_t now,
                  Answer made);
  // These are in force at once. An error means that the store has refused; Retry tries again.
  using Done = std::function<void(std::optional<Error>)>;
  void Rename(const std::string& person, std::string name, Done done);
  void Mute(const std::string& person, bool on, Done done);
  void Ban(const std::string& person, bool on, Done done);
  void End(const Session& session,
           Done done);  // the token is worth nothing from now on, nor are codes of the person
  void Retry();

  void BanAddress(const std::string& address, bool on, Done done);  // as AddressKey has it
  bool IsBanned(const std::string& address) const { return banned_.contains(address); }

  // Sorted by when they were made, the newest first. Banned addresses are not among them.
  std::vector<const Session*> All() const;
  // The same also where they are not in memory: of one person, or of all if it is empty.
  void List(const std::string& person, std::function<void(Expected<std::vector<Session>>)> answer);
  const std::set<std::string>& BannedAddresses() const { return banned_; }
  size_t size() const { return by_hash_.size(); }

 private:
  struct Code {
    std::string hash, person;
    int64_t until;
  };

  void Add(Session session);
  void Forget(const std::string& person);  // what is in memory of somebody
  void Heard(const std::string& text);
  void Tell(Json news) const;
  void SweepShared(int64_t now, const std::function<bool(const std::string& person)>& is_here);
  void AddByCode(const std::string& person, bool bot, const std::string& address, int64_t now,
                 Answer made);
  std::string NewToken(size_t bytes) const { return TokenFrom(random_(bytes)); }
  void Change(const std::string& person, const PersonChange& change, Done done);
  void Put(const std::string& person, const PersonChange& change, Done done);
  void EndUnseated(const std::vector<std::string>& asked, const std::vector<std::string>& seated,
                   int64_t before, const std::function<bool(const std::string& person)>& is_here);
  void Drop(const std::string& hash, Done done);

  Store& store_;
  size_t most_;
  const Random random_;
  Bus* bus_ = nullptr;
  std::string process_;
  std::function<void(const News&)> changed_;
  Bus::Subscription hints_;
  int64_t addresses_read_ = 0;
  std::unordered_map<std::string, Session> by_hash_;
  std::unordered_map<std::string, std::vector<std::string>> hashes_of_;  // by person
  int64_t swept_ = 0;                     // when, in seconds of the wall clock
  bool sweeping_ = false;                 // the store has been asked
  std::vector<Code> codes_;               // the oldest first
  std::set<std::string> banned_;          // addresses
  std::vector<std::string> not_dropped_;  // hashes
  std::vector<std::pair<std::string, PersonChange>> not_stored_;  // by person
};

// For several answers: calls `done` with the last of them, and with an error if any was one.
Sessions::Done Joined(size_t answers, Sessions::Done done);

}  // namespace civ
