#include "civ/server/password.h"

#include <sodium.h>

#include <thread>

#include "civ/server/queue.h"

namespace civ {
namespace {

constexpr size_t kMostGuesses = 32;  // that wait

}  // namespace

struct Password::Impl {
  struct Guess {
    std::string text;
    std::function<void(bool)> checked;
  };

  void Run() {
    while (std::optional<Guess> guess = guesses.Pop()) {
      const bool right =
          crypto_pwhash_str_verify(hash.c_str(), guess->text.data(), guess->text.size()) == 0;
      post([checked = std::move(guess->checked), right] { checked(right); });
    }
  }

  std::string hash;
  Post post;
  Queue<Guess> guesses{kMostGuesses};
  std::jthread thread;  // the last, since it uses the others
};

Password::Password(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
  impl_->thread = std::jthread([impl = impl_.get()] { impl->Run(); });
}

Password::~Password() { impl_->guesses.Cancel(); }

std::unique_ptr<Password> Password::From(const std::string& text, Post post) {
  auto impl = std::make_unique<Impl>();
  impl->post = std::move(post);
  if (text.starts_with("$argon2id$")) {
    impl->hash = text;
  } else {
    char hash[crypto_pwhash_STRBYTES];
    if (crypto_pwhash_str(hash, text.data(), text.size(), crypto_pwhash_OPSLIMIT_INTERACTIVE,
                          crypto_pwhash_MEMLIMIT_INTERACTIVE) != 0)
      return nullptr;
    impl->hash = hash;
  }
  return std::unique_ptr<Password>(new Password(std::move(impl)));
}

bool Password::Check(std::string guess, std::function<void(bool right)> checked) {
  return impl_->guesses.TryPush({std::move(guess), std::move(checked)});
}

}  // namespace civ
