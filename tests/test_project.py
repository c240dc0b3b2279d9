"""The project as a newcomer meets it: commands, documents, and nothing that ties it to one machine."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from transom.cli import doctor, main

ROOT = Path(__file__).parents[1]


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, list(arguments))
    return result.exit_code, result.output


def test_make_lists_every_target() -> None:
    listed = subprocess.run(["make", "-s"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    targets = re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert {"setup", "demo", "test", "check", "bench"} <= set(targets)
    assert all(f"make {target} " in listed for target in targets)


def test_every_command_is_documented() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8") + (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for command in main.commands:
        assert f"transom {command}" in readme


def test_the_doctor_finds_this_machine_well() -> None:
    code, output = run("doctor")
    assert code == 0, output
    assert output.count("ok  ") == len(doctor.everything())


@pytest.mark.parametrize(
    ("banner", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('java version "1.8.0_392"', 8),
        ('openjdk version "21" 2023', 21),
        ("?", None),
    ],
)
def test_java_versions_are_read(banner: str, version: int | None) -> None:
    assert doctor.java_version(banner) == version


def fake_java(folder: Path, version: str) -> Path:
    java = folder / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n", encoding="utf-8")
    java.chmod(0o755)
    return folder


def machine(java_home: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "JAVA_HOME": str(java_home)}
    return subprocess.run([sys.executable, str(doctor.__file__)], env=environment, capture_output=True, text=True, check=False)


def test_a_missing_java_is_told_in_one_line_with_what_to_install(tmp_path: Path) -> None:
    found = machine(tmp_path)
    assert found.returncode == 1
    assert len(found.stderr.splitlines()) == 1
    assert "Java" in found.stderr
    assert "install" in found.stderr


def test_a_java_that_is_too_old_is_told_in_one_line(tmp_path: Path) -> None:
    found = machine(fake_java(tmp_path, "11.0.2"))
    assert found.returncode == 1
    assert len(found.stderr.splitlines()) == 1
    assert "11 is too old" in found.stderr
    assert machine(fake_java(tmp_path / "new", "17.0.1")).returncode == 0


def test_an_old_python_is_told_what_to_do() -> None:
    assert "Python 3.11 or newer" in doctor.check_python((3, 9, 1)).remedy
    assert not doctor.check_python().remedy


def test_a_package_that_is_missing_or_too_old_is_told() -> None:
    assert doctor.check_package("no-such-package", (1,)).remedy
    assert doctor.check_package("click", (99,)).remedy


def test_dependencies_are_pinned_by_name_and_version_alone() -> None:
    for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines():
        assert re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9_.]+", line), line


@pytest.mark.xdist_group("apart")
def test_workers_keep_groups_of_tests_together(request: pytest.FixtureRequest) -> None:
    """Otherwise every worker starts a Spark session of its own, and `make test` takes half as long again."""
    if not getattr(request.config.option, "loadgroup", False):
        pytest.skip("only where pytest-xdist spreads tests by group, as make test does")
    assert request.node.nodeid.endswith("@apart")
