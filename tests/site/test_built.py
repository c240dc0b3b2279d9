"""The site as it is built: strict about links, and complete without a network."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REMOTE = re.compile(r'<(?:script|img|iframe)\b[^>]*\bsrc="(?:https?:)?//|<link\b[^>]*rel="stylesheet"[^>]*href="(?:https?:)?//')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for package in ("mkdocs", "material", "mkdocstrings"):
        pytest.importorskip(package, reason="make docs installs what builds the site")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_no_page_needs_a_network(site: Path) -> None:
    pages = {page: page.read_text(encoding="utf-8") for page in site.rglob("*.html")}
    assert len(pages) > 15
    assert [str(page) for page, text in pages.items() if REMOTE.search(text)] == []


def test_the_search_works_from_disk(site: Path) -> None:
    assert (site / "search" / "search_index.js").read_text(encoding="utf-8").startswith("var __index = {")
    assert "assets/iframe-worker.js" in (site / "index.html").read_text(encoding="utf-8")


def test_the_reference_is_made_of_docstrings(site: Path) -> None:
    page = (site / "python.html").read_text(encoding="utf-8")
    assert 'id="transom.sliding"' in page
    assert 'id="transom.Relation.to_df"' in page
    assert "&gt;&gt;&gt;" in page


def test_llms_txt_names_every_page(site: Path) -> None:
    index = (site / "llms.txt").read_text(encoding="utf-8")
    for page in site.rglob("*.html"):
        name = str(page.relative_to(site))
        assert name == "404.html" or f"({name})" in index
    assert len((site / "llms-full.txt").read_text(encoding="utf-8")) > 50_000


def test_every_page_of_the_repository_has_its_place_in_the_navigation(site: Path) -> None:
    """A page that `mkdocs.yml` does not name is on the site, under More; before a release each has its place."""
    home = (site / "index.html").read_text(encoding="utf-8")
    for path in (ROOT / "docs").rglob("*.md"):
        assert f'href="{path.relative_to(ROOT / "docs").with_suffix(".html")}"' in home
