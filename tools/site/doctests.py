"""Shows the doctests of docstrings as code, for mkdocstrings."""

from __future__ import annotations

from typing import Any

import griffe

from tools.site.fences import fenced


class Doctests(griffe.Extension):
    """Called for every object that mkdocstrings reads."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)
