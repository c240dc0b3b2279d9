"""Transom SQL: text in, plans out."""

from transom.language.script import Script, bind_script

__all__ = ["Script", "bind_script"]
