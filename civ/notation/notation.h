// The words of the notation: cards, Domains, effects, actions (docs/protocol.md).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "civ/rules/rules.h"
#include "civ/rules/why.h"

namespace civ {

std::string_view NameOf(Domain domain);    // "M"
std::string_view NameOf(Kind kind);        // "M1"
std::string_view NameOf(Effect effect);    // "holy-book"
std::string_view NameOf(Edition edition);  // "en"
std::string_view NameOf(Setup setup);      // "basic"
std::string_view NameOf(Step step);        // "effects"
std::string_view NameOf(Verb verb);        // "discard"; Verb::Remove has the same name
std::string_view NameOf(Why why);          // "needs-cards"

std::optional<Domain> ParseDomain(std::string_view name);
std::optional<Kind> ParseKind(std::string_view name);
std::optional<Effect> ParseEffect(std::string_view name);
std::optional<Edition> ParseEdition(std::string_view name);
std::optional<Setup> ParseSetup(std::string_view name);
std::optional<Step> ParseStep(std::string_view name);

// "play M1", "embargo 2 M", "copy holy-book", …
std::string NameOf(Action action);
std::optional<Action> ParseAction(std::string_view text);

// As a log shows it to one seat (kSpectator: to everybody): "keep ?1" where the card is hidden from
// it.
std::string NameFor(const Public& before, Action action, Seat viewer);

}  // namespace civ
