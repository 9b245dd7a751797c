"""Measures shards: on one worker and on two, the 10-ply book of 7x6, and what large jobs take.

    python crates/fourfold-python/bench/shards.py scaling --command target/release/fourfold
    python crates/fourfold-python/bench/shards.py book --command target/release/fourfold
    python crates/fourfold-python/bench/shards.py expect --command target/release/fourfold

Needs the package with its extra: ``pip install 'fourfold[distributed]'``. Figures are of wall clock,
so the machine should have nothing else to do; only ``expect`` goes by processor time, where the system
tells.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from fourfold import distributed

# Dask looks a hundred times a second at what its workers' threads do: here they wait for a process.
QUIET = {"DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}

EXPECTED = (
    ("book", "--plies", "10"),
    ("book", "--plies", "12"),
    ("book", "--game", "8x7c4", "--plies", "10"),
    ("labels", "--count", "1000000000"),
    ("labels", "--count", "1000000000", "--weak"),
)


def fourfold(command: str, *words: str | Path, enough: Path | None = None) -> str:
    """Runs the command; what it says, on both streams. It succeeds, or writes what is enough."""
    ended = subprocess.run([command, *map(str, words)], capture_output=True, text=True)
    if ended.returncode != 0 and not (enough and enough.exists()):
        sys.exit(f"fourfold {' '.join(map(str, words))}: {ended.stderr}")
    return ended.stdout + ended.stderr


def on_workers(job: Path, workers: int, command: str, folder: Path) -> distributed.Outcome:
    """Has workers of one thread each do a job."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    address = f"tcp://127.0.0.1:{port}"
    groups: list[subprocess.Popen[bytes]] = []

    def start(name: str, *words: str) -> None:
        (folder / name).mkdir(exist_ok=True)
        with (folder / f"{name}.log").open("wb") as log:
            words = (sys.executable, "-m", "dask", *words, "--no-dashboard")
            groups.append(
                subprocess.Popen(
                    words,
                    cwd=folder / name,
                    env={**os.environ, **QUIET},
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            )

    try:
        start("scheduler", "scheduler", "--host", "127.0.0.1", "--port", port)
        for number in range(workers):
            start(f"worker-{number}", "worker", address, "--nthreads", "1", "--no-nanny")
        return distributed.run(job, address, command=command)
    finally:
        for group in groups:
            os.killpg(group.pid, signal.SIGKILL)
            group.wait()


def scaling(args: argparse.Namespace) -> None:
    """The same labels on one worker and on two."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        times: dict[int, float] = {}
        hashes: set[str] = set()
        plan = folder / "plan"
        cut = ("--count", str(args.count), "--shards", str(args.shards))
        print(fourfold(args.command, "shards", "plan", "labels", *cut, "--out", plan), end="")
        for workers in (1, 2):
            job, out = folder / f"job-{workers}", folder / f"labels-{workers}.txt"
            shutil.copytree(plan, job)
            outcome = on_workers(job, workers, args.command, folder)
            assert outcome.complete and len(outcome.done_by) == workers, outcome
            # Labels may be fewer than wanted, if many positions came up twice.
            fourfold(args.command, "shards", "merge", job, "--out", out, enough=out)
            times[workers] = outcome.seconds
            hashes.add(hashlib.sha256(out.read_bytes()).hexdigest())
            print(f"{workers} workers: {outcome.seconds:.1f} s, {outcome.done_by}")
        assert len(hashes) == 1, "the labels differ"
        print(f"{times[1] / times[2]:.3f} times as fast, the same labels: {hashes.pop()}")


def book(args: argparse.Namespace) -> None:
    """The 10-ply book of 7x6 on this machine; begun anew it goes on."""
    job = Path(args.out)
    if not (job / "manifest.json").exists():
        print(fourfold(args.command, "shards", "plan", "book", "-p", "10", "-o", job), end="")
    outcome = distributed.run(
        job, command=args.command, progress=lambda done, of: print(f"{done} of {of}", flush=True)
    )
    assert outcome.complete, outcome
    out = job / "7x6c4-10.book"
    if not out.exists():
        print(fourfold(args.command, "shards", "merge", job, "--out", out), end="")
    found = out.read_bytes()
    print(f"{outcome.seconds:.0f} s in this run, {len(found)} bytes")
    print(f"sha256 {hashlib.sha256(found).hexdigest()}")
    began = time.monotonic()
    print(fourfold(args.command, "book", "verify", out, "--sample", "1000"), end="")
    print(f"verified in {time.monotonic() - began:.0f} s")


def expect(args: argparse.Namespace) -> None:
    """What large jobs take, as their plans say."""
    for words in EXPECTED:
        with tempfile.TemporaryDirectory() as name:
            print(" ".join(words))
            cut = ("--sample", str(args.sample), "--out", Path(name) / "job")
            told = fourfold(args.command, "shards", "plan", *words, *cut)
            print("  " + told.partition("manifest.json: ")[2], end="", flush=True)


def main() -> None:
    """One of the three."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=["scaling", "book", "expect"])
    parser.add_argument("--command", default="fourfold", help="the command")
    parser.add_argument("--count", type=int, default=46_000, help="labels, for scaling")
    parser.add_argument("--shards", type=int, default=120, help="shards, for scaling")
    parser.add_argument("--sample", type=int, default=60, help="seconds each, for expect")
    parser.add_argument("--out", default="book10", help="folder of the job, for book")
    args = parser.parse_args()
    args.command = os.path.abspath(args.command) if os.sep in args.command else args.command
    {"scaling": scaling, "book": book, "expect": expect}[args.what](args)


if __name__ == "__main__":
    main()
