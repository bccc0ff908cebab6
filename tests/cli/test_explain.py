"""onecast explain: the method that a collective call of many ranks would take"""

import numpy as np
import pytest

import onecast as package


def explained(onecast, *arguments):
    result = onecast("explain", "--json", *arguments)
    assert result.code == 0, result.err
    return result.json


def test_a_sentence(onecast, path):
    options = ["--bytes", "64M", "--nodes", "8", "--interleaved", "4K", "--stripe-count", "4"]
    result = onecast("explain", path, *options)
    assert result.lines == [
        "write_all by 8 ranks on 8 nodes: collective: 16384 pieces of 4096 bytes on average on 8 "
        "ranks, interleaved; 67108864 bytes in 16384 pieces of 8 ranks, within 64 stripes of "
        "1048576 bytes, by 4 aggregators",
        "stripes: 1048576 bytes, over 4 targets (option)",
    ]
    assert not path.exists()


@pytest.mark.parametrize(
    "options, method",
    [
        ([], "plain"),
        (["--interleaved", "64K"], "plain"),  # the pieces are not small
        (["--interleaved", "4K"], "collective"),
        (["--interleaved", "4K", "--method", "plain"], "plain"),
        (["--interleaved", "4K", "--method", "independent"], "independent"),
        (["--interleaved", "4K", "--hint", "romio_cb_write=disable"], "independent"),
        (["--method", "collective"], "collective"),
        (["--interleaved", "4K", "--ranks", "1"], "plain"),
        (["--stripe-count", "4"], "plain"),  # no stripe is shared
        (["--stripe-count", "4", "--ranks", "7"], "edges"),
        (["--stripe-count", "4", "--ranks", "100"], "collective"),
        (["--stripe-count", "4", "--same"], "broadcast"),
        (["--read"], "plain"),
        (["--read", "--same"], "broadcast"),
        (["--read", "--interleaved", "4K"], "collective"),
        (["--read", "--interleaved", "64K", "--method", "collective"], "collective"),
    ],
)
def test_methods(onecast, path, options, method):
    found = explained(onecast, path, "--bytes", "64M", *options)
    assert found["method"] == method
    assert found["sentence"].startswith(f"{method}: ")


def test_bytes_need_no_file(onecast):
    result = onecast("explain", "--bytes", "1G")
    assert result.code == 0, result.err
    assert result.out.startswith("write_all by 8 ranks")
    assert explained(onecast, "--bytes", "1G")["bytes"] == 1 << 30
    result = onecast("explain")
    assert result.code == 2
    assert "FILE[/DATASET] or --bytes was expected" in result.err


def test_counts(onecast, path):
    found = explained(onecast, path, "--bytes", "10000", "--interleaved", "1000", "--ranks", "4")
    assert (found["bytes"], found["pieces"], found["ranks"]) == (10_000, 10, 4)
    assert (found["stripes"], found["stripe_source"]) == (1, "assumed")
    # There are more ranks than pieces, so some ranks want nothing.
    found = explained(onecast, path, "--bytes", "2500", "--interleaved", "1000")
    assert (found["bytes"], found["pieces"], found["ranks"]) == (2500, 3, 3)
    found = explained(onecast, path, "--bytes", "1M", "--same", "--ranks", "3")
    assert (found["bytes"], found["pieces"], found["stripes"]) == (3 << 20, 3, 1)


def test_aggregators(onecast, path):
    options = ["--bytes", "64M", "--interleaved", "4K", "--nodes", "8", "--stripe-count", "13"]
    assert explained(onecast, path, *options)["aggregators"] == 8
    assert explained(onecast, path, *options, "--aggregators", "3")["aggregators"] == 3
    assert explained(onecast, path, *options, "--hint", "cb_nodes=5")["aggregators"] == 5


def test_a_dataset(onecast, path):
    with package.File(path, "w") as f:
        f["x"] = np.zeros((1000, 1000))
        f["small"] = 1
        f.create_dataset("chunks", (100, 100), chunks=(10, 10))
    found = explained(onecast, f"{path}/x", "--interleaved", "8000", "--stripe-size", "4K")
    assert (found["method"], found["pieces"]) == ("collective", 1000)
    assert 8_000_000 / 4096 <= found["stripes"] <= 8_000_000 / 4096 + 2
    for name, reason in (
        ("small", "part of the metadata"),
        ("chunks", "without filters"),
        ("", "not a d"),
    ):
        result = onecast("explain", f"{path}/{name}")
        assert result.code == 1
        assert reason in result.err


def test_filtered_chunks(onecast, path):
    with package.File(path, "w") as f:
        f.create_dataset("x", (1000, 1000), "f8", chunks=(100, 50), compression="gzip")
    options = ["--ranks", "3", "--stripe-size", "1M"]
    assert explained(onecast, f"{path}/x", *options)["method"] == "chunked"
    assert explained(onecast, f"{path}/x", "--read", "--same", *options)["method"] == "broadcast"
    # 8 MB of chunks fit into half of the chunk cache, so each rank reads its own.
    read = explained(onecast, f"{path}/x", "--read", *options)
    assert read["method"] == "independent"
    large = [path, "--bytes", "1G", "--read", *options]
    assert explained(onecast, *large, "--chunk", "1000K")["method"] == "chunked"
    assert explained(onecast, *large[:-4], "--ranks", "4", "--chunk", "1M")["method"] == (
        "independent"
    )


def test_wrong_usage(onecast, path):
    assert onecast("explain", path, "--bytes", "64X").code == 2
    assert onecast("explain", path, "--bytes", "0").code == 2
    assert onecast("explain", path, "--bytes", "1M", "--same", "--interleaved", "4").code == 2
    assert onecast("explain", path, "--bytes", "1M", "--hint", "what").code == 2
    assert onecast("explain", path, "--chunk", "1M").code == 2
    result = onecast("explain", path)
    assert (result.code, result.err) == (1, f"onecast: {path}: no such file; --bytes needs none\n")
    result = onecast("explain", path, "--bytes", "1M", "--nodes", "9")
    assert (result.code, result.out) == (1, "")
    assert "nodes: from 1 to the number of ranks" in result.err
    result = onecast("explain", path, "--bytes", "1M", "--hint", "cb_nodes=many")
    assert result.code == 1
    assert "hint cb_nodes" in result.err
