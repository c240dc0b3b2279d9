"""The layout shows the way of the data, and imports go one way."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from transom import column_names, errors
from transom.column_names import BESIDE, FRONTIER, INPUT_NAME

PACKAGE = Path(errors.__file__).parent
ROOT = Path(__file__).parents[1]

LAYERS = {
    "errors": set(),
    "calls": {"errors"},
    "version": set(),
    "semantics": {"errors"},
    "uda": {"errors", "semantics"},
    "disorder": {"errors", "semantics", "kernels"},
    "plan": {"windowing", "errors", "semantics", "uda", "disorder"},
    "language": {"windowing", "errors", "semantics", "scalar", "uda", "plan", "disorder"},
    "quality": {"errors", "semantics", "disorder"},
    "windowing": {"errors", "semantics"},
    "rules": {"windowing", "errors", "semantics", "plan"},
    "kernels": {"windowing", "errors", "semantics", "uda", "disorder"},
    "scalar": {"errors", "semantics"},
    "planner": {"windowing", "errors", "semantics", "uda", "plan", "rules", "kernels", "scalar", "disorder"},
    "spark": {"windowing", "errors", "semantics", "uda", "plan", "kernels", "planner", "quality"},
    "fluent": {"windowing", "calls", "errors", "semantics", "uda", "plan", "language", "explain", "spark", "disorder"},
    "reference": {"windowing", "errors", "semantics", "uda", "plan", "scalar", "disorder"},
    "testing": {"windowing", "calls", "errors", "semantics", "plan", "language", "fluent", "reference", "scalar", "disorder"},
    "explain": {"windowing", "errors", "semantics", "uda", "plan", "rules", "planner"},
    "library": set(),
    "monitor": {"errors", "version", "semantics", "plan", "language", "explain", "planner", "quality", "spark"},
    "cli": {"errors", "version", "semantics", "plan", "language", "explain", "spark", "quality", "planner", "monitor"},
}
"""What each part of the package may import, besides itself, the names that `transom` itself exports, and those of columns."""

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE)


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def imports_from(path: Path) -> list[tuple[ast.ImportFrom, ast.alias]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [(node, alias) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names]


def layer(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0]


def test_every_folder_has_its_place() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders | {"calls", "errors", "version"} == set(LAYERS)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    parts = {name.split(".")[1] for name in imported(path) if name.startswith("transom.")}
    assert parts - {layer(path), "column_names"} <= LAYERS[layer(path)]


MOST_FILES = 16
"""How many files and folders a folder holds at most; more means that a wall is missing."""

MOST_LINES = 400

FOLDERS = sorted({path.parent for path in PACKAGE.rglob("*.py")} - {PACKAGE})


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_folder_is_small(folder: Path) -> None:
    held = [path for path in folder.iterdir() if path.name not in ("__init__.py", "__pycache__")]
    assert len(held) <= MOST_FILES


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_file_is_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


SAME = {
    "as_of": "the as-of join of relations: as an operator, and as its definition",
    "as_of_join": "the as-of join: its node in a plan, and how SQL spells it",
    "changes": "relations as what enters and leaves: the node, and the arrays",
    "in_step": "several inputs, in step: the node, and the operator",
    "inputs": "the inputs of a relational operator: as planned, and as run",
    "join_in_step": "the join in step: its node, and its operator",
    "kafka": "Kafka: as a source, and as a sink",
    "lengths": "lengths as users write them: in Python, and in SQL",
    "over": "OVER frames: how SQL spells them, and their definition",
    "registry": "which operator runs a record: of windows, and of relations",
    "row_window": "windows of rows: their definition, and their operator",
    "stream": "a stream: as it is defined, and as the reference reads it",
    "substreams": "substreams: their definition, and on arrays",
    "table": "Spark tables: as a source, and as a sink",
    "tables": "CREATE TABLE and CREATE VIEW: bound, and run",
    "window_join": "the join of relations: its node, and how SQL spells it",
    "within_instant": "LIMIT and ranks within an instant: the node, and how SQL spells it",
}
"""File names that occur twice, and the one thing that both are about."""


def test_a_file_name_occurs_once_or_means_the_same_everywhere() -> None:
    places = Counter(path.stem for path in MODULES if path.stem != "__init__")
    assert {name for name, count in places.items() if count > 1} <= set(SAME)
    assert max(places.values()) <= 2


IN_LIBRARIES = {
    "Aggregate": "GROUP BY of a query, and the operator of the windowing library that does the same",
    "Count": "policies and measures of the windowing library",
    "Cut": "the extents of a query, and where a micro-batch of the scripted source ends",
    "Join": "the join of a query, and the operator of the windowing library that does the same",
    "Node": "nodes of a query, and of a graph of operators in the windowing library",
}
"""Class names that occur twice: users import one of a library, and the other is in fingerprints."""


def test_a_class_name_occurs_once() -> None:
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py"))
    found = Counter(node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    assert {name for name, count in found.items() if count > 1} == set(IN_LIBRARIES)
    assert max(found.values()) == 2


def part(path: Path) -> str:
    """What a file belongs to: its folder, or the file itself if its folder has folders of its own."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    shared = any(one.is_dir() and one.name != "__pycache__" for one in path.parent.iterdir())
    return ".".join(parts if shared else parts[:-1])


def imported_files(path: Path) -> set[Path]:
    """The files that a file imports when it is loaded, or later; what only annotations need does not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in list(ast.walk(tree)):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("transom."):
            place = PACKAGE.joinpath(*node.module.split(".")[1:])
            for name in [place / alias.name for alias in node.names] if place.is_dir() else [place]:
                found.add(name.with_suffix(".py") if name.with_suffix(".py").exists() else place / "__init__.py")
    return {one for one in found if one.exists()}


MUTUAL = {"fluent"}
"""Where parts import each other: each verb of a relation gives a relation."""


def test_parts_of_a_room_do_not_import_each_other_in_a_circle() -> None:
    graph: dict[str, set[str]] = {}
    for path in MODULES:
        if layer(path) not in MUTUAL:
            graph.setdefault(part(path), set()).update(map(part, imported_files(path)))
    for name, others in graph.items():
        others.discard(name)
    order = TopologicalSorter(graph)
    order.prepare()  # names a circle, if there is one


ARRAYS = {f"transom.kernels.columns.{name}" for name in ("arrays", "axis", "nested", "number_packing", "sequence")}
"""What disorder control may use of the kernels, which import it."""


@pytest.mark.parametrize("path", sorted((PACKAGE / "disorder").rglob("*.py")), ids=lambda path: path.name)
def test_disorder_control_uses_arrays_and_nothing_else_of_the_kernels(path: Path) -> None:
    assert {name for name in imported(path) if name.startswith("transom.kernels")} <= ARRAYS


@pytest.mark.parametrize("module", sorted(ARRAYS))
def test_those_arrays_use_nothing_else_of_the_kernels_either(module: str) -> None:
    path = PACKAGE.joinpath(*module.split(".")[1:]).with_suffix(".py")
    assert {name for name in imported(path) if name.startswith("transom.")} <= ARRAYS | {
        "transom.column_names",
        "transom.errors",
        "transom.semantics.length",
    }


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_spark_layer_imports_spark(path: Path) -> None:
    assert layer(path) == "spark" or not [name for name in imported(path) if name.split(".")[0] == "pyspark"]


ONE_PLANNER = {"stages_of", "optimize", "strategy_of", "RULES"}
"""What decides how a query runs: the planner alone calls it, and others take the plan that it has made."""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_one_planner_decides_how_a_query_runs(path: Path) -> None:
    names = {
        alias.name
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("transom.")
        for alias in node.names
    }
    assert layer(path) in ("planner", "rules") or not names & ONE_PLANNER


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_types_are_taken_apart_in_one_place(path: Path) -> None:
    found = re.findall(r"""\.(?:split|partition)\(["'][(<]["']\)""", path.read_text(encoding="utf-8"))
    allowed = ("builtin", "columns")  # the name of a function; a check of text before it is parsed
    assert not found or path.stem in allowed, "ask SqlType"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_names_are_quoted_in_one_place(path: Path) -> None:
    assert path.stem == "quoted" or 'replace("`", "``")' not in path.read_text(encoding="utf-8")


NAMES = {value for name, value in vars(column_names).items() if name.isupper() and isinstance(value, str)}
ELSEWHERE = {INPUT_NAME, FRONTIER}
"""Words that are more than the names of columns: the frontier is also a figure that queries report."""


def literals(path: Path) -> list[str]:
    """The texts in a file, parts of f-strings among them, without docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in documents)
    return [node.value for node in texts if isinstance(node.value, str)]


def spelled(text: str) -> bool:
    """Whether a text has the name of a column in it, or is how one begins."""
    beside = {f"{word}:" if f"{word}:" in NAMES else word for word in re.findall(rf"(?<!\w){BESIDE}[a-z]+(?![a-z_])", text)}
    return bool(beside & NAMES) or text in NAMES - ELSEWHERE or text == BESIDE


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_columns_that_cross_between_stages_are_named_in_one_place(path: Path) -> None:
    assert [text for text in literals(path) if spelled(text)] == [], "use transom.column_names"


def test_this_check_can_fail(tmp_path: Path) -> None:
    written = tmp_path / "some.py"
    for text in ('"__keep"', 'f"__y{n}"', '"__end BOOLEAN"', 'f"k:{name}"', '"`__k0:x`"', '"wid"', 'name.startswith("__")'):
        written.write_text(f"made = {text}\n")
        assert [spelled(text) for text in literals(written)] in ([True], [True, False], [False, True]), text
    written.write_text('"""`__keep`."""\nmade = "__main__", "frontier of", "k", "__keeper"\n')
    assert not any(map(spelled, literals(written)))


def test_the_list_of_what_a_window_type_needs_is_complete() -> None:
    """Of a type that is like any other: each file that names it is in ARCHITECTURE, or in a folder that is."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    told = set(re.findall(r"`([\w/.]+)`", text[text.index("### To add a window type") : text.index("### To add an operator")]))
    naming = {path for path in MODULES if re.search(r"\bBand\b", path.read_text(encoding="utf-8"))}
    assert len(naming) > 8
    for path in naming:
        place = path.relative_to(PACKAGE)
        assert {place.as_posix(), place.parent.as_posix()} & told, f"{place} is not in the list"


STARTS = {"__main__", "doctor"}
"""Modules that are run, and not imported."""

DOCUMENTED = "".join(
    page.read_text(encoding="utf-8") for page in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")] if page.exists()
)


def test_src_holds_nothing_that_only_tests_and_benchmarks_import() -> None:
    used = {name for path in PACKAGE.rglob("*.py") for name in imported(path)}
    used |= {f"{node.module}.{alias.name}" for path in PACKAGE.rglob("*.py") for node, alias in imports_from(path)}
    alone = [
        ".".join(("transom", *path.relative_to(PACKAGE).with_suffix("").parts)) for path in MODULES if path.stem != "__init__"
    ]
    assert [name for name in alone if name not in used and name not in DOCUMENTED and name.split(".")[-1] not in STARTS] == []


def test_every_function_and_class_is_used_or_documented() -> None:
    count = Counter(word for path in PACKAGE.rglob("*.py") for word in re.findall(r"\w+", path.read_text(encoding="utf-8")))
    unused = [
        f"{path.relative_to(PACKAGE)}: {node.name}"
        for path in MODULES
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and count[node.name] == 1 and not node.decorator_list
        if not re.search(rf"\b{node.name}\b", DOCUMENTED)
    ]
    assert unused == []


def assigned(tree: ast.Module) -> list[str]:
    """The constants of a file."""
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    targets += [node.target for node in tree.body if isinstance(node, ast.AnnAssign)]
    names = [name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)]
    return [name for name in names if not name.startswith("__")]


def test_every_constant_is_used_or_documented() -> None:
    """Looked up file by file: constants of several files may have one name."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")}
    elsewhere = {(node.module, alias.name) for path in trees for node, alias in imports_from(path)}
    elsewhere |= {(None, node.attr) for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    unused = []
    for path, tree in trees.items():
        module = ".".join(("transom", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
        here = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        here |= set(
            re.findall(r'"(\w+)"', (re.findall(r"__all__ = \[(.*?)\]", path.read_text(encoding="utf-8"), re.S) or [""])[0])
        )
        unused += [
            f"{module}: {name}" for name in assigned(tree) if name not in here and not {(module, name), (None, name)} & elsewhere
        ]
    assert unused == []


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
