#include "civ/server/listing.h"

#include <algorithm>

#include "civ/table/tell.h"

namespace civ {

Listing ListingOf(const std::string& id, const Table& table) {
  Listing listing{id, !table.Ended(), TellSummary(id, table).dump(), {}};
  listing.changed = table.changed_at();
  for (const Chair& chair : table.chairs())
    if (chair.person) listing.persons.push_back(chair.person->id);
  if (std::ranges::find(listing.persons, table.Host()) == listing.persons.end())
    listing.persons.push_back(table.Host());
  const bool seated = std::ranges::any_of(
      table.chairs(), [](const Chair& chair) { return chair.person.has_value(); });
  if (seated && table.options().listed && !table.Ended())
    listing.lobby =
        table.status() == Status::Waiting ? Listing::Lobby::Waits : Listing::Lobby::Runs;
  return listing;
}

}  // namespace civ
