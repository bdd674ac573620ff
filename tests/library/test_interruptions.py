"""A library is what it would have been, however often the indexer was killed and however many worked on it."""

import multiprocessing
import os
import signal
import struct
from random import Random

import pytest
from sqlalchemy import MetaData, select

from thumbindex.catalog.database import Database
from thumbindex.catalog.jobs import JobTable
from thumbindex.catalog.listing import Listing
from thumbindex.collection import Collection
from thumbindex.embedding.registry import default_encoder, load_encoder
from thumbindex.indexer import Indexer, _heard
from thumbindex.library_search import LibrarySearch, choose_documents

# What is not the library itself: how it came to be.
_WAYS_THERE = {"jobs", "batches", "schema_version"}
# Forked, so that a process is at work at once and not importing for the time it has to live.
PROCESSES = multiprocessing.get_context("fork")


@pytest.fixture(scope="module", autouse=True)
def encoder():
    """Loaded once, for all processes that are forked from here."""
    name = default_encoder()
    if name is None:
        pytest.skip("needs the weights of the extra `wordllama`")
    return load_encoder(name)


def contents(location):
    """Every row of a library, without when it was written."""
    database = Database.from_location(location)
    tables = MetaData()
    with database.reading() as connection:
        tables.reflect(connection)
        rows = {
            name: sorted(
                tuple(str(value) for key, value in row.items() if key != "added_at")
                for row in connection.execute(select(table)).mappings()
            )
            for name, table in tables.tables.items()
            if name not in _WAYS_THERE
        }
    database.close()
    return rows


def index_and_report(location, files, reports):
    Indexer(location, tell=reports.send).run(files)


def killed_after(news, seconds, location, files):
    """The files that an indexer reported done before it was killed: so long after it had so much news."""
    receiver, sender = PROCESSES.Pipe(duplex=False)
    process = PROCESSES.Process(target=index_and_report, args=(location, files, sender))
    process.start()
    sender.close()
    events = []
    try:
        while len(events) < news:
            events.append(receiver.recv())
        process.join(seconds)
        process.kill()
        while receiver.poll():
            events.append(receiver.recv())
    except (EOFError, OSError):
        pass  # it was done, or killed while it spoke
    process.join()
    return [event.path for event in events if not event.stage]


@pytest.mark.filterwarnings("ignore:Did not recognize type 'halfvec'")  # read as bytes, and compared so
@pytest.mark.parametrize(("kind", "kills"), [("sqlite", 50), ("postgresql", 10)])
def test_killing_the_indexer_at_any_instant_loses_nothing(kind, kills, reports, new_location):
    location, untroubled = new_location(kind), new_location(kind)
    files = reports(24 if kind == "sqlite" else 8)
    database = Database.from_location(location)
    random = Random(6)
    hits = 0
    for _ in range(kills):
        for path in killed_after(random.randrange(20), random.uniform(0, 0.05), location, files):
            # The same run queued all files afresh; what it reported is done, and stays.
            hits += 1
            assert path in complete(database), f"{path} was reported done and is not"
    assert hits, "no run came so far as to report a file"
    database.close()

    report = Indexer(location).run(files)
    assert (report.done, report.left, report.failures) == (len(files), 0, ())
    Indexer(untroubled).run(files)
    assert contents(location) == contents(untroubled)


def die_in_the_middle_of_a_word(pipe):
    os.write(pipe.fileno(), struct.pack("!i", 1_000) + b"of which so much comes")
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_was_killed_in_the_middle_of_a_word_is_not_waited_for():
    ours, theirs = PROCESSES.Pipe(duplex=False)
    worker = PROCESSES.Process(target=die_in_the_middle_of_a_word, args=(theirs,))
    worker.start()
    theirs.close()
    assert _heard(ours) is None
    worker.join()


@pytest.mark.parametrize(("kind", "kills"), [("sqlite", 20), ("postgresql", 5)])
def test_killing_the_workers_again_and_again_does_not_keep_a_run_from_its_end(kind, kills, reports, new_location):
    location, files = new_location(kind), reports(8)
    random, killed = Random(7), []

    def tell(_event):
        workers = multiprocessing.active_children()
        if workers and len(killed) < kills and random.random() < 0.3:
            killed.append(random.choice(workers))
            killed[-1].kill()

    report = Indexer(location, 2, tell).run(files)
    assert len(killed) == kills
    assert (report.done + len(report.failures), report.left) == (len(files), 0)
    assert all("did not survive this file 3 times" in failure.error for failure in report.failures)
    database = Database.from_location(location)
    assert complete(database) >= {str(file) for file in files} - {failure.path for failure in report.failures}
    database.close()
    assert Indexer(location).run(files).done == len(files)


def complete(database):
    """Files of documents of which everything was made."""
    stages = {"metadata", "description"}
    return {entry.path for entry in Listing(database).all() if stages <= set(entry.stages)}


def ask(location, errors):
    try:
        collection = Collection.from_location(location)
        for _ in range(4):
            collection.listing.all()
            choose_documents(collection, "How many pumps did Maker1 Works sell in 2016?", LibrarySearch())
        collection.close()
    except Exception as error:
        errors.put(f"reader: {error}")


def index(location, files, errors):
    try:
        report = Indexer(location).run(files)
        if report.failures or report.left:
            errors.put(f"indexer: {report}")
    except Exception as error:
        errors.put(f"indexer: {error}")


def test_eight_processes_index_while_sixteen_read(location, reports):
    files = reports(16)
    errors = PROCESSES.SimpleQueue()
    readers = [PROCESSES.Process(target=ask, args=(location, errors)) for _ in range(16)]
    # Eight indexers of overlapping halves: every file is wanted by four of them.
    halves = [files[number % 2 :: 2] for number in range(8)]
    indexers = [PROCESSES.Process(target=index, args=(location, half, errors)) for half in halves]
    for process in (*readers, *indexers):
        process.start()
    for process in (*indexers, *readers):
        process.join()
    found = []
    while not errors.empty():
        found.append(errors.get())
    assert found == []
    database = Database.from_location(location)
    entries = Listing(database).all()
    assert [entry.name for entry in entries] == [file.name for file in files]
    assert JobTable(database).unfinished() == []
    database.close()
