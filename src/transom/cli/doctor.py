"""Whether this machine can run Transom, and what to do if not.

The Makefile runs this file by itself, with whatever Python there is, before anything is installed: it imports
nothing but the standard library.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys

MINIMUM_PYTHON = (3, 11)
MINIMUM_JAVA = 17
PACKAGES = {
    "pyspark": (4, 1),
    "pyarrow": (18,),
    "numpy": (2,),
    "pandas": (2, 2),
    "protobuf": (6,),
    "sqlglot": (30,),
    "PyYAML": (6,),
    "click": (8, 1),
}
"""What Transom runs on. Spark's stateful operators need pandas, PyArrow and protobuf, and do not say so before they run."""
INSTALL_JAVA = (
    "install one (Debian or Ubuntu: apt-get install openjdk-17-jre-headless; macOS: brew install openjdk@17), "
    "or set JAVA_HOME to one you have"
)


class Finding:
    """One thing looked at: what was found, and what to do if that will not do."""

    def __init__(self, what: str, found: str, remedy: str = "") -> None:
        self.what, self.found, self.remedy = what, found, remedy

    def __str__(self) -> str:
        return f"{self.what}: {self.found}; {self.remedy}" if self.remedy else f"{self.what}: {self.found}"


def check_python(version: tuple[int, ...] = sys.version_info[:3]) -> Finding:
    found = ".".join(map(str, version))
    if version[:2] < MINIMUM_PYTHON:
        return Finding("Python", found, "Transom needs Python 3.11 or newer: install one and run make PYTHON=python3.11")
    if importlib.util.find_spec("ensurepip") is None:
        return Finding("Python", f"{found} without venv", "install it (Debian or Ubuntu: apt-get install python3-venv)")
    return Finding("Python", found)


def java_command() -> str | None:
    """The java that Spark will start."""
    home = os.environ.get("JAVA_HOME")
    return shutil.which("java", path=os.path.join(home, "bin")) if home else shutil.which("java")


def java_version(banner: str) -> int | None:
    """The major version in what `java -version` prints: 17 for "17.0.15", 8 for "1.8.0_392"."""
    match = re.search(r'version "(\d+)(?:\.(\d+))?', banner)
    if match is None:
        return None
    major = int(match.group(1))
    return int(match.group(2) or 0) if major == 1 else major


def check_java() -> Finding:
    command = java_command()
    if command is None:
        where = f"none in JAVA_HOME={os.environ['JAVA_HOME']}" if os.environ.get("JAVA_HOME") else "none found"
        return Finding("Java", where, f"Spark needs Java 17 or newer: {INSTALL_JAVA}")
    banner = subprocess.run([command, "-version"], capture_output=True, text=True, check=False).stderr
    version = java_version(banner)
    if version is None:
        return Finding("Java", f"{command} does not tell its version", f"Spark needs Java 17 or newer: {INSTALL_JAVA}")
    if version < MINIMUM_JAVA:
        return Finding("Java", f"{version} is too old", f"Spark needs Java 17 or newer: {INSTALL_JAVA}")
    return Finding("Java", str(version))


def check_package(name: str, minimum: tuple[int, ...]) -> Finding:
    remedy = f"run make setup, or pip install '{name}>={'.'.join(map(str, minimum))}'"
    try:
        found = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, "not installed", remedy)
    parts = tuple(int(part) for part in re.findall(r"\d+", found)[: len(minimum)])
    return Finding(name, found, "" if parts >= minimum else remedy)


def machine() -> list[Finding]:
    """What must be there before anything is installed."""
    return [check_python(), check_java()]


def everything() -> list[Finding]:
    """The machine, and the packages Transom runs on."""
    return machine() + [check_package(name, minimum) for name, minimum in PACKAGES.items()]


def main() -> int:
    """For the Makefile: silence, or one line for each problem."""
    problems = [finding for finding in machine() if finding.remedy]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
