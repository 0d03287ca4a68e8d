// The calls of Bus (bus.h) that a bus answers, as it declares them.
#pragma once

#include "civ/server/bus.h"

#define CIV_BUS_CALLS                                                                        \
  void Publish(const std::string& topic, const std::string& text) override;                  \
  Subscription Subscribe(const std::string& topic, Handler handler) override;                \
  void Note(const std::string& place, const std::string& who, int64_t until) override;       \
  void ReadNotes(const std::string& place, std::function<void(std::optional<Notes>)> answer) \
      override;                                                                              \
  void Count(const std::string& key, int64_t milliseconds,                                   \
             std::function<void(std::optional<int64_t>)> answer) override;
