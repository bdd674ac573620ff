"""Finds the pages of a PDF that answer a question by looking at all of them: no tree.

python page_search.py handbook.pdf "How many vacation days do new employees get?"
"""

import sys

import thumbindex


def search(source: str, question: str) -> None:
    document = thumbindex.open(source)
    finding = document.find(question, thumbindex.SearchOptions(strategy="flat"))
    for page in finding.pages:
        print(f"PDF page {page.page} (printed {page.label})  {page.probability:.2f}")
        for line in page.lines:
            print(f"    {line.text}")
    print(f"answered: {'yes' if finding.answered else 'no'} ({finding.answer_probability:.2f})")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print('usage: python page_search.py FILE "QUESTION"', file=sys.stderr)
        sys.exit(2)
    try:
        search(*sys.argv[1:])
    except thumbindex.ThumbindexError as error:
        sys.exit(str(error))
