"""The layout shows the way of the data, and imports go one way."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from transom import errors

PACKAGE = Path(errors.__file__).parent

LAYERS = {
    "errors": set(),
    "version": set(),
    "semantics": {"errors"},
    "uda": {"errors", "semantics"},
    "disorder": {"errors", "semantics", "kernels"},
    "plan": {"windowing", "errors", "semantics", "uda", "disorder"},
    "language": {"windowing", "errors", "semantics", "uda", "plan", "disorder"},
    "quality": {"errors", "semantics", "disorder"},
    "windowing": {"errors", "semantics"},
    "rules": {"errors", "semantics", "plan"},
    "kernels": {"windowing", "errors", "semantics", "uda", "disorder"},
    "planner": {"windowing", "errors", "semantics", "uda", "plan", "rules", "kernels", "reference", "disorder"},
    "spark": {"windowing", "errors", "semantics", "uda", "plan", "kernels", "planner", "quality"},
    "fluent": {"windowing", "errors", "semantics", "uda", "plan", "language", "explain", "spark", "disorder"},
    "reference": {"errors", "semantics", "uda", "plan", "disorder"},
    "testing": {
        "windowing",
        "errors",
        "rules",
        "semantics",
        "plan",
        "language",
        "fluent",
        "reference",
        "kernels",
        "planner",
        "disorder",
    },
    "explain": {"windowing", "errors", "semantics", "uda", "plan", "rules", "planner"},
    "library": set(),
    "cli": {"errors", "version", "semantics", "plan", "language", "rules", "explain", "reference", "testing", "spark"}
    | {"quality", "planner"},
}
"""What each part of the package may import, besides itself and the names that `transom` itself exports."""

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE)


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def layer(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0]


def test_every_folder_has_its_place() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders | {"errors", "version"} == set(LAYERS)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    parts = {name.split(".")[1] for name in imported(path) if name.startswith("transom.")}
    assert parts - {layer(path)} <= LAYERS[layer(path)]


ARRAYS = {f"transom.kernels.columns.{name}" for name in ("arrays", "axis", "number_packing", "sequence")}
"""What disorder control may use of the kernels, which import it."""


@pytest.mark.parametrize("path", sorted((PACKAGE / "disorder").rglob("*.py")), ids=lambda path: path.name)
def test_disorder_control_uses_arrays_and_nothing_else_of_the_kernels(path: Path) -> None:
    assert {name for name in imported(path) if name.startswith("transom.kernels")} <= ARRAYS


@pytest.mark.parametrize("module", sorted(ARRAYS))
def test_those_arrays_use_nothing_else_of_the_kernels_either(module: str) -> None:
    path = PACKAGE.joinpath(*module.split(".")[1:]).with_suffix(".py")
    assert {name for name in imported(path) if name.startswith("transom.")} <= ARRAYS | {
        "transom.errors",
        "transom.semantics.length",
    }


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_spark_layer_imports_spark(path: Path) -> None:
    assert layer(path) == "spark" or not [name for name in imported(path) if name.split(".")[0] == "pyspark"]


def test_definitions_load_without_spark() -> None:
    code = "import sys, transom, transom.testing; print('pyspark' in sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == ["False"]


def test_every_error_is_raised_somewhere_and_says_what_it_means() -> None:
    source = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py") if path.name != "errors.py")
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.TransomError)]
    for kind in kinds:
        assert kind.__doc__
        assert kind.__subclasses__() or kind.__name__ in source, f"{kind.__name__} is never raised"
