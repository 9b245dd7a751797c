"""Records as data frames, by pandas or polars, whichever is installed."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from fourfold._errors import OptionError

LIBRARIES = ("pandas", "polars")


def frame(rows: Sequence[dict[str, Any]], library: str | None = None) -> Any:
    """The rows as a frame of the library named, or of the first that is installed."""
    if library is not None and library not in LIBRARIES:
        raise OptionError(f"frames are made by pandas or polars, not {library}")
    for name in LIBRARIES if library is None else (library,):
        try:
            found: Any = import_module(name)
        except ImportError:
            continue
        return found.DataFrame(list(rows))
    wanted = library or "pandas or polars"
    raise ImportError(f"a frame needs {wanted}: pip install {library or 'pandas'}")
