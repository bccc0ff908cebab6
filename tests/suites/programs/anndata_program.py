"""Writes and reads everything that anndata can store."""

import anndata
import h5py
import numpy as np
import pandas as pd
import scipy.sparse as sp
from anndata.io import read_elem, write_elem

rng = np.random.default_rng(0)
names = [f"cell{i}" for i in range(30)]
cells = pd.DataFrame(
    {
        "kind": pd.Categorical(["a", "b", "c"] * 10),
        "rank": pd.Categorical(["low", "high"] * 15, ["low", "high"], ordered=True),
        "number": np.arange(30),
        "text": [f"t{i}" for i in range(30)],
        "flag": np.arange(30) % 2 == 0,
        "real": rng.random(30),
        "maybe": pd.array([1, None, 3] * 10, dtype="Int64"),
        "perhaps": pd.array([True, None, False] * 10, dtype="boolean"),
    },
    index=names,
)
genes = pd.DataFrame({"g": rng.random(20)}, index=[f"gene{i}" for i in range(20)])
counts = sp.random(30, 20, 0.2, "csr", random_state=1, dtype="f4")
data = anndata.AnnData(
    counts,
    obs=cells,
    var=genes,
    uns={
        "nested": {"one": 1, "text": "x", "array": np.arange(3)},
        "texts": np.array(["x", "yy"], object),
        "record": np.zeros(3, [("a", "i4"), ("b", "f8")]),
    },
    obsm={"pca": rng.random((30, 2)), "frame": cells[["number", "text"]]},
    layers={"columns": counts.tocsc(), "dense": counts.toarray()},
    obsp={"near": sp.eye(30, format="csr")},
)
data.raw = data.copy()
for compression in (None, "gzip", "lzf"):
    data.write_h5ad("a.h5ad", compression=compression)
    again = anndata.read_h5ad("a.h5ad")
    print(again, again.obs.to_string(), again.var.to_string(), again.obs.dtypes, sep="\n")
    print(again.uns, again.raw.X.sum(), again.obsp["near"].sum(), again.obsm["pca"])
    print(again.X.toarray(), again.layers["columns"].toarray().sum(), again.obsm["frame"])

backed = anndata.read_h5ad("a.h5ad", backed="r+")
print(backed.isbacked, backed.X[3:5].toarray(), backed[2:6, [1, 3]].X.toarray())
print(backed[backed.obs["flag"]].X[:4].toarray(), backed.X[:, 2].toarray().ravel())
backed.file.close()

dense = anndata.AnnData(np.arange(600.0).reshape(30, 20), obs=cells[["real"]])
dense.write_h5ad("d.h5ad")
backed = anndata.read_h5ad("d.h5ad", backed="r+")
backed.X[2:4] = -1
print(backed.X[1:5, :3], backed[::7].X[:, 5], backed.to_memory().X.sum())
backed.file.close()

with h5py.File("e.h5", "w") as f:
    write_elem(f, "cells", cells)
    write_elem(f, "counts", counts)
    print(read_elem(f["cells"]).to_string(), read_elem(f["counts"]).toarray().sum())
    rows = anndata.io.sparse_dataset(f["counts"])
    rows.append(counts[:5])
    print(rows.shape, rows[28:33].toarray().sum())


def show(name, thing):
    values = {n: np.asarray(v).tolist() for n, v in sorted(thing.attrs.items())}
    print(name, getattr(thing, "shape", None), getattr(thing, "dtype", None), values)


for name in ("a.h5ad", "d.h5ad", "e.h5"):
    with h5py.File(name) as f:
        f.visititems(show)
