#include "civ/diplomacy/pacts.h"

#include <algorithm>

#include "civ/rules/sides.h"
#include "civ/view/threat.h"

namespace civ {
namespace {

constexpr int kNear = 2;        // cards that who is near Hegemony lacks at most
constexpr int kMostInTurn = 6;  // proposals, warnings and signals of one seat in one turn

constexpr unsigned BitOf(Seat seat) { return 1u << seat; }

// What the deciding seat could still do against the strongest Domain of another.
bool CouldStrike(const Public& table, Seat other) {
  State state{};  // discard effects depend on no hand
  static_cast<Public&>(state) = table;
  for (const Action action : Legal(state))
    if (Strikes(table, action, other) && action.effect() != Effect::Inquisition) return true;
  return false;
}

constexpr bool TakesId(TalkKind kind) {
  return IsProposal(kind) || kind == TalkKind::Yes || kind == TalkKind::No;
}

// Whether both say the same to somebody: another number of rounds makes no difference.
bool SameThing(const Talk& one, const Talk& other) {
  return one.kind == other.kind && one.about == other.about && one.domain == other.domain &&
         (!IsProposal(one.kind) || (one.to & other.to) != 0);
}

bool SaidSince(const Diplomacy& pacts, int turn, Seat seat, const Talk& talk) {
  return std::ranges::any_of(pacts.repeated, [&](const Repeated& last) {
    return last.turn >= turn && last.seat == seat && SameThing(last.talk, talk);
  });
}

bool MayPropose(const Diplomacy& pacts, const Public& table, Seat seat, Seat to, const Talk& talk) {
  if (to == seat || to == talk.about) return false;
  const auto same = [&](const auto& other) {
    return other.kind == talk.kind && other.against == talk.about;
  };
  for (const Pact& pact : pacts.pacts)
    if (same(pact) && pact.Binds(seat) && pact.Binds(to)) return false;
  for (const Proposal& offer : pacts.offers)
    if (same(offer) && offer.by == to && (offer.to & BitOf(seat)) != 0) return false;
  Talk alone = talk;
  alone.to = static_cast<uint8_t>(BitOf(to));
  return !SaidSince(pacts, table.turn - table.config.players + 1, seat, alone);
}

// To each who may be asked, and to all of them.
void AddProposals(std::vector<Talk>& possible, const Diplomacy& pacts, const Public& table,
                  Seat seat, Talk talk) {
  unsigned all = 0;
  for (Seat to = 0; to < table.config.players; ++to) {
    if (!MayPropose(pacts, table, seat, to, talk)) continue;
    all |= BitOf(to);
    talk.to = static_cast<uint8_t>(BitOf(to));
    possible.push_back(talk);
  }
  talk.to = static_cast<uint8_t>(all);
  if ((all & (all - 1)) != 0) possible.push_back(talk);
}

// Answers, and giving up what holds.
void AddReplies(std::vector<Talk>& possible, const Diplomacy& pacts, Seat seat) {
  for (const Proposal& offer : pacts.offers) {
    if ((offer.to & BitOf(seat)) == 0) continue;
    possible.push_back({.kind = TalkKind::Yes, .id = offer.id});
    possible.push_back({.kind = TalkKind::No, .id = offer.id});
  }
  for (const Pact& pact : pacts.pacts)
    if (pact.Binds(seat) && pact.given_up == kNone)
      possible.push_back({.kind = TalkKind::GiveUp, .id = pact.id});
}

// Warnings and signals.
void AddRemarks(std::vector<Talk>& possible, const Diplomacy& pacts, const Public& table, Seat seat,
                const Threats& threats) {
  const auto add = [&](const Talk& talk) {
    if (!SaidSince(pacts, table.turn - table.config.players + 1, seat, talk))
      possible.push_back(talk);
  };
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    if (table.config.teams) add({.kind = TalkKind::Signal, .domain = domain});
    for (Seat other = 0; !table.config.teams && other < table.config.players; ++other)
      if (other != seat && (threats[other] & Bit(domain)) != 0)
        add({.kind = TalkKind::Warn, .about = other, .domain = domain});
  }
}

// What was offered to the same players before is not open any more.
void Withdraw(Diplomacy& pacts, const Said& said) {
  for (Proposal& offer : pacts.offers)
    if (offer.by == said.seat && offer.kind == said.talk.kind && offer.against == said.talk.about)
      offer.to &= static_cast<uint8_t>(~said.talk.to);
  std::erase_if(pacts.offers, [](const Proposal& offer) { return offer.to == 0; });
}

void Answer(Diplomacy& pacts, const Public& table, const Said& said) {
  const auto offer = std::ranges::find(pacts.offers, said.talk.id, &Proposal::id);
  const bool truce = offer->kind == TalkKind::Truce;
  const Pact pact = {.id = ++pacts.ids,
                     .kind = offer->kind,
                     .seats = {offer->by, said.seat},
                     .against = offer->against,
                     .begun = table.turn,
                     .last = truce ? table.turn + offer->rounds * table.config.players : kOpenEnd};
  pacts.news.push_back({News::Spoken, said.at, said.seat, said.talk, pact});
  if (said.talk.kind == TalkKind::Yes) pacts.pacts.push_back(pact);
  offer->to &= static_cast<uint8_t>(~BitOf(said.seat));
  if (offer->to == 0) pacts.offers.erase(offer);
}

void Break(Diplomacy& pacts, const Public& table, Action action, uint16_t at) {
  for (const Pact& pact : pacts.BrokenBy(table, action)) {
    pacts.broken.push_back({pact, table.seat, action, table.turn});
    pacts.news.push_back({News::Breach, at, table.seat, {}, pact, action});
    std::erase_if(pacts.pacts, [&](const Pact& other) { return other.id == pact.id; });
  }
}

void NoteStrikes(Diplomacy& pacts, const Public& table, Action action) {
  for (Pact& pact : pacts.pacts)
    if (pact.kind == TalkKind::Together && pact.Binds(table.seat) &&
        Strikes(table, action, pact.against))
      pact.struck[pact.seats[0] == table.seat ? 0 : 1] = table.turn;
}

// Forgets what has had its time.
void NewTurn(Diplomacy& pacts, const Public& table, uint16_t at) {
  const int round_ago = table.turn - table.config.players;
  const auto needless = [&](const auto& of) {
    return of.kind == TalkKind::Together && !IsNear(table, of.against);
  };
  std::erase_if(pacts.offers,
                [&](const Proposal& offer) { return offer.turn < round_ago || needless(offer); });
  std::erase_if(pacts.repeated, [&](const Repeated& last) { return last.turn <= round_ago; });
  std::erase_if(pacts.pacts, [&](const Pact& pact) {
    const bool over = pact.last < table.turn || needless(pact);
    if (over) pacts.news.push_back({News::Over, at, kNone, {}, pact});
    return over;
  });
}

}  // namespace

Domain StrongestOf(const Public& table, Seat seat) {
  Domain best = kTieBreaks[0];
  for (const Domain domain : kTieBreaks) {
    const int lack = LackFor(table, seat, domain), least = LackFor(table, seat, best);
    if (lack < least || (lack == least && table.Count(seat, domain) > table.Count(seat, best)))
      best = domain;
  }
  return best;
}

bool IsNear(const Public& table, Seat seat) { return LeastLack(table, seat) <= kNear; }

bool Hits(const Public& table, Action action, Seat other) {
  if (action.NamesCard() || action == kEnd || action == kBreakthrough) return false;
  if (IsPermanent(action.effect())) return false;
  if (action.effect() == Effect::Attack) return table.Count(other, action.domain()) > 0;
  return action.seat() == other;
}

bool Strikes(const Public& table, Action action, Seat other) {
  return Hits(table, action, other) &&
         (action.effect() == Effect::Inquisition || action.domain() == StrongestOf(table, other));
}

int RoundsLeft(const Pact& pact, const Public& table) {
  const int turns = pact.last - table.turn;
  return std::max(1, (turns + table.config.players - 1) / table.config.players);
}

Threats ThreatsSeen(View view) {
  Threats threats{};
  if (view.turn == 0 || view.step == Step::Over) return threats;
  view.viewer = kSpectator;
  for (Holding& hand : view.hands) hand.cards = {};
  for (Seat seat = 0; seat < view.config.players; ++seat)
    if (const std::optional<Threat> threat = ThreatOf(view, seat)) threats[seat] = threat->domains;
  return threats;
}

std::vector<Talk> Diplomacy::Possible(const Public& table, Seat seat,
                                      const Threats& threats) const {
  std::vector<Talk> possible;
  if (table.turn == 0 || table.step == Step::Over) return possible;
  if (table.config.players == 2 || seat >= table.config.players) return possible;
  AddReplies(possible, *this, seat);
  const auto in_turn = std::ranges::count_if(
      repeated, [&](const Repeated& last) { return last.seat == seat && last.turn == table.turn; });
  if (in_turn >= kMostInTurn) return possible;
  AddRemarks(possible, *this, table, seat, threats);
  if (!HasPacts(table.config)) return possible;
  for (uint8_t rounds = 1; rounds <= kMostRounds; ++rounds)
    AddProposals(possible, *this, table, seat, {.kind = TalkKind::Truce, .rounds = rounds});
  for (Seat other = 0; other < table.config.players; ++other)
    if (other != seat && IsNear(table, other))
      AddProposals(possible, *this, table, seat, {.kind = TalkKind::Together, .about = other});
  return possible;
}

bool Diplomacy::MaySay(const Public& table, Seat seat, const Talk& talk,
                       const Threats& threats) const {
  const std::vector<Talk> possible = Possible(table, seat, threats);
  return std::ranges::find(possible, talk) != possible.end();
}

void Diplomacy::Say(const Public& table, const Said& said) {
  const Talk& talk = said.talk;
  if (talk.kind == TalkKind::Yes || talk.kind == TalkKind::No) return Answer(*this, table, said);
  News spoken = {News::Spoken, said.at, said.seat, talk};
  if (talk.kind == TalkKind::GiveUp) {
    const auto pact = std::ranges::find(pacts, talk.id, &Pact::id);
    pact->given_up = said.seat;
    pact->last = table.turn;
    spoken.pact = *pact;
  } else {
    repeated.push_back({table.turn, said.seat, talk});
  }
  if (IsProposal(talk.kind)) {
    Withdraw(*this, said);
    offers.push_back({++ids, talk.kind, said.seat, talk.to, talk.about, talk.rounds, table.turn});
  }
  news.push_back(spoken);
}

std::vector<Pact> Diplomacy::BrokenBy(const Public& table, Action action) const {
  std::vector<Pact> found;
  for (const Pact& pact : pacts) {
    if (!pact.Binds(table.seat)) continue;
    const bool did_its_part = pact.struck[pact.seats[0] == table.seat ? 0 : 1] == table.turn;
    const bool breaks = pact.kind == TalkKind::Truce
                            ? Hits(table, action, pact.Other(table.seat))
                            : action == kEnd && pact.begun < table.turn && !did_its_part &&
                                  IsNear(table, pact.against) && CouldStrike(table, pact.against);
    if (breaks) found.push_back(pact);
  }
  return found;
}

void Diplomacy::Act(const Public& before, Action action, const Public& after, uint16_t at) {
  if (news.empty()) return;
  Break(*this, before, action, at);
  NoteStrikes(*this, before, action);
  if (after.step == Step::Over) {
    offers.clear();
    pacts.clear();
  } else if (after.turn != before.turn) {
    NewTurn(*this, after, at);
  }
}

bool Diplomacy::HasBroken(Seat seat, Seat other) const {
  return std::ranges::any_of(broken, [&](const Broken& breach) {
    return breach.by == seat && breach.pact.Other(seat) == other;
  });
}

Diplomacy FoldTalk(std::span<const State> states, std::span<const Action> actions,
                   std::span<const Said> talk) {
  Diplomacy pacts;
  for (size_t i = 0; i < states.size(); ++i) {
    for (; !talk.empty() && talk.front().at <= i; talk = talk.subspan(1)) {
      Said said = talk.front();
      said.at = static_cast<uint16_t>(i);
      if (pacts.MaySay(states[i], said.seat, said.talk, kAnyThreat))
        pacts.Say(states[i], said);
      else if (TakesId(said.talk.kind))
        ++pacts.ids;  // so that what follows means what it meant
    }
    if (i < actions.size())
      pacts.Act(states[i], actions[i], states[i + 1], static_cast<uint16_t>(i + 1));
  }
  return pacts;
}

}  // namespace civ
