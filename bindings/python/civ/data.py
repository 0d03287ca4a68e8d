"""Files of `civ games`, mapped into memory (docs/data.md)."""

from __future__ import annotations

import json
import zipfile
from typing import IO, TYPE_CHECKING, Any, Dict, Iterator

if TYPE_CHECKING:
    import numpy


def load(path: str) -> Dict[str, "numpy.ndarray[Any, Any]"]:
    """The arrays of an .npz file by name. None is read before it is looked at."""
    import numpy

    arrays: Dict[str, Any] = {}
    with zipfile.ZipFile(path) as archive, open(path, "rb") as file:
        for entry in archive.infolist():
            if entry.compress_type != zipfile.ZIP_STORED or not entry.filename.endswith(".npy"):
                raise ValueError(f"{path}: {entry.filename} is not an array as `civ games` writes it")
            shape, dtype, begin = _npy(file, entry.header_offset)
            name = entry.filename[:-4]
            if 0 in shape:  # nothing that could be mapped
                arrays[name] = numpy.zeros(shape, dtype)
            else:
                arrays[name] = numpy.memmap(path, dtype, "r", begin, shape)
    return arrays


def _npy(file: IO[bytes], offset: int) -> "tuple[Any, Any, int]":
    """Shape, type and place of the data of an entry of the archive."""
    import numpy

    file.seek(offset + 26)
    name, extra = (int.from_bytes(file.read(2), "little") for _ in range(2))
    file.seek(offset + 30 + name + extra)
    numpy.lib.format.read_magic(file)  # type: ignore[no-untyped-call]
    shape, _, dtype = numpy.lib.format.read_array_header_1_0(file)  # type: ignore[no-untyped-call]
    return shape, dtype, file.tell()


def masks(legal: Any) -> "numpy.ndarray[Any, Any]":
    """The column `legal`, or some rows of it, as (…, 256) flags."""
    import numpy

    words = numpy.ascontiguousarray(legal, "<u8")
    return numpy.unpackbits(words.view(numpy.uint8), axis=-1, bitorder="little").astype(bool)


def lines(path: str) -> Iterator[Dict[str, Any]]:
    """The games of a .jsonl file, one after the other."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
