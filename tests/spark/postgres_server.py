"""A PostgreSQL server of our own on this machine, for as long as a test needs it: loopback, a folder that goes with it."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


def _program(name: str) -> str | None:
    """A program of PostgreSQL, which Debian keeps out of PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    return shutil.which(name) or (str(found[0]) if found else None)


def _owner() -> str | None:
    """PostgreSQL does not run as root; its own user may."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    pytest.skip("PostgreSQL does not run as root, and there is no other user")


@contextmanager
def postgres_server() -> Iterator[str]:
    """A running server; gives its address."""
    initdb, pg_ctl = _program("initdb"), _program("pg_ctl")
    if initdb is None or pg_ctl is None:
        pytest.skip("PostgreSQL is not installed: initdb and pg_ctl are needed (Debian or Ubuntu: apt-get install postgresql)")
    owner = _owner()
    with socket.create_server(("127.0.0.1", 0)) as one:
        port = one.getsockname()[1]
    folder = Path(tempfile.mkdtemp(prefix="transom-postgres-"))
    try:
        if owner is not None:
            shutil.chown(folder, owner)
        data = folder / "data"
        _run([initdb, "-D", data, "-U", "transom", "-A", "trust", "--no-sync", "-E", "UTF8"], folder, owner)
        options = f"-p {port} -h 127.0.0.1 -k {folder} -c fsync=off"
        _run([pg_ctl, "-D", data, "-w", "-t", "60", "-l", folder / "log", "-o", options, "start"], folder, owner)
        try:
            yield f"postgresql://transom@127.0.0.1:{port}/postgres"
        finally:
            _run([pg_ctl, "-D", data, "-m", "immediate", "-w", "stop"], folder, owner)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: list[str | Path], folder: Path, owner: str | None) -> None:
    done = subprocess.run(
        command, cwd=folder, user=owner, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=120, check=False
    )
    if done.returncode != 0:
        pytest.skip(f"PostgreSQL does not start: {done.stderr.decode(errors='replace')[-300:]}")
