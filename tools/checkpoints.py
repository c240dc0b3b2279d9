"""Store checkpoints of every kind of operator in the format of now, for later versions to resume from: before a release."""

from __future__ import annotations

from tests.upgrades.stored import FORMAT, HERE, write

PATH = HERE / f"format_{FORMAT}.tar.xz"

print(f"{PATH.name}: {write(PATH)} checkpoints, {PATH.stat().st_size // 1024} kB")
