// Looking at a game: what a seat sees and what it means (docs/guide.md).
#include "civ/guide/look.h"

#include "bindings/wasm/civ.h"

namespace civ {

// The answer to such a request; civ_length is its length.
CIV_EXPORT(civ_look) const char* LookFor(const char* request, size_t length) {
  static Looker looker;
  return SetAnswer(looker.Answer({request, length}));
}

}  // namespace civ
