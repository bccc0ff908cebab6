"""The formats that `onecast bench events` writes and reads."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Format:
    """An outputer of onecast-events, and the source that reads its files."""

    name: str
    source: str = ""  # empty if its files are not read
    codecs: tuple[str, ...] = ()  # besides none; if empty, there is no option compression
    has_file: bool = True
    shared: bool = False  # all ranks write one file
    of_root: bool = False

    def has(self, compression: str) -> bool:
        codec = compression.partition(":")[0]
        return codec == "none" or codec in self.codecs

    def outputer(self, file: str, compression: str) -> str:
        """Returns the argument of `onecast-events run -o`. It names even none: ROOT compresses by
        default."""
        codec, _, level = compression.partition(":")
        text = f"{self.name}={file}" if self.has_file else self.name
        text += f":compression={codec}" if self.codecs else ""
        return text + (f":level={level}" if level else "")


HDF5_CODECS = ("lz4", "zstd", "lzma")
ROOT_CODECS = ("zlib", *HDF5_CODECS)
FORMATS = (
    Format("Dummy", has_file=False),
    Format("Serialize", has_file=False),
    Format("TextDump"),
    Format("PDS", "PDS", ("lz4", "zstd")),
    Format("HDF5Event", "HDF5", HDF5_CODECS, shared=True),
    Format("HDF5Batch", "HDF5", HDF5_CODECS, shared=True),
    Format("HDF5Product", "HDF5", HDF5_CODECS, shared=True),
    Format("HDF5Columnar", "HDF5", ("lz4", "zstd"), shared=True),
    Format("ROOT", "ROOT", ROOT_CODECS, of_root=True),
    Format("ROOTEvent", "ROOT", ROOT_CODECS, of_root=True),
    Format("RNTuple", "ROOT", ROOT_CODECS, of_root=True),
)
