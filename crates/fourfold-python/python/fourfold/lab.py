"""The laboratory: experiments as files, run, and the published tables that come with Fourfold.

>>> from fourfold import lab
>>> lab.names()[:2]
['umbc-tables', 'umbc-positions']
>>> kept = lab.results("radboud-growth")
>>> kept["experiment"]
'radboud-growth'

``docs/laboratory.md`` describes experiments and their files.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from fourfold import _native
from fourfold._errors import OptionError
from fourfold._frames import frame

__all__ = ["Run", "names", "questions", "results", "run"]


@dataclass(frozen=True)
class Run:
    """What a run of an experiment found. In a notebook it shows its report."""

    name: str
    """The experiment."""
    summary: dict[str, Any]
    """The ``summary.json`` of the run: cells, metrics, intervals, and how it was made."""
    records: list[dict[str, Any]]
    """One dict per cell and metric, as in ``results.csv``; numbers are numbers."""
    tables: dict[str, str]
    """The table of each part, by its title, as text."""
    report: str
    """The report as HTML, with its plots."""
    out: Path | None
    """The directory with the files of the run; None if it was not kept."""

    def frame(self, library: str | None = None) -> Any:
        """The records as a pandas or polars frame, whichever is installed."""
        return frame(self.records, library)

    def __str__(self) -> str:
        return "\n\n".join(f"{title}\n\n{table}" for title, table in self.tables.items())

    def _repr_html_(self) -> str:
        # A page of its own: its style must not leak into the notebook.
        page = self.report.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{page}" width="100%" height="600" style="border:0"></iframe>'


def names() -> list[str]:
    """The experiments that come with Fourfold."""
    return list(questions())


def questions() -> dict[str, str]:
    """The same, each with the question that it answers."""
    return dict(_native.lab_list())


def results(name: str) -> dict[str, Any]:
    """The summary of the full run of such an experiment, which comes with Fourfold too."""
    found = _native.lab_results(name)
    if found is None:
        raise OptionError(f"no results of {name!r} are kept; there are {', '.join(names())}")
    summary: dict[str, Any] = json.loads(found)
    return summary


def run(
    experiment: str | PathLike[str],
    *,
    quick: bool = False,
    out: str | PathLike[str] | None = None,
    resume: bool = False,
    threads: int | None = None,
    keep_games: str | PathLike[str] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Run:
    """Runs an experiment: one of `names`, or a file.

    With ``quick`` it takes fewer games, depths and positions. The report, tables and plots are
    written into the directory ``out``, if one is named; an interrupted run goes on there with
    ``resume``. ``progress`` is told how many items of how many are done.
    """
    if out is None:
        if resume:
            raise OptionError("to resume a run, name the directory that it wrote to")
        with TemporaryDirectory() as folder:
            return _run(experiment, quick, folder, False, threads, keep_games, progress, None)
    folder = fspath(out)
    return _run(experiment, quick, folder, resume, threads, keep_games, progress, Path(folder))


def _run(
    experiment: str | PathLike[str],
    quick: bool,
    folder: str,
    resume: bool,
    threads: int | None,
    keep_games: str | PathLike[str] | None,
    progress: Callable[[int, int], object] | None,
    out: Path | None,
) -> Run:
    name = fspath(experiment)
    command = f"fourfold.lab.run({name!r}{', quick=True' if quick else ''})"
    text, table, report, tables = _native.lab_run(
        name, quick, folder, resume, threads, keep_games, command, progress
    )
    summary: dict[str, Any] = json.loads(text)
    records = [
        {column: _number(value) for column, value in row.items()}
        for row in csv.DictReader(io.StringIO(table))
    ]
    return Run(str(summary.get("experiment", name)), summary, records, dict(tables), report, out)


def _number(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text or None
