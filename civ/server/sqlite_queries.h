// The SQL of the embedded store: what is read from the database and written to it. A failure is
// noted by the database.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "civ/server/database.h"
#include "civ/server/store.h"

namespace civ {

int64_t LengthOf(Database& database, const std::string& table);  // of its log
void WriteEvents(Database& database, const Addition& added);
void WriteAside(Database& database, const std::string& table, const std::string& why);
// A session's row also has what is its person's: that of the others, if the person has any.
void WriteSession(Database& database, const StoredSession& session);
// Whether there is such a person.
bool WritePerson(Database& database, const std::string& person, const PersonChange& change);
void WriteSeen(Database& database, const std::string& hash, int64_t seen);
void DeleteSession(Database& database, const std::string& hash);
void WriteAddress(Database& database, const std::string& address, bool banned);
// Puts the time of service forward. Always changes something, so that success says that the disk
// takes writes: SQLite writes no page that stays the same.
void WriteServiceTime(Database& database, int64_t now);

std::optional<StoredLog> ReadLog(Database& database, const std::string& table);
std::optional<StoredTail> ReadTail(Database& database, const std::string& table, int64_t from);
void ReadOpenLogs(Database& database, const std::function<void(StoredLog)>& each);
// Of all tables if `person` is empty.
std::vector<Listing> ReadListings(Database& database, const std::string& person, bool open_only,
                                  int64_t most);
std::vector<std::string> ReadWhoHasTables(Database& database,
                                          const std::vector<std::string>& persons);
std::vector<StoredSession> ReadSessions(Database& database);
std::vector<std::string> ReadBannedAddresses(Database& database);
int64_t ReadServiceTime(Database& database);

}  // namespace civ
