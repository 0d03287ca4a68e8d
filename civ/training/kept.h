// The games of a generation in a file, so that a training that was stopped goes on with them. What
// cannot be written there is played again.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <mutex>
#include <string>

#include "civ/training/fit.h"

namespace civ {

class KeptGames {
 public:
  // Whether a file holds kept games, of whatever training, or nothing yet.
  static bool MayKeepIn(const std::string& file);

  // Reads what the file has under this key; other games are thrown away. An empty name keeps
  // nothing.
  KeptGames(const std::string& file, uint64_t key);

  // Gives away a game that is kept; false if it is not.
  bool Take(int game, Examples& examples);
  void Add(int game, const Examples& examples);

 private:
  std::mutex mutex_;
  std::map<int, Examples> games_;
  std::ofstream out_;
};

}  // namespace civ
