"""An operator's run with its state in blocks: a block for each partition of each port, read and written only if touched."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from transom.errors import BadOperator, CheckpointMismatch
from transom.kernels.applied.applied_spec import ContainerSpec
from transom.kernels.state.store import Blocks
from transom.windowing import ByTicks, Operator, OperatorRun, Saved, SavedRun
from transom.windowing.containers.partitions import with_one_nan
from transom.windowing.containers.subwindow import Subwindow
from transom.windowing.policies.configuration import Configuration

HEAD = "operator"
FORMAT = 1


class KeyedRun:
    """The run of an operator in one shard, over one micro-batch."""

    def __init__(self, spec: ContainerSpec, operator: Operator) -> None:
        self.spec = spec
        operator = deepcopy(operator)
        alone = PartitionedRun if spec.by_partition and len(spec.inputs) > 1 else OperatorRun
        self.run = alone(operator, spec.windows, clock=ByTicks(), tracks=not spec.by_partition)
        operator.seal()
        self._loaded: set[Any] = set()
        self._kept: set[Any] = set()
        self._dues: dict[Any, int] = {}
        self._head: dict[str, tuple[str, bytes]] = {}
        self.note: dict[str, Any] = {}
        self.counts = {"used": 0, "outside": 0, "held": 0}

    def load(self, blocks: Blocks, arriving: Iterable[Any], now: int | None) -> bool:
        """Take up the state: all of it, or the partitions of the tuples that arrive and those in which something is due.

        False if nothing arrives and nothing is due: then the state stays as it is.
        """
        arriving = {with_one_nan(key) for key in arriving}
        head = blocks.read(HEAD)
        if head is None:
            self._loaded = arriving
            return bool(arriving)
        written, fingerprint, own, self._head, self._kept, self._dues, self.counts, self.note = pickle.loads(head)
        if written != FORMAT or fingerprint != self.spec.fingerprint:
            raise CheckpointMismatch(
                "the checkpoint is of another query",
                given=fingerprint,
                exists=[self.spec.fingerprint],
                remedy="start with a new one",
            )
        due = {key for key, at in self._dues.items() if now is not None and at <= now}
        if not arriving and not due:
            return False
        wanted = set(self._kept)
        if self.spec.by_partition:
            wanted = self._loaded = arriving | due
        windows = {}
        for port in self.spec.windows:
            of, header = self._head[port]
            keys = wanted if self.spec.windows[port].keys else {None}
            windows[port] = Saved(of, header, _read(blocks, port, keys))
        self.run.restore(SavedRun(windows, own))
        self.counts["held"] -= self._held
        return True

    @property
    def _held(self) -> int:
        """Tuples in the windows that are loaded."""
        return sum(len(self.run.container(port)) for port in self.spec.windows)

    def count(self, used: int) -> None:
        """What became of the tuples of this micro-batch."""
        outside = sum(self.run.container(port).outside for port in self.spec.windows)
        self.counts = {"used": self.counts["used"] + used, "outside": outside, "held": self.counts["held"] + self._held}

    def save(self, blocks: Blocks) -> None:
        """Write the partitions that have changed, and what they have in common."""
        if self.spec.spread and self.run.state:
            raise BadOperator(
                f"{self.run.name} keeps self.state for all partitions together, and its partitions are in several shards",
                given=", ".join(map(str, self.run.state)),
                remedy="keep it in window.state, or run the query with shards=1",
            )
        touched = self._loaded if self.spec.by_partition else self.run.touched
        saved = self.run.snapshot(touched)
        there: set[Any] = set()
        for port, window in saved.windows.items():
            there |= set(self.run.container(port).partitions) if self.spec.windows[port].keys else set()
            for key in touched if self.spec.windows[port].keys else {None}:
                state = window.partitions.get(key)
                if state is None:
                    blocks.remove(_name(port, key))
                else:
                    blocks.write(_name(port, key), state)
        heads = {port: (window.of, window.header) for port, window in saved.windows.items()}
        kept: set[Any] = set()
        if not self.spec.by_partition:
            kept = there
        if self.spec.by_partition:
            self._dues = {key: at for key, at in self._dues.items() if key not in touched} | self._planned(touched)
        elif (at := self.run.due) is not None:
            self._dues = {None: at}
        else:
            self._dues = {}
        self.note["about"] = self.spec.about
        about = (FORMAT, self.spec.fingerprint, saved.own, heads, kept, self._dues, self.counts, self.note)
        blocks.write(HEAD, pickle.dumps(about))

    def _planned(self, keys: set[Any]) -> dict[Any, int]:
        """When the clock causes something in each of these partitions."""
        found: dict[Any, int] = {}
        for port in self.spec.windows:
            for key, at in self.run.container(port).dues().items():
                if key in keys:
                    found[key] = min(at, found.get(key, at))
        return found


def _read(blocks: Blocks, port: str, keys: Iterable[Any]) -> dict[Any, bytes]:
    found = ((key, blocks.read(_name(port, key))) for key in keys)
    return {key: block for key, block in found if block is not None}


def _name(port: str, key: Any) -> str:
    """The block of a partition. Equal keys have equal names: zero has two signs."""
    values = key if isinstance(key, tuple) else (key,)
    return f"{port}/" + repr(tuple(value + 0.0 if isinstance(value, float) else value for value in values))


class PartitionedRun(OperatorRun):
    """A run in which handlers look at windows of their own partition alone: others may be in another shard, or not be loaded."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        self._current: Any = None
        super().__init__(*arguments, **named)

    def _handlers(self, configuration: Configuration) -> dict[str, Callable[..., Any]]:
        return {event: self._noting(handler) for event, handler in super()._handlers(configuration).items()}

    def _noting(self, handler: Callable[..., Any]) -> Callable[..., Any]:
        def handle(window: Any, *about: Any) -> Any:
            self._current = window.partition
            return handler(window, *about)

        return handle

    def window(self, port: str, partition: Any = None) -> Subwindow:
        if with_one_nan(partition) != self._current and partition == partition:
            raise BadOperator(
                f"{self.name} looks at the window of another partition, which may be in another shard",
                given=f"self.window({port!r}, {partition!r}) in partition {self._current!r}",
                remedy="look at the partition that the event is of, or do without partitions",
            )
        return super().window(port, partition)
