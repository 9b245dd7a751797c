"""What a worker does with one shard: the command runs as a process of its own.

A crash of the command, or the system killing it for its memory, is an exit status here and not the
end of the worker. This file goes to the workers by value and needs the standard library only, so
that a worker needs nothing but Dask and the command ``fourfold``.
"""

from __future__ import annotations

import errno
import signal
import subprocess
import tempfile
import zlib
from pathlib import Path

DONE = "done"
"""The shard is finished; its packed bytes come along unless the folder is shared."""
FAILED = "failed"
"""The command failed on this shard."""
TROUBLE = "trouble"
"""This machine cannot work as it is: its disk is full, say. The shard has nothing to do with it."""
REFUSED = "refused"
"""The command is not here, or not the one that the shards are for."""

Found = tuple[str, str, bytes]
"""One of the above, in what way, and the packed bytes of the shard."""

# What the command prints of the system's errors that are no fault of a shard.
_DISK_ERRORS = tuple(
    f"(os error {code})" for code in (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)
)
_LONGEST_MESSAGE = 2000


def check(command: str, name: str, manifest: str) -> Found:
    """Says whether the command is here and is the one that the manifest is for."""
    try:
        with tempfile.TemporaryDirectory(prefix="fourfold-", dir=_room()) as folder:
            (Path(folder) / name).write_text(manifest, encoding="utf-8")
            asked = [command, "shards", "check", folder]
            ended = subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except (FileNotFoundError, PermissionError) as why:
        return REFUSED, f"the command {command!r} cannot be started ({why.strerror})", b""
    except OSError as why:
        return TROUBLE, str(why), b""
    if ended.returncode == 0:
        return DONE, ended.stdout.strip(), b""
    return REFUSED, _message(ended.stderr) or f"exit status {ended.returncode}", b""


def do(
    command: str,
    name: str,
    manifest: str,
    shard: int,
    options: list[str],
    shared: str | None,
    running: set[subprocess.Popen[str]] | None = None,
) -> Found:
    """Does a shard, in the shared folder or in one of its own that is removed afterwards."""
    try:
        if shared is not None:
            found = _run(command, shared, shard, options, running)
        else:
            with tempfile.TemporaryDirectory(prefix="fourfold-", dir=_room()) as folder:
                (Path(folder) / name).write_text(manifest, encoding="utf-8")
                found = _run(command, folder, shard, options, running)
                files = list(Path(folder).glob("shard-*.txt"))
                if found[0] == DONE and len(files) == 1:
                    return DONE, "", zlib.compress(files[0].read_bytes(), 1)
                if found[0] == DONE:
                    return FAILED, f"the command left {len(files)} files and not one", b""
        if found[0] == REFUSED:
            # Is it the program, or this shard?
            fits = check(command, name, manifest)
            return (FAILED, found[1], b"") if fits[0] == DONE else fits
        return found
    except FileNotFoundError as why:
        return REFUSED, f"the command {command!r} cannot be started ({why.strerror})", b""
    except OSError as why:
        return TROUBLE, str(why), b""


def _run(
    command: str,
    folder: str,
    shard: int,
    options: list[str],
    running: set[subprocess.Popen[str]] | None,
) -> Found:
    words = [command, "shards", "run", folder, "--shard", str(shard), "--threads", "1"]
    # Its input stays open as long as this process lives: it ends if the worker is killed.
    process = subprocess.Popen(
        [*words, "--attended", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )
    with process:
        if running is not None:
            running.add(process)
        try:
            said = process.stderr.read() if process.stderr else ""
            code = process.wait()
        finally:
            if running is not None:
                running.discard(process)
    if code == 0:
        return DONE, "", b""
    if code < 0:
        try:
            ended = signal.Signals(-code).name
        except ValueError:
            ended = f"signal {-code}"
        return FAILED, f"the command was ended by {ended}", b""
    said = _message(said)
    if any(text in said for text in _DISK_ERRORS):
        return TROUBLE, said, b""
    # A command line that makes no sense: most likely to a program of another version.
    return REFUSED if code == 2 else FAILED, said or f"exit status {code}", b""


def _message(said: str) -> str:
    return said.strip()[-_LONGEST_MESSAGE:].removeprefix("fourfold: ")


def _room() -> str | None:
    """Where a Dask worker keeps its files; None is the system's folder."""
    try:
        from distributed import get_worker

        return str(get_worker().local_directory)
    except (ImportError, ValueError):
        return None
