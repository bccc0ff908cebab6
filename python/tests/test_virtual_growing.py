"""Virtual datasets without limits, which are as large as their sources, and those of blocks"""

import h5py
import numpy as np
import pytest
from virtual_files import UNLIMITED, compare, set_virtual, write, write_virtual

GROWN = [0, 1, 4, 5, 6, 11]


@pytest.mark.parametrize("rows", GROWN)
@pytest.mark.parametrize(
    ("virtual", "source"),
    [
        ((0, 1, UNLIMITED, 1), (0, 1, UNLIMITED, 1)),
        ((0, 1, 1, UNLIMITED), (0, 1, 1, UNLIMITED)),
        ((2, 5, UNLIMITED, 2), (1, 3, UNLIMITED, 1)),
        ((0, 3, UNLIMITED, 1), (2, 1, 1, UNLIMITED)),
        ((1, 1, 1, UNLIMITED), (0, 4, UNLIMITED, 3)),
        ((1, 7, UNLIMITED, 3), (0, 4, UNLIMITED, 3)),
    ],
    ids=str,
)
def test_growing(elsewhere, rows, virtual, source):
    most = (UNLIMITED, 4)
    columns = (0, 1, 1, 4)
    set_virtual(
        elsewhere / "v.h5",
        (3, 4),
        (UNLIMITED, 4),
        [((virtual, columns), "s.h5", "x", (source, columns), ((5, 4), most))],
    )
    if rows == 1 and source[3] == 3:
        pytest.skip("h5py cannot read the first block if it is not whole")
    values = np.arange(rows * 4, dtype="<i4").reshape(rows, 4)
    write(elsewhere / "s.h5", values, maxshape=(None, 4), chunks=(2, 2))
    shape = compare(elsewhere / "v.h5", selections=(np.s_[...], np.s_[::2, 1:], np.s_[1:4])).shape
    assert shape[0] >= rows - 2


def test_growing_side_by_side(elsewhere):
    """They are columns of two sources of different lengths, of a missing one, and of a limited
    one."""
    along = (0, 1, UNLIMITED, 1)
    most = (UNLIMITED,)
    mappings = [((along, (i, 1, 1, 1)), f"s{i}.h5", "x", (along,), ((1,), most)) for i in range(3)]
    mappings.append((((0, 1, 1, 2), (3, 1, 1, 1)), "s0.h5", "x", ((0, 1, 1, 2),), ((1,), most)))
    set_virtual(elsewhere / "v.h5", (2, 4), (UNLIMITED, 4), mappings)
    write(elsewhere / "s0.h5", np.arange(5, dtype="<i4"), maxshape=(None,))
    write(elsewhere / "s2.h5", np.arange(9, dtype="<i4"), maxshape=(None,))
    assert compare(elsewhere / "v.h5").shape == (9, 4)


def test_growing_in_another_dimension(elsewhere):
    along = (0, 1, UNLIMITED, 1)
    set_virtual(
        elsewhere / "v.h5",
        (1, 3),
        (UNLIMITED, 3),
        [((along, (0, 1, 1, 3)), "s.h5", "x", ((0, 1, 1, 3), along), ((3, 1), (3, UNLIMITED)))],
    )
    write(elsewhere / "s.h5", np.arange(12, dtype="<i4").reshape(3, 4), maxshape=(3, None))
    assert compare(elsewhere / "v.h5").shape == (4, 3)


def test_no_source_yet(elsewhere):
    along = (0, 1, UNLIMITED, 1)
    set_virtual(
        elsewhere / "v.h5",
        (3,),
        (UNLIMITED,),
        [((along,), "s.h5", "x", (along,), ((1,), (UNLIMITED,)))],
    )
    assert compare(elsewhere / "v.h5", selections=(np.s_[...],)).shape == (0,)


def test_h5py_resized_source(elsewhere):
    write(elsewhere / "s.h5", np.arange(10, dtype="<i4"), maxshape=(None,))
    layout = h5py.VirtualLayout((10, 2), "<i4", maxshape=(None, 2))
    source = h5py.VirtualSource("s.h5", "x", (10,), maxshape=(None,))
    layout[: h5py.h5s.UNLIMITED, 0] = source[: h5py.h5s.UNLIMITED]
    layout[: h5py.h5s.UNLIMITED, 1] = source[: h5py.h5s.UNLIMITED]
    write_virtual(elsewhere / "v.h5", layout)
    with h5py.File(elsewhere / "s.h5", "a") as f:
        f["x"].resize((15,))
        f["x"][10:] = 7
    assert compare(elsewhere / "v.h5").shape == (15, 2)


# --- %b ------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("file", "name"), [("f%b.h5", "x"), ("f0.h5", "d%b"), ("f%b.h5", "d%b%%%b"), ("100%%.h5", "%b")]
)
@pytest.mark.parametrize("side", [(0, 2, UNLIMITED, 2), (1, 5, UNLIMITED, 2)], ids=str)
def test_blocks(elsewhere, file, name, side):
    columns = (0, 1, 1, 3)
    whole = ((0, 1, 1, 2), columns)
    set_virtual(
        elsewhere / "v.h5",
        (1, 3),
        (UNLIMITED, 3),
        [((side, columns), file, name, whole, ((2, 3), (2, 3)))],
    )
    # The fourth is no longer found, since the third is missing.
    for i in (0, 1, 2, 4):
        values = np.arange(6, dtype="<i4").reshape(2, 3) + 10 * i
        write(
            elsewhere / file.replace("%b", str(i)).replace("%%", "%"),
            values,
            name.replace("%%", "!").replace("%b", str(i)).replace("!", "%"),
        )
    values = compare(elsewhere / "v.h5")
    assert values.max() == 25
    assert values.shape[0] == side[0] + 2 * side[1] + side[3]


def test_blocks_none(elsewhere):
    set_virtual(
        elsewhere / "v.h5",
        (4,),
        (UNLIMITED,),
        [(((0, 2, UNLIMITED, 2),), "f%b.h5", "x", ((0, 1, 1, 2),), ((2,), (2,)))],
    )
    assert compare(elsewhere / "v.h5", selections=(np.s_[...],)).shape == (0,)


def test_percent(elsewhere):
    write(elsewhere / "50%.h5", np.arange(4, dtype="<i4"), "a%b%c".replace("%b", "%"))
    layout = h5py.VirtualLayout((4,), "<i4")
    layout[...] = h5py.VirtualSource("50%%.h5", "a%%%%c".replace("%%%%", "%%"), (4,))
    write_virtual(elsewhere / "v.h5", layout)
    compare(elsewhere / "v.h5", selections=(np.s_[...],))
