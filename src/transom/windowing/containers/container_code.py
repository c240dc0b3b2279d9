"""The code of a container: one function that takes tuples, one for the clock, one for punctuation.

Policies, events, partitions and limits combine in many ways, and a tuple should run only through what its container needs. So the
functions are written for one shape, from the tables of order (`orders`) and the steps that these name (`steps`), and compiled
once. `container.code` shows them.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any

from transom.windowing.attributes import source
from transom.windowing.containers.code_lines import READ, CodeLines
from transom.windowing.containers.orders import order
from transom.windowing.containers.shape import Shape
from transom.windowing.containers.steps import Steps
from transom.windowing.policies.policy import Delta, Policy, Punct

GIVEN = (
    "partitions",
    "agenda",
    "crowd",
    "store",
    "touch",
    "open",
    "spare",
    "leave",
    "read",
    "fire_later",
    "summarizer",
    "n",
    "d",
    "m",
    "period",
    "most",
    "age",
)
"""The names that a container gives the code, besides the handlers, `c`, itself, and `whole`, its only partition if it has one."""


@dataclass(frozen=True)
class ContainerProgram:
    """Compiled code, and which line of it does what."""

    text: str
    name: str
    code: CodeType
    does: dict[int, str]

    def functions(self, given: dict[str, Any]) -> dict[str, Callable[..., None]]:
        namespace: dict[str, Any] = {}
        exec(self.code, namespace)
        made: dict[str, Callable[..., None]] = namespace["make"](given)
        return made


@lru_cache(maxsize=512)
def program(shape: Shape) -> ContainerProgram:
    """The program of a shape of container."""
    lines = CodeLines()
    with lines.block("def make(given):"):
        _bind(shape, lines)
        _extend(shape, lines)
        if shape.configuration.reads_clock:
            _run(shape, lines)
        _punctuate(shape, lines)
        names = ("extend", "punctuate", *(("run",) if shape.configuration.reads_clock else ()))
        lines.add(f"return {{{', '.join(f'{name!r}: {name}' for name in names)}}}")
    text = lines.text()
    name = f"<transom container {shape.configuration} {_number()}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    return ContainerProgram(text, name, compile(text, name, "exec"), lines.does)


_programs = [0]


def _number() -> int:
    _programs[0] += 1
    return _programs[0]


def _bind(shape: Shape, lines: CodeLines) -> None:
    for name in ("c", *GIVEN, *sorted(shape.events)):
        lines.add(f"{name} = given[{name!r}]")
    lines.add("places, turns = given['places'], given['turns']")
    lines.add("from heapq import heappop as pop, heappush as push")
    if not shape.partitioned:
        lines.add("p = given['whole']")
        lines.add("w, window, stamps, key = p.tuples, p.window, p.stamps, None")
        lines.add("append = w.append")


def _extend(shape: Shape, lines: CodeLines) -> None:
    """Take tuples, one after the other."""
    steps = Steps(shape, lines)
    with lines.block("def extend(tuples):"):
        for field in shape.localized:
            lines.add(f"{field} = p.{field}")
        for variable, _ in shape.places:
            lines.add(f"{variable}_most = {_policy_of(variable)}.most")
        if shape.configuration.reads_clock and shape.clock is None:
            lines.add("now = c.now")
        with lines.block("try:") if shape.localized else nullcontext(), lines.block("for t in tuples:"):
            if shape.clock:
                _clock(shape, lines)
            if shape.partitioned:
                _partition(shape, lines)
            _place(shape, lines)
            steps.about_to_be_full()
            for step in order(shape.configuration):
                _step(steps, step)
        if shape.localized:
            with lines.block("finally:"):
                for field in shape.localized:
                    lines.add(f"p.{field} = {field}")


def _step(steps: Steps, step: str) -> None:
    {"insert": steps.insert, "evict": steps.evict, "trigger": steps.trigger, "flush": steps.flush_for_tuple}[step]()


def _clock(shape: Shape, lines: CodeLines) -> None:
    """The time of this tuple; what was due before happens first."""
    lines.add(f"now = {shape.clock}")
    with lines.block("if now <= c.now:"):
        lines.add("now = c.now")
    with lines.block("else:"):
        if shape.evicts_at_once:
            with lines.block("if stamps and now - stamps[0] > period:"):
                lines.add("run(now)")
        elif shape.has_agenda:
            with lines.block("if agenda and agenda[0][0] <= now:"):
                lines.add("run(now)")
        lines.add("c.now = now")


def _partition(shape: Shape, lines: CodeLines) -> None:
    keys = [source(name, shape.mapping) for name in shape.configuration.keys]
    lines.add(f"key = {keys[0] if len(keys) == 1 else '(' + ', '.join(keys) + ')'}", does=READ)
    lines.add("p = partitions.get(key)", does=READ)
    with lines.block("if p is None:"):
        if shape.reuses_partitions and len(keys) == 1:
            with lines.block("if spare and key == key:"):
                lines.add("p = partitions[key] = spare.pop()")
                lines.add("p.key = key")
                lines.add("p.serial = store.opened = store.opened + 1")
        with lines.block("if p is None:") if shape.reuses_partitions else nullcontext():
            lines.add("p = open(key)" if not shape.ages else "p = open(key, now)")
            lines.add("key = p.key")
    lines.add("w = p.tuples")
    if shape.window == "window":
        lines.add("window = p.window")
    if shape.tracks:
        lines.add("touch(key)")


def _place(shape: Shape, lines: CodeLines) -> None:
    """Where the tuple stands on the attributes of delta policies. A tuple that stands nowhere is in no window."""
    for variable, field in shape.places:
        policy = _policy_of(variable)
        reached = shape.local(field)
        lines.add(f"{variable} = {source(_delta(shape, variable).attribute, shape.mapping)}", does=READ)
        with lines.block("try:"):
            lines.add(f"moved = {reached} <= {variable}" + ("" if shape.configuration.tumbles else f" <= {variable}_most"))
        with lines.block("except (TypeError, ArithmeticError):"):
            lines.add("moved = False")
        with lines.block("if not moved:"):
            lines.add(f"{variable} = {policy}.settle({variable}, {reached})", does=READ)
            lines.add(f"{variable}_most = {policy}.most")
            with lines.block(f"if {variable} is None:"):
                lines.add("c.outside += 1")
                if shape.partitioned:
                    lines.add("leave(p)")
                lines.add("continue")
            if shape.configuration.tumbles:
                with lines.block(f"if not {shape.some}:"):
                    lines.add(f"{shape.local('first')} = place")
    if not shape.configuration.tumbles:
        for variable, field in shape.places:
            lines.add(f"{shape.local(field)} = {variable}")


def _policy_of(variable: str) -> str:
    return "places" if variable == "place" else "turns"


def _delta(shape: Shape, variable: str) -> Delta:
    evict, trigger = shape.configuration.evict, shape.configuration.trigger
    policy: Policy | None = evict if ("place", "reached") in shape.places and variable == "place" else trigger
    assert isinstance(policy, Delta)
    return policy


def _run(shape: Shape, lines: CodeLines) -> None:
    """What the clock causes up to `now`, in the order of its instants; at the same instant evictions come before triggers."""
    steps = Steps(shape, lines)
    with lines.block("def run(now):"):
        if shape.evicts_at_once:
            _expire(steps, "stamps", "now")
        elif shape.has_agenda:
            with lines.block("while agenda and agenda[0][0] <= now:"):
                lines.add("c.now, rank, _, p = pop(agenda)")
                with lines.block("if p.gone:"):
                    lines.add("continue")
                lines.add("key, w, window = p.key, p.tuples, p.window")
                if shape.tracks and shape.partitioned:
                    lines.add("touch(key)")
                _at_an_instant(shape, steps)
        lines.add("c.now = now")


def _expire(steps: Steps, stamps: str, now: str) -> None:
    lines = steps.lines
    with lines.block(f"while {stamps} and {now} - {stamps}[0] > period:"):
        if steps.shape.waits_for_full:
            with lines.block("if not p.full:"):
                lines.add("p.full = True")
                steps.event("on_initial_full")
        steps.evict_one()


def _at_an_instant(shape: Shape, steps: Steps) -> None:
    """One entry of the agenda: an eviction (rank 0), or a trigger or flush (rank 1)."""
    if shape.configuration.tumbles:
        _flush_on_the_clock(shape, steps)
        return
    if shape.expires:
        with steps.lines.block("if rank == 0:"):
            _expire(steps, "p.stamps", "c.now")
            with steps.lines.block("if w:"):
                steps.plan_expiry()
            steps.lines.add("continue")
    if shape.fires:
        if shape.processes:
            steps.process(sure=False)
        steps.lines.add("p.waits = False")
        with steps.lines.block("if w:"):
            steps.lines.add("fire_later(p, c.now)")


def _flush_on_the_clock(shape: Shape, steps: Steps) -> None:
    """A period is over. One without tuples ends the partition: the next tuple starts a new period."""
    lines = steps.lines
    lines.add("p.waits = False")
    with lines.block(f"if {shape.some}:"):
        steps.flush()
        lines.add("fire_later(p, c.now)")
    with lines.block("else:"):
        lines.add("p.fires = None")
        steps.discard()


def _punctuate(shape: Shape, lines: CodeLines) -> None:
    """Flush what ends at punctuation."""
    steps = Steps(shape, lines)
    with lines.block("def punctuate():"):
        if not isinstance(shape.configuration.evict, Punct):
            lines.add("pass")
            return
        with lines.block("for p in list(partitions.values()):") if shape.partitioned else nullcontext():
            if shape.partitioned:
                lines.add("key, w, window = p.key, p.tuples, p.window")
                if shape.tracks:
                    lines.add("touch(key)")
            with lines.block(f"if {shape.some}:"):
                steps.flush()
                steps.discard()
