"""Trees of ten documents of other kinds against outlines that a careful reader wrote by hand."""

import json
from pathlib import Path
from statistics import fmean

import pytest
from corpus import shared_file
from golden.outline_match import outline_f1

from thumbindex.indexing import build_tree
from thumbindex.pdf import read_pdf

OUTLINES = sorted((Path(__file__).parent / "outlines").glob("*.json"))
LEVEL_BARS = {1: 0.9, 2: 0.75}


@pytest.fixture(scope="module")
def f1():
    """F1 by level and outline."""
    found = {1: {}, 2: {}}
    for path in OUTLINES:
        golden = json.loads(path.read_text())
        tree = build_tree(read_pdf(shared_file(golden["file"]))).to_json()
        levels = [1, 2] if any(entry.get("children") for entry in golden["outline"]) else [1]
        for level in levels:
            found[level][path.stem] = outline_f1(golden, tree, level)[2]
    return found


@pytest.mark.parametrize("level", [1, 2])
def test_trees_follow_the_outlines_of_a_careful_reader(f1, level):
    assert fmean(f1[level].values()) >= LEVEL_BARS[level], f1[level]
