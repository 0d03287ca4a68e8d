#include "civ/table/import.h"

#include "civ/notation/talk.h"
#include "civ/table/promise.h"

namespace civ {
namespace {

// What was said, as far as all of it has its place: an answer must not become one to another offer.
std::vector<Said> TalkToTake(const Record& record, const std::vector<State>& states) {
  std::vector<Said> talk = TalkIn(record);
  size_t fits = 0;
  for (const News& news : FoldTalk(states, record.actions, talk).news) {
    if (news.kind != News::Spoken) continue;
    if (Said{news.at, news.seat, news.talk} != talk[fits]) break;
    ++fits;
  }
  talk.resize(fits);
  return talk;
}

}  // namespace

std::vector<Event> LogOf(const Record& record, std::span<const std::string> names, int64_t at) {
  std::vector<Event> log;
  const auto add = [&](EventBody body) { log.push_back({at, std::move(body)}); };
  event::Create create;
  create.options.config = record.config;
  create.options.config.first = 0;
  create.options.listed = false;
  for (Seat seat = 0; seat < record.config.players; ++seat)
    create.chairs.push_back({Person{"import-" + std::to_string(seat), names[seat]}, {}});
  create.by = *create.chairs[0].person;
  add(create);

  const Expected<Promise> promise = PromiseIn(record);
  const std::string secret =
      promise && HashOf(promise->secret) == promise->hash ? promise->secret : NoSecret();
  add(event::Commit{secret, HashOf(secret)});
  for (Seat seat = 0; seat < record.config.players; ++seat)
    if (secret != NoSecret() && !promise->randoms[seat].empty())
      add(event::Contribute{seat, promise->randoms[seat]});
  add(event::Deal{record.config.first, record.deck});

  const std::vector<State> states = StatesOf(record);
  const std::vector<Said> talk = TalkToTake(record, states);
  auto said = talk.begin();
  for (size_t i = 0; i <= record.actions.size(); ++i) {
    for (; said != talk.end() && said->at == i; ++said) add(event::Talk{said->seat, said->talk});
    if (i == record.actions.size()) break;
    const State& before = states[i];
    const Action action = record.actions[i];
    if (before.step == Step::Draft)
      add(event::Pick{before.seat, before.hands[before.seat].Count() + 1, action.kind()});
    else
      add(event::Act{before.seat, {action}});
  }
  if (states.back().step != Step::Over) {
    unsigned winners = 0;
    for (const Json& seat : record.result["winners"]) winners |= 1u << seat.get<unsigned>();
    add(event::Forfeit{winners});
  }
  return log;
}

}  // namespace civ
