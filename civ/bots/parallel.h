// Several threads, where there are any.
#pragma once

#include <cstddef>

#ifndef __wasm__
#include <thread>
#include <vector>
#endif

namespace civ {

// Calls work(0) … work(count - 1), each in a thread of its own, and waits for all.
template <class Work>
void InParallel(size_t count, Work work) {
#ifdef __wasm__
  for (size_t i = 0; i < count; ++i) work(i);
#else
  std::vector<std::jthread> threads;
  for (size_t i = 1; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
  work(0);
#endif
}

}  // namespace civ
