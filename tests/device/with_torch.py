"""Reads and writes tensors of PyTorch on a GPU: python with_torch.py FOLDER"""

import sys
from pathlib import Path

import numpy as np
import torch

import onecast

path = Path(sys.argv[1]) / "torch.h5"
values = np.arange(3000 * 500, dtype="f8").reshape(3000, 500)

with onecast.File(path, "w") as f:
    d = f.create_dataset("d", data=np.zeros_like(values), chunks=(100, 500))
    tensor = torch.zeros(values.shape, dtype=torch.float64, device="cuda")
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(50):
            tensor += 1
        tensor.copy_(torch.as_tensor(values))
        # DLPack lets the transfer wait for the side stream, on which the tensor is used.
        d[...] = tensor
        tensor += 1
    writing = d.write_async((), tensor, stream=side)
    writing.wait()
    assert (d[...] == values + 1).all()
    out = onecast.asarray(d, like=tensor)
    assert isinstance(out, torch.Tensor) and (out.cpu().numpy() == values + 1).all()
    d.read_async(out=out, stream=side).wait()
    here = torch.zeros(values.shape, dtype=torch.float32)
    assert d.read_all(out=here) is here and (here.numpy() == (values + 1).astype("f4")).all()
    stored, chunks = onecast.read_stored_chunks(d, like=tensor)
    assert stored.is_cuda and len(chunks) == 30
path.unlink()
print("PyTorch: done")
