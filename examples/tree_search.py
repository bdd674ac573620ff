"""Finds the pages of a long PDF that answer a question by going down its tree of sections.

python tree_search.py annual-report.pdf "How much did the company spend on capital expenditure in 2025?"

Prints the document's id, too: in the next call it can stand in place of the file.
"""

import sys

import thumbindex


def search(source: str, question: str) -> None:
    document = thumbindex.open(source)
    print(f"document {document.id}  {document.name}")
    finding = document.find(question, thumbindex.SearchOptions(strategy="tree"))
    for page in finding.pages:
        print(f"PDF page {page.page} (printed {page.label})  {page.probability:.2f}  {' › '.join(page.path)}")
        for line in page.lines:
            print(f"    {line.text}")
    print(f"answered: {'yes' if finding.answered else 'no'} ({finding.answer_probability:.2f})")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print('usage: python tree_search.py FILE_OR_ID "QUESTION"', file=sys.stderr)
        sys.exit(2)
    try:
        search(*sys.argv[1:])
    except thumbindex.ThumbindexError as error:
        sys.exit(str(error))
