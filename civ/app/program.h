// The program `civ`: its command line, with all subcommands.
#pragma once

namespace civ {

// What main() does; the exit code.
int Main(int argc, char** argv);

}  // namespace civ
