"""Fails where a document shows another version than CMakeLists.txt has: python3 tests/version_test.py"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Where versions are shown. A shorter one, as in find_package(civ 0.2), is right as far as it goes.
SHOWN = {
    "CHANGELOG.md": r"\A# Changelog\n\n(?:## Unreleased\n.*?)?^## ([\d.]+)$",
    "docs/api.md": r'"version":"([\d.]+)"',
    "docs/hosting.md": r"civ_([\d.]+)_\w+\.deb",
    "docs/library.md": r"find_package\(civ ([\d.]+)",
    "tests/install/find_package/CMakeLists.txt": r"find_package\(civ ([\d.]+)",
}


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def faults(version, name, text):
    shown = re.findall(SHOWN[name], text, re.MULTILINE | re.DOTALL)
    if not shown:
        yield f"{name}: shows no version"
    yield from (f"{name}: shows {other}, not {version}" for other in shown if f"{version}.".find(f"{other}.") != 0)


def main():
    for text, wrong in [("find_package(civ 0.2 REQUIRED)", 0), ("find_package(civ 0.1)", 1), ("find_package(civ 0.20)", 1), ("", 1)]:
        assert len(list(faults("0.2.0", "docs/library.md", text))) == wrong, text
    version = re.search(r"^project\(civ VERSION ([\d.]+)", read("CMakeLists.txt"), re.MULTILINE)[1]
    found = [fault for name in SHOWN for fault in faults(version, name, read(name))]
    print("\n".join(found) or f"{version} everywhere")
    return 1 if found else 0


sys.exit(main())
