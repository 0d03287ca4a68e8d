// Fills a server's data folder with open tables at which moves were made, for bench/server
// --rebuild:
//
//   civ_tables FOLDER TABLES MOVES
#include <atomic>
#include <iostream>

#include "civ/server/sqlite_store.h"
#include "civ/table/tell.h"
#include "civ/view/random.h"

namespace civ {
namespace {

// Two people who play at random, every move an event of its own.
std::vector<Event> LogOf(size_t index, int moves, Random& random) {
  const Person people[] = {{"p_" + std::to_string(2 * index), "Ada"},
                           {"p_" + std::to_string(2 * index + 1), "Ben"}};
  std::vector<Event> log;
  std::optional<Table> table;
  const auto add = [&](const Expected<Change>& change) {
    if (!change) std::cerr << change.error().key << '\n', std::exit(1);
    log.insert(log.end(), change->events.begin(), change->events.end());
    table = change->tables.back();
  };
  const std::string secret(kSecretDigits, '5');
  add(Table::Open({}, people[0], {}, 0));
  add(table->Do(people[1], {"1", command::Sit{1}}, 0));
  add(table->Do(people[0], {"2", command::Start{}}, 0, {.secret = secret}));
  for (const Person& person : people)
    add(table->Do(person,
                  {"3", command::Contribute{std::string(kSecretDigits - 8, '1') +
                                            std::to_string(10'000'000 + index)}},
                  0));
  for (int move = 0; move < moves && table->status() == Status::Running; ++move) {
    const State& state = table->game().state;
    const ActionSet legal = Legal(state);
    const Action action =
        legal[static_cast<int>(random.Below(static_cast<uint32_t>(legal.Size())))];
    add(table->Do(people[state.seat],
                  {"m" + std::to_string(move), command::Act{table->number(), {action}}}, move));
  }
  return log;
}

}  // namespace
}  // namespace civ

int main(int argc, char** argv) {
  using namespace civ;
  if (argc != 4) {
    std::cerr << "usage: civ_tables FOLDER TABLES MOVES\n";
    return 2;
  }
  auto store = SqliteStore::Open(argv[1], [](const std::function<void()>& run) { run(); });
  if (!store) {
    std::cerr << store.error().key << '\n';
    return 1;
  }
  const size_t tables = std::stoul(argv[2]);
  Random random(1);
  std::atomic<size_t> stored = 0, events = 0;
  for (size_t i = 0; i < tables; ++i) {
    std::vector<std::string> texts;
    for (const Event& event : LogOf(i, std::stoi(argv[3]), random)) texts.push_back(ToText(event));
    events += texts.size();
    const std::string id = "table" + std::to_string(i);
    (*store)->Append(id, 0, std::move(texts),
                     {.table = id, .open = true, .summary = "{}", .persons = {}}, 0,
                     [&](Stored result) {
                       if (result == Stored::Stored) ++stored;
                     });
  }
  store->reset();  // waits for everything
  std::cout << stored << " tables, " << events << " events\n";
  return stored == tables ? 0 : 1;
}
