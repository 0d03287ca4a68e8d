#include "civ/table/fields.h"

#include <algorithm>

#include "civ/bots/bot.h"
#include "civ/notation/talk.h"

namespace civ {

Seat ReadSeat(Reader& from) { return static_cast<Seat>(from.Int("seat", 0, kMaxSeats - 1)); }

std::string ReadBot(Reader& from, std::string_view field) {
  std::string bot = from.Text(field);
  const auto known = BotNames();
  if (from.ok() && std::ranges::find(known, bot) == known.end())
    from.Fail("error.value", {{"field", std::string(field)}, {"value", bot}});
  return bot;
}

Talk ReadTalk(Reader& from) {
  const Expected<Talk> talk = TalkFromJson(from.Field("talk"), {.players = kMaxSeats});
  if (talk) return *talk;
  from.Fail(talk.error().key, talk.error().args);
  return {};
}

}  // namespace civ
