"""What the example documents are: their pages, labels, bookmarks, and that they can be made again."""

from __future__ import annotations

import re

from make import handbook as handbook_module
from make.book import draw, roman


def test_the_handbook_is_short_and_has_bookmarks(handbook):
    assert 15 <= len(handbook.texts) <= 20
    assert handbook.bookmarks >= 60


def test_the_report_is_long_and_has_none(report):
    assert len(report.texts) >= 300
    assert report.bookmarks == 0


def test_files_are_small(handbook, report):
    assert handbook.path.stat().st_size < 200_000
    assert report.path.stat().st_size < 1_500_000


def test_front_matter_has_roman_and_the_body_arabic_labels(example):
    front = example.labels.index("1")
    assert front >= 3
    assert example.labels[:front] == tuple(roman(number) for number in range(1, front + 1))
    assert example.labels[front:] == tuple(str(number) for number in range(1, len(example.labels) - front + 1))


def test_every_page_but_the_cover_prints_its_label(example):
    for text, label in list(zip(example.texts, example.labels, strict=True))[1:]:
        assert re.search(rf"\b20\d\d {label}$", text), text[-80:]


def test_contents_pages_name_printed_pages_on_which_the_titles_stand(report):
    entries = [
        match
        for text in report.texts[1 : report.labels.index("1")]
        for match in re.findall(r"((?:Item|Note|Exhibit) [\dA-C.]+[^.]*?[^.]) (?:\. ?){4,} ?(\d+)", text)
    ]
    assert len(entries) > 60
    for title, label in entries:
        assert title in report.texts[report.labels.index(label)]


def test_some_pages_are_rotated_and_hold_wide_tables(report):
    rotated = [number for number, rotation in enumerate(report.rotations) if rotation]
    assert len(rotated) == 2
    for number in rotated:
        width, height = report.sizes_pt[number]
        assert width > height
    assert "2016 2017 2018 2019 2020 2021 2022 2023 2024 2025" in report.texts[rotated[0]]


def test_no_two_pages_are_alike(example):
    bare = [re.sub(r"\d", "", text) for text in example.texts]
    assert len(set(bare)) == len(bare)


def test_pages_hold_real_text(report):
    words = sorted(len(text.split()) for text in report.texts)
    assert words[len(words) // 2] > 300
    assert sum(words) > 100_000


def test_making_the_documents_again_gives_the_same_pages(made_again, example):
    again = made_again[example.path.name]
    assert again.texts == example.texts
    assert again.labels == example.labels
    assert again.questions == example.questions


def test_the_same_tools_give_the_same_bytes(made_again, tmp_path):
    draw(handbook_module.book(), tmp_path / "handbook.pdf")
    assert (tmp_path / "handbook.pdf").read_bytes() == made_again["handbook.pdf"].path.read_bytes()
