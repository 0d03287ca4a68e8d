// One HTTP request to a server on this machine, through the socket that is its owner's.
#pragma once

#include <optional>
#include <string>

namespace civ {

struct Reply {
  int status = 0;
  std::string body;
};

// The body of the request, if there is one, is JSON. Nothing if no server answers at that socket.
std::optional<Reply> AskOwnServer(const std::string& socket, const std::string& method,
                                  const std::string& path, const std::string& body);

}  // namespace civ
