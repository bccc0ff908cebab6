"""Prints all that h5py, PyTables or netCDF4 read in files, as JSON: one line for each file.

    python describe.py LIBRARY FILE...

It runs with and without the plug-in; the lines have to be equal. A file that takes longer than
SECONDS (DESCRIBE_SECONDS) ends the process.
"""

import hashlib
import json
import os
import signal
import sys

SECONDS = int(os.environ.get("DESCRIBE_SECONDS", "60"))


def attempt(function):
    """Returns the result, or the kind of the exception: texts may differ."""
    try:
        return function()
    except Exception as error:
        return f"raises {type(error).__name__}"


def digest(value):
    """Returns a text that is equal for equal values."""
    import numpy as np

    value = np.asanyarray(value)
    if value.dtype.names:  # without the bytes between the members
        return repr({name: digest(value[name]) for name in value.dtype.names})
    if value.dtype.hasobject:
        return repr([digest(x) if isinstance(x, np.ndarray) else repr(x) for x in value.flat])
    data = np.ascontiguousarray(value).tobytes()
    return f"{value.dtype} {value.shape} {hashlib.sha256(data).hexdigest()[:16]}"


def values(dataset):
    if dataset.shape is None:
        return "null"
    if dataset.size and dataset.size * dataset.dtype.itemsize > 1 << 26:
        return digest(dataset[(0,) * dataset.ndim])
    return digest(dataset[()])


class WithH5py:
    def describe(self, path):
        import h5py

        self.h5py = h5py
        found = {}
        with h5py.File(path, "r") as file:
            found["file"] = [file.mode, file.userblock_size, file.libver, file.driver]
            self.group(file, "/", found, set())
            found["visited"] = []
            attempt(lambda: file.visititems(lambda name, _: found["visited"].append(name)))
            attempt(lambda: file.visititems_links(lambda name, _: found["visited"].append(name)))
        return found

    def group(self, group, path, found, seen):
        found[path] = self.object(group)
        names = found[f"names in {path}"] = attempt(lambda: list(group))
        for name in names if isinstance(names, list) else ():
            inner = f"{path.rstrip('/')}/{name}"
            link = attempt(lambda name=name: group.get(name, getlink=True))
            found[f"link {inner}"] = [type(link).__name__, attempt(lambda link=link: link.path)]
            child = attempt(lambda name=name: group[name])
            if isinstance(child, str):
                found[inner] = child
            elif isinstance(child, self.h5py.Group):
                info = self.h5py.h5o.get_info(child.id)
                if (info.fileno, info.addr) not in seen:
                    seen.add((info.fileno, info.addr))
                    self.group(child, inner, found, seen)
            else:
                found[inner] = attempt(lambda child=child: self.object(child))

    def object(self, it):
        info = self.h5py.h5o.get_info(it.id)
        found = {
            "name": it.name,
            "kind": type(it).__name__,
            "links": info.rc,
        }
        names = found["names of attributes"] = attempt(lambda: list(it.attrs))
        found["attributes"] = {
            name: [
                attempt(lambda name=name: repr(it.attrs.get_id(name).dtype)),
                attempt(lambda name=name: digest(it.attrs[name])),
            ]
            for name in (names if isinstance(names, list) else ())
        }
        if isinstance(it, self.h5py.Dataset):
            for part in ("dtype", "shape", "maxshape", "chunks", "compression", "compression_opts"):
                found[part] = attempt(lambda part=part: repr(getattr(it, part)))
            for part in ("shuffle", "fletcher32", "scaleoffset", "external", "is_virtual"):
                found[part] = attempt(lambda part=part: repr(getattr(it, part)))
            found["fill"] = attempt(lambda: digest(it.fillvalue))
            found["size"] = attempt(lambda: it.id.get_storage_size())
            found["place"] = attempt(lambda: it.id.get_offset())
            if it.chunks:
                found["number of chunks"] = attempt(it.id.get_num_chunks)
                found["a chunk"] = attempt(lambda: list(it.id.get_chunk_info(0)))
            found["values"] = attempt(lambda: values(it))
        if isinstance(it, self.h5py.Datatype):
            found["dtype"] = attempt(lambda: repr(it.dtype))
        return found


class WithTables:
    def describe(self, path):
        import tables

        found = {}
        with tables.open_file(path, "r") as file:
            for node in file.walk_nodes("/"):
                parts = [type(node).__name__, repr(node._v_attrs)]
                if isinstance(node, tables.Leaf):
                    parts.append(attempt(lambda node=node: digest(node.read())))
                found[node._v_pathname] = parts
        return found


class WithNetcdf:
    def describe(self, path):
        import netCDF4

        found = {}

        def group(it, name):
            found[name] = [
                {n: [len(d), d.isunlimited()] for n, d in it.dimensions.items()},
                {n: repr(it.getncattr(n)) for n in it.ncattrs()},
            ]
            for inner, variable in it.variables.items():
                found[f"{name}{inner}"] = [
                    repr(variable.dtype),
                    variable.dimensions,
                    {n: repr(variable.getncattr(n)) for n in variable.ncattrs()},
                    attempt(lambda variable=variable: repr(variable.filters())),
                    attempt(lambda variable=variable: repr(variable[...])),
                ]
            for inner, child in it.groups.items():
                group(child, f"{name}{inner}/")

        with netCDF4.Dataset(path) as file:
            group(file, "/")
        return found


LIBRARIES = {"h5py": WithH5py, "tables": WithTables, "netCDF4": WithNetcdf}


def main(library, *paths):
    reader = LIBRARIES[library]()
    for path in paths:
        signal.alarm(SECONDS)
        print(
            json.dumps(attempt(lambda path=path: reader.describe(path)), default=repr), flush=True
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
