"""Benchmarks: Onecast and stock HDF5 at the same work, side by side."""
