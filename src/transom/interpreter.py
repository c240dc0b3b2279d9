"""Which Python the workers of a Spark Connect server run, where the program itself starts it: `remote("local[*]")`.

Such a server runs the `python3` that it finds, and that cannot be changed once it has started. So importing Transom does what
activating a virtual environment does: it puts the folder of the interpreter first in the PATH of this process. Workers on other
machines do not see it, and no setting of Spark is touched.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

NAME = "python3"


def find_own_python(executable: str = sys.executable) -> None:
    """Let `python3` be this interpreter in what the process starts, unless PYSPARK_PYTHON names another."""
    own = Path(executable).parent if executable else None
    if own is None or "PYSPARK_PYTHON" in os.environ or not (own / NAME).exists():
        return
    found = shutil.which(NAME)
    if found is None or Path(found).parent != own:
        os.environ["PATH"] = os.pathsep.join([str(own), os.environ.get("PATH", os.defpath)])
