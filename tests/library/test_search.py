import json

import pytest

from thumbindex.collection import Collection
from thumbindex.errors import OptionError, QuestionError, UnknownDocumentError
from thumbindex.generation.base import Written
from thumbindex.indexer import Indexer
from thumbindex.library_search import By, LibrarySearch, search_library

QUESTION = "How many boilers did Maker0 Works sell in 2018?"


class Canned:
    """A chat model that gives these answers one after the other, and the last one from then on."""

    name = "canned"

    def __init__(self, *texts):
        self.texts = list(texts)

    def write(self, _prompt):
        return Written(self.texts.pop(0) if len(self.texts) > 1 else self.texts[0], 1, 1)


@pytest.fixture
def collection(location, reports):
    files = reports(8)
    Indexer(location).run(files)
    made = Collection.from_location(location)
    yield made
    made.close()


def names(finding):
    return [finding.entries[document.document_id].name for document in finding.documents]


@pytest.mark.parametrize("by", list(By))
def test_every_way_leads_to_the_page(by, collection):
    if by is By.SEMANTICS and collection.encoder is None:
        pytest.skip("needs the weights of the extra `wordllama`")
    finding = search_library(collection, QUESTION, LibrarySearch(by, documents=8))
    assert "report-03.pdf" in names(finding)[:3]
    assert ("report-03.pdf", 2) in [(page.document.name, page.found.page) for page in finding.pages]


def test_auto_puts_the_right_document_first_and_says_what_led_there(collection):
    finding = search_library(collection, QUESTION)
    assert names(finding)[0] == "report-03.pdf"
    assert "metadata" in finding.documents[0].ways
    assert "company IN ('Maker0 Works Inc.')" in finding.choosings[0].sql
    assert finding.pages[0].score == finding.pages[0].document_probability * finding.pages[0].found.probability
    json.dumps(finding.to_json())


def test_the_pages_shown_lead_the_ranking_of_all_pages(collection):
    finding = search_library(collection, QUESTION, LibrarySearch(documents=3, pages=2))
    ranked = [(entry.id, page) for entry, page in finding.page_ranking]
    assert ranked[: len(finding.pages)] == [(page.document.id, page.found.page) for page in finding.pages]
    assert len(set(ranked)) == len(ranked) == sum(len(found.ranking) for found in finding.findings)


def test_a_library_without_documents_finds_nothing(location):
    collection = Collection.from_location(location)
    finding = search_library(collection, QUESTION)
    assert (finding.documents, finding.pages, finding.answered) == ((), (), False)
    collection.close()


def test_a_question_that_is_empty_is_refused(collection):
    with pytest.raises(QuestionError):
        search_library(collection, "  ")
    with pytest.raises(OptionError, match="documents is 1 or more"):
        LibrarySearch(documents=0)


def test_a_removed_document_is_not_found(collection):
    finding = search_library(collection, QUESTION)
    collection.remove(finding.documents[0].document_id)
    assert "report-03.pdf" not in names(search_library(collection, QUESTION, LibrarySearch(documents=8)))
    with pytest.raises(UnknownDocumentError):
        collection.remove(finding.documents[0].document_id)


def test_a_chat_model_chooses_by_sql_and_picks_by_description(collection):
    pytest.importorskip("sqlglot", reason="needs the extra `chat`")
    wanted = next(entry.id for entry in collection.listing.all() if entry.name == "report-05.pdf")
    pick = json.dumps({"thinking": "the second maker", "answer": [wanted, "0000000000000000"]})
    collection.generator = Canned("SELECT document_id FROM library WHERE fiscal_year = 2016", pick)
    finding = search_library(collection, "What about the year before 2017?")
    assert names(finding)[0] == "report-05.pdf"
    assert '"fiscal_year" = 2016' in finding.choosings[0].sql
    assert "the second maker" in finding.documents[0].ways["description"][1].reason


def test_what_a_chat_model_should_not_write_falls_back_to_the_filter(collection):
    pytest.importorskip("sqlglot", reason="needs the extra `chat`")
    collection.generator = Canned("DELETE FROM documents", "I pick the third one!")
    finding = search_library(collection, QUESTION)
    assert names(finding)[0] == "report-03.pdf"
    assert "no SELECT but a DELETE" in finding.choosings[0].note
    assert "JSON" in finding.choosings[-1].note
    assert collection.listing.count() == 8
