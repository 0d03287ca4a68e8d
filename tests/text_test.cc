// The words of the program: five languages that say the same, in messages that are whole, used and
// filled in.
#include <gtest/gtest.h>
#include <unicode/messagepattern.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "civ/bots/playout.h"
#include "civ/guide/ending.h"
#include "civ/guide/guide.h"
#include "civ/guide/offer.h"
#include "civ/guide/story.h"
#include "civ/notation/notation.h"
#include "civ/notation/record.h"
#include "civ/notation/talk.h"
#include "civ/rules/check.h"
#include "civ/table/command.h"
#include "civ/terminal/screen.h"
#include "civ/view/deal.h"
#include "civ/words/phrases.h"
#include "civ/words/texts.h"
#include "civ/words/words.h"

namespace civ {
namespace {

using Patterns = std::map<std::string, std::string>;
using Strings = std::set<std::string>;

Patterns MessagesOf(std::string_view language) {
  for (const EmbeddedText& text : EmbeddedTexts())
    if (text.language == language) return nlohmann::json::parse(text.json).get<Patterns>();
  return {};
}

icu::MessagePattern Parse(const std::string& message, UErrorCode& status) {
  icu::MessagePattern pattern(status);
  UParseError where;
  pattern.parse(icu::UnicodeString::fromUTF8(message), &where, status);
  return pattern;
}

std::string PartText(const icu::MessagePattern& pattern, const icu::MessagePattern::Part& part) {
  std::string text;
  return pattern.getSubstring(part).toUTF8String(text);
}

// The names of the arguments that a message uses.
Strings ArgumentsOf(const std::string& message) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::MessagePattern pattern = Parse(message, status);
  Strings names;
  for (int32_t i = 0; i < pattern.countParts(); ++i)
    if (pattern.getPartType(i) == UMSGPAT_PART_TYPE_ARG_NAME)
      names.insert(PartText(pattern, pattern.getPart(i)));
  return names;
}

// Of every plural in a message: the cases it tells apart ("one", "=0", …).
std::vector<Strings> PluralsOf(const std::string& message) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::MessagePattern pattern = Parse(message, status);
  std::vector<Strings> plurals;
  std::vector<std::pair<bool, Strings>> open;
  for (int32_t i = 0; i < pattern.countParts(); ++i) {
    const icu::MessagePattern::Part& part = pattern.getPart(i);
    if (part.getType() == UMSGPAT_PART_TYPE_ARG_START)
      open.emplace_back(part.getArgType() == UMSGPAT_ARG_TYPE_PLURAL, Strings());
    if (part.getType() == UMSGPAT_PART_TYPE_ARG_SELECTOR)
      open.back().second.insert(PartText(pattern, part));
    if (part.getType() == UMSGPAT_PART_TYPE_ARG_LIMIT) {
      if (open.back().first) plurals.push_back(open.back().second);
      open.pop_back();
    }
  }
  return plurals;
}

std::string Contents(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// The rooms whose sources name keys.
std::vector<std::string> Sources(std::initializer_list<const char*> rooms) {
  std::vector<std::string> sources;
  for (const char* room : rooms) {
    const auto folder = std::filesystem::path(CIV_TESTS_DIR) / ".." / room;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".cc" || entry.path().extension() == ".h")
        sources.push_back(Contents(entry.path()));
  }
  return sources;
}

struct Literal {
  std::string text;
  size_t end;  // where the source goes on after it
};

// What stands between quotation marks and could be a key or the name of an argument.
std::vector<Literal> LiteralsIn(const std::string& source) {
  constexpr const char* kOfKeys =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
  std::vector<Literal> literals;
  for (size_t begin = source.find('"'); begin != source.npos; begin = source.find('"', begin + 1)) {
    const size_t end = source.find_first_not_of(kOfKeys, begin + 1);
    if (end != source.npos && end > begin + 1 && source[end] == '"')
      literals.push_back({source.substr(begin + 1, end - begin - 1), end + 1});
  }
  return literals;
}

Strings AllLiterals() {
  Strings literals;
  for (const std::string& source :
       Sources({"civ/analysis", "civ/app", "civ/guide", "civ/notation", "civ/outside", "civ/report",
                "civ/table", "civ/terminal", "civ/words", "bindings/wasm"}))
    for (const Literal& literal : LiteralsIn(source)) literals.insert(literal.text);
  // The server's logs have names that look like keys, so of what it names only that counts which
  // people can be told.
  for (const std::string& source : Sources({"civ/server"}))
    for (const Literal& literal : LiteralsIn(source))
      for (const char* prefix : {"error.", "closing.", "data.", "backup."})
        if (literal.text.starts_with(prefix)) literals.insert(literal.text);
  return literals;
}

// The keys that the program puts together from a prefix and a name.
Strings ComposedKeys() {
  Strings keys;
  for (int d = 0; d < kDomains; ++d)
    keys.insert("domain." + std::string(NameOf(static_cast<Domain>(d))));
  for (const std::string prefix : {"effect.", "does."}) {
    for (const Effect effect : kAllEffects) keys.insert(prefix + std::string(NameOf(effect)));
    keys.insert(prefix + "inspiration");
  }
  for (int why = 1; why <= static_cast<int>(Why::NothingThere); ++why)
    keys.insert("why." + std::string(NameOf(static_cast<Why>(why))));
  for (const char* wanted : {"list", "object", "integer", "number", "boolean", "text"})
    keys.insert(std::string("wanted.") + wanted);
  for (const Setup setup : {Setup::Basic, Setup::Draft})
    keys.insert("setup." + std::string(NameOf(setup)));
  for (const Edition edition : {Edition::En, Edition::Fr, Edition::Es, Edition::Pt, Edition::Ro})
    keys.insert("edition." + std::string(NameOf(edition)));
  for (const std::string prefix : {"command.", "help."})
    for (const char* command :
         {"help", "hint", "talk", "table", "log", "score", "rules", "save", "quit"})
      keys.insert(prefix + command);
  for (const std::string_view phrase : QuickPhrases()) keys.insert("phrase." + std::string(phrase));
  for (const TalkKind kind : {TalkKind::Truce, TalkKind::Together})
    for (const std::string what : {"", "yes-", "give-up-", "about-", "broken-", "over-", "holds-",
                                   "breaks-", "do-", "do-give-up-"})
      keys.insert("pact." + what + std::string(NameOf(kind)));
  for (const TalkKind kind : {TalkKind::Yes, TalkKind::No, TalkKind::Warn, TalkKind::Signal})
    keys.insert("pact.do-" + std::string(NameOf(kind)));
  for (int character = 0; character < kCharacters; ++character)
    for (const std::string prefix : {"character.", "character.about-"})
      keys.insert(prefix + std::string(NameOf(static_cast<Character>(character))));
  return keys;
}

// Words that are rightly the same as in English: names, borrowed words, and messages without words.
const std::map<std::string, Strings> kSameAsEnglish = {
    {"es", {"analyze.error"}},
    {"fr",
     {"domain.R", "domain.S", "effect.purge", "effect.inspiration", "effect.inquisition",
      "column.most", "command.table", "command.score", "analyze.joker", "report.jokers"}},
    {"pt", {"domain.U", "percent"}},
    {"ro", {"effect.experiment", "percent", "analyze.joker"}},
};
const Strings kSameEverywhere = {
    "effect.embargo", "cards.times",  "column",           "column.next",    "setup.draft",
    "offer.use",      "choice",       "play.talk-choice", "tag.bot",        "reference.permanent",
    "ending.count",   "help.command", "record.wrong",     "analyze.chance", "analyze.action"};

TEST(Text, FiveLanguages) {
  EXPECT_EQ(Words::Languages(), (std::vector<std::string>{"en", "es", "fr", "pt", "ro"}));
}

TEST(Text, EveryLanguageHasTheSameKeys) {
  const Patterns english = MessagesOf("en");
  ASSERT_GT(english.size(), 200u);
  for (const std::string& language : Words::Languages()) {
    const Patterns messages = MessagesOf(language);
    for (const auto& [key, message] : english)
      EXPECT_TRUE(messages.contains(key)) << language << " lacks " << key;
    for (const auto& [key, message] : messages)
      EXPECT_TRUE(english.contains(key)) << language << " has more: " << key;
  }
}

TEST(Text, EveryMessageParsesAndUsesTheArgumentsOfEnglish) {
  const Patterns english = MessagesOf("en");
  for (const std::string& language : Words::Languages())
    for (const auto& [key, message] : MessagesOf(language)) {
      UErrorCode status = U_ZERO_ERROR;
      Parse(message, status);
      EXPECT_TRUE(U_SUCCESS(status)) << language << ' ' << key << ": " << message;
      EXPECT_EQ(ArgumentsOf(message), ArgumentsOf(english.at(key))) << language << ' ' << key;
      EXPECT_FALSE(message.empty()) << language << ' ' << key;
      EXPECT_EQ(message.find('\''), message.npos)
          << language << ' ' << key << ": ICU quotes with '; use ’";
      EXPECT_EQ(message.find("  "), message.npos) << language << ' ' << key << ": two blanks";
    }
}

TEST(Text, PluralsHaveTheFormsOfTheirLanguage) {
  for (const std::string& language : Words::Languages())
    for (const auto& [key, message] : MessagesOf(language))
      for (const Strings& cases : PluralsOf(message)) {
        EXPECT_TRUE(cases.contains("other")) << language << ' ' << key;
        const bool wants_few = language == "ro" && cases.contains("one");
        EXPECT_EQ(cases.contains("few"), wants_few) << language << ' ' << key;
      }
}

TEST(Text, NothingIsLeftInEnglish) {
  const Patterns english = MessagesOf("en");
  for (const std::string& language : Words::Languages()) {
    if (language == "en") continue;
    const auto own = kSameAsEnglish.find(language);
    for (const auto& [key, message] : MessagesOf(language)) {
      const bool allowed = kSameEverywhere.contains(key) ||
                           (own != kSameAsEnglish.end() && own->second.contains(key));
      EXPECT_TRUE(allowed || message != english.at(key)) << language << ' ' << key;
    }
  }
}

TEST(Text, EveryKeyIsUsedAndEveryUsedKeyExists) {
  const Patterns english = MessagesOf("en");
  const Strings literals = AllLiterals(), composed = ComposedKeys();
  Strings used = literals, prefixes;
  for (const std::string& source : Sources({"civ/server"}))
    for (const Literal& literal : LiteralsIn(source)) used.insert(literal.text);
  used.insert("closing.unused");  // in logs of version 0.2.0
  for (const auto& [key, message] : english) {
    EXPECT_TRUE(used.contains(key) || composed.contains(key)) << key << " is not used";
    if (key.find('.') != key.npos) prefixes.insert(key.substr(0, key.find('.') + 1));
  }
  for (const std::string& key : composed) {
    EXPECT_TRUE(english.contains(key)) << key << " is put together, but does not exist";
    const std::string prefix = key.substr(0, key.find('.') + 1);
    // Words::Describe takes its prefixes from the names of the arguments; quick phrases and the
    // characters of bots are for those who show a table.
    const bool elsewhere =
        prefix == "wanted." || prefix == "domain." || prefix == "phrase." || prefix == "character.";
    EXPECT_TRUE(elsewhere || literals.contains(prefix)) << "nothing puts together " << prefix;
  }
  for (const std::string& literal : literals) {
    const size_t dot = literal.find('.');
    if (dot == literal.npos || dot + 1 == literal.size() ||
        !prefixes.contains(literal.substr(0, dot + 1)))
      continue;
    EXPECT_TRUE(english.contains(literal)) << literal << " does not exist";
  }
}

TEST(Text, EveryReasonAndEveryFaultHasItsMessage) {
  const Patterns english = MessagesOf("en");
  for (int why = 1; why <= static_cast<int>(Why::NothingThere); ++why) {
    const std::string name(NameOf(static_cast<Why>(why)));
    ASSERT_FALSE(name.empty()) << why;
    EXPECT_TRUE(english.contains("why." + name)) << name;
    for (const std::string& argument : ArgumentsOf(english.at("why." + name)))
      EXPECT_TRUE((Strings{"action", "domain", "number"}).contains(argument))
          << name << ": IllegalAction gives no " << argument;
  }
  const std::vector<std::string> faults = {
      "config",    "cards",  "deck-order", "seat", "turn",      "draft",   "packs",   "used",
      "hand-size", "choice", "face-down",  "coin", "last-draw", "closing", "not-over"};
  ASSERT_EQ(faults.size(), static_cast<size_t>(Fault::NotOver));
  for (const std::string& fault : faults)
    EXPECT_TRUE(english.contains("error.state." + fault)) << fault;
}

// Every place that makes an error gives exactly the arguments that its message asks for.
TEST(Text, ErrorsCarryTheirArguments) {
  const Patterns english = MessagesOf("en");
  int found = 0;
  for (const std::string& source : Sources({"civ/notation", "civ/table"}))
    for (const auto& [key, end] : LiteralsIn(source)) {
      if (!key.starts_with("error.")) continue;
      const std::string rest = source.substr(end, source.find(';', end) - end);
      Strings given;
      for (const Literal& name : LiteralsIn(rest))
        if (rest.substr(name.end - name.text.size() - 3, 2) == "{\"" && rest[name.end] == ',')
          given.insert(name.text);
      ASSERT_TRUE(english.contains(key)) << key;
      EXPECT_EQ(given, ArgumentsOf(english.at(key))) << key;
      ++found;
    }
  EXPECT_GT(found, 30);
}

// Whether a sentence is whole: nothing unfilled, and no key in place of a message.
bool IsWhole(const std::string& text) {
  static const Patterns english = MessagesOf("en");
  return !text.empty() && text.find_first_of("{}#") == text.npos && !english.contains(text) &&
         text.find("  ") == text.npos;
}

TEST(Text, EveryErrorIsFilledIn) {
  const std::map<std::string, std::string> samples = {
      {"action", "play M1"}, {"domain", "M"},    {"number", "2"}, {"field", "deck"},
      {"value", "x"},        {"card", "M1"},     {"least", "0"},  {"most", "3"},
      {"size", "90"},        {"command", "fly"}, {"bot", "x"},    {"round", "2"},
      {"table", "t1"},       {"person", "p_1"}};
  for (const std::string& language : Words::Languages()) {
    const Words words(language);
    for (const auto& [key, message] : MessagesOf(language)) {
      if (!key.starts_with("error.") && !key.starts_with("why.")) continue;
      Error error{key, {}};
      for (const std::string& name : ArgumentsOf(message))
        error.args.emplace_back(
            name, name == "wanted" ? (key == "error.type" ? "list" : "95") : samples.at(name));
      const std::string text = words.Describe(error);
      EXPECT_TRUE(IsWhole(text)) << language << ' ' << key << ": " << text;
      const bool names_domain = text.find(words("domain.M")) != text.npos;
      EXPECT_TRUE(names_domain || message.find("{domain}") == message.npos)
          << language << ' ' << text;
    }
  }
}

TEST(Text, NumbersOfCardsInRomanian) {
  const Words words("ro");
  const auto deck = [&](int count) {
    return words("screen.deck", {{"count", count}, {"age", "I"}});
  };
  EXPECT_NE(deck(1).find("1 carte,"), std::string::npos);
  EXPECT_NE(deck(19).find("19 cărți,"), std::string::npos);
  EXPECT_NE(deck(20).find("20 de cărți,"), std::string::npos);
  EXPECT_NE(deck(101).find("101 cărți,"), std::string::npos);
}

TEST(Text, ListsAndPlainText) {
  EXPECT_EQ(Words("en").List({"Ada", "Ben", "Cleo"}), "Ada, Ben and Cleo");
  EXPECT_EQ(Words("fr").List({"Ada", "Ben"}), "Ada et Ben");
  EXPECT_EQ(PlainText("a\x1b[2Jb\x07\n\u202ec"), "a[2Jbc");
  EXPECT_EQ(PlainText("\xff"), "\xef\xbf\xbd");
  EXPECT_EQ(Folded("RÈGLES"), "regles");
  EXPECT_EQ(Folded("Ieșire"), "iesire");
  EXPECT_EQ(Words("en")("no.such-key"), "no.such-key");
  const std::string told =
      Words("en").Describe({"error.action", {{"action", std::string(1000, 'x')}}});
  EXPECT_LT(told.size(), 150u);
}

TEST(Text, LanguageOfTheEnvironment) {
  const auto language = [](const char* all, const char* messages, const char* lang) {
    setenv("LC_ALL", all, 1);
    setenv("LC_MESSAGES", messages, 1);
    setenv("LANG", lang, 1);
    return Words::LanguageOfEnvironment();
  };
  EXPECT_EQ(language("", "", "fr_CA.UTF-8"), "fr");
  EXPECT_EQ(language("", "ro_RO", "fr_FR"), "ro");
  EXPECT_EQ(language("pt", "ro_RO", "fr_FR"), "pt");
  EXPECT_EQ(language("C.UTF-8", "ro_RO", "fr_FR"), "en");
  EXPECT_EQ(language("", "", "de_DE"), "en");
  EXPECT_EQ(language("", "", ""), "en");
}

// --- Whole games in words ------------------------------------------------------------------------

struct Played {
  Config config;
  std::vector<State> states;
  std::vector<Action> actions;
  std::vector<Knowledge> knowledge;
};

Played Generate(Config config, Policy policy, uint64_t seed) {
  const Deal deal = DealFromSeed(config, seed);
  Played game{deal.config, {New(deal.config, deal.deck.Span())}, {}, {Knowledge()}};
  Random random(seed);
  while (game.states.back().step != Step::Over) {
    const State& now = game.states.back();
    const Action action = Choose(policy, now, Legal(now), random);
    Knowledge knows = game.knowledge.back();
    knows.Observe(now, action);
    State next = now;
    Apply(next, action);
    game.actions.push_back(action);
    game.states.push_back(next);
    game.knowledge.push_back(knows);
  }
  return game;
}

std::vector<Config> SomeConfigs() {
  return {{2, Setup::Basic, Edition::En, false, 0},
          {3, Setup::Draft, Edition::Es, false, 0},
          {4, Setup::Draft, Edition::Pt, true, 0},
          {4, Setup::Basic, Edition::Ro, false, 0}};
}

template <class Check>
void ForGames(Check check) {
  uint64_t seed = 1;
  for (const Config& config : SomeConfigs())
    for (const Policy policy : {Policy::Uniform, Policy::EffectHappy, Policy::Builder})
      check(Generate(config, policy, seed++));
}

Phrases PhrasesFor(const Words& words, int players) {
  std::vector<std::string> names = {"Ann", "Bob", "Cid", "Dan"};
  names.resize(static_cast<size_t>(players));
  return {words, names};
}

void ExpectWhole(const std::vector<std::string>& lines, std::string_view language) {
  for (const std::string& line : lines) {
    const std::string text = line.substr(std::min(line.find_first_not_of(' '), line.size()));
    EXPECT_TRUE(line.empty() || IsWhole(text)) << language << ": " << line;
  }
}

TEST(Story, IsWholeInEveryLanguageForEveryListener) {
  ForGames([](const Played& game) {
    for (const std::string& language : Words::Languages()) {
      const Words words(language);
      const Phrases say = PhrasesFor(words, game.config.players);
      const Course course = {game.states, game.actions};
      for (const Listener& to : {Listener{0, true, false}, Listener{1, false, false}, Listener{},
                                 Listener{kSpectator, false, true}})
        for (size_t i = 0, next = 0; i < game.actions.size(); i = next) {
          next = i + TogetherFrom(course, i);
          const std::vector<std::string> lines = say(Tell(course, i, next, to));
          EXPECT_FALSE(lines.empty());
          ExpectWhole(lines, language);
          EXPECT_TRUE(IsWhole(say(Heading(game.states[i], to))));
        }
    }
  });
}

TEST(Story, ScreensAreWholeInEveryLanguage) {
  ForGames([](const Played& game) {
    for (const std::string& language : Words::Languages()) {
      const Words words(language);
      const Phrases say = PhrasesFor(words, game.config.players);
      const Screen screen(say, 0b0110);
      for (size_t i = 0; i < game.actions.size(); i += 3) {
        const View view = MakeView(game.states[i], game.knowledge[i], game.states[i].seat);
        ExpectWhole(screen.Table(view), language);
        ExpectWhole(screen.Question(view, InOrder(Legal(view))), language);
      }
      ExpectWhole(screen.Setup(game.config), language);
      ExpectWhole(screen.Reference(game.config), language);
      ExpectWhole(screen.Score(game.states.back()), language);
      ExpectWhole(Ending(say, game.states.back()), language);
      ExpectWhole({say(TellForfeit(Json::parse(R"({"winners":[0,1],"by":"forfeit"})")))}, language);
    }
  });
}

TEST(Story, GuidesAreWholeInEveryLanguage) {
  ForGames([](const Played& game) {
    for (const std::string& language : Words::Languages()) {
      const Words words(language);
      const Phrases say = PhrasesFor(words, game.config.players);
      for (size_t i = 0; i < game.states.size(); i += 7) {
        const Guide guide = MakeGuide(MakeView(game.states[i], game.knowledge[i],
                                               static_cast<Seat>(i % game.config.players)));
        for (const Messages& messages : {guide.offers, guide.told, guide.ending})
          ExpectWhole(say(messages), language);
        EXPECT_TRUE(!guide.ask || IsWhole(say(*guide.ask)));
        for (const Guide::EffectNote& note : guide.effects)
          EXPECT_TRUE(!note.why || IsWhole(say(*note.why))) << language << ' ' << note.name;
        for (const std::optional<Guide::Danger>& danger : guide.threats)
          if (danger) ExpectWhole(say(danger->how), language);
        for (const auto& [kind, why] : guide.unplayable)
          EXPECT_TRUE(IsWhole(say(why))) << language << ' ' << say(why);
      }
    }
  });
}

// A card that is hidden from the listener is told by its back: no Domain is named.
TEST(Story, HidesWhatIsHidden) {
  int hidden = 0;
  ForGames([&](const Played& game) {
    const Words words("en");
    const Phrases say = PhrasesFor(words, game.config.players);
    const Course course = {game.states, game.actions};
    for (size_t i = 0; i < game.actions.size(); ++i) {
      const State& before = game.states[i];
      const Action action = game.actions[i];
      const bool names = action.NamesCard() && action != kSkip &&
                         (action.verb() == Verb::Keep || action.verb() == Verb::Give);
      if (!names && action != kEnd) continue;
      for (Seat seat = 0; seat <= kSpectator; ++seat) {
        const bool sees = seat == before.seat ||
                          (names && action.verb() == Verb::Give && seat == before.choice.target);
        if (sees || (seat >= game.config.players && seat != kSpectator)) continue;
        const std::string told = say(Tell(course, i, i + 1, {seat, true, false}).front());
        for (int d = 0; d < kDomains; ++d)
          EXPECT_EQ(told.find(say.Of(static_cast<Domain>(d))), told.npos) << told;
        ++hidden;
      }
    }
  });
  EXPECT_GT(hidden, 1000);
}

TEST(Story, ChoicesAreOfferedInFullWithTheEndLast) {
  ForGames([](const Played& game) {
    for (const State& state : game.states) {
      const ActionSet legal = Legal(state);
      const std::vector<Action> choices = InOrder(legal);
      ASSERT_EQ(static_cast<int>(choices.size()), legal.Size());
      for (const Action action : choices) EXPECT_TRUE(legal.Contains(action));
      EXPECT_TRUE(state.step != Step::Effects || choices.back() == kEnd);
    }
  });
}

void Put(State& state, Seat seat, Kind kind, int count) {
  for (; count > 0; --count) AddToTable(state, seat, kind);
}

TEST(Ending, ExplainsTies) {
  State state = EmptyState({3, Setup::Basic, Edition::En, false, 0});
  Put(state, 0, Kind::M1, 3);
  Put(state, 0, Kind::C1, 1);
  Put(state, 1, Kind::S1, 3);
  Put(state, 1, Kind::C1, 2);
  Put(state, 0, Kind::R1, 2);
  Put(state, 2, Kind::E1, 2);
  Put(state, 2, Kind::U3, 1);
  Put(state, 1, Kind::U3, 1);
  Put(state, 0, Kind::U3, 1);
  const Words words("en");
  const Phrases say = PhrasesFor(words, 3);
  const std::vector<std::string> lines = say(TellMajority(state));
  const std::vector<std::string> expected = {
      "Military: Ann (3). 1 point for Ann.",
      "Religion: Ann (2). 1 point for Ann.",
      "Economy: Cid (2). 1 point for Cid.",
      "Science: Bob (3). 1 point for Bob.",
      "Culture: Ann (1), Bob (2). 1 point for Bob.",
      "Utopia: Ann (1), Bob (1), Cid (1). 1 point each for Ann, Bob and Cid.",
      "Points: Ann (3), Bob (3), Cid (2).",
      "Ann and Bob are tied with 3 points each.",
      "Culture cards break the tie: Ann (1), Bob (2)."};
  EXPECT_EQ(lines, expected);
  EXPECT_EQ(say(TellLeader(state)), "Bob would win.");
  EXPECT_EQ(Majority(state).winners, 0b010);
}

TEST(Ending, CountsTeams) {
  State state = EmptyState({4, Setup::Basic, Edition::En, true, 0});
  Put(state, 0, Kind::M1, 2);
  Put(state, 2, Kind::M1, 2);
  Put(state, 3, Kind::S1, 1);
  const Words words("en");
  const Phrases say = PhrasesFor(words, 4);
  const std::vector<std::string> expected = {
      "Military: Ann (2), Cid (2). 1 point each for Ann and Cid.",
      "Science: Dan (1). 1 point for Dan.",
      "Nobody has a card, so no point: Religion, Economy, Culture and Utopia.",
      "A team scores a Domain once, even if both partners have the most of it.",
      "Points: Ann and Cid (1), Bob and Dan (1).",
      "The teams are tied with 1 point each.",
      "Science cards break the tie: Ann and Cid (0), Bob and Dan (1)."};
  EXPECT_EQ(say(TellMajority(state)), expected);
  EXPECT_EQ(say(TellLeader(state)), "Bob and Dan would win.");
}

}  // namespace
}  // namespace civ
