// The server's figures, as Prometheus reads them. Numbers only: nothing about anybody.
#pragma once

#include <memory>
#include <string>

#include "civ/server/hall.h"

namespace civ {

class Metrics {
 public:
  Metrics();
  ~Metrics();

  void Acknowledged(double seconds);  // from a command to its acknowledgement
  void Answered(int status);          // a request

  struct Now {
    Hall::Figures hall;
    StoreFigures store;
    size_t connections, sockets, most_sockets, sessions, bots_waiting, queued;
    uint64_t closed_slow;
    bool ready;
    bool shared;                   // the store is used by other processes, too
    bool database_well, bus_well;  // each by itself
  };
  std::string Text(const Now& now);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace civ
