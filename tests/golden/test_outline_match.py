"""The measure of trees against outlines written by hand, and that those outlines are well formed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from golden.outline_match import outline_f1, title_likeness

OUTLINES = sorted((Path(__file__).parent / "outlines").glob("*.json"))
SHARED = Path(os.environ.get("THUMBINDEX_SHARED", Path(__file__).parents[2].parent / "shared"))

GOLDEN = {
    "file": "report.pdf",
    "outline": [
        {"title": "1 Introduction", "page": 3},
        {
            "title": "2 Methods",
            "page": 4,
            "children": [{"title": "2.1 Data", "page": 4}, {"title": "2.2 Models", "page": 6}],
        },
        {"title": "Terminology", "page": 8, "optional": True},
        {"title": "References", "page": 9, "also": ["Works cited"]},
    ],
}


def node(title, first, last, *children):
    return {"title": title, "start_index": first, "end_index": last, "nodes": list(children)}


def methods(*children):
    return node("2. Methods", 4, 7, *children)


INTRODUCTION = node("Introduction", 3, 3)
DATA, MODELS = node("2.1. Data", 4, 5), node("Models", 6, 7)
REFERENCES = node("REFERENCES", 9, 10)


def test_an_equal_outline_scores_one_on_both_levels():
    tree = [INTRODUCTION, methods(DATA, MODELS), REFERENCES]
    assert outline_f1(GOLDEN, tree, 1) == (1, 1, 1)
    assert outline_f1(GOLDEN, tree, 2) == (1, 1, 1)


def test_an_empty_tree_scores_zero():
    assert outline_f1(GOLDEN, [], 1) == (0, 0, 0)
    assert outline_f1(GOLDEN, [], 2) == (0, 0, 0)


def test_a_title_on_another_page_is_no_match():
    tree = [INTRODUCTION, node("2 Methods", 5, 7), REFERENCES]
    assert outline_f1(GOLDEN, tree, 1) == (pytest.approx(2 / 3), pytest.approx(2 / 3), pytest.approx(2 / 3))


def test_two_nodes_cannot_match_one_entry():
    precision, recall, _ = outline_f1(GOLDEN, [INTRODUCTION, INTRODUCTION, methods(), REFERENCES], 1)
    assert (precision, recall) == (0.75, 1)


def test_the_most_alike_pair_is_matched_first():
    golden = {"file": "g", "outline": [{"title": "Abstract", "page": 1}, {"title": "Request for comments", "page": 2}]}
    near, same = node("Request for comment", 2, 2), node("Request for comments", 2, 2)
    assert outline_f1(golden, [node("Abstract", 1, 1), near, same], 1)[:2] == (pytest.approx(2 / 3), 1)


@pytest.mark.parametrize(
    "front",
    [
        [node("A report", 1, 3)],
        [node("A report", 1, 1), node("Preface", 2, 3)],
        [node("Table of Contents", 2, 2)],
    ],
)
def test_front_matter_costs_nothing(front):
    tree = [*front, INTRODUCTION, methods(DATA, MODELS), REFERENCES]
    assert outline_f1(GOLDEN, tree, 1) == (1, 1, 1)
    assert outline_f1(GOLDEN, tree, 2) == (1, 1, 1)


def test_contents_cost_nothing_after_the_first_section_either():
    assert outline_f1(GOLDEN, [INTRODUCTION, node("CONTENTS", 3, 3), methods(), REFERENCES], 1)[0] == 1


def test_a_leading_node_that_runs_into_the_body_costs_precision():
    assert outline_f1(GOLDEN, [node("A report", 1, 4), methods(), REFERENCES], 1)[0] == pytest.approx(2 / 3)


def test_a_root_titled_as_the_document_is_read_through():
    tree = [node("A report", 1, 10, INTRODUCTION, methods(DATA, MODELS), REFERENCES)]
    assert outline_f1(GOLDEN, tree, 1) == (1, 1, 1)
    assert outline_f1(GOLDEN, tree, 2) == (1, 1, 1)


def test_an_optional_entry_counts_neither_when_found_nor_when_missed():
    tree = [INTRODUCTION, methods(), node("Terminology", 8, 8), REFERENCES]
    assert outline_f1(GOLDEN, tree, 1) == (1, 1, 1)


def test_a_title_that_the_document_prints_elsewhere_counts():
    assert outline_f1(GOLDEN, [INTRODUCTION, methods(), node("Works Cited", 9, 10)], 1) == (1, 1, 1)


def test_the_second_level_is_not_judged_where_the_outline_is_silent():
    tree = [node("Introduction", 3, 3, node("Anything", 3, 3)), methods(DATA, MODELS), REFERENCES]
    assert outline_f1(GOLDEN, tree, 2) == (1, 1, 1)


def test_the_second_level_is_judged_below_a_section_that_the_reader_does_not_have():
    tree = [INTRODUCTION, node("Figure 3", 4, 4, node("Legend", 4, 4)), methods(DATA, MODELS), REFERENCES]
    assert outline_f1(GOLDEN, tree, 2) == (pytest.approx(2 / 3), 1, pytest.approx(0.8))


def test_a_second_level_section_counts_under_any_parent():
    tree = [INTRODUCTION, methods(DATA), node("References", 9, 10, MODELS)]
    assert outline_f1(GOLDEN, tree, 2) == (1, 1, 1)


def test_a_section_on_the_wrong_level_is_missed_there():
    tree = [INTRODUCTION, methods(DATA), MODELS, REFERENCES]
    assert outline_f1(GOLDEN, tree, 1)[:2] == (0.75, 1)
    assert outline_f1(GOLDEN, tree, 2)[:2] == (1, 0.5)


@pytest.mark.parametrize("level", [0, 3])
def test_other_levels_are_refused(level):
    with pytest.raises(ValueError, match="level must be 1 or 2"):
        outline_f1(GOLDEN, [], level)


def test_a_level_without_entries_is_refused():
    with pytest.raises(ValueError, match="says nothing about level 2"):
        outline_f1({"file": "deck.pdf", "outline": [{"title": "Goals", "page": 1}]}, [], 2)


@pytest.mark.parametrize(
    ("printed", "produced"),
    [
        ("1. Introduction", "Introduction"),
        ("1. Introduction", "1 INTRODUCTION"),
        ("IV. ECONOMIC ANALYSIS", "Economic  analysis"),
        ("A.1 Claim Definition", "Claim definition"),
        ("Appendix A: References", "References"),
        ("2.7 100 workout modes", "100 workout modes"),
        ("1 Overview", "1 | Overview"),
        ("Tracking sleep with TruSleep™", "Tracking sleep with TruSleepTM"),
        ("“Wiring” Healthcare", '"Wiring" Healthcare'),
    ],
)
def test_titles_that_differ_in_case_punctuation_or_number_are_alike(printed, produced):
    assert title_likeness(printed, produced) == 1


def test_titles_with_a_lost_ligature_are_nearly_alike():
    likeness = title_likeness("A different implementation of types", "A dierent implementation of types")
    assert 0.9 <= likeness < 1


@pytest.mark.parametrize(
    ("printed", "produced"),
    [("H.1 Zero-shot Prompts", "H.2 Few-shot Prompts"), ("Composition of TAC", "Roles of TAC"), ("2.1 Data", "2.1")],
)
def test_other_titles_are_not_alike(printed, produced):
    assert title_likeness(printed, produced) < 0.9


def load(path):
    return json.loads(path.read_text(encoding="utf-8"))


def entries(outline):
    return [entry for item in outline["outline"] for entry in (item, *item.get("children", ()))]


def test_there_are_ten_outlines():
    assert len(OUTLINES) == 10


@pytest.mark.parametrize("path", OUTLINES, ids=lambda path: path.stem)
def test_an_outline_is_in_order_and_names_its_document(path):
    outline = load(path)
    pages = [entry["page"] for entry in entries(outline)]
    assert set(outline) == {"file", "kind", "reader_notes", "outline"}
    assert pages == sorted(pages)
    assert all(entry["title"].strip() for entry in entries(outline))


@pytest.mark.parametrize("path", OUTLINES, ids=lambda path: path.stem)
def test_an_outline_matches_itself(path):
    outline = load(path)
    tree = [as_node(item) for item in outline["outline"]]
    assert outline_f1(outline, tree, 1) == (1, 1, 1)
    if any(item.get("children") for item in outline["outline"]):
        assert outline_f1(outline, tree, 2) == (1, 1, 1)


def as_node(item):
    return node(item["title"], item["page"], item["page"], *map(as_node, item.get("children", ())))


@pytest.mark.skipif(not SHARED.is_dir(), reason="the measured documents are not beside the checkout")
@pytest.mark.parametrize("path", OUTLINES, ids=lambda path: path.stem)
def test_the_document_of_an_outline_exists(path):
    assert (SHARED / "data" / load(path)["file"]).is_file()
