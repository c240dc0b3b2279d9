"""What mkdocs calls while it builds: pages made of code, pages from beside `docs`, a complete navigation, and llms.txt."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:  # mkdocs runs from the folder of mkdocs.yml without having it on the path
    sys.path.insert(0, str(ROOT))

from tools.site.llms import llms_full, llms_index  # noqa: E402
from tools.site.pages import errors_page, python_page  # noqa: E402
from tools.site.papers import papers_page  # noqa: E402
from tools.site.recipes import cookbook_pages  # noqa: E402

BESIDE = ("ARCHITECTURE.md", "BENCHMARKS.md", "EXPERIMENTS.md", "CHANGELOG.md")
"""Pages in the root of the repository that are on the site as well."""
PICTURES = ("benchmarks/results/*.svg", "experiments/results/*.svg")
LINK_UP = re.compile(r"\]\(\.\./(?=[A-Z]+\.md)")
LINK_DOWN = re.compile(r"\]\(docs/")
READ: dict[str, str] = {}
"""The text of each page in the order of the build, for llms.txt."""


def listed(nav: Any) -> set[str]:
    """The pages that a navigation names."""
    if isinstance(nav, str):
        return {nav}
    values = nav.values() if isinstance(nav, dict) else nav or ()
    return {page for value in values for page in listed(value)}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Folders with pages of one kind fill their section; a page that is nowhere in the navigation comes at its end."""
    docs = Path(config.docs_dir)
    assert config.nav is not None
    filled = {
        "How to": sorted(str(path.relative_to(docs)) for path in docs.glob("how_to/*.md")),
        "Cookbook": list(cookbook_pages()),
    }
    for entry in config.nav:
        for title, pages in filled.items():
            if isinstance(entry, dict) and title in entry:
                entry[title] = pages
    config.nav = [entry for entry in config.nav if not (isinstance(entry, dict) and [] in entry.values())]
    everywhere = {str(path.relative_to(docs)) for path in docs.rglob("*.md")}
    forgotten = sorted(everywhere - listed(config.nav))
    if forgotten:
        config.nav.append({"More": forgotten})
    READ.clear()
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds what is not in `docs`."""
    made = {"python.md": python_page(), "errors.md": errors_page(), "papers.md": papers_page()}
    made |= cookbook_pages()
    made |= {name: (ROOT / name).read_text(encoding="utf-8") for name in BESIDE}
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    for pattern in PICTURES:
        for path in sorted(ROOT.glob(pattern)):
            files.append(File.generated(config, str(path.relative_to(ROOT)), abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links that are right in the repository become links that are right on the site."""
    text = LINK_UP.sub("](", LINK_DOWN.sub("](", markdown))
    READ[page.file.src_uri] = text
    return text


def on_post_build(config: MkDocsConfig) -> None:
    site = Path(config.site_dir)
    (site / "llms.txt").write_text(llms_index(config.site_description or "", READ), encoding="utf-8")
    (site / "llms-full.txt").write_text(llms_full(READ), encoding="utf-8")
