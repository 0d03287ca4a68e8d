// Two runs of one seed that differ in nothing but two cards of a deck. As long as somebody may see
// the same of both, they are told the same at the same moments; what is said on the bus never
// differs.
#pragma once

#include <set>

#include "civ/server/store.h"
#include "civ/table/table.h"
#include "tests/simulation/stage.h"

namespace civ::simulation {

class Twin {
 public:
  // `leaks`: somebody is told too much, on purpose.
  Twin(uint64_t seed, bool leaks) : random_(seed), leaks_(leaks) {}

  void BeginSecond();  // the first run is over
  // At the end of the second, or when nobody sees the same any more.
  bool ended() const { return ended_ || !fault_.empty(); }
  void End(int64_t now);  // of the second run: nobody was told less than in the first
  const std::string& fault() const { return fault_; }
  uint64_t compared() const { return compared_; }

  // What is decided in the first run is decided in the second, too, while that is legal.
  Action Choose(const std::string& question, const View& view);
  // The first deal of a run, that is to be added to this log: in the second run two of its cards
  // change places. It is to be stored as if another process had been quicker.
  bool IsDeal(const Addition& added) const;
  void Deals(const std::vector<std::string>& log, Addition& added);
  void Stored(const std::string& table, const Table& now);
  // `who`: a person, NameOfSeat for a bot's question, or "bus" with a topic.
  void Hears(int64_t now, const std::string& table, const std::string& who, std::string text);

  static std::string NameOfSeat(int seat) { return "seat " + std::to_string(seat); }

 private:
  bool HasParted(const std::string& table, const std::string& who) const;

  struct Heard {
    int64_t now;
    std::string text;

    bool operator==(const Heard&) const = default;
  };
  using Listener = std::pair<std::string, std::string>;  // a table, or a topic, and who

  Random random_;
  const bool leaks_;
  bool second_ = false, dealt_ = false, ended_ = false;
  std::string fault_;
  uint64_t compared_ = 0;
  std::map<std::string, Action> choices_;         // by question
  std::map<Listener, std::vector<Heard>> heard_;  // in the first run
  std::map<Listener, size_t> compared_to_;        // how many of them were heard in the second, too
  std::string table_, deal_;                      // that differs, and the event of this run
  std::map<int64_t, Table> tables_;               // by number, in the first run
  std::set<std::string> parted_;                  // who does not see the same any more
};

// By chance, but for twins.
Action Choose(Stage& stage, const std::string& question, const View& view);

// Something that the viewer may say, an answer if one is due: the same to the same question, since
// it follows from what everybody sees.
std::optional<Talk> ChooseTalk(const std::string& question, const View& view,
                               const Diplomacy& pacts);

}  // namespace civ::simulation
