// The bus between processes on several machines: a Redis server. While it cannot be reached, hints
// are lost, and it is tried again by itself.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "civ/notation/json.h"
#include "civ/server/bus_calls.h"

namespace boost::asio {
class io_context;
}

namespace civ {

struct RedisAddress {
  std::string host = "127.0.0.1";
  int port = 6379;
  std::string user = {}, password = {};
  int database = 0;

  // redis://[[user]:password@]host[:port][/database]; nothing if it is no such address.
  static std::optional<RedisAddress> From(std::string_view uri);
};

class RedisBus final : public Bus {
 public:
  using Log = std::function<void(std::string_view level, std::string_view event, const Json&)>;
  // The context runs on the thread that calls the bus. `name`: of this process.
  RedisBus(boost::asio::io_context& context, const RedisAddress& address, const std::string& name,
           Log log);
  ~RedisBus() override;

  CIV_BUS_CALLS
  bool healthy() const override;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace civ
