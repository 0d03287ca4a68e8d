#include "bindings/python/batch.h"

#if defined(__AVX512BW__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstring>
#include <numeric>

#include "civ/bots/bot.h"
#include "civ/bots/playout.h"
#include "civ/rules/sides.h"

namespace civ {

std::array<float, kMaxSeats> Returns(const Public& table) {
  std::array<float, kMaxSeats> returns{};
  const Chances shares = Shares(table.config, Result(table));
  const auto sides = static_cast<float>(SideCount(table.config));
  for (size_t seat = 0; seat < table.config.players; ++seat)
    returns[seat] = shares[seat] * sides - 1;
  return returns;
}

Batch::Batch(int games, const Config& config, uint64_t seed, int threads,
             const BatchBuffers& buffers)
    : config_(config),
      observation_size_(static_cast<size_t>(ObservationSize(config.players))),
      buffers_(buffers),
      tables_(static_cast<size_t>(games)),
      legal_(tables_.size()),
      choices_(tables_.size(), Random(0)),
      pool_(std::min(threads, games)) {
  Reset(seed);
}

void Batch::OnAllThreads(Range work) {
  const size_t count = tables_.size(), threads = static_cast<size_t>(pool_.count());
  // Whole cache lines of each array for each thread.
  const auto begin = [&](size_t thread) {
    return thread == threads ? count : count * thread / threads / kLine * kLine;
  };
  pool_.Run([&](int thread) {
    const auto number = static_cast<size_t>(thread);
    (this->*work)(begin(number), begin(number + 1));
  });
}

void Batch::Deal(Table& table) {
  // Below 2^53, so that it is a number everywhere.
  table.seed = (uint64_t{table.deals.Next()} << 32 | table.deals.Next()) >> 11;
  const civ::Deal deal = DealFromSeed(config_, table.seed);
  table.game = Game(New(deal.config, deal.deck.Span()));
}

void Batch::Reset(uint64_t seed) {
  Random random(seed);
  const auto next = [&] { return uint64_t{random.Next()} << 32 | random.Next(); };
  for (size_t place = 0; place < tables_.size(); ++place) {
    tables_[place].deals = Random(next());
    choices_[place] = Random(next());
  }
  OnAllThreads(&Batch::ResetRange);
}

void Batch::ResetRange(size_t begin, size_t end) {
  for (size_t place = begin; place < end; ++place) {
    Deal(tables_[place]);
    legal_[place] = Legal(tables_[place].game.state);
    ShowEnd(place, false);
    Show(place);
  }
}

int Batch::FirstWrong() const {
  for (size_t place = 0; place < legal_.size(); ++place)
    if (!legal_[place].Contains({buffers_.actions[place]})) [[unlikely]]
      return static_cast<int>(place);
  return -1;
}

namespace {

// 64 bits as 64 bytes.
void Spread(uint64_t bits, uint8_t* bytes) {
#if defined(__AVX512BW__)
  _mm512_storeu_si512(bytes, _mm512_maskz_set1_epi8(bits, 1));
#else
  static constexpr auto kBytesOf = [] {
    std::array<uint64_t, 256> table{};
    for (size_t eight = 0; eight < table.size(); ++eight)
      for (unsigned i = 0; i < 8; ++i) table[eight] |= uint64_t{eight >> i & 1} << 8 * i;
    return table;
  }();
  if (bits == 0)
    std::memset(bytes, 0, 64);
  else
    for (unsigned i = 0; i < 8; ++i) std::memcpy(bytes + 8 * i, &kBytesOf[bits >> 8 * i & 0xff], 8);
#endif
}

}  // namespace

void Batch::ShowMask(size_t place) {
  uint8_t* mask = buffers_.masks + place * kActionCodes;
  for (const uint64_t word : legal_[place].Bits()) {
    Spread(word, mask);
    mask += 64;
  }
}

void Batch::ShowObservation(size_t place) {
  const Game& game = tables_[place].game;
  const View view = MakeView(game.state, game.knowledge, game.state.seat);
  if (buffers_.observations != nullptr)
    return Observe(view, buffers_.observations + place * observation_size_);
  std::array<uint8_t, kMostObserved> numbers;
  Observe(view, numbers.data());
  float* out = buffers_.float_observations + place * observation_size_;
  for (size_t i = 0; i < observation_size_; ++i) out[i] = numbers[i];
}

// What the deciding seat is shown.
void Batch::Show(size_t place) {
  if (buffers_.seats != nullptr) buffers_.seats[place] = tables_[place].game.state.seat;
  if (buffers_.masks != nullptr) ShowMask(place);
  if (buffers_.observations != nullptr || buffers_.float_observations != nullptr)
    ShowObservation(place);
}

// Whether the game in a place is over, and what it gave to whom.
void Batch::ShowEnd(size_t place, bool over) {
  if (buffers_.dones != nullptr) buffers_.dones[place] = over;
  if (buffers_.rewards == nullptr) return;
  float* rewards = buffers_.rewards + place * config_.players;
  // Each size by itself: a loop would be longer than what it does.
  static constexpr std::array<float, kMaxSeats> kNothing{};
  const auto write = [&](const std::array<float, kMaxSeats>& each) {
    switch (config_.players) {
      case 2: std::memcpy(rewards, each.data(), 2 * sizeof(float)); break;
      case 3: std::memcpy(rewards, each.data(), 3 * sizeof(float)); break;
      default: std::memcpy(rewards, each.data(), 4 * sizeof(float));
    }
  };
  if (over) [[unlikely]]
    write(Returns(tables_[place].game.state));
  else
    write(kNothing);
}

namespace {

void Prefetch(const void* table) {
  for (size_t line = 0; line < sizeof(State); line += kLine)
    __builtin_prefetch(static_cast<const char*>(table) + line, 1);
}

// Some neighbouring places, those with actions of one sort one after the other: what an action of a
// sort does, the processor foresees.
class Sorted {
 public:
  Sorted(const uint8_t* actions, size_t count) {
    std::array<uint16_t, kSorts + 1> next{};
    for (size_t i = 0; i < count; ++i) ++next[SortOf(actions[i]) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (size_t i = 0; i < count; ++i)
      order_[next[SortOf(actions[i])]++] = static_cast<uint16_t>(i);
  }
  static constexpr size_t kMost = 512;
  size_t operator[](size_t index) const { return order_[index]; }

 private:
  static constexpr size_t kSorts = 16;
  static size_t SortOf(uint8_t action) { return action >> 4; }  // as civ/rules/action.h has them

  std::array<uint16_t, kMost> order_;
};

}  // namespace

// What seats know of other hands is followed only where it is shown.
template <bool kObserved>
[[gnu::flatten]] void Batch::StepAt(size_t place) {
  Table& table = tables_[place];
  const Action action = {buffers_.actions[place]};
  if constexpr (kObserved)
    table.game.Apply(action);
  else
    Apply(table.game.state, action);
  const bool over = table.game.state.step == Step::Over;
  ShowEnd(place, over);
  if (over) [[unlikely]]
    Deal(table);
  legal_[place] = Legal(table.game.state);
  Show(place);
}

template <bool kObserved>
[[gnu::flatten]] void Batch::StepRange(size_t begin, size_t end) {
  for (size_t count; begin < end; begin += count) {
    count = std::min(Sorted::kMost, end - begin);
    const Sorted sorted(buffers_.actions + begin, count);
    for (size_t i = 0; i < count; ++i) {
      // The next table but one is on its way while one is played at.
      Prefetch(&tables_[begin + sorted[std::min(i + 2, count - 1)]]);
      StepAt<kObserved>(begin + sorted[i]);
    }
  }
}

void Batch::Step() {
  if (buffers_.observations != nullptr || buffers_.float_observations != nullptr)
    OnAllThreads(&Batch::StepRange<true>);
  else
    OnAllThreads(&Batch::StepRange<false>);
}

[[gnu::flatten]] void Batch::ChooseRange(size_t begin, size_t end) {
  for (size_t place = begin; place < end; ++place)
    buffers_.actions[place] = civ::ChooseUniform(legal_[place], choices_[place]).code;
}

void Batch::ChooseUniform() { OnAllThreads(&Batch::ChooseRange); }

}  // namespace civ
