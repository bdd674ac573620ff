"""From a document to its tree, without any model."""

from thumbindex.indexing.build import BUILDER, build_tree
from thumbindex.indexing.options import IndexOptions

__all__ = ["BUILDER", "IndexOptions", "build_tree"]
