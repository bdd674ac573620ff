"""What is to be indexed, who is at it, and what came of it: a table, so that no crash forgets it."""

from __future__ import annotations

import os
import socket
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, delete, func, insert, or_, select, update

from thumbindex.catalog.database import Database
from thumbindex.catalog.schema import batches, jobs

__all__ = ["Failure", "Job", "JobState", "JobTable", "this_process"]

# A worker says every third of this that it lives; one that is killed on another machine is missed after this.
_LEASE_S = 60.0
# A file that its reader did not survive this often is left alone until somebody names it again.
_MOST_ATTEMPTS = 3
_DIED = f"the indexer did not survive this file {_MOST_ATTEMPTS} times"
_ROWS_AT_ONCE = 500


class JobState(StrEnum):
    """How far a job is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"  # and may do better another time
    REFUSED = "refused"  # for what the file is: left alone until somebody names it again


@dataclass(frozen=True, slots=True)
class Job:
    """A file to be indexed, leased to `owner`; `path` may be the id of a kept document that is to be completed."""

    id: int
    path: str
    attempts: int
    owner: str


@dataclass(frozen=True, slots=True)
class Failure:
    """A file that could not be indexed, and why."""

    path: str
    error: str


def this_process() -> str:
    """The name of this process among those that share a database."""
    return f"{socket.gethostname()}/{os.getpid()}"


class JobTable:
    """The jobs of a library.

    Args:
        database: Where they are kept.
        clock: Seconds since 1970.
    """

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def add(self, paths: Sequence[str]) -> str:
        """The name of a new batch with a job for each path; what is not being worked on is queued afresh."""
        batch = uuid.uuid4().hex
        with self._database.writing() as connection:
            self._database.hold(connection, "jobs")
            for some in _in_parts(list(dict.fromkeys(paths))):
                known = {row.path: row for row in connection.execute(select(jobs).where(jobs.c.path.in_(some)))}
                fresh = [{"path": path, "state": JobState.QUEUED, "attempts": 0} for path in some if path not in known]
                if fresh:
                    connection.execute(insert(jobs), fresh)
                _requeue(connection, [row.id for row in known.values() if not self._is_at_work(row)])
                ids = connection.scalars(select(jobs.c.id).where(jobs.c.path.in_(some))).all()
                connection.execute(insert(batches), [{"batch": batch, "job_id": job} for job in ids])
        return batch

    def unfinished(self) -> list[str]:
        """What is neither done nor refused, in the order in which it was added."""
        ended = (JobState.DONE, JobState.REFUSED)
        with self._database.reading() as connection:
            return list(connection.scalars(select(jobs.c.path).where(jobs.c.state.not_in(ended)).order_by(jobs.c.id)))

    def lease(self, batch: str, owner: str) -> Job | None:
        """A job of the batch that nobody is at, now this owner's; None where there is none."""
        with self._database.writing() as connection:
            row = connection.execute(self._takeable(batch)).first()
            while row is not None and row.attempts >= _MOST_ATTEMPTS:
                self._close(connection, row.id, JobState.REFUSED, error=_DIED)
                row = connection.execute(self._takeable(batch)).first()
            if row is None:
                return None
            job = Job(row.id, row.path, row.attempts + 1, owner)
            taken = {"state": JobState.RUNNING, "owner": owner, "lease_until": self._clock() + _LEASE_S}
            connection.execute(update(jobs).where(jobs.c.id == row.id).values(attempts=job.attempts, **taken))
            return job

    def renew(self, job: Job) -> bool:
        """Whether the job is still its owner's; the lease runs from now."""
        with self._database.writing() as connection:
            changed = update(jobs).where(_held(job)).values(lease_until=self._clock() + _LEASE_S)
            return connection.execute(changed).rowcount == 1

    def finish(self, job: Job, document_id: str) -> None:
        """Say that the job is done."""
        self._settle(job, JobState.DONE, document_id=document_id)

    def fail(self, job: Job, error: str) -> None:
        """Say that the job could not be done this time, and why."""
        self._settle(job, JobState.FAILED, error=error)

    def refuse(self, job: Job, error: str) -> None:
        """Say that the file cannot be indexed as it is, and why."""
        self._settle(job, JobState.REFUSED, error=error)

    def release(self, job: Job) -> None:
        """Give the job back; this attempt does not count."""
        with self._database.writing() as connection:
            given = {"state": JobState.QUEUED, "owner": None, "lease_until": None, "attempts": job.attempts - 1}
            connection.execute(update(jobs).where(_held(job)).values(**given))

    def counts(self, batch: str) -> dict[JobState, int]:
        """How many jobs of the batch are in each state."""
        of_batch = select(jobs.c.state, func.count()).join(batches, batches.c.job_id == jobs.c.id)
        with self._database.reading() as connection:
            rows = connection.execute(of_batch.where(batches.c.batch == batch).group_by(jobs.c.state)).all()
        return dict.fromkeys(JobState, 0) | {JobState(state): count for state, count in rows}

    def done(self, batch: str) -> list[tuple[str, str]]:
        """Path and document of the jobs of the batch that are done, in the order in which they were added."""
        ended = select(jobs.c.path, jobs.c.document_id).join(batches, batches.c.job_id == jobs.c.id)
        ended = ended.where(batches.c.batch == batch, jobs.c.state == JobState.DONE).order_by(jobs.c.id)
        with self._database.reading() as connection:
            return [(row.path, row.document_id) for row in connection.execute(ended)]

    def failures(self, batch: str) -> list[Failure]:
        """The jobs of the batch that failed or were refused, by path."""
        failed = select(jobs.c.path, jobs.c.error).join(batches, batches.c.job_id == jobs.c.id)
        without = jobs.c.state.in_((JobState.FAILED, JobState.REFUSED))
        failed = failed.where(batches.c.batch == batch, without).order_by(jobs.c.path)
        with self._database.reading() as connection:
            return [Failure(row.path, row.error or "") for row in connection.execute(failed)]

    def forget(self, batch: str) -> None:
        """Drop the batch; its jobs stay."""
        with self._database.writing() as connection:
            connection.execute(delete(batches).where(batches.c.batch == batch))

    def _is_at_work(self, job: Row[Any]) -> bool:
        """Whether somebody works on it: not where its owner died, or let its lease run out."""
        return job.state == JobState.RUNNING and job.lease_until >= self._clock() and not _is_dead(job.owner)

    def _takeable(self, batch: str) -> Select[Any]:
        running = jobs.c.state == JobState.RUNNING
        left = or_(jobs.c.lease_until < self._clock(), jobs.c.owner.in_(self._dead_owners(batch)))
        takeable = select(jobs.c.id, jobs.c.path, jobs.c.attempts).join(batches, batches.c.job_id == jobs.c.id)
        takeable = takeable.where(batches.c.batch == batch, or_(jobs.c.state == JobState.QUEUED, and_(running, left)))
        return takeable.order_by(jobs.c.id).limit(1).with_for_update(skip_locked=True, of=jobs)

    def _dead_owners(self, batch: str) -> list[str]:
        """Owners of running jobs that were processes of this machine and are no more."""
        owners = select(jobs.c.owner).join(batches, batches.c.job_id == jobs.c.id).distinct()
        with self._database.reading() as connection:
            found = connection.scalars(owners.where(batches.c.batch == batch, jobs.c.state == JobState.RUNNING)).all()
        return [owner for owner in found if owner and _is_dead(owner)]

    def _settle(self, job: Job, state: JobState, document_id: str | None = None, error: str | None = None) -> None:
        with self._database.writing() as connection:
            held = connection.scalar(select(jobs.c.id).where(_held(job)))
            if held is not None:  # another took it over while this one was thought dead: theirs is the last word
                self._close(connection, job.id, state, document_id, error)

    def _close(
        self,
        connection: Connection,
        job_id: int,
        state: JobState,
        document_id: str | None = None,
        error: str | None = None,
    ) -> None:
        values = {"state": state, "document_id": document_id, "error": error, "owner": None, "lease_until": None}
        connection.execute(update(jobs).where(jobs.c.id == job_id).values(**values))


def _requeue(connection: Connection, ids: Sequence[int]) -> None:
    if ids:
        fresh = {"state": JobState.QUEUED, "attempts": 0, "error": None, "owner": None, "lease_until": None}
        connection.execute(update(jobs).where(jobs.c.id.in_(ids)).values(**fresh))


def _held(job: Job) -> ColumnElement[bool]:
    return and_(jobs.c.id == job.id, jobs.c.owner == job.owner, jobs.c.state == JobState.RUNNING)


def _in_parts(paths: Sequence[str]) -> Iterator[Sequence[str]]:
    for first in range(0, len(paths), _ROWS_AT_ONCE):
        yield paths[first : first + _ROWS_AT_ONCE]


def _is_dead(owner: str) -> bool:
    host, _, process = owner.partition("/")
    if host != socket.gethostname() or not process.isdigit():
        return False
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
