"""Which files are read, what is said of the others, and that no file can do harm."""

import hashlib
import os
import re
import sys
import zlib
from pathlib import Path

import pytest
from pdf.drawing import prose, raw_pdf, text
from pypdf import PdfWriter

from thumbindex.document import Document, PageFlag
from thumbindex.errors import (
    DamagedPdfError,
    DocumentError,
    EncryptedPdfError,
    NoPagesError,
    NotAPdfError,
    OptionError,
    PageNumberError,
    ParsingLimitError,
    PathError,
)
from thumbindex.pdf import ReadLimits, read_pdf, render_page

HELLO = text((72, 700, "Hello, reader"))


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_a_document_is_named_by_its_file_and_known_by_its_bytes(make_pdf):
    path = make_pdf(HELLO, name="jährlich – 年度.pdf")
    document = read_pdf(path)
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    assert (document.name, document.sha256, document.id) == (path.name, sha256, Document.id_of(sha256))


def test_progress_is_told_after_each_page(make_pdf):
    told = []
    read_pdf(make_pdf(*[HELLO] * 4), progress=lambda done, pages: told.append((done, pages)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_no_such_file(tmp_path):
    with pytest.raises(PathError, match=r"there is no file .*missing\.pdf"):
        read_pdf(tmp_path / "missing.pdf")


def test_a_folder(tmp_path):
    with pytest.raises(PathError, match="is a folder"):
        read_pdf(tmp_path)


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04" + bytes(5000), bytes(2000) + b"%PDF-1.7"])
def test_something_else(tmp_path, content):
    with pytest.raises(NotAPdfError, match=r"notes\.pdf is not a PDF file"):
        read_pdf(written(tmp_path / "notes.pdf", content))


def test_a_pdf_may_begin_with_something_else(make_pdf, tmp_path):
    path = written(tmp_path / "prefixed.pdf", b"HTTP headers\r\n" * 20 + make_pdf(HELLO).read_bytes())
    assert read_pdf(path).page(1).text == "Hello, reader"


def test_garbage_after_the_header_is_damage(tmp_path):
    with pytest.raises(DamagedPdfError, match="is damaged"):
        read_pdf(written(tmp_path / "broken.pdf", b"%PDF-1.7\n" + os.urandom(4000)))


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.99])
def test_a_truncated_file_is_read_as_far_as_it_goes_or_is_damage(make_pdf, tmp_path, part):
    content = make_pdf(*[prose(72, 700, 400, 40, seed=number) for number in range(1, 9)]).read_bytes()
    path = written(tmp_path / "cut.pdf", content[: int(len(content) * part)])
    assert re.fullmatch(r"[1-8] pages|cut\.pdf [^\n]*", outcome(path))


def outcome(path):
    try:
        return f"{len(read_pdf(path).pages)} pages"
    except DocumentError as error:
        return str(error)


def encrypted(path, user, owner):
    writer = PdfWriter(clone_from=path)
    writer.encrypt(user, owner, algorithm="RC4-128")
    writer.write(path)
    return path


def test_a_file_with_an_owner_password_only_just_opens(make_pdf):
    assert read_pdf(encrypted(make_pdf(HELLO), "", "secret")).page(1).text == "Hello, reader"


def test_a_file_that_needs_a_password_says_so(make_pdf):
    with pytest.raises(EncryptedPdfError, match="opens with a password only"):
        read_pdf(encrypted(make_pdf(HELLO), "secret", "secret"))


def test_no_pages(tmp_path):
    writer = PdfWriter()
    writer.write(tmp_path / "empty.pdf")
    with pytest.raises(NoPagesError, match=r"empty\.pdf has no pages"):
        read_pdf(tmp_path / "empty.pdf")


def test_no_text_at_all_is_still_a_document(read):
    document = read(lambda canvas: canvas.rect(0, 0, 10, 10))
    assert document.page(1).lines == ()


def test_a_page_of_too_many_characters_is_cut(make_pdf):
    page = read_pdf(make_pdf(prose(72, 700, 400, 40)), limits=ReadLimits(max_page_characters=500)).page(1)
    assert page.flags == {PageFlag.TRUNCATED}
    assert 300 < len(page.text) <= 500


def test_too_many_pages(make_pdf):
    with pytest.raises(ParsingLimitError, match="has 3 pages, more than the limit of 2"):
        read_pdf(make_pdf(*[HELLO] * 3), limits=ReadLimits(max_pages=2))


def test_too_large(make_pdf):
    with pytest.raises(ParsingLimitError, match="more than the limit of 100"):
        read_pdf(make_pdf(HELLO), limits=ReadLimits(max_file_bytes=100))


def test_too_slow(make_pdf):
    with pytest.raises(ParsingLimitError, match=r"takes too long to read: more than 0\.001 s for one page"):
        read_pdf(make_pdf(HELLO), limits=ReadLimits(page_timeout_s=0.001))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not bound memory")
def test_too_much_memory(tmp_path):
    path = tmp_path / "bomb.pdf"
    bomb(path, 1 << 28)
    with pytest.raises(DocumentError, match=r"bomb\.pdf .*memory"):
        read_pdf(path, limits=ReadLimits(memory_bytes=1 << 27))


def bomb(path, size):
    """A PDF whose one content stream unpacks to `size` bytes."""
    packer = zlib.compressobj(9)
    block = b"q Q " * (1 << 18)
    packed = b"".join(packer.compress(block) for _ in range(size // len(block))) + packer.flush()
    content = b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(packed), packed)
    path.write_bytes(raw_pdf(content, b"<<>>"))


@pytest.mark.parametrize("limit", [{"page_timeout_s": 0}, {"max_pages": -1}, {"memory_bytes": 1000}])
def test_limits_are_checked(limit):
    with pytest.raises(OptionError, match=next(iter(limit))):
        ReadLimits(**limit)


def test_a_reader_that_gives_up_leaves_no_process(make_pdf):
    def give_up(done, pages):
        raise KeyboardInterrupt

    before = children()
    with pytest.raises(KeyboardInterrupt):
        read_pdf(make_pdf(*[prose(72, 700, 400, 40)] * 30), progress=give_up)
    assert children() == before


def children():
    folder = Path(f"/proc/self/task/{os.getpid()}/children")
    return folder.read_text() if folder.exists() else ""


def test_nothing_in_the_users_folder_gets_into_the_worker(make_pdf, tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text("raise SystemExit(3)")
    (tmp_path / "sitecustomize.py").write_text("raise SystemExit(3)")
    path = make_pdf(HELLO)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert read_pdf(path).page(1).text == "Hello, reader"


def test_a_page_is_drawn(make_pdf):
    image = render_page(make_pdf(HELLO), 1, scale=2)
    assert (image.mode, image.size) == ("RGB", (1224, 1584))
    assert image.getpixel((5, 5)) == (255, 255, 255)


def test_a_huge_page_is_drawn_smaller(make_pdf):
    image = render_page(make_pdf(HELLO, size=(14400, 14400)), 1, scale=10)
    assert image.width * image.height <= 25_100_000


@pytest.mark.parametrize("number", [0, 2, -1, 3702])
def test_a_page_that_is_not_there(make_pdf, number):
    with pytest.raises(PageNumberError, match="has pages 1 to 1"):
        render_page(make_pdf(HELLO), number)


@pytest.mark.parametrize("scale", [0, 11, float("nan")])
def test_a_scale_out_of_range(make_pdf, scale):
    with pytest.raises(OptionError, match="scale"):
        render_page(make_pdf(HELLO), 1, scale=scale)
