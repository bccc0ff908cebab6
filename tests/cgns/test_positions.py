"""The results of every function at every kind of position equal those of the vtk wheel's
library."""

import shutil
import sys
from pathlib import Path

import cgns_writers as writers
import pytest
from cgns_libraries import MODIFY, READ, library
from cgns_positions import statuses
from cgns_trees import tree_by_h5py

sys.path.append(str(Path(__file__).parent))

import test_boundary_conditions as boundaries
import test_connectivity as connectivity
import test_equations as physics
import test_families as families
import test_particles as particles
import test_small_nodes as small
import test_solutions as solutions
import test_time_and_motion as time

# Together their files have nodes of all labels that a position can have.
PROGRAMS = [
    *(families.families, families.tree_of_families, physics.equations),
    *(physics.particle_equations, particles.particles, time.unsteady, time.moving),
    *(small.small_nodes, boundaries.conditions, boundaries.data, boundaries.data_of_families),
    *(connectivity.one_to_one_interfaces, connectivity.general_interfaces, connectivity.holes),
    *(solutions.discrete_data, solutions.subregions),
]
ARRAYS = ("cg_narrays", "cg_array_info", "cg_array_read", "cg_array_read_as", "cg_array_write")
POINTS = ("cg_ptset_info", "cg_ptset_read", "cg_ptset_write")
LOCATION = ("cg_gridlocation_read", "cg_gridlocation_write")
# The differences of the other library: (labels of the position, functions) and its behaviour.
OTHERWISE = [
    (("GridConnectivity_t", "Gravity_t"), ARRAYS[1:4]),  # it reads nothing, without an error
    (("BC_t",), ARRAYS),  # has InwardNormalList as an array, and deletes it for any that is written
    (("RotatingCoordinates_t", "Axisymmetry_t"), ("cg_array_write",)),  # it refuses further arrays
    (("FamilyBCDataSet_t",), (*POINTS, *LOCATION)),  # it has neither points nor a location there
    (("GridConnectivity_t", "GridConnectivity1to1_t"), POINTS[:2]),  # it tries to delete them
    (("OversetHoles_t",), POINTS[2:]),  # it replaces one of the ranges
    (("ParticleSolution_t",), POINTS),  # it knows no dimension there
    (("ParticleZone_t",), ("cg_nintegrals", "cg_nmultifam")),  # it reads them elsewhere only
    # It reads nothing, without an error.
    (("Family_t", "CGNSBase_t"), ("cg_node_family_read", "cg_node_family_name_read")),
    (("TurbulenceClosure_t",), ("cg_user_data_read",)),  # it counts it, and does not read it
    (("DiscreteData_t", "ZoneSubRegion_t"), ("cg_rind_write",)),  # refuses it if there are points
    (("ParticleEquationSet_t",), ("cg_particle_governing_read",)),  # it finds what it has replaced
]
# In a file that is open for reading only, these look at the position before the mode.
POSITION_FIRST = ("cg_bcdataset_write", "cg_node_family_write")


def nodes_of(tree, path=""):
    for child in tree[5]:
        here = f"{path}/{child[0]}"
        yield here, child[1]
        yield from nodes_of(child, here)


def is_otherwise(label, function, mode):
    if mode == READ and function in POSITION_FIRST:
        return True
    return any(label in labels and function in functions for labels, functions in OTHERWISE)


def first_of_each_label(written):
    """Returns {path: label} for all nodes, and the first path of each label."""
    labels, first = dict(nodes_of(tree_by_h5py(written))), {}
    for path, label in labels.items():
        first.setdefault(label, path)
    return labels, first


@pytest.mark.long
@pytest.mark.parametrize("mode", [READ, MODIFY])
@pytest.mark.parametrize("write", PROGRAMS, ids=lambda write: write.__name__)
def test_same_results_as_another_library(tmp_path, write, mode):
    library("ours")
    written = tmp_path / "written.cgns"
    write(library("vtk"), written)
    labels, first = first_of_each_label(written)
    found = {}
    for name in ("ours", "vtk"):
        path = tmp_path / f"{name}.cgns"
        shutil.copy(written, path)
        found[name] = statuses(name, mode, path, list(first.values()))
    assert found["vtk"], "no call at all"
    differences = {
        f"{function} at {labels[node]}, {index}": (
            found["ours"].get((node, function, index)),
            status,
        )
        for (node, function, index), status in found["vtk"].items()
        if status is not None  # it did not return
        and found["ours"].get((node, function, index)) != status
        and not is_otherwise(labels[node], function, mode)
    }
    assert not differences


# The other library also refuses this in such a file.
ALSO_WHILE_WRITING = ("cg_zone_type",)


@pytest.mark.long
@pytest.mark.parametrize("write", PROGRAMS, ids=lambda write: write.__name__)
def test_same_results_while_a_file_is_written(tmp_path, write):
    """Most reading functions refuse such a file; some that count do not."""
    library("ours")
    written = tmp_path / "written.cgns"
    write(library("vtk"), written)
    labels, first = first_of_each_label(written)
    program = f"{write.__module__}:{write.__name__}"
    ours, theirs = (
        statuses(name, program, tmp_path / f"{name}.cgns", list(first.values()))
        for name in ("ours", "vtk")
    )
    differences = {
        f"{function} at {labels[node]}": (ours.get((node, function, index)), status)
        for (node, function, index), status in theirs.items()
        if status is not None
        and function not in ALSO_WHILE_WRITING
        and bool(ours.get((node, function, index))) != bool(status)
        and not is_otherwise(labels[node], function, READ)
    }
    assert theirs and not differences


def test_what_counts_while_a_file_is_written(tmp_path):
    lib = library("ours")
    file, base = families.one_family(lib, tmp_path / "file.cgns")
    lib.cg_family_name_write(file, base, 1, "Also", "Body")
    lib.cg_goto(file, base, "Family_t", 1, "end")
    lib.cg_user_data_write("More")
    lib.cg_node_family_write("Flap", lib.out())
    for name in ("cg_nuser_data", "cg_node_nfamilies", "cg_node_nfamily_names"):
        assert writers.number(lib, name) == 1
    lib.cg_goto(file, base, "Zone_t", 1, "end")
    assert writers.number(lib, "cg_nmultifam") == 0
    lib.cg_close(file)
