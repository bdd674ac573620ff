"""Ask a long document a question; get the page and the line that answer it, with a probability for each.

import thumbindex

document = thumbindex.open("report.pdf")
finding = document.find("How much did the company spend on capital expenditure in 2025?")
for page in finding.pages:
print(page.page, page.probability, page.path)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from thumbindex.collection import Collection
    from thumbindex.errors import ThumbindexError
    from thumbindex.indexing import IndexOptions
    from thumbindex.library import IndexedDocument, Library, open
    from thumbindex.search import Finding, SearchOptions

__all__ = [
    "Collection",
    "Finding",
    "IndexOptions",
    "IndexedDocument",
    "Library",
    "SearchOptions",
    "ThumbindexError",
    "__version__",
    "open",
]

__version__ = "0.1.0"

_HOMES = {
    "Collection": "thumbindex.collection",
    "Finding": "thumbindex.search",
    "IndexOptions": "thumbindex.indexing",
    "IndexedDocument": "thumbindex.library",
    "Library": "thumbindex.library",
    "SearchOptions": "thumbindex.search",
    "ThumbindexError": "thumbindex.errors",
    "open": "thumbindex.library",
}


def __getattr__(name: str) -> Any:  # each name keeps its own type for type checkers, above
    # Looked up on first use: the worker that reads PDFs imports this package and must start in milliseconds.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
