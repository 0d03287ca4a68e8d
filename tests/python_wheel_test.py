"""The wheel: built by pip without a network, installed into fresh environments, and used there.

usage: python_wheel_test.py /usr/bin/python3
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

from checks import check, finish

ROOT = pathlib.Path(__file__).resolve().parent.parent
PYTHON = sys.argv[1]
USE = """
import random, civ
state = civ.Game(players=3).new_initial_state(7)
while not state.is_terminal():
    state.apply_action(random.choice(state.legal_actions()))
print(civ.__version__, civ.__file__, abs(sum(state.returns())) < 1e-6)
try:
    state.apply("end")
except civ.Error as error:
    print(error)
"""
BATCH = "import civ; batch = civ.Batch(64); batch.random_actions(); batch.step(); print(batch.observations.shape)"
# A proxy that nobody listens at: whoever asks the network fails.
OFFLINE = {**os.environ, "PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "https_proxy": "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9"}
OFFLINE.pop("PYTHONPATH", None)
# Without optimisation, which takes most of the time and is tested elsewhere.
OFFLINE["CMAKE_BUILD_TYPE"] = "None"


def run(*command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=OFFLINE, cwd="/")
    if done.returncode != 0:
        raise SystemExit(f"FAILED {' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def main():
    with tempfile.TemporaryDirectory(prefix="civ-wheel-") as folder:
        folder = pathlib.Path(folder)
        # As the document has it: an environment with Debian's NumPy, and the folder. The wheel is then built by the same Python, so
        # that nothing is compiled twice.
        run(PYTHON, "-m", "venv", "--system-site-packages", folder / "numpy")
        run(folder / "numpy/bin/pip", "install", ROOT / "bindings/python")
        check("a batch with Debian's NumPy", "(64, " in run(folder / "numpy/bin/python", "-c", BATCH))
        run(folder / "numpy/bin/pip", "wheel", "--no-deps", "--wheel-dir", folder, ROOT / "bindings/python")
        run(folder / "numpy/bin/pip", "uninstall", "--yes", "civ")
        (wheel,) = folder.glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            held = archive.namelist()
        for name in ("civ/__init__.py", "civ/py.typed", "civ/_civ.pyi", "civ/text.json", "civ/pettingzoo.py"):
            check("the wheel holds", name in held, name)
        check("and the module", any(name.startswith("civ/_civ.") and name.endswith(".so") for name in held), held)

        run(PYTHON, "-m", "venv", folder / "bare")
        run(folder / "bare/bin/pip", "install", wheel)
        printed = run(folder / "bare/bin/python", "-c", USE)
        check("a game in a bare environment", "True" in printed and str(folder) in printed and "the game is over" in printed, printed)
    return finish()


sys.exit(main())
