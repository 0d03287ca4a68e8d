#include "app/commands.h"
namespace civ { void AddReplay(CLI::App&) {} }
