"""Replays recorded answers of a right referee through the model.

    python3 tests/model/test_model.py [FILE.jsonl ...]      default: tests/conformance/*.jsonl
"""

import json
import pathlib
import sys

sys.dont_write_bytecode = True
from civ_model import Game


def replay(path):
    """Number of answers checked; AssertionError at the first that differs."""
    game = None
    lines = pathlib.Path(path).read_text().splitlines()
    for number, line in enumerate(lines, 1):
        record = json.loads(line)
        request, expected = record["request"], record["answer"]
        command = request["cmd"]
        if command == "view":
            answer = {"ok": True, "view": game.view(request["seat"])}
        elif command == "perft":
            answer = {"ok": True, "nodes": game.perft(request["depth"])}
        else:
            try:
                if command == "new":
                    game = Game.new(**{key: value for key, value in request.items() if key != "cmd"})
                elif command == "load":
                    game = Game(request["state"])
                else:
                    game.apply(request["action"])
                answer = {"ok": True, "state": game.state, "legal": sorted(game.legal())}
            except ValueError as error:
                answer = {"ok": False, "error": str(error)}
        for field, value in expected.items():
            if field == "legal":
                value = sorted(value)
            if field != "error":
                assert answer[field] == value, f"line {number}: {field}\nexpected {value}\nmodel    {answer[field]}"
    return len(lines)


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    files = sys.argv[1:] or sorted(map(str, (root / "tests" / "conformance").glob("*.jsonl")))
    passed = failed = 0
    for path in files:
        try:
            replay(path)
            passed += 1
        except AssertionError as error:
            failed += 1
            print(f"{path}: {error}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
