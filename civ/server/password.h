// The one password of a server that not everybody may enter.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "civ/server/post.h"

namespace civ {

// Checking takes long on purpose (argon2id), so a thread of its own does it.
class Password {
 public:
  // The password itself, or its argon2id hash as `argon2` prints it. Nothing if memory is short.
  static std::unique_ptr<Password> From(const std::string& text, Post post);
  ~Password();
  Password(const Password&) = delete;
  Password& operator=(const Password&) = delete;

  // False if too many guesses wait already. `checked` is called through `post`, unless this is
  // destroyed before.
  bool Check(std::string guess, std::function<void(bool right)> checked);

 private:
  struct Impl;
  explicit Password(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace civ
