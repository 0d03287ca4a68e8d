// Many games at once, each at its own pace, in buffers that somebody else owns. No Python in here.
#pragma once

#include <cstdint>
#include <vector>

#include "bindings/python/pool.h"
#include "civ/view/deal.h"
#include "civ/view/knowledge.h"
#include "civ/view/observation.h"

namespace civ {

inline constexpr int kActionCodes = 256;

// Of n games; what is nullptr is not written.
struct BatchBuffers {
  uint8_t* actions = nullptr;           // (n): what the deciding seats do; read
  uint8_t* masks = nullptr;             // (n, kActionCodes): 1 for what is legal
  float* rewards = nullptr;             // (n, players): of the game that the last step ended
  uint8_t* seats = nullptr;             // (n): who decides
  uint8_t* dones = nullptr;             // (n): 1 if the last step ended a game
  uint8_t* observations = nullptr;      // (n, ObservationSize), of the deciding seats …
  float* float_observations = nullptr;  // … or these
};

// What each seat gets in the end: nothing in sum, -1 for who has lost.
std::array<float, kMaxSeats> Returns(const Public& table);

class Batch {
 public:
  Batch(int games, const Config& config, uint64_t seed, int threads, const BatchBuffers& buffers);

  int games() const { return static_cast<int>(tables_.size()); }
  int threads() const { return pool_.count(); }

  // New games in all places. What is dealt depends on the seed and the place alone.
  void Reset(uint64_t seed);

  // The first place whose action is not legal there, or -1.
  int FirstWrong() const;

  // Does all actions, which must be legal. A game that ends is followed by a new one.
  void Step();

  // Writes into the actions some that are legal, each equally likely.
  void ChooseUniform();

  // Of the game in a place: how it stands, and the seed it was dealt from.
  const Game& game(int place) const { return tables_[static_cast<size_t>(place)].game; }
  uint64_t seed(int place) const { return tables_[static_cast<size_t>(place)].seed; }

 private:
  struct alignas(kLine) Table {
    Game game{State{}};
    uint64_t seed = 0;
    Random deals{0};
  };

  using Range = void (Batch::*)(size_t begin, size_t end);
  void OnAllThreads(Range work);
  void ResetRange(size_t begin, size_t end);
  template <bool kObserved>
  void StepAt(size_t place);
  template <bool kObserved>
  void StepRange(size_t begin, size_t end);
  void ChooseRange(size_t begin, size_t end);
  void Deal(Table& table);
  void ShowEnd(size_t place, bool over);
  void Show(size_t place);
  void ShowMask(size_t place);
  void ShowObservation(size_t place);

  const Config config_;
  const size_t observation_size_;
  const BatchBuffers buffers_;
  std::vector<Table> tables_;
  // Beside the tables, because some steps look at nothing else.
  std::vector<ActionSet> legal_;
  std::vector<Random> choices_;
  ThreadPool pool_;
};

}  // namespace civ
