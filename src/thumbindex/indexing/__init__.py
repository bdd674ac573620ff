"""From a document to its tree, without any model."""

from thumbindex.indexing.build import build_tree
from thumbindex.indexing.options import IndexOptions

__all__ = ["IndexOptions", "build_tree"]
