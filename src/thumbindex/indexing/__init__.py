"""From a document to its tree, without any model."""
