"""`onecast bench mesh`: an unstructured mesh and its solution. See bench/arrays/README.md."""

from onecast_bench import arrays
from onecast_bench.arrays import Array, Study
from onecast_bench.cases import Settings

ELEMENTS, NODES_OF_ELEMENT = 33_500_000, 6
STUDY = Study(
    name="mesh",
    phases="read",
    measures=("first write", "flush", "close after writing", "read back"),
    contests=("first write", "read back"),
    counted=("first write", "flush"),
    lab_writing=("first",),
    lab_around=("create", "flush", "close"),
    drawn="first write",
)


def mesh(ranks: int, scale: float) -> list[Array]:
    """Returns the arrays of pentahedra that share no nodes, and the values at the nodes."""
    elements = max(ranks, round(ELEMENTS * scale))
    of_nodes = (
        *("CoordinateX", "CoordinateY", "CoordinateZ"),
        *("Density", "Pressure", "Temperature"),
    )
    nodes = elements * NODES_OF_ELEMENT
    return [
        Array("ElementConnectivity", "i4", (elements, NODES_OF_ELEMENT), (ranks, 1)),
        *(Array(name, "f8", (nodes, 1), (ranks, 1)) for name in of_nodes),
    ]


def run_mesh_bench(scale: float, settings: Settings) -> None:
    workloads = {f"scale {scale:g}": lambda ranks: mesh(ranks, scale)}
    arrays.run_arrays_bench(STUDY, workloads, arrays.common_cases, settings)
