// How far something long is: one line on a terminal, written over again.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <iostream>
#include <string_view>

namespace civ {

class ProgressLine {
 public:
  // So many were done before.
  explicit ProgressLine(int already = 0) : already_(already) {}
  ~ProgressLine() { Clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Show(std::string_view what, int done, int of) const {
    if (!shown_) return;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
    std::cerr << '\r' << done << " of " << of << ' ' << what;
    if (done > already_)
      std::cerr << ", " << std::lround(spent.count() * (of - done) / (done - already_))
                << " s left";
    std::cerr << "\033[K" << std::flush;
  }
  void Clear() const {
    if (shown_) std::cerr << "\r\033[K" << std::flush;
  }

 private:
  const int already_;
  const bool shown_ = isatty(STDERR_FILENO) != 0;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace civ
