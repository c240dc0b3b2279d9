"""B: the same by hand, in Python: a deque, local variables, and one loop over the tuples."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence


class Average:
    """The mean of the last rows."""

    def __init__(self, length: int) -> None:
        self.length, self.total, self.n = length, 0.0, 0
        self.window: deque[float] = deque()

    def run(self, values: Sequence[float]) -> list[float]:
        total, n, length, window = self.total, self.n, self.length, self.window
        append, popleft = window.append, window.popleft
        out: list[float] = []
        give = out.append
        for x in values:
            if n >= length:
                total -= popleft()
                n -= 1
            append(x)
            total += x
            n += 1
            give(total / n)
        self.total, self.n = total, n
        return out


class Frequency:
    """The counting filter over the last rows."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.window: deque[int] = deque()
        self.counts: tuple[dict[int, int], ...] = ({}, {}, {})

    def run(self, items: Sequence[int]) -> list[int]:
        length, window = self.length, self.window
        append, popleft = window.append, window.popleft
        first, second, third = self.counts
        held = len(window)
        out: list[int] = []
        give = out.append
        for item in items:
            if held >= length:
                old = popleft()
                first[old % 1021] -= 1
                second[old % 1019] -= 1
                third[old % 1013] -= 1
            else:
                held += 1
            append(item)
            i, j, k = item % 1021, item % 1019, item % 1013
            first[i] = a = first.get(i, 0) + 1
            second[j] = b = second.get(j, 0) + 1
            third[k] = c = third.get(k, 0) + 1
            give(min(a, b, c))
        return out
