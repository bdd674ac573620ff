"""The command line as a user meets it: what it prints, where, and the exit code."""

import json
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter
from reportlab.pdfgen.canvas import Canvas

HANDBOOK = [
    ("1 Leave", ["New employees get 25 days of paid leave a year.", "Leave is asked for in the portal."]),
    ("2 Expenses", ["Meals are paid up to 40 euros a day.", "Receipts are kept for ten years."]),
    ("3 Security", ["Badges are worn in the building.", "Visitors sign in at the desk."]),
]


def pdf(pages=HANDBOOK) -> bytes:
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(612, 792), invariant=True)
    for title, lines in pages:
        canvas.setFont("Helvetica-Bold", 18)
        canvas.drawString(72, 700, title)
        canvas.setFont("Helvetica", 11)
        for row, line in enumerate(lines):
            canvas.drawString(72, 660 - 20 * row, line)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def rewritten(data: bytes, **encryption) -> bytes:
    writer = PdfWriter()
    for page in PdfReader(BytesIO(data)).pages:
        writer.add_page(page)
    if encryption:
        writer.encrypt(**encryption, algorithm="RC4-128")
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


@pytest.fixture
def handbook(tmp_path) -> Path:
    path = tmp_path / "handbook.pdf"
    path.write_bytes(pdf())
    return path


@pytest.fixture
def run(tmp_path):
    """Runs the command line in a process of its own, with a cache of its own."""

    def call(*arguments):
        return subprocess.run(
            [sys.executable, "-m", "thumbindex", *map(str, arguments)],
            capture_output=True,
            text=True,
            env=os.environ | {"THUMBINDEX_CACHE": str(tmp_path / "cache"), "COLUMNS": "200"},
            check=False,
        )

    return call


def test_find_prints_pages_lines_and_a_verdict(run, handbook):
    done = run("find", handbook, "How many days of leave do new employees get?")
    assert done.returncode == 0
    assert done.stdout.startswith("PDF page 1  ")
    assert "1 Leave" in done.stdout
    assert "New employees get 25 days of paid leave a year." in done.stdout
    assert "decisions" in done.stdout
    assert done.stderr == ""


def test_find_json_has_the_shape_that_programs_rely_on(run, handbook):
    found = json.loads(run("find", handbook, "How many days of leave do new employees get?", "--json").stdout)
    assert list(found) == [
        "question",
        "document",
        "answered",
        "answer_probability",
        "stopped",
        "pages",
        "sections",
        "usage",
        "trace",
    ]
    assert found["document"]["pages"] == 3
    page = found["pages"][0]
    assert list(page) == ["page", "label", "probability", "path", "lines"]
    x0, y0, x1, y1 = page["lines"][0]["box"]
    assert (x0, y1) == pytest.approx((72, 792 - 660), abs=4)
    assert x0 < x1
    assert y0 < y1
    assert set(found["usage"]) == {"decisions", "requests", "input_tokens", "output_tokens", "cost_usd", "seconds"}


def test_a_document_is_read_once_and_found_again_by_its_id(run, handbook):
    first = json.loads(run("find", handbook, "leave days", "--json").stdout)
    handbook.rename(handbook.with_name("moved.pdf"))
    again = json.loads(run("find", first["document"]["id"], "leave days", "--json").stdout)
    assert again["document"] == first["document"]
    assert [p["page"] for p in again["pages"]] == [p["page"] for p in first["pages"]]


def test_no_cache_keeps_nothing(run, handbook, tmp_path):
    assert run("find", handbook, "leave", "--no-cache").returncode == 0
    assert not (tmp_path / "cache").exists()


def test_trace_shows_every_decision_with_probabilities(run, handbook):
    done = run("find", handbook, "leave days", "--trace")
    assert "How it was found" in done.stdout
    assert "embedded-1" in done.stdout


def test_image_marks_the_answering_line(run, handbook, tmp_path):
    question = "How many days of leave do new employees get?"
    done = run("find", handbook, question, "--image", tmp_path / "pictures", "--top-k", 1)
    assert done.returncode == 0
    with Image.open(tmp_path / "pictures" / "page-0001.png") as picture:
        around_the_line = picture.convert("RGB").crop((100, 180, 500, 206))
    marked = [color for color in around_the_line.get_flattened_data() if color[2] < color[0] - 60]
    assert marked


def test_tree_prints_sections_and_pageindex_json(run, handbook):
    shown = run("tree", handbook)
    assert "2 Expenses" in shown.stdout
    nodes = json.loads(run("tree", handbook, "--json").stdout)
    assert {"title", "node_id", "start_index", "end_index", "summary"} <= set(nodes[0])
    assert [node["start_index"] for node in nodes] == [1, 2, 3]
    assert "confidence" in run("tree", handbook, "--explain").stdout


def test_tree_takes_a_tree_in_pageindex_s_shape(run, handbook, tmp_path):
    (tmp_path / "tree.json").write_text(json.dumps([{"title": "All", "start_index": 1, "end_index": 3}]))
    nodes = json.loads(run("tree", handbook, "--tree", tmp_path / "tree.json", "--json").stdout)
    assert [node["title"] for node in nodes] == ["All"]


def test_page_prints_text_or_draws_a_picture(run, handbook, tmp_path):
    assert "Meals are paid up to 40 euros a day." in run("page", handbook, 2).stdout
    assert run("page", handbook, 2, "--image", tmp_path / "two.png").returncode == 0
    with Image.open(tmp_path / "two.png") as picture:
        assert picture.size == (918, 1188)


def test_eval_prints_figures_and_writes_a_line_a_question(run, handbook, tmp_path):
    questions = [
        {"id": "q1", "doc": "handbook.pdf", "question": "How many days of paid leave?", "pages": [1]},
        {"id": "q2", "doc": "handbook.pdf", "question": "How much is paid for meals?", "pages": [2], "also": [3]},
        {"id": "q3", "doc": "handbook.pdf", "question": "Who painted the ceiling?", "pages": []},
    ]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, questions)))
    done = run("eval", tmp_path / "q.jsonl", "--documents", tmp_path, "--json", "--out", tmp_path / "out.jsonl")
    figures = json.loads(done.stdout)
    assert figures["questions"] == 3
    assert figures["hit@1"] == 1
    assert figures["no_answer_auroc"] == 1
    assert {"all@10", "mrr", "kept_hit", "kept_pages", "section_recall", "tokens_per_question"} <= set(figures)
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["ranking"][0] for row in rows[:2]] == [1, 2]
    flat = json.loads(
        run("eval", tmp_path / "q.jsonl", "--documents", tmp_path, "--json", "--strategy", "flat", "--limit", 1).stdout
    )
    assert (flat["questions"], flat["section_recall"], flat["no_answer_auroc"]) == (1, None, None)


@pytest.fixture
def measured(run, handbook, tmp_path):
    """Runs `eval` on three questions about the handbook, with further arguments."""
    questions = [
        {"id": "q1", "doc": "handbook.pdf", "question": "How many days of paid leave?", "pages": [1]},
        {"id": "q2", "doc": "handbook.pdf", "question": "Who signs in at the desk?", "pages": [1]},
        {"id": "q3", "doc": "handbook.pdf", "question": "Who painted the ceiling?", "pages": []},
    ]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, questions)))
    return lambda *arguments: run("eval", tmp_path / "q.jsonl", "--documents", tmp_path, *arguments)


def test_no_output_overwrites_a_document(run, measured, handbook):
    before = handbook.read_bytes()
    for done in (run("page", handbook, 1, "--image", handbook), measured("--out", handbook)):
        assert done.returncode == 2
        assert "is a PDF and is not overwritten" in done.stderr
    assert handbook.read_bytes() == before


def test_eval_measures_calibration(measured):
    figures = json.loads(measured("--json").stdout)
    names = ("ece", "brier", "kept_ece", "answered_ece", "answered_brier", "answered_coverage_at_95")
    assert all(0 <= figures[name] <= 1 for name in names)


def test_eval_reports_in_a_page_of_its_own(measured, tmp_path):
    done = measured("--report", tmp_path / "new" / "report")
    assert done.returncode == 0
    page = (tmp_path / "new" / "report" / "index.html").read_text()
    assert "embedded-1" in page
    assert "Who signs in at the desk?" in page
    assert "How many days of paid leave?" not in page


@pytest.mark.parametrize(("option", "message"), [("--report", "cannot write"), ("--out", "cannot write")])
def test_eval_says_before_it_asks_that_it_could_not_write(measured, tmp_path, option, message):
    (tmp_path / "file").write_text("a file where a folder should be")
    done = measured(option, tmp_path / "file" / "inside")
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_eval_leaves_the_results_of_an_earlier_run_alone_when_it_cannot_begin(run, measured, tmp_path):
    (tmp_path / "out.jsonl").write_text("an earlier run")
    assert run("eval", tmp_path / "q.jsonl", "--documents", "none", "--out", tmp_path / "out.jsonl").returncode == 2
    assert (tmp_path / "out.jsonl").read_text() == "an earlier run"
    assert measured("--out", tmp_path / "q.jsonl").returncode == 2
    assert "handbook.pdf" in (tmp_path / "q.jsonl").read_text()


def test_compare_says_what_changed_and_on_which_questions(run, measured, tmp_path):
    measured("--out", tmp_path / "a.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    rows[1]["ranking"].sort()
    (tmp_path / "b.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = run("compare", tmp_path / "a.jsonl", tmp_path / "b.jsonl")
    assert done.returncode == 0
    for said in ("3 questions in both", "hit@1", "B - A", "Won by B at 1: 1", "q2", "Who signs in at the desk?"):
        assert said in done.stdout
    found = json.loads(run("compare", tmp_path / "a.jsonl", tmp_path / "b.jsonl", "--json").stdout)
    assert [change["id"] for change in found["won"]] == ["q2"]
    assert found["lost"] == []
    assert found["a"]["model"] == "embedded-1"
    hit = next(row for row in found["differences"] if row["measure"] == "hit@1")
    assert (hit["a"], hit["b"], hit["difference"]) == (0.5, 1, 0.5)
    assert hit["low"] <= 0.5 <= hit["high"]


def test_compare_leaves_out_questions_of_one_file_and_says_so(run, measured, tmp_path):
    measured("--out", tmp_path / "a.jsonl")
    lines = (tmp_path / "a.jsonl").read_text().splitlines()
    (tmp_path / "b.jsonl").write_text("\n".join(lines[:2]))
    assert "left out: 1 in A only" in run("compare", tmp_path / "a.jsonl", tmp_path / "b.jsonl").stdout
    (tmp_path / "c.jsonl").write_text(lines[2])
    done = run("compare", tmp_path / "b.jsonl", tmp_path / "c.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert "no question in common" in done.stderr


def without_pages() -> bytes:
    buffer = BytesIO()
    PdfWriter().write(buffer)
    return buffer.getvalue()


BAD_FILES = {
    "text.pdf": (b"just text", "not a PDF"),
    "empty.pdf": (b"", "PDF"),
    "truncated.pdf": (pdf()[:300], "damaged"),
    "locked.pdf": (rewritten(pdf(), user_password="secret"), "password"),
    "nopages.pdf": (without_pages(), "no pages"),
    "pictures.pdf": (pdf([("", [])]), "no text"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_one_clear_line_and_leaves_nothing_behind(run, tmp_path, name):
    data, message = BAD_FILES[name]
    (tmp_path / name).write_bytes(data)
    done = run("find", tmp_path / name, "leave?")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_with_only_an_owner_password_opens(run, tmp_path):
    path = tmp_path / "owned.pdf"
    path.write_bytes(rewritten(pdf(), user_password="", owner_password="owner"))
    assert run("page", path, 1).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["find", "none.pdf", "leave?"], "there is no file none.pdf"),
        (["find", ".", "leave?"], "is a folder"),
        (["find", "0123456789abcdef", "leave?"], "no document 0123456789abcdef"),
        (["find", "{file}", ""], "question is empty"),
        (["find", "{file}", "word " * 10_000], "ask a shorter one"),
        (["find", "{file}", "leave?", "--model", "gpt-9"], "gpt-9"),
        (["find", "{file}", "leave?", "--beam", "0"], "beam"),
        (["find", "{file}", "leave?", "--top-k", "-1"], "top_k"),
        (["find", "{file}", "leave?", "--strategy", "magic"], "magic"),
        (["find", "{file}", "leave?", "--nonsense"], "--nonsense"),
        (["find", "{file}", "leave?", "--tree", "none.json"], "none.json"),
        (["find", "{file}", "leave?", "--summaries", "gpt"], "chat:BASE_URL#MODEL"),
        (["page", "{file}", "4"], "pages 1 to 3"),
        (["page", "{file}", "0"], "pages 1 to 3"),
        (["eval", "none.jsonl", "--documents", "."], "none.jsonl"),
        (["compare", "none.jsonl", "none.jsonl"], "cannot read none.jsonl"),
        (["compare", "{file}", "{file}"], "is not what `thumbindex eval --out`"),
        (["compare", "{file}", "{file}", "--resamples", "0"], "--resamples"),
    ],
)
def test_a_caller_s_mistake_is_one_clear_message_and_exit_code_2(run, handbook, arguments, message):
    done = run(*(argument.format(file=handbook) for argument in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_cache_that_cannot_be_used_does_not_stop_the_work(run, handbook, tmp_path):
    (tmp_path / "cache").write_text("a file where the folder should be")
    done = run("find", handbook, "How many days of leave?")
    assert done.returncode == 0
    assert "going on without a cache" in done.stderr


@pytest.mark.parametrize("command", [[], ["find"], ["tree"], ["page"], ["eval"], ["compare"]])
def test_help_teaches(run, command):
    done = run(*command, "--help")
    assert done.returncode == 0
    assert "Usage" in done.stdout


def test_version(run):
    assert run("--version").stdout.startswith("thumbindex 0.")
