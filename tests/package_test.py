#!/usr/bin/env python3
"""The Debian package: built from a build folder, looked at, installed below a temporary root, run as its unit says, upgraded, removed.

usage: package_test.py path/to/build
"""

import configparser
import http.client
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

from checks import check, finish

BUILD = os.path.abspath(sys.argv[1])
FILES = {  # and nothing else
    "./etc/civ/civ.toml": "-rw-r--r--",
    "./usr/bin/civ": "-rwxr-xr-x",
    "./usr/lib/systemd/system/civ-backup.service": "-rw-r--r--",
    "./usr/lib/systemd/system/civ-backup.timer": "-rw-r--r--",
    "./usr/lib/systemd/system/civ.service": "-rw-r--r--",
    "./usr/lib/sysusers.d/civ.conf": "-rw-r--r--",
    "./usr/share/doc/civ/CHANGELOG.md.gz": "-rw-r--r--",
    "./usr/share/doc/civ/copyright": "-rw-r--r--",
    "./usr/share/doc/civ/examples/civ.dashboard.json": "-rw-r--r--",
    "./usr/share/doc/civ/examples/civ.rules.yml": "-rw-r--r--",
    "./usr/share/doc/civ/examples/nginx.conf": "-rw-r--r--",
    "./usr/share/man/man1/civ.1.gz": "-rw-r--r--",
}
if "CIV_PAGE:BOOL=ON" in pathlib.Path(BUILD, "CMakeCache.txt").read_text():
    FILES["./usr/share/doc/civ/third-party-notices.txt.gz"] = "-rw-r--r--"
PYTHON = "CIV_PYTHON:BOOL=ON" in pathlib.Path(BUILD, "CMakeCache.txt").read_text()
LIBRARIES = ["libc6", "libstdc++6", "libicu", "libsqlite3-0", "libsodium"]


def run(*command, **options):
    """What it printed; the test ends if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode != 0:
        raise SystemExit(f"FAILED {' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


class Root:
    """A folder that dpkg takes for a machine: maintainer scripts run with DPKG_ROOT, and nothing outside changes."""

    def __init__(self, folder):
        self.path = pathlib.Path(folder)
        for part in ("var/lib/dpkg/info", "var/lib/dpkg/updates", "etc", "usr", "var/lib/systemd"):
            (self.path / part).mkdir(parents=True)
        (self.path / "var/lib/dpkg/status").touch()

    def dpkg(self, *arguments):
        # Its dependencies are installed outside.
        return run("dpkg", f"--root={self.path}", "--force-script-chrootless", "--force-depends", "--force-confold", f"--log={self.path}/dpkg.log", *arguments)

    def file(self, path):
        return self.path / path.lstrip("/")

    def state(self):
        return run("dpkg-query", f"--admindir={self.path}/var/lib/dpkg", "-W", "-f", "${db:Status-Status}", "civ")


def look(package):
    info = run("dpkg-deb", "--info", package)
    field = lambda name: re.search(rf"^ {name}: (.*)$", info, re.M)
    check("package", field("Package") and field("Package")[1] == "civ", info)
    depends = [part.split(" ")[0] for part in field("Depends")[1].split(", ")]
    for library in LIBRARIES:
        check("depends on its libraries", any(part.startswith(library) for part in depends), f"{library} is not among {depends}")
    check("conffile", run("dpkg-deb", "-I", package, "conffiles") == "/etc/civ/civ.toml\n")

    found = {}
    for line in run("dpkg-deb", "--contents", package).splitlines():
        mode, owner, _, _, _, path = line.split(maxsplit=5)
        check("owner", owner == "root/root", line)
        if mode.startswith("d"):
            check("mode of folders", mode == "drwxr-xr-x", line)
        else:
            found[path] = mode
    check("files", found == FILES, set(found.items()) ^ set(FILES.items()))

    if shutil.which("lintian"):
        # It is no package of Debian's own: the changes are in CHANGELOG.md, and there is nobody at Debian to write to.
        tags = "bogus-mail-host,no-changelog"
        done = subprocess.run(["lintian", "--allow-root", "--no-user-dirs", "--fail-on", "error,warning", "--suppress-tags", tags, package], capture_output=True, text=True)
        check("lintian", done.returncode == 0, done.stdout + done.stderr)
    else:
        print("lintian is not installed: not asked")


def plain(text):
    return re.sub(r"[^a-z0-9]", "", text.lower())


def named(package):
    """A library that the program does not link is inside it, and then the copyright names it."""
    depends = run("dpkg-deb", "--field", package, "Depends")
    copyright = plain(run("sh", "-c", f"dpkg-deb --fsys-tarfile {shlex.quote(str(package))} | tar -xO ./usr/share/doc/civ/copyright"))
    packages = (pathlib.Path(__file__).parent.parent / "tools/packages.txt").read_text()
    inside = []
    for library in re.findall(r"(?m)^play +(\S+-dev) ", packages):
        stem = re.sub(r"^lib|[0-9.]*-dev$", "", library)
        if not re.search(rf"\blib{re.escape(stem)}", depends):
            (upstream,) = re.findall(r"(?m)^Upstream-Name: (.*)$", pathlib.Path(f"/usr/share/doc/{library}/copyright").read_text())
            inside.append(plain(upstream))
    check("libraries inside the program", "cli11" in inside and "boost" in inside, inside)
    for name in inside:
        check("named in the copyright", name in copyright, name)


def unit(root, name):
    parser = configparser.RawConfigParser(strict=False, interpolation=None)
    parser.optionxform = str
    parser.read(root.file(f"/usr/lib/systemd/system/{name}"))
    return parser


def verify(root):
    if not shutil.which("systemd-analyze"):
        print("systemd-analyze is not installed: units are not verified")
        return
    units = [str(root.file(f"/usr/lib/systemd/system/{name}")) for name in ("civ.service", "civ-backup.service", "civ-backup.timer")]
    # The program is not in /usr/bin of this machine.
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", "--recursive-errors=no", *units], capture_output=True, text=True)
    said = [line for line in done.stderr.splitlines() if "Command /usr/bin/civ is not executable" not in line]
    check("systemd-analyze verify", not said, "\n".join(said))
    security = run("systemd-analyze", "security", "--offline=true", "--threshold=20", units[0])
    check("systemd-analyze security", "OK" in security, security)


def ask(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read()


def serve(root, folder):
    """Does what systemd does for civ.service."""
    service = unit(root, "civ.service")["Service"]
    check("stopped by SIGTERM", "KillSignal" not in service)
    page = folder / "page"
    page.mkdir()
    (page / "index.html").write_text("<!doctype html><title>CIV</title>")
    settings = root.file("/etc/civ/civ.toml")
    settings.write_text(re.sub(r"(?m)^port = .*$", f'port = 0\npage = "{page}"', settings.read_text()))
    command = [str(root.file(word)) if word.startswith("/") else word for word in shlex.split(service["ExecStart"])]

    as_user = {}
    if not os.environ.get("CIV_TEST_UNSHARED"):
        entry = re.search(r"^civ:[^:]*:(\d+):(\d+):", root.file("/etc/passwd").read_text(), re.M)
        as_user = {"user": int(entry[1]), "group": int(entry[2]), "extra_groups": []}
    data = root.file(f"/var/lib/{service['StateDirectory']}")
    data.mkdir(mode=int(service["StateDirectoryMode"], 8))
    notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notices.bind(str(folder / "notify"))
    notices.settimeout(60)
    if as_user:
        os.chown(data, as_user["user"], as_user["group"])
        os.chown(folder / "notify", as_user["user"], as_user["group"])

    environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "NOTIFY_SOCKET": str(folder / "notify"), "STATE_DIRECTORY": str(data)}
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, cwd="/", umask=int(service["UMask"], 8), text=True, **as_user)
    try:
        greeting = server.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", greeting)
        if not found:
            server.kill()
            raise SystemExit(f"FAILED the unit's command does not serve: {greeting}{server.communicate()[1]}")
        if service["Type"] == "notify":
            check("tells systemd that it is ready", b"READY=1" in notices.recv(4096))
        port = int(found[1])
        check("/healthz", ask(port, "/healthz") == (200, b"ok"), ask(port, "/healthz"))
        check("/readyz", ask(port, "/readyz")[0] == 200, ask(port, "/readyz"))
        check("the page", b"CIV" in ask(port, "/")[1])
        check("data is the user's alone", (data / "civ.db").stat().st_mode & 0o077 == 0)
        backup(root, as_user)
        server.send_signal(signal.SIGTERM)
        check("exit code after SIGTERM", server.wait(timeout=60) == 0, server.returncode)
    finally:
        server.kill()
        server.communicate()


def backup(root, as_user):
    """What civ-backup.service does, while the server runs."""
    target = root.file("/var/lib/civ-backup")
    target.mkdir(mode=0o700)
    if as_user:
        os.chown(target, as_user["user"], as_user["group"])
    lines = re.findall(r"(?m)^ExecStart=(.*)$", root.file("/usr/lib/systemd/system/civ-backup.service").read_text())
    old = target / "civ-2001-01-01.db"
    old.touch()
    os.utime(old, (0, 0))
    for line in lines + lines:  # a second one on the same day takes its place
        line = re.sub(r"(?<![\w./])/(usr/bin/civ|var)", rf"{root.path}/\1", line.replace("%%", "%"))
        run(*shlex.split(line), cwd="/", **as_user)
    kept = [path.name for path in target.iterdir()]
    check("one backup, the old one is gone", len(kept) == 1 and re.fullmatch(r"civ-\d{4}-\d\d-\d\d\.db", kept[0]), kept)
    check("a backup is a database", all(path.read_bytes().startswith(b"SQLite format 3\0") for path in target.iterdir()))


def look_at_python(folder):
    """python3-civ: the library for Debian's own Python, and no server."""
    (package,) = (folder / "out").glob("python3-civ_*.deb")
    depends = run("dpkg-deb", "--field", package, "Depends")
    check("python3-civ depends", "python3 (>= 3." in depends and "libc6" in depends and "libsqlite" not in depends, depends)
    run("dpkg-deb", "--extract", package, folder / "python")
    place = folder / "python/usr/lib/python3/dist-packages"
    found = sorted(path.name for path in (place / "civ").iterdir())
    for name in ("__init__.py", "_civ.pyi", "data.py", "py.typed", "text.json"):
        check("python3-civ holds", name in found, f"{name} is not among {found}")
    use = "import civ; print(civ.Game().new_initial_state(1).apply('play U3'))"
    tried = subprocess.run(["/usr/bin/python3", "-c", use], env={"PYTHONPATH": str(place), "PATH": "/usr/bin"}, capture_output=True, text=True)
    check("python3-civ plays", "not possible: that card is not there" in tried.stderr, tried.stderr)


def main():
    with tempfile.TemporaryDirectory(prefix="civ-package-") as folder:
        folder = pathlib.Path(folder)
        folder.chmod(0o755)
        run("cpack", "--config", f"{BUILD}/CPackConfig.cmake", "-B", folder / "out", cwd=BUILD)
        (package,) = (folder / "out").glob("civ_*.deb")
        others = sorted(path.name for path in (folder / "out").glob("*.deb") if path != package)
        look(package)
        if PYTHON:
            look_at_python(folder)
        check("packages", [name.split("_")[0] for name in others] == ["python3-civ"] * PYTHON, others)
        named(package)

        root = Root(folder / "root")
        root.dpkg("--install", package)
        check("installed", root.state() == "installed", root.state())
        check("the user", re.search(r"^civ:", root.file("/etc/passwd").read_text(), re.M))
        enabled = root.file("/etc/systemd/system/multi-user.target.wants/civ.service")
        check("enabled", enabled.is_symlink())
        check("the help", "serve" in run(root.file("/usr/bin/civ"), "--help"))
        verify(root)
        serve(root, folder)

        settings = root.file("/etc/civ/civ.toml").read_text()
        enabled.unlink()
        root.dpkg("--install", package)
        check("an upgrade keeps the settings", root.file("/etc/civ/civ.toml").read_text() == settings)
        check("an upgrade does not enable what was disabled", not enabled.is_symlink())
        root.dpkg("--remove", "civ")
        check("removed", not root.file("/usr/bin/civ").exists() and root.file("/var/lib/civ").exists() and root.file("/etc/civ/civ.toml").exists())
        root.dpkg("--purge", "civ")
        check("purged", not root.file("/var/lib/civ").exists() and not root.file("/etc/civ").exists())
        check("backups outlive all that", any(root.file("/var/lib/civ-backup").iterdir()))
        links = [path for path in root.file("/etc/systemd").rglob("*") if path.is_symlink()] if root.file("/etc/systemd").exists() else []
        check("nothing is left of its units", not links, links)

    return finish()


if os.geteuid() != 0 and not os.environ.get("CIV_TEST_UNSHARED"):
    # dpkg wants to be root; to be it below a folder of one's own is enough.
    os.environ["CIV_TEST_UNSHARED"] = "1"
    os.execvp("unshare", ["unshare", "--map-root-user", sys.executable, *sys.argv])
sys.exit(main())
