"""Builds the wheel: `pip install ./bindings/python` and `pip wheel ./bindings/python` call this (PEP 517).

It runs CMake in build-python/ of the repository and packs what comes out. Standard library only.
"""

from __future__ import annotations

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def version() -> str:
    return re.search(r"^project\(civ VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.M)[1]


def metadata() -> str:
    return "\n".join([
        "Metadata-Version: 2.1", "Name: civ", f"Version: {version()}",
        "Summary: The card game CIV: Carta Impera Victoria, for programs that play, search and learn",
        "License: MIT", "Requires-Python: >=3.9",
        "Provides-Extra: numpy", 'Requires-Dist: numpy; extra == "numpy"', "",
    ])


def tag() -> str:
    interpreter = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{interpreter}-{interpreter}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def compiled() -> pathlib.Path:
    """Builds the package, and says where it lies."""
    if not (ROOT / "CMakeLists.txt").exists():
        sys.exit("The package is built inside the repository of civ: pip install ./bindings/python there.")
    folder = ROOT / f"build-python/{tag()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:  # a repository that cannot be written
        folder = pathlib.Path(tempfile.mkdtemp(prefix="civ-python-"))
    kind = os.environ.get("CMAKE_BUILD_TYPE", "Release")
    native = ["-DCIV_NATIVE=ON"] if os.environ.get("CIV_NATIVE") == "1" else ["-DCIV_NATIVE=OFF"]
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, f"-DCMAKE_BUILD_TYPE={kind}", "-DCIV_LIBRARY_ONLY=ON", "-DCIV_PYTHON=ON", "-DCIV_TESTS=OFF",
                    f"-DPython_EXECUTABLE={sys.executable}", *native], check=True)
    subprocess.run(["cmake", "--build", folder, "--target", "civ_python", "--parallel"], check=True)
    return folder / "python" / "civ"


def digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    package = compiled()
    info = f"civ-{version()}.dist-info"
    files = {f"civ/{path.name}": path.read_bytes() for path in sorted(package.iterdir()) if path.is_file()}
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: civ_build\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode()
    record = [f"{name},{digest(data)},{len(data)}" for name, data in files.items()] + [f"{info}/RECORD,,"]
    files[f"{info}/RECORD"] = "\n".join([*record, ""]).encode()
    name = f"civ-{version()}-{tag()}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path)  # of no date: the same files make the same wheel
            entry.external_attr = (0o755 if path.endswith(".so") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data)
    return name


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    raise NotImplementedError("the sources are the repository")


def get_requires_for_build_wheel(config_settings: object = None) -> list[str]:
    return []
