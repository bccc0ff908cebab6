"""Warnings."""

from __future__ import annotations


class H5pyWarning(UserWarning):
    """h5py's class of that name."""


class H5pyDeprecationWarning(H5pyWarning):
    """h5py's class of that name: in h5py's place, Onecast issues it where h5py does."""


class UnclosedFileWarning(RuntimeWarning):
    """A file that several ranks had open for writing was garbage collected without close, which is
    a collective call. The changes since the last flush are lost. The warning is shown by default,
    also when the interpreter ends. A file of one process is closed instead."""
