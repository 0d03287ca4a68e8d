// The page of `civ train --report`.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "civ/training/train.h"

namespace civ {

// `version` is that of the program, as in "0.1.0".
std::string TrainingReport(const TrainOptions& options, std::span<const Generation> generations,
                           std::string_view version);

}  // namespace civ
