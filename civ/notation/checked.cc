#include "civ/notation/checked.h"

#include "civ/notation/notation.h"

namespace civ {
namespace {

// Whether the code stands for something in action.h.
bool IsAction(Action action) {
  const bool domain = action.domain() <= Domain::Utopia;
  if (action == kEnd || action == kSkip) return true;
  if (action.NamesCard()) {
    const bool by_domain = action.verb() == Verb::Remove || action.verb() == Verb::Claim;
    return by_domain ? (action.code & 0x0f) < kDomains : action.kind() <= Kind::U3;
  }
  if (IsPermanent(action.effect())) return domain && action.domain() != Domain::Culture;
  switch (action.effect()) {
    case Effect::Attack:
    case Effect::Embargo:
    case Effect::Democracy: return domain;
    case Effect::Inquisition: return (action.code & 0x07) < kMaxSeats;
    default: return action == kBreakthrough;
  }
}

}  // namespace

Expected<State> CheckedNew(const Config& config, std::span<const Kind> deck) {
  if (!IsConfig(config)) return Error{"error.state.config", {}};
  const int wanted = DeckSize(config.players);
  if (static_cast<int>(deck.size()) != wanted)
    return Error{"error.deck-size",
                 {{"size", std::to_string(deck.size())}, {"wanted", std::to_string(wanted)}}};
  if (!IsDeck(config.players, deck)) return Error{"error.deck", {}};
  return New(config, deck);
}

std::optional<Error> CheckedApply(State& state, Action action) {
  if (!Legal(state).Contains(action)) return IllegalAction(state, action);
  Apply(state, action);
  return std::nullopt;
}

std::optional<Error> CheckedApply(Game& game, Action action) {
  if (!Legal(game.state).Contains(action)) return IllegalAction(game.state, action);
  game.Apply(action);
  return std::nullopt;
}

Error IllegalAction(const State& state, Action action) {
  if (!IsAction(action)) return {"error.action", {{"action", std::to_string(action.code)}}};
  const Reason reason = WhyNot(state, action);
  return {"why." + std::string(NameOf(reason.why)),
          {{"action", NameOf(action)},
           {"domain", std::string(NameOf(reason.domain))},
           {"number", std::to_string(reason.number)}}};
}

}  // namespace civ
