"""The memory of a Python worker.

By default a large array's memory goes back to the system when the array is done with, and comes again page by page for the
next: on columns of a few megabytes that takes as long as the arithmetic. A worker of ours keeps it, within a limit, for
numpy and Arrow alike. And after each task Spark has a worker look through all of its objects for garbage: what the modules
are made of is none, and is left out of it.
"""

from __future__ import annotations

import ctypes
import gc
from functools import cache

import pyarrow as pa

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
KEPT = 256 << 20
"""Bytes that are kept when nothing needs them."""

LARGE = 64 << 20
"""Bytes from which on an array has memory of its own, which is not kept."""


@cache
def keep_memory() -> None:
    """Once in a process; a C library that cannot do it is left alone."""
    gc.freeze()
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None and set_option(M_TRIM_THRESHOLD, KEPT) and set_option(M_MMAP_THRESHOLD, LARGE):
        pa.set_memory_pool(pa.system_memory_pool())
