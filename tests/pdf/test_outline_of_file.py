"""Bookmarks, internal links and the title, as the file gives them."""

import pytest
from pdf.drawing import all_of, text
from pypdf.generic import NameObject, RectangleObject

from thumbindex.pdf import read_pdf


def bookmarked(canvas):
    canvas.bookmarkPage("one", fit="FitH", top=700)
    canvas.addOutlineEntry("Part I", "one", level=0)
    canvas.bookmarkHorizontal("two", 72, 500)
    canvas.addOutlineEntry("Item 1.\x00 Business", "two", level=1)


def test_bookmarks(read):
    document = read(text((72, 700, "cover")), all_of(bookmarked, text((72, 690, "Part I"))))
    part, item = document.bookmarks
    assert (part.title, part.page, part.level) == ("Part I", 2, 0)
    assert part.y_pt == pytest.approx(92)
    assert (item.title, item.page, item.level) == ("Item 1. Business", 2, 1)
    assert item.y_pt == pytest.approx(292)


def test_bookmarks_that_go_round_in_circles_end(make_pdf):
    def tie(pdf):
        first = pdf._root_object["/Outlines"]["/First"].raw_get("/First")
        first.get_object()[NameObject("/Next")] = pdf._root_object["/Outlines"].raw_get("/First")

    path = make_pdf(all_of(bookmarked, text((72, 690, "Part I"))), change=tie)
    assert [bookmark.title for bookmark in read_pdf(path).bookmarks] == ["Part I", "Item 1. Business"]


def test_links(read):
    def contents(canvas):
        canvas.drawString(72, 700, "Business")
        canvas.linkRect("", "business", (70, 695, 200, 715), relative=0)

    def target(canvas):
        canvas.bookmarkHorizontal("business", 72, 600)
        canvas.drawString(72, 590, "Business")

    (link,) = read(contents, lambda canvas: canvas.drawString(72, 700, "between"), target).links
    assert (link.page, link.target_page) == (1, 3)
    assert list(link.box) == pytest.approx([70, 77, 200, 97])
    assert link.target_y_pt == pytest.approx(192)


def test_links_on_a_turned_page_are_measured_as_seen(read):
    def contents(canvas):
        canvas.drawString(72, 700, "Business")
        canvas.linkRect("", "business", (70, 695, 200, 715), relative=0)
        canvas.bookmarkHorizontal("business", 72, 600)

    def turn_and_crop(pdf):
        pdf.pages[0].cropbox = RectangleObject((10, 20, 600, 780))
        pdf.pages[0].rotate(90)

    document = read(contents, change=turn_and_crop)
    (link,) = document.links
    (line,) = document.page(1).lines
    assert link.box.x0 <= line.box.x0 <= line.box.x1 <= link.box.x1
    assert link.box.y0 <= line.box.y0 <= line.box.y1 <= link.box.y1


def test_links_to_other_places_are_no_internal_links(read):
    assert read(lambda canvas: canvas.linkURL("https://example.org", (0, 0, 50, 50))).links == ()


def test_title(read):
    document = read(lambda canvas: canvas.setTitle("Annual\n report  2025"))
    assert document.title == "Annual report 2025"
    assert document.name == "made.pdf"
