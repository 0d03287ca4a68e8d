#include "civ/arena/talking.h"

#include <set>

#include "civ/bots/diplomat.h"
#include "civ/notation/talk.h"

namespace civ {
namespace {

std::string CharacterIn(const Entrant& entrant, const Config& config, Seat seat) {
  if (!entrant.silent && !entrant.command.empty()) return {};
  if (entrant.silent || !Talks(entrant.bot)) return "silent";
  return std::string(NameOf(entrant.character.value_or(CharacterOf(config, seat))));
}

// What became of the pacts of a game, by their numbers.
struct Ends {
  std::map<uint16_t, Seat> given_up, broken;
};

Ends EndsOf(const Diplomacy& pacts) {
  Ends ends;
  for (const Broken& breach : pacts.broken) ends.broken[breach.pact.id] = breach.by;
  for (const News& news : pacts.news)
    if (news.kind == News::Spoken && news.talk.kind == TalkKind::GiveUp &&
        !ends.broken.contains(news.pact.id))
      ends.given_up[news.pact.id] = news.seat;
  return ends;
}

void CountPact(const Pact& pact, Seat seat, const Ends& ends, TalkCount& count) {
  const auto is = [&](const std::map<uint16_t, Seat>& by) {
    const auto at = by.find(pact.id);
    return at != by.end() && at->second == seat;
  };
  ++count.pacts;
  ++(is(ends.broken) ? count.broken : is(ends.given_up) ? count.given_up : count.kept);
}

// The first who is near Hegemony; nobody if several are at once, or none ever is.
Seat LeaderOf(const PlayedGame& game) {
  for (const State& state : StatesOf(game.record)) {
    Seat leader = kNone;
    if (state.turn == 0) continue;
    for (Seat seat = 0; seat < state.config.players; ++seat)
      if (IsNear(state, seat)) {
        if (leader != kNone) return kNone;
        leader = seat;
      }
    if (leader != kNone) return leader;
  }
  return kNone;
}

class Counting {
 public:
  Counting(const Contest& contest, const PlayedGame& game, Talking& talking)
      : contest_(contest), game_(game), talking_(talking), pacts_(PactsOf(game)) {}

  void Count() {
    const Chances shares = SharesOf(game_);
    for (Seat seat = 0; seat < contest_.config.players; ++seat) {
      ++Of(seat).seats;
      Of(seat).wins += static_cast<double>(shares[seat]);
    }
    const Ends ends = EndsOf(pacts_);
    for (const News& news : pacts_.news) {
      if (news.kind != News::Spoken) continue;
      CountTalk(news, ends);
    }
    const Seat leader = LeaderOf(game_);
    if (leader == kNone) return;
    talking_.leaders.Add(static_cast<double>(shares[leader]));
    if (against_.contains(leader)) talking_.opposed.Add(static_cast<double>(shares[leader]));
  }

 private:
  TalkCount& Of(Seat seat) {
    const int entrant = contest_.SeatsOf(game_.number)[seat];
    const Entrant& of = contest_.entrants[static_cast<size_t>(entrant)];
    return talking_.bots[{entrant, CharacterIn(of, game_.record.config, seat)}];
  }

  void CountTalk(const News& news, const Ends& ends) {
    TalkCount& count = Of(news.seat);
    const TalkKind kind = news.talk.kind;
    count.proposed += IsProposal(kind);
    count.warned += kind == TalkKind::Warn;
    count.signalled += kind == TalkKind::Signal;
    if (kind != TalkKind::Yes) return;
    ++Of(news.pact.seats[0]).accepted;
    for (const Seat seat : news.pact.seats) CountPact(news.pact, seat, ends, Of(seat));
    if (news.pact.kind == TalkKind::Together) against_.insert(news.pact.against);
  }

  const Contest& contest_;
  const PlayedGame& game_;
  Talking& talking_;
  const Diplomacy pacts_;
  std::set<Seat> against_;
};

}  // namespace

Talking TalkingIn(const Contest& contest, const std::vector<PlayedGame>& games) {
  Talking talking;
  for (const PlayedGame& game : games) Counting(contest, game, talking).Count();
  return talking;
}

}  // namespace civ
