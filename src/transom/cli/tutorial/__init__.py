"""`transom tutorial`: a first project in a folder of its own."""

from transom.cli.tutorial.project import make_project

__all__ = ["make_project"]
