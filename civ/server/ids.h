// Ids that people pass on: of tables, in links, and codes that are read off one screen and typed on
// another.
#pragma once

#include <string>
#include <string_view>

namespace civ {

inline constexpr size_t kIdLength = 16;  // 80 bits: whoever has not been given one does not find it

// The id made of these bytes: a letter for each of them, by five of its bits.
std::string IdFrom(std::string bytes);

// Where tables are in several databases (shards), the id says in which: in the first one it has
// kIdLength letters, in each further one a last letter that names it.
inline constexpr size_t kMostShards = 33;
std::string InShard(std::string id, size_t shard);  // an id of kIdLength letters
size_t ShardOf(std::string_view id);
bool LooksLikeId(std::string_view id);  // in whatever shard

}  // namespace civ
