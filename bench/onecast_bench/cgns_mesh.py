"""`onecast bench cgns --part mesh`: an unstructured mesh, its solution and other arrays, through
cgp_ calls and through write calls. See bench/cgns/README.md."""

from rich.console import Console

from onecast_bench import arrays
from onecast_bench.arrays import Array, Study
from onecast_bench.cases import Case, Settings
from onecast_bench.programs import need_program

ELEMENTS, NODES_OF_ELEMENT = 1 << 22, 6
WAYS = ("collective", "collective, multi", "independent", "independent, multi")
ZONE = "/Base/Zone"
STUDY = Study(
    name="cgns-mesh",
    phases="read",
    measures=("first write", "close after writing", "read back"),
    contests=(),
    counted=("first write", "close after writing"),
    lab_writing=("first",),
    lab_around=("create", "close"),
    drawn="first write",
    bandwidths=("first write", "read back"),
)


def mesh(ranks: int, scale: float) -> list[Array]:
    """Returns the arrays of pentahedra that share no nodes: 432 bytes for each."""
    elements = max(ranks, round(ELEMENTS * scale))
    nodes = elements * NODES_OF_ELEMENT
    at_nodes = {
        **{f"Coordinate{axis}": f"{ZONE}/GridCoordinates" for axis in "XYZ"},
        **{f"Velocity{axis}": f"{ZONE}/Solution" for axis in "XYZ"},
        **{f"Array{kind}": f"{ZONE}/Data" for kind in "RI"},
    }
    connectivity = Array(
        "ElementConnectivity",
        "i8",
        (elements, NODES_OF_ELEMENT),
        (ranks, 1),
        f"{ZONE}/Elements/ElementConnectivity",
    )
    others = [
        Array(name, "i8" if name == "ArrayI" else "f8", (nodes, 1), (ranks, 1), f"{node}/{name}")
        for name, node in at_nodes.items()
    ]
    return [connectivity, *others]


def find_cases(settings: Settings, console: Console) -> list[Case]:
    ours = need_program("onecast_cgns_mesh")
    return [
        Case(arrays.WRITE_CALLS, need_program("plain_arrays"), "each", "arrays.bytes"),
        *(Case(f"Onecast, {way}", ours, way.replace(", ", "_"), "onecast.cgns") for way in WAYS),
        *arrays.stock_cases(settings, ("independent", "collective"), console),
    ]


def run_mesh(scale: float, settings: Settings) -> None:
    workloads = {f"{ELEMENTS * scale:,.0f} elements": lambda ranks: mesh(ranks, scale)}
    arrays.run_arrays_bench(STUDY, workloads, find_cases, settings)
