"""Shards on this machine and on a Dask cluster whose workers share no disk and come to harm."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import fourfold
import pytest
from fourfold import distributed

BUILT = Path(__file__).parents[3] / "target/debug/fourfold"
FOURFOLD = os.environ.get("FOURFOLD") or (str(BUILT) if BUILT.exists() else None)
IS_ROOT = sys.platform == "linux" and os.geteuid() == 0
PATIENCE = 120

pytestmark = [
    pytest.mark.skipif(FOURFOLD is None, reason="FOURFOLD names no command; ./test builds it"),
    pytest.mark.skipif(os.name == "nt", reason="process groups and signals differ"),
]


def command(*words: str | Path) -> str:
    assert FOURFOLD is not None
    ended = subprocess.run([FOURFOLD, *map(str, words)], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def plan(folder: Path, *job: str) -> Path:
    command("shards", "plan", *job, "--out", folder)
    return folder


def small(folder: Path, shards: int = 6) -> Path:
    return plan(folder, "book", "-g", "5x4c4", "-p", "4", "--shards", str(shards))


def merged(job: Path) -> str:
    out = job.with_suffix(".merged")
    command("shards", "merge", job, "--out", out)
    return hashlib.sha256(out.read_bytes()).hexdigest()


def until(what: Callable[[], object], why: str) -> None:
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, f"waited in vain until {why}"
        time.sleep(0.02)


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def finished(job: Path) -> dict[str, int]:
    return {path.name: path.stat().st_ino for path in job.glob("shard-*.txt")}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("", 0))
        port: int = probe.getsockname()[1]
        return port


class Cluster:
    """A scheduler and workers, each a process group with a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.groups: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Cluster:
        self.start("scheduler", [], "scheduler", "--host", "0.0.0.0", "--port", str(self.port))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for group in self.groups:
            if group.poll() is None:
                os.killpg(group.pid, signal.SIGKILL)
            group.wait()

    def start(self, name: str, before: list[str], *words: str) -> subprocess.Popen[bytes]:
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        dask = [sys.executable, "-m", "dask", *words, "--no-dashboard"]
        with (self.folder / f"{name}.log").open("wb") as log:
            group = subprocess.Popen(
                [*before, *dask], cwd=folder, stdout=log, stderr=log, start_new_session=True
            )
        self.groups.append(group)
        return group

    def worker(
        self, name: str, before: list[str] | None = None, host: str = "127.0.0.1"
    ) -> subprocess.Popen[bytes]:
        words = ["worker", f"tcp://{host}:{self.port}", "--nthreads", "1", "--no-nanny"]
        place = str(self.folder / name)
        return self.start(name, before or [], *words, "--name", name, "--local-directory", place)


@contextmanager
def network(name: str, number: int) -> Iterator[str]:
    """A network namespace; the address of this machine as it is seen from there."""
    here, there = f"10.213.{number}.1", f"10.213.{number}.2"

    def ip(*words: str) -> None:
        subprocess.run(["ip", *words], check=True)

    ip("netns", "add", name)
    try:
        ip("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", name)
        ip("addr", "add", f"{here}/24", "dev", name)
        ip("link", "set", name, "up")
        ip("-n", name, "addr", "add", f"{there}/24", "dev", "eth0")
        ip("-n", name, "link", "set", "eth0", "up")
        ip("-n", name, "link", "set", "lo", "up")
        yield here
    finally:
        ip("netns", "del", name)


def has_namespaces() -> bool:
    if not IS_ROOT or shutil.which("ip") is None:
        return False
    name = f"ff{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True).returncode == 0
    if made:
        subprocess.run(["ip", "netns", "del", name], check=True)
    return made


@pytest.fixture
def two_workers(
    tmp_path: Path,
) -> Iterator[tuple[Cluster, Path, list[subprocess.Popen[bytes]]]]:
    """A cluster of two, and a folder for the job that neither worker sees."""
    job = tmp_path / "job"
    job.mkdir()
    with Cluster(tmp_path) as cluster:
        if not has_namespaces():
            yield cluster, job, [cluster.worker(name) for name in ("one", "two")]
            return
        names = [f"ff{os.getpid()}a", f"ff{os.getpid()}b"]
        with network(names[0], 1) as first, network(names[1], 2) as second:
            workers: list[subprocess.Popen[bytes]] = []
            for name, space, host in (("one", names[0], first), ("two", names[1], second)):
                # Another disk lies over the folder of the job.
                hide = 'mount -t tmpfs none "$0" && exec "$@"'
                before = ["ip", "netns", "exec", space, "sh", "-c", hide, str(job)]
                workers.append(cluster.worker(name, before, host))
            yield cluster, job, workers


class Driver:
    """The command that shares the work out, in a process group of its own."""

    def __init__(self, job: Path, address: str, log: Path) -> None:
        self.log = log
        words = [str(job), "--address", address, "--command", str(FOURFOLD), "--verbose"]
        with log.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "fourfold.distributed", *words],
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def said(self) -> str:
        return self.log.read_text()

    def workers(self) -> set[str]:
        return set(re.findall(r"done by (\S+)", self.said()))


def children(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(word) for word in found.stdout.split()]


def words(pid: int) -> list[str]:
    """The command line of a process; none if it has ended."""
    ask = ["ps", "-o", "stat=,args=", "-p", str(pid)]
    found = subprocess.run(ask, capture_output=True, text=True).stdout.split()
    return [] if not found or found[0].startswith("Z") else found[1:]


def test_a_cluster_that_comes_to_harm_makes_what_one_machine_makes(
    two_workers: tuple[Cluster, Path, list[subprocess.Popen[bytes]]], tmp_path: Path
) -> None:
    cluster, job, (one, two) = two_workers
    plan(job, "book", "-g", "6x5c4", "-p", "7", "--shards", "40")
    driver = Driver(job, cluster.address, tmp_path / "driver-1.log")
    until(lambda: len(driver.workers()) == 2, "both workers have finished a shard")
    # One stops for a while and goes on.
    os.killpg(two.pid, signal.SIGSTOP)
    time.sleep(1)
    os.killpg(two.pid, signal.SIGCONT)
    # The other is killed in the middle of a shard.
    until(lambda: children(one.pid), "worker one does a shard")
    os.kill(one.pid, signal.SIGKILL)
    one.wait()
    until(lambda: "is gone" in driver.said(), "the driver has missed worker one")
    done = len(finished(job))
    until(lambda: len(finished(job)) > done, "the other goes on")
    # The driver is killed and started again.
    os.killpg(driver.process.pid, signal.SIGKILL)
    driver.process.wait()
    before = finished(job)
    assert 2 < len(before) < 40, "it was killed in the middle"
    again = Driver(job, cluster.address, tmp_path / "driver-2.log")
    assert again.process.wait(PATIENCE) == 0, again.said()
    after = finished(job)
    assert len(after) == 40 and before.items() <= after.items(), "finished shards stay finished"
    alone = plan(tmp_path / "alone", "book", "-g", "6x5c4", "-p", "7", "--shards", "3")
    outcome = distributed.run(alone, command=str(FOURFOLD))
    assert outcome.complete and outcome.done_by == {"this machine": 3}
    assert merged(job) == merged(alone)


def test_a_killed_worker_leaves_nothing_running(tmp_path: Path) -> None:
    # One shard that takes hours.
    job = plan(tmp_path / "job", "book", "-p", "7", "--shards", "1")
    with Cluster(tmp_path) as cluster:
        worker = cluster.worker("one")
        driver = Driver(job, cluster.address, tmp_path / "driver.log")
        try:
            # The first command is the check, which is over at once.
            until(lambda: any("run" in words(pid) for pid in children(worker.pid)), "it works")
            (started,) = children(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)
            worker.wait()
            until(lambda: not words(started), "its command has ended")
        finally:
            os.killpg(driver.process.pid, signal.SIGKILL)
            driver.process.wait()


def test_other_versions_and_full_disks_are_left_out(tmp_path: Path) -> None:
    job = plan(tmp_path / "job", "book", "-g", "5x4c4", "-p", "5", "--shards", "3")
    manifest = "$3/manifest.json"
    # What a program of another version says of the manifest.
    other = f"""case "$0" in */old/*) sed -i 's/"version": "[^"]*"/"version": "9.9.9"/' {manifest};;
esac
exec {FOURFOLD} "$@\""""
    for name in ("good", "old", "full"):
        (tmp_path / name).mkdir()
        script(tmp_path / name / "fourfold", other)
    full = tmp_path / "full"
    with Cluster(tmp_path) as cluster, small_disk(full / "disk"):
        for name in ("old", "full"):
            path = f"{tmp_path / name}:{os.environ['PATH']}"
            place = str(full / "disk" if IS_ROOT and name == "full" else tmp_path / name)
            words = ["worker", cluster.address, "--nthreads", "1", "--no-nanny"]
            cluster.start(
                name, ["env", f"PATH={path}"], *words, "--local-directory", place, "--name", name
            )
        log = tmp_path / "driver.log"
        until(
            lambda: (tmp_path / "full.log").read_text().count("Registered to") == 1
            and (tmp_path / "old.log").read_text().count("Registered to") == 1,
            "the workers are there",
        )
        if IS_ROOT:
            fill(full / "disk")
        with log.open("wb") as out:
            words = [str(job), "--address", cluster.address, "--verbose"]
            driver = subprocess.Popen(
                [sys.executable, "-m", "fourfold.distributed", *words], stdout=out, stderr=out
            )
        try:
            until(lambda: "is refused" in log.read_text(), "the old one is refused")
            if IS_ROOT:
                until(lambda: "os error 28" in log.read_text(), "the disk of one is full")
            path = f"{tmp_path / 'good'}:{os.environ['PATH']}"
            words = ["worker", cluster.address, "--nthreads", "1", "--no-nanny"]
            cluster.start("good", ["env", f"PATH={path}"], *words, "--name", "good")
            assert driver.wait(PATIENCE) == 0, log.read_text()
        finally:
            if driver.poll() is None:
                driver.kill()
                driver.wait()
    said = log.read_text()
    assert "the shards are for fourfold 9.9.9" in said and fourfold.__version__ in said, said
    assert "set aside" not in said, said
    assert command("shards", "status", job).startswith("3 of 3 ")


@pytest.mark.parametrize("shared", [False, True])
def test_workers_need_neither_the_package_nor_a_copy_of_a_shared_folder(
    tmp_path: Path, shared: bool
) -> None:
    job = small(tmp_path / "job", shards=3)
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    (blocked / "fourfold.py").write_text("raise ImportError('not on this machine')")
    with Cluster(tmp_path) as cluster:
        cluster.worker("bare", ["env", f"PYTHONPATH={blocked}"])
        # A scheduler file will do for an address.
        file = tmp_path / "scheduler.json"
        file.write_text(f'{{"address": "{cluster.address}"}}')
        outcome = distributed.run(
            job, file, command=str(FOURFOLD), shared=shared, memory=8, wait=PATIENCE
        )
    assert outcome.complete and list(outcome.done_by.values()) == [3]
    # Nobody but the driver has written to the folder, or nobody but the worker.
    assert len(finished(job)) == 3 and not list(job.glob("*.new"))


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True)
    if not IS_ROOT:
        yield
        return
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def fill(folder: Path) -> None:
    """Leaves room for a manifest, and not for a shard."""
    with (folder / "full").open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass
        file.truncate(file.tell() // 4096 * 4096 - 4096)


def test_a_shard_that_keeps_failing_is_set_aside(tmp_path: Path) -> None:
    job = small(tmp_path / "job")
    tries = tmp_path / "tries"
    poison = script(
        tmp_path / "poison",
        f'case "$*" in *"--shard 2 "*) echo try >> {tries}; kill -9 $$;; esac\n'
        f'exec {FOURFOLD} "$@"',
    )
    told: list[tuple[int, int]] = []
    outcome = distributed.run(
        job, command=poison, threads=2, progress=lambda done, of: told.append((done, of))
    )
    assert not outcome.complete and outcome.finished == 5
    assert list(outcome.set_aside) == [2] and "SIGKILL" in outcome.set_aside[2]
    assert tries.read_text().count("try") == 3
    assert told == [(done, 6) for done in range(6)]
    ended = subprocess.run(
        [sys.executable, "-m", "fourfold.distributed", str(job), "--command", poison],
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 1
    assert "shard 2 kept failing and is set aside" in ended.stderr, ended.stderr
    # It is not lost for good.
    assert distributed.run(job, command=str(FOURFOLD)).complete


def test_damaged_files_are_noticed_and_done_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    job = small(tmp_path / "job")
    assert distributed.run(job / "manifest.json", command=str(FOURFOLD)).complete
    whole = {path.name: path.read_bytes() for path in job.glob("shard-*.txt")}
    cut, flipped = job / "shard-000001.txt", job / "shard-000004.txt"
    cut.write_bytes(whole[cut.name][:-20])
    bits = bytearray(whole[flipped.name])
    bits[len(bits) // 2] ^= 1
    flipped.write_bytes(bits)
    outcome = distributed.run(job, command=str(FOURFOLD))
    assert outcome.complete and sum(outcome.done_by.values()) == 2
    assert {path.name: path.read_bytes() for path in job.glob("shard-*.txt")} == whole
    said = caplog.text
    assert "shard 1 is done again" in said and "shard 4 is done again" in said


def test_what_comes_back_damaged_is_not_taken(tmp_path: Path) -> None:
    job = small(tmp_path / "job", shards=2)
    folder = fourfold._native.ShardFolder(job)
    with pytest.raises(fourfold.FourfoldError, match="checksum"):
        folder.accept(0, b"half of a shard")
    assert folder.problem(0) == "" and not list(job.glob("shard*"))
    command("shards", "run", job, "--shard", "0")
    sent = (job / "shard-000000.txt").read_bytes()
    with pytest.raises(fourfold.FourfoldError, match="another shard"):
        folder.accept(1, sent)
    (job / "shard-000000.txt").unlink()
    folder.accept(0, sent)
    assert folder.problem(0) is None


def test_what_cannot_work_is_said(tmp_path: Path) -> None:
    with pytest.raises(fourfold.OptionError, match="manifest.json"):
        distributed.run(tmp_path)
    job = small(tmp_path / "job")
    with pytest.raises(fourfold.FourfoldError, match="'no-such' cannot be started"):
        distributed.run(job, command="no-such", wait=0.5)
    with pytest.raises(fourfold.OptionError, match="threads"):
        distributed.run(job, threads=0)
    ended = subprocess.run(
        [str(FOURFOLD), "shards", "run", str(job), "--all", "--dask", "tcp://127.0.0.1:9"],
        env={
            **os.environ,
            "FOURFOLD_PYTHON": sys.executable,
            "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "1s",
        },
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 1
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in ended.stderr, ended.stderr
