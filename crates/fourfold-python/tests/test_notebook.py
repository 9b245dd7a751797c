"""The gallery notebook runs from its first cell to its last."""

import sys
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"


def test_the_gallery_runs() -> None:
    for needed in ("nbclient", "ipykernel", "anywidget", "pandas"):
        pytest.importorskip(needed)
    sys.path.insert(0, str(NOTEBOOKS))
    from refresh import GALLERY, run  # type: ignore[import-not-found]

    notebook = run(GALLERY)
    kinds = {kind for cell in notebook.cells for output in cell.get("outputs", [])
             for kind in output.get("data", {})}
    assert {"image/svg+xml", "text/html", "application/vnd.jupyter.widget-view+json"} <= kinds
    # What is kept shows what the cells show now, as far as it is drawn.
    kept = __import__("nbformat").read(GALLERY, as_version=4)
    for now, then in zip(notebook.cells, kept.cells):
        # Printed text may arrive in several pieces on a busy machine.
        drawn = [[output["data"].get("image/svg+xml") for output in cell.get("outputs", [])
                  if "data" in output] for cell in (now, then)]
        assert "BoardWidget" in now.source or drawn[0] == drawn[1], now.source
