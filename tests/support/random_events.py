"""Random arrays of awkward with every kind of node, even in unusual forms"""

import awkward as ak
import numpy as np

NUMBERS = ("f4", "f8", "i1", "u2", "i4", "i8", "u8", "?", "c8")
KINDS = ("numbers", "list", "list", "string", "option", "record", "regular", "union", "indexed")


def random_events(seed: int, events: int, columns: int = 4) -> ak.Array:
    """Returns an array of records, which depends only on the arguments."""
    rng = np.random.default_rng(seed)
    fields = {f"c{n}_{seed % 7}": _layout(rng, events, 3) for n in range(columns)}
    return ak.Array(ak.contents.RecordArray(list(fields.values()), list(fields), length=events))


def _layout(rng, length, depth):
    kind = rng.choice(KINDS) if depth else "numbers"
    return _MAKERS[kind](rng, int(length), depth - 1)


def _numbers(rng, length, depth):
    dtype = np.dtype(rng.choice(NUMBERS))
    shape = (length, *((2,) if rng.random() < 0.1 else ()))
    return ak.contents.NumpyArray(rng.integers(0, 100, shape).astype(dtype))


def _counts(rng, length):
    """Returns counts such that many lists are empty and few are long."""
    counts = rng.integers(0, 4, length) * (rng.random(length) < 0.7)
    if length and rng.random() < 0.2:
        counts[rng.integers(length)] = 300
    return counts


def _list(rng, length, depth):
    offsets = np.zeros(length + 1, np.int64)
    np.cumsum(_counts(rng, length), out=offsets[1:])
    unused = rng.integers(0, 3)  # elements before and behind those of the lists
    content = _layout(rng, offsets[-1] + 2 * unused, depth)
    if rng.random() < 0.3:
        order = rng.permutation(length)
        starts, stops = (offsets[:-1] + unused)[order], (offsets[1:] + unused)[order]
        return ak.contents.ListArray(ak.index.Index64(starts), ak.index.Index64(stops), content)
    return ak.contents.ListOffsetArray(ak.index.Index64(offsets + unused), content)


def _string(rng, length, depth):
    words = np.array(["", "a", "mu", "électron", "x" * 40])
    if rng.random() < 0.3:
        return ak.to_layout(ak.Array([w.encode() for w in rng.choice(words, length)] + [b"."]))[:-1]
    return ak.to_layout(ak.Array([*map(str, rng.choice(words, length)), "."]))[:-1]


def _option(rng, length, depth):
    content = _layout(rng, length, depth)
    is_there = rng.random(length) < 0.6
    if rng.random() < 0.5:
        index = np.where(is_there, rng.permutation(length), -1).astype(np.int64)
        return ak.contents.IndexedOptionArray.simplified(ak.index.Index64(index), content)
    mask = ak.index.Index8(is_there.astype(np.int8))
    return ak.contents.ByteMaskedArray.simplified(mask, content, valid_when=True)


def _record(rng, length, depth):
    count = int(rng.integers(1, 4))
    fields = None if rng.random() < 0.2 else [f"f{n}" for n in range(count)]
    contents = [_layout(rng, length, depth) for _ in range(count)]
    parameters = {"__record__": "particle"} if fields else None
    return ak.contents.RecordArray(contents, fields, length=length, parameters=parameters)


def _regular(rng, length, depth):
    size = int(rng.integers(0, 3))
    return ak.contents.RegularArray(_layout(rng, length * size, depth), size, zeros_length=length)


def _union(rng, length, depth):
    text, other = _string(rng, length, 0), _numbers(rng, length, 0)
    tags = ak.index.Index8(rng.integers(0, 2, length).astype(np.int8))
    index = ak.index.Index64(np.arange(length))
    return ak.contents.UnionArray.simplified(tags, index, [text, other])


def _indexed(rng, length, depth):
    index = ak.index.Index64(rng.permutation(length))
    return ak.contents.IndexedArray.simplified(index, _layout(rng, length, depth))


_MAKERS = {
    "numbers": _numbers,
    "list": _list,
    "string": _string,
    "option": _option,
    "record": _record,
    "regular": _regular,
    "union": _union,
    "indexed": _indexed,
}
