"""Indexing many files: a batch of jobs in the library's database, done by this process or by several.

A run may be killed at any instant, and runs may go on side by side: the jobs know who is at what.
"""

from __future__ import annotations

import glob
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import cast

from thumbindex.catalog.facts import Fact
from thumbindex.catalog.jobs import Failure, Job, JobState, this_process
from thumbindex.catalog.listing import Entry
from thumbindex.catalog.work import work
from thumbindex.collection import Collection, Vectors
from thumbindex.errors import PathError
from thumbindex.generation.chat import ChatGenerator
from thumbindex.pdf import READER, check_file, printable

__all__ = ["Given", "IndexEvent", "IndexReport", "Indexer", "pdf_files"]

_GRACE_S = 10.0
# Workers that die one after the other without a word from any between do not die of the files.
_MOST_DEATHS = 5


@dataclass(frozen=True, slots=True)
class IndexEvent:
    """News of a run: a file is at a stage (`done` of `total` steps), or, where `stage` is empty, is finished."""

    path: str
    stage: str = ""
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What came of a run.

    Attributes:
        new: Files of documents that the library did not have.
        completed: Documents that it had, and of which something was still to be made.
        present: Files of documents that were there already.
        copies: Files of the same bytes as another one of this run.
        left: Files for the next run.
        failures: Those that failed.
        unmatched: Names of files with metadata of their own that were not indexed.
    """

    new: int = 0
    completed: int = 0
    present: int = 0
    copies: int = 0
    left: int = 0
    failures: tuple[Failure, ...] = ()
    unmatched: tuple[str, ...] = ()

    @property
    def done(self) -> int:
        """Files that are in the library now."""
        return self.new + self.completed + self.present + self.copies


@dataclass(frozen=True)
class Given:
    """Metadata that the user gives: for all files, and by casefolded file name."""

    flags: Sequence[Fact] = ()
    by_file: Mapping[str, Sequence[Fact]] = field(default_factory=dict)

    def facts(self, file: Path) -> list[Fact]:
        """Those of a file."""
        return [*self.by_file.get(file.name.casefold(), ()), *self.flags]


def pdf_files(sources: Sequence[str], *, recursive: bool = False) -> list[Path]:
    """The files that paths, folders and patterns name, each once; of a folder its PDFs, with `recursive` all below.

    Raises:
        PathError: One of them names nothing.
    """
    found: dict[Path, None] = {}
    for source in sources:
        try:
            files = list(_files(source, recursive))
        except OSError as error:
            raise PathError(f"cannot read {printable(Path(source))}: {error.strerror}") from error
        if not files:
            raise PathError(f"{source} names no PDF file" + ("" if recursive else " (--recursive looks below folders)"))
        found |= dict.fromkeys(file.absolute() for file in files)
    return list(found)


def _files(source: str, recursive: bool) -> Iterator[Path]:
    path = Path(source)
    if path.is_dir():
        yield from _pdfs_in(path, recursive)
    elif os.path.lexists(path):  # a link to nothing, too: that it fails is told with what else fails
        yield path
    elif glob.has_magic(source):
        yield from sorted(file for file in map(Path, glob.iglob(source, recursive=True)) if not file.is_dir())  # noqa: PTH207 - a pattern may be absolute
    else:
        raise PathError(f"there is no file {printable(path)}")


def _pdfs_in(folder: Path, recursive: bool) -> list[Path]:
    """What is called a PDF in a folder; folders below it that cannot be read are among it, to be told as failed.

    Raises:
        OSError: The folder itself cannot be read.
    """
    unreadable: list[Path] = []

    def note(error: OSError) -> None:
        if error.filename is None or Path(error.filename) == folder:
            raise error
        unreadable.append(Path(error.filename))

    found: list[Path] = []
    for place, _, names in os.walk(folder, onerror=note):
        found += [Path(place, name) for name in names if name.lower().endswith(".pdf")]
        if not recursive:
            break
    return sorted([*found, *unreadable])


def _refusals(files: Sequence[Path]) -> dict[Path, Failure]:
    """Those of the files that cannot be tried at all, and why."""
    refused = {}
    for file in files:
        try:
            check_file(file)
        except PathError as error:
            refused[file] = Failure(printable(file), str(error))
    return refused


def _left(paths: list[str], incomplete: Sequence[Entry]) -> list[str]:
    """Files that earlier runs left, and the ids of other documents of which something can be made."""
    known = set(paths)
    return paths + [
        entry.id
        for entry in incomplete
        if entry.path not in known and (entry.reader == READER or Path(entry.path).is_file())
    ]


def _report(
    documents: Sequence[str], complete: Mapping[str, bool], left: int, failures: tuple[Failure, ...]
) -> IndexReport:
    """What came of files.

    Args:
        documents: What each file that is done turned out to be.
        complete: Documents that were there before, and whether nothing was to be made of them.
        left: Files not done.
        failures: Files that failed.
    """
    once = set(documents)
    new = len(once - complete.keys())
    present = sum(complete.get(document, False) for document in once)
    completed = len(once) - new - present
    return IndexReport(new, completed, present, len(documents) - len(once), left, failures)


class Indexer:
    """Indexes files into the library at a location.

    Args:
        location: A path or a URL, as `Collection.from_location` takes it.
        jobs: How many processes work; 1 does it in this one.
        tell: Called with the news.
        given: Metadata of the files.
        encoder: Name of what makes vectors; by default the one whose weights are installed, if any.
        llm: Name of a chat model that writes the descriptions; by default they are extractive.
        vectors: Where vectors are kept.
    """

    def __init__(  # noqa: PLR0913
        self,
        location: str,
        jobs: int = 1,
        tell: Callable[[IndexEvent], None] | None = None,
        given: Given | None = None,
        encoder: str | None = None,
        llm: str | None = None,
        vectors: Vectors = Vectors.AUTO,
    ) -> None:
        self._parts = _Parts(location, encoder, llm, vectors)
        self._jobs = jobs
        self._tell = tell or (lambda _event: None)
        self._given = given or Given()

    def run(self, files: Sequence[Path] | None = None) -> IndexReport:
        """Index the files, or with None what earlier runs left and what is to be made of documents that are there.

        Raises:
            KeyboardInterrupt: The user stopped it; what was done stays done.
        """
        refused = _refusals(files or ())
        collection = self._parts.opened()
        table = collection.jobs
        try:
            before = collection.listing.all()
            complete = {entry.id: collection.is_complete(entry) for entry in before}
            if files is None:
                batch = table.add(_left(table.unfinished(), [entry for entry in before if not complete[entry.id]]))
            else:
                batch = table.add([str(file.absolute()) for file in files if file not in refused])
            if self._jobs == 1:
                _work_off(collection, batch, self._given, self._tell)
            else:
                self._in_processes(batch)
            counts = table.counts(batch)
            left = counts[JobState.QUEUED] + counts[JobState.RUNNING]
            failures = (*refused.values(), *table.failures(batch))
            done = table.done(batch)
            report = _report([document for _, document in done], complete, left, failures)
            named = {Path(path).name.casefold() for path, _ in done}
            report = replace(report, unmatched=tuple(name for name in self._given.by_file if name not in named))
            table.forget(batch)
            return report
        finally:
            collection.close()

    def _in_processes(self, batch: str) -> None:
        """Let workers do the batch; one that dies gets a successor.

        Each has a pipe of its own for its news: one that is killed in the middle of a word does not garble the others.
        """
        workers: dict[Connection, BaseProcess] = {}
        deaths = 0
        try:
            for _ in range(self._jobs):
                self._start_worker(batch, workers)
            while workers:
                for pipe in cast("list[Connection]", wait(list(workers))):
                    if event := _heard(pipe):
                        deaths = 0
                        self._tell(event)
                        continue
                    pipe.close()
                    worker = workers.pop(pipe)
                    worker.join()
                    if worker.exitcode and deaths < _MOST_DEATHS:
                        deaths += 1
                        self._start_worker(batch, workers)
        except BaseException:
            _stop(list(workers.values()))
            raise

    def _start_worker(self, batch: str, workers: dict[Connection, BaseProcess]) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe(duplex=False)
        worker = context.Process(target=_worker, args=(self._parts, batch, self._given, theirs), daemon=True)
        worker.start()
        theirs.close()  # so that the pipe ends with the worker
        workers[ours] = worker


def _heard(pipe: Connection) -> IndexEvent | None:
    """The next news of a worker; None where it is gone."""
    try:
        event: IndexEvent = pipe.recv()
    except (EOFError, OSError):  # also where it was killed in the middle
        return None
    return event


def _stop(workers: Sequence[BaseProcess]) -> None:
    """End the workers: they give back what they are at, or are ended without that after a while."""
    for worker in workers:
        if worker.pid is not None and worker.is_alive():
            os.kill(worker.pid, signal.SIGINT)
    deadline = time.monotonic() + _GRACE_S
    for worker in workers:
        worker.join(max(0.0, deadline - time.monotonic()))
        if worker.is_alive():
            worker.kill()


@dataclass(frozen=True)
class _Parts:
    """What a process needs to open the library."""

    location: str
    encoder: str | None
    llm: str | None
    vectors: Vectors

    def opened(self) -> Collection:
        generator = ChatGenerator.from_spec(self.llm) if self.llm else None
        return Collection.from_location(self.location, self.encoder, generator=generator, vectors=self.vectors)


def _worker(parts: _Parts, batch: str, given: Given, pipe: Connection) -> None:
    def tell(event: IndexEvent) -> None:
        with suppress(OSError):  # nobody listens any more: no fault of the file
            pipe.send(event)

    threading.Thread(target=_end_with_parent, daemon=True).start()
    collection = parts.opened()
    try:
        _work_off(collection, batch, given, tell)
    except KeyboardInterrupt:
        pass  # the parent says so
    finally:
        collection.close()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work_off(collection: Collection, batch: str, given: Given, tell: Callable[[IndexEvent], None]) -> None:
    def handle(job: Job) -> str:
        kept = collection.listing.find(job.path)

        def progress(stage: str, done: int, total: int) -> None:
            tell(IndexEvent(job.path, stage, done, total))

        if kept:
            return collection.complete(kept.id, progress).id
        return collection.add(Path(job.path), given.facts(Path(job.path)), progress).id

    work(collection.jobs, batch, this_process(), handle, lambda job: tell(IndexEvent(job.path)))
