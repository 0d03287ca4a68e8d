#include "app/commands.h"
namespace civ { void AddPlay(CLI::App&) {} }
