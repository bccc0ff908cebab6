"""Drivers."""

from __future__ import annotations

from ._identifiers import absent

MEM_DEFAULT, MEM_SUPER, MEM_BTREE, MEM_DRAW, MEM_GHEAP, MEM_LHEAP, MEM_OHDR = range(7)
MPIO_INDEPENDENT, MPIO_COLLECTIVE = 0, 1
SEC2, STDIO, CORE, MPIO, fileobj_driver = "sec2", "stdio", "core", "mpio", "fileobj"
ROS3D = -1

__getattr__ = absent(__name__, {})
