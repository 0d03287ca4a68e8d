// The engine for a page: the referee, the signature and a measurement behind a few C functions.
//
// One instance of the module is one referee. There are no exceptions and no threads, and it asks
// its host for one thing only: a seed where a request names none. It knows no words either (ICU
// stays outside): the "error" of an answer is the error itself as compact JSON,
// {"key":"error.command","args":{"command":"x"}}, to be put into words where it is shown.
#include "bindings/wasm/civ.h"

#include <wasi/api.h>

#include <cstdint>
#include <cstdlib>

#include "civ/bots/playout.h"
#include "civ/bots/signature.h"
#include "civ/notation/referee.h"
#include "civ/view/deal.h"

extern "C" [[clang::import_module("civ"), clang::import_name("random_seed")]] uint64_t
civ_random_seed();

// What Debian's libraries leave to the program, or would print on the way out: a fatal error is a
// trap and nothing else.
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl58-cpp)
extern "C" {
uintptr_t __stack_chk_guard = 0x5bd1e995;
[[noreturn]] void __stack_chk_fail() { __builtin_trap(); }
[[noreturn]] void __abort_message(const char*, ...) { __builtin_trap(); }
__wasi_errno_t __wasi_fd_close(__wasi_fd_t) { return __WASI_ERRNO_BADF; }
__wasi_errno_t __wasi_fd_seek(__wasi_fd_t, __wasi_filedelta_t, __wasi_whence_t,
                              __wasi_filesize_t*) {
  return __WASI_ERRNO_BADF;
}
__wasi_errno_t __wasi_fd_write(__wasi_fd_t, const __wasi_ciovec_t*, size_t, __wasi_size_t*) {
  return __WASI_ERRNO_BADF;
}
}
[[noreturn]] void std::__libcpp_verbose_abort(const char*, ...) noexcept { __builtin_trap(); }
// NOLINTEND(bugprone-reserved-identifier,cert-dcl58-cpp)

namespace civ {
namespace {

std::string answer_text;

}  // namespace

std::string Describe(const Error& error) {
  Json args = Json::object();
  for (const auto& [name, value] : error.args) args[name] = value;
  return Json{{"key", error.key}, {"args", args}}.dump(-1, ' ', false,
                                                       Json::error_handler_t::replace);
}

const char* SetAnswer(std::string text) {
  answer_text = std::move(text);
  return answer_text.c_str();
}

CIV_EXPORT(civ_alloc) void* Alloc(size_t size) { return std::malloc(size); }
CIV_EXPORT(civ_free) void Free(void* memory) { std::free(memory); }

// The answer to a request: its text, or null after a request to quit. The text stays until the next
// call; civ_length is its length.
CIV_EXPORT(civ_answer) const char* Answer(const char* request, size_t length) {
  static Referee referee({.describe = Describe, .random_seed = civ_random_seed});
  std::optional<std::string> answer = referee.Answer({request, length});
  const char* text = SetAnswer(std::move(answer).value_or(""));
  return answer ? text : nullptr;
}
CIV_EXPORT(civ_length) size_t Length() { return answer_text.size(); }

CIV_EXPORT(civ_signature) uint64_t SignatureOfModule() { return Signature(); }

// Plays random games and counts their decisions; the caller looks at the clock.
CIV_EXPORT(civ_bench) double Bench(int players, int games, int seed) {
  Random random(static_cast<uint64_t>(seed));
  double decisions = 0;
  for (; games > 0; --games) {
    const Deck deck = ShuffledDeck(players, random);
    State state = New({.players = static_cast<uint8_t>(players)}, deck.Span());
    for (; state.step != Step::Over; ++decisions) Apply(state, ChooseUniform(Legal(state), random));
  }
  return decisions;
}

}  // namespace civ
