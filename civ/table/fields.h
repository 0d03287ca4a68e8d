// Fields that events and commands have in common, read from JSON.
#pragma once

#include <string>
#include <string_view>

#include "civ/diplomacy/talk.h"
#include "civ/notation/json.h"
#include "civ/rules/rules.h"

namespace civ {

// A number of a seat, in the field "seat".
Seat ReadSeat(Reader& from);
// The name of a bot that there is.
std::string ReadBot(Reader& from, std::string_view field);
// Something to be said at any table, in the field "talk".
Talk ReadTalk(Reader& from);

}  // namespace civ
