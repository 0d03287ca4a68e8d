// Judging a whole game for a page, in steps between which it can be stopped (docs/analysis.md).
//
// {"record":{…},"iterations":2000,"seed":1} begins, with {"ok":true,"steps":44}; iterations and
// seed may be left out. {"step":0} and so on answer
// {"ok":true,"turn":1,"seat":0,"begin":0,"before":[…]}: the chances before these actions. After the
// last of them {"sum":true} gives
// {"ok":true,"review":{…}}.
#include <optional>

#include "bindings/wasm/civ.h"
#include "civ/analysis/analysis.h"
#include "civ/notation/record.h"

namespace civ {
namespace {

constexpr int kMostIterations = 1'000'000;

std::string Refuse(const Error& error) {
  return Json{{"ok", false}, {"error", Describe(error)}}.dump();
}

std::string Begin(std::optional<Review>& review, Reader& request) {
  Inquiry inquiry;
  if (request.Has("iterations")) inquiry.iterations = request.Int("iterations", 1, kMostIterations);
  if (request.Has("seed")) inquiry.seed = request.Number("seed");
  if (!request.ok()) return Refuse(*request.error);
  RecordReader reader;
  if (const std::optional<RecordError> wrong = reader.Read(request.Field("record")))
    return Refuse(wrong->error);
  review.emplace(reader.record(), inquiry);
  return Json{{"ok", true}, {"steps", review->Size()}}.dump();
}

std::string Step(Review& review, Reader& request) {
  const int step = request.Int("step", 0, static_cast<int>(review.Size()) - 1);
  if (!request.ok()) return Refuse(*request.error);
  const auto i = static_cast<size_t>(step);
  review.Step(i);
  const Stretch& at = review.At(i);
  return Json{{"ok", true},
              {"turn", at.turn},
              {"seat", at.seat},
              {"begin", at.begin},
              {"before", ToJson(review.record().config, review.Of(i).open)}}
      .dump();
}

std::string AnswerReview(std::string_view text) {
  static std::optional<Review> review;
  const Expected<Json> json = ParseJson(text);
  if (!json) return Refuse(json.error());
  Reader request(*json);
  if (!request.ok()) return Refuse(*request.error);
  if (!review || request.Has("record")) return Begin(review, request);
  if (request.Has("step")) return Step(*review, request);
  return Json{{"ok", true}, {"review", ToJson(review->record(), review->Sum())}}.dump();
}

}  // namespace

// The answer to such a request; civ_length is its length.
CIV_EXPORT(civ_review) const char* ReviewOf(const char* request, size_t length) {
  return SetAnswer(AnswerReview({request, length}));
}

}  // namespace civ
