"""The pages that are made of the code, and the places of all pages in the navigation."""

from __future__ import annotations

import re

import transom
from cookbook.running import RECIPES
from tools.site.fences import fenced
from tools.site.llms import llms_index
from tools.site.pages import MORE, SECTIONS, errors_page, python_page, section_of
from tools.site.papers import citations
from tools.site.recipes import SIDE_BY_SIDE, recipe, recipe_page


def test_every_public_name_is_in_the_reference_once() -> None:
    page = python_page()
    listed = re.findall(r"^::: transom\.(\w+)$|^### `(\w+)`$", page, re.MULTILINE)
    assert sorted(first or second for first, second in listed) == sorted(
        name for name in transom.__all__ if not name.startswith("_")
    )


def test_names_have_a_section_by_the_module_that_defines_them() -> None:
    assert {section_of(name) for name in ("stream", "Relation", "sliding", "max", "write")} <= set(SECTIONS)
    assert section_of("__version__") == MORE


def test_every_error_is_in_the_table_with_its_meaning() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", errors_page(), re.MULTILINE))
    assert rows["CheckpointMismatch"]
    assert "TransomError" not in rows


def test_doctests_are_shown_as_code() -> None:
    assert fenced(">>> 1 + 1\n2") == "```pycon\n>>> 1 + 1\n2\n```"
    assert fenced("No example.") == "No example."


def test_llms_txt_has_a_line_for_each_page() -> None:
    index = llms_index("Windows", {"a/b.md": "# Title\n\nSee [this](x.md) first. Then that.\n"})
    assert index.splitlines()[-1] == "- [Title](a/b.html): See this first."


def test_recipes_show_each_way_as_the_script_has_it() -> None:
    page = recipe_page(recipe("tumbling"))
    assert re.findall(r'^=== "(.+)"$', page, re.MULTILINE) == ["Spark", "Transom in Python", "Transom in SQL"]
    assert "    FROM orders [TUMBLE 10 MINUTES]" in page
    assert set(RECIPES) == set(SIDE_BY_SIDE)


def test_every_paper_has_modules_that_name_it() -> None:
    found = citations()
    assert all(len(rows) > 2 for rows in found.values())
    assert ("section 3", "transom.kernels.state.record_store") in {row[:2] for row in found["001"]}
