#include "civ/bots/prior.h"

#include <algorithm>
#include <span>

namespace civ {

PriorView::PriorView(const State& state) : state_(state), columns_{} {
  const Seat seat = state.seat;
  phase_ = PhaseOf(state);
  used_ = std::min(4, std::popcount(state.permanent) + std::popcount(state.given_up));
  hand_ = std::min(7, state.hands[seat].Count());
  threat_ = 0;
  int longest = 0;
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    Column& column = columns_[static_cast<size_t>(d)];
    const int own = state.Count(seat, domain);
    longest = std::max(longest, own);
    int theirs = 0, their_lack = 4;
    for (Seat other = 0; other < state.config.players; ++other) {
      if (other == seat) continue;
      const int count = state.Count(other, domain);
      theirs = std::max(theirs, count);
      if (count >= 4)
        their_lack = std::min(their_lack, std::max(0, HegemonyNeed(state, other, domain) - count));
    }
    if (their_lack <= 1) threat_ = 1;
    const int lack = own >= 4 ? std::clamp(HegemonyNeed(state, seat, domain) - own, 0, 4) : 4;
    column = {static_cast<uint8_t>(std::min(own, 9)),
              static_cast<uint8_t>(std::min(theirs, 9)),
              static_cast<uint8_t>(std::min(state.hands[seat].Of(domain).Count(), 4)),
              static_cast<uint8_t>(lack),
              static_cast<uint8_t>(their_lack),
              0};
  }
  for (Column& column : std::span(columns_).first(kDomains))
    column.best = longest > 0 && column.own == longest;
}

int PriorView::TypeOf(Action key) {
  using namespace priors;
  if (key == kSkip) return kOthers + 2;
  if (key.code >= 0x80) return ((key.code >> 4) - 8) * 8 + (key.code & 7);
  if (key.code < 0x10) return kEffects + key.code;
  if (key.code < 0x20) return kCopied + (key.code & 0xf);
  if (key == kBreakthrough) return kOthers;
  if (key == kEnd) return kOthers + 1;
  switch (key.effect()) {
    case Effect::Attack: return kAttack + static_cast<int>(key.domain());
    case Effect::Inquisition: return kInquisition;
    case Effect::Embargo: return kEmbargo + static_cast<int>(key.domain());
    default: return kDemocracy + static_cast<int>(key.domain());
  }
}

}  // namespace civ
