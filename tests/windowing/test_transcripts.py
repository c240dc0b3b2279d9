"""Transcripts of windows, run on a container, on one that is restarted after each step, and on the model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.windowing.model import Model
from tests.windowing.recording import drive, recorder
from transom import windowing
from transom.semantics.time import microseconds
from transom.windowing import ByTicks

CASES = yaml.safe_load(Path(__file__).with_suffix(".yaml").with_stem("transcripts").read_text(encoding="utf-8"))
SHOWN = ("on_initial_full", "before_flush", "on_trigger", "on_partition_eviction")


def items_of(case: Any) -> list[Any]:
    """The steps as a history, with what is expected where it is."""
    items, now = [], 0
    for step in case["steps"]:
        if step == "punctuation":
            items.append(("punct",))
        elif "at" in step:
            now = step["at"]
            items.append(("tick", now))
        elif "tuples" in step:
            items += [("tuple", now, t) for t in step["tuples"]]
        else:
            items.append(("expect", [tuple(entry) for entry in step["expect"]]))
    return items


def shown(log: list[Any]) -> list[Any]:
    return [(event, key, [t["id"] for t in held]) for event, key, _, held in log if event in SHOWN]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["window"])
def test_transcript(case: Any) -> None:
    kind = eval(case["window"], {**vars(windowing), "microseconds": microseconds})
    through, restarted = recorder(), recorder()
    straight, again, model = kind.container(through, clock=ByTicks()), kind.container(restarted, clock=ByTicks()), Model(kind)
    expected = 0
    for item in items_of(case):
        if item[0] != "expect":
            drive(straight, [item])
            resumed = kind.container(restarted, clock=ByTicks())
            resumed.restore(again.snapshot())
            again = resumed
            drive(again, [item])
            model.run([item])
            continue
        assert shown(through.log) == shown(restarted.log) == shown(model.log) == item[1]
        expected += 1
        for log in (through.log, restarted.log, model.log):
            log.clear()
    assert expected
