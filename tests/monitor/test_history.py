"""The frames of a query, and what is seen in them at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.monitor.conftest import RECORD
from tests.monitor.planted import AHEAD, DEVICES, FAST_CLOCK, SILENT
from tests.quality.reports import START, report
from transom.errors import BadRecord
from transom.monitor.board.board import Board
from transom.monitor.board.query_history import KEPT, History
from transom.monitor.board.recording import Recording


def test_the_device_with_the_wrong_clock_and_the_silent_one_are_named(board: Board) -> None:
    frame = json.loads(board.frame("query 1") or "")
    substreams = {one["name"]: one for one in frame["substreams"]}
    assert set(substreams) == set(DEVICES)
    assert [name for name, one in substreams.items() if one["clock_ahead"]] == [FAST_CLOCK]
    assert [name for name, one in substreams.items() if one["holds_back"]] == [SILENT]
    assert [name for name, one in substreams.items() if one["silent_for"] > 0] == [SILENT]
    assert substreams[FAST_CLOCK]["off"] == pytest.approx(AHEAD * 1000, abs=5000)
    assert frame["behind"] == SILENT


def test_a_substream_is_named_only_if_it_holds_results_back_by_what_matters(board: Board) -> None:
    frames = [json.loads(board.frame("query 1", n) or "") for n in range(1, 21)]
    named = [[one["name"] for one in frame["substreams"] if one.get("holds_back")] for frame in frames]
    assert named[:4] == [[]] * 4  # nothing is promised yet
    assert frames[3]["learns"]
    assert named[11:13] == [[], []]  # 0.8 s and 0.2 s, where the usual delay is 10 s
    assert named[13:] == [[SILENT]] * 7


def test_the_delay_leaves_out_the_wrong_clock(board: Board) -> None:
    frame = json.loads(board.frame("query 1") or "")
    newest = max(one["newest"] for one in frame["substreams"] if one["name"] != FAST_CLOCK)
    assert frame["newest_right"] == newest
    assert frame["behind_right_clocks"] == newest - frame["frontier"]
    assert frame["delay"] > frame["behind_right_clocks"] + 40 * 60_000


def test_two_silent_substreams_are_compared_with_those_that_send() -> None:
    history = History("q")
    for n in range(3):
        each = [("a", 0), ("b", 100), ("c", n * 60_000_000 + 5), ("d", n * 60_000_000 + 9)]
        substreams = [
            {"name": name, "newest": START + x, "frontier": START + x, "delay": 0, "seen": x, "late": 0} for name, x in each
        ]
        history.take(report(n, 0, behind="a", frontier=START, substreams=substreams))
    (slow,) = [one for one in json.loads(history.frame() or "")["substreams"] if one["holds_back"]]
    assert (slow["name"], slow["held_by"]) == ("a", pytest.approx(120_000, abs=1))


def test_a_smaller_ratio_costs_a_longer_delay(board: Board) -> None:
    frame = json.loads(board.frame("query 1") or "")
    costs = dict(map(tuple, frame["tradeoff"]))
    assert list(costs.values()) == sorted(costs.values())
    assert costs[0.001] > 3 * costs[0.01] > 0


def test_windows_open_fill_and_close(board: Board) -> None:
    found = board.query("query 1")
    assert found is not None
    seen: dict[int, list[tuple[int, bool]]] = {}
    for figures in found["figures"]:
        for w, _, _, count, closed in json.loads(board.frame("query 1", figures["n"]) or "")["windows"]:
            seen.setdefault(w, []).append((count, closed))
    closed = [states for states in seen.values() if states[-1][1]]
    assert closed
    for states in seen.values():
        assert [count for count, _ in states] == sorted(count for count, _ in states)
        assert [over for _, over in states] == sorted(over for _, over in states)
    assert max(states[-1][0] for states in closed) == pytest.approx(4 * 240, rel=0.05)


def test_results_and_late_tuples_are_sampled_and_counted(board: Board) -> None:
    frame = json.loads(board.frame("query 1") or "")
    assert frame["results_in_all"] == 48
    assert 0 < len(frame["recent_results"]) <= 40
    assert set(frame["recent_results"][0]) == {"device", "highest", "n", "window_start", "window_end"}


def test_of_very_many_frames_older_ones_are_thinned() -> None:
    history = History("q")
    for n in range(KEPT + 10):
        assert history.take(report(n, 3))
    assert len(history.frames) <= KEPT
    assert json.loads(history.frame() or "")["batch"] == KEPT + 9
    assert json.loads(history.frame(1) or "")["n"] == 1
    assert not history.take({"batchId": 7, "numInputRows": 0})
    assert History("empty").frame() is None


def test_news_reach_whoever_hears_them() -> None:
    board, news = Board(), []
    stop = board.hear(news.append)
    board.describe("q", {"sql": ["SELECT"]})
    board.report("q", report(0, 1))
    board.report("q", {"batchId": 1, "numInputRows": 0})
    board.end("q", "it failed")
    stop()
    board.end("q")
    assert [one["event"] for one in news] == ["query", "frame", "ended"]
    assert board.queries()[0]["title"] == "q"
    assert (board.query("r"), board.frame("r")) == (None, None)


def test_a_record_that_grows_is_followed(tmp_path: Path) -> None:
    lines = RECORD.read_text(encoding="utf-8").splitlines(keepends=True)
    path, board = tmp_path / "run.jsonl", Board()
    path.write_text("".join(lines[:5]), encoding="utf-8")
    recording = Recording(str(path), board)
    recording.load()
    assert board.queries()[0]["frames"] == 4
    news: list[str] = []
    board.hear(lambda one: news.append(one["event"]))
    with path.open("a", encoding="utf-8") as file:
        file.write(lines[5] + lines[6][:50])
    recording.look()
    assert board.queries()[0]["frames"] == 5
    with path.open("a", encoding="utf-8") as file:
        file.write(lines[6][50:] + lines[-1])
    recording.look()
    assert (board.queries()[0]["frames"], board.queries()[0]["ended"]) == (6, True)
    assert news == ["frame", "frame", "ended"]


def test_what_is_no_record_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"query": "q", "about": {}}\n', encoding="utf-8")
    with pytest.raises(BadRecord, match="the record is empty"):
        Recording(str(path), Board()).load()


def test_of_a_join_no_open_windows_are_counted() -> None:
    history = History("q", {"title": "q", "geometry": None, "graph": []})
    history.take(report(0, 1))
    assert json.loads(history.frame() or "")["open"] is None


def test_a_very_long_name_of_a_substream_is_cut() -> None:
    history, name = History("q"), "x" * 10_000
    substreams = [{"name": name, "newest": START, "frontier": START, "delay": 0, "seen": 1, "late": 0}]
    history.take(report(0, 0, behind=name, substreams=substreams))
    frame = json.loads(history.frame() or "")
    assert len(frame["behind"]) == 80
    assert frame["behind"] == frame["substreams"][0]["name"]
