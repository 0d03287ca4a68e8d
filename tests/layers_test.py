"""Fails on an #include that points up (docs/architecture.md): python3 tests/layers_test.py

Each room may include itself and the rooms below it; civ/rules/ also stays clear of everything with strings, streams, chance or heap.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Room: the rooms it may include, and what else besides the standard library.
ROOMS = {
    "rules": ({"rules"}, {"immintrin.h"}),
    "view": ({"rules", "view"}, set()),
    "diplomacy": ({"rules", "view", "diplomacy"}, set()),
    "notation": ({"rules", "view", "diplomacy", "notation"}, {"nlohmann"}),
    "bots": ({"rules", "view", "diplomacy", "bots"}, set()),
    "guide": ({"rules", "view", "diplomacy", "notation", "guide"}, set()),
    "analysis": ({"rules", "view", "diplomacy", "notation", "bots", "guide", "analysis"}, set()),
    "outside": ({"rules", "view", "diplomacy", "notation", "outside"}, {"fcntl.h", "poll.h", "spawn.h", "sys", "unistd.h"}),
    "arena": ({"rules", "view", "diplomacy", "notation", "bots", "outside", "arena"}, {"nlohmann"}),
    "training": ({"rules", "view", "diplomacy", "notation", "bots", "outside", "arena", "training"}, set()),
    "table": ({"rules", "view", "diplomacy", "notation", "bots", "guide", "table"}, {"sodium.h"}),
    "server": ({"rules", "view", "diplomacy", "notation", "bots", "guide", "analysis", "table", "server"}, None),  # anything
    "words": ({"rules", "view", "diplomacy", "notation", "guide", "words"}, {"nlohmann", "unicode"}),
    "terminal": ({"rules", "view", "diplomacy", "notation", "bots", "guide", "analysis", "outside", "words", "terminal"}, {"sys", "unistd.h"}),
    "report": ({"rules", "view", "diplomacy", "notation", "bots", "guide", "analysis", "outside", "arena", "training", "words", "report"}, set()),
    "app": (None, None),  # anything
    "civ.h": ({"rules", "view", "diplomacy", "notation", "bots", "guide"}, set()),  # the header for others
    "bindings": ({"rules", "view", "diplomacy", "notation", "bots", "guide", "analysis", "bindings"}, {"immintrin.h", "nlohmann", "pybind11", "unistd.h", "wasi"}),
}
NOT_ROOMS = {"tests", "bench", "tools"}
NOT_IN_RULES = set("""iostream istream ostream iosfwd fstream sstream cstdio string string_view format locale regex random
    vector memory memory_resource new deque list forward_list map set unordered_map unordered_set functional any thread""".split())
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def room_of(path):
    """Of a path below the root: civ/rules/rules.h is in the room rules."""
    return path.parts[1] if path.parts[0] == "civ" else path.parts[0]


def faults(room, text):
    rooms, others = ROOMS[room]
    for quote, name in INCLUDE.findall(text):
        first = name.split("/")[0]
        if quote == '"':
            if room_of(pathlib.Path(name)) not in (rooms or ROOMS):
                yield f'"{name}" is not below {room}/'
        elif room == "rules" and name in NOT_IN_RULES:
            yield f"<{name}> has no place in rules/"
        elif others is not None and ("/" in name or "." in name) and first not in others:
            yield f"<{name}> is not the standard library"


def check_the_check():
    for room, line, wrong in [("rules", '#include "civ/rules/types.h"', 0), ("rules", '#include "civ/view/view.h"', 1), ("rules", "#include <vector>", 1),
                              ("rules", "  #  include <array>", 0), ("view", '#include "civ/notation/json.h"', 1), ("view", "#include <vector>", 0),
                              ("bots", "#include <nlohmann/json.hpp>", 1), ("notation", "#include <nlohmann/json.hpp>", 0),
                              ("notation", '#include "civ/bots/playout.h"', 1), ("app", "#include <CLI/CLI.hpp>", 0), ("app", '#include "tests/support.h"', 1),
                              ("bindings", '#include "civ/words/words.h"', 1), ("server", "#include <boost/beast.hpp>", 0), ("server", '#include "civ/words/words.h"', 1), ("view", "#include <stdio.h>", 1), ("view", "// #include \"civ/words/words.h\"", 0)]:
        assert len(list(faults(room, line))) == wrong, (room, line)


def main():
    check_the_check()
    found = []
    files = [path for path in ROOT.glob("*/**/*") if path.suffix in {".h", ".cc"} and not path.relative_to(ROOT).parts[0].startswith((".", "build"))
             and "node_modules" not in path.parts]
    for path in sorted(files):
        room = room_of(path.relative_to(ROOT))
        if room in NOT_ROOMS:
            continue
        if room not in ROOMS:
            found.append(f"{path.relative_to(ROOT)}: {room}/ is not in the table of rooms")
            continue
        found += [f"{path.relative_to(ROOT)}: {fault}" for fault in faults(room, path.read_text(encoding="utf-8"))]
    print("\n".join(found) or f"{len(files)} files, every include points down")
    return 1 if found or not files else 0


sys.exit(main())
