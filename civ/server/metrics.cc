#include "civ/server/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>
#include <unistd.h>

#include <array>
#include <fstream>

namespace civ {
namespace {

constexpr std::array kSeconds = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                 0.1,    0.25,  0.5,    1.0,   2.5,  5.0};

// Of this process, in main memory.
double MemoryInBytes() {
  std::ifstream file("/proc/self/statm");
  double whole = 0, resident = 0;
  file >> whole >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

struct Metrics::Impl {
  prometheus::Registry registry;

  prometheus::Gauge& Gauge(const char* name, const char* help,
                           const prometheus::Labels& labels = {}) {
    return prometheus::BuildGauge().Name(name).Help(help).Register(registry).Add(labels);
  }
  prometheus::Histogram& Histogram(const char* name, const char* help) {
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry).Add(
        {}, prometheus::Histogram::BucketBoundaries(kSeconds.begin(), kSeconds.end()));
  }
  prometheus::Counter& Counter(const char* name, const char* help,
                               const prometheus::Labels& labels = {}) {
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry).Add(labels);
  }
  prometheus::Counter& Commands(const char* outcome) {
    return Counter("civ_commands_total", "Commands by what came of them", {{"outcome", outcome}});
  }

  prometheus::Gauge& start =
      Gauge("civ_start_time_seconds", "When the server was started, as Unix counts");
  prometheus::Gauge& connections = Gauge("civ_connections", "HTTP connections that are open");
  prometheus::Gauge& sockets = Gauge("civ_sockets", "WebSockets that are open");
  prometheus::Gauge& most_sockets = Gauge("civ_sockets_limit", "WebSockets that may be open");
  prometheus::Gauge& sessions = Gauge("civ_sessions", "Sessions that there are");
  prometheus::Gauge& tables = Gauge("civ_tables", "Tables in memory");
  prometheus::Gauge& running = Gauge("civ_tables_running", "Tables with a game under way");
  prometheus::Gauge& clients = Gauge("civ_lines", "Connections to tables");
  prometheus::Gauge& bots = Gauge("civ_bots_waiting", "Bots that wait to think");
  prometheus::Gauge& queued = Gauge("civ_queued_bytes", "What waits to be sent to WebSockets");
  prometheus::Gauge& oldest =
      Gauge("civ_oldest_append_seconds", "How long the oldest append has been waiting");
  prometheus::Gauge& memory = Gauge("civ_memory_bytes", "Main memory of the server");
  prometheus::Gauge& ready = Gauge("civ_ready", "1 if the server takes commands");
  prometheus::Gauge& database = Gauge("civ_database_up", "1 if the database can be reached");
  prometheus::Gauge& bus = Gauge("civ_bus_up", "1 if the bus between processes can be reached");
  prometheus::Counter& retried = Counter("civ_commands_retried_total",
                                         "Commands tried again because another process was first");
  prometheus::Counter& unknown =
      Counter("civ_appends_unknown_total", "Appends whose answer was lost, and was looked up");
  prometheus::Counter& shorter = Counter(
      "civ_logs_shorter_total", "Logs of tables that were found shorter than they had been");
  prometheus::Counter& stored = Commands("stored");
  prometheus::Counter& refused = Commands("refused");
  prometheus::Counter& stale = Commands("stale");
  prometheus::Counter& failed = Commands("failed");
  prometheus::Counter& slow = Counter("civ_sockets_closed_slow_total",
                                      "WebSockets that were closed because they did not read");
  prometheus::Counter& commits =
      Counter("civ_commits_total", "Groups of appends that are safe on the disk");
  prometheus::Counter& commit_seconds = Counter("civ_commit_seconds_total", "What these took");
  prometheus::Counter& commit_failures =
      Counter("civ_commit_failures_total", "Groups that the disk refused");
  prometheus::Counter& events =
      Counter("civ_events_total", "Events of tables that are safe on the disk");
  prometheus::Histogram& acknowledged =
      Histogram("civ_acknowledge_seconds", "From a command to its acknowledgement");
  prometheus::Family<prometheus::Counter>& requests = prometheus::BuildCounter()
                                                          .Name("civ_requests_total")
                                                          .Help("Requests by status")
                                                          .Register(registry);
};

Metrics::Metrics() : impl_(std::make_unique<Impl>()) { impl_->start.SetToCurrentTime(); }
Metrics::~Metrics() = default;

void Metrics::Acknowledged(double seconds) { impl_->acknowledged.Observe(seconds); }
void Metrics::Answered(int status) {
  impl_->requests.Add({{"status", std::to_string(status)}}).Increment();
}

std::string Metrics::Text(const Now& now) {
  Impl& m = *impl_;
  m.connections.Set(static_cast<double>(now.connections));
  m.sockets.Set(static_cast<double>(now.sockets));
  m.most_sockets.Set(static_cast<double>(now.most_sockets));
  m.sessions.Set(static_cast<double>(now.sessions));
  m.tables.Set(static_cast<double>(now.hall.tables));
  m.running.Set(static_cast<double>(now.hall.running));
  m.clients.Set(static_cast<double>(now.hall.clients));
  m.bots.Set(static_cast<double>(now.bots_waiting));
  m.queued.Set(static_cast<double>(now.queued));
  m.oldest.Set(static_cast<double>(now.hall.oldest_wait) / 1000);
  m.memory.Set(MemoryInBytes());
  m.ready.Set(now.ready ? 1 : 0);
  const auto count = [](prometheus::Counter& counter, auto value) {
    counter.Increment(static_cast<double>(value) - counter.Value());
  };
  m.database.Set(now.database_well ? 1 : 0);
  m.bus.Set(now.bus_well ? 1 : 0);
  count(m.retried, now.hall.retried);
  count(m.unknown, now.hall.unknown);
  count(m.shorter, now.hall.shorter);
  count(m.stored, now.hall.stored);
  count(m.refused, now.hall.refused);
  count(m.stale, now.hall.stale);
  count(m.failed, now.hall.failed);
  count(m.slow, now.closed_slow);
  count(m.commits, now.store.commits);
  count(m.commit_seconds, now.store.seconds);
  count(m.commit_failures, now.store.failures);
  count(m.events, now.store.events);
  return prometheus::TextSerializer().Serialize(m.registry.Collect());
}

}  // namespace civ
