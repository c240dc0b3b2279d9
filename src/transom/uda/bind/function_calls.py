"""Functions of values: CASE and the like, casts, and those that are called by name."""

from __future__ import annotations

from sqlglot import exp

from transom.errors import NotSupported
from transom.semantics.time import micros_of, parse_timestamp
from transom.uda.bind.body_scope import BodyScope
from transom.uda.bind.expression_binder import converted
from transom.uda.bind.functions import CASTS, BodyFunction
from transom.uda.bind.kinds import NAMES, NUMBERS, fits, kind_of
from transom.uda.bind.operators import Operators
from transom.uda.ir import Const, Expr, Op


class Functions(Operators):
    """Binds what takes values and gives one."""

    def _case(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        conditions, values = [], []
        for branch in tree.args["ifs"]:
            if tree.this is None:
                conditions.append(self.condition(branch.this, scope))
            else:
                conditions.append(self._compared("eq", tree.this, branch.this, tree, scope))
            values.append(self.bind(branch.args["true"], scope))
        default = tree.args.get("default")
        values.append(Const("null", None) if default is None else self.bind(default, scope))
        return self._branches(tree, conditions, values)

    def _if(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        otherwise = tree.args.get("false")
        values = [
            self.bind(tree.args["true"], scope),
            Const("null", None) if otherwise is None else self.bind(otherwise, scope),
        ]
        return self._branches(tree, [self.condition(tree.this, scope)], values)

    def _branches(self, tree: exp.Expr, conditions: list[Expr], values: list[Expr]) -> Expr:
        kind = self._shared(tree, values)
        values = [converted(value, kind) for value in values]
        paired = [part for pair in zip(conditions, values, strict=False) for part in pair]
        return Op(kind, "case", (*paired, values[-1]))

    def _coalesce(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        values = [self.bind(option, scope) for option in [tree.this, *tree.expressions]]
        kind = self._shared(tree, values)
        return Op(kind, "coalesce", tuple(converted(value, kind) for value in values))

    def _cast(self, tree: exp.Expr, scope: BodyScope | None) -> Expr:
        value, wanted = self.bind(tree.this, scope), tree.args["to"].sql("spark")
        kind = kind_of(wanted)
        if kind == "timestamp" and isinstance(value, Const) and value.kind == "string":
            return Const("timestamp", micros_of(parse_timestamp(value.value)))
        if kind is not None and fits(value.kind, kind):
            return converted(value, kind)
        if kind is None or (value.kind, kind) not in CASTS:
            exists = [NAMES[to] for of, to in CASTS if of == value.kind]
            raise NotSupported(
                f"{NAMES[value.kind]} is not cast to {wanted} here",
                given=tree.sql("spark"),
                exists=exists,
                remedy="cast it where the aggregate is called",
                span=self.names.span(tree),
            )
        return Op(kind, f"cast:{value.kind}:{kind}", (value,))

    def _function(self, tree: exp.Expr, function: BodyFunction, scope: BodyScope | None) -> Expr:
        given = [part for part in tree.args.values() if isinstance(part, exp.Expr)]
        given += [part for value in tree.args.values() if isinstance(value, list) for part in value]
        values = [self.bind(part, scope) for part in given]
        takes = function.takes
        wanted = [takes[0]] * len(values) if "..." in takes else list(takes[: len(values)])
        for n, (value, kind) in enumerate(zip(values, wanted, strict=True)):
            if kind == "number" and value.kind not in (*NUMBERS, "null"):
                raise self._mismatch(given[n], "a number stands here", value, "cast it")
            if kind not in ("number", "any"):
                values[n] = self.fitted(value, kind, given[n], "the argument")
        if function.gives == "same":
            kind = self._shared(tree, values)
            values = [converted(value, kind) for value in values]
        else:
            kind = function.gives.rstrip("?")
        return Op(kind, f"call:{type(tree).__name__}", tuple(values))
