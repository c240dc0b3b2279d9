"""Reading transcripts: YAML with SQL's values.

Unquoted numbers with a point are decimals, so that no digit is lost before the column's type is known; unquoted
dates, timestamps and times of day are timestamps; everything else is text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from typing import Any

import yaml

from transom.errors import BadTranscript
from transom.semantics.time import parse_timestamp


class _Loader(yaml.SafeLoader):
    """Refuses a key that stands twice in one mapping, of which YAML would keep the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = [key for key in keys if keys.count(key) > 1]
        if twice:
            raise yaml.YAMLError(f"the key {twice[0]!r} stands twice, {str(node.start_mark).strip()}")
        return super().construct_mapping(node, deep)


_Loader.yaml_implicit_resolvers = {}


def _resolve(tag: str, pattern: str, construct: Callable[[str], Any]) -> None:
    def constructor(loader: _Loader, node: yaml.ScalarNode) -> Any:
        return construct(str(loader.construct_scalar(node)))

    _Loader.add_implicit_resolver(tag, re.compile(pattern), None)
    _Loader.add_constructor(tag, constructor)


_resolve("!null", r"^(?:~|null|NULL|)$", lambda _: None)
_resolve("!boolean", r"^(?:true|false)$", lambda text: text == "true")
_resolve("!integer", r"^[-+]?[0-9]+$", int)
_resolve("!decimal", r"^[-+]?[0-9]+\.[0-9]+(?:[eE][-+]?[0-9]+)?$", Decimal)
_resolve("!double", r"^(?:NaN|-?Infinity|[-+]?[0-9]+[eE][-+]?[0-9]+)$", float)
_resolve("!date", r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", date.fromisoformat)
_resolve(
    "!timestamp",
    r"^(?:[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?|[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.]+(?:Z|[-+][0-9:]+)?)$",
    parse_timestamp,
)


def read_yaml(text: str, name: str) -> Any:
    """The document."""
    try:
        return yaml.load(text, _Loader)
    except (yaml.YAMLError, ValueError, ArithmeticError) as error:
        raise BadTranscript(f"{name} is not readable YAML", given=" ".join(str(error).split()), remedy="mend the file") from None
