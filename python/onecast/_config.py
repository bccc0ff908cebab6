"""Defaults for what a program does not specify."""

from __future__ import annotations

from collections.abc import Callable

_listeners: list[Callable[[], object]] = []


def on_new_names(listener: Callable[[], object]) -> None:
    """Registers a function that is called when the names that stand for complex or bool change."""
    _listeners.append(listener)


class H5PYConfig:
    """Settings of the process, with h5py's names.

    complex_names: the member names of the compound that stands for complex numbers, two str
    bool_names: the names in the enumeration that stands for bool, two str: False and True
    track_order: the default of `track_order` for new files and groups. With None, the initial
        value, groups track the order of links and list them in it
    """

    # With __slots__, a misspelled name raises AttributeError.
    __slots__ = ("_as_h5py", "_bool", "_complex", "track_order")

    mpi = True
    ros3 = False
    direct_vfd = False
    swmr_min_hdf5_version = (1, 9, 178)
    vds_min_hdf5_version = (1, 9, 233)
    has_native_complex = True

    def __init__(self) -> None:
        self._complex = ("r", "i")
        self._bool = ("FALSE", "TRUE")
        self._as_h5py = False  # set by install_as_h5py(): defaults become h5py's
        self.track_order: bool | None = None

    @property
    def complex_names(self) -> tuple[str, str]:
        return self._complex

    @complex_names.setter
    def complex_names(self, names: tuple[str, str]) -> None:
        self._complex = _two(names, "complex_names")
        _tell()

    @property
    def bool_names(self) -> tuple[str, str]:
        return self._bool

    @bool_names.setter
    def bool_names(self, names: tuple[str, str]) -> None:
        self._bool = _two(names, "bool_names")
        _tell()

    @property
    def default_file_mode(self) -> str:
        return "r"

    @default_file_mode.setter
    def default_file_mode(self, mode: str) -> None:
        if mode != "r":
            raise ValueError("default_file_mode: it is 'r': give File another mode")

    @property
    def _r_name(self) -> bytes:
        return self._complex[0].encode()

    @property
    def _i_name(self) -> bytes:
        return self._complex[1].encode()

    def __repr__(self) -> str:
        return (
            f"<H5PYConfig: complex_names={self._complex}, bool_names={self._bool},"
            f" track_order={self.track_order}>"
        )


def _two(names: tuple[str, str], what: str) -> tuple[str, str]:
    try:
        first, second = (n.decode() if isinstance(n, bytes) else n for n in names)
    except (TypeError, ValueError):
        first = second = None
    if not (isinstance(first, str) and isinstance(second, str) and first != second):
        raise TypeError(f"{what}: two names were expected, not {names!r}")
    return first, second


def _tell() -> None:
    for listener in _listeners:
        listener()


_config = H5PYConfig()


def get_config() -> H5PYConfig:
    """Returns the settings of this process. Changes apply to what is opened, read or created
    later."""
    return _config
