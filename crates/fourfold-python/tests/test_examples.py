"""The examples in the documentation: docstrings, stubs, README and the tutorial."""

import ast
import doctest
from importlib import import_module
from pathlib import Path

import fourfold
import pytest

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PACKAGE = Path(fourfold.__file__).parent
DOCUMENTS = [path for path in (Path(__file__).parents[1] / "README.md",
                               Path(__file__).parents[3] / "docs" / "python.md") if path.exists()]
MODULES = ["fourfold"] + [f"fourfold.{path.stem}" for path in sorted(PACKAGE.glob("*.py"))
                          if path.stem not in ("__init__", "__main__")]


def run(text: str, name: str) -> int:
    names = {name: getattr(fourfold, name) for name in fourfold.__all__}
    test = doctest.DocTestParser().get_doctest(text, {**names, "fourfold": fourfold}, name, name, 0)
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test)
    assert runner.failures == 0, f"an example of {name} prints something else"
    return runner.tries


@pytest.mark.parametrize("module", MODULES)
def test_docstrings(module: str) -> None:
    try:
        loaded = import_module(module)
    except ModuleNotFoundError as why:  # an adapter whose framework is not installed
        assert why.name in ("gymnasium", "pyspiel")
        pytest.skip(str(why))
    names = {name: getattr(fourfold, name) for name in fourfold.__all__}
    failures, _ = doctest.testmod(loaded, extraglobs=names, optionflags=FLAGS)
    assert failures == 0


def test_the_docstrings_of_the_stubs() -> None:
    tree = ast.parse((PACKAGE / "_native.pyi").read_text())
    tried = 0
    for node in ast.walk(tree):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and (text := ast.get_docstring(node)):
            tried += run(text, node.name)
    assert tried > 10


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_documents(path: Path) -> None:
    text = path.read_text().replace("```", "\n")
    assert run(text, path.name) > 0


def test_the_version_is_that_of_the_workspace() -> None:
    root = Path(__file__).parents[3] / "Cargo.toml"
    if not root.exists():
        pytest.skip("outside the repository")
    assert f'version = "{fourfold.__version__}"' in root.read_text()
