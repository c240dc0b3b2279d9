"""The order of events when a tuple comes: tables I and II of seed 004, section 3.3. Clock and punctuation cause the rest."""

from __future__ import annotations

from transom.windowing.policies.configuration import Configuration
from transom.windowing.policies.policy import Count, Delta, Punct, Time

TUMBLING: dict[type, tuple[str, ...]] = {
    Count: ("insert", "flush"),
    Delta: ("flush", "insert"),
    Time: ("insert",),
    Punct: ("insert",),
}

SLIDING: dict[tuple[type, type], tuple[str, ...]] = {
    (Count, Count): ("evict", "insert", "trigger"),
    (Count, Delta): ("trigger", "evict", "insert"),
    (Count, Time): ("evict", "insert"),
    (Delta, Count): ("evict", "insert", "trigger"),
    (Delta, Delta): ("trigger", "evict", "insert"),
    (Delta, Time): ("evict", "insert"),
    (Time, Count): ("insert", "trigger"),
    (Time, Delta): ("trigger", "insert"),
    (Time, Time): ("insert",),
}


def order(configuration: Configuration) -> tuple[str, ...]:
    """What a tuple causes, in order.

    >>> from transom.windowing import sliding, count, delta
    >>> order(sliding(count(2), delta("ts", 10)))
    ('trigger', 'evict', 'insert')
    """
    if configuration.trigger is None:
        return TUMBLING[type(configuration.evict)]
    return SLIDING[type(configuration.evict), type(configuration.trigger)]
