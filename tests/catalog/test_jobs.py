import os
import socket
import subprocess
import sys

import pytest

from thumbindex.catalog.jobs import JobState, JobTable
from thumbindex.catalog.work import work
from thumbindex.errors import DamagedPdfError, StoreError

ME, OTHER = "here/1", "there/2"


class Clock:
    now = 1_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def jobs(database, clock):
    return JobTable(database, clock)


def counts(jobs, batch):
    return {state.value: count for state, count in jobs.counts(batch).items() if count}


def test_each_job_is_leased_once(jobs):
    batch = jobs.add(["/a.pdf", "/b.pdf", "/a.pdf"])
    assert [jobs.lease(batch, ME).path, jobs.lease(batch, OTHER).path] == ["/a.pdf", "/b.pdf"]
    assert jobs.lease(batch, ME) is None


def test_a_finished_job_is_done_and_a_failed_one_says_why(jobs):
    batch = jobs.add(["/a.pdf", "/b.pdf"])
    jobs.finish(jobs.lease(batch, ME), "f" * 16)
    jobs.fail(jobs.lease(batch, ME), "b.pdf is damaged")
    assert counts(jobs, batch) == {"done": 1, "failed": 1}
    assert [(failure.path, failure.error) for failure in jobs.failures(batch)] == [("/b.pdf", "b.pdf is damaged")]


def test_a_lease_that_runs_out_is_taken_over_and_its_owner_has_no_say_any_more(jobs, clock):
    batch = jobs.add(["/a.pdf"])
    lost = jobs.lease(batch, OTHER)
    clock.now += 1_000
    taken = jobs.lease(batch, ME)
    assert taken.path == "/a.pdf"
    jobs.fail(lost, "too late")
    assert not jobs.renew(lost)
    jobs.finish(taken, "f" * 16)
    assert counts(jobs, batch) == {"done": 1}


def test_a_lease_that_is_renewed_is_kept(jobs, clock):
    batch = jobs.add(["/a.pdf"])
    job = jobs.lease(batch, OTHER)
    for _ in range(5):
        clock.now += 50
        assert jobs.renew(job)
        assert jobs.lease(batch, ME) is None


def test_a_job_of_a_process_that_is_gone_is_taken_at_once(jobs):
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    batch = jobs.add(["/a.pdf"])
    jobs.lease(batch, f"{socket.gethostname()}/{int(gone.stdout)}")
    assert jobs.lease(batch, ME) is not None
    assert jobs.lease(batch, f"{socket.gethostname()}/{os.getpid()}") is None


def test_a_file_that_ends_its_reader_is_left_alone_in_the_end(jobs, clock):
    batch = jobs.add(["/a.pdf"])
    while jobs.lease(batch, OTHER):
        clock.now += 1_000
    assert "did not survive" in jobs.failures(batch)[0].error
    batch = jobs.add(["/a.pdf"])  # asked for again, it gets another chance
    assert jobs.lease(batch, ME) is not None


def test_a_file_that_is_asked_for_again_starts_afresh_though_its_reader_died(jobs, clock):
    batch = jobs.add(["a"])
    for _ in range(3):
        assert jobs.lease(batch, OTHER).path == "a"
        clock.now += 1_000
    again = jobs.add(["a"])
    assert jobs.lease(again, ME).attempts == 1


def test_a_job_that_is_given_back_counts_no_attempt(jobs):
    batch = jobs.add(["/a.pdf"])
    for _ in range(5):
        jobs.release(jobs.lease(batch, ME))
    assert jobs.lease(batch, ME).attempts == 1


def test_what_was_left_over_is_a_batch_of_its_own(jobs):
    batch = jobs.add(["/a.pdf", "/b.pdf"])
    jobs.finish(jobs.lease(batch, ME), "f" * 16)
    assert counts(jobs, jobs.add(jobs.unfinished())) == {"queued": 1}


def test_two_runs_may_wait_for_one_job(jobs):
    mine, theirs = jobs.add(["/a.pdf"]), jobs.add(["/a.pdf", "/b.pdf"])
    jobs.finish(jobs.lease(mine, ME), "f" * 16)
    assert counts(jobs, theirs) == {"done": 1, "queued": 1}


def test_work_goes_on_after_a_file_that_fails_and_is_given_back_when_stopped(jobs):
    def handle(job):
        if job.path == "/a.pdf":
            raise DamagedPdfError("a.pdf is damaged")
        if job.path == "/c.pdf":
            raise KeyboardInterrupt
        return "f" * 16

    batch = jobs.add(["/a.pdf", "/b.pdf", "/c.pdf"])
    settled = []
    with pytest.raises(KeyboardInterrupt):
        work(jobs, batch, ME, handle, settled.append)
    assert counts(jobs, batch) == {"refused": 1, "done": 1, "queued": 1}
    assert [job.path for job in settled] == ["/a.pdf", "/b.pdf"]
    assert jobs.counts(batch)[JobState.RUNNING] == 0


def test_a_file_that_is_refused_is_not_among_what_is_left_before_it_is_named_again(jobs):
    def handle(job):
        raise DamagedPdfError("damaged") if job.path == "/a.pdf" else StoreError("the disk is full")

    batch = jobs.add(["/a.pdf", "/b.pdf"])
    work(jobs, batch, ME, handle)
    assert [failure.path for failure in jobs.failures(batch)] == ["/a.pdf", "/b.pdf"]
    assert jobs.unfinished() == ["/b.pdf"]
    assert jobs.lease(jobs.add(["/a.pdf"]), ME).path == "/a.pdf"
