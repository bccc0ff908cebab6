"""The benchmark of CGNS files: all cases see and leave the same, with the expected calls."""

import json
import os
from pathlib import Path

import pytest

from onecast_bench import cgns_mesh, cgns_open, cgns_zones, lab
from onecast_bench.cgns_tree import CLOSE, LOOK, OPEN
from onecast_bench.comparison import MIB
from onecast_bench.programs import find_program
from onecast_bench.results import FILE_CALLS

CORPUS = Path(
    os.environ.get("ONECAST_CORPUS", Path(__file__).parents[2] / ".." / "shared" / "corpus")
)
RANKS = [1, 4, *(pytest.param(ranks, marks=pytest.mark.long) for ranks in (2, 3, 7))]


@pytest.fixture
def programs(need_programs):
    need_programs("onecast_cgns_tree", "onecast_cgns_mesh", "plain_arrays")


def results_of(settings, name):
    document = json.loads((settings.out / f"{name}.json").read_text())
    return [each["result"] for each in document["results"]], document


def file_calls(result, measure):
    """Returns the file calls of each rank."""
    counts = result["counts"][measure]
    return [sum(counts[call][rank] for call in FILE_CALLS) for rank in range(result["ranks"])]


def assert_opened_by_one(result):
    assert file_calls(result, OPEN)[1:] == [0] * (result["ranks"] - 1)
    assert max(result["counts"][OPEN]["collectives"]) <= 6
    if result["ranks"] > 1:
        assert file_calls(result, LOOK) == [0] * result["ranks"]
        assert result["counts"][LOOK]["collectives"] == [0] * result["ranks"]
    assert_closed_without_a_call(result)


def assert_closed_without_a_call(result):
    """Expects no call to the file, and no rank that waits for another: the first rank to part from
    the communicator leaves an answer, the last one frees it."""
    ranks = result["ranks"]
    assert file_calls(result, CLOSE) == [0] * ranks
    waited = set(result["by_collective"][CLOSE]) - {"Iallreduce", "Comm_free"}
    assert waited == set()


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("name", ["blocks-128x32.cgns", "shape-128x32-contiguous.h5"])
def test_files_of_others(programs, library, settings, name, ranks):
    file = CORPUS / "cgns" / name
    if not file.is_file():
        pytest.skip(f"no {file} (set ONECAST_CORPUS)")
    given = settings(ranks, stock=False)
    assert cgns_open.run_open(128, 32, file, given)
    results, document = results_of(given, "cgns-open")
    ours = next(result for result in results if result["case"] == "Onecast")
    assert_opened_by_one(ours)
    assert all(check["passed"] for check in document["checks"])
    # libcgns 3.4 does not open the other file, whose version is 4.
    if ranks == 1 and name == "blocks-128x32.cgns" and find_program("libcgns_tree"):
        assert {result["case"] for result in results} == {"Onecast", "libcgns"}


@pytest.mark.parametrize("ranks", [1, 3])
def test_open(programs, library, settings, ranks):
    given = settings(ranks)
    assert cgns_open.run_open(3, 4, None, given)
    results = {result["case"]: result for result in results_of(given, "cgns-open")[0]}
    for case in ("Onecast", cgns_open.OWN):
        assert_opened_by_one(results[case])
    # These are the names of 3 bases and 12 zones, their sizes and types, and the number of
    # sections.
    assert results["Onecast"]["contents"]["groups"] == 3 + 3 * 12
    assert results["Onecast"]["counts"]["create: close"]["writes"] == [2] + [0] * (ranks - 1)
    if cgns_open.STOCK in results:
        stock = results[cgns_open.STOCK]["counts"]["open + read all"]
        assert max(stock["collectives"]) > 100
    if ranks == 1 and "libcgns" in results:
        digests = {r["contents"]["digest"] for c, r in results.items() if c != cgns_open.STOCK}
        assert len(digests) == 1
    assert (given.out / "cgns-open.png").is_file()


def test_zones(programs, library, settings):
    given = settings(3)
    assert cgns_zones.run_zones([5, 20], given)
    results, document = results_of(given, "cgns-zones")
    assert [each["zones"] for each in document["results"]] == [5, 20]
    for result in results:
        assert_opened_by_one(result)
        assert len(result["memory"][OPEN]) == 3
    few, many = (result["counts"][OPEN] for result in results)
    assert few["collectives"] == many["collectives"]
    assert few["reads"] == many["reads"]


@pytest.mark.long
def test_mesh(programs, library, settings):
    pytest.importorskip("h5py")
    given = settings(3, steps=1)
    cgns_mesh.run_mesh(1e-3, given)
    results, document = results_of(given, "cgns-mesh")
    found = {result["case"]: result for result in results}
    nbytes = 4194 * 432
    assert {each["nbytes"] for each in document["results"]} == {nbytes}
    for way in cgns_mesh.WAYS:
        ours = found[f"Onecast, {way}"]["counts"]
        assert sum(ours["first write"]["bytes_written"]) == nbytes
        assert sum(ours["read back"]["bytes_read"]) == nbytes
        assert ours["first write"]["writes"] == ours["read back"]["reads"] == [9, 9, 9]
        if way.startswith("independent"):
            assert ours["first write"]["collectives"] == ours["read back"]["collectives"] == [0] * 3
    calls = [found[f"Onecast, {way}"]["counts"]["first write"] for way in cgns_mesh.WAYS[:2]]
    assert [max(each["collectives"]) for each in calls] == [9, 4]


def test_the_full_mesh():
    connectivity, *at_nodes = cgns_mesh.mesh(8, 8)
    assert connectivity.shape == (33_554_432, 6)
    assert {array.shape[0] for array in at_nodes} == {201_326_592}
    assert connectivity.nbytes + sum(a.nbytes for a in at_nodes) == 432 * 33_554_432


@pytest.mark.long
def test_mesh_in_a_lab(programs, small_lab, settings):
    """Collective calls write each stripe once, and no stripe from two nodes."""
    given = settings(3, lab=small_lab, steps=1, stock=False)
    cgns_mesh.run_mesh(0.01, given)
    results = results_of(given, "cgns-mesh-lab")[0]
    for way in ("collective", "collective, multi"):
        ours = next(result for result in results if result["case"] == f"Onecast, {way}")
        counts = lab.sum_steps([ours["lab"]["first"]])
        nbytes = 41_943 * 432
        assert counts.write_bytes == nbytes
        assert (counts.write_rpcs, counts.revocations) == (-(-nbytes // MIB), 0)
