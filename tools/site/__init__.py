"""Builds the documentation site; `mkdocs.yml` names `hooks.py` and `doctests.py`."""
