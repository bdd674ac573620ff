"""`python -m thumbindex` is the command line."""

from thumbindex.cli import main

main()
