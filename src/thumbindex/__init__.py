"""Ask a long document a question; get the page and the line that answer it, with a probability for each."""

__version__ = "0.1.0"
