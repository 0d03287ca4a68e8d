// A server's database, for commands that use it beside the server.
#pragma once

#include <future>
#include <memory>
#include <string>

#include "civ/server/sqlite_store.h"
#include "civ/words/words.h"

namespace civ {

// Fails with a sentence if there is none in that folder, or none that can be used so.
std::unique_ptr<SqliteStore> VisitStore(const std::string& folder, SqliteStore::Access access,
                                        const Words& words);

// The store answers on a thread of its own.
template <class T, class Call>
T Wait(Call call) {
  std::promise<T> answer;
  call([&](T value) { answer.set_value(std::move(value)); });
  return answer.get_future().get();
}

}  // namespace civ
