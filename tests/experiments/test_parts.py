"""Each experiment at a tiny size: it runs, and what must hold whatever the figures holds."""

from __future__ import annotations

import json
import math
import re
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.chart import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, line_chart
from experiments.__main__ import main
from experiments.ablations import MECHANISMS, Ablation, scaled
from experiments.delays import CHANGING, STEADY, delayed, heaps
from experiments.foretold import foretold
from experiments.outcome import Outcome
from experiments.parts import PARTS
from experiments.publish import PAGE, begin, end, fill, markdown, save
from experiments.real import LOG
from experiments.size import TINY
from transom.disorder import DropRatio
from transom.disorder.controllers import controller_of
from transom.kernels.columns.axis import Axis


@cache
def outcome(name: str) -> Outcome:
    return PARTS[name](TINY)


def column(name: str, title: str, table: int = 0) -> list[float]:
    found = outcome(name).tables[table]
    return [row[list(found.head).index(title)] for row in found.rows]


def by_policy(name: str) -> dict[str, list[float]]:
    """Latency, mean error, wrong windows and late tuples."""
    return {row[0]: row[1:] for row in outcome(name).tables[0].rows}


@pytest.mark.parametrize("name", PARTS)
def test_every_experiment_gives_tables_and_can_be_written_down(name: str, tmp_path: Path) -> None:
    made = outcome(name)
    assert made.tables
    for table in made.tables:
        assert all(len(row) == len(table.head) for row in table.rows)
        assert not any(isinstance(value, float) and math.isnan(value) for row in table.rows for value in row)
    save(tmp_path, name, made, "now")
    assert json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8"))["title"] == made.title
    assert all((tmp_path / f"{curve.name}.svg").read_text(encoding="utf-8").count("<polyline") >= 1 for curve in made.curves)
    assert made.tables[0].title in markdown(made, "now")


@pytest.mark.parametrize("name", PARTS)
def test_every_point_lies_inside_its_picture(name: str) -> None:
    for curve in outcome(name).curves:
        drawn = line_chart(curve.title, curve.x, curve.y, curve.lines, log_x=curve.log_x, log_y=curve.log_y)
        places = [(float(x), float(y)) for x, y in re.findall(r'cx="([-0-9.]+)" cy="([-0-9.]+)" r="3.5"', drawn)]
        assert places
        assert all(LEFT <= x <= WIDTH - RIGHT and TOP <= y <= HEIGHT - BOTTOM for x, y in places), curve.name


@pytest.mark.parametrize("table", [0, 1])
def test_the_contract_is_kept(table: int) -> None:
    for most, target in zip(column("contract", "most %", table), column("contract", "target %", table), strict=True):
        assert most <= target


def test_the_buffer_is_never_larger_than_its_limit() -> None:
    limits, most = (column("contract", title, -1) for title in ("BFSIZE", "most that wait"))
    assert all(waits <= limit for limit, waits in zip(limits, most, strict=True))
    assert most[0] == limits[0]


def test_heartbeat_resembles_the_paper_and_both_controllers_keep_the_ratio() -> None:
    rows = {row[0]: row[1:] for row in outcome("accuracy").tables[0].rows}
    assert rows["HEARTBEAT"][0] == pytest.approx(65.3, rel=0.1)
    assert rows["HEARTBEAT"][2] == pytest.approx(1.10, abs=0.3)
    assert rows["HEARTBEAT AVERAGE"][2] > rows["HEARTBEAT"][2]
    assert rows["DRATIO 1% NORMAL"][3] <= 1
    assert rows["DRATIO 1%"][3] <= 1


def test_early_disorder_stays_with_heartbeat_and_not_with_normal() -> None:
    lines = outcome("stability").curves[0].lines
    grown = {name: points[-1][1] - points[0][1] for name, points in lines.items()}
    assert grown["HEARTBEAT"] > 100
    assert grown["DRATIO 1% NORMAL"] < grown["HEARTBEAT"] / 3


def test_buffering_grows_with_the_overlap() -> None:
    first, *_, last = column("execution_time", "buffering, one by one")
    assert last > 2 * first


@pytest.mark.parametrize("name", ["bounded_disorder", "block_sorted"])
def test_punctuation_from_the_source_is_never_wrong(name: str) -> None:
    _, error, wrong, late = by_policy(name)["external punctuation"]
    assert (error, wrong, late) == (0, 0, 0)


def test_more_slack_is_later_and_less_wrong_and_generous_is_better() -> None:
    found = by_policy("bounded_disorder")
    none, much = found["consistent slack 0 s"], found["consistent slack 30 s"]
    assert none[0] < much[0]
    assert none[1] > much[1]
    assert found["generous slack 0 s"][1] < none[1]
    assert found["generous slack 0 s"][0] == none[0]


def test_in_blocks_slack_as_long_as_a_block_is_right_and_late() -> None:
    found = by_policy("block_sorted")
    assert found["consistent slack 0 s"][2] == 100
    assert found["consistent slack 120 s"][2] == 0
    assert found["consistent slack 120 s"][0] > found["external punctuation"][0] + 60


def test_a_log_that_is_not_there_is_skipped_and_said_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(LOG, str(tmp_path / "none"))
    assert any("dns.log" in note for note in PARTS["real_disorder"](TINY).notes)


def test_a_log_is_read_in_the_order_of_its_lines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import gzip

    path = tmp_path / "dns.log.gz"
    with gzip.open(path, "wt", encoding="utf-8") as log:
        log.write("#fields\tts\tuid\n")
        log.writelines(f"{1521911720 + n - 5 * (n % 7 == 0)}.25\tC{n}\n" for n in range(3_000))
    monkeypatch.setenv(LOG, str(path))
    made = PARTS["real_disorder"](TINY)
    rows = [row for row in made.tables[0].rows if row[0] == "dns.log (3,000)"]
    assert [row[1] for row in rows] == pytest.approx([0.1, 1, 5])
    assert [row[-1] for row in rows] == pytest.approx([4, 4, 4])  # the slack that hindsight asks for is the lateness of the lines


def test_only_disorder_that_changes_foretells_itself() -> None:
    steady = foretold(delayed(STEADY["exponential"], 50_000, 0), 1_024, 0.01)
    changing = foretold(delayed(CHANGING["up and down"], 50_000, 0), 1_024, 0.01)
    assert steady.stretches == changing.stretches == 47
    assert steady.chance > 0.05
    assert changing.correlation > 0.8
    assert changing.chance < 0.01


def test_every_ablation_changes_what_it_names_and_takes_it_back() -> None:
    stream, ratio = heaps(30_000, 0).tau // 1_000, DropRatio(0.05)
    before = controller_of(ratio, Axis()).run(stream)
    changed = set()
    for ablation in [*MECHANISMS, *scaled()]:
        with ablation.applied():
            changed |= {ablation.name} if (controller_of(ratio, Axis()).run(stream) != before).any() else set()
        assert (controller_of(ratio, Axis()).run(stream) == before).all(), ablation.name
    assert {"learning: off", "insurance: off (AT_STAKE)", "calm: off", "EVERY 256 -> 128"} <= changed


def test_an_ablation_of_what_does_not_exist_is_refused() -> None:
    with pytest.raises(KeyError, match="NOWHERE"), Ablation("a typo", {"NOWHERE": 1}).applied():
        pass


def test_unknown_experiments_are_named() -> None:
    found = CliRunner().invoke(main, ["--only", "nonsense"])
    assert found.exit_code == 2
    assert "nonsense" in found.output


def test_the_page_has_a_place_for_every_experiment(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    for name in PARTS:
        fill(page, name, f"{name} goes here")
    text = page.read_text(encoding="utf-8")
    for name in PARTS:
        assert f"{begin(name)}\n\n{name} goes here\n{end(name)}" in text
