#!/usr/bin/env python3
"""Fails on a file of the repository that a document names and that is not there: python3 tests/paths_test.py

Documents are all *.md but the changelog, which tells of what was. Looked at are links, and names in backticks: those with a folder
(`civ/rules/rules.h`, `tests/fuzz/`, `text/*.json`) from the root of the repository, and names of sources without one anywhere in it.
What git ignores is made by a build, and may be named.
"""

import fnmatch
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCE = re.compile(r"[\w.-]+\.(h|cc|py|ts|mjs|svelte|css|cmake|md)")
LINK = re.compile(r"(?:\]\(|src=\")([^)#\s\"]+)")
NAME = re.compile(r"`([^`\s]+)`")


def tracked():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True, check=True)
    return [path for path in listed.stdout.splitlines() if (ROOT / path).exists()]


def ignored(name):
    return subprocess.run(["git", "-C", ROOT, "check-ignore", "--quiet", name], check=False).returncode == 0


class Files:
    def __init__(self, paths):
        self.paths = set(paths)
        self.names = {path.rsplit("/", 1)[-1] for path in paths}
        self.folders = {str(parent) for path in paths for parent in pathlib.PurePosixPath(path).parents}
        self.tops = {path.split("/")[0] for path in paths if "/" in path}

    def has(self, path):
        path = path.rstrip("/")
        return path in self.paths or path in self.folders or ("*" in path and any(fnmatch.fnmatch(other, path) for other in self.paths))

    def lacks(self, document, text):
        """What a document names that is not there."""
        for link in LINK.findall(text):
            if not re.match(r"\w+:", link) and not self.has(str(pathlib.PurePosixPath(*resolved(document, link)))):
                yield link
        for name in NAME.findall(text):
            if not re.fullmatch(r"[\w./*-]+", name):
                continue
            if name.split("/")[0] in self.tops and "/" in name:
                if not self.has(name):
                    yield name
            elif SOURCE.fullmatch(name) and name not in self.names:
                yield name


def resolved(document, link):
    parts = list(pathlib.PurePosixPath(document).parent.parts)
    for part in pathlib.PurePosixPath(link).parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return parts or ["."]


def check_the_check():
    files = Files(["docs/a.md", "civ/rules/rules.h", "text/en.json", "README.md"])
    for document, text, lacking in [
        ("docs/a.md", "`civ/rules/rules.h` `civ/rules/` `text/*.json` `rules.h` [x](../README.md) [y](a.md#here)", []),
        ("docs/a.md", "`civ/rules/gone.h` `text/*.xml` `gone.cc` [x](README.md)", ["README.md", "civ/rules/gone.h", "text/*.xml", "gone.cc"]),
        ("README.md", '<img src="docs/a.webp" width="7%">', ["docs/a.webp"]),
        ("README.md", "[x](docs/a.md) `and/or` `build/civ` `3.14` [web](https://example.org/x)", []),
    ]:
        assert list(files.lacks(document, text)) == lacking, (text, list(files.lacks(document, text)))


def main():
    check_the_check()
    files = Files(tracked())
    documents = sorted(path for path in files.paths if path.endswith(".md") and path != "CHANGELOG.md")
    found = [f"{path}: {name} is not there" for path in documents for name in files.lacks(path, (ROOT / path).read_text(encoding="utf-8")) if not ignored(name)]
    print("\n".join(found) or f"{len(documents)} documents name only what is there")
    return 1 if found or not documents else 0


sys.exit(main())
