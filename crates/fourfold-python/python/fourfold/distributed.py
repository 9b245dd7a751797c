"""Shards done by the processes of this machine, or by the workers of a Dask cluster.

    fourfold shards plan book --plies 10 --out book10

and then

    from fourfold import distributed
    distributed.run("book10")                              # this machine
    distributed.run("book10", "tcp://10.0.0.1:8786")       # a cluster

do the shards that are not finished, as ``fourfold shards run book10 --all`` does and, with
``--dask tcp://10.0.0.1:8786``, this module. Each shard is one future. On the worker it runs the
command ``fourfold`` as a process of its own, so a worker needs Dask and that command and nothing
else: no shared disk, and not this package. ``docs/cluster.md`` has the whole story.

Whatever happens to workers or to this process, finished shards stay finished: the same call does
the rest.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import logging
import os
import subprocess
import sys
import threading
import time
import zlib
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

from fourfold import _shard_task
from fourfold._errors import FourfoldError, OptionError
from fourfold._native import ShardFolder
from fourfold._shard_task import DONE, FAILED, REFUSED, TROUBLE, Found

__all__ = ["Outcome", "run"]

MOST_TRIES = 3
"""A shard on which the command fails this often is set aside."""
MOST_LOSSES = 10
"""So is one that is lost this often with its worker, or by trouble of the worker's machine."""
FAILURES_IN_A_ROW = 3
"""A worker that fails so many shards in a row rests, so that it does not use up all their tries."""
POLL = 1.0
"""Seconds between two looks at who is there."""
FIRST_REST, LONGEST_REST = 5.0, 300.0
"""Seconds that a worker in trouble rests: twice as long each time."""
FILE_PATIENCE = 5
"""Seconds until a shard that was written elsewhere must be seen on the shared disk."""

_log = logging.getLogger("fourfold.distributed")


@dataclass(frozen=True)
class Outcome:
    """What came of a run."""

    shards: int
    """Shards of the job."""
    finished: int
    """Those that are finished, now or before."""
    set_aside: dict[int, str]
    """Those that kept failing, each with the last reason."""
    refused: dict[str, str]
    """Workers that could not be used, each with the reason."""
    done_by: dict[str, int]
    """How many shards each worker finished in this run."""
    seconds: float
    """How long it took."""

    @property
    def complete(self) -> bool:
        """Whether every shard is finished, so that they can be merged."""
        return self.finished == self.shards


def run(
    manifest: str | PathLike[str],
    address: str | PathLike[str] | None = None,
    *,
    shared: bool = False,
    command: str | PathLike[str] = "fourfold",
    memory: int | None = None,
    threads: int | None = None,
    wait: float = 60.0,
    progress: Callable[[int, int], object] | None = None,
) -> Outcome:
    """Does the shards of a job that are not finished.

    ``manifest`` is the folder that ``fourfold shards plan`` has made, or the manifest in it.
    Without an ``address`` this machine does the work, ``threads`` shards at a time (as many as
    there are processors). With one, the Dask cluster whose scheduler or scheduler file that is: one
    shard at a time on each thread of each worker. The workers send their shards here, unless
    ``shared`` says that they see the folder under the same path.

    ``command`` is the command on the workers. It must be of the version, weights and book that the
    manifest was planned with; a worker with another one is refused. ``memory`` is in MiB, for the
    transposition table of each process; it is for books and boards. ``progress`` is told how many
    shards of how many are finished.

    A shard on which the command fails three times is set aside and named in the outcome; the rest
    is done. Raises `FourfoldError` if no worker can be used for ``wait`` seconds.
    """
    path = Path(manifest).absolute()
    where = path.parent if path.is_file() else path
    folder = ShardFolder(where)
    if threads is not None and (threads < 1 or address is not None):
        raise OptionError("threads is at least 1, and for this machine: a cluster has its own")
    if memory is not None and memory < 1:
        raise OptionError(f"memory is at least 1 MiB, not {memory}")
    options = [] if memory is None else ["--memory", str(memory)]
    errand = _Errand(folder, str(where), os.fspath(command), options)

    async def work() -> Outcome:
        pool: _Pool
        if address is None:
            pool = _ThisMachine(errand, threads or os.cpu_count() or 1)
        else:
            pool = await _Cluster.join(errand, os.fspath(address), shared)
        try:
            return await _Driver(folder, pool, wait, progress).run()
        finally:
            await pool.close()

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    # A notebook runs a loop of its own.
    with ThreadPoolExecutor(1) as other:
        return other.submit(asyncio.run, work()).result()


@dataclass(frozen=True)
class _Errand:
    """What is the same for all shards."""

    folder: ShardFolder
    path: str
    command: str
    options: list[str]


class _Pool(Protocol):
    """Those who do shards."""

    sends: bool
    """Whether shards come back as bytes."""

    async def places(self) -> dict[str, int]:
        """Who is there, and how many shards each does at a time."""
        ...

    async def check(self, place: str) -> Found:
        """Whether one can do these shards."""
        ...

    async def do(self, place: str, shard: int, attempt: int) -> Found:
        """Has one do a shard."""
        ...

    async def close(self) -> None:
        """Ends what is under way."""
        ...


class _ThisMachine:
    sends = False

    def __init__(self, errand: _Errand, threads: int) -> None:
        self._errand = errand
        self._threads = threads
        self._executor = ThreadPoolExecutor(threads + 1)
        self._running: set[subprocess.Popen[str]] = set()

    async def places(self) -> dict[str, int]:
        return {"this machine": self._threads}

    async def check(self, place: str) -> Found:
        return await self._call(_shard_task.check)

    async def do(self, place: str, shard: int, attempt: int) -> Found:
        errand = self._errand
        return await self._call(
            _shard_task.do, shard, errand.options, errand.path, self._running
        )

    async def _call(self, function: Callable[..., Found], *arguments: Any) -> Found:
        folder, command = self._errand.folder, self._errand.command
        loop = asyncio.get_running_loop()
        task = (command, folder.manifest_name, folder.manifest_text, *arguments)
        return await loop.run_in_executor(self._executor, lambda: function(*task))

    async def close(self) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)
        for process in list(self._running):
            process.kill()
        self._executor.shutdown()


class _ByValue:
    """A function that is sent as its code: workers need not have this package."""

    def __init__(self, function: Callable[..., Found], pickling: Any) -> None:
        self._function = function
        self._reduced = (pickling.loads, (pickling.dumps(function),))

    def __call__(self, *arguments: Any) -> Found:
        return self._function(*arguments)

    def __reduce__(self) -> Any:
        return self._reduced


class _Cluster:
    def __init__(self, errand: _Errand, client: Any, pickling: Any, shared: bool) -> None:
        self._errand = errand
        self._client = client
        pickling.register_pickle_by_value(_shard_task)
        try:
            self._check = _ByValue(_shard_task.check, pickling)
            self._do = _ByValue(_shard_task.do, pickling)
        finally:
            pickling.unregister_pickle_by_value(_shard_task)
        self._shared = errand.path if shared else None
        self._checks = 0
        self.sends = not shared

    @classmethod
    async def join(cls, errand: _Errand, address: str, shared: bool) -> _Cluster:
        try:
            dask: Any = importlib.import_module("distributed")
            pickling: Any = importlib.import_module("cloudpickle")
        except ImportError as why:
            problem = "clusters need Dask: pip install 'fourfold[distributed]'"
            raise OptionError(f"{problem} ({why})") from None
        file = os.path.isfile(address)
        where = {"scheduler_file": address} if file else {"address": address}
        try:
            client = await dask.Client(**where, asynchronous=True, name="fourfold")
        except (OSError, ValueError) as why:
            raise FourfoldError(f"no Dask scheduler answers at {address} ({why})") from None
        return cls(errand, client, pickling, shared)

    async def places(self) -> dict[str, int]:
        try:
            found: dict[str, int] = await asyncio.wait_for(self._client.nthreads(), 60)
        except (OSError, asyncio.TimeoutError) as why:
            problem = "the Dask scheduler is gone; finished shards are kept"
            raise FourfoldError(f"{problem} ({why or 'no answer'})") from None
        return dict(found)

    async def check(self, place: str) -> Found:
        self._checks += 1
        key = f"fourfold-check-{self._errand.folder.id}-{os.getpid()}-{self._checks}"
        return await self._call(place, key, self._check)

    async def do(self, place: str, shard: int, attempt: int) -> Found:
        # Named by its shard: a driver that was started again finds what its workers still do.
        key = f"fourfold-{self._errand.folder.id}-{shard}-{attempt}"
        options = self._errand.options
        return await self._call(place, key, self._do, shard, options, self._shared)

    async def _call(self, place: str, key: str, function: _ByValue, *arguments: Any) -> Found:
        folder, command = self._errand.folder, self._errand.command
        future = self._client.submit(
            function,
            command,
            folder.manifest_name,
            folder.manifest_text,
            *arguments,
            key=key,
            workers=[place],
            retries=0,
            pure=False,
        )
        try:
            found: Found = await future
            return found
        finally:
            future.release()

    async def close(self) -> None:
        await self._client.close()


@dataclass
class _Place:
    """A worker, as far as it is known."""

    name: str
    slots: int
    fits: bool = False
    refused: str | None = None
    shards: set[int] = field(default_factory=lambda: set[int]())
    failures: int = 0
    troubles: int = 0
    rests: int = 0
    rests_until: float = 0.0

    @property
    def resting(self) -> bool:
        return time.monotonic() < self.rests_until

    def rest(self) -> float:
        seconds: float = min(FIRST_REST * 2**self.rests, LONGEST_REST)
        self.rests += 1
        self.rests_until = time.monotonic() + seconds
        return seconds

    def did_well(self) -> None:
        self.failures = self.troubles = self.rests = 0


class _Driver:
    """Gives shards to places until none is left."""

    def __init__(
        self,
        folder: ShardFolder,
        pool: _Pool,
        wait: float,
        progress: Callable[[int, int], object] | None,
    ) -> None:
        self._folder = folder
        self._pool = pool
        self._wait = wait
        self._progress = progress
        self._places: dict[str, _Place] = {}
        self._tasks: dict[asyncio.Task[Found], tuple[_Place, int | None]] = {}
        self._fresh: deque[int] = deque()
        self._again: list[int] = []
        self._finished = 0
        self._attempts: Counter[int] = Counter()
        self._tries: Counter[int] = Counter()
        self._losses: Counter[int] = Counter()
        self._failed_at: defaultdict[int, set[str]] = defaultdict(set)
        self._set_aside: dict[int, str] = {}
        self._refused: dict[str, str] = {}
        self._done_by: Counter[str] = Counter()

    async def run(self) -> Outcome:
        began = time.monotonic()
        await self._look_at_files()
        self._tell()
        usable, looked = time.monotonic(), 0.0
        try:
            while self._fresh or self._again or any(s is not None for _, s in self._tasks.values()):
                now = time.monotonic()
                if now - looked >= POLL:
                    looked = now
                    await self._look_at_places()
                self._give_out()
                if any(place.fits and place.troubles < 3 for place in self._places.values()):
                    usable = now
                elif now - usable > self._wait:
                    raise FourfoldError(self._nobody())
                await self._hear()
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        return Outcome(
            self._folder.shards,
            self._finished,
            dict(sorted(self._set_aside.items())),
            self._refused,
            dict(self._done_by),
            time.monotonic() - began,
        )

    async def _look_at_files(self) -> None:
        for shard in range(self._folder.shards):
            problem = await asyncio.to_thread(self._folder.problem, shard)
            if problem is None:
                self._finished += 1
            else:
                if problem:
                    _log.warning("shard %d is done again: %s", shard, problem)
                self._fresh.append(shard)

    async def _look_at_places(self) -> None:
        there = await self._pool.places()
        for name in [name for name in self._places if name not in there]:
            place = self._places.pop(name)
            if place.fits:
                _log.warning("%s is gone%s", name, _with_shards(place.shards))
            for task, (owner, shard) in list(self._tasks.items()):
                if owner is place:
                    task.cancel()
                    del self._tasks[task]
                    if shard is not None:
                        self._lost(shard, f"its worker {name} has gone")
        for name, slots in there.items():
            if name not in self._places:
                self._places[name] = _Place(name, slots)
                self._ask_whether_it_fits(self._places[name])
            self._places[name].slots = slots

    def _ask_whether_it_fits(self, place: _Place) -> None:
        task = asyncio.ensure_future(self._pool.check(place.name))
        self._tasks[task] = (place, None)

    def _give_out(self) -> None:
        checked = {place.name for place, shard in self._tasks.values() if shard is None}
        for place in self._places.values():
            if place.refused is not None or place.resting:
                continue
            if not place.fits:
                if place.name not in checked:
                    self._ask_whether_it_fits(place)
                continue
            while len(place.shards) < place.slots:
                shard = self._next_for(place)
                if shard is None:
                    break
                place.shards.add(shard)
                attempt = self._attempts[shard]
                self._attempts[shard] += 1
                task = asyncio.ensure_future(self._pool.do(place.name, shard, attempt))
                self._tasks[task] = (place, shard)

    def _next_for(self, place: _Place) -> int | None:
        """A shard that has not failed there, unless it has failed everywhere."""
        names = {other.name for other in self._places.values() if other.fits}
        for index, shard in enumerate(self._again):
            failed = self._failed_at[shard]
            if place.name not in failed or names <= failed:
                return self._again.pop(index)
        return self._fresh.popleft() if self._fresh else None

    async def _hear(self) -> None:
        """Waits until something is finished, though not for long."""
        if not self._tasks:
            await asyncio.sleep(POLL / 4)
            return
        done, _ = await asyncio.wait(
            self._tasks, timeout=POLL, return_when=asyncio.FIRST_COMPLETED
        )
        for task in done:
            place, shard = self._tasks.pop(task)
            place.shards.discard(-1 if shard is None else shard)
            try:
                found = task.result()
            except Exception as why:  # whatever the cluster raises
                found = None
                reason = f"{type(why).__name__}: {why}"
                if shard is None:
                    self._refuse(place, f"it cannot be asked: {reason}")
                else:
                    self._lost(shard, reason)
            if found is not None and shard is None:
                self._fits(place, found)
            elif found is not None and shard is not None:
                await self._judge(place, shard, found)

    def _fits(self, place: _Place, found: Found) -> None:
        kind, reason, _ = found
        if kind == DONE:
            place.fits = True
        elif kind == TROUBLE:
            self._trouble(place, reason)
        else:
            self._refuse(place, reason)

    async def _judge(self, place: _Place, shard: int, found: Found) -> None:
        kind, reason, packed = found
        if kind == DONE:
            problem = await self._take(shard, packed)
            if problem is None:
                place.did_well()
                self._finished += 1
                self._done_by[place.name] += 1
                _log.info("shard %d: done by %s", shard, place.name)
                self._tell()
                return
            kind, reason = FAILED, f"what came back is of no use: {problem}"
        if kind == REFUSED:
            self._refuse(place, reason)
            self._again.append(shard)
        elif kind == TROUBLE:
            self._trouble(place, reason)
            self._failed_at[shard].add(place.name)
            self._lost(shard, reason)
        else:
            self._failed(place, shard, reason)

    async def _take(self, shard: int, packed: bytes) -> str | None:
        """Writes what was sent, or looks for the file; what is wrong with it."""
        if self._pool.sends:
            try:
                sent = zlib.decompress(packed)
                await asyncio.to_thread(self._folder.accept, shard, sent)
            except (zlib.error, FourfoldError) as why:
                return str(why)
            except OSError as why:
                rest = "finished shards are kept, the same call does the rest"
                raise FourfoldError(f"{why}; {rest}") from None
            return None
        problem = await asyncio.to_thread(self._folder.problem, shard)
        for _ in range(FILE_PATIENCE):
            if problem is None:
                return None
            # Another machine's files may be seen late.
            await asyncio.sleep(1)
            problem = await asyncio.to_thread(self._folder.problem, shard)
        return "there is no file; is the folder shared?" if problem == "" else problem

    def _failed(self, place: _Place, shard: int, reason: str) -> None:
        self._tries[shard] += 1
        self._failed_at[shard].add(place.name)
        tries = self._tries[shard]
        _log.warning("shard %d failed at %s (try %d): %s", shard, place.name, tries, reason)
        if tries >= MOST_TRIES:
            self._put_aside(shard, reason)
        else:
            self._again.append(shard)
        place.failures += 1
        others = (other for other in self._places.values() if other is not place)
        if place.failures >= FAILURES_IN_A_ROW and any(
            other.fits and not other.resting for other in others
        ):
            rest = place.rest()
            _log.warning("%s failed %d in a row; rests %.0f s", place.name, place.failures, rest)

    def _lost(self, shard: int, reason: str) -> None:
        self._losses[shard] += 1
        if self._losses[shard] >= MOST_LOSSES:
            self._put_aside(shard, reason)
        else:
            self._again.append(shard)

    def _put_aside(self, shard: int, reason: str) -> None:
        _log.warning("shard %d is set aside: %s", shard, reason)
        self._set_aside[shard] = reason

    def _trouble(self, place: _Place, reason: str) -> None:
        place.troubles += 1
        _log.warning("%s is in trouble, rests %.0f s: %s", place.name, place.rest(), reason)

    def _refuse(self, place: _Place, reason: str) -> None:
        if place.refused is None:
            _log.warning("%s is refused: %s", place.name, reason)
        place.refused = self._refused[place.name] = reason
        place.fits = False

    def _nobody(self) -> str:
        if not self._places:
            return f"no worker came within {self._wait:.0f} s; finished shards are kept"
        reasons = [f"{name}: {reason}" for name, reason in self._refused.items()]
        return "\n".join(["no worker can do these shards; finished ones are kept", *reasons])

    def _tell(self) -> None:
        if self._progress is not None:
            self._progress(self._finished, self._folder.shards)


def _with_shards(shards: set[int]) -> str:
    if not shards:
        return ""
    numbers = ", ".join(map(str, sorted(shards)))
    return f"; shard{'s' if len(shards) > 1 else ''} {numbers} will be done elsewhere"


class _Line:
    """How far it is, on standard error: one line that changes, or a line now and then."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._first: int | None = None
        self._last = 0.0
        self._lock = threading.Lock()

    def __call__(self, done: int, of: int) -> None:
        now = time.monotonic()
        with self._lock:
            if self._first is None:
                self._first = done
            text = f"{done} of {of} shards"
            new = done - self._first
            if new and done < of:
                text += f", {_time((now - self._began) / new * (of - done))} left"
            if sys.stderr.isatty():
                end = "\n" if done == of else ""
                print(f"\r{text}\x1b[K", end=end, file=sys.stderr, flush=True)
            elif now - self._last >= 30 or done == of:
                self._last = now
                print(text, file=sys.stderr, flush=True)


def _time(seconds: float) -> str:
    for size, unit in ((172_800, 86_400), (5_400, 3_600), (90, 60)):
        if seconds >= size:
            names = {86_400: "days", 3_600: "hours", 60: "minutes"}
            return f"about {seconds / unit:.0f} {names[unit]}"
    return f"about {seconds:.0f} seconds"


def _main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fourfold.distributed",
        description="Does the shards of a job on this machine or on a Dask cluster.",
    )
    parser.add_argument("folder", help="folder of the manifest")
    parser.add_argument("--address", help="scheduler of the cluster, or its scheduler file")
    parser.add_argument("--shared", action="store_true", help="workers see the folder too")
    parser.add_argument("--command", default="fourfold", help="the command on the workers")
    parser.add_argument("--memory", type=int, help="MiB for each transposition table")
    parser.add_argument("--threads", type=int, help="shards at a time, on this machine")
    parser.add_argument("--wait", type=float, default=60.0, help="seconds to wait for workers")
    parser.add_argument("--verbose", action="store_true", help="say who does each shard")
    args = parser.parse_args()
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    if args.verbose:
        _log.setLevel(logging.INFO)
    try:
        outcome = run(
            args.folder,
            args.address,
            shared=args.shared,
            command=args.command,
            memory=args.memory,
            threads=args.threads,
            wait=args.wait,
            progress=_Line(),
        )
    except KeyboardInterrupt:
        print(
            "fourfold: interrupted: finished shards are kept, the same command does the rest",
            file=sys.stderr,
        )
        return 1
    except FourfoldError as why:
        print(f"fourfold: {why}", file=sys.stderr)
        return 2 if isinstance(why, OptionError) else 1
    for place, count in sorted(outcome.done_by.items()):
        print(f"{place}: {count} shards", file=sys.stderr)
    if outcome.set_aside:
        numbers = ", ".join(map(str, outcome.set_aside))
        some = "shard" if len(outcome.set_aside) == 1 else "shards"
        verb = "is" if len(outcome.set_aside) == 1 else "are"
        print(f"fourfold: {some} {numbers} kept failing and {verb} set aside", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_main())
