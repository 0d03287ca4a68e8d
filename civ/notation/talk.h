// What players say to each other, and their pacts, as JSON (docs/diplomacy.md).
#pragma once

#include <vector>

#include "civ/diplomacy/character.h"
#include "civ/diplomacy/pacts.h"
#include "civ/notation/json.h"
#include "civ/notation/record.h"

namespace civ {

std::string_view NameOf(TalkKind kind);        // "give-up"
std::string_view NameOf(News::Kind kind);      // "said"
std::string_view NameOf(Character character);  // "faithful"

// {"say":"truce","to":[1],"rounds":2}
Json ToJson(const Talk& talk);
Expected<Talk> TalkFromJson(const Json& json, const Config& config);

// {"at":34,"seat":0,"say":"truce","to":[1],"rounds":2}, one after the other, as a record has them
// in comments.talk.
Json ToJson(const std::vector<Said>& talk);
Expected<std::vector<Said>> TalkOfGameFromJson(const Json& json, const Config& config);

// What the record says of it; nothing if that is not understood, since comments are free-form.
std::vector<Said> TalkIn(const Record& record);

// All that is needed to go on, with no more than the last news; if there were more, only the last
// pact is in it that somebody has broken with somebody. So it does not grow with the game.
Json ToJson(const Diplomacy& pacts, size_t news = kNewsKept);
Expected<Diplomacy> DiplomacyFromJson(const Json& json, const Config& config);

}  // namespace civ
