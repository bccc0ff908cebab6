"""The command `onecast bench`."""

import click

from onecast_bench import event_commands
from onecast_bench.command_options import (
    case_option,
    count_option,
    directory_option,
    file_option,
    out_option,
    repeats_option,
    transfer_options,
    with_lab,
)
from onecast_bench.metadata import STOCK_SETTINGS, run_metadata_bench
from onecast_bench.programs import BenchError
from onecast_cli.numbers import POSITIVE, Finite, NumberList


@click.group()
def bench() -> None:
    """Measure Onecast and compare it with stock HDF5 and others."""


@bench.command()
@click.option("--ranks", type=NumberList(), default="8", show_default=True, help="Ranks to run on.")
@click.option("--bases", type=click.IntRange(1), default=128, show_default=True)
@count_option("--zones", 32, "Zones per base.")
@file_option("Only open and read this HDF5 file.")
@repeats_option
@out_option("The folder for the JSON and the picture.")
@directory_option
@click.option("--stock/--no-stock", default=True, help="Compare with stock HDF5.")
@click.option(
    "--settings",
    default=",".join(STOCK_SETTINGS),
    show_default=True,
    help="The settings of stock HDF5; see bench/metadata/README.md.",
)
@click.option("--cgns/--no-cgns", default=True, help="Also read a file with the CGNS library.")
@click.option("--timeout", type=POSITIVE, default=3600, show_default=True, help="Seconds per run.")
def metadata(settings: str, **options) -> None:
    """Create, read and close a file of many small objects; count every call."""
    try:
        agreed = run_metadata_bench(settings=settings.split(","), **options)
    except BenchError as error:
        raise click.ClickException(str(error)) from error
    if not agreed:
        raise click.exceptions.Exit(1)


@bench.command()
@click.option("--contiguous-mib", type=click.IntRange(1), default=1024, show_default=True)
@click.option("--chunked-mib", type=click.IntRange(1), default=512, show_default=True)
@click.option("--hyperslabs", type=click.IntRange(1), default=10_000, show_default=True)
@click.option("--datasets", type=click.IntRange(1), default=100_000, show_default=True)
@file_option("Also walk and read all of this HDF5 file.")
@repeats_option
@out_option("The folder for the JSON.")
@directory_option
def read(file, repeats, out, directory, **sizes) -> None:
    """Read large, chunked and very many datasets, compared with h5py, in one process."""
    # Nothing else here needs h5py.
    from onecast_bench.read import Sizes, run_read_bench

    if not run_read_bench(Sizes(**sizes), repeats, out, directory, file):
        raise click.exceptions.Exit(1)


@bench.command()
@click.option("--datasets", type=click.IntRange(1), default=100_000, show_default=True)
@click.option("--attributes", type=click.IntRange(1), default=10_000, show_default=True)
@click.option("--appends", type=click.IntRange(1), default=10_000, show_default=True)
@click.option("--contiguous-mib", type=click.IntRange(1), default=1024, show_default=True)
@click.option("--chunked-mib", type=click.IntRange(1), default=512, show_default=True)
@repeats_option
@out_option("The folder for the JSON.")
@directory_option
def write(repeats, out, directory, **sizes) -> None:
    """Create many objects, append, write large data, compared with h5py and stock parallel HDF5."""
    from onecast_bench.write import Sizes, run_write_bench

    try:
        equal = run_write_bench(Sizes(**sizes), repeats, out, directory)
    except BenchError as error:
        raise click.ClickException(str(error)) from error
    if not equal:
        raise click.exceptions.Exit(1)


@bench.command()
@case_option
@click.option(
    "--scale",
    type=POSITIVE,
    default=1,
    show_default=True,
    help="Scales the numbers of steps, and the sizes of the files before.",
)
@repeats_option
@out_option("The folder for the JSON.")
@directory_option
def sessions(cases, scale, repeats, out, directory) -> None:
    """Make many small changes, in one session or in many, compared with h5py."""
    from onecast_bench.sessions import SIZES, run_sessions_bench

    if unknown := [name for name in cases if name not in SIZES]:
        raise click.BadParameter(f"{unknown[0]!r}: not one of {', '.join(SIZES)}")
    try:
        equal = run_sessions_bench(list(cases or SIZES), scale, repeats, out, directory)
    except BenchError as error:
        raise click.ClickException(str(error)) from error
    if not equal:
        raise click.exceptions.Exit(1)


@bench.command()
@case_option
@count_option("--frames", 500, "The number of frames.", least=2)
@click.option("--rate", type=POSITIVE, default=100, show_default=True, help="Frames a second.")
@count_option("--frame-size", 4_000_000, "The bytes of a frame.", least=4)
@count_option("--readers", 2, "The number of readers.")
@out_option("The folder for the JSON.")
@directory_option
def follow(cases, frames, rate, frame_size, readers, out, directory) -> None:
    """Append frames at a fixed rate, followed by readers in other processes."""
    from onecast_bench.follow import CASES, Sizes, run_follow_bench

    if unknown := [name for name in cases if name not in CASES]:
        raise click.BadParameter(f"{unknown[0]!r}: not one of {', '.join(CASES)}")
    try:
        sizes = Sizes(frames, rate, frame_size, readers)
        run_follow_bench(list(cases or CASES), sizes, out, directory)
    except BenchError as error:
        raise click.ClickException(str(error)) from error


@bench.command("python")
@case_option
@click.option(
    "--scale",
    type=POSITIVE,
    default=1,
    show_default=True,
    help="Scales how often each operation is done.",
)
@repeats_option
@out_option("The folder for the JSON.")
@directory_option
def small_things(cases, scale, repeats, out, directory) -> None:
    """Compare small operations that Python programs repeat often with h5py."""
    from onecast_bench.python import run_python_bench
    from onecast_bench.python_cases import CASES

    names = [case.name for case in CASES]
    if unknown := [name for name in cases if name not in names]:
        raise click.BadParameter(f"{unknown[0]!r}: not one of {', '.join(names)}")
    if not run_python_bench(list(cases or names), scale, repeats, out, directory):
        raise click.exceptions.Exit(1)


@bench.command()
@click.option("--bases", type=click.IntRange(65), default=128, show_default=True)
@count_option("--zones", 32, "Zones per base.", 17)
@click.option("--page-size", type=click.IntRange(4096), default=1 << 20, show_default=True)
@click.option("--repeats", type=click.IntRange(1), default=50, show_default=True)
@out_option("The folder for the JSON.")
@directory_option
def flush(**options) -> None:
    """Flush after one small change: with the journal, without it, and durably."""
    from onecast_bench.flush import run_flush_bench

    run_flush_bench(**options)


@bench.command()
@click.option("--ranks", type=NumberList(), default="4", show_default=True, help="Ranks to run on.")
@count_option("--objects", 1000, "Objects per rank.")
@repeats_option
@out_option("The folder for the JSON.")
@directory_option
@click.option("--stock/--no-stock", default=True, help="Compare with stock HDF5.")
@click.option("--timeout", type=POSITIVE, default=3600, show_default=True, help="Seconds per run.")
def independent(**options) -> None:
    """Create objects of each rank: by that rank alone, and by all ranks."""
    from onecast_bench.independent import run_independent_bench

    try:
        agreed = run_independent_bench(**options)
    except BenchError as error:
        raise click.ClickException(str(error)) from error
    if not agreed:
        raise click.exceptions.Exit(1)


@bench.command()
@click.option("--ranks", type=NumberList(), default="4", show_default=True, help="Ranks to run on.")
@click.option("--reads", type=click.IntRange(1, 1_000_000), default=8192, show_default=True)
@click.option("--read-bytes", type=click.IntRange(1, 1_000_000), default=64, show_default=True)
@repeats_option
@out_option("The folder for the JSON and the picture.")
@directory_option
@click.option("--stock/--no-stock", default=True, help="Compare with stock HDF5.")
@with_lab
@click.option("--timeout", type=POSITIVE, default=3600, show_default=True, help="Seconds per run.")
def mpiio(**options) -> None:
    """Read many small pieces that all ranks want: through MPI-IO, by broadcasts, by Onecast."""
    from onecast_bench.mpiio import run_mpiio_bench

    try:
        run_mpiio_bench(**options)
    except BenchError as error:
        raise click.ClickException(str(error)) from error


@bench.command()
@click.option(
    "--pieces",
    type=NumberList(),
    default="64,512,4096,65536",
    show_default=True,
    help="Bytes of a piece.",
)
@click.option(
    "--mib", type=click.IntRange(1, 1024), default=16, show_default=True, help="MiB in total."
)
@transfer_options(ranks="8", steps=3)
def interleave(settings, pieces, mib) -> None:
    """Write small pieces of all ranks in turns: through MPI-IO, stock HDF5 and Onecast."""
    from onecast_bench.interleave import run_interleave_bench

    run_interleave_bench(pieces, mib, settings)


STRIPES_PARTS = ("sizes", "queue")


@bench.command()
@click.option(
    "--part",
    "parts",
    type=click.Choice(STRIPES_PARTS),
    multiple=True,
    default=STRIPES_PARTS,
    help="A part; may be repeated (default: all). The queue runs with --lab only.",
)
@click.option(
    "--bytes",
    "sizes",
    type=NumberList(),
    default="4096,16384,65536,262144,1048576,4194304,16777216,67108864",
    show_default=True,
    help="Bytes of a transfer.",
)
@click.option(
    "--mib",
    type=click.IntRange(1, 1024),
    default=16,
    show_default=True,
    help="MiB in total, but at least one transfer for each rank.",
)
@transfer_options(ranks="2,4,8", steps=None, osts=2)
def stripes(settings, parts, sizes, mib) -> None:
    """Write transfers of many sizes, on stripes or across them, by several writers a target."""
    from onecast_bench.stripes import run_stripes_bench

    run_stripes_bench(sizes, mib, settings, parts)


@bench.command()
@click.option("--bytes", "sizes", type=NumberList(), default="40", show_default=True)
@transfer_options(ranks="8", steps=100)
def samewrite(settings, sizes) -> None:
    """Write the same bytes from all ranks: through stock HDF5 and Onecast."""
    from onecast_bench.samewrite import run_samewrite_bench

    run_samewrite_bench(sizes, settings)


@bench.command()
@click.option(
    "--kind",
    "kinds",
    type=click.Choice(["flash", "pop", "wrf"]),
    multiple=True,
    default=["flash", "pop", "wrf"],
    help="May be repeated (default: all).",
)
@count_option("--mb-per-rank", 60, "For the kind pop.")
@transfer_options(ranks="8", steps=3)
def checkpoint(settings, kinds, mb_per_rank) -> None:
    """Write checkpoints as simulations do: by write calls, stock HDF5 and Onecast."""
    from onecast_bench.checkpoint import run_checkpoint_bench

    run_checkpoint_bench(kinds, mb_per_rank, settings)


CLOSE_PARTS = ("changed", "truncation", "metadata")


@bench.command()
@click.option(
    "--part",
    "parts",
    type=click.Choice(CLOSE_PARTS),
    multiple=True,
    default=CLOSE_PARTS,
    help="May be repeated (default: all).",
)
@click.option(
    "--datasets",
    type=click.IntRange(1, 4096),
    default=100,
    show_default=True,
    help="Datasets in the changed file.",
)
@transfer_options(ranks="8", steps=1)
def close(settings, parts, datasets) -> None:
    """Close a file that all ranks have open: changed or not, truncated, with its metadata."""
    from onecast_bench.close import run_close_bench

    run_close_bench(datasets, settings, parts)


@bench.command("equal-reads")
@click.option(
    "--bytes",
    "sizes",
    type=NumberList(),
    default="64,4096,65536,1048576,16777216,67108864",
    show_default=True,
    help="Bytes of one read.",
)
@click.option(
    "--groups",
    type=NumberList(),
    default="1,2,3,4",
    show_default=True,
    help="Groups of ranks; the ranks of a group read one part, each group another.",
)
@click.option("--group-bytes", type=click.IntRange(8192), default=1 << 20, show_default=True)
@transfer_options(ranks="2,4", steps=1)
def equal_reads(settings, sizes, groups, group_bytes) -> None:
    """Read bytes that all ranks want, or groups: each for itself, collectively, one for all."""
    from onecast_bench.equal_reads import run_equal_reads_bench

    run_equal_reads_bench(sizes, groups, group_bytes, settings)


@bench.command()
@click.option(
    "--scale",
    type=POSITIVE,
    default=0.01,
    show_default=True,
    help="The share of 33.5 million elements and 201 million nodes.",
)
@transfer_options(ranks="8", steps=1)
def mesh(settings, scale) -> None:
    """Write and read an unstructured mesh: by write calls, stock HDF5 and Onecast."""
    from onecast_bench.mesh import run_mesh_bench

    run_mesh_bench(scale, settings)


@bench.command()
@click.option("--only", "names", multiple=True, help="A run; may be repeated (default: all).")
@click.option(
    "--measure/--no-measure", default=True, help="Without measuring, use the JSONs in --out."
)
@out_option("The folder for the JSONs and the pictures.")
def founding(names, measure, out) -> None:
    """Repeat the measurements of the founding reports; write docs/reference/founding-tables.md."""
    from onecast_bench.founding import RUNS, run_founding_bench

    if unknown := [name for name in names if name not in RUNS]:
        raise click.BadParameter(f"{unknown[0]!r}: not one of {', '.join(RUNS)}")
    try:
        run_founding_bench(names or tuple(RUNS), measure, out)
    except BenchError as error:
        raise click.ClickException(str(error)) from error


CGNS_PARTS = ("open", "mesh", "zones")


@bench.command()
@click.option(
    "--part",
    "parts",
    type=click.Choice(CGNS_PARTS),
    multiple=True,
    default=CGNS_PARTS,
    help="May be repeated (default: all).",
)
@count_option("--bases", 128, "For the part open.")
@count_option("--zones", 32, "For the part open, per base.")
@file_option("For the part open: open this CGNS file, and create none.")
@click.option(
    "--scale",
    type=Finite(0, 8, min_open=True),
    default=1,
    show_default=True,
    help="For the part mesh: times 4 million elements of 6 nodes.",
)
@click.option(
    "--blocks",
    type=NumberList(),
    default="256,1024,4096,16384",
    show_default=True,
    help="For the part zones: the numbers of zones.",
)
@transfer_options(ranks="1,4", steps=1)
def cgns(settings, parts, bases, zones, file, scale, blocks) -> None:
    """Create, open, write and read CGNS files: by Onecast, libcgns and stock HDF5."""
    from onecast_bench.cgns_mesh import run_mesh
    from onecast_bench.cgns_open import run_open
    from onecast_bench.cgns_zones import run_zones

    equal = True
    if "open" in parts:
        equal &= run_open(bases, zones, file, settings)
    if "mesh" in parts:
        run_mesh(scale, settings)
    if "zones" in parts:
        equal &= run_zones(blocks, settings)
    if not equal:
        raise click.exceptions.Exit(1)


@bench.command()
@click.option("--ranks", type=click.IntRange(1), default=8, show_default=True)
@count_option("--mib", 128, "MiB of each rank.")
@click.option("--buffer-mib", type=click.IntRange(1), default=16, show_default=True)
@click.option(
    "--pieces",
    type=NumberList(),
    default="4096,1048576",
    show_default=True,
    help="Bytes of a piece.",
)
@out_option("The folder for the JSON.")
@directory_option
@click.option("--timeout", type=POSITIVE, default=3600, show_default=True, help="Seconds in total.")
def memory(**options) -> None:
    """Measure the memory of calls beside their callers'; fail above collective_buffer or 64 MiB."""
    from onecast_bench.memory import run_memory_bench

    try:
        within = run_memory_bench(**options)
    except BenchError as error:
        raise click.ClickException(str(error)) from error
    if not within:
        raise click.exceptions.Exit(1)


@bench.command()
@click.option("--ranks", type=NumberList(), default="2048,4096,8192", show_default=True)
@click.option(
    "--ranks-per-node",
    type=NumberList(),
    default="128",
    show_default=True,
    help="Ranks of a pretended node.",
)
@count_option("--processes", 4, "The number of processes, whose threads the ranks are.")
@count_option("--bases", 128, "Bases of the file.")
@count_option("--zones", 32, "Zones of each base.")
@count_option("--many", 2048, "More ranks create a file with only --create-bases bases.")
@count_option("--create-bases", 16, "See --many.")
@count_option("--block", 4096, "Bytes that each rank writes and reads.")
@count_option("--equal", 65536, "Bytes that all ranks write and read.")
@count_option("--budget", 0, "metadata_budget of the file that is read (0: its default).", 0)
@click.option("--stock/--no-stock", default=True, help="Count the calls of stock HDF5, too.")
@out_option("The folder for the JSON and the picture.")
@directory_option
@click.option("--timeout", type=POSITIVE, default=1200, show_default=True, help="Seconds per run.")
def scale(**options) -> None:
    """Create, open and read a file on thousands of ranks, which are threads of a few processes:
    exact counts of each rank, and the memory of each node. Fails if a limit is exceeded."""
    from onecast_bench.scale import run_scale_bench

    try:
        kept = run_scale_bench(**options)
    except BenchError as error:
        raise click.ClickException(str(error)) from error
    if not kept:
        raise click.exceptions.Exit(1)


bench.add_command(event_commands.columnar)
bench.add_command(event_commands.events)
