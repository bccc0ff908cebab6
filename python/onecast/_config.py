"""What the package does where the program does not say."""

from __future__ import annotations


class H5PYConfig:
    """Settings of the process, by h5py's names.

    complex_names: members of the compound that stands for complex numbers, of two str
    bool_names: the names of the enumeration that stands for bool, of two str
    track_order: of new files and groups, where `track_order` is not given. None, as it is at
        first: groups track the order of links, and list them in it
    """

    mpi = True
    ros3 = False
    direct_vfd = False
    swmr_min_hdf5_version = (1, 9, 178)
    vds_min_hdf5_version = (1, 9, 233)
    has_native_complex = True
    default_file_mode = "r"
    track_order: bool | None = None

    def __init__(self) -> None:
        self._complex = ("r", "i")
        self._bool = ("FALSE", "TRUE")
        self._as_h5py = False  # by install_as_h5py(): defaults are those of h5py

    @property
    def complex_names(self) -> tuple[str, str]:
        return self._complex

    @complex_names.setter
    def complex_names(self, names: tuple[str, str]) -> None:
        self._complex = _two(names, "complex_names")

    @property
    def bool_names(self) -> tuple[str, str]:
        return self._bool

    @bool_names.setter
    def bool_names(self, names: tuple[str, str]) -> None:
        self._bool = _two(names, "bool_names")

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
    if len(names) != 2 or not all(isinstance(name, str) for name in names):
        raise TypeError(f"{what}: two names were expected, not {names!r}")
    return tuple(names)


_config = H5PYConfig()


def get_config() -> H5PYConfig:
    """The settings of this process; changes mean all that is opened or created later."""
    return _config
