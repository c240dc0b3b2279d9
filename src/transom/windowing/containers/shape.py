"""What decides the code of a container: its configuration, the events that are subscribed to, and what tuples look like."""

from __future__ import annotations

from dataclasses import dataclass

from transom.windowing.policies.configuration import Configuration
from transom.windowing.policies.limits import Age, Most
from transom.windowing.policies.policy import Count, Delta, Time


@dataclass(frozen=True)
class Shape:
    """One kind of container code. `mapping` says that tuples are dictionaries, `clock` how to read the time."""

    configuration: Configuration
    events: frozenset[str]
    mapping: bool = False
    summarizes: bool = False
    clock: str | None = None
    tracks: bool = False

    @property
    def partitioned(self) -> bool:
        return bool(self.configuration.keys)

    @property
    def holds_nothing(self) -> bool:
        return self.configuration.evict == Count(0)

    @property
    def waits_for_full(self) -> bool:
        """Whether anything depends on the eviction policy having applied once."""
        return "on_initial_full" in self.events or not self.configuration.partial

    @property
    def processes(self) -> bool:
        return "on_trigger" in self.events and not self.configuration.tumbles and not self.holds_nothing

    @property
    def counts_tuples(self) -> bool:
        limit = self.configuration.limit
        return isinstance(limit, Most) and limit.counted == "tuple"

    @property
    def ages(self) -> bool:
        return isinstance(self.configuration.limit, Age)

    @property
    def places(self) -> tuple[tuple[str, str], ...]:
        """The delta policies as pairs: the variable of the place, and the field with the largest value so far."""
        evict, trigger = self.configuration.evict, self.configuration.trigger
        found = [("place", "reached")] if isinstance(evict, Delta) else []
        apart = not (isinstance(evict, Delta) and isinstance(trigger, Delta) and evict.attribute == trigger.attribute)
        if isinstance(trigger, Delta) and apart:
            found.append(("turn", "passed"))
        return tuple(found)

    @property
    def turn(self) -> str:
        """The variable of the place on the trigger's attribute."""
        return "turn" if ("turn", "passed") in self.places else "place"

    @property
    def expires(self) -> bool:
        """Whether the clock evicts tuples."""
        return not self.configuration.tumbles and isinstance(self.configuration.evict, Time)

    @property
    def fires(self) -> bool:
        """Whether the clock triggers, or flushes."""
        configuration = self.configuration
        return isinstance(configuration.evict if configuration.tumbles else configuration.trigger, Time)

    @property
    def evicts_at_once(self) -> bool:
        """Tuples of one window expire by the clock, and nothing else happens by it: no agenda is needed."""
        return self.expires and not self.fires and not self.partitioned

    @property
    def has_agenda(self) -> bool:
        return (self.expires or self.fires) and not self.evicts_at_once

    @property
    def stamps(self) -> str | None:
        """The variable that is kept with each tuple for eviction."""
        if self.configuration.tumbles or self.holds_nothing:
            return None
        return {Delta: "place", Time: "now"}.get(type(self.configuration.evict))

    @property
    def length(self) -> str:
        """How many tuples the window has."""
        return "p.size" if self.summarizes else "len(w)"

    @property
    def some(self) -> str:
        """Whether the window has any."""
        return "p.size" if self.summarizes else "w"

    @property
    def watches_tuples(self) -> bool:
        """Whether an event of each tuple is subscribed to."""
        return bool({"before_insertion", "after_insertion", "before_eviction", "after_eviction"} & self.events)

    @property
    def window(self) -> str:
        """The window that handlers are given: looked up for each tuple only if each tuple has an event."""
        return "window" if self.watches_tuples or not self.partitioned else "p.window"

    @property
    def reuses_partitions(self) -> bool:
        """Whether nothing else refers to a partition that is discarded, so that the next one can be made of it."""
        return self.partitioned and not self.has_agenda and self.configuration.limit is None

    def local(self, field: str) -> str:
        """A field of the partition; in a window without partitions, a local variable while tuples are taken."""
        return f"p.{field}" if self.partitioned else field

    @property
    def localized(self) -> tuple[str, ...]:
        """The fields that are local variables while tuples are taken."""
        if self.partitioned:
            return ()
        configuration = self.configuration
        fields = [field for _, field in self.places]
        if configuration.tumbles and isinstance(configuration.evict, Delta):
            fields.append("first")
        if self.processes and isinstance(configuration.trigger, Count):
            fields.append("since")
        if self.processes and isinstance(configuration.trigger, Delta):
            fields.append("mark")
        return tuple(fields)
