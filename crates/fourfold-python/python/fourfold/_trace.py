"""Searches of small trees, step by step: what the microscope shows, as data."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import index
from typing import Any, TypeAlias

from fourfold import _native
from fourfold._errors import OptionError
from fourfold._frames import frame
from fourfold._native import Board, TraceCore
from fourfold._search import switch_texts

__all__ = ["Trace", "random_tree", "trace"]

Tree: TypeAlias = "Sequence[Tree | int]"

DEFAULT_DEPTH = 2
MOST_STEPS = 100_000


@dataclass(frozen=True)
class Trace:
    """A search of a small tree with every step that it took. Values are those of MAX.

    Edges are numbered breadth first, ``E-1``, ``E-2`` and so on; an edge also names the node below
    it, and ``root`` is the root. In a notebook it draws the tree with what was cut.
    """

    value: int
    """The value at the root."""
    best: str | None
    """The edge to the best child."""
    line: list[str]
    """The principal variation, as edges."""
    cut: list[str]
    """The edges that were cut; what hangs below them was not visited either."""
    nodes: int
    """Nodes visited."""
    nodes_in_tree: int
    """Nodes of the whole tree."""
    leaves_in_tree: int
    """Its leaves."""
    steps: list[dict[str, Any]]
    """The steps in order. Each has ``step`` (``enter``, ``leaf``, ``update``, ``cut``, ``leave``
    and so on), its ``node``, numbers that belong to it, and a ``sentence`` that explains it."""
    steps_in_all: int
    """How many steps there were; more than ``steps`` has if it would have been too many."""
    details: dict[str, Any]
    """Everything else: ``algorithm``, ``switches``, the values of the leaves visited and, in a tree
    of positions, ``verdict``, ``best_move`` and ``line_moves`` as people write them."""
    _core: TraceCore = field(repr=False, compare=False)

    @property
    def sentences(self) -> list[str]:
        """Each step in a sentence."""
        return [step["sentence"] for step in self.steps]

    def frame(self, library: str | None = None) -> Any:
        """The steps as a pandas or polars frame, whichever is installed."""
        names = list(dict.fromkeys(name for step in self.steps for name in step))
        return frame([{name: step.get(name) for name in names} for step in self.steps], library)

    def svg(self, nodes: int | None = None) -> str:
        """The tree as an SVG of about so many nodes; by default as many as stay readable."""
        return self._core.svg(nodes)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self._core.text(None)


def trace(
    what: Board | str | Tree,
    *,
    depth: int | None = None,
    evaluator: str | Callable[[Board, int], int] | None = None,
    root: str = "max",
    seed: int = 0,
    steps: int = MOST_STEPS,
    **switches: bool | int | str,
) -> Trace:
    """Searches a small tree and keeps every step: of a position, or of numbers.

    Numbers are nested lists, or text with parentheses:

    >>> found = trace([[3, 5], [2, 9]])
    >>> found.value, found.cut
    (3, ['E-6'])
    >>> found.steps[9]["step"], found.sentences[9]
    ('leaf', 'E-5 is a leaf worth 2.')
    >>> print(found)
    ▲ 3  α 3 | β +∞
    ├─→ E-1 ▼ 3  α −∞ | β 3
    │   ├─→ E-3 ■ 3
    │   └── E-4 ■ 5
    └── E-2 ▼ ≤2  α 3 | β 2
        ├── E-5 ■ 2
        └─✂ E-6 ■ 9  cut: MIN has 2 here, MAX has 3 elsewhere
    <BLANKLINE>

    Positions are searched ``depth`` plies ahead, with an evaluator and with every switch of
    `search`:

    >>> found = trace(Board(game="tictactoe"), depth=2, symmetry=True)
    >>> found.nodes < found.nodes_in_tree
    True

    ``root`` is who moves at the root of numbers, ``max`` or ``min``. At the root of a position MAX
    is the side to move. A tree may have a million nodes.
    """
    texts = switch_texts(switches)
    if isinstance(what, Board) or (isinstance(what, str) and not what.lstrip().startswith("(")):
        if root != "max":
            raise OptionError("MAX is to move at the root of a position")
        board = what if isinstance(what, Board) else Board(what)
        plies = DEFAULT_DEPTH if depth is None else depth
        core = _native.trace_position(board, plies, evaluator, texts, seed, steps)
        return _trace(core)
    if depth is not None or evaluator is not None:
        raise OptionError("a tree of numbers is searched to its leaves, without an evaluator")
    text = what if isinstance(what, str) else _text(what, 0)
    return _trace(_native.trace_numbers(text, False, _is_max(root), texts, seed, steps))


def random_tree(
    children: int,
    levels: int,
    *,
    tree_seed: int = 0,
    root: str = "max",
    seed: int = 0,
    steps: int = MOST_STEPS,
    **switches: bool | int | str,
) -> Trace:
    """The same of a random tree with so many children a node, and so many levels below the root.

    >>> random_tree(3, 4, tree_seed=1).nodes_in_tree
    121
    """
    text = f"{children},{levels},{tree_seed}"
    texts = switch_texts(switches)
    return _trace(_native.trace_numbers(text, True, _is_max(root), texts, seed, steps))


def _is_max(root: str) -> bool:
    if root not in ("max", "min"):
        raise OptionError(f"max or min moves at the root, not {root!r}")
    return root == "max"


def _trace(core: TraceCore) -> Trace:
    found: dict[str, Any] = json.loads(core.report())
    names = ("value", "best", "line", "cut", "nodes", "nodes_in_tree", "leaves_in_tree", "steps")
    own = {name: found.pop(name) for name in names}
    in_all = found.pop("steps_in_all")
    return Trace(**own, steps_in_all=in_all, details=found, _core=core)


def _text(tree: Any, level: int) -> str:
    """Nested lists as text. The depth is bounded, so that no list can exhaust the stack."""
    texts: Any = (str, bytes)
    if isinstance(tree, texts) or not hasattr(tree, "__iter__"):
        try:
            return str(index(tree))
        except TypeError:
            kind = type(tree).__name__
            raise TypeError(f"a tree is nested lists of whole numbers, not of {kind}") from None
    if level > 200:
        raise OptionError("the lists are nested too deeply")
    return "(" + " ".join(_text(child, level + 1) for child in tree) + ")"
