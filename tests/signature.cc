#include "civ/bots/signature.h"

#include <cinttypes>
#include <cstdio>

int main() {
  std::printf("%016" PRIx64 " %016" PRIx64 "\n", civ::Signature(), civ::BotSignature());
}
