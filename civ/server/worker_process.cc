#include "civ/server/worker_process.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>

#include "civ/server/bots.h"
#include "civ/server/memory_bus.h"
#include "civ/server/sharded_store.h"
#include "civ/server/systemd.h"
#include "civ/server/worker.h"

namespace civ {
namespace {

constexpr std::chrono::milliseconds kTick{100};
constexpr std::chrono::milliseconds kAgain{500};  // before a database is tried again

int64_t Moment() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// A database that is not there may be on its way back, as for a worker that has begun; what it is
// if it is there is for people. No store and no error: the context was stopped meanwhile.
Expected<std::unique_ptr<Store>> OpenPatiently(const std::vector<std::string>& uris,
                                               const Post& post, boost::asio::io_context& context,
                                               const Log& log) {
  std::string told;
  for (;;) {
    Expected<std::unique_ptr<Store>> store = OpenSharedStore(uris, post);
    if (store || store.error().key != "data.failed") return store;
    Json fields = Json::object();
    for (const auto& [name, value] : store.error().args) fields[name] = value;
    if (fields.dump() != told) log("error", "store.lost", fields);
    told = fields.dump();
    context.run_for(kAgain);
    if (context.stopped()) return std::unique_ptr<Store>();
  }
}

}  // namespace

std::optional<Error> RunWorker(const WorkerOptions& options, const Log& log,
                               const std::function<void()>& ready) {
  boost::asio::io_context context{1};
  const Post post = [&context](std::function<void()> what) {
    boost::asio::post(context, std::move(what));
  };
  boost::asio::signal_set signals(context, SIGINT, SIGTERM);
  signals.async_wait([&](const boost::system::error_code&, int) { context.stop(); });
  Expected<std::unique_ptr<Store>> store = OpenPatiently(options.stores, post, context, log);
  if (!store) return store.error();
  if (*store == nullptr) return std::nullopt;
  const auto tell = [&log](std::string_view level, std::string_view event, const Json& fields) {
    log(level, event, fields);
  };
  std::unique_ptr<Bus> bus;
  if (options.bus)
    bus = std::make_unique<RedisBus>(context, *options.bus, options.name, tell);
  else
    bus = std::make_unique<MemoryBus>(post, Moment);
  BotPool bots(options.threads, post);
  const auto thinks = [&bots](const auto&... question) { bots.Think(question...); };
  const auto judges = [&bots](const auto&... game) { bots.Analyze(game...); };
  Worker worker(**store, *bus, thinks, judges,
                {.name = options.name, .most = 2 * options.threads, .now = Moment});
  boost::asio::steady_timer timer(context);
  const std::function<void()> tick = [&] {
    worker.Tick();
    timer.expires_after(kTick);
    timer.async_wait([&tick](const boost::system::error_code& ended) {
      if (!ended) tick();
    });
  };
  tick();
  log("info", "worker.open", {{"threads", options.threads}});
  NotifySystemd("READY=1");
  ready();
  context.run();
  log("info", "worker.stopped", {{"answered", worker.answered()}});
  return std::nullopt;
}

}  // namespace civ
