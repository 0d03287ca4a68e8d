// Pacts as a table tells them: what was said, what holds, what could be said, and what an action
// would break.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "civ/diplomacy/pacts.h"
#include "civ/guide/story.h"
#include "civ/notation/json.h"

namespace civ {

Message Tell(const News& news, const Public& table, const Listener& to);

// Puts news in its place in a story: what is said before the action that it precedes, the rest
// after what has brought it about. What follows on all that is told comes last, and is of nobody.
void TellTalk(std::vector<Told>& story, std::span<const News> news, const Public& table,
              const Listener& to);
// The news after so many actions.
std::span<const News> NewsFrom(const Diplomacy& pacts, size_t actions);

// An offer, and what it would mean.
Message TellOffer(const Proposal& offer, const Listener& to);
Message TellTerms(TalkKind kind, Seat against, const Public& table, const Listener& to);
// What holds between two, for as long as it does.
Message TellPact(const Pact& pact, const Public& table, const Listener& to);
// What somebody may say, as a choice.
Message TellPossible(const Talk& talk, const Diplomacy& pacts, const Listener& to);
// What the action of the deciding seat would break.
Messages TellBreaks(const Diplomacy& pacts, const Public& table, Action action, const Listener& to);

// Answers a request of the page, {"talk":{"view":…,"pacts":…,"seats":…,"then":…}}: all of the above
// for the viewer, as JSON (docs/diplomacy.md).
std::string AnswerTalk(Reader& request);

}  // namespace civ
