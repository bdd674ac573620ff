"""The commands for a library as a user meets them: what they print, where, and the exit code."""

import json
import os
import signal
import sqlite3
from contextlib import closing

import pytest

from thumbindex.catalog.database import Database, location_name
from thumbindex.catalog.jobs import JobState, JobTable
from thumbindex.embedding.registry import default_encoder
from thumbindex.folders import library_file

QUESTION = "How many boilers did Maker0 Works sell in 2018?"


def test_index_list_search_and_remove(run, reports):
    folder = reports(4)[0].parent
    assert "4 files: 4 new · " in run("index", folder).stdout

    listed = json.loads(run("documents", "--json", "--sort", "fiscal_year").stdout)
    assert [row["fields"]["fiscal_year"]["value"] for row in listed] == [2015, 2016, 2017, 2018]

    filtered = json.loads(run("documents", "--json", "--where", "fiscal_year=2016").stdout)
    assert [row["name"] for row in filtered] == ["report-01.pdf"]
    table = run("documents", "--sort", "fiscal_year", "--limit", 2).stdout.splitlines()
    assert [line.split()[1] for line in table] == ["name", "report-00.pdf", "report-01.pdf"]

    found = run("search", QUESTION).stdout
    assert found.startswith("1. report-03.pdf")
    assert "company IN ('Maker0 Works Inc.')" in found
    assert "PDF page 2" in found
    as_json = json.loads(run("search", QUESTION, "--json", "--by", "metadata").stdout)
    assert as_json["documents"][0]["name"] == "report-03.pdf"

    shown = run("show", listed[0]["id"][:8]).stdout
    assert "company: Maker0 Works Inc.  (page 1)" in shown
    assert "no document fits" in run("documents", "--where", "fiscal_year=1999").stderr
    assert f"removed {listed[0]['id']}" in run("remove", listed[0]["id"]).stdout
    gone = run("show", listed[0]["id"])
    assert (gone.returncode, gone.stdout) == (2, "")


def test_a_failure_is_told_and_the_exit_code_is_1(run, reports):
    files = reports(2)
    files[0].write_text("no PDF")
    done = run("index", *files)
    assert done.returncode == 1
    assert "2 files: 1 new, 1 failed · " in done.stdout
    assert "report-00.pdf" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("index", "/none/such.pdf"), "there is no file"),
        (("index", ".", "--meta", "colour=red"), "fields add colour"),
        (("search", " "), "question is empty"),
        (("documents", "--library", "mysql://x/y"), "postgresql://"),
        (("documents", "--library", "."), "is a folder: name a file in it"),
        (("index", "x.pdf", "--library", "."), "is a folder: name a file in it"),
        (("documents", "--library", "postgresql://u:x@localhost:notaport/db"), "the port a number"),
        (("remove", "abc"), "is no id"),
        (("documents", "--where", "colour=red"), "no field colour"),
        (("documents", "--where", "fiscal_year=abc"), "fiscal_year takes a whole number, not 'abc'"),
        (("documents", "--where", "report_date=June"), "report_date takes a date"),
        (("documents", "--sort", "colour"), "no field colour"),
        (("fields", "remove", "colour"), "no field colour"),
        (("eval", "q.jsonl"), "--documents"),
        (("eval", "q.jsonl", "--documents", ".", "--by", "metadata"), "goes with --library"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(run, arguments, message, tmp_path, monkeypatch):
    (tmp_path / "x.pdf").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    run("fields", "add", "country", "text")  # makes the library
    done = run(*arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_ctrl_c_keeps_what_is_done_and_the_next_run_does_the_rest(start, run, reports, tmp_path):
    folder = reports(30)[0].parent
    process = start("index", folder, "--library", tmp_path / "library.sqlite")
    database = Database.from_location(tmp_path / "library.sqlite")
    jobs = JobTable(database)
    watched = ""
    while not watched:  # until the run is at work
        batch = jobs.add(jobs.unfinished())
        watched = batch if jobs.counts(batch)[JobState.RUNNING] else ""
        jobs.forget(batch)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert f"`thumbindex index --library {tmp_path / 'library.sqlite'}` goes on with the rest" in err
    assert jobs.counts(jobs.add(jobs.unfinished()))[JobState.RUNNING] == 0
    database.close()
    assert run("index").returncode == 0
    assert len(json.loads(run("documents", "--json").stdout)) == 30


def test_a_field_of_ones_own(run, reports):
    files = reports(2)
    assert run("fields", "add", "country", "text").returncode == 0
    run("index", files[0], "--meta", "country=Chile")
    run("index", files[1], "--meta", "country=Peru")
    found = json.loads(run("search", "What was sold in Chile?", "--json", "--by", "metadata").stdout)
    assert [document["name"] for document in found["documents"]] == ["report-00.pdf"]
    assert "country  text  Chile; Peru" in run("fields", "list").stdout


def test_a_field_that_holds_values_is_removed_only_with_consent(run, start, reports):
    run("fields", "add", "country", "text")
    run("index", *reports(1), "--meta", "country=Chile")
    refused = run("fields", "remove", "country")
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert "1 document has a value for country: --yes removes" in refused.stderr
    assert answered(start, "n", "fields", "remove", "country") == 1
    assert "Chile" in run("fields", "list").stdout
    assert answered(start, "y", "fields", "remove", "country") == 0
    assert "country" not in run("fields", "list").stdout
    assert run("fields", "remove", "company", "--yes").stdout == "removed company\n"
    run("fields", "add", "country", "text")
    assert run("fields", "remove", "country").returncode == 0  # it holds nothing


def answered(start, answer, *arguments):
    """The exit code of a command whose question gets this answer on a terminal."""
    terminal, inside = os.openpty()
    with os.fdopen(terminal, "wb", buffering=0) as keyboard, os.fdopen(inside) as stdin:
        process = start(*arguments, stdin=stdin)
        keyboard.write(f"{answer}\n".encode())
        _, err = process.communicate(timeout=120)
    assert "Remove the field with all of them?" in err
    return process.returncode


# Runs the command line as where wordllama is not installed.
WITHOUT_ENCODER = ("-c", "import sys; sys.modules['wordllama'] = None; from thumbindex.cli import main; main()")


def test_index_says_once_that_semantic_search_is_off_and_how_to_get_it(run, reports):
    done = run("index", *reports(2), start=WITHOUT_ENCODER)
    assert "2 files: 2 new" in done.stdout
    assert done.stderr.count("semantic search is off: no encoder is installed") == 1
    assert "pip install 'thumbindex[wordllama]'" in done.stderr
    kept = run("index", "--vectors", "chroma", start=WITHOUT_ENCODER)
    assert "so --vectors chroma has none to keep" in kept.stderr


def test_rows_of_a_csv_that_name_no_indexed_file_are_counted(run, reports, tmp_path):
    files = reports(1)
    (tmp_path / "m.csv").write_text("file,company\nREPORT-00.pdf,Grande\nother.pdf,Other\n")
    done = run("index", *files, "--metadata", tmp_path / "m.csv")
    assert "1 row of" in done.stderr
    assert "names a file not indexed by this run: other.pdf" in done.stderr
    assert "Grande" in run("documents").stdout


@pytest.mark.parametrize(
    "url", ["postgresql://me:secret@host/db?sslmode=require", "postgresql://me@host/db?password=secret&sslmode=require"]
)
def test_no_password_is_shown(url):
    assert location_name(url) == "postgresql://host/db"


def test_the_last_line_tells_what_is_new_and_what_was_there(run, reports):
    first, second = reports(2)
    run("index", first)
    (first.parent / "copy.pdf").write_bytes(second.read_bytes())
    assert run("index", first.parent).stdout.startswith("3 files: 1 new, 1 already there, 1 copy of another · ")
    assert run("index", first).stdout.startswith("1 file: 1 already there · ")
    assert run("index").stdout.startswith("nothing was left to do · ")


@pytest.mark.skipif(default_encoder() is None, reason="needs the weights of the extra `wordllama`")
def test_documents_indexed_without_an_encoder_get_their_vectors_later(run, reports):
    first, second, third = reports(3)
    run("index", first, second, start=WITHOUT_ENCODER)
    run("index", third)
    first.unlink()  # its text is in the library
    found = run("search", QUESTION).stdout
    assert "semantics: 2 of 3 documents have no vectors yet: `thumbindex index`" in found
    found = run("search", QUESTION, start=WITHOUT_ENCODER).stdout
    assert "semantics: left out, no encoder is installed, but 1 document has vectors" in found
    assert run("index").stdout.startswith("2 files: 2 completed · ")
    assert run("index").stdout.startswith("nothing was left to do · ")
    assert "no vectors" not in run("search", QUESTION).stdout


def test_help_tells_where_the_library_is_by_default(run):
    shown = "".join(run("documents", "--help").stdout.split())  # lines may break within the path
    assert str(library_file()) in shown


def test_a_library_is_measured_without_naming_documents(run, reports, tmp_path):
    folder = reports(4)[0].parent
    run("index", folder)
    row = {"id": "1", "doc": "report-03.pdf", "question": QUESTION, "pages": [2]}
    (tmp_path / "q.jsonl").write_text(json.dumps(row) + "\n")
    figures = json.loads(run("eval", tmp_path / "q.jsonl", "--library", tmp_path / "library.sqlite", "--json").stdout)
    assert (figures["document_hit@1"], figures["hit@1"]) == (1.0, 1.0)


@pytest.mark.parametrize("arguments", [("documents",), ("fields", "list"), ("fields", "remove", "company")])
def test_a_library_that_is_not_there_is_not_an_empty_one(run, tmp_path, arguments):
    done = run(*arguments, "--library", tmp_path / "mistyped.sqlite")
    assert (done.returncode, "there is no library" in done.stderr) == (2, True)
    assert not (tmp_path / "mistyped.sqlite").exists()


def test_the_database_of_another_program_stays_as_it_is(run, tmp_path):
    with closing(sqlite3.connect(tmp_path / "other.sqlite")) as other:
        other.execute("CREATE TABLE mine (a)")
        done = run("documents", "--library", tmp_path / "other.sqlite")
        assert (done.returncode, "holds something else" in done.stderr) == (1, True)
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("mine",)]


def test_a_terminal_does_not_obey_the_names_of_files(run, reports):
    report, broken = reports(2)
    name = "evil\x1b[31m\nname\x9b.pdf"
    report.rename(report.with_name(name))
    broken.write_text("no PDF")
    folder = broken.rename(broken.with_name(f"no {name}")).parent
    done = run("index", folder)
    (entry,) = json.loads(run("documents", "--json").stdout)
    assert entry["name"] == name  # programs get what it is
    library = [done, run("documents"), run("show", entry["id"]), run("search", QUESTION)]
    for said in [*library, run("find", folder / name, QUESTION), run("page", folder / f"no {name}", 1)]:
        text = said.stdout + said.stderr
        assert "evil\\x1b[31m\\nname\\x9b.pdf" in text
        assert not set("\x1b\x9b") & set(text)


def test_nothing_is_removed_where_one_of_several_is_unknown(run, reports):
    assert run("index", *reports(1)).returncode == 0
    (entry,) = json.loads(run("documents", "--json").stdout)
    assert run("remove", entry["id"], "zzzz").returncode == 2
    assert [kept["id"] for kept in json.loads(run("documents", "--json").stdout)] == [entry["id"]]
