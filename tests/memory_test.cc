// Nothing in civ/rules/ and civ/view/ asks for memory between the deal and the end of a game, and a
// search asks for no more than is said. A program of its own, because it replaces operator new.
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "bindings/python/batch.h"
#include "civ/bots/bot.h"
#include "civ/bots/master.h"
#include "civ/bots/playout.h"
#include "civ/rules/check.h"
#include "civ/rules/perft.h"
#include "civ/rules/why.h"
#include "civ/view/deal.h"
#include "civ/view/sample.h"

namespace {
long allocations = 0;
std::size_t in_use = 0, most_in_use = 0;

void* Count(void* memory) {
  if (memory == nullptr) std::abort();
  ++allocations;
  in_use += malloc_usable_size(memory);
  most_in_use = std::max(most_in_use, in_use);
  return memory;
}
void Free(void* memory) {
  if (memory != nullptr) in_use -= malloc_usable_size(memory);
  std::free(memory);
}
void* Allocate(std::size_t size) { return Count(std::malloc(size == 0 ? 1 : size)); }
void* Allocate(std::size_t size, std::align_val_t alignment) {
  const auto align = static_cast<std::size_t>(alignment);
  return Count(std::aligned_alloc(align, (size + align - 1) / align * align));
}
}  // namespace

void* operator new(std::size_t size) { return Allocate(size); }
void* operator new[](std::size_t size) { return Allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return Allocate(size, alignment);
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return Allocate(size, alignment);
}
void operator delete(void* memory) noexcept { Free(memory); }
void operator delete[](void* memory) noexcept { Free(memory); }
void operator delete(void* memory, std::size_t) noexcept { Free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { Free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { Free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { Free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { Free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { Free(memory); }

namespace civ {
namespace {

static_assert(std::is_trivially_copyable_v<State> && sizeof(State) <= 256);
static_assert(std::is_trivially_copyable_v<View> && std::is_trivially_copyable_v<Game>);

// Everything that civ/rules/ and civ/view/ can do, at every decision of a game. Returns something,
// so that nothing is optimized away.
unsigned Exercise(const Config& config, Policy policy, uint64_t seed) {
  unsigned sum = 0;
  const Deal deal = DealFromSeed(config, seed);
  Random random(seed);
  Game game(New(deal.config, deal.deck.Span()));
  while (game.state.step != Step::Over) {
    const ActionSet legal = Legal(game.state);
    for (int code = 0x80; code < 0x100; code += 16)
      sum += static_cast<unsigned>(WhyNot(game.state, {static_cast<uint8_t>(code)}).why);
    sum += static_cast<unsigned>(Check(game.state)) + Majority(game.state).winners +
           static_cast<unsigned>(Perft(game.state, 1));
    for (Seat observer = 0; observer <= kSpectator; ++observer) {
      if (observer >= config.players && observer != kSpectator) continue;
      const View view = MakeView(game.state, game.knowledge, observer);
      if (observer == game.state.seat) sum += static_cast<unsigned>(Legal(view).Size());
      sum += Sample(view, random).has_value();
    }
    game.Apply(Choose(policy, game.state, legal, random));
  }
  return sum + Result(game.state).winners;
}

TEST(Memory, TheCounterCounts) {
  const long before = allocations;
  delete new int(1);
  void* (*volatile allocate)(std::size_t) = ::operator new;
  ::operator delete(allocate(3));
  EXPECT_GT(allocations, before);
}

TEST(Memory, GamesViewsAndSamplesAllocateNothing) {
  uint64_t seed = 1;
  unsigned sum = 0;
  for (const Edition edition : {Edition::En, Edition::Fr, Edition::Es, Edition::Pt, Edition::Ro})
    for (const civ::Setup setup : {civ::Setup::Basic, civ::Setup::Draft})
      for (uint8_t players = 2; players <= 5; ++players)
        for (int policy = 0; policy < kPolicies; ++policy) {
          const Config config = {std::min<uint8_t>(players, 4), setup, edition, players == 5, 0};
          const long before = allocations;
          sum += Exercise(config, static_cast<Policy>(policy), seed++);
          ASSERT_EQ(allocations, before);
        }
  EXPECT_GT(sum, 0u);
}

TEST(Memory, ABatchAllocatesNothingInAStep) {
  constexpr int kGames = 400, kPlayers = 3;
  std::vector<uint8_t> actions(kGames), masks(kGames * kActionCodes), seats(kGames), dones(kGames);
  std::vector<uint8_t> seen(kGames * static_cast<size_t>(ObservationSize(kPlayers)));
  std::vector<float> rewards(kGames * kPlayers);
  const std::size_t before_it = in_use;
  Batch batch(kGames, {.players = kPlayers}, 1, 2,
              {actions.data(), masks.data(), rewards.data(), seats.data(), dones.data(),
               seen.data(), nullptr});
  EXPECT_LE(in_use - before_it, kGames * 1000u);
  int ended = 0;
  const long before = allocations;
  for (int step = 0; step < 280; ++step) {
    batch.ChooseUniform();
    ASSERT_EQ(batch.FirstWrong(), -1);
    batch.Step();
    for (const uint8_t done : dones) ended += done;
  }
  EXPECT_EQ(allocations, before);
  EXPECT_GT(ended, kGames / 4);
}

// Long enough for the tree to reach its bound: nodes are kept in a vector that grows by doubling.
TEST(Memory, ASearchStaysWithinItsBound) {
  constexpr std::size_t kBound = 40 * kMostNodes * 3 / 2 + (2 << 20);
  const Deal deal = DealFromSeed({.players = 4}, 1);
  const Game game(New(deal.config, deal.deck.Span()));
  const std::size_t before = in_use;
  most_in_use = in_use;
  const std::unique_ptr<Bot> bot = MakeBot("master");
  bot->Think(MakeView(game.state, game.knowledge, game.state.seat), {.iterations = 400'000}, 1);
  EXPECT_GT(most_in_use - before, kBound / 4) << "the test is too short";
  EXPECT_LT(most_in_use - before, kBound);
}

}  // namespace
}  // namespace civ
