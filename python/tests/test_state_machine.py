"""Random lives of a file: structural operations, flush, close, reopen, and death, compared with
h5py.

The model is a file of h5py in memory, which gets the same changes. A writer that dies leaves the
file as its last flush did. If it dies inside a flush, the file is as before or after that flush.
"""

import gc
import itertools
import os
import shutil
import signal
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

import onecast

pytestmark = pytest.mark.long

PATHS = st.sampled_from(["a", "b", "c", "a/b", "a/c", "b/a", "a/b/c", "ü/ö"])
KEYS = st.sampled_from(["p", "q", "r", "a longer name of an attribute"])
TEXT = h5py.string_dtype()
TABLE = np.dtype([("number", "<i4"), ("value", ">f8"), ("name", "S3")])
ENUM = h5py.enum_dtype({"red": 0, "green": 1, "blue": 7}, basetype="u1")
LISTS = h5py.vlen_dtype(np.dtype("<i2"))
DTYPES = ["<i4", ">f8", "u1", "S5", "text", "table", "enum", "lists", "?"]
FILTERS = [
    {},
    {"compression": "gzip", "shuffle": True},
    {"compression": "lzf"},
    {"fletcher32": True},
    {"scaleoffset": 0},
]
NUMBERS = itertools.count()
# Either library refuses calls with these exceptions.
REFUSALS = (KeyError, ValueError, OSError, TypeError, AttributeError, RuntimeError, IndexError)


def dtype_of(name):
    return {"text": TEXT, "table": TABLE, "enum": ENUM, "lists": LISTS}.get(name) or np.dtype(name)


def values_of(name, count, seed):
    """Returns `count` elements of one dimension."""
    numbers = np.arange(count) * 7 + seed
    match name:
        case "text":
            return np.array([f"text {n} " * (n % 4) for n in numbers], object)
        case "table":
            return np.array([(n, n / 3, f"{n % 50}") for n in numbers], TABLE)
        case "lists":
            lists = np.empty(count, object)
            lists[:] = [np.arange(n % 5, dtype="<i2") for n in numbers]
            return lists
        case "enum":
            return np.array([0, 1, 7], "u1")[numbers % 3]
        case "?" | "S5":
            return (numbers % 2).astype(name)
    return (numbers % 200).astype(name)


def plain(value):
    """Returns a value in a form that compares equal for both libraries."""
    if isinstance(value, np.ndarray):
        return value.shape, [plain(v) for v in value.reshape(-1).tolist()] if value.size else []
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape").rstrip("\0")
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    return value


def describe(f, soft, external):
    """Returns everything in the file, with each object under its first name."""
    found, names = {}, {}

    def attributes(o):
        return {name: plain(np.asarray(value)) for name, value in o.attrs.items()}

    def visit(group, path):
        for name in sorted(group):
            link, where = group.get(name, getlink=True), f"{path}/{name}"
            if isinstance(link, soft):
                found[where] = ("soft", link.path)
            elif isinstance(link, external):
                found[where] = ("external", link.filename, link.path)
            else:
                add(group[name], where)

    def add(o, where):
        for known, first in names.items():
            if known == o:
                found[where] = ("same as", first)
                return
        names[o] = where
        if hasattr(o, "shape"):
            storage = o.shape, o.maxshape, o.chunks, o.compression, o.shuffle, o.fletcher32
            found[where] = ("dataset", storage, plain(np.asarray(o[...])), attributes(o))
        else:
            found[where] = ("group", attributes(o))
            visit(o, where)

    found[""] = attributes(f)
    visit(f, "")
    return found


def ours(f):
    return describe(f, onecast.SoftLink, onecast.ExternalLink)


def theirs(f):
    return describe(f, h5py.SoftLink, h5py.ExternalLink)


def model_of(image):
    """Returns a file of h5py in memory, with these bytes or empty."""
    if image is None:
        return h5py.File(f"model {next(NUMBERS)}", "w", driver="core", backing_store=False)
    with tempfile.NamedTemporaryFile() as file:
        file.write(image)
        file.flush()
        return h5py.File(file.name, "r+", driver="core", backing_store=False)


class Life(RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.path = self.folder / "file.h5"
        self.file = onecast.File(self.path, "w")
        self.model = model_of(None)
        self.flush()

    def teardown(self):
        self.check()
        self.file.close()
        expected = theirs(self.model)
        with h5py.File(self.path) as f:
            assert theirs(f) == expected
        findings = onecast.inspect.check(self.path, data=True)["findings"]
        assert not [f for f in findings if f["kind"] != "note"], findings
        self.model.close()
        shutil.rmtree(self.folder)

    def check(self):
        assert ours(self.file) == theirs(self.model)

    def both(self, work):
        """Does the same with both libraries. Both must do it, or both must refuse."""
        done = []
        for library, f in ((onecast, self.file), (h5py, self.model)):
            try:
                work(library, f)
                done.append("done")
            except REFUSALS as error:
                done.append(f"{type(error).__name__}: {error}")
        assert (done[0] == "done") == (done[1] == "done"), done

    # --- structure -------------------------------------------------------------------------------
    @rule(path=PATHS)
    def group(self, path):
        self.both(lambda library, f: f.create_group(path))

    @rule(path=PATHS, dtype=st.sampled_from(DTYPES), count=st.integers(0, 90), chunks=st.booleans(),
          filters=st.sampled_from(FILTERS), seed=st.integers(0, 99))  # fmt: skip
    def dataset(self, path, dtype, count, chunks, filters, seed):
        if "scaleoffset" in filters and dtype not in ("<i4", "u1"):
            filters = {}
        if "fletcher32" in filters and dtype in ("text", "lists"):
            filters = {}  # HDF5 refuses that
        options = {"chunks": (16,), "maxshape": (None,), **filters} if chunks else {}
        values = values_of(dtype, count, seed)
        self.both(lambda library, f: f.create_dataset(
            path, (count,), dtype_of(dtype), data=values, **options))  # fmt: skip

    @rule(path=PATHS, key=KEYS, dtype=st.sampled_from(DTYPES), count=st.integers(1, 40),
          seed=st.integers(0, 99))  # fmt: skip
    def attribute(self, path, key, dtype, count, seed):
        values = values_of(dtype, count, seed)
        self.both(lambda library, f: f[path].attrs.create(key, values, dtype=dtype_of(dtype)))

    @rule(path=PATHS, count=st.integers(5, 30))
    def many_attributes(self, path, count):
        def work(library, f):
            for i in range(count):
                f[path].attrs[f"attribute {i}"] = "x" * i

        self.both(work)

    @rule(path=PATHS, count=st.integers(50, 80))
    def many_groups(self, path, count):
        def work(library, f):
            if any(f"member {i}" in f[path] for i in range(count)):
                raise ValueError
            for i in range(count):
                f[path].create_group(f"member {i}")

        self.both(work)

    @rule(path=PATHS, key=KEYS)
    def remove_attribute(self, path, key):
        self.both(lambda library, f: f[path].attrs.__delitem__(key))

    @rule(path=PATHS, to=PATHS, kind=st.sampled_from(["soft", "external", "hard"]))
    def link(self, path, to, kind):
        def work(library, f):
            match kind:
                case "soft":
                    f[path] = library.SoftLink("/" + to)
                case "external":
                    f[path] = library.ExternalLink("elsewhere.h5", to)
                case "hard":
                    # Other tests cover cycles.
                    if not hasattr(f[to], "shape"):
                        raise ValueError
                    f[path] = f[to]

        self.both(work)

    @rule(path=PATHS, to=PATHS)
    def move(self, path, to):
        # h5py can move a group into itself, where nobody finds it any more.
        if not (to + "/").startswith(path + "/"):
            self.both(lambda library, f: f.move(path, to))

    @rule(path=PATHS, to=PATHS)
    def copy(self, path, to):
        if not self.lies_in(path, to):
            self.both(lambda library, f: f.copy(path, to))

    def lies_in(self, path, to):
        """True if it would be copied into itself. h5py cannot do that, whatever links lead
        there."""
        if (to + "/").startswith(path + "/"):
            return True
        names = to.split("/")
        above = ["/".join(names[:n]) for n in range(1, len(names))]
        source = self.found(path)
        return source is not None and any(self.found(group) == source for group in above)

    def found(self, path):
        """Returns None if nothing is there: a soft link may dangle, or lead to itself."""
        try:
            return self.model[path]
        except (KeyError, RuntimeError):
            return None

    @rule(path=PATHS)
    def delete(self, path):
        self.both(lambda library, f: f.__delitem__(path))

    # --- values ----------------------------------------------------------------------------------
    @rule(path=PATHS, count=st.integers(0, 120))
    def resize(self, path, count):
        self.both(lambda library, f: f[path].resize((count,)))

    @rule(path=PATHS, first=st.integers(0, 60), step=st.integers(1, 5), seed=st.integers(0, 99))
    def write(self, path, first, step, seed):
        """Writes numbers, tables and texts."""

        def work(library, f):
            dataset = self.model[path]
            kind = {"O": "text", "V": "table"}.get(dataset.dtype.kind, dataset.dtype.str)
            if h5py.check_vlen_dtype(dataset.dtype) not in (None, str):
                raise ValueError
            count = len(range(*slice(first, None, step).indices(dataset.shape[0])))
            values = values_of("?" if kind == "|b1" else kind, count, seed)
            f[path][first::step] = values % 2 if dataset.dtype == ENUM else values

        self.both(work)
        dataset = self.found(path)
        # Elements of fixed size without filters are overwritten in place, so they survive.
        in_place = hasattr(dataset, "shape") and dataset.dtype.kind != "O"
        if in_place and dataset.id.get_create_plist().get_nfilters() == 0:
            self.flush()

    # --- life and death --------------------------------------------------------------------------
    @rule()
    def flush(self):
        self.file.flush()
        self.model.flush()
        self.image = self.model.id.get_file_image()
        self.flushed = theirs(self.model)

    @rule()
    def reopen(self):
        self.check()
        self.file.close()
        self.flush_of_close()

    def flush_of_close(self):
        self.file = onecast.File(self.path, "r+")
        self.flush()

    def abandon(self):
        self.file._finalizer.detach()
        self.file = None
        gc.collect()  # what describe() made

    def as_flushed(self):
        self.model.close()
        self.model = model_of(self.image)

    @rule()
    def die(self):
        """What was not flushed is lost, and nothing else."""
        self.abandon()
        self.file = onecast.File(self.path, "r+")
        self.as_flushed()
        assert ours(self.file) == self.flushed

    @precondition(lambda self: hasattr(os, "fork"))
    @rule(microseconds=st.integers(0, 3000))
    def die_inside_a_flush(self, microseconds):
        child = os.fork()
        if child == 0:
            self.file.flush()
            os._exit(0)
        time.sleep(microseconds / 1e6)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        self.abandon()
        self.file = onecast.File(self.path, "r+")
        found = ours(self.file)
        if found != theirs(self.model):
            assert found == self.flushed
            self.as_flushed()
        self.flush()


TestLife = Life.TestCase
TestLife.settings = settings(
    deadline=None,
    max_examples=20,
    stateful_step_count=30,
    suppress_health_check=list(HealthCheck),
)
