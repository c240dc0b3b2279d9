"""From the syntax tree of an expression to a bound one: names resolved, kinds checked, conversions written out."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from sqlglot import exp

from transom.errors import BadAggregate, NotSupported, TransomError, TypeMismatch, UnknownColumn, nearest
from transom.semantics.time import micros_of, parse_duration, parse_timestamp
from transom.uda.functions import CASTS, FUNCTIONS, Function, names
from transom.uda.ir import AggregateCall, Aggregated, Const, Exists, Expr, Field, InQuery, Newest, Oldest, Op, Query, Scalar
from transom.uda.kinds import NAMES, NUMBERS, common, fits, kind_of
from transom.uda.scope import Names, Scope

BUILT_IN: dict[type[exp.Expr], str] = {
    exp.Count: "count",
    exp.Sum: "sum",
    exp.Avg: "avg",
    exp.Min: "min",
    exp.Max: "max",
}
"""The aggregates that queries of a body have, besides those that users write."""

COMPARISONS: dict[type[exp.Expr], str] = {
    exp.EQ: "eq",
    exp.NEQ: "ne",
    exp.LT: "lt",
    exp.LTE: "le",
    exp.GT: "gt",
    exp.GTE: "ge",
    exp.NullSafeEQ: "nseq",
}

ARITHMETIC: dict[type[exp.Expr], str] = {exp.Add: "add", exp.Sub: "sub", exp.Mul: "mul", exp.Div: "div", exp.Mod: "mod"}


class ExpressionBinder:
    """Binds the expressions of one statement."""

    def __init__(self, names: Names, query: Callable[[exp.Expr, Scope | None], Query]) -> None:
        self.names, self._query = names, query

    def bind(self, tree: exp.Expr, scope: Scope | None) -> Expr:
        """The value of an expression."""
        grouped = self._grouped(tree, scope)
        if grouped is not None:
            return grouped
        for kinds, bind in _HANDLERS:
            if isinstance(tree, kinds):
                return bind(self, tree, scope)
        if type(tree) in FUNCTIONS:
            return self._function(tree, FUNCTIONS[type(tree)], scope)
        name = str(tree.this) if isinstance(tree, exp.Anonymous) else type(tree).__name__.lower()
        raise NotSupported(
            f"bodies have no {name!r}",
            given=tree.sql("spark"),
            exists=names(),
            remedy=nearest(name.lower(), [*names(), *self.names.uses]),
            span=self.names.span(tree),
        )

    def condition(self, tree: exp.Expr, scope: Scope | None) -> Expr:
        """A value that is true, false or NULL."""
        made = self.bind(tree, scope)
        if made.kind not in ("boolean", "null"):
            raise self._mismatch(tree, "a condition is true or false", made, "compare it with something")
        return made

    def fitted(self, value: Expr, kind: str, tree: exp.Expr, what: str) -> Expr:
        """A value as a column of some kind keeps it."""
        if not fits(value.kind, kind):
            raise self._mismatch(tree, f"{what} is {NAMES[kind]}", value, f"cast it: CAST(... AS {NAMES[kind]})")
        return converted(value, kind)

    # -- single kinds of expressions -------------------------------------------------------------------------

    def _grouped(self, tree: exp.Expr, scope: Scope | None) -> Expr | None:
        """Within a grouped query, an expression that it is grouped by."""
        if scope is None or scope.group is None or isinstance(tree, exp.Literal):
            return None
        plain = Scope(scope.sources, scope.outer)
        try:
            found = self.bind(tree, plain) if not tree.find(exp.AggFunc, exp.Anonymous, exp.Query) else None
        except TransomError:
            return None
        return found if found in scope.group else None

    def _column(self, tree: exp.Expr, scope: Scope | None) -> Expr:
        assert isinstance(tree, exp.Column)
        made = self.names.column(tree, scope)
        grouped = scope is not None and scope.aggregates is not None
        own = [source for _, source in scope.sources] if scope is not None else []
        if grouped and isinstance(made, Field) and made.source in own:
            raise BadAggregate(
                f"{tree.name!r} is neither grouped nor aggregated",
                given=tree.sql("spark"),
                remedy="add it to GROUP BY, or aggregate it",
                span=self.names.span(tree),
            )
        return made

    def _literal(self, tree: exp.Expr, _: Scope | None) -> Expr:
        text = str(tree.this)
        if tree.is_string:
            return Const("string", text)
        if text.isdigit():
            return Const("int", int(text))
        return Const("double", float(text)) if "e" in text.lower() else Const("decimal", Decimal(text))

    def _interval(self, tree: exp.Expr, _: Scope | None) -> Expr:
        unit = tree.args.get("unit")
        return Const("interval", parse_duration(f"{tree.this.name} {unit.name if unit is not None else ''}").micros)

    def _strict(self, tree: exp.Expr, scope: Scope | None) -> Expr:
        name = ARITHMETIC[type(tree)]
        left, right = self.bind(tree.this, scope), self.bind(tree.expression, scope)
        kind = _arithmetic(name, left.kind, right.kind)
        if kind is None:
            both = f"{NAMES[left.kind]} and {NAMES[right.kind]}"
            raise TypeMismatch(
                f"{both} do not go together here", given=tree.sql("spark"), remedy="cast one of them", span=self.names.span(tree)
            )
        return Op(kind, name, _together([left, right]))

    def _negative(self, tree: exp.Expr, scope: Scope | None) -> Expr:
        inner = self.bind(tree.this, scope)
        if inner.kind not in (*NUMBERS, "interval", "null"):
            raise self._mismatch(tree, "only numbers are negated", inner, "cast it")
        return (
            Const(inner.kind, -inner.value)
            if isinstance(inner, Const) and inner.value is not None
            else Op(inner.kind, "neg", (inner,))
        )

    def _comparison(self, tree: exp.Expr, scope: Scope | None) -> Expr:
        return self._compared(COMPARISONS[type(tree)], tree.this, tree.expression, tree, scope)

    def _compared(self, name: str, left: exp.Expr, right: exp.Expr, tree: exp.Expr, scope: Scope | None) -> Expr:
        sides = [self.bind(left, scope), self.bind(right, scope)]
        if common([side.kind for side in sides]) is None:
            raise TypeMismatch(
                f"{NAMES[sides[0].kind]} and {NAMES[sides[1].kind]} do not compare",
                given=tree.sql("spark"),
                remedy="cast one of them",
                span=self.names.span(tree),
            )
        return Op("boolean", name, _together(sides))

    def _between(self, tree: exp.Expr, scope: Scope | None) -> Expr:
        low = self._compared("ge", tree.this, tree.args["low"], tree, scope)
        high = self._compared("le", tree.this, tree.args["high"], tree, scope)
        return Op("boolean", "and", (low, high))

    def _logic(self, tree: exp.Expr, scope: Scope | None) -> Expr:
        name = "and" if isinstance(tree, exp.And) else "or"
        return Op("boolean", name, (self.condition(tree.this, scope), self.condition(tree.expression, scope)))

    def _not(self, tree: exp.Expr, scope: Scope | None) -> Expr:
        return Op("boolean", "not", (self.condition(tree.this, scope),))

    def _is(self, tree: exp.Expr, scope: Scope | None) -> Expr:
        value, what = self.bind(tree.this, scope), tree.expression
        if isinstance(what, exp.Null):
            return Op("boolean", "isnull", (value,))
        if isinstance(what, exp.Boolean):
            return Op("boolean", "nseq", (value, Const("boolean", bool(what.this))))
        raise NotSupported(
            "IS goes with NULL, TRUE and FALSE", given=tree.sql("spark"), remedy="use =", span=self.names.span(tree)
        )

    def _in(self, tree: exp.Expr, scope: Scope | None) -> Expr:
        query = tree.args.get("query")
        if query is not None:
            inner = self._query(query.this if isinstance(query, exp.Subquery) else query, scope)
            return InQuery("boolean", self.bind(tree.this, scope), inner)
        made = [self._compared("eq", tree.this, option, tree, scope) for option in tree.expressions]
        whole = made[0]
        for one in made[1:]:
            whole = Op("boolean", "or", (whole, one))
        return whole

    def _case(self, tree: exp.Expr, scope: Scope | None) -> Expr:
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

    def _if(self, tree: exp.Expr, scope: Scope | None) -> Expr:
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

    def _coalesce(self, tree: exp.Expr, scope: Scope | None) -> Expr:
        values = [self.bind(option, scope) for option in [tree.this, *tree.expressions]]
        kind = self._shared(tree, values)
        return Op(kind, "coalesce", tuple(converted(value, kind) for value in values))

    def _shared(self, tree: exp.Expr, values: list[Expr]) -> str:
        kind = common([value.kind for value in values])
        if kind is None:
            shown = ", ".join(NAMES[value.kind] for value in values)
            raise TypeMismatch(
                f"these have no type in common: {shown}", given=tree.sql("spark"), remedy="cast them", span=self.names.span(tree)
            )
        return kind

    def _cast(self, tree: exp.Expr, scope: Scope | None) -> Expr:
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

    def _function(self, tree: exp.Expr, function: Function, scope: Scope | None) -> Expr:
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

    def _anonymous(self, tree: exp.Expr, scope: Scope | None) -> Expr:
        name = str(tree.this).lower()
        if name == "oldest":
            return self._oldest(tree, None)
        if name == "is_newest":
            found = [source for _, source in (scope.sources if scope else []) if source.table.where == "inwindow"]
            if not found:
                raise BadAggregate(
                    "is_newest() is asked of the rows of inwindow",
                    given=tree.sql("spark"),
                    remedy="use it in a query or a DELETE on inwindow",
                    span=self.names.span(tree),
                )
            return Newest("boolean", found[0])
        if name in self.names.uses:
            return self._user(tree, name, scope)
        raise UnknownColumn(
            f"there is no function or aggregate {name!r}",
            given=tree.sql("spark"),
            exists=[*names(), *BUILT_IN.values(), *self.names.uses],
            remedy=nearest(name, [*names(), *BUILT_IN.values(), *self.names.uses, "oldest", "is_newest"]),
            span=self.names.span(tree),
        )

    def _dot(self, tree: exp.Expr, scope: Scope | None) -> Expr:
        inner = tree.this
        if isinstance(inner, exp.Anonymous) and str(inner.this).lower() == "oldest":
            return self._oldest(tree, str(tree.expression.name))
        raise NotSupported(
            "only oldest() has columns", given=tree.sql("spark"), remedy="name the column", span=self.names.span(tree)
        )

    def _oldest(self, tree: exp.Expr, column: str | None) -> Expr:
        table = self.names.inwindow
        if not self.names.version.is_window:
            raise BadAggregate(
                "only a WINDOW AGGREGATE has oldest()",
                given=tree.sql("spark"),
                remedy="write CREATE WINDOW AGGREGATE",
                span=self.names.span(tree),
            )
        if column is None and len(table.columns) == 1:
            return Oldest(table.kinds[0], 0)
        for at, known in enumerate(table.columns):
            if column is not None and known.lower() == column.lower():
                return Oldest(table.kinds[at], at)
        raise UnknownColumn(
            "a column of inwindow is to be named" if column is None else f"inwindow has no column {column!r}",
            given=tree.sql("spark"),
            exists=table.columns,
            remedy=f"write oldest().{table.columns[0]}" if column is None else nearest(column, table.columns),
            span=self.names.span(tree),
        )

    # -- aggregates and queries ------------------------------------------------------------------------------

    def _built_in(self, tree: exp.Expr, scope: Scope | None) -> Expr:
        function = BUILT_IN[type(tree)]
        inner = tree.this
        distinct = isinstance(inner, exp.Distinct)
        given = [] if isinstance(inner, exp.Star) or inner is None else list(inner.expressions) if distinct else [inner]
        args = self._arguments(tree, given, scope)
        if function in ("sum", "avg") and args[0].kind not in (*NUMBERS, "null"):
            raise self._mismatch(given[0], f"{function} takes numbers", args[0], "cast it")
        kind = "int" if function == "count" else args[0].kind
        if function == "avg" and kind != "decimal":
            kind = "double"
        return self._added(AggregateCall(function, tuple(args), distinct), kind, scope)

    def _user(self, tree: exp.Expr, name: str, scope: Scope | None) -> Expr:
        version = self.names.uses[name]
        given = list(tree.expressions)
        args = self._arguments(tree, given, scope)
        if len(args) != len(version.arguments):
            raise BadAggregate(
                f"{name} takes {len(version.arguments)} arguments",
                given=tree.sql("spark"),
                exists=[f"{argument} {kind}" for argument, kind in version.arguments],
                remedy="give one value for each",
                span=self.names.span(tree),
            )
        kinds = [kind_of(sql_type) or "null" for _, sql_type in version.arguments]
        fitted = [self.fitted(arg, kind, part, "the argument") for arg, kind, part in zip(args, kinds, given, strict=True)]
        if name not in self.names.used:
            self.names.used.append(name)
        call = AggregateCall(name, tuple(fitted), user=self.names.used.index(name))
        return self._added(call, kind_of(version.returns[0][1]) or "null", scope)

    def _arguments(self, tree: exp.Expr, given: list[exp.Expr], scope: Scope | None) -> list[Expr]:
        if scope is None or scope.aggregates is None:
            raise BadAggregate(
                "an aggregate stands in the select list of a query",
                given=tree.sql("spark"),
                remedy="write (SELECT ... FROM ...)",
                span=self.names.span(tree),
            )
        inside = Scope(scope.sources, scope.outer)
        return [self.bind(part, inside) for part in given]

    def _added(self, call: AggregateCall, kind: str, scope: Scope | None) -> Expr:
        assert scope is not None
        assert scope.aggregates is not None
        if call not in scope.aggregates:
            scope.aggregates.append(call)
        return Aggregated(kind, scope.aggregates.index(call))

    def _subquery(self, tree: exp.Expr, scope: Scope | None) -> Expr:
        query = self._query(tree.this, scope)
        if len(query.outputs) != 1:
            raise BadAggregate(
                "a query in an expression has one column",
                given=tree.sql("spark"),
                remedy="select one",
                span=self.names.span(tree),
            )
        return Scalar(query.outputs[0].kind, query)

    def _exists(self, tree: exp.Expr, scope: Scope | None) -> Expr:
        inner = tree.this
        return Exists("boolean", self._query(inner.this if isinstance(inner, exp.Subquery) else inner, scope))

    def _mismatch(self, tree: exp.Expr, problem: str, value: Expr, remedy: str) -> TypeMismatch:
        return TypeMismatch(
            f"{problem}, and this is {NAMES[value.kind]}", given=tree.sql("spark"), remedy=remedy, span=self.names.span(tree)
        )


Handler = Callable[[ExpressionBinder, exp.Expr, "Scope | None"], Expr]

_HANDLERS: list[tuple[type[exp.Expr] | tuple[type[exp.Expr], ...], Handler]] = [
    (exp.Column, ExpressionBinder._column),
    (exp.Literal, ExpressionBinder._literal),
    (exp.Boolean, lambda _self, tree, _: Const("boolean", bool(tree.this))),
    (exp.Null, lambda _self, _tree, _: Const("null", None)),
    (exp.Paren, lambda self, tree, scope: self.bind(tree.this, scope)),
    (exp.Interval, ExpressionBinder._interval),
    (exp.Neg, ExpressionBinder._negative),
    (exp.Not, ExpressionBinder._not),
    (tuple(ARITHMETIC), ExpressionBinder._strict),
    (tuple(COMPARISONS), ExpressionBinder._comparison),
    (exp.Between, ExpressionBinder._between),
    ((exp.And, exp.Or), ExpressionBinder._logic),
    (exp.Is, ExpressionBinder._is),
    (exp.In, ExpressionBinder._in),
    (exp.Case, ExpressionBinder._case),
    (exp.If, ExpressionBinder._if),
    (exp.Coalesce, ExpressionBinder._coalesce),
    (exp.Cast, ExpressionBinder._cast),
    (exp.Exists, ExpressionBinder._exists),
    (exp.Subquery, ExpressionBinder._subquery),
    (exp.Dot, ExpressionBinder._dot),
    (tuple(BUILT_IN), ExpressionBinder._built_in),
    (exp.Anonymous, ExpressionBinder._anonymous),
]


def _arithmetic(name: str, left: str, right: str) -> str | None:
    kinds = {left, right}
    if kinds <= {*NUMBERS, "null"}:
        kind = common([left, right])
        if kind == "null":
            return "double"
        return "double" if name == "div" and kind == "int" else kind
    if name == "sub" and kinds == {"timestamp"}:
        return "interval"
    if kinds == {"interval"} and name in ("add", "sub"):
        return "interval"
    if kinds == {"timestamp", "interval"} and (name == "add" or (name == "sub" and left == "timestamp")):
        return "timestamp"
    if kinds == {"interval", "int"} and name == "mul":
        return "interval"
    return None


def _together(values: list[Expr]) -> tuple[Expr, ...]:
    """Operands in one arithmetic: beside a double, decimals become doubles."""
    kind = common([value.kind for value in values])
    return tuple(converted(value, "double") if kind == "double" and value.kind == "decimal" else value for value in values)


def converted(value: Expr, kind: str) -> Expr:
    """A value as one of another kind that it fits; constants are converted here and now."""
    if value.kind in (kind, "null") or kind == "null":
        return value
    if isinstance(value, Const) and value.value is not None:
        return Const(kind, CASTS[value.kind, kind](value.value))
    return Op(kind, f"cast:{value.kind}:{kind}", (value,))
