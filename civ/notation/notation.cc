#include "civ/notation/notation.h"

#include <array>
#include <charconv>
#include <utility>

#include "civ/view/view.h"

namespace civ {
namespace {

using std::string_view;

template <class T, size_t N>
using Names = std::array<std::pair<T, string_view>, N>;

constexpr Names<Domain, 6> kDomainNames = {{{Domain::Military, "M"},
                                            {Domain::Religion, "R"},
                                            {Domain::Economy, "E"},
                                            {Domain::Science, "S"},
                                            {Domain::Culture, "C"},
                                            {Domain::Utopia, "U"}}};
constexpr std::array<string_view, kKinds> kKindNames = {
    "M1", "R1", "E1", "S1", "C1", "M2", "R2", "E2", "S2", "C2", "M3", "E3", "S3", "C3", "U3"};
constexpr Names<Effect, 15> kEffectNames = {{{Effect::Assassination, "assassination"},
                                             {Effect::Purge, "purge"},
                                             {Effect::HolyBook, "holy-book"},
                                             {Effect::DivineRight, "divine-right"},
                                             {Effect::Development, "development"},
                                             {Effect::Monopoly, "monopoly"},
                                             {Effect::Experiment, "experiment"},
                                             {Effect::Research, "research"},
                                             {Effect::Oligarchy, "oligarchy"},
                                             {Effect::Republic, "republic"},
                                             {Effect::Attack, "attack"},
                                             {Effect::Inquisition, "inquisition"},
                                             {Effect::Embargo, "embargo"},
                                             {Effect::Breakthrough, "breakthrough"},
                                             {Effect::Democracy, "democracy"}}};
constexpr Names<Edition, 5> kEditionNames = {{{Edition::En, "en"},
                                              {Edition::Fr, "fr"},
                                              {Edition::Es, "es"},
                                              {Edition::Pt, "pt"},
                                              {Edition::Ro, "ro"}}};
constexpr Names<Setup, 2> kSetupNames = {{{Setup::Basic, "basic"}, {Setup::Draft, "draft"}}};
constexpr Names<Step, 6> kStepNames = {{{Step::Draft, "draft"},
                                        {Step::Claim, "claim"},
                                        {Step::Play, "play"},
                                        {Step::Effects, "effects"},
                                        {Step::Choose, "choose"},
                                        {Step::Over, "over"}}};
constexpr Names<Verb, 8> kVerbNames = {{{Verb::Play, "play"},
                                        {Verb::Keep, "keep"},
                                        {Verb::Discard, "discard"},
                                        {Verb::Take, "take"},
                                        {Verb::Recover, "recover"},
                                        {Verb::Give, "give"},
                                        {Verb::Remove, "discard"},
                                        {Verb::Claim, "claim"}}};
constexpr Names<Why, 23> kWhyNames = {{{Why::Legal, "legal"},
                                       {Why::Over, "over"},
                                       {Why::Step, "step"},
                                       {Why::Verb, "verb"},
                                       {Why::NotThere, "not-there"},
                                       {Why::Embargoed, "embargoed"},
                                       {Why::OutOfOrder, "out-of-order"},
                                       {Why::TooFewAfter, "too-few-after"},
                                       {Why::CanPlay, "can-play"},
                                       {Why::Used, "used"},
                                       {Why::CopyUsed, "copy-used"},
                                       {Why::NeedsCards, "needs-cards"},
                                       {Why::NoCultureLead, "no-culture-lead"},
                                       {Why::NobodyHasIt, "nobody-has-it"},
                                       {Why::OwnsIt, "owns-it"},
                                       {Why::HandTooSmall, "hand-too-small"},
                                       {Why::TableTooSmall, "table-too-small"},
                                       {Why::DiscardTooSmall, "discard-too-small"},
                                       {Why::NoCardToGiveUp, "no-card-to-give-up"},
                                       {Why::NothingToAttack, "nothing-to-attack"},
                                       {Why::OwnSeat, "own-seat"},
                                       {Why::NoSuchSeat, "no-such-seat"},
                                       {Why::NothingThere, "nothing-there"}}};

template <class T, size_t N>
string_view NameIn(const Names<T, N>& names, T value) {
  for (const auto& [known, name] : names)
    if (known == value) return name;
  return {};
}

template <class T, size_t N>
std::optional<T> Find(const Names<T, N>& names, string_view name) {
  for (const auto& [value, known] : names)
    if (known == name) return value;
  return std::nullopt;
}

bool ByDomain(Verb verb) { return verb == Verb::Remove || verb == Verb::Claim; }

std::string Join(std::initializer_list<string_view> words) {
  std::string text;
  for (const string_view word : words) (text += text.empty() ? "" : " ") += word;
  return text;
}

// The words of a text that are separated by single blanks; too many leave the last one with a blank
// in it, which is no word.
struct Words {
  std::array<string_view, 3> word;
  size_t count = 0;

  explicit Words(string_view text) {
    while (count < 2 && text.find(' ') != text.npos) {
      word[count++] = text.substr(0, text.find(' '));
      text.remove_prefix(text.find(' ') + 1);
    }
    word[count++] = text;
  }
};

std::optional<Seat> ParseSeat(string_view text) {
  if (text.size() != 1 || text[0] < '0' || text[0] >= '0' + kMaxSeats) return std::nullopt;
  return static_cast<Seat>(text[0] - '0');
}

std::optional<Action> ParseNamed(string_view verb, string_view card) {
  const std::optional<Kind> kind = ParseKind(card);
  const std::optional<Domain> domain = ParseDomain(card);
  for (const auto& [known, name] : kVerbNames) {
    if (name != verb) continue;
    if (ByDomain(known) && domain) return Action::Name(known, *domain);
    if (!ByDomain(known) && kind) return Action::Name(known, *kind);
  }
  return std::nullopt;
}

std::optional<Action> ParseOne(string_view word) {
  if (word == "end") return kEnd;
  if (word == "skip") return kSkip;
  const std::optional<Effect> effect = ParseEffect(word);
  if (effect && (IsPermanent(*effect) || effect == Effect::Breakthrough))
    return Action::Use(*effect);
  return std::nullopt;
}

std::optional<Action> ParseTwo(string_view word, string_view what) {
  if (word == "copy") {
    const std::optional<Effect> effect = ParseEffect(what);
    if (effect && IsPermanent(*effect)) return Action::Copy(*effect);
    return std::nullopt;
  }
  if (word == "attack") {
    const std::optional<Domain> domain = ParseDomain(what);
    return domain ? std::optional(Action::Attack(*domain)) : std::nullopt;
  }
  if (word == "inquisition") {
    const std::optional<Seat> seat = ParseSeat(what);
    return seat ? std::optional(Action::Inquisition(*seat)) : std::nullopt;
  }
  return ParseNamed(word, what);
}

std::optional<Action> ParseThree(string_view word, string_view on, string_view which) {
  const std::optional<Seat> seat = ParseSeat(on);
  const std::optional<Domain> domain = ParseDomain(which);
  if (!seat || !domain) return std::nullopt;
  if (word == "embargo") return Action::Embargo(*seat, *domain);
  if (word == "democracy") return Action::Democracy(*seat, *domain);
  return std::nullopt;
}

}  // namespace

string_view NameOf(Domain domain) { return NameIn(kDomainNames, domain); }
string_view NameOf(Kind kind) { return kKindNames[static_cast<size_t>(kind)]; }
string_view NameOf(Effect effect) { return NameIn(kEffectNames, effect); }
string_view NameOf(Edition edition) { return NameIn(kEditionNames, edition); }
string_view NameOf(Setup setup) { return NameIn(kSetupNames, setup); }
string_view NameOf(Step step) { return NameIn(kStepNames, step); }
string_view NameOf(Verb verb) { return NameIn(kVerbNames, verb); }
string_view NameOf(Why why) { return NameIn(kWhyNames, why); }

std::optional<Domain> ParseDomain(string_view name) { return Find(kDomainNames, name); }
std::optional<Effect> ParseEffect(string_view name) { return Find(kEffectNames, name); }
std::optional<Edition> ParseEdition(string_view name) { return Find(kEditionNames, name); }
std::optional<Setup> ParseSetup(string_view name) { return Find(kSetupNames, name); }
std::optional<Step> ParseStep(string_view name) { return Find(kStepNames, name); }

std::optional<Kind> ParseKind(string_view name) {
  for (size_t k = 0; k < kKindNames.size(); ++k)
    if (kKindNames[k] == name) return static_cast<Kind>(k);
  return std::nullopt;
}

std::string NameOf(Action action) {
  if (action == kEnd) return "end";
  if (action == kSkip) return "skip";
  if (action.NamesCard())
    return Join({NameOf(action.verb()),
                 ByDomain(action.verb()) ? NameOf(action.domain()) : NameOf(action.kind())});
  const Effect effect = action.effect();
  const std::string seat(1, static_cast<char>('0' + action.seat()));
  if (action.IsCopy()) return Join({"copy", NameOf(effect)});
  switch (effect) {
    case Effect::Attack: return Join({NameOf(effect), NameOf(action.domain())});
    case Effect::Inquisition: return Join({NameOf(effect), seat});
    case Effect::Embargo:
    case Effect::Democracy: return Join({NameOf(effect), seat, NameOf(action.domain())});
    default: return std::string(NameOf(effect));
  }
}

std::optional<Action> ParseAction(string_view text) {
  const Words words(text);
  if (words.count == 1) return ParseOne(words.word[0]);
  if (words.count == 2) return ParseTwo(words.word[0], words.word[1]);
  return ParseThree(words.word[0], words.word[1], words.word[2]);
}

std::string NameFor(const Public& before, Action action, Seat viewer) {
  const bool keeps = action.NamesCard() && action.verb() == Verb::Keep;
  const bool gives = action.NamesCard() && action.verb() == Verb::Give;
  const bool hidden = viewer != before.seat && (keeps || (gives && viewer != before.choice.target));
  if (!hidden) return NameOf(action);
  return Join({NameOf(action.verb()), {}}) + "?" +
         static_cast<char>('0' + static_cast<int>(AgeOf(action.kind())));
}

}  // namespace civ
