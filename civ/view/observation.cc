#include "civ/view/observation.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace civ {
namespace {

inline constexpr int kEffects = static_cast<int>(kAllEffects.size());
inline constexpr int kSteps = 6;
inline constexpr int kVerbs = 8;
inline constexpr int kEditions = 5;

constexpr std::array kPlanes = {
    Plane{"tables", true, kKinds, "cards in the play area, by kind"},
    Plane{"columns", true, kDomains, "cards in the play area, by Domain"},
    Plane{"hands", true, kKinds, "cards in hand that the viewer sees or is certain of, by kind"},
    Plane{"backs", true, kAges, "cards in hand, by Age"},
    Plane{"packs", true, 1, "cards in the pack before the seat; only while drafting"},
    Plane{"embargoes", true, kDomains, "1: an embargo lies on the Domain"},
    Plane{"democracies", true, kDomains, "face-down Utopia cards on the Domain"},
    Plane{"deciding", true, 1, "1: this seat decides"},
    Plane{"first", true, 1, "1: First Player"},
    Plane{"closing", true, 1, "1: the game ends after this seat's turn"},
    Plane{"culture", true, 1, "1: has strictly more Culture cards than each other player"},
    Plane{"coin-owner", true, 1, "1: has laid the Culture coin"},
    Plane{"coin-seat", true, 1, "1: the coin lies before this seat"},
    Plane{"target", true, 1, "1: the Inquisition under way aims at this seat"},
    Plane{"pack", false, kKinds, "cards in the viewer's own pack, by kind"},
    Plane{"centre", false, kKinds, "cards in the centre of the draft, by kind"},
    Plane{"discard", false, kKinds, "cards in the discard pile, by kind"},
    Plane{"unseen", false, kKinds, "cards that the viewer neither sees nor knows, by kind"},
    Plane{"deck", false, 1, "cards left in the deck"},
    Plane{"deck-top", false, kAges, "1: the Age on top of the deck"},
    Plane{"step", false, kSteps, "1: draft, claim, play, effects, choose, over"},
    Plane{"hand-size", false, 1, "cards up to which this turn draws: 3, 5 or 7"},
    Plane{"permanent", false, kDomains, "1: its permanent effect was used this turn"},
    Plane{"given-up", false, kDomains, "1: its discard effect was used this turn"},
    Plane{"effect", false, kEffects, "1: the effect under way, in the order of civ.EFFECTS"},
    Plane{"verb", false, kVerbs,
          "1: what it asks for: play, keep, discard, take, recover, give, discard (play area), "
          "claim"},
    Plane{"left", false, 1, "cards still to be named"},
    Plane{"from", false, kKinds,
          "1: the kind (in the play area: the Domain) named last, where the viewer may see it"},
    Plane{"coin-domain", false, kDomains, "1: the Domain on which the coin lies"},
    Plane{"turn", false, 1, "number of the turn, at most 255"},
    Plane{"idle", false, 1, "turns since a card left the deck, at most 255"},
    Plane{"draft", false, 1, "1: the set-up is a draft"},
    Plane{"teams", false, 1, "1: seats 0 and 2 against 1 and 3"},
    Plane{"edition", false, kEditions, "1: en, fr, es, pt, ro"},
};

// Six flags, a byte each.
constexpr auto kFlags = [] {
  std::array<uint64_t, 1 << kDomains> bytes{};
  for (size_t set = 0; set < bytes.size(); ++set)
    for (unsigned d = 0; d < kDomains; ++d) bytes[set] |= uint64_t{set >> d & 1} << 8 * d;
  return bytes;
}();

constexpr auto kPlaceOfEffect = [] {
  std::array<uint8_t, 256> places{};
  for (size_t i = 0; i < kAllEffects.size(); ++i)
    places[static_cast<size_t>(kAllEffects[i])] = static_cast<uint8_t>(i);
  return places;
}();

// Eight fields of four bits, a byte each.
constexpr uint64_t Spread(uint32_t fields) {
  uint64_t bytes = fields;
  bytes = (bytes | bytes << 16) & 0x0000ffff0000ffff;
  bytes = (bytes | bytes << 8) & 0x00ff00ff00ff00ff;
  return (bytes | bytes << 4) & 0x0f0f0f0f0f0f0f0f;
}

// Writes planes one after the other into a buffer that holds zeros.
class Writer {
 public:
  explicit Writer(uint8_t* out) : out_(out) {}

  void Kinds(Cards cards) {
    const auto bits = std::bit_cast<uint64_t>(cards);
    const uint64_t low = Spread(static_cast<uint32_t>(bits));
    const uint64_t high = Spread(static_cast<uint32_t>(bits >> 32) & 0xffffff) | (bits >> 56) << 48;
    const uint64_t last_eight = low >> 56 | high << 8;
    std::memcpy(out_, &low, 8);
    std::memcpy(out_ + kKinds - 8, &last_eight, 8);
    out_ += kKinds;
  }
  void Bytes(uint64_t bytes, int count) {
    // The planes that follow are written later, or hold zeros, as these bytes do.
    std::memcpy(out_, &bytes, 8);
    out_ += count;
  }
  void Flags(Domains domains) { Bytes(kFlags[domains], kDomains); }
  void Number(int number) { *out_++ = static_cast<uint8_t>(std::min(number, 255)); }
  // One of `width`, or none if it is not among them.
  void OneOf(unsigned which, int width) {
    if (which < static_cast<unsigned>(width)) out_[which] = 1;
    out_ += width;
  }

 private:
  uint8_t* out_;
};

Seat FirstShown(const View& view) { return view.viewer < kMaxSeats ? view.viewer : Seat{0}; }

// How many seats clockwise from the viewer; no place for no seat.
unsigned PlaceOf(const View& view, Seat seat) {
  if (seat >= kMaxSeats) return kNone;
  const unsigned first = FirstShown(view);
  return seat >= first ? seat - first : seat + view.config.players - first;
}

template <class Write>
void ForEachSeat(const View& view, Write write) {
  Seat seat = FirstShown(view);
  for (int i = 0; i < view.config.players; ++i, seat = view.Next(seat)) write(seat);
}

// What lies on the table and is held.
void WriteCards(const View& view, Writer& writer) {
  ForEachSeat(view, [&](Seat seat) { writer.Kinds(view.tables[seat]); });
  ForEachSeat(view, [&](Seat seat) {
    writer.Bytes(std::bit_cast<uint64_t>(view.columns[seat]), kDomains);
  });
  ForEachSeat(view, [&](Seat seat) { writer.Kinds(view.hands[seat].cards); });
  ForEachSeat(view, [&](Seat seat) {
    const auto& backs = view.hands[seat].backs;
    writer.Bytes(uint64_t{backs[0]} | uint64_t{backs[1]} << 8 | uint64_t{backs[2]} << 16, kAges);
  });
  ForEachSeat(view, [&](Seat seat) { writer.Number(view.packs[seat].Count()); });
  ForEachSeat(view, [&](Seat seat) { writer.Flags(view.Embargoed(seat)); });
  std::array<uint64_t, kMaxSeats> democracies{};
  for (int i = 0; i < view.democracy_count; ++i) {
    const FaceDown card = view.democracies[static_cast<size_t>(i)];
    democracies[card.seat] += uint64_t{1} << 8 * card.domain;
  }
  ForEachSeat(view, [&](Seat seat) { writer.Bytes(democracies[seat], kDomains); });
}

Cards SeenIn(const View& view) {
  Cards seen = view.discard + view.centre + Cards(Kind::U3, view.democracy_count);
  for (Seat seat = 0; seat < view.config.players; ++seat)
    seen += view.tables[seat] + view.hands[seat].cards + view.packs[seat].cards;
  for (int i = 0; i < view.embargo_count; ++i)
    seen += Cards(view.embargoes[static_cast<size_t>(i)].card);
  return seen;
}

constexpr Cards kAllOfThem = [] {
  Cards all;
  for (int k = 0; k < kKinds; ++k)
    all += Cards(static_cast<Kind>(k), kCopies[static_cast<size_t>(k)]);
  return all;
}();

void WriteTurn(const View& view, Writer& writer) {
  writer.Number(view.deck_size);
  writer.OneOf(static_cast<unsigned>(view.deck_top) - 1, kAges);
  writer.OneOf(static_cast<unsigned>(view.step), kSteps);
  writer.Number(view.hand_size);
  writer.Flags(view.permanent);
  writer.Flags(view.given_up);
  const bool choosing = view.step == Step::Choose;
  const Choice& choice = view.choice;
  writer.OneOf(choosing ? kPlaceOfEffect[static_cast<size_t>(choice.effect)] : kNone, kEffects);
  writer.OneOf(choosing ? static_cast<unsigned>(choice.verb) - 8 : kNone, kVerbs);
  writer.Number(choosing ? choice.left : 0);
  writer.OneOf(choosing ? choice.from : kNone, kKinds);
  writer.OneOf(view.coin.owner == kNone ? kNone : static_cast<unsigned>(view.coin.domain),
               kDomains);
  writer.Number(view.turn);
  writer.Number(view.turn - view.last_draw);
  writer.Number(view.config.setup == Setup::Draft);
  writer.Number(view.config.teams);
  writer.OneOf(static_cast<unsigned>(view.config.edition), kEditions);
}

}  // namespace

std::span<const Plane> Planes() { return kPlanes; }

int ObservationSize(int players) {
  static constexpr auto kSizes = [] {
    std::array<int, kMaxSeats + 1> sizes{};
    for (int count = 0; count <= kMaxSeats; ++count)
      for (const Plane& plane : kPlanes) sizes[static_cast<size_t>(count)] += plane.Size(count);
    return sizes;
  }();
  static_assert(kSizes[kMaxSeats] + 8 <= kMostObserved);
  return kSizes[static_cast<size_t>(players)];
}

void Observe(const View& view, uint8_t* out) {
  const int players = view.config.players;
  std::memset(out, 0, static_cast<size_t>(ObservationSize(players)));
  Writer writer(out);
  WriteCards(view, writer);
  for (const Seat seat : {view.seat, view.config.first, view.closing, view.culture_lead,
                          view.coin.owner, view.coin.seat, view.choice.target})
    writer.OneOf(PlaceOf(view, seat), players);
  writer.Kinds(view.viewer < kMaxSeats ? view.packs[view.viewer].cards : Cards());
  writer.Kinds(view.centre);
  writer.Kinds(view.discard);
  writer.Kinds(kAllOfThem - SeenIn(view));
  WriteTurn(view, writer);
}

}  // namespace civ
