"""Files with random damage: the plug-in reads what the HDF5 library reads, or there is an error. No
process dies or hangs, unless it does without the plug-in.

ONECAST_HOSTILE_FILES says how many files a test makes, ONECAST_HOSTILE_SEED with which seed.
"""

import json
import os
import random
import shutil

import pytest

from .test_reading import make_file

h5py = pytest.importorskip("h5py")
np = pytest.importorskip("numpy")

COUNT = int(os.environ.get("ONECAST_HOSTILE_FILES", "200"))
LIMIT = {"DESCRIBE_SECONDS": "20", "CHANGE_SECONDS": "20"}  # for each file


def add_many(path):
    """Adds what only libraries since 1.8 write: dense storage, and an index of each kind."""
    with h5py.File(path, "r+", libver="latest") as file:
        for i in range(20):
            file.attrs[f"attribute {i}"] = f"text {i}"
            file[f"many/number {i}"] = i
        for name, limits in (("fixed", (9, 9)), ("one", (None, 9)), ("two", (None, None))):
            data = np.arange(81.0).reshape(9, 9)
            file.create_dataset(
                f"chunks of {name}", data=data, chunks=(2, 2), maxshape=limits, compression=1
            )


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """An old and a new file."""
    files = []
    for libver in "earliest", "latest":
        path = make_file(tmp_path_factory.mktemp(libver), loops=True, libver=libver)
        if libver == "latest":
            add_many(path)
        files.append(path)
    return files


def damaged(data, draw):
    """Returns bytes with one to three damages."""
    data = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 3))):
        at = draw.randrange(len(data))
        size = draw.choice((1, 1, 2, 4, 8, 24))
        kind = draw.randrange(6)
        if kind == 0:
            data[at] ^= 1 << draw.randrange(8)
        elif kind == 1:
            data[at] = draw.randrange(256)
        elif kind == 2:
            data[at : at + size] = bytes(len(data[at : at + size]))
        elif kind == 3:
            data[at : at + size] = b"\xff" * len(data[at : at + size])
        elif kind == 4:
            start = draw.randrange(len(data) - 24)
            new = data[start : start + size]
            data[at : at + size] = new[: len(data[at : at + size])]
        elif draw.randrange(4) == 0:
            del data[max(at, 600) :]
    return bytes(data)


def difference(ours, native, sound, where=""):
    """Where what was read is neither what is read natively nor what the sound file has, though it
    could be read; empty if nowhere. The library does not see all damage."""
    for found in ours, native:
        if isinstance(found, str) and found.startswith("raises "):
            return ""
    if isinstance(ours, dict) and isinstance(native, dict):
        # What was found in a group or an object that only one of them can list is of no use.
        inner = [
            (ours[key], native[key], part(sound, key), f"{where}: {key}")
            for key in ours
            if key in native
        ]
    elif isinstance(ours, list) and isinstance(native, list) and len(ours) == len(native):
        inner = [(ours[i], native[i], part(sound, i), where) for i in range(len(ours))]
    else:
        return "" if ours in (native, sound) else f"{where}: {ours!r}, natively {native!r}"
    return next(filter(None, (difference(*each) for each in inner)), "")


def part(whole, key):
    try:
        return whole[key]
    except (LookupError, TypeError):
        return None


def read(line):
    """What was read in a file, less what says nothing of damaged files."""
    found = json.loads(line)
    if isinstance(found, dict):
        del found["visited"]  # a visit ends where an error is
        for thing in found.values():
            if isinstance(thing, dict):  # what is stored, but belongs to no element
                thing.pop("size", None), thing.pop("number of chunks", None)
    return found


def damaged_files(sound, folder, draw, count):
    """Returns {path: the sound file from which it was made}."""
    shutil.copy(sound[0].with_name("other.h5"), folder)
    origins = {}
    for i in range(count):
        origin = draw.choice(sound)
        path = folder / f"{i}.h5"
        path.write_bytes(damaged(origin.read_bytes(), draw))
        origins[path] = origin
    return origins


def chosen_seed():
    return int(os.environ.get("ONECAST_HOSTILE_SEED", "0")) or random.randrange(1, 1 << 32)


@pytest.fixture(params=["release", "asan"])
def more(dropin, request):
    """The variables of programs on the plug-in of a build."""
    return LIMIT | (dropin.sanitized(request.param) if request.param != "release" else {})


@pytest.mark.long
@pytest.mark.leaves_damage
@pytest.mark.timeout(3000)
def test_damage_is_an_error_or_the_same_is_read(dropin, sound, tmp_path, more):
    seed = chosen_seed()
    origins = damaged_files(sound, tmp_path, random.Random(seed), COUNT)
    describe = ["describe.py", "h5py"]
    wholes = dict(zip(sound, map(read, dropin.describe("h5py", *sound)), strict=True))
    natively = dropin.of_each_file(describe, list(origins), plugin=False, more=LIMIT)
    with_plugin = dropin.of_each_file(describe, list(origins), more=more)
    wrong = []
    for path, (ours, said), (native, _) in zip(origins, with_plugin, natively, strict=True):
        if ours and native:
            said = difference(read(ours), read(native), wholes[origins[path]])
        elif ours or (native is None and "Sanitizer" not in said):
            continue
        if said:
            wrong.append((path.name, said))
    assert wrong == [], f"seed {seed}"


@pytest.mark.long
@pytest.mark.leaves_damage
@pytest.mark.timeout(3000)
def test_damaged_files_are_changed_or_refused(dropin, sound, tmp_path, more):
    seed = chosen_seed()

    def changed(name, **settings):
        folder = tmp_path / name
        folder.mkdir()
        paths = damaged_files(sound, folder, random.Random(seed), COUNT // 2)
        return dropin.of_each_file(["change.py"], list(paths), **settings)

    ours = changed("ours", more=more)
    native = changed("native", plugin=False, more=LIMIT)
    wrong = [
        (number, said)
        for number, ((line, said), (other, _)) in enumerate(zip(ours, native, strict=True))
        if line is None and (other is not None or "Sanitizer" in said)
    ]
    assert wrong == [], f"seed {seed}"
