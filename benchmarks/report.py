"""The report as markdown: floors first, then what was measured, part by part."""

from __future__ import annotations

from typing import Any

from benchmarks.chart import short


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """A table whose columns line up as plain text, too."""
    widths = [max(len(row[n]) for row in [head, *rows]) for n in range(len(head))]
    lined = [" | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in [head, *rows]]
    return [f"| {lined[0]} |", "|" + "|".join("-" * (width + 2) for width in widths) + "|", *(f"| {row} |" for row in lined[1:])]


def ratio_of(floor: dict[str, Any]) -> str:
    found = floor["ratio"]
    return "-" if found is None else f"{found['value']:.2f}x ({found['low']:.2f} .. {found['high']:.2f})"


def floors(parts: dict[str, Any]) -> list[str]:
    """Every floor with what was measured."""
    rows = [
        [key, each["text"], each["wanted"], ratio_of(each), each["verdict"]]
        for key, part in parts.items()
        for each in part["floors"]
    ]
    return table(["part", "floor", "wanted", "median (spread)", "verdict"], rows)


def size(count: int | None) -> str:
    """Bytes in three digits."""
    return "-" if count is None else short(float(f"{count:.3g}")) + "B"


def measures(part: dict[str, Any]) -> list[str]:
    rows = []
    for each in part["measures"]:
        rate, state = each["rows_per_second"], each["state"]
        rows.append(
            [
                each["name"],
                f"{each['rows']:,}",
                f"{each['output']:,}",
                f"{rate['median']:,} ({rate['low']:,} .. {rate['high']:,})",
                f"{state['rows']:,}" if state else "-",
                size(state.get("live_bytes")),
                size(state.get("memory_bytes")),
            ]
        )
    head = ["what", "rows in", "rows out", "rows/s (spread)", "state rows", "state alive", "RocksDB memory"]
    return table(head, rows) if rows else []


def about(made: dict[str, Any]) -> str:
    versions = ", ".join(f"{name} {number}" for name, number in made["versions"].items())
    return (
        f"{made['date']}; {made['processor']}, {made['cores']} cores, {made['memory_gb']} GB, load at the start "
        f"{made['load'][0]}; {made['master']}, driver {made['driver_memory']}, {made['shuffle_partitions']} shuffle partitions, "
        f"RocksDB (changelog checkpointing: {made['changelog_checkpointing']}); {made['rows']:,} rows in {made['files']} files, "
        f"{made['files_per_trigger']} per trigger, {made['repeats']} repeats; {versions}."
    )


def markdown(parts: dict[str, Any], pictures: str = "") -> str:
    """All of it; pictures are linked below a folder."""
    lines = ["### Floors", "", *floors(parts), ""]
    for key, part in parts.items():
        lines += [f"### {key}. {part['title']}" if key.isdigit() else f"### {part['title']}", "", about(part["machine"]), ""]
        if part["failed"]:
            lines += ["**Failed:**", "", "```", part["failed"].strip(), "```", ""]
        made = measures(part)
        lines += [*made, ""] if made else []
        lines += [f"- {note}" for note in part["notes"]] + ([""] if part["notes"] else [])
        drawn = [f"![{each['title']}]({pictures}{each['name']}.svg)" for each in part["curves"]]
        lines += [*drawn, ""] if drawn else []
    return "\n".join(lines).rstrip() + "\n"
