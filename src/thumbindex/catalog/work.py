"""Working off the jobs of a batch, one after another, until none is left to take."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from thumbindex.catalog.jobs import Job, JobState, JobTable
from thumbindex.errors import DocumentError, PathError, ThumbindexError

__all__ = ["work"]

_HEARTBEAT_S = 20.0
# How often it is looked whether a job that another process holds has come free.
_LOOK_AGAIN_S = 0.25


def work(
    jobs: JobTable,
    batch: str,
    owner: str,
    handle: Callable[[Job], str],
    settled: Callable[[Job], object] = lambda _job: None,
) -> None:
    """Do the jobs of a batch that nobody else does, and wait for those that somebody does.

    Args:
        jobs: The table.
        batch: Whose jobs.
        owner: Who does them.
        handle: Does one and returns the id of its document.
        settled: Told of each job once the table says what came of it.

    Raises:
        KeyboardInterrupt: The user stopped it; the job at hand was given back.
    """
    while True:
        job = jobs.lease(batch, owner)
        if job is not None:
            _do(jobs, job, handle)
            settled(job)
        elif not _unfinished(jobs.counts(batch)):
            return
        else:
            time.sleep(_LOOK_AGAIN_S)


def _unfinished(counts: Mapping[JobState, int]) -> int:
    """Jobs that somebody is at, or about to take: a queued one that cannot be leased is being leased by another."""
    return counts[JobState.QUEUED] + counts[JobState.RUNNING]


def _do(jobs: JobTable, job: Job, handle: Callable[[Job], str]) -> None:
    try:
        with _heartbeat(jobs, job):
            document_id = handle(job)
    except (DocumentError, PathError) as error:
        jobs.refuse(job, str(error))
    except ThumbindexError as error:
        jobs.fail(job, str(error))
    except Exception as error:  # a fault of ours in one file must not end the run of a thousand
        jobs.fail(job, f"{type(error).__name__}: {error}")
    except BaseException:
        jobs.release(job)
        raise
    else:
        jobs.finish(job, document_id)


@contextmanager
def _heartbeat(jobs: JobTable, job: Job) -> Iterator[None]:
    done = threading.Event()

    def beat() -> None:
        while not done.wait(_HEARTBEAT_S):
            jobs.renew(job)

    thread = threading.Thread(target=beat, daemon=True, name="thumbindex-heartbeat")
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
