// What a player at the terminal is shown: lines of plain text, in an order that also makes sense
// when read aloud.
#pragma once

#include <string>
#include <vector>

#include "civ/bots/bot.h"
#include "civ/view/view.h"
#include "civ/words/phrases.h"

namespace civ {

class Screen {
 public:
  // Bit s of `bots` stands for seat s, and of `talkers`, those who make pacts.
  Screen(const Phrases& say, unsigned bots, unsigned talkers = 0)
      : say_(say), bots_(bots), talkers_(talkers) {}

  // Who plays what: players, set-up, edition, teams, First Player.
  Lines Setup(const Config& config) const;

  // All that the viewer may see. The viewer is the seat that decides.
  Lines Table(const View& view) const;

  // What is asked, and the choices by number.
  Lines Question(const View& view, const std::vector<Action>& choices) const;

  // If Majority were counted now.
  Lines Score(const Public& table) const;

  // What everything does, with the numbers for this table.
  Lines Reference(const Config& config) const;

 private:
  Lines Seated(const View& view, Seat seat) const;
  std::string Tags(const View& view, Seat seat) const;
  std::string Area(const View& view, Seat seat) const;
  std::string Column(const View& view, Seat seat, Domain domain) const;
  std::string HandOf(const View& view, Seat seat) const;
  std::string Pile(Cards discard) const;
  std::string CoinLine(const Coin& coin) const;
  Lines Used(const View& view) const;
  Lines ReferenceOf(const Config& config, Domain domain) const;

  const Phrases& say_;
  unsigned bots_, talkers_;
};

// Of a game that is over by the rules: who has won and how, a Majority explained line by line.
Lines Ending(const Phrases& say, const Public& table);

// What a legal action would do, with its number among the choices, and how likely the deciding seat
// then wins.
std::string Advice(const Phrases& say, const View& view, const Judgement& judgement,
                   int64_t number);

}  // namespace civ
