"""Programs with sections of elements, for any CGNS library; see cgns_writers."""

import cgns_writers as writers
from cgns_libraries import WRITE, CgnsError

NODE, BAR_2, TRI_3, QUAD_4, TETRA_4, PYRA_14, HEXA_8 = 2, 3, 5, 7, 10, 13, 17
MIXED, PYRA_13, NGON_N, NFACE_N = 20, 21, 22, 23


class Zone:
    """The unstructured zone of a file. Its functions are called without file, base and zone.

    A range of elements stands for their first and last number, a list for an array of cgsize_t, and
    a one-element tuple for a cgsize_t.
    """

    def __init__(self, lib, path, mode=WRITE):
        self.lib = lib
        self.file = writers.opened(lib, path, mode)
        if mode == WRITE:
            writers.unstructured_zone(lib, self.file, writers.base_of(lib, self.file))

    def __getattr__(self, function):
        def call(*arguments):
            return getattr(self.lib, function)(
                self.file, 1, 1, *(part for one in arguments for part in self._parts(one))
            )

        return call

    def _parts(self, argument):
        if isinstance(argument, range):
            return self.lib.a_size(argument.start), self.lib.a_size(argument.stop - 1)
        if isinstance(argument, tuple):
            return (self.lib.a_size(argument[0]),)
        return (self.lib.sizes(argument) if isinstance(argument, list) else argument,)

    def array(self, size):
        """Returns memory that shows what was not written."""
        return self.lib.sizes([-7] * size)

    def size(self, function, *arguments):
        """Returns the only cgsize_t that a function returns."""
        out = self.array(1)
        getattr(self, function)(*arguments, out)
        return int(out[0])

    def section(self, index):
        """Returns name, type, first and last element, last boundary element, flag of parents."""
        lib = self.lib
        name, kind, first, last = lib.text(), lib.out(), self.array(1), self.array(1)
        boundary, parents = lib.out(), lib.out()
        self.cg_section_read(index, name, kind, first, last, boundary, parents)
        return (
            *(writers.text(name), int(kind), int(first[0]), int(last[0])),
            *(int(boundary), int(parents)),
        )

    def everything(self, index):
        """Returns a section with its entries, offsets and parents; offsets are None for a fixed
        size."""
        _, kind, first, last, _, has_parents = section = self.section(index)
        count = last - first + 1
        entries = self.array(self.size("cg_ElementDataSize", index))
        offsets, parents = self.array(count + 1), self.array(4 * count)
        self.cg_poly_elements_read(index, entries, offsets, parents if has_parents else None)
        has_offsets = kind in (MIXED, NGON_N, NFACE_N)
        return (
            *(section, entries.tolist(), offsets.tolist() if has_offsets else None),
            parents.tolist() if has_parents else None,
        )

    def all_sections(self):
        count = self.lib.out()
        self.cg_nsections(count)
        return [self.everything(index) for index in range(1, int(count) + 1)]

    def close(self):
        self.lib.cg_close(self.file)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()


def fixed_sizes(lib, path):
    """Writes sections with and without boundary elements, as a whole and in parts, with parents."""
    with Zone(lib, path) as zone:
        section = lib.out()
        zone.cg_section_write("Hexa", HEXA_8, range(1, 3), 0, list(range(1, 17)), section)
        zone.cg_section_write("Walls", QUAD_4, range(3, 7), 3, list(range(1, 17)), section)
        zone.cg_parent_data_write(int(section), list(range(101, 117)))
        zone.cg_section_partial_write("Parts", TRI_3, range(-2, 4), 0, section)
        zone.cg_elements_partial_write(int(section), range(-1, 1), [1, 2, 3, 4, 5, 6])
        zone.cg_parent_data_partial_write(int(section), range(2), list(range(201, 209)))
        assert int(section) == 3
        zone.cg_section_write("Whole", BAR_2, range(20, 22), -1, [1, 2, 2, 3], section)
        zone.cg_poly_section_write("Fixed", BAR_2, range(22, 24), 0, [1, 2, 2, 3], None, section)


def polyhedra(lib, path):
    """Writes polygons, polyhedra and mixed elements, as a whole and in parts."""
    with Zone(lib, path) as zone:
        section = lib.out()
        zone.cg_poly_section_write(
            "Faces", NGON_N, range(1, 4), 2, list(range(1, 14)), [0, 4, 8, 13], section
        )
        zone.cg_parent_data_write(int(section), list(range(1, 13)))
        zone.cg_poly_section_write(
            "Cells", NFACE_N, range(4, 6), 0, [1, 2, 3, 4, -4, 1, 2, 3], [0, 4, 8], section
        )
        zone.cg_poly_section_write(
            *("Mixed", MIXED, range(6, 8), 0, [TRI_3, 1, 2, 3, QUAD_4, 1, 2, 3, 4], [0, 4, 9]),
            section,
        )
        for name, kind in (("N", NGON_N), ("M", MIXED)):
            zone.cg_section_partial_write(name, kind, range(11, 14), 0, section)
        triangles = [TRI_3, 1, 2, 3, TRI_3, 2, 3, 4]
        zone.cg_poly_elements_partial_write(int(section), range(12, 14), triangles, [0, 4, 8])
        zone.cg_poly_elements_partial_write(4, range(12, 13), [7, 8], [100, 102])


def general(lib, path):
    """Writes sections of a stated type and size, whose elements have another type."""
    with Zone(lib, path) as zone:
        section = lib.out()
        for name, kind, stored, size in (
            ("Faces", NGON_N, 2, 12),
            ("Mixed", MIXED, 6, 12),
            ("Tri", TRI_3, 2, 0),
            ("Bare", TRI_3, 6, 0),
        ):
            zone.cg_section_general_write(name, kind, stored, range(1, 4), (size,), 0, section)
            if name != "Bare":
                zone.cg_section_initialize(int(section))
        zone.cg_poly_elements_general_write(
            1, range(1, 3), 6, [51, 52, 53, 54, 55, 56, 57], [0, 3, 7]
        )
        zone.cg_poly_elements_general_write(1, range(3, 4), 6, [61, 62, 63, 64, 65], [7, 12])
        zone.cg_elements_general_write(3, range(2, 3), 6, [61, 62, 63])


def growing(lib, path):
    """Adds elements before and behind the old ones, with and without a gap, also of another
    size."""
    polyhedra(lib, path)
    with Zone(lib, path, 2) as zone:
        zone.cg_section_write("Tri", TRI_3, range(50, 52), 0, [1, 2, 3, 4, 5, 6], lib.out())
        zone.cg_elements_partial_write(6, range(47, 49), [11, 12, 13, 14, 15, 16])
        zone.cg_poly_elements_partial_write(2, range(4, 5), [1, 2, 3, 5, 6], [0, 5])
        zone.cg_poly_elements_partial_write(2, range(8, 9), [1, 2, 3], [0, 3])
        zone.cg_poly_elements_partial_write(3, range(3, 5), [TRI_3, 7, 8, 9] * 2, [0, 4, 8])
    with Zone(lib, path, 2) as zone:
        zone.cg_poly_elements_partial_write(3, range(6, 7), [NODE, 5], [0, 2])


def refuses(function, *arguments):
    """Returns the error of a call."""
    try:
        function(*arguments)
    except CgnsError as error:
        return error.text
    raise AssertionError("no error")
