"""What can be said of a value without knowing the data: that it stays the same, cannot fail, or is not negative."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from transom.uda.ir import Arg, BoundStatement, Const, Expr, Oldest, Op, everything, walk

_SAFE = ("add", "sub", "mul", "neg", "mod", "call:Abs")


def is_of_tuple(expr: Expr) -> bool:
    """Whether a value comes from arguments, oldest() and constants alone."""
    return isinstance(expr, Arg | Oldest | Const) or (isinstance(expr, Op) and all(map(is_of_tuple, expr.args)))


def is_shareable(expr: Expr) -> bool:
    """Whether a value is computed from the tuple alone, by operations that cannot fail."""
    if not isinstance(expr, Op) or expr.name not in _SAFE:
        return False
    if expr.name == "mod" and not (isinstance(expr.args[1], Const) and expr.args[1].value):
        return False
    return all(isinstance(arg, Arg | Oldest | Const) or is_shareable(arg) for arg in expr.args)


def reads_oldest(expr: Expr) -> bool:
    return any(isinstance(part, Oldest) for part in walk(expr))


def is_natural(expr: Expr) -> bool:
    """Whether a number is surely not negative."""
    if isinstance(expr, Const):
        return expr.value is not None and expr.kind in ("int", "decimal") and bool(expr.value >= 0)
    if not isinstance(expr, Op):
        return False
    if expr.name in ("call:Abs", "call:Length"):
        return True
    if expr.name in ("add", "mul"):
        return all(map(is_natural, expr.args))
    return expr.name == "mod" and is_natural(expr.args[0])


def is_signed_remainder(expr: Expr) -> bool:
    """Whether this is a remainder by a positive constant, for which SQL and Python differ where the dividend is negative."""
    if not isinstance(expr, Op) or expr.name != "mod" or expr.kind != "int":
        return False
    return is_positive(expr.args[1]) and not is_natural(expr.args[0])


def is_positive(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.kind == "int" and expr.value is not None and expr.value > 0


def worth_sharing(statements: Iterable[BoundStatement]) -> list[Expr]:
    """What several places of a clause compute of the tuple alone, inner ones first; and remainders of one dividend, whose sign is
    then looked at once for all of them."""
    places = Counter(part for each in statements for part in everything(each) if is_shareable(part))
    chosen: list[Expr] = []
    for expr in sorted(places, key=_size, reverse=True):
        within = sum((places[outer] - 1) * list(walk(outer)).count(expr) for outer in chosen if outer != expr)
        if places[expr] - within > 1:
            chosen.append(expr)
    for group in remainders(places).values():
        if len(group) > 1:
            chosen += [expr for expr in group if expr not in chosen]
    return sorted(chosen, key=_size)


def remainders(exprs: Iterable[Expr]) -> dict[Expr, list[Expr]]:
    """Remainders by their dividends."""
    found: dict[Expr, list[Expr]] = {}
    for expr in exprs:
        if is_signed_remainder(expr):
            found.setdefault(expr.parts()[0], []).append(expr)
    return found


def _size(expr: Expr) -> int:
    return len(list(walk(expr)))
