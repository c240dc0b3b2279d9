"""A PostgreSQL server of our own on this machine, for as long as a test needs it."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.spark.kafka_broker import _free_ports


def _user() -> str | None:
    """PostgreSQL refuses to run as root; then as the user that its package made."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")


@contextmanager
def postgres_server() -> Iterator[str]:
    """The address of a running server on the loopback."""
    if shutil.which("initdb") is None or shutil.which("pg_ctl") is None:
        pytest.skip("PostgreSQL is not installed: it needs initdb and pg_ctl")
    user = _user()
    with tempfile.TemporaryDirectory(prefix="transom-postgres-") as folder:
        if user is not None:
            shutil.chown(folder, user)
        data, (port,) = Path(folder) / "data", _free_ports(1)
        subprocess.run(
            ["initdb", "-D", data, "-A", "trust", "-U", "tests"], user=user, cwd=folder, check=True, capture_output=True
        )
        options = f"-h 127.0.0.1 -p {port} -k {folder}"
        start = ["pg_ctl", "-D", data, "-l", f"{folder}/log", "-o", options, "-w", "start"]
        subprocess.run(start, user=user, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            yield f"host=127.0.0.1 port={port} user=tests dbname=postgres"
        finally:
            subprocess.run(
                ["pg_ctl", "-D", data, "-m", "immediate", "stop"], user=user, cwd=folder, check=False, capture_output=True
            )
