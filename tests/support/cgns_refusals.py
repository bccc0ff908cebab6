"""Calls that every CGNS library refuses"""

import pytest
from cgns_libraries import KINDS, STOCK, CgnsError, library


def check_refused(tmp_path, begin, call, text, readers=STOCK):
    """`begin(library, path)` returns the arguments of `call`, which must fail in all libraries. In
    ours the error must match `text` (a regular expression)."""
    ours = library("ours")
    arguments = begin(ours, tmp_path / "ours.cgns")
    with pytest.raises(CgnsError, match=text):
        call(ours, *arguments)
    ours.cg_close(arguments[0])
    for name in readers:
        if KINDS[name][0]() is None:
            continue
        stock = library(name)
        arguments = begin(stock, tmp_path / f"{name}.cgns")
        with pytest.raises(CgnsError):
            call(stock, *arguments)
        stock.cg_close(arguments[0])
