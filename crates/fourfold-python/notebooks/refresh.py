"""Runs the gallery again and keeps its outputs, without what differs from run to run.

    pip install ./crates/fourfold-python nbclient ipykernel anywidget
    python crates/fourfold-python/notebooks/refresh.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

GALLERY = Path(__file__).parent / "gallery.ipynb"
WIDGET = "application/vnd.jupyter.widget-view+json"


def run(path: Path) -> Any:
    """The notebook with the outputs of a new run; an error in a cell is raised."""
    notebook: Any = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=120, kernel_name="python3", record_timing=False, store_widget_state=False
    )
    return client.execute()


def main() -> None:
    notebook = run(GALLERY)
    notebook.metadata.pop("language_info", None)
    for cell in notebook.cells:
        # A widget lives in its kernel alone.
        cell.outputs = [
            output for output in cell.get("outputs", []) if WIDGET not in output.get("data", {})
        ] if cell.cell_type == "code" else None
        if cell.outputs is None:
            del cell["outputs"]
    nbformat.write(notebook, GALLERY)


if __name__ == "__main__":
    main()
