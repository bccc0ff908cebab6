"""The independent computation of the workload's digest."""

from onecast_bench.workload import expected_contents, fnv1a, item, typed


def test_hash_is_fnv1a():
    assert fnv1a(b"") == 0xCBF29CE484222325
    assert fnv1a(b"foobar") == 0x85944171F73967E8


def test_items_are_laid_out_as_the_readme_says():
    assert item("a/b", "D") == b"a/b\0D"
    assert typed(0, 4, (2,), b"vv") == b"\0" + b"\4\0\0\0" + b"\1" + b"\2\0\0\0\0\0\0\0" + b"vv"


def test_contents_of_the_default_workload():
    assert expected_contents(128, 32) == {
        "digest": "308a62c8d51a5ca8",  # as parallel HDF5 1.10.8 reads it
        "groups": 8321,
        "datasets": 8320,
        "attributes": 24960,
        "value_bytes": 910976,
    }
