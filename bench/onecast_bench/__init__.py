"""Benchmarks that compare Onecast with stock HDF5 at the same work."""
