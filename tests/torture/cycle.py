"""The surroundings in turn."""

from __future__ import annotations

from tests.torture.clock import jumping_clock
from tests.torture.surroundings import Made, broker, full_disk, one_machine, two_executors, two_machines

CYCLE: dict[str, Made] = {
    "a disk that fills up": full_disk,
    "two executors": two_executors,
    "a standalone cluster": two_machines,
    "a Kafka broker": broker,
    "one machine": one_machine,
    "a clock that jumps": jumping_clock,
}
"""One for each round."""
