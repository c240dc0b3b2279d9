"""Write the golden outputs of EXPLAIN anew: look at the difference before you keep it."""

from __future__ import annotations

from pathlib import Path

from transom.explain import explain
from transom.language import bind_script

GOLDEN = Path(__file__).parents[1] / "tests" / "explain" / "golden"

for path in sorted(GOLDEN.glob("*.sql")):
    plans = [plan for _, plan in bind_script(path.read_text(encoding="utf-8")).statements if plan is not None]
    path.with_suffix(".txt").write_text("\n\n".join(map(explain, plans)) + "\n", encoding="utf-8")
