"""From a question and a tree to the pages and lines that answer."""
