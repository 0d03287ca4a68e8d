// What happens in a game, told in sentences: the one place where actions become words.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/phrases.h"
#include "bots/bot.h"

namespace civ {

// "Turn 7, round 3: Ada"; the draft has no turns.
std::string Heading(const Phrases& say, const Public& table, const Listener& to);

// A course of a game: actions, and the states before, between and after them.
struct Course {
  std::span<const State> states;
  std::span<const Action> actions;
};

// How many actions from number `i` on are told as one: an action, or all cards that an effect discards, picks or gives back.
size_t TogetherFrom(const Course& course, size_t i);
// Whether the next action would be told together with the one before it.
bool GoesOn(const State& state);

// What the actions from `begin` to `end`, which are told as one, did. Cards that the listener may not see are told by their backs.
std::vector<std::string> Tell(const Phrases& say, const Course& course, size_t begin, size_t end, const Listener& to);

// What a legal action would do, as the deciding seat sees it: a few words for a list of choices.
std::string Offer(const Phrases& say, const View& view, Action action);

// The same with its number among the choices, and how likely the deciding seat then wins.
std::string Advice(const Phrases& say, const View& view, const Judgement& judgement, int64_t number);

}  // namespace civ
