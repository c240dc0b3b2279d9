"""The clock of the torture: processes hear of another time, and wait as long as ever; and rows that the clock may change."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.torture import clock
from tests.torture.comparing import within
from tests.torture.surroundings import OutOfReach, Surroundings
from transom.errors import RowsDiffer

ASKED = """
import threading, time
before, steady = time.time(), time.monotonic()
print(flush=True)
input()
print(time.time() - before, time.monotonic() - steady, flush=True)
began = time.monotonic()
threading.Event().wait(0.2)
time.sleep(0.2)
print(time.monotonic() - began)
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_a_process_hears_of_another_time(tmp_path: Path) -> None:
    made = clock.Clock(tmp_path)
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "env": made.environment}
    with subprocess.Popen([sys.executable, "-S", "-c", ASKED], **pipes) as asked:
        asked.stdout.readline()
        made.set(-86_400.0)
        said, _ = asked.communicate("\n", timeout=60)
    (moved, passed), (waited,) = (map(float, line.split()) for line in said.splitlines())
    assert moved - passed == pytest.approx(-86_400, abs=0.1)
    assert 0.4 <= waited < 60


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_it_jumps_forth_and_back(tmp_path: Path) -> None:
    made, rng = clock.Clock(tmp_path), random.Random(1)
    assert {made.jump(rng) for _ in range(20)} == {"clock jumps forth", "clock jumps back"}


def test_without_a_compiler_it_is_out_of_reach(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    made: Callable[..., AbstractContextManager[Surroundings]] = clock.jumping_clock
    with pytest.raises(OutOfReach, match="C compiler"), made(None, tmp_path, ()):
        pass


def window(key: str, n: int, second: int = 0) -> dict[str, Any]:
    return {"k": key, "e": datetime.fromtimestamp(second, UTC), "n": n, "total": 10 * n, "hi": 9}


WINDOWS = [window("a", 3), window("b", 2), window("a", 4, 5)]


def test_windows_may_miss_what_came_late() -> None:
    assert within([window("a", 1), window("a", 4, 5)], WINDOWS) == 2


@pytest.mark.parametrize(
    "told",
    [
        [window("a", 3), window("a", 3), window("b", 2)],
        [window("a", 4), window("b", 2)],
        [window("a", 3), window("c", 1)],
        [window("a", 3)],
    ],
    ids=["twice", "too many tuples", "no such window", "most are missing"],
)
def test_other_windows_are_wrong(told: list[dict[str, Any]]) -> None:
    with pytest.raises(RowsDiffer):
        within(told, WINDOWS)
