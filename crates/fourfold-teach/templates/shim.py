"""Speaks the grader's line protocol for a Python module of functions (see docs/teaching.md)."""

import importlib.util
import inspect
import json
import os
import sys
import types

INFINITY = 10**9
DEEP = 64

# What the module prints must not be taken for answers.
answers, sys.stdout = sys.stdout, sys.stderr
path = os.path.abspath(sys.argv[1])
sys.path.insert(0, os.path.dirname(path))
spec = importlib.util.spec_from_file_location("submission", path)
module = importlib.util.module_from_spec(spec)
sys.modules["submission"] = module
spec.loader.exec_module(module)


def arguments(function, maximising):
    """What a search needs besides the tree, by the names of its parameters; None if MIN cannot begin."""
    chosen, knows_side = {}, False
    parameters = list(inspect.signature(function).parameters.values())
    for parameter in parameters[1:]:
        name = parameter.name.lower()
        needed = parameter.default is parameter.empty
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if "alpha" in name or name == "a":
            value = -INFINITY
        elif "beta" in name or name == "b":
            value = INFINITY
        elif "depth" in name or "ply" in name:
            value = DEEP if needed else None
        elif "min" in name and "max" not in name:
            value, knows_side = not maximising, True
        elif "max" in name or "player" in name or "turn" in name or "root" in name:
            value, knows_side = maximising, True
            if isinstance(parameter.default, str):
                value = "max" if maximising else "min"
        else:
            value = None
        if value is not None and (needed or "min" in name or "max" in name or knows_side):
            chosen[parameter.name] = value
        elif needed:
            raise TypeError(f"{function.__name__} needs {parameter.name}, which the grader does not know")
    return chosen if maximising or knows_side else None


class Watch:
    """Sees which leaves a recursive search is called with: the leaves that it visits, in order."""

    def __init__(self, recursive=None):
        self.recursive = recursive
        self.found = set()
        self.leaves = []
        self.stack = []

    def __call__(self, frame, event, _):
        code = frame.f_code
        if code.co_filename != path or event not in ("call", "return"):
            return
        if event == "return":
            if self.stack:
                self.stack.pop()
            return
        if code in self.stack:
            self.found.add(code)
        self.stack.append(code)
        names = [name for name in code.co_varnames[: code.co_argcount] if name != "self"]
        node = frame.f_locals.get(names[0]) if names else None
        if isinstance(node, int) and (self.recursive is None or code in self.recursive):
            self.leaves.append(node)

    def run(self, function, *given, **named):
        sys.setprofile(self)
        try:
            return function(*given, **named)
        finally:
            sys.setprofile(None)


recursions = {}


def recursive(function, named):
    """The functions that call themselves; none if they are not called with leaves."""
    if function not in recursions:
        recursions[function] = None
        watch = Watch()
        try:
            watch.run(function, [[[[1, 2], [3, 4]], [[5, 6], [7, 8]]], [[[9, 8], [7, 6]], [[5, 4], [3, 2]]]], **named)
            again = Watch(watch.found)
            again.run(function, [[[3, 5], [4, 6]], [[7, 2], [8, 9]]], **named)
            recursions[function] = watch.found if again.leaves else None
        except Exception:
            pass
    return recursions[function]


def result(found):
    """Value and move, in whichever order or number they come."""
    if isinstance(found, dict):
        found = (found.get("value"), found.get("move"))
    if not isinstance(found, (tuple, list)):
        return found, None
    return (list(found) + [None, None])[:2]


def number(found):
    if found is None or isinstance(found, bool) or not hasattr(found, "__float__"):
        return found if found is None else str(found)
    found = float(found)
    if found != found:
        return "nan"
    return int(max(-1e12, min(1e12, found))) if found in (float("inf"), float("-inf")) or found == int(found) else found


def answer(question):
    if "tree" in question:
        function = getattr(module, question["algorithm"], None)
        if function is None:
            return {"unsupported": True}
        named = arguments(function, question["root"] == "max")
        if named is None:
            return {"unsupported": True}
        seen = recursive(function, arguments(function, True))
        watch = Watch(seen)
        found = watch.run(function, question["tree"], **named) if seen else function(question["tree"], **named)
        value, move = result(found)
        reply = {"value": number(value), "move": number(move)}
        if seen:
            reply["leaves"] = watch.leaves
        return reply
    function = getattr(module, "best_move", None)
    if function is None:
        return {"unsupported": True}
    board = types.SimpleNamespace(rows=question["board"], to_move=question["to_move"], weights=question["weights"], **question["game"])
    found = function(board, question["depth"])
    value, move = result(found)
    if move is None:
        value, move = None, value
    return {"value": number(value), "move": number(move)}


sys.setrecursionlimit(10_000)
for line in sys.stdin:
    question = json.loads(line)
    try:
        reply = answer(question)
    except NotImplementedError:
        reply = {"unsupported": True}
    except Exception as why:
        last = [place for place in inspect.getinnerframes(why.__traceback__) if place.filename == path]
        where = f" (line {last[-1].lineno})" if last else ""
        reply = {"error": f"{type(why).__name__}: {why}{where}"}
    reply["id"] = question["id"]
    print(json.dumps(reply), file=answers, flush=True)
