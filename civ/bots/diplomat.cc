#include "civ/bots/diplomat.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "civ/bots/aim.h"
#include "civ/bots/foresight.h"

namespace civ {
namespace {

// The chance to win that a promise may cost: before it is broken, and before it is given up openly.
struct Word {
  float breaks, gives_up;
};
constexpr std::array<Word, kCharacters> kWords = {{{0.5f, 0.2f}, {0.15f, 0.1f}, {0.03f, 0.03f}}};

constexpr float kWorthProposing = 0.01f;  // the chance that must be gained
constexpr float kDangerous = 0.4f;        // the chance of somebody who must be stopped
constexpr uint8_t kTruceRounds = 2;
constexpr int kRoundsAfterNo = 3;  // before the same is proposed again
constexpr int kUnanswered = 2;     // proposals after which somebody is not asked for a while
constexpr int kLacksWhoIsHit = 3;  // cards at most: others have a reason to hit who lacks few

constexpr unsigned BitOf(Seat seat) { return 1u << seat; }

Restraint TrucesOf(const Diplomacy& pacts) {
  Restraint restraint;
  for (const Pact& pact : pacts.pacts) {
    if (pact.kind != TalkKind::Truce) continue;
    for (const Seat seat : pact.seats)
      restraint.spared[seat] |= static_cast<uint8_t>(BitOf(pact.Other(seat)));
  }
  return restraint;
}

// What can be done now and breaks a pact.
ActionSet Breaking(const Diplomacy& pacts, const Public& table, const ActionSet& legal) {
  if (table.step != Step::Effects) return {};
  return Restraint::EffectsOf(
      legal, [&](Action action) { return !pacts.BrokenBy(table, action).empty(); });
}

// One decision.
class Diplomat {
 public:
  Diplomat(const View& view, const Diplomacy& pacts, Character character, const Limits& limits,
           uint64_t seed)
      : view_(view),
        pacts_(pacts),
        word_(kWords[static_cast<size_t>(character)]),
        limits_(limits),
        seed_(seed),
        me_(view.seat) {}

  // The one thing that is worth saying, when a turn begins.
  std::optional<Talk> Say() {
    if (view_.step != Step::Play || HasSpoken()) return std::nullopt;
    possible_ = pacts_.Possible(view_, me_, ThreatsSeen(view_));
    if (view_.config.teams) return SignalAim();
    for (const auto part : {&Diplomat::Answer, &Diplomat::GiveUp, &Diplomat::ActTogether,
                            &Diplomat::MakePeace, &Diplomat::Warn})
      if (const std::optional<Talk> said = (this->*part)()) return said;
    return std::nullopt;
  }

  // What to do, with the promises that were made.
  Thought Act(Bot& bot) {
    const Diplomacy pacts = InForce();
    const ActionSet legal = Legal(view_);
    const ActionSet breaking = Breaking(pacts, view_, legal);
    Restraint kept = TrucesOf(pacts);
    if (breaking.Empty()) return bot.Think(view_, Rest(), seed_, kept);

    // What promises cost is thought about in the time of the decision.
    Ahead();
    Limits half = Rest();
    half.iterations = (half.iterations + 1) / 2;
    half.time /= 2;
    Restraint free = kept;
    for (uint8_t& spared : free.spared) spared &= static_cast<uint8_t>(~BitOf(me_));
    free.spared[me_] = 0;
    Thought tempted = bot.Think(view_, half, seed_, free);
    if (!breaking.Contains(tempted.best)) return tempted;
    kept.only = Keeping(pacts, view_, legal);
    const Thought faithful = bot.Think(view_, half, seed_, kept);
    return CostOf(pacts, tempted, faithful.best) > word_.breaks ? tempted : faithful;
  }

 private:
  // A quarter of the time of the decision, if it is limited by time.
  Foresight& Ahead() {
    Limits part = limits_;
    part.time /= 4;
    if (!foresight_) foresight_.emplace(view_, part, seed_);
    return *foresight_;
  }
  // As much of the time as looking ahead leaves.
  Limits Rest() const {
    Limits rest = limits_;
    if (foresight_) rest.time -= rest.time / 4;
    return rest;
  }
  // As things stand.
  const Foresight::Futures& AsItIs() {
    if (as_it_is_.empty()) as_it_is_ = Ahead().After(std::nullopt, InForce());
    return as_it_is_;
  }

  // The pacts; one that was agreed to in this turn is kept at once.
  Diplomacy InForce() const {
    Diplomacy pacts = pacts_;
    for (Pact& pact : pacts.pacts)
      if (pact.seats[1] == me_ && pact.begun == view_.turn) --pact.begun;
    return pacts;
  }
  Diplomacy With(TalkKind kind, Seat by, Seat to, Seat against, int rounds) const {
    Diplomacy pacts = InForce();
    const int last =
        kind == TalkKind::Truce ? view_.turn + rounds * view_.config.players : kOpenEnd;
    pacts.pacts.push_back({.id = 0,
                           .kind = kind,
                           .seats = {by, to},
                           .against = against,
                           .begun = view_.turn - 1,
                           .last = last});
    return pacts;
  }

  // In this turn.
  bool HasSpoken() const {
    const auto now = [&](const News& news) {
      return news.kind == News::Spoken && news.seat == me_ &&
             (news.talk.kind == TalkKind::GiveUp ? news.pact.last : news.pact.begun) == view_.turn;
    };
    return std::ranges::any_of(Recent(), now) ||
           std::ranges::any_of(pacts_.repeated, [&](const Repeated& last) {
             return last.seat == me_ && last.turn == view_.turn;
           });
  }
  // What everybody is told, and no more, so that a bot is the same wherever it thinks.
  std::span<const News> Recent() const {
    return std::span(pacts_.news).last(std::min(kNewsKept, pacts_.news.size()));
  }
  const Talk* LastSaid() const {
    const std::span<const News> recent = Recent();
    for (size_t i = recent.size(); i-- > 0;)
      if (recent[i].kind == News::Spoken && recent[i].seat == me_) return &recent[i].talk;
    return nullptr;
  }
  bool MaySay(const Talk& talk) const {
    const Talk* last = LastSaid();
    return (last == nullptr || *last != talk) &&
           std::ranges::find(possible_, talk) != possible_.end();
  }

  // Whether the other has broken faith, or a promise stands against it.
  bool StandsAgainst(TalkKind kind, Seat other, Seat against) const {
    const Seat enemy = kind == TalkKind::Truce ? other : against;
    return pacts_.HasBroken(other, me_) || std::ranges::any_of(pacts_.pacts, [&](const Pact& pact) {
             if (!pact.Binds(me_) || pact.kind == kind) return false;
             return kind == TalkKind::Truce ? pact.against == enemy : pact.Binds(enemy);
           });
  }

  std::optional<Talk> Answer() {
    const Proposal *best = nullptr, *first = nullptr;
    float most = 0;
    for (const Proposal& offer : pacts_.offers) {
      if ((offer.to & BitOf(me_)) == 0) continue;
      if (first == nullptr) first = &offer;
      if (StandsAgainst(offer.kind, offer.by, offer.against)) continue;
      const Diplomacy agreed = With(offer.kind, offer.by, me_, offer.against, offer.rounds);
      const Foresight::Futures& now = AsItIs();  // first: what is dealt depends on the order
      const float gain = Gain(Ahead().After(std::nullopt, agreed), now, me_);
      if (gain <= most) continue;
      most = gain;
      best = &offer;
    }
    if (first == nullptr) return std::nullopt;
    return best != nullptr ? Talk{.kind = TalkKind::Yes, .id = best->id}
                           : Talk{.kind = TalkKind::No, .id = first->id};
  }

  // A pact that will not be kept, though it still holds in this turn.
  std::optional<Talk> GiveUp() {
    for (const Pact& pact : pacts_.pacts) {
      if (!pact.Binds(me_) || pact.given_up != kNone || pact.last <= view_.turn) continue;
      Diplomacy without = InForce();
      std::ranges::find(without.pacts, pact.id, &Pact::id)->last = view_.turn;
      const Foresight::Futures& now = AsItIs();
      if (Gain(Ahead().After(std::nullopt, without), now, me_) > word_.gives_up)
        return Talk{.kind = TalkKind::GiveUp, .id = pact.id};
    }
    return std::nullopt;
  }

  // The proposal that helps most, of those that help both; `to` is filled in.
  std::optional<Talk> Propose(Talk talk) {
    std::optional<Talk> best;
    float most = kWorthProposing;
    for (Seat other = 0; other < view_.config.players; ++other) {
      talk.to = static_cast<uint8_t>(BitOf(other));
      if (!MaySay(talk) || WasRefused(talk.kind, other) || Ignores(other) ||
          StandsAgainst(talk.kind, other, talk.about))
        continue;
      const Foresight::Futures agreed =
          Ahead().After(std::nullopt, With(talk.kind, me_, other, talk.about, talk.rounds));
      const float gain = Gain(agreed, AsItIs(), me_);
      if (gain <= most || Gain(agreed, AsItIs(), other) <= 0) continue;
      most = gain;
      best = talk;
    }
    return best;
  }
  bool WasRefused(TalkKind kind, Seat by) const {
    return std::ranges::any_of(Recent(), [&](const News& news) {
      return news.kind == News::Spoken && news.talk.kind == TalkKind::No &&
             news.pact.kind == kind && news.seat == by && news.pact.Binds(me_) &&
             news.pact.begun > view_.turn - kRoundsAfterNo * view_.config.players;
    });
  }

  // A proposal, or an answer; warnings and signals are for all.
  bool IsForMe(const News& news) const {
    if (IsProposal(news.talk.kind)) return (news.talk.to & BitOf(me_)) != 0;
    return news.talk.kind != TalkKind::Warn && news.talk.kind != TalkKind::Signal &&
           news.pact.Binds(me_);
  }
  // As far back as is known.
  bool Ignores(Seat other) const {
    int asked = 0;
    for (const News& news : Recent()) {
      if (news.kind != News::Spoken) continue;
      if (news.seat == other && IsForMe(news)) asked = 0;
      if (news.seat == me_ && (news.talk.to & BitOf(other)) != 0) ++asked;
    }
    return asked >= kUnanswered;
  }

  // The other who is most likely to win, if that is near and likely, whatever is done alone.
  std::optional<Seat> Danger() {
    std::optional<Seat> danger;
    float most = kDangerous;
    for (Seat other = 0; other < view_.config.players; ++other) {
      if (other == me_ || !IsNear(view_, other) || MeanOf(AsItIs(), other) < most) continue;
      most = MeanOf(AsItIs(), other);
      danger = other;
    }
    return danger;
  }
  std::optional<Talk> ActTogether() {
    const std::optional<Seat> danger = Danger();
    if (!danger) return std::nullopt;
    return Propose({.kind = TalkKind::Together, .about = *danger});
  }

  // With those who have a reason to hit.
  std::optional<Talk> MakePeace() {
    if (LeastLack(view_, me_) > kLacksWhoIsHit) return std::nullopt;
    return Propose({.kind = TalkKind::Truce, .rounds = kTruceRounds});
  }

  std::optional<Talk> Warn() {
    const std::optional<Seat> danger = Danger();
    for (const Talk& talk : possible_)
      if (talk.kind == TalkKind::Warn && danger == talk.about && MaySay(talk)) return talk;
    return std::nullopt;
  }

  // The Domain that partners build, when it becomes another one.
  std::optional<Talk> SignalAim() const {
    constexpr int kAim = 3;  // cards, of which those in hand count half
    State state{};
    static_cast<Public&>(state) = view_;
    state.hands[me_] = view_.hands[me_].cards;
    const Domain domain = BestColumn(state);
    const Talk signal = {.kind = TalkKind::Signal, .domain = domain};
    if (2 * state.Count(me_, domain) + state.hands[me_].Of(domain).Count() < 2 * kAim ||
        !MaySay(signal))
      return std::nullopt;
    return signal;
  }

  // How much worse it is to keep the promise than to do what tempts.
  float CostOf(const Diplomacy& pacts, const Thought& tempted, Action kept) {
    const Foresight::Futures after = Ahead().After(kept, pacts);
    const bool wins = !tempted.judgements.empty() && tempted.judgements[0].chances[me_] >= 1;
    if (wins) return 1 - MeanOf(after, me_);
    return Gain(Ahead().After(tempted.best, pacts), after, me_);
  }

  const View& view_;
  const Diplomacy& pacts_;
  const Word word_;
  const Limits limits_;
  const uint64_t seed_;
  const Seat me_;
  std::vector<Talk> possible_;
  std::optional<Foresight> foresight_;
  Foresight::Futures as_it_is_;
};

}  // namespace

Restraint KeepingAll(const Diplomacy& pacts, const Public& table, const ActionSet& legal) {
  Restraint kept = TrucesOf(pacts);
  if (!Breaking(pacts, table, legal).Empty()) kept.only = Keeping(pacts, table, legal);
  return kept;
}

Decision Decide(Bot& bot, const View& view, const Diplomacy& pacts, Character character,
                const Limits& limits, uint64_t seed) {
  Diplomat diplomat(view, pacts, character, limits, seed);
  const bool talks = view.config.players > 2 && view.turn > 0;
  Decision reply = {talks ? diplomat.Say() : std::nullopt, {}, {}};
  reply.thought = diplomat.Act(bot);
  reply.action = reply.thought.best;
  return reply;
}

}  // namespace civ
