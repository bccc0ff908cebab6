"""onecast selftest"""

from __future__ import annotations

import click

from .explain import NUMBER


@click.command()
@click.option("-n", "--ranks", type=NUMBER, help="So many ranks; without MPI this fails. [2 to 4]")
@click.argument("folder", default=".", type=click.Path(exists=True, file_okay=False))
def selftest(folder: str, ranks: int | None) -> None:
    """Try Onecast on this machine, and say what works: MPI, ranks, codecs, stripes.

    Files are written in FOLDER, by default the current one, and removed again. Ranks are started by
    mpiexec; under mpiexec or srun, `python -m onecast.selftest` works on their ranks.
    """
    from onecast.selftest import run

    if status := run(folder, ranks):
        raise click.exceptions.Exit(status)
