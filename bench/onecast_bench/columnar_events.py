"""The events of `onecast bench columnar`: those of a NanoAOD file, repeated, or made events."""

import itertools
import os
from collections.abc import Iterator
from pathlib import Path

import awkward as ak
import numpy as np
import uproot

CLUSTER = 10_000  # events that uproot compresses together
SEED = 1
COLLECTIONS = {"Muon": 1.2, "Jet": 6, "Electron": 0.9, "Tau": 0.7, "GenPart": 40}


def made_events(seed: int, count: int = CLUSTER) -> ak.Array:
    """Returns events like those of NanoAOD: collections, numbers of the event, flags,
    identities."""
    rng = np.random.default_rng(seed)
    fields: dict[str, ak.Array] = {
        "run": np.full(count, 1, "u4"),
        "luminosityBlock": np.sort(rng.integers(1, 100, count)).astype("u4"),
        "event": rng.permutation(count).astype("u8") + seed * count,
        "MET_pt": rng.exponential(40, count).astype("f4"),
        **{f"HLT_{number}": rng.random(count) < 0.02 for number in range(40)},
    }
    for name, mean in COLLECTIONS.items():
        counts = rng.poisson(mean, count)
        total = int(counts.sum())
        for member in ("pt", "eta", "phi", "mass"):
            values = ak.unflatten(rng.exponential(30, total).astype("f4"), counts)
            fields[f"{name}_{member}"] = values
        fields[f"{name}_charge"] = ak.unflatten(rng.integers(-1, 2, total).astype("i4"), counts)
    return ak.Array(fields)


def clusters(source: Path | None, tree: str) -> Iterator[dict[str, ak.Array]]:
    """Yields made events, or the events of a file, each time in another order, without end."""
    if source is None:
        for seed in itertools.count():
            yield grouped(made_events(seed))
    groups = grouped(read(source, tree))
    for order in orders(len(next(iter(groups.values())))):
        yield {name: array[order] for name, array in groups.items()}


def write_root(source: Path | None, tree: str, target: Path, mb: float, compression: str) -> None:
    """Writes events until the file has `mb` MB."""
    with uproot.recreate(target, compression=root_compression(compression)) as file:
        written = None
        for batch in clusters(source, tree):
            if written is None:
                types = {name: array.type.content for name, array in batch.items()}
                written = file.mktree(tree, types)
            written.extend(batch)
            if os.path.getsize(target) >= mb * 1e6:
                return


def read(path: Path, tree: str) -> ak.Array:
    with uproot.open(path) as file:
        return file[tree].arrays()


def grouped(array: ak.Array) -> dict[str, ak.Array]:
    """Makes the lists of one collection one branch with members, so that uproot writes one counter
    for them, as in NanoAOD."""
    groups: dict[str, ak.Array] = {}
    members: dict[str, dict[str, ak.Array]] = {}
    for name in array.fields:
        column = array[name]
        if column.ndim == 1:
            groups[name] = column
        else:
            collection, _, member = name.partition("_")
            members.setdefault(collection, {})[member or name] = column
    for collection, columns in members.items():
        groups.pop(f"n{collection}", None)  # uproot writes this counter itself
        groups[collection] = ak.zip(columns)
    return groups


def orders(count: int) -> Iterator[np.ndarray]:
    """Yields without end the numbers of CLUSTER events; each event occurs equally often."""
    rng = np.random.default_rng(SEED)
    while True:
        times = -(-CLUSTER // count)
        yield np.concatenate([rng.permutation(count) for _ in range(times)])[:CLUSTER]


def root_compression(text: str) -> uproot.compression.Compression | None:
    """Returns uproot's compression of this name and level."""
    name, _, level = text.partition(":")
    kinds = {"zstd": (uproot.ZSTD, 3), "lz4": (uproot.LZ4, 1), "gzip": (uproot.ZLIB, 6)}
    if name == "none":
        return None
    kind, usual = kinds[name]
    return kind(int(level or usual))
