// Who is behind a request: sessions by token, and the server's password.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "server/store.h"
#include "table/event.h"

namespace civ {

// SHA-256, hexadecimal.
std::string TokenHash(std::string_view text);
// So many random bytes, and the same as a text for tokens and ids.
std::string RandomBytes(size_t count);
std::string RandomText(size_t bytes);

// A token is known by its hash only, in memory as on the disk: looking it up tells nothing about how near a guess was.
class Sessions {
 public:
  explicit Sessions(Store& store, size_t most = 200'000);

  struct Session {
    StoredSession stored;
    std::string address;  // from which it was last used, as far as this run of the server knows

    Person person() const { return {stored.person, stored.name}; }
  };

  // Everything that was stored; those that nobody has used for a year are dropped. `now`: seconds of the wall clock.
  void Load(int64_t now);

  // Nothing for a token that is not or no longer known.
  const Session* Find(std::string_view token, const std::string& address, int64_t now);
  const Session* OfPerson(const std::string& person) const;

  // The answer comes when it is stored; an error means that nothing has changed.
  struct Made {
    std::string token;
    Person person;
  };
  void Make(std::string name, bool bot, const std::string& address, int64_t now, std::function<void(Expected<Made>)> made);
  // These are in force at once. An error means that the store has refused; Retry tries again.
  using Done = std::function<void(std::optional<Error>)>;
  void Rename(const std::string& person, std::string name, Done done);
  void Mute(const std::string& person, bool on, Done done);
  void Ban(const std::string& person, bool on, Done done);
  void End(const std::string& person);  // the token is worth nothing from now on
  void Retry();

  void BanAddress(const std::string& address, bool on, Done done);  // as AddressKey has it
  bool IsBanned(const std::string& address) const { return banned_.contains(address); }

  // Sorted by when they were made, the newest first. Banned addresses are not among them.
  std::vector<const Session*> All() const;
  const std::set<std::string>& BannedAddresses() const { return banned_; }
  size_t size() const { return by_hash_.size(); }

 private:
  void Change(const std::string& person, const std::function<void(StoredSession&)>& change, Done done);
  void Put(const std::string& person, Done done);
  void Drop(const std::string& hash);

  Store& store_;
  size_t most_;
  std::unordered_map<std::string, Session> by_hash_;
  std::unordered_map<std::string, std::string> hash_of_;  // by person
  std::set<std::string> banned_;                          // addresses
  std::vector<std::string> not_dropped_;                  // hashes
  std::vector<std::string> not_stored_;                   // persons
};

// The one password of a server that not everybody may enter. Checking takes long on purpose, so another thread does it.
class Password {
 public:
  using Post = std::function<void(std::function<void()>)>;
  // The password itself, or its argon2id hash as `argon2` prints it. Nothing if memory is short.
  static std::unique_ptr<Password> From(const std::string& text, Post post);
  ~Password();
  Password(const Password&) = delete;
  Password& operator=(const Password&) = delete;

  // False: too many are being checked. `checked` is called through `post`, unless this is destroyed before.
  bool Check(std::string guess, std::function<void(bool)> checked);

 private:
  struct Impl;
  explicit Password(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace civ
