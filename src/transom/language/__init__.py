"""Transom SQL: text in, plans out."""

from transom.language.catalog import Catalog
from transom.language.script import Script, bind_script

__all__ = ["Catalog", "Script", "bind_script"]
