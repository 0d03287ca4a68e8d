#include "civ/app/visit.h"

#include "civ/app/files.h"

namespace civ {

std::unique_ptr<SqliteStore> VisitStore(const std::string& folder, SqliteStore::Access access,
                                        const Words& words) {
  auto store =
      SqliteStore::Visit(folder, access, [](const std::function<void()>& answer) { answer(); });
  if (!store) Fail(words.Describe(store.error()));
  return std::move(*store);
}

}  // namespace civ
