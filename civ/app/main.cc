#include "civ/app/program.h"

int main(int argc, char** argv) { return civ::Main(argc, argv); }
