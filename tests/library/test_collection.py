import os

import numpy as np
import pytest

from thumbindex.catalog.database import Database
from thumbindex.catalog.facts import Fact, Rank
from thumbindex.catalog.store import Store
from thumbindex.collection import Collection, Vectors
from thumbindex.embedding.registry import default_encoder
from thumbindex.errors import OptionError, PathError
from thumbindex.generation.base import Written
from thumbindex.indexer import Given, Indexer, pdf_files
from thumbindex.library import Library


class Writer:
    name = "writer-1"

    def write(self, _prompt):
        return Written("A report on pumps.", 1, 1)


class Axis:
    """An encoder to which all texts are one axis."""

    name, dimensions = "axis-1", 2

    def __init__(self, axis):
        self.vector = np.eye(2, dtype=np.float32)[[axis]]

    def encode(self, texts):
        return self.vector.repeat(len(texts), axis=0)


class Other(Axis):
    name = "other-1"


@pytest.fixture
def collection(location):
    made = Collection.from_location(location)
    yield made
    made.close()


def test_a_document_is_read_described_and_filled_in(collection, reports):
    (file,) = reports(1)
    entry = collection.add(file)
    assert {name: value.value for name, value in entry.fields.items()} == {
        "company": "Maker0 Works Inc.",
        "report_type": "annual report",
        "fiscal_year": 2015,
        "report_date": "2015-12-31",
    }
    assert entry.fields["company"].source == "page 1"
    assert entry.description.startswith("Maker0 Works Inc. annual report, fiscal year 2015")
    assert {"metadata", "description"} <= set(entry.stages)
    assert ("vectors" in entry.stages) == (default_encoder() is not None)


def test_the_same_bytes_under_two_names_are_one_document(collection, reports, tmp_path):
    (file,) = reports(1)
    copy = tmp_path / "copy.pdf"
    copy.write_bytes(file.read_bytes())
    assert collection.add(file).id == collection.add(copy).id
    assert collection.listing.count() == 1


def test_a_copy_goes_by_its_own_name_where_its_bytes_were_read_before(reports, tmp_path):
    (file,) = reports(1)
    copy = tmp_path / "copy.pdf"
    copy.write_bytes(file.read_bytes())
    cache = Library(Store(Database.from_location(tmp_path / "cache.sqlite")))
    assert [cache.open(path).document.name for path in (file, copy, file)] == [file.name, "copy.pdf", file.name]


def test_an_id_may_be_cut_short(collection, reports):
    entry = collection.add(reports(1)[0])
    assert collection.listing.entry(entry.id[:6]).id == entry.id
    assert collection.open(entry.id[:6]).id == entry.id


def test_what_tells_of_a_document_is_made_anew_with_its_metadata(new_location, reports):
    (file,) = reports(1)
    database = Database.from_location(new_location("sqlite"))
    told = []

    class Listening(Axis):
        def encode(self, texts):
            told.extend(texts)
            return super().encode(texts)

    collection = Collection(database, Listening(0))
    collection.add(file)
    assert told[-1].startswith("Maker0 Works Inc. annual report, fiscal year 2015\n")
    entry = collection.add(file, [Fact("company", "Grande", "flag", Rank.FLAG)])
    assert entry.description.startswith("Grande annual report, fiscal year 2015")
    assert told[-1].startswith("Grande annual report, fiscal year 2015\n")
    asked = len(told)
    collection.add(file)
    assert len(told) == asked
    collection.close()


def test_metadata_that_the_user_gives_count_more(location, reports):
    files = reports(2)
    flags = [Fact("company", "Grande", "flag", Rank.FLAG)]
    rows = {files[1].name: [Fact("fiscal_year", "1999", "CSV", Rank.CSV)]}
    Indexer(location, given=Given(flags, rows)).run(files)
    collection = Collection.from_location(location)
    first, second = collection.listing.all()
    assert [first.value("company"), first.value("fiscal_year")] == ["Grande", 2015]
    assert [second.value("company"), second.value("fiscal_year")] == ["Grande", 1999]
    assert second.description.startswith("Grande annual report, fiscal year 1999")
    collection.close()


def test_a_file_that_fails_does_not_stop_the_others(location, reports):
    files = reports(2)
    files[0].write_bytes(b"%PDF-1.4 and then nothing")
    report = Indexer(location).run(files)
    assert report.done == 1
    assert [failure.path for failure in report.failures] == [str(files[0])]
    assert "damaged" in report.failures[0].error


def test_several_processes_share_the_work(location, reports):
    files = reports(6)
    events = []
    report = Indexer(location, 2, events.append).run(files)
    assert report.done == 6
    assert sorted(event.path for event in events if not event.stage) == sorted(map(str, files))


def test_a_chat_model_may_write_the_descriptions(location, reports):
    collection = Collection.from_location(location, generator=Writer())
    entry = collection.add(reports(1)[0])
    assert entry.description == "A report on pumps."
    assert "writer-1" in entry.stages["description"]
    collection.close()


def test_what_a_chat_model_or_a_named_encoder_made_stays_where_none_is_named(new_location, reports, monkeypatch):
    (file,) = reports(1)
    location = new_location("sqlite")
    dear = Collection(Database.from_location(location), Axis(0), generator=Writer())
    made = dear.add(file)
    dear.close()
    monkeypatch.setattr("thumbindex.collection.default_encoder", lambda: Other(1))
    cheap = Collection.from_location(location)
    assert cheap.is_complete(made)
    assert cheap.add(file) == made
    assert cheap.vectors_note() == "1 of 1 document has vectors of another encoder: name it with --encoder"
    cheap.close()
    named = Collection(Database.from_location(location), Other(1))
    assert not named.is_complete(made)
    assert named.complete(made.id).stages["vectors"].endswith("other-1")
    named.close()


def test_vectors_that_another_collection_made_anew_are_found_by_this_one(new_location, reports):
    (file,) = reports(1)
    location = new_location("sqlite")
    ours, theirs = (Collection(Database.from_location(location), Axis(axis)) for axis in (0, 1))
    entry = ours.add(file)
    assert ours.vectors.search(ours.encoder.vector, 1)[0].score == 1
    theirs.remove(entry.id)
    assert theirs.add(file).id == entry.id
    assert ours.vectors.search(theirs.encoder.vector, 1)[0].score == 1
    assert ours.vectors.search(ours.encoder.vector, 1)[0].score == 0
    ours.close()
    theirs.close()


def test_vectors_may_be_kept_by_chroma(new_location, reports):
    pytest.importorskip("chromadb")
    if default_encoder() is None:
        pytest.skip("needs the weights of the extra `wordllama`")
    place = new_location("sqlite")
    collection = Collection.from_location(place, vectors=Vectors.CHROMA)
    entry = collection.add(reports(1)[0])
    assert entry.stages["vectors"].endswith("in chroma")
    collection.close()
    later = Collection.from_location(place)  # what was begun is found
    about_pumps = later.encoder.encode(["pumps sold abroad"])
    assert later.vectors.search(about_pumps, 1)[0].document_id == entry.id
    later.remove(entry.id)
    assert later.vectors.search(about_pumps, 1) == []
    later.close()


def test_a_url_of_another_kind_is_refused():
    with pytest.raises(OptionError, match="postgresql://"):
        Collection.from_location("mysql://somewhere/else")


def test_folders_files_and_patterns_name_pdfs(tmp_path):
    (tmp_path / "below").mkdir()
    for name in ("a.pdf", "B.PDF", "c.txt", "below/d.pdf"):
        (tmp_path / name).write_bytes(b"")
    found = lambda *sources, **options: [file.name for file in pdf_files([*map(str, sources)], **options)]  # noqa: E731
    assert found(tmp_path) == ["B.PDF", "a.pdf"]
    assert found(tmp_path, recursive=True) == ["B.PDF", "a.pdf", "d.pdf"]
    assert found(tmp_path / "*.pdf", tmp_path / "a.pdf") == ["a.pdf"]
    with pytest.raises(PathError, match="there is no file"):
        found(tmp_path / "none.pdf")
    with pytest.raises(PathError, match="names no PDF"):
        found(tmp_path / "below" / "*.txt")


def test_what_cannot_be_read_at_all_is_told_and_does_not_stop_the_others(new_location, reports):
    (file,) = reports(1)
    folder = file.parent
    os.mkfifo(folder / "pipe.pdf")
    (folder / "dangling.pdf").symlink_to(folder / "none.pdf")
    (folder / os.fsdecode(b"inv\xff\xfename.pdf")).write_bytes(file.read_bytes())
    report = Indexer(new_location("sqlite")).run(pdf_files([str(folder)]))
    assert (report.done, report.left) == (1, 0)
    told = {failure.path: failure.error for failure in report.failures}
    assert "a pipe" in told.pop(str(folder / "pipe.pdf"))
    assert "a link to a file that is not there" in told.pop(str(folder / "dangling.pdf"))
    assert "not UTF-8" in told.pop(rf"{folder}/inv\xff\xfename.pdf")
    assert told == {}


def test_a_folder_that_may_not_be_read_is_refused_and_one_below_is_told(reports, monkeypatch):
    folder = reports(1)[0].parent
    (folder / "closed").mkdir()
    scan = os.scandir

    def refuse(closed):
        def scandir(place):
            if str(place) == str(closed):
                raise PermissionError(13, "Permission denied", str(place))
            return scan(place)

        monkeypatch.setattr(os, "scandir", scandir)

    refuse(folder)
    with pytest.raises(PathError, match=r"cannot read .*reports: Permission denied"):
        pdf_files([str(folder)])
    refuse(folder / "closed")
    assert folder / "closed" in pdf_files([str(folder)], recursive=True)
