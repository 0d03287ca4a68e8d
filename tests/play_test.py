#!/usr/bin/env python3
"""civ play and civ replay as people use them: through pipes, in every language.

usage: play_test.py path/to/civ
"""

import json
import os
import random
import re
import sys
import tempfile

import program
from checks import check, finish
from program import LANGUAGES, Referee, load, store

DOMAINS = ["Military", "Religion", "Economy", "Science", "Culture", "Utopia"]
# Effects that ask for cards, so that a game saved right after them stands in the middle of a choice.
ASKING = {"assassination", "purge", "development", "monopoly", "experiment", "research", "oligarchy", "republic", "breakthrough", "inquisition"}


def run(*arguments, lines=None, text="", env=None):
    """Runs the program to its end. Input is a list of lines, or a text; output must never be stuck."""
    if lines is not None:
        text = "".join(str(line) + "\n" for line in lines)
    if arguments[0] == "play" and "--iterations" not in arguments:
        arguments += ("--iterations", 4)  # so that games are quick, and the same every time
    return program.run(*arguments, text=text, env=env)


def numbers(seed, count=4000, most=7):
    """Choices for a whole game. Those that are too high are refused and change nothing."""
    chance = random.Random(seed)
    return [chance.randint(1, most) for _ in range(count)]


def is_plain(text):
    """Nothing that moves a cursor, colours, rings or draws boxes."""
    return not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2500-\u259f]", text)


# --- Whole games ------------------------------------------------------------------------------------------------


def whole_games(folder, referee):
    tables = [
        ["--players", 2],
        ["--players", 3, "--setup", "draft", "--edition", "es"],
        ["--players", 4, "--edition", "pt"],
        ["--teams", "--setup", "draft", "--edition", "ro"],
        ["--players", 3, "--ask-all", "--brief", "--edition", "fr"],
    ]
    for l, language in enumerate(LANGUAGES):
        for t, table in [(t, tables[t]) for t in (l, (l + 1) % 5)]:
            name = f"game {language} {table}"
            path = f"{folder}/whole-{language}-{t}.json"
            code, out, err = run("play", *table, "--seed", 10 * t + l, "--lang", language, "--save", path, lines=numbers(f"{l}{t}"))
            check(name + " ends well", code == 0 and err == "", (code, err, out[-500:]))
            check(name + " is plain", is_plain(out))
            check(name + " is filled in", not re.search(r"[{}]|\b(story|offer|ask|screen|ending|play)\.[a-z]", out))
            record = load(path)
            check(name + " has a result", record["result"] is not None)
            check(name + " has names, bots, date", len(record["names"]) == record["players"] and record["comments"]["bots"]
                  and re.fullmatch(r"\d{4}-\d\d-\d\d", record["date"]))
            check(name + " is what the referee says", referee.replay(record)["result"] == record["result"])
            check(name + " tells how to read it", f"civ replay {path}" in out)
            check(name + " leaves no other file", not os.path.exists(path + ".partial"))


def bots_alone():
    code, out, _ = run("play", "--humans", 0, "--players", 4, "--seed", 4)
    check("bots alone play to the end", code == 0 and re.search(r"(wins|win|share the victory) by (Hegemony|Majority)", out), out[-300:])
    again = run("play", "--humans", 0, "--players", 4, "--seed", 4)[1]
    check("a seed gives the same game again", out == again)
    check("another seed gives another game", out != run("play", "--humans", 0, "--players", 4, "--seed", 5)[1])


def environment():
    for variable, value, word in [("LC_ALL", "fr_FR.UTF-8", "Votre choix"), ("LC_ALL", "ro_RO", "Alegerea ta"), ("LC_ALL", "xx", "Your choice")]:
        _, out, _ = run("play", "--seed", 1, "--ask-all", env={variable: value})
        check(f"language of {variable}={value}", word in out, out[-300:])
    _, out, _ = run("play", "--seed", 1, "--ask-all", env={"LC_ALL": "", "LC_MESSAGES": "", "LANG": "es_ES.UTF-8"})
    check("language of LANG", "Tu elección" in out)
    _, out, _ = run("play", "--seed", 1, "--ask-all", "--lang", "pt", env={"LC_ALL": "fr_FR.UTF-8"})
    check("--lang wins", "Sua escolha" in out)


# --- Saving and going on ----------------------------------------------------------------------------------------


def resuming(folder):
    table = ["--players", 3, "--seed", 77, "--ask-all"]
    answers = numbers("resume", 4000, 5)
    path = f"{folder}/straight.json"
    run("play", *table, "--save", path, lines=answers)
    straight = load(path)
    amid = 0
    for cut in range(1, 200, 12):
        path = f"{folder}/cut-{cut}.json"
        code, out, _ = run("play", *table, "--save", path, lines=answers[:cut])
        if load(path)["result"] is not None:
            break
        check(f"end of input after {cut} lines", code == 0 and f"civ play --resume {path}" in out, out[-300:])
        actions = load(path)["actions"]
        amid += bool(actions) and actions[-1].removeprefix("copy ").split()[0] in ASKING
        code, out, err = run("play", "--resume", path, "--ask-all", lines=answers[cut:])
        resumed = load(path)
        check(f"resumed after {cut} lines", code == 0 and resumed == straight, (err, out[-300:]))
    check("some were saved in the middle of a choice", amid > 0, amid)

    path = f"{folder}/elsewhere.json"
    source = f"{folder}/source.json"
    run("play", *table, "--save", source, lines=answers[:9])
    before = load(source)
    run("play", "--resume", source, "--save", path, "--ask-all", lines=answers[9:20])
    check("--resume with --save leaves the first file alone", load(source) == before and len(load(path)["actions"]) > len(before["actions"]))
    code, out, _ = run("play", "--resume", f"{folder}/straight.json")
    check("a game that is over is told", code == 0 and "This game is over." in out and "win" in out, out)
    check("a game that is over is left alone", load(f"{folder}/straight.json") == straight)
    code, out, _ = run("play", "--resume", source, "--lang", "fr")
    check("the hint names the language", f"--resume {source} --lang fr" in out, out[-200:])
    foreign = load(source)
    for field in ("names", "date", "comments"):
        foreign.pop(field)
    code, out, _ = run("play", "--resume", store(f"{folder}/foreign.json", foreign), lines=answers)
    check("a record of another program goes on", code == 0 and "Player A" in out and load(f"{folder}/foreign.json")["result"] is not None, out[-200:])
    check("a table cannot be named when resuming", run("play", "--resume", source, "--players", 3)[0] == 2)
    code, _, err = run("play", "--resume", source, "--seats", "a,b")
    check("seats must fit the record", code == 1 and "2 to 4 seats" in err, err)


def files(folder):
    table = ["--players", 2, "--seed", 3, "--ask-all"]
    for name, text in [("nothing", ""), ("noise", "\x00\xff{{"), ("list", "[]"), ("number", "7"), ("empty object", "{}")]:
        path = store(f"{folder}/corrupt.json", text)
        code, out, err = run("play", "--resume", path)
        check(f"corrupt save: {name}", code == 1 and path in err and err.count("\n") == 1 and out == "", (code, out, err))
    for language, word in zip(LANGUAGES, ["cannot be read", "Impossible de lire", "No se puede leer", "Não é possível ler", "nu poate fi citit"]):
        code, _, err = run("play", "--resume", f"{folder}/none.json", "--lang", language)
        check(f"missing save {language}", code == 1 and word in err, err)
    check("a folder is no save", run("play", "--resume", folder)[0] == 1)
    code, _, err = run("play", *table, "--save", f"{folder}/no/such/place.json")
    check("an impossible place to save", code == 1 and "place.json" in err, err)
    path = store(f"{folder}/precious.json", "precious")
    code, _, err = run("play", *table, "--save", path, lines=[1])
    check("a file is not overwritten", code == 1 and open(path).read() == "precious", err)

    path = f"{folder}/by-command.json"
    code, out, _ = run("play", *table, lines=["save", "save " + path, 1, "save", "save " + f"{folder}/precious.json", "save /no/such/place.json", 1, "quit"])
    check("save without a name asks for one", "Add the name of a file" in out)
    check("save by command", code == 0 and len(load(path)["actions"]) > 0 and f"--resume {path}" in out, out[-300:])
    check("save does not overwrite", "There is already a file" in out and open(f"{folder}/precious.json").read() == "precious")
    check("a failed save is told and the game goes on", "could not be saved in “/no/such/place.json”" in out)
    path = f"{folder}/twice.json"
    code, out, _ = run("play", *table, "--save", path, lines=["save /no/such/place.json", "quit"])
    check("a failed save elsewhere does not harm the first", code == 0 and f"--resume {path}" in out, out[-300:])
    spaced = f"{folder}/it's a game.json"
    out = run("play", *table, "--save", spaced)[1]
    check("the hint can be pasted", "--resume '" in out and "it'\\''s a game.json'" in out, out[-200:])
    code, out, _ = run("play", *table, lines=["quit", "quit"])
    check("quit asks once when unsaved", code == 0 and "not saved. Type “quit” once more" in out and "The game was not saved." in out, out[-300:])
    code, out, _ = run("play", *table, lines=["quit", 1, "quit"])
    check("quit asks again after an action", code == 0 and out.count("once more") == 2 and "The input has ended." in out, out[-300:])
    code, out, _ = run("play", *table)
    check("end of input without a file", code == 0 and "--save" in out.splitlines()[-1], out[-200:])


# --- What people type -------------------------------------------------------------------------------------------


def bad_lines(folder):
    wrong = ["0", "-1", "8", "99999999999999999999", "1.", "1 2", "abc", "play", "play Z9", "play M1 M1", "end", "skip", "purge", "copy attack", "embargo 9 M",
             "keep M1", "discard M", "\x1b[2J", "a\x07\x08b", "ü", "«»", "{0}", "%s%n", "x" * 100000, "'; rm -rf", "\udcff\udcfe", "helpme", "qui"]
    for language in LANGUAGES:
        path, quiet = f"{folder}/bad-{language}.json", f"{folder}/quiet-{language}.json"
        table = ["--players", 3, "--seed", 6, "--lang", language, "--ask-all"]
        run("play", *table, "--save", quiet)
        code, out, err = run("play", *table, "--save", path, lines=wrong)
        check(f"wrong lines change nothing {language}", code == 0 and err == "" and load(path)["actions"] == load(quiet)["actions"], (code, err, out[-300:]))
        check(f"wrong lines are answered plainly {language}", is_plain(out), re.findall("[\x00-\x09\x0b-\x1f]", out))
        possible = {"en": "Possible:", "fr": "Possible", "es": "Puedes escribir:", "pt": "Você pode digitar:", "ro": "Poți scrie:"}[language]
        check(f"every wrong line is answered with what is possible {language}", out.count(possible) == len(wrong), out.count(possible))
        check(f"no answer is endless {language}", max(map(len, out.replace("x" * 80, "").splitlines())) < 400)


def good_lines(folder):
    def actions(first, language="en"):
        path = f"{folder}/good.json"
        if os.path.exists(path):
            os.remove(path)
        out = run("play", "--players", 3, "--seed", 6, "--lang", language, "--save", path, "--ask-all", lines=first)[1]
        return load(path)["actions"], out

    before, out = actions([])
    choice = re.findall(r"^\d+\. (play [A-Z]\d)", out, re.M)[-1]
    number = re.findall(rf"^(\d+)\. {choice}", out, re.M)[-1]
    for typed in [choice, choice.upper(), choice.lower(), f"  {choice.replace(' ', '   ')}\t", number, f" {number} ", choice + "\r"]:
        done, _ = actions([typed])
        check(f"typed {typed!r}", done == before + [choice], done)
    check("an empty line repeats the choices", actions([""])[1].count(f"{number}. {choice}") == 2)
    commands = {
        "en": ["help", "hint", "table", "log", "score", "rules"],
        "fr": ["aide", "table", "journal", "score", "règles", "regles", "RÈGLES"],
        "es": ["ayuda", "mesa", "historial", "puntos", "reglas"],
        "pt": ["ajuda", "mesa", "registro", "pontos", "regras"],
        "ro": ["ajutor", "masa", "jurnal", "scor", "reguli"],
    }
    for language, names in commands.items():
        for name in names + commands["en"]:
            done, out = actions([name], language)
            plain = actions([], language)[1]
            check(f"command {name} {language}", done == before and len(out) > len(plain) + 50 and is_plain(out), out[-200:])
    for command, word in [("help", "Type the number"), ("log", "Turn 1, round 1"), ("score", "If Majority were counted now"), ("rules", "Level 1, 3 cards."),
                          ("table", "Age deck:")]:
        check(f"what {command} shows", word in actions([command])[1])


def forced():
    table = ["--players", 2, "--seed", 12]
    _, out, _ = run("play", *table, lines=numbers("forced"))
    check("forced choices are told", "There is nothing else to do:" in out)
    check("nobody is asked about a single choice", "Your choice, 1 to 1," not in out)
    _, out, _ = run("play", *table, "--ask-all", lines=numbers("forced"))
    check("--ask-all asks", "Your choice, 1 to 1," in out and "nothing else to do:" not in out)


# --- Several people at one keyboard -----------------------------------------------------------------------------

CURTAIN = re.compile(r"\n{40,}")
HIDDEN_EVENT = re.compile(r"^  (\w+) (?:keeps|gives back|ends the turn and draws|gives up .* for a Breakthrough and draws) (.*)", re.M)


def play_together(path, table, seed):
    """A whole game with curtains: an empty line is always an answer to one, and repeats the question otherwise."""
    lines = []
    for number in numbers(seed, 2500, 4):
        lines += ["", "", number]
    return run("play", *table, "--save", path, lines=lines)


def curtains(folder, referee):
    table = ["--seats", "Ann,Bob,bot", "--setup", "draft", "--seed", 31]
    path = f"{folder}/together.json"
    code, out, _ = play_together(path, table, "together")
    record = load(path)
    check("a game with curtains ends", code == 0 and record["result"] is not None, out[-300:])
    parts = CURTAIN.split(out)
    check("there are many curtains", len(parts) > 40, len(parts))

    # The hand shown is that of the person who was called, and nobody else's hand is ever shown.
    states = [referee.begin(record)["state"]] + [referee.ask(cmd="apply", action=action)["state"] for action in record["actions"]]
    hands = {0: set(), 1: set()}
    for state in states:
        for seat in hands:
            hands[seat].add(tuple(state["hands"][seat]))
    looking = None
    shown = 0
    for part in parts:
        for seat, name in enumerate(["Ann", "Bob"]):
            if looking is not None and looking != name:
                check(f"only {looking} is shown a hand", f"Seat {seat}, {name} (you" not in part, part)
        for line in re.findall(r"^  Your hand: .*", part, re.M):
            cards = tuple(sorted(cards_in(line.split("Your pack")[0]), key=CARD_ORDER.index))
            seat = 0 if looking == "Ann" else 1
            check("the own hand is right", cards in hands[seat], (looking, line))
            shown += 1
        for name, what in HIDDEN_EVENT.findall(part):
            if "back" in what or name == looking:
                continue
            to_looker = re.search(r" to you\.", what)
            check("what others hide is told by backs", to_looker or not any(domain in what for domain in DOMAINS), (looking, name, what))
        for line in re.findall(r"^  Hand: .*", part, re.M):
            check("other hands are backs", not any(domain in line.split("Known for certain")[0] for domain in DOMAINS), line)
        called = re.findall(r"^(Ann|Bob), it is your turn\.", part, re.M)
        if called:
            looking = called[-1]
    check("hands were shown", shown > 50, shown)
    check("a curtain asks to hand over", "hand the keyboard to Bob" in out and "hand the keyboard to Ann" in out)
    check("nothing is shown before the first curtain", "Your hand" not in parts[0])


CARD_ORDER = "M1 R1 E1 S1 C1 M2 R2 E2 S2 C2 M3 E3 S3 C3 U3".split()


def cards_in(line):
    cards = []
    for count, domain, age in re.findall(r"(\d+)?(?:\u00a0×\u00a0)?(" + "|".join(DOMAINS) + r") \(Age (I+)\)", line):
        cards += [domain[0] + str(len(age))] * int(count or 1)
    return cards


def views_of(referee, record, seat):
    referee.begin(record)
    views = [referee.ask(cmd="view", seat=seat)["view"]]
    for action in record["actions"]:
        referee.ask(cmd="apply", action=action)
        views.append(referee.ask(cmd="view", seat=seat)["view"])
    return views


def nothing_leaks(folder, referee):
    """Two games that a seat cannot tell apart must look the same to the person in it, letter by letter."""
    compared = 0
    for setup, cut in [("basic", 9), ("basic", 30), ("basic", 60), ("draft", 15), ("draft", 40)]:
        path = f"{folder}/leak-{setup}-{cut}.json"
        lines = []
        for number in numbers(f"leak{cut}", cut, 3):
            lines += ["", "", number]
        run("play", "--seats", "Ann,Bob,bot", "--setup", setup, "--seed", 50 + cut, "--save", path, lines=lines)
        record = load(path)
        state = referee.replay(record)
        if state["seat"] not in (0, 1):
            continue
        seat = state["seat"]
        views = views_of(referee, record, seat)
        chance = random.Random(cut)
        deck = record["deck"]
        pairs = [(i, j) for i in range(30) for j in range(i + 1, len(deck)) if deck[i] != deck[j] and deck[i][1] == deck[j][1]]
        for i, j in chance.sample(pairs, 40):
            other = json.loads(json.dumps(record))
            other["deck"][i], other["deck"][j] = deck[j], deck[i]
            if run("replay", "--check", store(f"{folder}/other.json", other))[0] != 0 or views_of(referee, other, seat) != views:
                continue
            mine = run("play", "--resume", store(f"{folder}/mine.json", record), lines=["", "", "log", "table", "score"])[1]
            theirs = run("play", "--resume", store(f"{folder}/mine.json", other), lines=["", "", "log", "table", "score"])[1]
            check(f"nothing leaks {setup} {cut} {i} {j}", mine == theirs and "Your hand" in mine)
            told = [run("replay", "--seat", seat, store(f"{folder}/mine.json", game))[1] for game in (record, other)]
            check(f"nothing leaks in a replay {setup} {cut} {i} {j}", told[0] == told[1])
            compared += 1
    check("games were compared", compared > 15, compared)


def seats():
    for arguments, word in [(["--seats", "Ada"], "2 to 4 seats"), (["--seats", "a,b,c,d,e"], "2 to 4 seats"), (["--seats", "Ada,Ada"], "must differ"),
                            (["--seats", "Ada,"], "cannot be the name"), (["--seats", "x" * 41 + ",bot"], "1 to 40"), (["--teams", "--players", "3"], "Teams need four"),
                            (["--players", "2", "--humans", "3"], "3 people"), (["--seats", "a,b", "--players", "3"], "as many as there are players")]:
        code, out, err = run("play", *arguments)
        check(f"{arguments} is refused", code == 1 and word in err and out == "", (code, out, err))
    for arguments in [["--players", "5"], ["--lang", "xx"], ["--setup", "x"], ["--edition", "x"], ["--seed", "x"], ["--nonsense"]]:
        check(f"{arguments} is refused", run("play", *arguments)[0] == 2)
    out = run("play", "--seats", "Zoë Ω, bot,bot", "--seed", 2)[1]
    check("names of people and bots", "Zoë Ω in seat 0, Ada in seat 1, Bruno in seat 2" in out, out[:300])
    out = run("play", "--seats", "bot,Ada", "--seed", 2)[1]
    check("bots take free names", "Bruno in seat 0, Ada in seat 1" in out, out[:300])
    out = run("play", "--seats", "\x1b[31mEve,bot", "--seed", 2)[1]
    check("names do nothing to the terminal", is_plain(out) and "[31mEve" in out)


# --- Bots and hints ---------------------------------------------------------------------------------------------


def levels(folder):
    path = f"{folder}/levels.json"
    run("play", "--seats", "Ann,bot:5,Bob,BOT", "--seed", 1, "--level", 7, "--save", path)
    record = load(path)
    check("levels of seats are kept", record["comments"]["levels"] == [0, 5, 0, 7] and record["comments"]["bots"] == [1, 3], record["comments"])
    run("play", "--resume", path, lines=["", 1])
    check("a resumed game keeps its levels", load(path)["comments"] == record["comments"] and len(load(path)["actions"]) > len(record["actions"]))
    run("play", "--resume", path, "--level", 2)
    check("--level changes them", load(path)["comments"]["levels"] == [0, 2, 0, 2], load(path)["comments"])
    run("play", "--resume", path, "--seats", "Ann,Bob,bot:8,bot")
    check("so do --seats", load(path)["comments"]["levels"] == [0, 0, 8, 3], load(path)["comments"])
    for comments in [{"bots": [1]}, {"bots": [1], "levels": "x"}, {"bots": [1], "levels": [0, 9]}, {"bots": [1], "levels": [0, -1]}, {"bots": [1], "levels": [0]}]:
        store(path, {**record, "comments": comments})
        run("play", "--resume", path)
        check(f"levels that are not there {comments}", load(path)["comments"]["levels"] == [0, 3, 0, 0], load(path)["comments"])
    for seat in ["bot:0", "bot:9", "bot:", "bot:x", "bot:3x", "bot:99999999999999999999"]:
        code, out, err = run("play", "--seats", f"Ann,{seat}")
        check(f"{seat} is refused", code == 1 and out == "" and "1 to 8" in err and seat in err, (code, err))
    for arguments in [["--level", 0], ["--level", 9], ["--iterations", 0]]:
        check(f"{arguments} is refused", run("play", *arguments)[0] == 2)
    outs = [run("play", "--humans", 0, "--seed", 4, "--level", level)[1] for level in (1, 8)]
    check("levels play differently", outs[0] != outs[1])


def hints(folder):
    words = {"en": ("hint", "Chance of winning: "), "fr": ("conseil", "Chances de gagner\u00a0: "), "es": ("consejo", "Posibilidad de ganar: "),
             "pt": ("dica", "Chance de vencer: "), "ro": ("sfat", "Șanse de câștig: ")}
    for language, (command, answer) in words.items():
        path, quiet = f"{folder}/hint-{language}.json", f"{folder}/no-hint-{language}.json"
        table = ["--seats", "Ann,bot", "--seed", 6, "--lang", language, "--iterations", 40]
        run("play", *table, "--save", quiet)
        code, out, _ = run("play", *table, "--save", path, lines=["hint", command])
        check(f"hint {language}", code == 0 and out.count(answer) >= 2 and is_plain(out), out[-500:])
        check(f"a hint changes nothing {language}", load(path)["actions"] == load(quiet)["actions"])
        for number, action in re.findall(rf"^(\d+)\. (\w+ \w+) ?: .*{answer}", out, re.M):
            check(f"a hint has the number of the choice {language}", len(set(re.findall(rf"^(\d+)\. {action} ?:", out, re.M))) == 1, (number, action))
    _, out, _ = run("play", "--seats", "Ann,bot", "--seed", 12, "--ask-all", lines=[line for number in numbers("only", 60, 3) for line in ("hint", number)])
    check("a hint where there is one choice", "There is only one choice: end." in out, out[-300:])


PROGRAM = """
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    if request["cmd"] == "start":
        print(json.dumps({"ok": True}), flush=True)
    elif request["cmd"] == "decide":
        print(json.dumps({"action": sorted(request["legal"])[-1] if "play" in sys.argv[1] else "fly"}), flush=True)
    elif request["cmd"] == "end":
        open(sys.argv[1], "w").write(json.dumps(request["result"]))
"""


def programs(folder):
    program = store(f"{folder}/program.py", PROGRAM)
    command = f"mine={sys.executable} {program}"
    path, end = f"{folder}/program.json", f"{folder}/play-end.json"
    code, out, err = run("play", "--seats", "mine,bot", "--bot", f"{command} {end}", "--seed", 3, "--save", path)
    record = load(path)
    check("a program plays a game", code == 0 and err == "" and load(end) == record["result"] and "mine in seat 0" in out, (code, err, out[-300:]))
    check("a program leaves no command in the record", record["comments"]["levels"] == [3, 3] and program not in json.dumps(record), record["comments"])
    referee = Referee()
    state, rightly = referee.begin(record)["state"], 0
    for action in record["actions"]:
        if state["seat"] == 0:
            legal = referee.ask(cmd="load", state=state)["legal"]
            check("the program's answer is what is played", action == sorted(legal)[-1], (action, legal))
            rightly += len(legal) > 1
        state = referee.ask(cmd="apply", action=action)["state"]
    referee.close()
    check("the program decided", rightly > 10, rightly)

    for name, broken, words in [("fails", f"{command} x", "the action is not legal"), ("is not there", "mine=no-such-program", "command not found")]:
        code, out, _ = run("play", "--seats", "mine,bot", "--bot", broken, "--seed", 3, "--level", 2)
        check(f"a program that {name}", code == 0 and out.count("The program mine has failed: ") == 1 and words in out and "A bot of level 2 plays on" in out, out[:600])
        check(f"the game goes on when a program {name}", "Majority" in out or "Hegemony" in out, out[-300:])

    begun = f"{folder}/program-begun.json"
    run("play", "--seats", "Ann,mine", "--bot", f"{command} {end}", "--seed", 3, "--save", begun, lines=[1, 1, 1])
    os.remove(end)
    code, out, _ = run("play", "--resume", begun, "--bot", f"{command} {end}", lines=numbers("program"))
    check("a program goes on in a resumed game", code == 0 and "has failed" not in out and load(end) == load(begun)["result"], out[-300:])
    for arguments in [["--seats", "Ann,bot", "--bot", command], ["--resume", path, "--bot", "other=true"]]:
        code, out, err = run("play", *arguments)
        check(f"a program without a seat {arguments}", code == 1 and out == "" and "has no seat" in err, (code, err))
    for wrong in ["mine", "=x", "mine="]:
        check(f"--bot {wrong} is refused", run("play", "--seats", "Ann,mine", "--bot", wrong)[0] == 2)


# --- Replay -----------------------------------------------------------------------------------------------------


def replays(folder):
    path = f"{folder}/whole-en-1.json"  # a draft
    record = load(path)
    for language in LANGUAGES:
        outs = []
        for view in [[], ["--seat", 0], ["--seat", 2], ["--open"]]:
            code, out, err = run("replay", path, "--lang", language, *view)
            check(f"replay {language} {view}", code == 0 and err == "" and is_plain(out) and len(out.splitlines()) > 100, err)
            outs.append(out)
        check(f"replays differ by what is seen {language}", len(set(outs)) == 4)
        code, out, _ = run("replay", path, "--lang", language, "--check")
        check(f"replay --check {language}", code == 0 and out.count("\n") == 1 and str(len(record["actions"])) in out, out)
    out = run("replay", path)[1]
    check("a replay names the winner", any(record["names"][seat] in out.splitlines()[-1] or "share" in out for seat in record["result"]["winners"]), out[-200:])
    code, out, _ = run("replay", "-", "--check", text=json.dumps(record))
    check("replay from standard input", code == 0 and out.startswith("-: "), out)
    check("a seat that is not there", run("replay", path, "--seat", 3)[0] == 1)
    check("--seat and --open exclude each other", run("replay", path, "--seat", 1, "--open")[0] == 2)

    unfinished = {**record, "actions": record["actions"][:20], "result": None}
    code, out, _ = run("replay", store(f"{folder}/unfinished.json", unfinished))
    check("an unfinished game", code == 0 and "The game is not over" in out.splitlines()[-1], out[-200:])
    for winners, words in [([], "Nobody has won"), ([1], f"{record['names'][1]} has won"), ([0, 1], "have won")]:
        forfeit = {**unfinished, "result": {"winners": winners, "by": "forfeit"}}
        code, out, _ = run("replay", store(f"{folder}/forfeit.json", forfeit))
        check(f"a forfeit won by {winners}", code == 0 and "was broken off before its end" in out and words in out, out[-200:])
        code, out, _ = run("play", "--resume", f"{folder}/forfeit.json")
        check("a forfeit is not played on", code == 0 and words in out and load(f"{folder}/forfeit.json") == forfeit, out)
    for names in [None, 7, ["a"], ["\x1b[2J", 7, {}], {"0": "x"}]:
        code, out, _ = run("replay", store(f"{folder}/names.json", {**record, "names": names}))
        check(f"a record with names {names!r}", code == 0 and is_plain(out) and "Player B" in out)


def pacts(folder):
    """Three people who talk: offers are asked about, what is said is told, and a pact is not broken by accident."""
    table = ["--seats", "Ann,Bob,Cyd", "--seed", 6, "--ask-all", "--brief"]
    path = f"{folder}/pacts.json"

    def talk(*lines):
        if os.path.exists(path):
            os.remove(path)
        return run("play", *table, "--save", path, lines=["", *lines, "quit"])[1]

    out = talk("talk")
    choices = re.findall(r"^(\d+)\. (Offer .*)", out, re.M)
    check("talk lists what may be said", ("1", "Offer Ann a truce for 1 round") in choices, choices)
    out = talk("talk", "1", "log")
    check("it is told, and saved", out.count("You offer Ann a truce for 1 round.") == 2 and load(path)["comments"]["talk"]
          == [{"at": 0, "seat": 1, "say": "truce", "to": [0], "rounds": 1}], out[-400:])
    talk("talk", "")
    check("nothing is said by an empty line", "talk" not in load(path)["comments"])
    check("nor by a number that is none of them", "“99” is neither" in talk("talk", "99", ""))
    seated = run("play", "--players", 4, "--level", 3, "--seed", 6, "--ask-all", lines=["quit", "quit"])[1]
    check("bots' characters are told", re.search(r"^Seat \d, \w+ \(bot, (faithful|fair|opportunist)", seated, re.M), seated)
    for but in (["--silent"], ["--level", 2], ["--teams"]):
        seated = run("play", "--players", 4, "--seed", 6, "--ask-all", *but, lines=["quit", "quit"])[1]
        check(f"but not {but}", not re.search(r"\(bot, (faithful|fair|opportunist)", seated), seated)
    check("nobody talks with --silent", "There is nothing to say now." in run("play", *table, "--silent", lines=["", "talk", "quit", "quit"])[1])
    check("nor with two", "There is nothing to say now." in run("play", "--seed", 3, "--ask-all", lines=["talk", "quit", "quit"])[1])

    os.remove(path)
    example = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "bots", "python", "bot.py")
    run("play", "--seats", "Ann,mine,bot:1", "--bot", f"mine={sys.executable} {example}", "--seed", 6, "--save", path, lines=["talk", "1", *["1"] * 20])
    check("a program answers", {"say": "yes", "seat": 1}.items() <= load(path)["comments"]["talk"][1].items(), load(path)["comments"]["talk"])
    os.remove(path)

    broken, asked, kept = 0, 0, 0
    for seed in range(4):
        lines = []
        for number in numbers(f"pacts {seed}", 2500, 5):
            lines += ["", "", *(["talk", number] if number < 3 else []), number]
        code, out, _ = run("play", "--seats", "Ann,Bob,Cyd", "--seed", seed, "--save", path, lines=lines)
        os.rename(path, f"{folder}/pacts-{seed}.json")
        record = load(f"{folder}/pacts-{seed}.json")
        check(f"a game with pacts ends {seed}", code == 0 and record["result"] is not None, out[-300:])
        check(f"much was said {seed}", len(record["comments"]["talk"]) > 5, record["comments"])
        asked += out.count("This breaks your ")
        told = run("replay", f"{folder}/pacts-{seed}.json")[1]
        broken += told.count(" broke the ")
        kept += len(re.findall(r"^  The (?:truce|pact) .* is over\.", told, re.M))
        spoken = len(re.findall(r"^  (?:Ann|Bob|Cyd) (?:offers|proposes|agrees|turns down|gives up the (?:truce|pact) with|warns)", told, re.M))
        check(f"a replay tells all of it {seed}", spoken == len(record["comments"]["talk"]), (spoken, told[-300:]))
    check("pacts are kept, and broken only when asked", kept > 0 and 0 < broken <= asked, (kept, broken, asked))


def broken_records(folder):
    record = load(f"{folder}/whole-en-0.json")
    actions = record["actions"]
    name = record["names"]

    def but(**fields):
        return {**record, **fields}

    def without(field):
        return {key: value for key, value in record.items() if key != field}

    def swapped(position, action):
        return but(actions=actions[:position] + [action] + actions[position + 1:])

    last = len(actions)
    kinds = [
        ("not JSON", "{", "not valid JSON"),
        ("no object", "[]", "JSON object"),
        ("format", but(format="civ-game/2"), "civ-game/1"),
        ("rules", but(rules=2), "version of the rulings"),
        ("edition", but(edition="xx"), "“edition”"),
        ("players", but(players=5), "“players”"),
        ("players and deck", but(players=4), "but 104 are needed"),
        ("setup", but(setup="x"), "“setup”"),
        ("teams", but(teams=True), "Teams need four players"),
        ("teams that are no boolean", but(teams="yes"), "true or false"),
        ("first", but(first=2), "“first”"),
        ("a short deck", but(deck=record["deck"][:-1]), "but 95 are needed"),
        ("deck out of order", but(deck=record["deck"][::-1]), "deck is impossible"),
        ("a card that is none", but(deck=["X1"] + record["deck"][1:]), "is not a card"),
        ("actions that are no list", but(actions={}), "“actions”"),
        ("an action that is no text", swapped(0, 5), "action 1 "),
        ("an action that is none", swapped(2, "fly"), "action 3 (turn "),
        ("an illegal action", swapped(0, "play U3"), f"action 1 (turn 1, {name[record['first']]})"),
        ("an action too many", but(actions=actions + ["end"]), f"action {last + 1}, which comes after the end"),
        ("another result", but(result={"winners": [], "by": "majority", "points": [0, 0]}), "after the last action"),
        ("a result too early", but(actions=actions[:-1]), "has a result, but is not over"),
        ("no result", but(result=None), "after the last action"),
        ("a forfeit of a stranger", but(actions=actions[:5], result={"winners": [3], "by": "forfeit"}), "after the last action"),
    ] + [(f"no {field}", without(field), f"“{field}” is missing") for field in ("format", "rules", "edition", "players", "setup", "teams", "first", "deck", "actions", "result")]
    for kind, broken, words in kinds:
        path = store(f"{folder}/broken.json", broken)
        code, out, err = run("replay", path)
        check(f"broken record: {kind}", code == 1 and out == "" and words in err and err.count("\n") == 1, (code, out, err))
        check(f"broken record resumed: {kind}", run("play", "--resume", path)[2] == err)
        for language in LANGUAGES[1:]:
            code, _, err = run("replay", "--check", path, "--lang", language)
            check(f"broken record: {kind} {language}", code == 1 and path in err and not re.search(r"[{}]|error\.|why\.", err), err)
    draft = load(f"{folder}/whole-en-1.json")
    draft["actions"][1] = "keep U3"
    err = run("replay", store(f"{folder}/broken.json", draft))[2]
    check("an illegal action in the draft", f"action 2 (draft, {draft['names'][(draft['first'] + 1) % 3]})" in err, err)
    check("a record that is not there", run("replay", f"{folder}/none.json")[0] == 1)
    check("no record at all", run("replay")[0] == 2)


def main():
    referee = Referee()
    with tempfile.TemporaryDirectory() as folder:
        whole_games(folder, referee)
        bots_alone()
        environment()
        resuming(folder)
        files(folder)
        bad_lines(folder)
        good_lines(folder)
        forced()
        curtains(folder, referee)
        nothing_leaks(folder, referee)
        seats()
        levels(folder)
        hints(folder)
        programs(folder)
        replays(folder)
        pacts(folder)
        broken_records(folder)
    referee.close()
    return finish()


if __name__ == "__main__":
    sys.exit(main())
