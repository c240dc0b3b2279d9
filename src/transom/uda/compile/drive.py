"""The loop over the tuples of one key, around the clauses of a version: state into locals, loop, state back.

On arrival expired tuples run EXPIRE, then the new tuple enters inwindow, then ITERATE runs, INITIALIZE for the first.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from transom.uda.analyse.layout import Layout
from transom.uda.analyse.present import there_at_the_end
from transom.uda.compile import code
from transom.uda.compile.statement_code import Statements
from transom.uda.ir import BoundVersion

STEP = ("s", "out", "ends", "reach", "ys", "ps", "ns")
"""The parameters of a step, before the columns of the arguments."""


@dataclass(frozen=True)
class Drive:
    """How tuples are driven through a version.

    `window` is how tuples expire: not at all, by `rows`, or by `range` on their places. `yields`: only flagged tuples give
    results. `terminates`: TERMINATE runs after each of those. `active`: EXPIRE gives results, and all results are
    given with the number of the tuple they belong to and their instant.
    """

    window: str = ""
    yields: bool = False
    terminates: bool = False
    active: bool = False


class Driver(Statements):
    """Writes the functions of a version."""

    def __init__(self, version: BoundVersion, layout: Layout, drive: Drive, *, careful: bool) -> None:
        super().__init__(version, layout, careful=careful)
        self.drive = drive
        self.keeps = version.is_window and layout.keeps
        self.numbered = self.keeps and (layout.deletes or drive.active)
        self.placed = self.keeps and drive.window == "range"
        self.falling = None if careful else layout.falling
        self.done_already = None if self.falling is None else self.falling.statement
        self.bound = not layout.deletes or self.falling is not None
        self.counts: list[int | None] = []
        self.queues = ["w", *(["wp"] if self.placed else []), *(["wn"] if self.numbered else [])]

    @property
    def gives_one(self) -> bool:
        """Whether each tuple that gives results gives exactly one row; known when the arrivals are written."""
        return all(count == 1 for count in self.counts)

    def step(self) -> ast.FunctionDef:
        """Tuples in, results out."""
        columns = [f"c{n}" for n in range(len(self.version.arguments))]
        body = self._loaded()
        body.append(code.assign("emit", code.attribute("out", "append")))
        body.append(code.assign("mark", code.attribute("ends", "append")))
        targets, over = self._tuples(columns)
        body.append(code.assign("it", over))
        first = self._arrival("INITIALIZE")
        arrivals = [first]
        start = code.loop(targets, code.name("it"), first, [ast.Return(None)])
        begin = [start, code.assign_attribute("s", "started", code.const(True))]
        body.append(code.when(code.negated(code.attribute("s", "started")), begin))
        if self.fills:
            room = code.binary(
                code.binary(code.name("reach"), ast.Add(), code.const(1)), ast.Sub(), code.call("len", code.name("w"))
            )
            arrivals.append(self._arrival("ITERATE", full=False))
            body.append(code.loop(targets, code.call("islice", code.name("it"), room), arrivals[-1]))
        arrivals.append(self._arrival("ITERATE"))
        body.append(code.loop(targets, code.name("it"), arrivals[-1]))
        if not self.gives_one and not self.drive.active:
            for block in arrivals:
                block.append(self._marked())
        first.append(ast.Break())
        return code.function("step", (*STEP, *columns), [*body, *self._kept()])

    def _marked(self) -> ast.stmt:
        """Tell where the rows of a tuple end."""
        mark = code.do(code.call("mark", code.call("len", code.name("out"))))
        return code.when(code.name("y"), [mark]) if self.drive.yields else mark

    def slots(self) -> ast.FunctionDef:
        """Slot after slot, each from the start; the end of each is the end of its input."""
        arrivals = self._slotwise()
        end: list[ast.stmt] = []
        with self.inside(end):
            self.returned, self.flag, self.tagged = 0, None, None
            self.statements("TERMINATE")
        self.counts = [None if count is None or self.returned is None else count + self.returned for count in self.counts]
        if not self.gives_one:
            end.append(code.do(code.call("mark", code.call("len", code.name("out")))))
        parameters = ("s", "out", "ends", "sizes", "ys")
        return self._over_slots("slots", parameters, arrivals, [*end, *self._emptied()], self._kept_slot())

    def panes(self) -> ast.FunctionDef:
        """Slot after slot, of each of which the state is handed over, that of the last one too."""
        self.returns = None
        arrivals = self._slotwise()
        kept: list[ast.stmt] = [*self._kept(), code.assign_attribute("s", "started", code.const(True))]
        kept.append(code.do(code.call("emit", code.name("s"))))
        another = [code.assign("s", code.call("fresh")), *self._loaded()]
        last = code.when(code.negated(code.name("anew")), list(kept))
        return self._over_slots("panes", ("s", "out", "sizes"), arrivals, [*kept, *another], [last])

    def values(self) -> ast.FunctionDef:
        """The same, where all tables are variables: their values are handed over."""
        self.returns = None
        arrivals = self._slotwise()
        handed: list[ast.stmt] = [code.do(code.call("emit", self._values()))]
        return self._over_slots("values", ("s", "out", "sizes"), arrivals, handed, self._kept_slot())

    def merged(self) -> ast.FunctionDef:
        """The values of variables of two stretches, the second behind the first, as those of both."""
        body = [code.unpack(self._variables("v"), code.name("s")), code.unpack(self._variables("o"), code.name("other"))]
        with self.inside(body):
            self.returns = None
            self.statements("COMBINE")
        return code.function("merged", ("s", "other"), [*body, ast.Return(self._values())])

    def result(self) -> ast.FunctionDef:
        """TERMINATE on the values of variables."""
        body: list[ast.stmt] = [code.unpack(self._variables("v"), code.name("s"))]
        body.append(code.assign("emit", code.attribute("out", "append")))
        with self.inside(body):
            self.statements("TERMINATE")
        return code.function("result", ("s", "out"), body)

    def _values(self) -> ast.expr:
        return code.tuple_of([code.name(each) for each in self._variables("v")])

    def _kept_slot(self) -> list[ast.stmt]:
        return [*self._kept(), code.assign_attribute("s", "started", code.negated(code.name("anew")))]

    def _slotwise(self) -> list[ast.stmt]:
        """The tuples of one slot."""
        columns = [f"c{n}" for n in range(len(self.version.arguments))]
        targets, _ = self._tuples(columns)
        first, others = self._arrival("INITIALIZE"), self._arrival("ITERATE")
        begin = code.loop(targets, code.name("it"), [*first, ast.Break()])
        less = ast.AugAssign(code.stored("size"), ast.Sub(), code.const(1))
        started = code.when(code.name("anew"), [begin, code.assign("anew", code.const(False)), less])
        return [started, code.loop(targets, code.call("islice", code.name("it"), code.name("size")), others)]

    def _over_slots(
        self, called: str, parameters: tuple[str, ...], tuples: list[ast.stmt], end: list[ast.stmt], kept: list[ast.stmt]
    ) -> ast.FunctionDef:
        columns = [f"c{n}" for n in range(len(self.version.arguments))]
        body = self._loaded()
        body.append(code.assign("emit", code.attribute("out", "append")))
        if "ends" in parameters:
            body.append(code.assign("mark", code.attribute("ends", "append")))
        body.append(code.assign("it", self._tuples(columns)[1]))
        body.append(code.assign("anew", code.negated(code.attribute("s", "started"))))
        over = code.when(code.name("over"), [*end, code.assign("anew", code.const(True))])
        body.append(code.loop(code.store_tuple(["size", "over"]), code.name("sizes"), [*tuples, over]))
        return code.function(called, (*parameters, *columns), [*body, *kept])

    def _emptied(self) -> list[ast.stmt]:
        """Tables and window as they are at the start; variables are given values there."""
        made: list[ast.stmt] = [code.do(code.method(f"t{table}", "clear")) for table in self._row_tables]
        if self.keeps:
            made += [code.do(code.method(queue, "clear")) for queue in self.queues]
            made.append(code.assign("seen", code.const(0)))
        return made

    @property
    def fills(self) -> bool:
        """Whether the window, once it is full, stays so: each tuple that comes makes one leave."""
        return self.keeps and self.drive.window == "rows" and not self.layout.deletes

    def finish(self) -> ast.FunctionDef:
        """The end of the input: TERMINATE."""
        body = self._loaded()
        body.append(code.assign("emit", code.attribute("out", "append")))
        with self.inside(body):
            self.statements("TERMINATE")
        return code.function("finish", ("s", "out"), [*body, *self._kept()])

    def combine(self) -> ast.FunctionDef:
        """Another state, of the tuples that follow, taken into one."""
        body = [*self._loaded(), *self._other()]
        with self.inside(body):
            self.returns = None
            self.statements("COMBINE")
        return code.function("combine", ("s", "other"), [*body, *self._kept()])

    def flush(self) -> ast.FunctionDef:
        """The frontier has moved: what has expired by then runs EXPIRE, in the order of time."""
        body = self._loaded()
        body.append(code.assign("emit", code.attribute("out", "append")))
        body += self._expiry(code.name("upto"))
        return code.function("flush", ("s", "out", "reach", "upto"), [*body, *self._kept()])

    # -- the state -------------------------------------------------------------------------------------------

    def _variables(self, prefix: str) -> list[str]:
        return [
            f"{prefix}{table.index}_{at}"
            for table in self.version.tables
            if table.index in self.layout.variables
            for at in range(len(table.columns))
        ]

    @property
    def _row_tables(self) -> list[int]:
        return [table.index for table in self.version.tables if table.index not in self.layout.variables]

    def _loaded(self) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        if self._variables("v"):
            made.append(code.unpack(self._variables("v"), code.attribute("s", "variables")))
        for place, table in enumerate(self._row_tables):
            made.append(code.assign(f"t{table}", code.item(code.attribute("s", "tables"), place)))
            made.append(code.assign(f"t{table}_all", code.attribute(f"t{table}", "rows")))
            made.append(code.assign(f"t{table}_insert", code.attribute(f"t{table}", "insert")))
            indexes = range(len(self.layout.indexes.get(table, [])))
            made += [code.assign(f"t{table}_by{at}", code.item(code.attribute(f"t{table}", "by"), at)) for at in indexes]
            made += [code.assign(f"t{table}_get{at}", code.attribute(f"t{table}_by{at}", "get")) for at in indexes]
        if self.keeps:
            made.append(code.assign("w", code.attribute("s", "window")))
            made.append(code.assign("wp", code.attribute("s", "places")))
            made.append(code.assign("wn", code.attribute("s", "numbers")))
            made.append(code.assign("seen", code.attribute("s", "seen")))
            acts = ["append", "popleft", *(["pop"] if self.falling is not None else [])] if self.bound else []
            made += [code.assign(f"{queue}_{act}", code.attribute(queue, act)) for queue in self.queues for act in acts]
        return made

    def _other(self) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        if self._variables("o"):
            made.append(code.unpack(self._variables("o"), code.attribute("other", "variables")))
        for place, table in enumerate(self._row_tables):
            rows = code.attribute(code.item(code.attribute("other", "tables"), place), "rows")
            made.append(code.assign(f"u{table}_all", rows))
        return made

    def _kept(self) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        if self._variables("v"):
            made.append(code.assign_attribute("s", "variables", code.list_of([code.name(each) for each in self._variables("v")])))
        if self.keeps:
            for local, called in (("w", "window"), ("wp", "places"), ("wn", "numbers"), ("seen", "seen")):
                made.append(code.assign_attribute("s", called, code.name(local)))
        return made

    def _on(self, queue: str, act: str, *args: ast.expr) -> ast.expr:
        """A call of a method of a queue, which stays the same object unless the body takes tuples out of it."""
        return code.call(f"{queue}_{act}", *args) if self.bound else code.method(queue, act, *args)

    # -- tuples ----------------------------------------------------------------------------------------------

    def _tuples(self, columns: list[str]) -> tuple[ast.expr, ast.expr]:
        """What the loop takes from each tuple, and from where."""
        used = [("y", "ys")] if self.drive.yields else []
        used += [("p", "ps")] if self.placed or self.drive.active else []
        used += [("n", "ns")] if self.drive.active else []
        used += [(f"x{at}", column) for at, column in enumerate(columns)]
        if len(used) == 1:
            return code.stored(used[0][0]), code.call("iter", code.name(used[0][1]))
        return code.store_tuple([local for local, _ in used]), code.call("zip", *(code.name(given) for _, given in used))

    def _arrival(self, clause: str, *, full: bool = True) -> list[ast.stmt]:
        """What happens when a tuple arrives."""
        made: list[ast.stmt] = []
        if self.keeps:
            if clause == "ITERATE" and full:
                made += [*self._expiry(None), *self._dropped()]
            made += self._entered()
        self.flag = "y" if self.drive.yields else None
        self.tagged = (code.name("n"), code.name("p")) if self.drive.active else None
        self.returned = 0
        with self.inside(made):
            self.statements(clause)
        if self.drive.terminates:
            made += self._terminated()
        self.counts.append(self.returned)
        return made

    def _terminated(self) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        flag, self.flag = self.flag, None
        with self.inside(made):
            self.statements("TERMINATE")
        return [code.when(code.name(flag), made)] if flag is not None and made else made

    def _dropped(self) -> list[ast.stmt]:
        """What the new tuple makes useless, at the end of a falling window."""
        if self.falling is None:
            return []
        last = code.item("w", -1)
        value = last if len(self.version.arguments) == 1 else code.item(last, self.falling.column)
        less: ast.cmpop = ast.Lt() if self.falling.strict else ast.LtE()
        useless = code.compare(value, less, code.name(f"x{self.falling.column}"))
        body: list[ast.stmt] = [code.do(self._on(queue, "pop")) for queue in self.queues]
        return [ast.While(code.both([code.name("w"), useless]), body, [])]

    def _entered(self) -> list[ast.stmt]:
        values = [code.name(f"x{at}") for at in range(len(self.version.arguments))]
        entry = values[0] if len(values) == 1 else code.tuple_of(values)
        made: list[ast.stmt] = [code.do(self._on("w", "append", entry))]
        if self.placed:
            made.append(code.do(self._on("wp", "append", code.name("p"))))
        if self.numbered:
            made.append(code.do(self._on("wn", "append", code.name("n") if self.drive.active else code.name("seen"))))
            made.append(ast.AugAssign(code.stored("seen"), ast.Add(), code.const(1)))
        return made

    def _expiry(self, upto: ast.expr | None) -> list[ast.stmt]:
        """EXPIRE for each tuple whose time is up."""
        if self.drive.window == "":
            return []
        if self.drive.window == "range":
            due = code.binary(upto or code.name("p"), ast.Sub(), code.name("reach"))
            over = code.compare(code.item("wp", 0), ast.Lt(), due)
            return [ast.While(code.both([code.name("wp"), over]), self._expired(), [])]
        if self.fills:
            return self._expired()
        age = code.binary(code.name("seen"), ast.Sub(), code.item("wn", 0))
        return [code.when(code.both([code.name("wn"), code.compare(age, ast.Gt(), code.name("reach"))]), self._expired())]

    def _expired(self) -> list[ast.stmt]:
        before = self.returns, self.flag, self.tagged, self.oldest
        self.returns, self.flag, self.oldest = "emit" if self.drive.active else None, None, "o"
        if self.drive.active:
            self.tagged = (code.name("on"), code.binary(code.name("op"), ast.Add(), code.name("reach")))
        stays = self.layout.scans_on_expire
        made: list[ast.stmt] = self._looked_at() if stays else self._taken_out()
        self.surely_there = set() if self.careful else there_at_the_end(self.version, self.layout)
        with self.inside(made):
            self.statements("EXPIRE")
        self.surely_there = set()
        if stays:
            gone = [code.do(self._on(queue, "popleft")) for queue in self.queues]
            if self.layout.deletes:
                still = code.both([code.name("wn"), code.compare(code.item("wn", 0), ast.Eq(), code.name("on"))])
                made.append(code.when(still, list(gone)))
            else:
                made += gone
        self.returns, self.flag, self.tagged, self.oldest = before
        return made

    def _looked_at(self) -> list[ast.stmt]:
        names = {"w": "o", "wp": "op", "wn": "on"}
        return [code.assign(names[queue], code.item(queue, 0)) for queue in self.queues]

    def _taken_out(self) -> list[ast.stmt]:
        names = {"w": "o", "wp": "op", "wn": "on"}
        return [code.assign(names[queue], self._on(queue, "popleft")) for queue in self.queues]
