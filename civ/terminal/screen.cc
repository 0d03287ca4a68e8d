#include "civ/terminal/screen.h"

#include <algorithm>
#include <span>
#include <utility>

#include "civ/guide/ending.h"
#include "civ/guide/offer.h"
#include "civ/guide/story.h"
#include "civ/notation/notation.h"
#include "civ/notation/talk.h"

namespace civ {
namespace {

constexpr const char* kIndent = "  ";

bool LeadsCulture(const Public& table, Seat of) {
  for (Seat seat = 0; seat < table.config.players; ++seat)
    if (seat != of && table.Count(seat, Domain::Culture) >= table.Count(of, Domain::Culture))
      return false;
  return true;
}

// Face-down cards on one Domain: how many, and by which seats.
struct Laid {
  int count = 0;
  unsigned by = 0;
};

template <class Card>
Laid LaidOn(std::span<const Card> cards, Seat seat, Domain domain) {
  Laid laid;
  for (const FaceDown& card : cards) {
    if (card.seat != seat || card.domain != static_cast<int>(domain)) continue;
    ++laid.count;
    laid.by |= 1u << card.by;
  }
  return laid;
}

void Append(Lines& lines, Lines more) { std::ranges::move(more, std::back_inserter(lines)); }

}  // namespace

Lines Screen::Setup(const Config& config) const {
  Lines lines = {
      say_("setup.line", {{"players", config.players},
                          {"setup", say_("setup." + std::string(NameOf(config.setup)))},
                          {"edition", say_("edition." + std::string(NameOf(config.edition)))}})};
  std::vector<std::string> seats;
  for (Seat seat = 0; seat < config.players; ++seat)
    seats.push_back(say_("setup.seat", {{"seat", seat}, {"name", say_.Name(seat)}}));
  lines.push_back(
      say_("setup.seats", {{"seats", Join(seats, ", ")}, {"first", say_.Name(config.first)}}));
  if (config.teams)
    lines.push_back(
        say_("setup.teams", {{"one", say_.Names(0b0101)}, {"two", say_.Names(0b1010)}}));
  return lines;
}

Lines Screen::Table(const View& view) const {
  Lines lines = {say_(Heading(view, {view.viewer, true, false}))};
  if (view.deck_size > 0)
    lines.push_back(say_("screen.deck",
                         {{"count", view.deck_size}, {"age", std::string(Roman(view.deck_top))}}));
  else
    lines.push_back(say_("screen.deck-empty", {{"name", say_.Name(view.closing)}}));
  lines.push_back(Pile(view.discard));
  lines.push_back(CoinLine(view.coin));
  if (view.step == Step::Claim)
    lines.push_back(say_("screen.centre", {{"cards", say_.Of(Cards(view.centre))}}));
  for (Seat seat = view.Next(view.viewer); seat != view.viewer; seat = view.Next(seat))
    Append(lines, Seated(view, seat));
  Append(lines, Seated(view, view.viewer));
  return lines;
}

Lines Screen::Seated(const View& view, Seat seat) const {
  return {
      "",
      say_("screen.seat", {{"seat", seat}, {"name", say_.Name(seat)}, {"tags", Tags(view, seat)}}),
      kIndent + Area(view, seat), kIndent + HandOf(view, seat)};
}

std::string Screen::Tags(const View& view, Seat seat) const {
  std::vector<std::string> tags;
  if (seat == view.viewer) tags.push_back(say_("tag.you"));
  if ((bots_ >> seat & 1) != 0) tags.push_back(say_("tag.bot"));
  if ((talkers_ >> seat & 1) != 0)
    tags.push_back(say_("character." + std::string(NameOf(CharacterOf(view.config, seat)))));
  if (view.config.teams && seat == (view.viewer ^ 2)) tags.push_back(say_("tag.partner"));
  if (seat == view.config.first) tags.push_back(say_("tag.first"));
  return tags.empty() ? "" : " (" + Join(tags, ", ") + ")";
}

std::string Screen::Area(const View& view, Seat seat) const {
  std::string columns;
  for (int d = 0; d < kDomains; ++d) {
    const std::string column = Column(view, seat, static_cast<Domain>(d));
    if (column.empty()) continue;
    columns =
        columns.empty() ? column : say_("column.next", {{"columns", columns}, {"column", column}});
  }
  return columns.empty() ? say_("screen.area-empty") : say_("screen.area", {{"columns", columns}});
}

std::string Screen::Column(const View& view, Seat seat, Domain domain) const {
  const int count = view.Count(seat, domain);
  std::vector<std::string> parts = say_(civ::Column(view, seat, domain, count));
  if (domain == Domain::Culture && LeadsCulture(view, seat)) parts.push_back(say_("column.most"));
  if (view.coin.owner != kNone && view.coin.seat == seat && view.coin.domain == domain)
    parts.push_back(say_("column.coin"));
  const Laid utopias =
      LaidOn(std::span(view.democracies).first(view.democracy_count), seat, domain);
  const Laid embargoes = LaidOn(std::span(view.embargoes).first(view.embargo_count), seat, domain);
  if (utopias.count > 0)
    parts.push_back(
        say_("column.utopia", {{"count", utopias.count}, {"names", say_.Names(utopias.by)}}));
  if (embargoes.count > 0)
    parts.push_back(say_("column.embargo", {{"names", say_.Names(embargoes.by)},
                                            {"now", seat == TurnOf(view) ? "yes" : "no"}}));
  return count == 0 && parts.size() == 1 ? "" : Join(parts, ", ");
}

std::string Screen::HandOf(const View& view, Seat seat) const {
  const Holding& hand = view.hands[seat];
  if (seat == view.viewer) {
    std::string own =
        say_("screen.own-hand", {{"count", hand.Count()}, {"cards", say_.Of(hand.cards)}});
    if (view.step == Step::Draft)
      own += ' ' + say_("screen.own-pack", {{"cards", say_.Of(view.packs[seat].cards)}});
    return own;
  }
  if (hand.Count() == 0) return say_("screen.hand-empty");
  std::string other = say_("screen.hand", {{"backs", say_.Backs(hand.backs)}});
  if (!hand.cards.Empty()) other += ' ' + say_("screen.known", {{"cards", say_.Of(hand.cards)}});
  return other;
}

std::string Screen::Pile(Cards discard) const {
  std::vector<std::string> counts;
  for (int d = 0; d < kDomains; ++d)
    if (const int count = discard.Of(static_cast<Domain>(d)).Count(); count > 0)
      counts.push_back(
          say_("ending.count", {{"name", say_.Of(static_cast<Domain>(d))}, {"count", count}}));
  return say_("screen.discard", {{"count", discard.Count()}, {"counts", Join(counts, ", ")}});
}

std::string Screen::CoinLine(const Coin& coin) const {
  if (coin.owner == kNone) return say_("screen.coin");
  return say_("screen.coin-laid", {{"name", say_.Name(coin.owner)},
                                   {"domain", say_.Of(coin.domain)},
                                   {"target", say_.Name(coin.seat)}});
}

Lines Screen::Used(const View& view) const {
  std::vector<std::string> used;
  for (int d = 0; d < kDomains; ++d) {
    const auto domain = static_cast<Domain>(d);
    const bool culture = domain == Domain::Culture;
    if ((view.permanent & Bit(domain)) != 0)
      used.push_back(culture ? say_("effect.inspiration")
                             : say_("screen.used-permanent", {{"domain", say_.Of(domain)}}));
    if ((view.given_up & Bit(domain)) != 0) used.push_back(say_.Of(DiscardEffectOf(domain)));
  }
  if (used.empty()) return {};
  return {say_("screen.used", {{"effects", Join(used, ", ")}})};
}

Lines Screen::Question(const View& view, const std::vector<Action>& choices) const {
  Lines lines = {say_(Ask(view))};
  // Sets are named in card order: say so before somebody misses a card.
  if (view.step == Step::Choose && (view.choice.left > 1 || view.choice.from != kNone))
    lines.push_back(say_("ask.order"));
  if (view.step == Step::Effects) Append(lines, Used(view));
  for (size_t i = 0; i < choices.size(); ++i)
    lines.push_back(say_("choice", {{"number", static_cast<int>(i) + 1},
                                    {"action", NameOf(choices[i])},
                                    {"words", say_(Offer(view, choices[i]))}}));
  return lines;
}

Lines Screen::Score(const Public& table) const {
  Lines lines = {say_("screen.score")};
  for (const Message& message : TellMajority(table)) lines.push_back(kIndent + say_(message));
  lines.push_back(say_(TellLeader(table)));
  return lines;
}

Lines Screen::ReferenceOf(const Config& config, Domain domain) const {
  const auto line = [&](std::string_view key, std::string_view effect, int cards) {
    return kIndent + say_(key, {{"effect", say_("effect." + std::string(effect))},
                                {"does", say_("does." + std::string(effect))},
                                {"cards", cards}});
  };
  Lines lines = {say_.Of(domain)};
  if (domain == Domain::Culture) {
    lines.push_back(line("reference.permanent", "inspiration", 0));
    return lines;
  }
  lines.push_back(line("reference.level1", NameOf(PermanentOf(domain, 1)),
                       Threshold(config.players, Mark::Level1)));
  lines.push_back(line("reference.level2", NameOf(PermanentOf(domain, 2)),
                       Threshold(config.players, Mark::Level2)));
  lines.push_back(line("reference.discard", NameOf(DiscardEffectOf(domain)), 1));
  return lines;
}

Lines Screen::Reference(const Config& config) const {
  Lines lines = {say_("reference.turn"), say_("reference.once"),
                 say_("reference.hegemony", {{"cards", Threshold(config.players, Mark::Hegemony)}}),
                 say_("reference.majority")};
  if (config.teams) lines.push_back(say_("reference.teams"));
  if (config.edition == Edition::Es) lines.push_back(say_("reference.edition-es"));
  if (config.edition == Edition::Pt) lines.push_back(say_("reference.edition-pt"));
  if (config.edition == Edition::Ro) lines.push_back(say_("reference.edition-ro"));
  for (int d = 0; d < kDomains; ++d) Append(lines, ReferenceOf(config, static_cast<Domain>(d)));
  return lines;
}

Lines Ending(const Phrases& say, const Public& table) {
  Lines lines = say(TellResult(table));
  if (!Result(table).hegemony)
    for (size_t i = 1; i + 1 < lines.size(); ++i) lines[i].insert(0, kIndent);
  return lines;
}

std::string Advice(const Phrases& say, const View& view, const Judgement& judgement,
                   int64_t number) {
  const std::string choice = say("choice", {{"number", number},
                                            {"action", NameOf(judgement.action)},
                                            {"words", say(Offer(view, judgement.action))}});
  return say("hint.choice",
             {{"choice", choice}, {"chance", say.Percent(judgement.chances[view.seat])}});
}

}  // namespace civ
