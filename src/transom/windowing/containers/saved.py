"""A container's state in bytes: what is common, and each partition by itself, so that only those that changed need be written."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from transom.errors import CheckpointMismatch, NotPicklable

FORMAT = 1


@dataclass(frozen=True)
class Saved:
    """A snapshot. It can be pickled itself."""

    of: str
    header: bytes
    partitions: Mapping[Any, bytes]


def pack(operator: str, of: str, header: tuple[Any, ...], partitions: Mapping[Any, tuple[Any, ...]]) -> Saved:
    """A snapshot of what is given."""
    return Saved(of, pickle.dumps((FORMAT, header)), {key: _dumped(operator, key, state) for key, state in partitions.items()})


def unpack(saved: Saved, of: str) -> tuple[tuple[Any, ...], dict[Any, tuple[Any, ...]]]:
    """The header and the partitions of a snapshot."""
    if saved.of != of:
        raise CheckpointMismatch(
            "the snapshot is of another window",
            given=saved.of,
            exists=[of],
            remedy="restore it into a window configured as it was",
        )
    written, header = pickle.loads(saved.header)
    if written != FORMAT:
        raise CheckpointMismatch("the snapshot has another format", given=written, exists=[FORMAT], remedy="start anew")
    return header, {key: pickle.loads(state) for key, state in saved.partitions.items()}


def _dumped(operator: str, key: Any, state: tuple[Any, ...]) -> bytes:
    try:
        return pickle.dumps(state)
    except Exception as error:
        raise NotPicklable(
            f"the state of {operator} cannot be saved: {error}",
            given=f"partition {key!r}",
            remedy="keep tuples, summaries and window.state in values that can be pickled",
        ) from error
