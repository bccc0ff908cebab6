"""Finds the names that h5py has and Onecast lacks, by comparing both."""

import importlib

import onecast

# fmt: off
MODULES = (
    "h5", "h5a", "h5ac", "h5d", "h5ds", "h5f", "h5fd", "h5g", "h5i", "h5l", "h5o", "h5p", "h5pl",
    "h5r", "h5s", "h5t", "h5z",
)
# fmt: on
# h5py's modules import these names for themselves.
BORROWED = {
    "ABC",
    "Any",
    "np",
    "phil",
    "with_phil",
    "namedtuple",
    "sys",
    "re",
    "platform",
    "codecs",
    "cfg",
    "get_config",
    "warn",
    "typewrap",
    "operator",
    "Mapping",
    "product",
    "H5pyDeprecationWarning",
    "ByteStringContext",
    "filename_encode",
    "gc",
    "h5o",
    "h5d",
    "h5f",
    "h5p",
    "h5z",
    "h5",
    "h5r",
    "h5s",
    "h5t",
    "CYTHON_VERSION_COMPILED_WITH",
    "HDF5_VERSION_COMPILED_AGAINST",
    "NUMPY_VERSION_COMPILED_AGAINST",
    "SmartStruct",
    "ObjectID",
    "IS_PPC64",
    "IS_PPC64LE",
}  # fmt: skip


def public(thing):
    return {name for name in dir(thing) if not name.startswith("_")}


def absent():
    """Returns {module: sorted missing names}, with "Class.method" for classes that both have."""
    found = {}
    for module in MODULES:
        theirs, ours = importlib.import_module(f"h5py.{module}"), getattr(onecast, module)
        names = []
        for name in public(theirs) - BORROWED:
            if not hasattr(ours, name):
                names.append(name)
                continue
            kind = getattr(theirs, name)
            if isinstance(kind, type) and kind.__module__ == theirs.__name__:
                mine = getattr(ours, name)
                lists = getattr(mine, "_defaults", dict)()
                made = {f"{verb}_{what}" for what in lists for verb in ("get", "set")}
                own = {
                    name
                    for base in kind.__mro__
                    if base is kind or base.__name__.startswith("_")  # the others are listed, too
                    for name in vars(base)
                    if not name.startswith("_")
                }
                missing = own - public(mine) - made
                names += [f"{name}.{method}" for method in missing]
        if names:
            found[module] = sorted(names)
    return found


def lines():
    """Returns the lines of the page."""
    return [f"- `{module}`: {', '.join(names)}" for module, names in absent().items()]


if __name__ == "__main__":
    print("\n".join(lines()))
