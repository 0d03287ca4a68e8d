// All WebSockets together, with clients that are simulated.
#include "civ/server/clients.h"

#include <gtest/gtest.h>

namespace civ {
namespace {

struct Slow : Client {
  void Send(std::shared_ptr<const std::string>) override {}
  void Close(std::string_view why) override { closed = why; }
  std::string closed;
};

TEST(Clients, TooMuchInAllClosesThoseFurthestBehind) {
  ServerOptions options;
  options.all_queues = 1000;
  Metrics metrics;
  Clients clients(options, metrics, [] {});
  Slow quick, slow, slower;
  for (Slow* reader : {&quick, &slow, &slower}) clients.Add(*reader, {});
  clients.Waits(quick, 10);
  clients.Waits(slow, 400);
  clients.Waits(slower, 500);
  EXPECT_EQ(clients.queued(), 910u);
  clients.Waits(quick, 100);  // all of it may wait
  EXPECT_EQ(quick.closed + slow.closed + slower.closed, "");
  clients.Waits(quick, 101);
  EXPECT_EQ(slower.closed, "closing.slow");
  EXPECT_EQ(quick.closed + slow.closed, "");
  EXPECT_EQ(clients.queued(), 501u);
  clients.Waits(slow, 0);
  EXPECT_EQ(clients.queued(), 101u);
  for (Slow* reader : {&quick, &slow, &slower}) clients.Gone(*reader);
  EXPECT_EQ(clients.queued(), 0u);
}

}  // namespace
}  // namespace civ
