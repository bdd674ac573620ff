"""Boxes are where a reader sees the text, however the page is turned or cropped."""

import pytest
from pdf.drawing import text
from PIL import Image, ImageChops
from pypdf.generic import RectangleObject

from thumbindex.pdf import read_pdf, render_page

SCALE = 4


def ink(image: Image.Image):
    """Left, top, right, bottom of everything dark, in points."""
    dark = ImageChops.invert(image.convert("L")).point(lambda value: 255 if value > 60 else 0)
    return [edge / SCALE for edge in dark.getbbox()]


def assert_holds_the_ink(path, tolerance_pt=0.5):
    (line,) = read_pdf(path).page(1).lines
    left, top, right, bottom = ink(render_page(path, 1, scale=SCALE))
    assert line.box.x0 - tolerance_pt <= left < right <= line.box.x1 + tolerance_pt
    assert line.box.y0 - tolerance_pt <= top < bottom <= line.box.y1 + tolerance_pt
    assert line.box.width_pt * line.box.height_pt < 2.5 * (right - left) * (bottom - top)
    return line


def test_a_word_has_its_box_from_the_top_left(make_pdf):
    line = assert_holds_the_ink(make_pdf(text((100, 700, "Capybara"))))
    assert line.text == "Capybara"
    assert line.box.x0 == pytest.approx(100, abs=0.5)
    assert line.box.y0 < 792 - 700 < line.box.y1


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_turned_page_is_measured_as_seen(make_pdf, rotation):
    path = make_pdf(text((100, 700, "Capybara")), change=lambda pdf: pdf.pages[0].rotate(rotation))
    page = read_pdf(path).page(1)
    assert (page.width_pt, page.height_pt) == ((612, 792) if rotation % 180 == 0 else (792, 612))
    assert page.rotation == rotation
    assert assert_holds_the_ink(path).text == "Capybara"


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_cropped_page_is_measured_from_its_visible_corner(make_pdf, rotation):
    def crop_and_turn(pdf):
        pdf.pages[0].cropbox = RectangleObject((72, 36, 540, 756))
        pdf.pages[0].rotate(rotation)

    path = make_pdf(text((100, 700, "Capybara")), change=crop_and_turn)
    page = read_pdf(path).page(1)
    assert {page.width_pt, page.height_pt} == {468, 720}
    assert assert_holds_the_ink(path).text == "Capybara"


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_text_set_sideways_has_its_box_where_it_stands(make_pdf, turn):
    def draw(canvas):
        canvas.translate(300, 400)
        canvas.rotate(turn)
        canvas.setFont("Times-Roman", 20)
        canvas.drawString(0, 0, "Capybaras graze")

    line = assert_holds_the_ink(make_pdf(draw))
    assert line.text == "Capybaras graze"
    assert line.font_size_pt == pytest.approx(20)


def test_marks_cover_the_box(make_pdf):
    path = make_pdf(text((100, 700, "Capybara")), change=lambda pdf: pdf.pages[0].rotate(90))
    (line,) = read_pdf(path).page(1).lines
    plain, marked = render_page(path, 1, scale=SCALE), render_page(path, 1, scale=SCALE, marks=[line.box])
    changed = [edge / SCALE for edge in ImageChops.difference(plain, marked).getbbox()]
    assert changed == pytest.approx(list(line.box), abs=0.5)


def test_font_size_is_as_seen_however_it_is_scaled(read):
    def scaled(canvas):
        canvas.scale(3, 3)
        canvas.setFont("Helvetica", 5)
        canvas.drawString(40, 200, "scaled by the matrix")

    (line,) = read(scaled).page(1).lines
    assert line.font_size_pt == pytest.approx(15)
