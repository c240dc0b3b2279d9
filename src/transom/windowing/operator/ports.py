"""Operator models (seed 004, section 5.1): the windows that an input port takes, and what ports do with window punctuation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from transom.errors import BadOperator, WindowNotTaken, nearest
from transom.windowing.operator.output_columns import OutputColumn, columns
from transom.windowing.policies.configuration import Configuration
from transom.windowing.policies.policy import Count, Delta, Policy, Punct, Time

NAMES: dict[type, str] = {Count: "count", Delta: "delta", Time: "time", Punct: "punct"}
KINDS = ("any", "tumbling", "sliding")
INPUT_MODES = ("oblivious", "expecting", "window_bound")


@dataclass(frozen=True)
class Port:
    """An input port: the kinds and policies it takes, and its punctuation mode.

    `evictions` and `triggers` hold names of policies, or policies with their numbers. `partitioned` is True if windows may be
    partitioned, False if they may not, "required" if they must. `empty` allows `count(0)`, a window that holds nothing.

    >>> Port(kinds="sliding", triggers=(Count(1),)).refusal(Configuration(Count(10), Count(2)))
    'the trigger count(2), where it takes count(1)'
    """

    kinds: str = "any"
    evictions: tuple[str | Policy, ...] = ("count", "delta", "time", "punct")
    triggers: tuple[str | Policy, ...] = ("count", "delta", "time")
    partitioned: bool | str = True
    empty: bool = False
    punctuation: str = "window_bound"

    def __post_init__(self) -> None:
        _one_of("kinds", self.kinds, KINDS)
        _one_of("punctuation", self.punctuation, INPUT_MODES)
        _one_of("partitioned", self.partitioned, (True, False, "required"))
        for policy in (*self.evictions, *self.triggers):
            if isinstance(policy, str):
                _one_of("policies", policy, tuple(NAMES.values()))

    def refusal(self, window: Configuration) -> str | None:
        """Why it does not take a window; None if it does."""
        if self.kinds not in ("any", window.kind):
            return f"a {window.kind} window, where it takes {self.kinds} ones"
        if not _matches(window.evict, self.evictions):
            return f"the eviction policy {window.evict}, where it takes {_shown(self.evictions)}"
        if window.trigger is not None and not _matches(window.trigger, self.triggers):
            return f"the trigger {window.trigger}, where it takes {_shown(self.triggers)}"
        if window.evict == Count(0) and not self.empty:
            return "count(0), where it needs tuples"
        if window.keys and self.partitioned is False:
            return "a partitioned window"
        if not window.keys and self.partitioned == "required":
            return "a window without partitions"
        return None

    def check(self, window: Configuration, path: str) -> None:
        """Refuse a window that this port does not take."""
        refusal = self.refusal(window)
        if refusal is not None:
            raise WindowNotTaken(f"{path} was given {refusal}", given=str(window), remedy="give it a window that it takes")

    def expects(self, window: Configuration | None) -> bool:
        """Whether the port needs punctuation with this window."""
        if self.punctuation == "window_bound":
            return window is not None and isinstance(window.evict, Punct)
        return self.punctuation == "expecting"


@dataclass(frozen=True)
class Preserving:
    """An output that carries the punctuation of one input port."""

    port: str

    def __str__(self) -> str:
        return f"preserving({self.port})"


def preserving(port: str) -> Preserving:
    """The output mode that carries on the punctuation of an input port."""
    return Preserving(port)


Mode = str | Preserving


@dataclass(frozen=True)
class Output:
    """An output port: its columns, or the input whose tuples it passes on (`like`), and its punctuation mode.

    A generating output gets a punctuation after each window that was processed; with `automatic=False` only where the operator
    calls `punctuate()`.
    """

    columns: str | None = None
    like: str | None = None
    punctuation: Mode = "generating"
    automatic: bool = True

    def __post_init__(self) -> None:
        if (self.columns is None) == (self.like is None):
            raise BadOperator("an output has columns, or is like an input", given=str(self), remedy="give one of the two")
        if not isinstance(self.punctuation, Preserving):
            _one_of("punctuation", self.punctuation, ("free", "generating"))
        _ = self.parsed

    @property
    def parsed(self) -> tuple[OutputColumn, ...]:
        return () if self.columns is None else columns(self.columns)


def inputs_of(takes: Port | Mapping[str, Port]) -> dict[str, Port]:
    """Input ports by name; a single one is `in`."""
    return {"in": takes} if isinstance(takes, Port) else dict(takes)


def outputs_of(gives: str | Output | Mapping[str, str | Output]) -> dict[str, Output]:
    """Output ports by name; a single one is `out`."""
    if isinstance(gives, str | Output):
        gives = {"out": gives}
    return {name: Output(given) if isinstance(given, str) else given for name, given in gives.items()}


def _matches(policy: Policy, taken: tuple[str | Policy, ...]) -> bool:
    return policy in taken or NAMES[type(policy)] in taken


def _shown(taken: tuple[str | Policy, ...]) -> str:
    return " or ".join(str(one) for one in taken) or "none"


def _one_of(what: str, given: object, exists: tuple[object, ...]) -> None:
    if given not in exists:
        raise BadOperator(
            f"{what} of a port cannot be this",
            given=repr(given),
            exists=exists,
            remedy=nearest(str(given), [str(one) for one in exists]),
        )
