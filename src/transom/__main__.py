"""`python -m transom`."""

from transom.cli import main

main(prog_name="transom")
