"""Finds the pages of a PDF that answer a question with two SDKs alone: pageindex for the tree, typesafe-sdk to decide.

    pip install typesafe-sdk pageindex
    python typesafe_pageindex.py handbook.pdf "How many vacation days do new employees get?"

Nothing of thumbindex is imported: this is the way that `thumbindex find` automates, written out. The environment says
where each SDK goes, and no line changes:

    TYPESAFE_API_KEY, TYPESAFE_BASE_URL, TYPESAFE_DEFAULT_MODEL
        TypeSafe's cloud with a key; or `thumbindex serve` with TYPESAFE_BASE_URL=http://127.0.0.1:8788 and any key.
    PAGEINDEX_API_KEY, PAGEINDEX_BASE_URL
        PageIndex's cloud with a key, or another server of its protocol. With neither, the SDK's local builder makes
        the tree: it needs no key, and writes no summaries.
"""

import os
import sys
from collections.abc import Callable
from typing import Any

import pageindex
from pageindex.utils import get_text_of_pages
from typesafe_sdk import Choice, Noul, TypeSafeClient, TypeSafeError

BEAM = 3
CHECKED = 8
ENOUGH = 0.5

Node = dict[str, Any]


def main(file: str, question: str) -> None:
    tree, read_pages = opened(file)
    state = {"question": question}
    with TypeSafeClient(timeout=60.0) as client:
        ends = descend(client, state, tree)
        pages = read_pages(sorted({n for node in ends for n in range(node["start_index"], node["end_index"] + 1)}))
        ranked = best_pages(client, state, pages)
        checks = check(client, state, {page: pages[page] for page in ranked[:CHECKED]})
    for node in ends:
        print(f"section: {node['title']} (pages {node['start_index']} to {node['end_index']})")
    kept = [page for page in checks if checks[page] >= ENOUGH]
    for page in kept or list(checks)[:2]:
        print(f"PDF page {page}  {checks[page]:.2f}  {' '.join(pages[page].split())[:100]}")
    print("answered" if kept else "no page clearly answers this")


def opened(file: str) -> tuple[list[Node], Callable[[list[int]], dict[int, str]]]:
    """The tree of the document, and what reads its pages."""
    key, base_url = os.environ.get("PAGEINDEX_API_KEY"), os.environ.get("PAGEINDEX_BASE_URL")
    if not key and not base_url:
        built = pageindex.page_index_flash(file, summary=False, optimize=False)
        return built["structure"], lambda pages: {p: get_text_of_pages(file, p, p, tag=False) for p in pages}
    if base_url:
        pageindex.PageIndexClient.BASE_URL = base_url
    client = pageindex.PageIndexClient(api_key=key or "none")
    doc_id = client.submit_document(file, wait=True)["doc_id"]

    def read(pages: list[int]) -> dict[int, str]:
        content = client.get_page_content(doc_id, ",".join(map(str, pages)))
        return {page["page_index"]: page["markdown"] for page in content}

    return client.get_document_structure(doc_id), read


def descend(client: TypeSafeClient, state: dict[str, str], tree: list[Node]) -> list[Node]:
    """The sections that the best paths end in. One request a level: a Choice for each path that goes on."""
    paths = [(1.0, 0, {"nodes": tree})]
    while menus := {f"m{i}": path[2]["nodes"] for i, path in enumerate(paths) if path[2].get("nodes")}:
        answers = choices(client, state, "Which section holds the answer?", menus)
        grown = [path for path in paths if not path[2].get("nodes")]
        for name, nodes in menus.items():
            score, steps, _ = paths[int(name[1:])]
            shares = answers.get(name, {"o0": 1.0})
            # The geometric mean of the steps' probabilities; a menu of one is no step.
            more = steps + (len(nodes) > 1)
            grown += [
                ((score**steps * shares[f"o{i}"]) ** (1 / more) if more else 1.0, more, node)
                for i, node in enumerate(nodes)
            ]
        paths = sorted(grown, key=lambda path: path[0], reverse=True)[:BEAM]
    return [node for _, _, node in paths]


def choices(
    client: TypeSafeClient, state: dict[str, str], instructions: str, menus: dict[str, list[Node]]
) -> dict[str, dict[str, float]]:
    questions = {
        name: Choice(instructions=instructions, criteria={f"o{i}": described(node) for i, node in enumerate(nodes)})
        for name, nodes in menus.items()
        if len(nodes) > 1
    }
    if not questions:
        return {}
    r = client.system_one(state, questions)
    return {name: r.choices[name].probabilities for name in questions}


def described(node: Node) -> str:
    inside = "; ".join(child["title"] for child in node.get("nodes") or [])
    return f"{node['title']}. {node.get('summary') or inside}"


def best_pages(client: TypeSafeClient, state: dict[str, str], pages: dict[int, str]) -> list[int]:
    """The pages, best first, by one Choice among them."""
    criteria = {f"p{page}": text for page, text in pages.items()}
    r = client.system_one(state, {"page": Choice(instructions="Which page holds the answer?", criteria=criteria)})
    shares = r.answers["page"].probabilities
    return sorted(pages, key=lambda page: shares[f"p{page}"], reverse=True)


def check(client: TypeSafeClient, state: dict[str, str], pages: dict[int, str]) -> dict[int, float]:
    """For each page, whether it answers: a Choice always picks one, a Noul may refuse them all. One request."""
    questions = {
        f"p{page}": Noul(instructions={"instructions": "Does the text state the answer?", "text": text})
        for page, text in pages.items()
    }
    nouls = client.system_one(state, questions).nouls
    return {page: nouls[f"p{page}"].noul for page in pages}


if __name__ == "__main__":
    if len(sys.argv) != 3:
        print('usage: python typesafe_pageindex.py FILE "QUESTION"', file=sys.stderr)
        sys.exit(2)
    try:
        main(*sys.argv[1:])
    except (TypeSafeError, pageindex.PageIndexAPIError, OSError) as error:
        sys.exit(f"{type(error).__name__}: {error}")
