// What the parts of a module share.
#pragma once

#include <string>

#include "civ/notation/error.h"

#define CIV_EXPORT(name) extern "C" [[clang::export_name(#name), gnu::used]]

namespace civ {

// An error as compact JSON.
std::string Describe(const Error& error);

// Keeps a text for the caller, until the next one.
const char* SetAnswer(std::string text);

}  // namespace civ
