#include "civ/server/clean.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

namespace civ {
namespace {

constexpr int kMostMarks = 3;  // on one character: the scripts of the world need no more
constexpr UChar32 kBrailleBlank = 0x2800;  // the only blank that Unicode does not call a space

bool IsSpace(UChar32 c) { return u_isUWhiteSpace(c) || c == kBrailleBlank; }

bool IsShown(UChar32 c) {
  constexpr uint32_t kHidden =
      U_GC_C_MASK | U_GC_ZL_MASK |
      U_GC_ZP_MASK;  // control, format, private use, unassigned, surrogates
  return (U_GET_GC_MASK(c) & kHidden) == 0 &&
         !u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

// Without what is not shown. Nothing if it is not UTF-8.
std::optional<icu::UnicodeString> Shown(std::string_view text) {
  icu::UnicodeString shown;
  const auto length = static_cast<int32_t>(text.size());
  for (int32_t i = 0; i < length;) {
    UChar32 c;
    // The macro is made of what clang-tidy does not like:
    // NOLINTNEXTLINE(bugprone-inc-dec-in-conditions,readability-simplify-subscript-expr)
    U8_NEXT(text.data(), i, length, c);
    if (c < 0) return std::nullopt;
    if (IsSpace(c)) {
      shown.append(UChar32{' '});
    } else if (IsShown(c)) {
      shown.append(c);
    }
  }
  return shown;
}

}  // namespace

std::optional<std::string> Clean(std::string_view text, size_t longest) {
  const std::optional<icu::UnicodeString> shown = Shown(text);
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(status);
  if (!shown || U_FAILURE(status)) return std::nullopt;
  const icu::UnicodeString composed = nfc->normalize(*shown, status);
  if (U_FAILURE(status)) return std::nullopt;

  icu::UnicodeString clean;
  bool space = false;      // one is due before the next character
  int marks = kMostMarks;  // a mark needs a character to stand on
  for (int32_t i = 0; i < composed.length(); i = composed.moveIndex32(i, 1)) {
    const UChar32 c = composed.char32At(i);
    if (c == ' ') {
      space = !clean.isEmpty();
      marks = kMostMarks;
      continue;
    }
    const bool mark = (U_GET_GC_MASK(c) & U_GC_M_MASK) != 0;
    if (mark && marks == kMostMarks) continue;
    marks = mark ? marks + 1 : 0;
    if (space) clean.append(UChar32{' '});
    space = false;
    clean.append(c);
  }
  const auto length = static_cast<size_t>(clean.countChar32());
  if (length == 0 || length > longest) return std::nullopt;
  std::string result;
  return clean.toUTF8String(result);
}

}  // namespace civ
