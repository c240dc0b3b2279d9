"""Short ways to build Python syntax trees. Code is only ever made of these, never of text."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any


def name(of: str) -> ast.Name:
    return ast.Name(of, ast.Load())


def const(value: Any) -> ast.Constant:
    return ast.Constant(value)


def call(function: str | ast.expr, *args: ast.expr) -> ast.Call:
    return ast.Call(name(function) if isinstance(function, str) else function, list(args), [])


def method(of: str | ast.expr, called: str, *args: ast.expr) -> ast.Call:
    return call(attribute(of, called), *args)


def attribute(of: str | ast.expr, called: str) -> ast.Attribute:
    return ast.Attribute(name(of) if isinstance(of, str) else of, called, ast.Load())


def item(of: str | ast.expr, at: int) -> ast.Subscript:
    return ast.Subscript(name(of) if isinstance(of, str) else of, const(at), ast.Load())


def tuple_of(parts: Sequence[ast.expr]) -> ast.Tuple:
    return ast.Tuple(list(parts), ast.Load())


def list_of(parts: Sequence[ast.expr]) -> ast.List:
    return ast.List(list(parts), ast.Load())


def assign(target: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(target, ast.Store())], value)


def assign_all(targets: Sequence[str], values: Sequence[ast.expr]) -> ast.stmt:
    """Several variables at once, after all values are computed."""
    if len(targets) == 1:
        return assign(targets[0], values[0])
    return ast.Assign([store_tuple(targets)], tuple_of(values))


def store_tuple(targets: Sequence[str]) -> ast.Tuple:
    return ast.Tuple([ast.Name(target, ast.Store()) for target in targets], ast.Store())


def unpack(targets: Sequence[str], value: ast.expr) -> ast.stmt:
    return ast.Assign([store_tuple(targets)], value)


def entry(of: str, key: ast.expr) -> ast.Subscript:
    """What a dictionary has for a key."""
    return ast.Subscript(name(of), key, ast.Load())


def assign_item(of: str, at: int, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Subscript(name(of), const(at), ast.Store())], value)


def assign_attribute(of: str, called: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Attribute(name(of), called, ast.Store())], value)


def do(value: ast.expr) -> ast.stmt:
    return ast.Expr(value)


def when(test: ast.expr, body: list[ast.stmt], otherwise: list[ast.stmt] | None = None) -> ast.stmt:
    return ast.If(test, body, otherwise or [])


def loop(target: ast.expr, over: ast.expr, body: list[ast.stmt], otherwise: list[ast.stmt] | None = None) -> ast.stmt:
    return ast.For(target, over, body, otherwise or [], type_comment=None)


def stored(target: str) -> ast.Name:
    return ast.Name(target, ast.Store())


def compare(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> ast.expr:
    return ast.Compare(left, [operator], [right])


def is_none(value: ast.expr) -> ast.expr:
    return compare(value, ast.Is(), const(None))


def not_none(value: ast.expr) -> ast.expr:
    return compare(value, ast.IsNot(), const(None))


def both(tests: Sequence[ast.expr]) -> ast.expr:
    return const(True) if not tests else tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), list(tests))


def either(tests: Sequence[ast.expr]) -> ast.expr:
    return const(False) if not tests else tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), list(tests))


def negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def choose(test: ast.expr, yes: ast.expr, no: ast.expr) -> ast.expr:
    return ast.IfExp(test, yes, no)


def binary(left: ast.expr, operator: ast.operator, right: ast.expr) -> ast.expr:
    return ast.BinOp(left, operator, right)


def remainders(dividend: ast.expr, divisor: ast.expr) -> tuple[ast.expr, ast.expr]:
    """SQL's remainder by something positive, of a dividend that is not negative, and of one that is."""
    opposite = binary(ast.UnaryOp(ast.USub(), dividend), ast.Mod(), divisor)
    return binary(dividend, ast.Mod(), divisor), ast.UnaryOp(ast.USub(), opposite)


def completed(tree: ast.FunctionDef) -> ast.FunctionDef:
    """The tree with something to do in every block; blocks are filled after they are made."""
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.If | ast.While) and not node.body:
            node.body.append(ast.Pass())
    return tree


def function(called: str, parameters: Sequence[str], body: list[ast.stmt]) -> ast.FunctionDef:
    arguments = ast.arguments([], [ast.arg(parameter) for parameter in parameters], None, [], [], None, [])
    made = ast.FunctionDef(called, arguments, body or [ast.Pass()], [])
    made.type_params = []  # type: ignore[attr-defined,unused-ignore]
    return made
