"""The worker process: how it is started, watched and ended, and what its troubles mean."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO, cast

from thumbindex.errors import DamagedPdfError, DocumentError, EncryptedPdfError, ParsingLimitError
from thumbindex.pdf.limits import ReadLimits
from thumbindex.pdf.wire import Kind, WireError, receive

__all__ = ["messages"]

_FOLDER = Path(__file__).resolve().parent
# `-I -S`: nothing from the user's environment or the folder they stand in gets into the worker; it finds what this
# process finds. The packages are bare, since `thumbindex/__init__` would bring the whole library, which takes longer to
# import than most files take to read.
_PROGRAM = """
import json, sys, types
task = json.loads(sys.argv[-1])
sys.path[:] = task["path"]
for name, folder in task["packages"].items():
    sys.modules[name] = package = types.ModuleType(name)
    package.__path__ = [folder]
from thumbindex.pdf.worker import main
main()
"""


def messages(
    file: BinaryIO, name: str, limits: ReadLimits, task: Mapping[str, int | float | None]
) -> Iterator[tuple[Kind, bytes]]:
    """What a worker says that does `task` on the open `file`, until it is done.

    The worker is gone when this ends, however it ends.

    Raises:
        DamagedPdfError: The file cannot be opened, or the worker broke on it.
        EncryptedPdfError: The file needs a password.
        ParsingLimitError: The worker passed one of `limits`.
    """
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _PROGRAM, _arguments(limits, task)],
        stdin=file,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    watch = _Watch(process, limits)
    try:
        yield from _received(process, watch, name)
    finally:
        watch.stop()
        process.kill()
        process.communicate()


def _arguments(limits: ReadLimits, task: Mapping[str, int | float | None]) -> str:
    return json.dumps(
        {
            **task,
            "path": [str(Path(entry).absolute()) for entry in sys.path],
            "packages": {"thumbindex": str(_FOLDER.parent), "thumbindex.pdf": str(_FOLDER)},
            "memory_bytes": limits.memory_bytes,
            "seconds": int(limits.document_timeout_s) + 1,
            "max_pages": limits.max_pages,
            "max_page_characters": limits.max_page_characters,
        }
    )


def _received(process: subprocess.Popen[bytes], watch: _Watch, name: str) -> Iterator[tuple[Kind, bytes]]:
    stream = cast(BinaryIO, process.stdout)
    try:
        while message := receive(stream):
            watch.heard()
            if message[0] is Kind.REFUSED:
                raise _refusal(message[1].decode("ascii", "replace"), name)
            yield message
        code = process.wait()
    except WireError as error:
        if watch.expired:
            raise ParsingLimitError(f"{name} takes too long to read: {watch.expired}") from error
        raise DamagedPdfError(f"{name} is damaged: reading it broke off ({error})") from error
    if watch.expired:
        raise ParsingLimitError(f"{name} takes too long to read: {watch.expired}")
    if code:
        raise DamagedPdfError(f"{name} is damaged or takes too much memory: reading it ended with {_cause(code)}")


class _Watch:
    """Kills a worker that says nothing for too long."""

    def __init__(self, process: subprocess.Popen[bytes], limits: ReadLimits) -> None:
        self.expired = ""
        self._process = process
        self._limits = limits
        self._last = time.monotonic()
        self._end = self._last + limits.document_timeout_s
        self._stopped = threading.Event()
        threading.Thread(target=self._run, daemon=True, name="thumbindex-pdf-watch").start()

    def heard(self) -> None:
        """The worker said something."""
        self._last = time.monotonic()

    def stop(self) -> None:
        """Watch no longer."""
        self._stopped.set()

    def _run(self) -> None:
        while not self._stopped.wait(max(0.0, self._due() - time.monotonic())):
            if time.monotonic() >= self._due():
                if time.monotonic() >= self._end:
                    self.expired = f"more than {self._limits.document_timeout_s:g} s"
                else:
                    self.expired = f"more than {self._limits.page_timeout_s:g} s for one page"
                self._process.kill()
                return

    def _due(self) -> float:
        return min(self._end, self._last + self._limits.page_timeout_s)


def _refusal(reason: str, name: str) -> DocumentError:
    if reason == "memory":
        return ParsingLimitError(f"{name} takes too much memory to read")
    if reason == "password":
        return EncryptedPdfError(f"{name} opens with a password only; save a copy without one")
    if reason == "security":
        return EncryptedPdfError(f"{name} is encrypted in a way that cannot be read; save a copy without encryption")
    if reason == "format":
        return DamagedPdfError(f"{name} is damaged: it starts like a PDF but cannot be opened")
    return DamagedPdfError(f"{name} cannot be read: {' '.join(reason.split())[:200]}")


def _cause(code: int) -> str:
    """The exit code of a process in words."""
    if code < 0 and -code in set(signal.Signals):
        return f"signal {signal.Signals(-code).name}"
    return f"code {code}"
