#!/usr/bin/env python3
"""The page's notices of what others wrote: nothing that the page holds is missing from them.

usage: third_party_test.py
"""

import json
import pathlib
import re
import sys

from checks import check, finish

ROOT = pathlib.Path(__file__).resolve().parent.parent
WEB = ROOT / "web"
NOTICES = (WEB / "dist/third-party-notices.txt").read_text()
LOCK = json.loads((WEB / "package-lock.json").read_text())["packages"]

# What bindings/wasm/CMakeLists.txt links with, by the names of the linker.
LIBRARIES = {"c++": "libc++", "c++abi": "libc++abi", "c": "wasi-libc", "${WASM_BUILTINS}": "compiler-rt"}


def imported():
    """The packages that the page's sources import something from, types left aside."""
    found = set()
    for path in (WEB / "src").rglob("*"):
        if path.suffix in (".ts", ".svelte") and not path.name.endswith((".test.ts", ".d.ts")):
            text = re.sub(r"import type [^;]*;", "", path.read_text())
            for name in re.findall(r"(?:from|import\()\s*'([@a-z][^':]*)'", text):
                found.add("/".join(name.split("/")[: 2 if name[0] == "@" else 1]))
    return found


def bundled():
    fonts = re.findall(r"\.fonts/(\w+?)-", (WEB / "src/styles/fonts.css").read_text())
    worker = re.findall(r"workbox:([a-z-]+):", (WEB / "dist/sw.js").read_text())
    check("the worker is made of Workbox", worker)
    return imported() | {f"@fontsource-variable/{font}" for font in fonts} | {f"workbox-{part}" for part in worker}


def linked():
    text = (ROOT / "bindings/wasm/CMakeLists.txt").read_text()
    (names,) = re.findall(r"target_link_libraries\(\$\{target\} PRIVATE (c\+\+ .*)\)", text)
    return [LIBRARIES.get(name, name) for name in names.split()] + ["nlohmann/json"]


packages = bundled()
for name in ("svelte", "@noble/hashes", "uqr"):
    check("imports are found", name in packages, f"{name} is not among {sorted(packages)}")
for name in sorted(packages):
    heading = f"{name} {LOCK[f'node_modules/{name}']['version']} ("
    check("package", heading in NOTICES, f"{heading}…) is not in the notices")
for name in linked():
    heading = rf"^(?:\S+ and )?{re.escape(name)}(?: and \S+)? \d\S* \("
    check("library of the WebAssembly modules", re.search(heading, NOTICES, re.M), f"{name} is not in the notices")

parts = NOTICES.split("=" * 80)[1:]
check("several texts", len(parts) > 5, len(parts))
for part in parts:
    check("a licence in full", len(part) > 500, part)
    for name, version in re.findall(r"^(\S+) (\S+) \(", part, re.M):
        # A package may be there twice, for the page and for one that wants another version.
        versions = [entry["version"] for path, entry in LOCK.items() if path.endswith(f"node_modules/{name}")]
        check("version of the lock file", not versions or version in versions, f"{name} {version}")
for name in re.findall(r"/usr/share/common-licenses/(\w[\w.-]*\w)", NOTICES):
    check("a licence that Debian has apart", f"The licence {name}" in NOTICES, name)
sys.exit(finish())
