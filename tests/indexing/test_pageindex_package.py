"""The real `pageindex` package (extra `pageindex`) building the tree; skips where it is not installed."""

from pathlib import Path

import pytest

from thumbindex.indexing.pageindex import build_with_pageindex
from thumbindex.pdf import read_pdf
from thumbindex.tree import NodeSource

pytest.importorskip("pageindex", reason="needs the extra pageindex, of 414 MB")

HANDBOOK = Path(__file__).parents[2] / "examples" / "handbook.pdf"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # what it depends on is deprecated
def test_its_local_builder_s_tree_fits_the_document(monkeypatch):
    monkeypatch.delenv("PAGEINDEX_API_KEY", raising=False)
    document = read_pdf(HANDBOOK)
    tree = build_with_pageindex(HANDBOOK, document)
    assert tree.violations(len(document.pages)) == []
    assert len(tree.nodes) > 3
    assert {node.source for _, node in tree.walk()} <= {NodeSource.IMPORTED, NodeSource.PAGES}
