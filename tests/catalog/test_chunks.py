from catalog_documents import document
from samples import tree

from thumbindex.catalog.chunks import chunk_text, chunks_of

PAGES = ["Pumps\n" + "\n".join(f"line {row} of some pumps that we sold last year" for row in range(40)), "", "Valves"]
SECTIONS = tree(("Products", 1, 3, ("Pumps", 1, 2), ("Valves", 3, 3)))


def test_chunks_hold_all_lines_once_and_none_crosses_a_page():
    made = document("a", *PAGES)
    chunks = chunks_of(made, SECTIONS)
    assert [chunk.number for chunk in chunks] == list(range(len(chunks)))
    lines = [(chunk.page, row) for chunk in chunks for row in range(chunk.first_line, chunk.last_line + 1)]
    assert lines == [(1, row) for row in range(41)] + [(2, 0), (3, 0)]


def test_a_chunk_says_where_it_stands_and_what():
    made = document("a", *PAGES)
    last = chunks_of(made, SECTIONS)[-1]
    assert (last.page, last.section) == (3, "Products - Valves")
    assert chunk_text(made, last) == "Products - Valves\nValves"
    assert chunk_text(made, last, "Alder Inc. 10-K") == "Alder Inc. 10-K\nProducts - Valves\nValves"


def test_chunks_are_about_a_paragraph_long():
    made = document("a", *PAGES)
    words = [len(chunk_text(made, chunk).split()) for chunk in chunks_of(made, SECTIONS)]
    assert max(words) <= 140


def test_a_document_without_text_has_no_chunks():
    made = document("a", "x")
    bare = made.pages[0].__class__(1, "1", 612, 792)
    assert chunks_of(made.__class__(made.id, made.name, made.sha256, (bare,)), tree(("A", 1, 1))) == []
