"""The steps of the tables, insert, evict, trigger and flush, as lines of code for one shape of container.

Where an event is not subscribed to, no line mentions it: what is not asked for costs nothing.
"""

from __future__ import annotations

from transom.windowing.containers.code_lines import CodeLines
from transom.windowing.containers.shape import Shape
from transom.windowing.policies.policy import Count, Delta


class Steps:
    """Writes the steps. The variables are `p` (the partition), `w` (its tuples), `window`, `key`, `t`, `now`."""

    def __init__(self, shape: Shape, lines: CodeLines) -> None:
        self.shape = shape
        self.lines = lines

    def event(self, name: str, of: str = "") -> None:
        """Call a handler, if there is one; `of` is the variable of the tuple."""
        if name in self.shape.events:
            self.lines.call(name, f"{self.shape.window}, key" + (f", {of}" if of else ""))

    def insert(self) -> None:
        shape, lines = self.shape, self.lines
        self.event("before_insertion", "t")
        if shape.summarizes:
            with lines.block("if not p.size:"):
                lines.add("p.summary = summarizer()", does="the summarizer")
                lines.add("p.summary.open(key)", does="open of the summarizer")
            lines.add("p.size += 1")
            lines.add("p.summary.insert(t)", does="insert of the summarizer")
        elif not shape.holds_nothing:
            lines.add("w.append(t)" if shape.partitioned else "append(t)")
        if shape.stamps:
            lines.add(f"p.stamps.append({shape.stamps})" if shape.partitioned else f"stamps.append({shape.stamps})")
        if shape.has_agenda and not shape.holds_nothing:
            if not shape.expires:
                with lines.block("if not p.waits:"):
                    lines.add("fire_later(p, now)")
            else:
                with lines.block(f"if {shape.length} == 1:"):
                    self.plan_expiry()
                    if shape.fires:
                        with lines.block("if not p.waits:"):
                            lines.add("fire_later(p, now)")
        self.event("after_insertion", "t")
        if shape.holds_nothing:
            self.event("before_eviction", "t")
            self.event("after_eviction", "t")
        if shape.waits_for_full and isinstance(shape.configuration.evict, Count) and not shape.holds_nothing:
            self._full("len(w) == n")
        self._limit()

    def plan_expiry(self) -> None:
        """Put the eviction of the oldest tuple on the agenda."""
        self.lines.add("push(agenda, (p.stamps[0] + period + 1, 0, p.serial, p))")

    def _full(self, condition: str) -> None:
        with self.lines.block(f"if not p.full and {condition}:"):
            self.lines.add("p.full = True")
            self.event("on_initial_full")

    def about_to_be_full(self) -> None:
        """Initial full where a delta policy evicts: before anything else that the tuple causes."""
        shape = self.shape
        if shape.waits_for_full and isinstance(shape.configuration.evict, Delta):
            self._full("p.stamps and place - p.stamps[0] > d")

    def _limit(self) -> None:
        """Partition eviction, piggybacked on insertion (seed 004, section 4.2)."""
        shape, lines = self.shape, self.lines
        if shape.configuration.limit is None:
            return
        lines.add("p.last = store.arrived = store.arrived + 1")
        lines.add("p.updates += 1")
        if shape.ages:
            lines.add("p.at = now")
            condition = "crowd.oldest + age < now"
        elif shape.counts_tuples:
            if not shape.holds_nothing:
                lines.add("crowd.tuples += 1")
            condition = "crowd.tuples > most"
        else:
            condition = "len(partitions) > most"
        with lines.block(f"if {condition}:"):
            lines.add("crowd.shrink(p, now)" if shape.ages else "crowd.shrink(p, 0)", does="on_partition_eviction")
            with lines.block("if p.gone:"):
                lines.add("continue")

    def evict(self) -> None:
        """Evictions that a tuple causes."""
        evict = self.shape.configuration.evict
        if self.shape.holds_nothing:
            return
        if isinstance(evict, Count):
            with self.lines.block("if len(w) == n:"):
                self.evict_one()
        elif isinstance(evict, Delta):
            stamps = "p.stamps" if self.shape.partitioned else "stamps"
            with self.lines.block(f"while {stamps} and place - {stamps}[0] > d:"):
                self.evict_one()

    def evict_one(self) -> None:
        shape, lines = self.shape, self.lines
        watched = {"before_eviction", "after_eviction"} & shape.events
        if watched:
            lines.add("old = w[0]")
            self.event("before_eviction", "old")
        lines.add("w.popleft()")
        if shape.stamps:
            lines.add("p.stamps.popleft()" if shape.partitioned else "stamps.popleft()")
        if shape.counts_tuples:
            lines.add("crowd.tuples -= 1")
        if watched:
            self.event("after_eviction", "old")

    def trigger(self) -> None:
        """The trigger that a tuple causes."""
        shape, lines, trigger = self.shape, self.lines, self.shape.configuration.trigger
        if not shape.processes:
            return
        if isinstance(trigger, Count):
            since = shape.local("since")
            if trigger.n == 1:
                self.process(sure=True)
                return
            lines.add(f"{since} += 1")
            with lines.block(f"if {since} == m:"):
                lines.add(f"{since} = 0")
                self.process(sure=True)
        elif isinstance(trigger, Delta):
            mark = shape.local("mark")
            with lines.block(f"if {mark} is None:"):
                lines.add(f"{mark} = {shape.turn}")
            with lines.block(f"elif {shape.turn} - {mark} > m:"):
                lines.add(f"{mark} = {shape.turn}")
                self.process(sure=False)

    def process(self, sure: bool) -> None:
        """Call the operator, if there is something in the window; `sure` if there is."""
        conditions = ([] if sure else ["w"]) + ([] if self.shape.configuration.partial else ["p.full"])
        if conditions:
            with self.lines.block(f"if {' and '.join(conditions)}:"):
                self.event("on_trigger")
        else:
            self.event("on_trigger")

    def flush(self) -> None:
        shape, lines = self.shape, self.lines
        self.event("before_flush")
        if shape.counts_tuples:
            lines.add(f"crowd.tuples -= {shape.length}")
        if shape.summarizes:
            lines.add("p.summary.close()", does="close of the summarizer")
            lines.add("p.summary = None")
            lines.add("p.size = 0")
        else:
            lines.add("w.clear()")
        lines.add("p.state = None")
        self.event("after_flush")

    def discard(self) -> None:
        """Forget an empty partition of a tumbling window."""
        if self.shape.partitioned:
            self.lines.add("del partitions[key]")
            self.lines.add("spare.append(p)" if self.shape.reuses_partitions else "p.gone = True")

    def flush_for_tuple(self) -> None:
        """The flush that a tuple causes: a full window after it, or, on a delta, the window that it does not fit into."""
        shape, lines = self.shape, self.lines
        if isinstance(shape.configuration.evict, Count):
            with lines.block(f"if {shape.length} == n:"):
                self.flush()
                self.discard()
        elif isinstance(shape.configuration.evict, Delta):
            first, reached = shape.local("first"), shape.local("reached")
            with lines.block(f"if place - {first} > d:"):
                with lines.block(f"if not place <= place_most and places.settle(place, {reached}) is None:"):
                    lines.add("c.outside += 1  # an infinity: further than all, and on no axis")
                    lines.add("continue")
                self.flush()
                lines.add(f"{first} = place")
            lines.add(f"{reached} = place")
