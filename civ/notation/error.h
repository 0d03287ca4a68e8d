// Errors as values: a key of text/ and its arguments. Words are chosen where they are shown.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace civ {

struct Error {
  std::string key;
  std::vector<std::pair<std::string, std::string>> args;
};

// Either a value or the error that kept it from being one.
template <class T>
class Expected {
 public:
  Expected(T value) : held_(std::move(value)) {}
  Expected(Error error) : held_(std::move(error)) {}

  explicit operator bool() const { return held_.index() == 0; }
  T& operator*() { return std::get<0>(held_); }
  const T& operator*() const { return std::get<0>(held_); }
  T* operator->() { return &std::get<0>(held_); }
  const T* operator->() const { return &std::get<0>(held_); }
  const Error& error() const { return std::get<1>(held_); }

 private:
  std::variant<T, Error> held_;
};

}  // namespace civ
