// Tokens, the persons behind them, and the server's password.
#include "civ/server/sessions.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <mutex>

#include "civ/server/memory_store.h"
#include "civ/server/password.h"
#include "civ/server/token.h"

namespace civ {
namespace {

constexpr int64_t kNow = 1'800'000'000, kDay = 24 * 3600;

// A store that can refuse what is about sessions, and answers when it is told to.
class Refusing : public MemoryStore {
 public:
  using MemoryStore::MemoryStore;
  void AddSession(StoredSession session, Done done) override {
    added.push_back(session);
    if (refuses) return done(Stored::Failed);
    MemoryStore::AddSession(std::move(session), std::move(done));
  }
  void ChangePerson(std::string person, PersonChange change, Done done) override {
    ++changes;
    if (refuses) return done(Stored::Failed);
    MemoryStore::ChangePerson(std::move(person), std::move(change), std::move(done));
  }
  void SeeSession(std::string hash, int64_t seen, Done done) override {
    ++seen_again;
    MemoryStore::SeeSession(std::move(hash), seen, std::move(done));
  }
  void DropSession(std::string hash, Done done) override {
    if (refuses) return done(Stored::Failed);
    MemoryStore::DropSession(std::move(hash), std::move(done));
  }
  bool refuses = false;
  int changes = 0, seen_again = 0;
  std::vector<StoredSession> added;
};

struct SessionsTest : testing::Test {
  std::deque<std::function<void()>> posted;
  Refusing store{[this](std::function<void()> what) { posted.push_back(std::move(what)); }};
  Sessions sessions{store};

  void Settle() {
    for (; !posted.empty(); posted.pop_front()) posted.front()();
  }
  Sessions::Made Make(const std::string& name, bool bot = false) {
    std::optional<Sessions::Made> made;
    sessions.Make(name, bot, "192.0.2.7", kNow,
                  [&](const Expected<Sessions::Made>& answer) { made = *answer; });
    Settle();
    return *made;
  }
  // The token, or what is wrong.
  std::string Use(const std::string& code, int64_t now = kNow) {
    std::string answer = "none";
    sessions.MakeByCode(code, false, "192.0.2.8", now, [&](const Expected<Sessions::Made>& made) {
      answer = made ? made->token : made.error().key;
    });
    Settle();
    return answer;
  }
  const Sessions::Session* Find(const std::string& token, int64_t now = kNow) {
    return sessions.Find(token, "192.0.2.7", now);
  }
};

TEST_F(SessionsTest, ATokenIsAPerson) {
  const Sessions::Made ada = Make("Ada"), ben = Make("Ben", true);
  EXPECT_EQ(ada.token.size(), 43u);
  EXPECT_EQ(ada.token.find_first_not_of(
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
            std::string::npos);
  EXPECT_NE(ada.token, ben.token);
  EXPECT_NE(ada.person.id, ben.person.id);
  EXPECT_TRUE(ada.person.id.starts_with("p_"));
  ASSERT_NE(Find(ada.token), nullptr);
  EXPECT_EQ(Find(ada.token)->person(), ada.person);
  EXPECT_FALSE(Find(ada.token)->stored.bot);
  EXPECT_TRUE(Find(ben.token)->stored.bot);
}

TEST_F(SessionsTest, NothingElseIsAToken) {
  const Sessions::Made ada = Make("Ada");
  std::string changed = ada.token;
  changed[20] = changed[20] == 'A' ? 'B' : 'A';
  for (const std::string& token : {changed, ada.token + "A", ada.token.substr(1), std::string(),
                                   ada.person.id, TokenHash(ada.token), std::string(43, 'A')})
    EXPECT_EQ(Find(token), nullptr) << token;
}

TEST_F(SessionsTest, TheStoreNeverSeesAToken) {
  const Sessions::Made ada = Make("Ada");
  ASSERT_EQ(store.added.size(), 1u);
  EXPECT_EQ(store.added[0].hash, TokenHash(ada.token));
  EXPECT_EQ(store.added[0].person, ada.person.id);
  EXPECT_EQ(TokenHash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_F(SessionsTest, IsThereOnlyOnceItIsStored) {
  bool answered = false;
  sessions.Make("Ada", false, "", kNow, [&](const Expected<Sessions::Made>&) { answered = true; });
  EXPECT_FALSE(answered);
  EXPECT_EQ(sessions.size(), 0u);
  Settle();
  EXPECT_TRUE(answered);
  store.refuses = true;
  std::string error;
  sessions.Make("Ben", false, "", kNow, [&](const Expected<Sessions::Made>& made) {
    error = made ? "" : made.error().key;
  });
  Settle();
  EXPECT_EQ(error, "error.store");
  EXPECT_EQ(sessions.size(), 1u);
}

TEST_F(SessionsTest, ComeBackAfterARestart) {
  const Sessions::Made ada = Make("Ada"), ben = Make("Ben");
  sessions.Rename(ada.person.id, "Ada Lovelace", [](const auto&) {});
  sessions.Mute(ada.person.id, true, [](const auto&) {});
  sessions.End(*Find(ben.token), [](const auto&) {});
  Settle();
  Sessions again(store);
  again.Load(kNow + 1);
  EXPECT_EQ(again.size(), 1u);
  const Sessions::Session* found = again.Find(ada.token, "", kNow + 1);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->stored.name, "Ada Lovelace");
  EXPECT_TRUE(found->stored.muted);
  EXPECT_EQ(again.Find(ben.token, "", kNow + 1), nullptr);
}

// Else a crash in between would leave a person half banned.
TEST_F(SessionsTest, DevicesOfAPersonAreStoredTogether) {
  const Sessions::Made ada = Make("Ada");
  Use(*sessions.MakeCode(ada.person.id, kNow));
  sessions.Ban(ada.person.id, true, [](const auto&) {});
  EXPECT_EQ(store.changes, 1);
  const std::vector<StoredSession> stored = *store.LoadSessions();
  ASSERT_EQ(stored.size(), 2u);
  for (const StoredSession& session : stored) EXPECT_TRUE(session.banned);
}

TEST_F(SessionsTest, AnEndedOneIsWorthNothingAtOnce) {
  const Sessions::Made ada = Make("Ada");
  store.refuses = true;
  std::string failed;
  sessions.End(*Find(ada.token), [&](const std::optional<Error>& error) { failed = error->key; });
  EXPECT_EQ(failed, "error.store");
  EXPECT_EQ(Find(ada.token), nullptr);
  EXPECT_TRUE(sessions.OfPerson(ada.person.id).empty());
  store.refuses = false;
  sessions.Retry();  // else it would be back after a restart
  Settle();
  EXPECT_TRUE(store.LoadSessions()->empty());
}

TEST_F(SessionsTest, WhatTheStoreRefusesIsTriedAgain) {
  const Sessions::Made ada = Make("Ada");
  store.refuses = true;
  std::optional<Error> failed;
  sessions.Ban(ada.person.id, true, [&](std::optional<Error> error) { failed = std::move(error); });
  Settle();
  ASSERT_TRUE(failed);
  EXPECT_EQ(failed->key, "error.store");
  EXPECT_TRUE(Find(ada.token)->stored.banned);  // in force nevertheless
  store.refuses = false;
  sessions.Retry();
  Settle();
  ASSERT_EQ(store.LoadSessions()->size(), 1u);
  EXPECT_TRUE((*store.LoadSessions())[0].banned);
}

TEST_F(SessionsTest, ChangesAtTheSameTimeAreAllKept) {
  const Sessions::Made ada = Make("Ada");
  sessions.Mute(ada.person.id, true, [](const auto&) {});
  sessions.Rename(ada.person.id, "Countess", [](const auto&) {});
  Settle();
  ASSERT_EQ(store.LoadSessions()->size(), 1u);
  EXPECT_TRUE((*store.LoadSessions())[0].muted);
  EXPECT_EQ((*store.LoadSessions())[0].name, "Countess");
}

TEST_F(SessionsTest, NobodyForAYearIsForgotten) {
  const Sessions::Made ada = Make("Ada"), ben = Make("Ben"), cid = Make("Cid");
  sessions.Ban(cid.person.id, true, [](const auto&) {});
  Find(ben.token, kNow + 200 * kDay);
  Settle();
  Sessions again(store);
  again.Load(kNow + 366 * kDay);
  EXPECT_EQ(again.OfPerson(ada.person.id).size(), 0u);
  EXPECT_EQ(again.OfPerson(ben.person.id).size(), 1u);
  EXPECT_EQ(again.OfPerson(cid.person.id).size(), 1u);  // a ban does not end by waiting
}

TEST_F(SessionsTest, WhoNeverSatDownIsForgottenAfterDays) {
  const Sessions::Made ada = Make("Ada"), ben = Make("Ben"), cid = Make("Cid"), dan = Make("Dan"),
                       eve = Make("Eve");
  store.Append("t", 0, {"{}"}, {"t", false, "{}", {ben.person.id}}, 0, [](Stored) {});
  sessions.Ban(dan.person.id, true, [](const auto&) {});
  const auto sweep = [&](int64_t now) {
    sessions.Sweep(now, [&](const std::string& person) { return person == eve.person.id; });
    Settle();
  };
  sweep(kNow + 2 * kDay);
  EXPECT_EQ(sessions.size(), 5u);
  Find(cid.token, kNow + 3 * kDay);
  sweep(kNow + 3 * kDay + 1);
  EXPECT_EQ(Find(ada.token, kNow + 3 * kDay), nullptr);
  EXPECT_NE(Find(ben.token, kNow + 3 * kDay), nullptr);  // has a table
  EXPECT_NE(Find(cid.token, kNow + 3 * kDay), nullptr);  // was there a moment ago
  EXPECT_EQ(sessions.OfPerson(dan.person.id).size(), 1u);
  EXPECT_EQ(sessions.OfPerson(eve.person.id).size(), 1u);  // is there
  EXPECT_EQ(store.LoadSessions()->size(), 4u);
  sweep(kNow + 400 * kDay);  // while it runs, and not at the next start only
  EXPECT_EQ(sessions.OfPerson(ben.person.id).size(), 0u);
}

TEST_F(SessionsTest, WhoComesWhileTheStoreIsAskedStays) {
  const Sessions::Made ada = Make("Ada"), ben = Make("Ben");
  const int64_t now = kNow + 4 * kDay;
  sessions.Sweep(now, [](const std::string&) { return false; });
  Find(ada.token, now);
  Settle();
  EXPECT_NE(Find(ada.token, now), nullptr);
  EXPECT_EQ(Find(ben.token, now), nullptr);
}

TEST_F(SessionsTest, WhoNeverSatDownMakesRoom) {
  Sessions few(store, 10);
  int made = 0;
  const auto make = [&](int64_t now) {
    few.Make("Ada", false, "", now, [&](const Expected<Sessions::Made>& m) { made += m ? 1 : 0; });
    Settle();
    few.Sweep(now, [](const std::string&) { return false; });
    Settle();
  };
  for (int i = 0; i < 20; ++i) make(kNow);
  EXPECT_EQ(made, 10);
  make(kNow + 3601);
  make(kNow + 3602);
  EXPECT_EQ(made, 11);
}

TEST_F(SessionsTest, BeingSeenIsNotedOnceADay) {
  const Sessions::Made ada = Make("Ada");
  for (int hour = 0; hour < 48; ++hour) Find(ada.token, kNow + hour * 3600);
  EXPECT_EQ(store.seen_again, 1);
}

TEST_F(SessionsTest, BannedAddresses) {
  sessions.BanAddress("192.0.2.7", true, [](const auto&) {});
  EXPECT_TRUE(
      sessions.IsBanned("192.0.2.7"));  // before it is stored: whoever comes back at once stays out
  sessions.BanAddress("192.0.2.8", true, [](const auto&) {});
  sessions.BanAddress("192.0.2.8", false, [](const auto&) {});
  Settle();
  EXPECT_TRUE(sessions.IsBanned("192.0.2.7"));
  Sessions again(store);
  again.Load(kNow);
  EXPECT_TRUE(again.IsBanned("192.0.2.7"));
  EXPECT_FALSE(again.IsBanned("192.0.2.8"));
  EXPECT_EQ(again.size(), 0u);
}

TEST_F(SessionsTest, ACodeIsTheSamePersonElsewhere) {
  const Sessions::Made ada = Make("Ada"), ben = Make("Ben");
  const std::string code = *sessions.MakeCode(ada.person.id, kNow), token = Use(code);
  EXPECT_EQ(code.size(), 16u);
  ASSERT_NE(Find(token), nullptr);
  EXPECT_EQ(Find(token)->person(), ada.person);
  EXPECT_NE(Find(token)->number, Find(ada.token)->number);
  EXPECT_EQ(Find(ada.token)->person(), ada.person);  // also goes on
  EXPECT_EQ(Use(code), "error.code");                // once
  Sessions again(store);
  again.Load(kNow);
  EXPECT_EQ(again.OfPerson(ada.person.id).size(), 2u);
  EXPECT_EQ(again.Find(token, "", kNow)->person(), ada.person);
}

TEST_F(SessionsTest, NothingElseIsACode) {
  const Sessions::Made ada = Make("Ada");
  const std::string code = *sessions.MakeCode(ada.person.id, kNow);
  for (const std::string& wrong : {std::string(), code.substr(1), code + "a", ada.token,
                                   ada.person.id, TokenHash(code), std::string(16, 'a')})
    EXPECT_EQ(Use(wrong), "error.code") << wrong;
  EXPECT_EQ(Use(code, kNow + 300), "error.code");
  EXPECT_EQ(Use(code, kNow + 299).size(), 43u);
}

TEST_F(SessionsTest, OnlyTheLastCodesCount) {
  const Sessions::Made ada = Make("Ada"), ben = Make("Ben");
  const std::string of_ben = *sessions.MakeCode(ben.person.id, kNow);
  std::vector<std::string> codes;
  for (int i = 0; i < 4; ++i) codes.push_back(*sessions.MakeCode(ada.person.id, kNow));
  EXPECT_EQ(Use(codes[0]), "error.code");
  for (int i = 1; i < 4; ++i) EXPECT_EQ(Use(codes[static_cast<size_t>(i)]).size(), 43u);
  EXPECT_EQ(Use(of_ben).size(), 43u);
}

TEST_F(SessionsTest, OneDeviceEndsAndTheOtherStays) {
  const Sessions::Made ada = Make("Ada");
  const std::string phone = Use(*sessions.MakeCode(ada.person.id, kNow)),
                    unused = *sessions.MakeCode(ada.person.id, kNow);
  const uint64_t number = Find(ada.token)->number;
  EXPECT_TRUE(sessions.IsOpen(ada.person.id, number));
  sessions.End(*Find(ada.token), [](const auto&) {});
  Settle();
  EXPECT_FALSE(sessions.IsOpen(ada.person.id, number));
  EXPECT_EQ(Find(ada.token), nullptr);
  ASSERT_NE(Find(phone), nullptr);
  EXPECT_TRUE(sessions.IsOpen(ada.person.id, Find(phone)->number));
  EXPECT_EQ(Use(unused), "error.code");
  EXPECT_EQ(store.LoadSessions()->size(), 1u);
}

TEST_F(SessionsTest, WhatBecomesOfAPersonGoesForEveryDevice) {
  const Sessions::Made ada = Make("Ada");
  const std::string phone = Use(*sessions.MakeCode(ada.person.id, kNow)),
                    code = *sessions.MakeCode(ada.person.id, kNow);
  int answers = 0;
  const auto answered = [&](const std::optional<Error>& failed) {
    EXPECT_FALSE(failed);
    ++answers;
  };
  sessions.Rename(ada.person.id, "Countess", answered);
  sessions.Mute(ada.person.id, true, answered);
  std::string late;
  sessions.MakeByCode(code, false, "", kNow,
                      [&](const Expected<Sessions::Made>& made) { late = made->token; });
  sessions.Ban(ada.person.id, true, answered);  // while the third is being stored
  Settle();
  EXPECT_EQ(answers, 3);
  Sessions again(store);
  again.Load(kNow);
  for (const std::string& token : {ada.token, phone, late})
    for (Sessions* now : {&sessions, &again}) {
      const StoredSession& stored = now->Find(token, "", kNow)->stored;
      EXPECT_EQ(stored.name, "Countess");
      EXPECT_TRUE(stored.muted && stored.banned);
    }
}

TEST_F(SessionsTest, NobodyComesByACodeOfOneWhoHasGone) {
  const Sessions::Made ada = Make("Ada");
  const std::string code = *sessions.MakeCode(ada.person.id, kNow);
  std::string error;
  sessions.MakeByCode(code, false, "", kNow, [&](const Expected<Sessions::Made>& made) {
    error = made ? "" : made.error().key;
  });
  sessions.End(*Find(ada.token), [](const auto&) {});
  Settle();
  EXPECT_EQ(error, "error.code");
  EXPECT_TRUE(store.LoadSessions()->empty());
}

TEST_F(SessionsTest, ThereIsAMost) {
  Sessions few(store, 1);
  std::vector<std::string> answers;
  for (int i = 0; i < 2; ++i) {
    few.Make("Ada", false, "", kNow, [&](const Expected<Sessions::Made>& made) {
      answers.push_back(made ? "made" : made.error().key);
    });
    Settle();
  }
  EXPECT_EQ(answers, (std::vector<std::string>{"made", "error.full"}));
}

// Answers come from another thread.
struct Answers {
  std::mutex mutex;
  std::condition_variable came;
  std::vector<bool> answers;

  std::vector<bool> Wait(size_t count) {
    std::unique_lock lock(mutex);
    came.wait(lock, [&] { return answers.size() >= count; });
    return answers;
  }
  std::function<void(bool)> Next() {
    return [this](bool right) {
      const std::lock_guard lock(mutex);
      answers.push_back(right);
      came.notify_all();
    };
  }
};

TEST(Password, IsChecked) {
  Answers answers;
  const auto password =
      Password::From("correct horse", [](const std::function<void()>& what) { what(); });
  ASSERT_NE(password, nullptr);
  for (const char* guess : {"correct horse", "correct", "", "correct horse "})
    EXPECT_TRUE(password->Check(guess, answers.Next()));
  EXPECT_EQ(answers.Wait(4), (std::vector<bool>{true, false, false, false}));
}

TEST(Password, MayBeGivenAsAHash) {
  Answers answers;
  // Of "password", with little memory so that the test is quick.
  const auto password = Password::From(
      "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
      [](const std::function<void()>& what) { what(); });
  EXPECT_TRUE(password->Check("password", answers.Next()));
  EXPECT_TRUE(password->Check(
      "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
      answers.Next()));
  EXPECT_EQ(answers.Wait(2), (std::vector<bool>{true, false}));
}

TEST(Password, DoesNotLetGuessesPileUp) {
  Answers answers;
  const auto password = Password::From("x", [](const std::function<void()>& what) { what(); });
  int taken = 0;
  for (int i = 0; i < 1000; ++i) taken += password->Check("guess", answers.Next()) ? 1 : 0;
  EXPECT_LT(taken, 1000);
}

}  // namespace
}  // namespace civ
