// How another thread hands work to the one thread that runs the server.
#pragma once

#include <functional>

namespace civ {

// Calls the function later, on the server's thread. May be called on any thread.
using Post = std::function<void(std::function<void()>)>;

}  // namespace civ
