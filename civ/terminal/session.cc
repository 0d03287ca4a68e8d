#include "civ/terminal/session.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <set>
#include <sstream>
#include <tuple>

#include "civ/analysis/advice.h"
#include "civ/guide/offer.h"
#include "civ/guide/pacts.h"
#include "civ/notation/notation.h"
#include "civ/terminal/console.h"
#include "civ/terminal/screen.h"
#include "civ/words/records.h"

namespace civ {
namespace {

enum class Command { Help, Hint, Talk, Table, Log, Score, Rules, Save, Quit };
constexpr std::array<std::pair<Command, const char*>, 9> kCommands = {{{Command::Help, "help"},
                                                                       {Command::Hint, "hint"},
                                                                       {Command::Talk, "talk"},
                                                                       {Command::Table, "table"},
                                                                       {Command::Log, "log"},
                                                                       {Command::Score, "score"},
                                                                       {Command::Rules, "rules"},
                                                                       {Command::Save, "save"},
                                                                       {Command::Quit, "quit"}}};

// "play M1" however it was typed: "Play  m1".
std::optional<Action> ParseTyped(const std::string& text) {
  std::istringstream words(text);
  std::vector<std::string> parts;
  for (std::string word; words >> word;) {
    const bool card = word.size() <= 2;
    std::ranges::transform(word, word.begin(), [card](unsigned char c) {
      return static_cast<char>(card ? std::toupper(c) : std::tolower(c));
    });
    parts.push_back(word);
  }
  return ParseAction(Join(parts, " "));
}

// What follows a command.
std::string Rest(const std::string& line) {
  const size_t blank = line.find(' ');
  return blank == line.npos ? "" : line.substr(line.find_first_not_of(' ', blank));
}

// 0 where it is none.
size_t NumberIn(const std::string& line) {
  size_t number = 0;
  const auto [end, status] = std::from_chars(line.data(), line.data() + line.size(), number);
  return status == std::errc() && end == line.data() + line.size() ? number : 0;
}

// For a hint that can be pasted into a shell.
std::string Quoted(const std::string& file) {
  if (file.find_first_of(" \t\n\"'`$&|;<>()[]{}*?!#~\\") == file.npos) return file;
  std::string quoted = "'";
  for (const char c : file) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

class Session {
 public:
  Session(Match match, const Words& words, const SessionOptions& options)
      : match_(std::move(match)),
        say_(words, NamesIn(match_.record(), words)),
        screen_(say_, match_.Bots(), match_.Talkers()),
        options_(options),
        file_(options.file) {}

  bool Run() {
    if (!Greet()) return false;
    while (match_.Now().step != Step::Over)
      if (!Advance()) return Leave();
    return Finish();
  }

 private:
  const State& Now() const { return match_.Now(); }
  bool Alone() const { return std::popcount(match_.People()) < 2; }

  bool Greet() {
    console_.Say(screen_.Setup(Now().config));
    console_.Say(say_("play.welcome", {{"help", Word(Command::Help)}}));
    Recap();
    return file_.empty() || Save();
  }

  // After a resumption everybody hears again what has happened since their own last action.
  void Recap() {
    told_.fill(match_.Length());
    unsigned waiting = match_.People();
    for (size_t i = match_.Length(); waiting != 0 && i > 0; --i) {
      const Seat seat = match_.states()[i - 1].seat;
      if ((waiting >> seat & 1) != 0) told_[seat] = i;
      waiting &= ~(1u << seat);
    }
    for (Seat seat = 0; seat < kMaxSeats; ++seat)
      if ((waiting >> seat & 1) != 0) told_[seat] = 0;
    for (size_t i = 0; i < told_.size(); ++i) told_news_[i] = NumberOfNews(told_[i]);
    if (Alone() && match_.People() != 0)
      holder_ = static_cast<Seat>(std::countr_zero(match_.People()));
  }

  // One decision. False if the input has ended or the player wants to leave.
  bool Advance() {
    const Seat seat = Now().seat;
    if (match_.IsBot(seat)) {
      const Match::Choice choice = match_.BotChoice();
      if (!choice.failure.empty()) {
        console_.Say();
        console_.Say(say_("play.program-failed", {{"name", say_.Name(seat)},
                                                  {"why", PlainText(choice.failure)},
                                                  {"level", match_.LevelOf(seat)}}));
      }
      if (choice.say) match_.Say(seat, *choice.say);
      Act(choice.action, false);
      return true;
    }
    const ActionSet legal = Legal(match_.ViewOf(seat));
    if (legal.Size() == 1 && !options_.ask_all) {
      Act(legal[0], true);
      return true;
    }
    const std::optional<Action> action = Decide(seat, InOrder(legal));
    if (action) Act(*action, false);
    return action.has_value();
  }

  void Act(Action action, bool forced) {
    const Seat seat = Now().seat;
    match_.Apply(action);
    forced_.resize(match_.Length());
    forced_.back() = forced;
    if (!file_.empty()) Save();
    // Several people hear of it when it is their turn to look, each in their own words.
    if (Alone() || seat == holder_) TellNews();
  }

  // --- Telling ---

  Listener Audience() const { return {holder_, holder_ != kSpectator, false}; }

  // What the one who looks has not been told yet.
  void TellNews() {
    if (GoesOn(Now()) && Now().seat != holder_)
      return;  // others are told of when they have named all cards
    TellFrom(told_[holder_], told_news_[holder_], Audience(), shown_turn_);
    told_[holder_] = match_.Length();
    told_news_[holder_] = match_.pacts().news.size();
  }

  size_t NumberOfNews(size_t action) const {
    return match_.pacts().news.size() - NewsFrom(match_.pacts(), action).size();
  }

  // All actions from number `i` on, each turn under its heading unless that was shown already, and
  // the news of pacts from number `news` on.
  void TellFrom(size_t i, size_t news, const Listener& to, int& shown_turn) {
    const std::vector<Action>& actions = match_.record().actions;
    std::vector<Told> story = TellCourse({match_.states(), actions}, i, to, shown_turn);
    TellTalk(story, std::span(match_.pacts().news).subspan(news), Now(), to);
    for (const Told& told : story) {
      if (told.heading) {
        console_.Say();
        console_.Say(say_(*told.heading));
        shown_turn = told.turn;
      }
      if (told.begin < forced_.size() && forced_[told.begin] && to.Is(told.seat))
        console_.Say("  " + say_(actions[told.begin] == kEnd ? "play.forced-end" : "play.forced"));
      console_.Say(say_(told.lines), "  ");
    }
  }

  // The last turns, or all of them.
  void ShowLog(const std::string& how_many) {
    int turns = 0, shown_turn = -1;
    std::from_chars(how_many.data(), how_many.data() + how_many.size(), turns);
    size_t begin = 0;
    while (turns > 0 && begin < match_.Length() &&
           match_.states()[begin].turn + turns <= Now().turn)
      ++begin;
    TellFrom(begin, NumberOfNews(begin), Audience(), shown_turn);
    if (match_.Length() == 0 && match_.pacts().news.empty()) console_.Say(say_("play.log-empty"));
  }

  // --- Asking ---

  // Whoever looked before must not see the next one's cards, nor the other way round.
  bool Curtain(Seat seat) {
    if (seat == holder_) return true;
    if (holder_ != kSpectator) {
      console_.Say();
      if (!Pause(say_("curtain.hide", {{"name", say_.Name(seat)}}))) return false;
    }
    if (!Pause(say_("curtain.ready", {{"name", say_.Name(seat)}}))) return false;
    holder_ = seat;
    shown_turn_ = -1;
    return true;
  }

  bool Pause(const std::string& prompt) {
    const std::optional<std::string> line = console_.Ask(prompt);
    if (!line || CommandOf(*line) == Command::Quit) return false;
    console_.Clear();
    return true;
  }

  std::optional<Action> Decide(Seat seat, const std::vector<Action>& choices) {
    if (!Curtain(seat)) return std::nullopt;
    TellNews();
    const View view = match_.ViewOf(seat);
    if (!options_.brief || shown_turn_ != view.turn) ShowTable(view);
    if (!AnswerOffers(seat)) return std::nullopt;
    ShowQuestion(view, choices);
    while (true) {
      const std::optional<std::string> line =
          console_.Ask(say_("play.prompt", {{"count", static_cast<int>(choices.size())},
                                            {"help", Word(Command::Help)}}));
      if (!line) return std::nullopt;
      if (line->empty()) {
        ShowQuestion(view, choices);
      } else if (const std::optional<Command> command = CommandOf(*line)) {
        if (!Obey(*command, *line, view, choices)) return std::nullopt;
      } else if (const std::optional<Action> action = ChoiceOf(*line, choices);
                 action && MayBreak(seat, *action)) {
        return action;
      }
    }
  }

  // --- Pacts ---

  Listener You(Seat seat) const { return {seat, true, false}; }

  // The choice that was made: 0 for none of them, which an empty line is, too. Nothing if the input
  // has ended.
  std::optional<size_t> AskFor(const Lines& choices) {
    for (size_t i = 0; i < choices.size(); ++i)
      console_.Say(
          say_("play.talk-choice", {{"number", static_cast<int>(i) + 1}, {"words", choices[i]}}));
    while (true) {
      const std::optional<std::string> line =
          console_.Ask(say_("play.talk-prompt", {{"count", static_cast<int>(choices.size())}}));
      if (!line) return std::nullopt;
      if (line->empty()) return 0;
      if (const size_t number = NumberIn(*line); number >= 1 && number <= choices.size())
        return number;
      console_.Say(say_("play.unknown", {{"input", Shortened(*line)}}));
    }
  }

  // Everything that may be said, to choose from. False if the input has ended.
  bool ChooseTalk(Seat seat, const std::vector<Talk>& possible) {
    Lines choices;
    for (const Talk& talk : possible)
      choices.push_back(say_(TellPossible(talk, match_.pacts(), You(seat))));
    const std::optional<size_t> number = AskFor(choices);
    if (!number) return false;
    if (*number == 0) return true;
    match_.Say(seat, possible[*number - 1]);
    if (!file_.empty()) Save();
    TellNews();
    return true;
  }

  // Offers to the seat, each asked about once; later they can still be answered.
  bool AnswerOffers(Seat seat) {
    for (const Proposal& offer : std::vector(match_.pacts().offers)) {
      std::vector<Talk> answers = match_.Possible(seat);
      std::erase_if(answers, [&](const Talk& talk) {
        return talk.id != offer.id || (talk.kind != TalkKind::Yes && talk.kind != TalkKind::No);
      });
      if (answers.empty() || !asked_.emplace(seat, offer.id).second) continue;
      console_.Say();
      console_.Say(say_(TellOffer(offer, You(seat))));
      console_.Say(say_(TellTerms(offer.kind, offer.against, Now(), You(seat))));
      if (!ChooseTalk(seat, answers)) return false;
    }
    return true;
  }

  // Before a pact is broken it is asked whether that is meant.
  bool MayBreak(Seat seat, Action action) {
    const Messages breaks = TellBreaks(match_.pacts(), Now(), action, You(seat));
    if (breaks.empty()) return true;
    console_.Say();
    console_.Say(say_(breaks));
    return AskFor({say_("play.talk-break"), say_("play.talk-keep")}) == 1;
  }

  void TalkOrNot(const View& view) {
    const std::vector<Talk> possible = match_.Possible(view.viewer);
    for (const Pact& pact : match_.pacts().pacts)
      console_.Say(say_(TellPact(pact, Now(), You(view.viewer))));
    if (possible.empty())
      console_.Say(say_("play.talk-nothing"));
    else
      ChooseTalk(view.viewer, possible);
  }

  void ShowTable(const View& view) {
    console_.Say();
    console_.Say(screen_.Table(view));
    shown_turn_ = view.turn;
  }

  void ShowQuestion(const View& view, const std::vector<Action>& choices) {
    console_.Say();
    console_.Say(screen_.Question(view, choices));
  }

  // The action that was typed, as a number or in notation. Otherwise says why not.
  std::optional<Action> ChoiceOf(const std::string& line, const std::vector<Action>& choices) {
    if (const size_t number = NumberIn(line); number >= 1 && number <= choices.size())
      return choices[number - 1];
    const std::optional<Action> action = ParseTyped(line);
    if (action && std::ranges::find(choices, *action) != choices.end()) return action;
    const std::string why = action ? say_.words().Describe(IllegalAction(Now(), *action))
                                   : say_("play.unknown", {{"input", Shortened(line)}});
    console_.Say(why);
    console_.Say(say_("play.possible",
                      {{"count", static_cast<int>(choices.size())}, {"commands", CommandList()}}));
    return std::nullopt;
  }

  // --- Commands ---

  std::string Word(Command command) const {
    for (const auto& [known, name] : kCommands)
      if (known == command) return say_("command." + std::string(name));
    return {};
  }

  std::string CommandList() const {
    std::vector<std::string> names;
    for (const auto& [command, name] : kCommands) names.push_back(Word(command));
    return Join(names, ", ");
  }

  // A command by its English name or the one of the language, with or without accents.
  std::optional<Command> CommandOf(const std::string& line) const {
    const std::string word = Folded(line.substr(0, line.find(' ')));
    for (const auto& [command, name] : kCommands)
      if (word == name || word == Folded(Word(command))) return command;
    return std::nullopt;
  }

  // False if it is to leave.
  bool Obey(Command command, const std::string& line, const View& view,
            const std::vector<Action>& choices) {
    if (command != Command::Log) console_.Say();  // its first heading brings one
    switch (command) {
      case Command::Help: Help(choices); break;
      case Command::Hint: Hint(view, choices); break;
      case Command::Talk: TalkOrNot(view); break;
      case Command::Table:
        console_.Say(screen_.Table(view));
        ShowQuestion(view, choices);
        break;
      case Command::Log: ShowLog(Rest(line)); break;
      case Command::Score: console_.Say(screen_.Score(Now())); break;
      case Command::Rules: console_.Say(screen_.Reference(Now().config)); break;
      case Command::Save: SaveAs(Rest(line)); break;
      case Command::Quit: return !MayQuit();
    }
    console_.Say();
    return true;
  }

  void Help(const std::vector<Action>& choices) {
    console_.Say(say_("help.choose", {{"count", static_cast<int>(choices.size())},
                                      {"example", NameOf(choices.front())}}));
    console_.Say(say_("help.notation"));
    for (const auto& [command, name] : kCommands) {
      const std::string does = say_("help." + std::string(name), {{"command", Word(command)}});
      console_.Say("  " + say_("help.command", {{"command", Word(command)}, {"does", does}}));
    }
  }

  // The best choices, under the numbers they are offered by.
  void Hint(const View& view, const std::vector<Action>& choices) {
    const Thought thought = match_.Advice();
    for (size_t i = 0; i < std::min<size_t>(3, thought.judgements.size()); ++i) {
      const Judgement& judgement = thought.judgements[i];
      console_.Say(Advice(say_, view, judgement,
                          std::ranges::find(choices, judgement.action) - choices.begin() + 1));
      for (const std::string& reason : say_(WhyTake(view, judgement.action, 0)))
        console_.Say("   " + reason);
    }
    if (thought.judgements.empty())
      console_.Say(say_("hint.only", {{"action", NameOf(choices.front())}}));
  }

  // A game that would be lost is left only when asked twice in a row.
  bool MayQuit() {
    if (!file_.empty() || quit_at_ == match_.Length()) return true;
    quit_at_ = match_.Length();
    console_.Say(
        say_("play.quit-unsaved", {{"quit", Word(Command::Quit)}, {"save", Word(Command::Save)}}));
    return false;
  }

  void SaveAs(const std::string& file) {
    std::error_code ignored;
    if (file.empty() && file_.empty())
      return console_.Say(say_("play.save-where", {{"save", Word(Command::Save)}}));
    if (!file.empty() && file != file_ && std::filesystem::exists(file, ignored))
      return console_.Say(say_("play.file-exists", {{"file", file}}));
    const auto before = std::pair(file_, unsaved_);
    if (!file.empty()) file_ = file;
    if (Save()) return console_.Say(say_("play.saved", {{"file", file_}}));
    if (!file.empty()) std::tie(file_, unsaved_) = before;  // it stays where it was
  }

  // --- Files and endings ---

  // A game that cannot be saved goes on; the player hears of it.
  bool Save() {
    unsaved_ = !options_.write(file_, match_.record().Dump() + '\n');
    if (unsaved_) console_.Say(say_("play.not-saved", {{"file", file_}}));
    return !unsaved_;
  }

  // Each ending says whether all is well.
  bool Leave() {
    if (console_.state() == Console::State::Broken) return false;
    if (console_.state() == Console::State::Ended) console_.Say(say_("play.end-of-input"));
    if (unsaved_) return false;
    if (file_.empty()) {
      console_.Say(say_("play.left-unsaved"));
      return true;
    }
    const std::string language = options_.language.empty() ? "" : " --lang " + options_.language;
    console_.Say(say_("play.left", {{"command", "civ play --resume " + Quoted(file_) + language}}));
    return true;
  }

  bool Finish() {
    if (!Alone()) {
      told_[kSpectator] = told_[holder_];
      told_news_[kSpectator] = told_news_[holder_];
      holder_ = kSpectator;
      TellNews();
    }
    console_.Say();
    console_.Say(Ending(say_, Now()));
    if (Alone() && match_.People() != 0)
      console_.Say(say_((Result(Now()).winners & match_.People()) != 0 ? "play.won" : "play.lost"));
    if (!file_.empty() && !unsaved_)
      console_.Say(say_("play.record", {{"command", "civ replay " + Quoted(file_)}}));
    return !unsaved_;
  }

  Match match_;
  Phrases say_;
  Screen screen_;
  Console console_;
  const SessionOptions options_;
  std::string file_;  // where the game is saved; empty if nowhere

  Seat holder_ = kSpectator;                    // who looks at the screen
  std::array<size_t, kObservers> told_{};       // how many actions each has heard of
  std::array<size_t, kObservers> told_news_{};  // and how much news of pacts
  std::set<std::pair<Seat, int>> asked_;        // which seat about which offer
  int shown_turn_ = -1;                         // the turn whose heading stands on the screen
  std::vector<bool> forced_;                    // which actions were done without asking
  size_t quit_at_ = static_cast<size_t>(-1);  // the number of actions when quit was last asked for
  bool unsaved_ = false;                      // the last attempt to save has failed
};

}  // namespace

bool Play(Match match, const Words& words, const SessionOptions& options) {
  return Session(std::move(match), words, options).Run();
}

}  // namespace civ
