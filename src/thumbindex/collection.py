"""Many documents under one roof: added, listed, and chosen among by a question. The parts are joined here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from thumbindex.catalog.chroma import ChromaIndex
from thumbindex.catalog.chunks import CHUNKER, ChunkTable, chunk_text, chunks_of
from thumbindex.catalog.database import Database
from thumbindex.catalog.description import DESCRIBER, DescriptionTable, describe, identity
from thumbindex.catalog.facts import READING, Fact, facts_of, issuer_candidates
from thumbindex.catalog.fields import FieldTable
from thumbindex.catalog.jobs import JobTable
from thumbindex.catalog.listing import Entry, Listing
from thumbindex.catalog.pgvector import PgvectorIndex
from thumbindex.catalog.picked import write_description
from thumbindex.catalog.store import Store
from thumbindex.catalog.vectors import ExactIndex, VectorIndex
from thumbindex.decision.base import Choice, DecisionModel, Request
from thumbindex.decision.registry import load_model
from thumbindex.document import Document
from thumbindex.embedding.base import Encoder
from thumbindex.embedding.registry import default_encoder, load_encoder
from thumbindex.errors import OptionError
from thumbindex.generation.base import TextGenerator
from thumbindex.library import IndexedDocument, Library, Progress, file_sha256
from thumbindex.pdf import READER

__all__ = ["Collection", "Vectors"]

# Below this the model rather guesses who issued a document, and what the cover shows first counts.
_SURE = 0.6
_COVER_CHARACTERS = 1_500
_IN_CHROMA = " in chroma"


class Vectors(StrEnum):
    """Where the vectors of chunks are kept and searched.

    Auto is where they are already, else pgvector on a PostgreSQL server that has it, else exact. Exact compares every
    vector; chroma keeps them in a folder beside the library's file (extra `chroma`).
    """

    AUTO = "auto"
    EXACT = "exact"
    CHROMA = "chroma"


class Collection:
    """The documents of one database.

    Args:
        database: Where they are kept.
        encoder: Makes the vectors that semantic search goes by: a name as `load_encoder` takes it, or an encoder; None
            does without semantic search.
        model: What decides: a name as `load_model` takes it, or a model; None is what the user set as default.
        generator: A chat model that writes descriptions and SQL, and picks by descriptions; None does without.
        vectors: Where vectors are kept and searched.
    """

    def __init__(
        self,
        database: Database,
        encoder: str | Encoder | None = None,
        model: str | DecisionModel | None = None,
        generator: TextGenerator | None = None,
        vectors: Vectors = Vectors.AUTO,
    ) -> None:
        self.database = database
        self._library = Library(Store(database))
        self._encoder = encoder
        self._encoder_is_default = False
        self._model = model
        self.generator = generator
        self._vectors = vectors
        self.listing = Listing(database)
        self.jobs = JobTable(database)
        self.fields = FieldTable(database)
        self.chunks = ChunkTable(database)
        self.descriptions = DescriptionTable(database)

    @classmethod
    def from_location(
        cls,
        location: str | Path,
        encoder: str | None = None,
        model: str | DecisionModel | None = None,
        generator: TextGenerator | None = None,
        vectors: Vectors = Vectors.AUTO,
    ) -> Collection:
        """The collection at a path (an SQLite file, made where there is none) or a `postgresql://` URL.

        Args:
            location: Where it is.
            encoder: Its name; by default the one whose weights are installed, if any.
            model: What decides.
            generator: A chat model that writes; by default none.
            vectors: Where vectors are kept and searched.

        Raises:
            OptionError: A URL of another kind.
            OptionalDependencyError: PostgreSQL without its extra.
            UnknownModelError: No encoder or model of that name.
            StoreError: It cannot be used.
        """
        made = cls(Database.from_location(location), encoder or default_encoder(), model, generator, vectors)
        made._encoder_is_default = not encoder
        return made

    @cached_property
    def encoder(self) -> Encoder | None:
        """What makes the vectors; None where there is no semantic search."""
        return load_encoder(self._encoder) if isinstance(self._encoder, str) else self._encoder

    @cached_property
    def model(self) -> DecisionModel:
        """What decides."""
        return load_model(self._model) if self._model is None or isinstance(self._model, str) else self._model

    @cached_property
    def vectors(self) -> VectorIndex | None:
        """The vectors of the chunks; None where there is no semantic search."""
        if self.encoder is None:
            return None
        if self._vectors_are_in is Vectors.CHROMA:
            return ChromaIndex.from_folder(self._chroma_folder, self.encoder.name)
        if self._vectors_are_in is Vectors.AUTO and PgvectorIndex.is_available(self.database):
            return PgvectorIndex(self.database, self.encoder.name, self.encoder.dimensions)
        return ExactIndex(self.database, self.encoder.name)

    def add(self, file: Path, facts: Sequence[Fact] = (), progress: Progress | None = None) -> Entry:
        """The document in a file, read and indexed as far as it is not yet.

        Each stage is there whole or not at all, and what is there is not made again; the text comes first.

        Args:
            file: The PDF.
            facts: Its metadata as the user gives them.
            progress: Told how far the work is.

        Raises:
            PathError: No such file.
            FieldError: A fact is of another type than its field.
            DocumentError: The file cannot be used.
            EmbeddingError: The encoder failed.
            GenerationError: The chat model failed.
            StoreError: What is kept cannot be read or written.
        """
        kept = self.listing.find(Document.id_of(file_sha256(file)))
        if kept and not facts and self.is_complete(kept):
            return kept
        return self._finished(self._library.open(file, progress=progress), facts, progress)

    def complete(self, document_id: str, progress: Progress | None = None) -> Entry:
        """The document of that id, with what is still to be made of it; its text is here, the file need not be.

        Raises:
            UnknownDocumentError: There is none.
            PathError: Its text is to be read anew, and the file is no longer there.
            EmbeddingError: The encoder failed.
            GenerationError: The chat model failed.
            StoreError: What is kept cannot be read or written.
        """
        return self._finished(self.open(document_id), (), progress)

    def is_complete(self, entry: Entry) -> bool:
        """Whether nothing is to be made of a document that is kept.

        What a chat model or another encoder made counts where none is named now: it may have been dear.
        """
        made = entry.stages
        current = entry.reader == READER and made.get("metadata") == READING
        return current and self._is_described(made) and self._is_encoded(made)

    def vectors_note(self) -> str:
        """What semantic search does not see of this library, and what to do about it; empty where it sees all."""
        makers = self.listing.makers("vectors")
        if self.encoder is None:
            held = _documents_have(sum(makers.values()), "vectors")
            advice = "pip install 'thumbindex[wordllama]', or name a server with --encoder"
            return f"left out, no encoder is installed, but {held}: {advice}" if makers else ""
        count = self.listing.count()
        others = sum(number for maker, number in makers.items() if self._is_of_another_encoder(maker))
        missing = count - others - makers.get(self._vectors_maker, 0)
        notes = []
        if missing > 0:
            notes.append(f"{missing:,} of {_documents_have(count, 'no vectors yet')}: `thumbindex index`")
        if others:
            notes.append(
                f"{others:,} of {_documents_have(count, 'vectors of another encoder')}: name it with --encoder"
            )
        return "; ".join(notes)

    def _finished(self, indexed: IndexedDocument, facts: Sequence[Fact], progress: Progress | None) -> Entry:
        if facts or self.listing.entry(indexed.id).stages.get("metadata") != READING:
            self.listing.unmark(indexed.id, ("description", "vectors"))  # they tell what the metadata say
            self.fields.fill(indexed.id, facts)
        made = self.listing.entry(indexed.id).stages
        if made.get("metadata") != READING:
            self._fill_fields(indexed.document)
        if not self._is_described(made):
            self._describe(indexed)
        if not self._is_encoded(made):
            self._encode(indexed, progress)
        return self.listing.entry(indexed.id)

    def open(self, document_id: str) -> IndexedDocument:
        """The document of that id, to be asked.

        Raises:
            UnknownDocumentError: There is none.
        """
        return self._library.open(self.listing.entry(document_id).id)

    def remove(self, document_id: str) -> Entry:
        """Drop the document of that id; what it was comes back.

        Raises:
            UnknownDocumentError: There is none.
        """
        entry = self.listing.entry(document_id)
        if self.vectors:
            self.vectors.remove(entry.id)
        self.listing.remove(entry.id)
        return entry

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()

    @cached_property
    def _vectors_are_in(self) -> Vectors:
        """What was asked for; where nothing was, what an earlier run began."""
        begun = not self.database.is_postgresql and self._chroma_folder.is_dir()
        return Vectors.CHROMA if self._vectors is Vectors.AUTO and begun else self._vectors

    @property
    def _vectors_maker(self) -> str:
        beside = _IN_CHROMA if self._vectors_are_in is Vectors.CHROMA else ""
        return f"{CHUNKER} {self.encoder.name}{beside}" if self.encoder else ""

    @property
    def _chroma_folder(self) -> Path:
        if self.database.is_postgresql:
            raise OptionError("a library on PostgreSQL keeps its vectors there: do without --vectors chroma")
        return Path(f"{self.database.name}.chroma")

    @property
    def _describer(self) -> str:
        return f"{DESCRIBER} {self.generator.name}" if self.generator else DESCRIBER

    def _is_described(self, stages: Mapping[str, str]) -> bool:
        maker = stages.get("description", "")
        return maker == self._describer or (self.generator is None and maker.startswith(f"{DESCRIBER} "))

    def _is_encoded(self, stages: Mapping[str, str]) -> bool:
        maker = stages.get("vectors", "")
        kept = self._encoder_is_default and self._is_of_another_encoder(maker)
        return self.encoder is None or maker == self._vectors_maker or kept

    def _is_of_another_encoder(self, maker: str) -> bool:
        chunker, _, encoder = maker.removesuffix(_IN_CHROMA).partition(" ")
        return chunker == CHUNKER and self.encoder is not None and encoder != self.encoder.name

    def _fill_fields(self, document: Document) -> None:
        found = facts_of(document, self._issuer(document))
        self.fields.fill(document.id, found)
        self.listing.mark(document.id, "metadata", READING)

    def _issuer(self, document: Document) -> str | None:
        """Who issued a document: the model chooses where its first pages name several."""
        candidates = issuer_candidates(document)
        if len(candidates) < 2:
            return candidates[0] if candidates else None
        cover = " ".join(page.search_text for page in document.pages[:2])[:_COVER_CHARACTERS]
        asked = Choice({name: name for name in candidates}, "Who issued this document?")
        (decision,) = self.model.decide([Request({"question": "Who issued this document?", "text": cover}, asked)])
        return decision.choice if decision.probability >= _SURE else candidates[0]

    def _describe(self, indexed: IndexedDocument) -> None:
        sentence = describe(indexed.document, indexed.tree, self._values(indexed.id))
        if self.generator:
            sentence = write_description(sentence, indexed.tree, self.generator)
        self.descriptions.put(indexed.id, sentence, self._describer)

    def _values(self, document_id: str) -> Mapping[str, str | int]:
        return {name: value.value for name, value in self.listing.entry(document_id).fields.items()}

    def _encode(self, indexed: IndexedDocument, progress: Progress | None) -> None:
        if self.encoder is None or self.vectors is None:
            return
        if progress:
            progress("Encoding", 0, 1)
        chunks = chunks_of(indexed.document, indexed.tree)
        whose = identity(self._values(indexed.id))
        vectors = self.encoder.encode([chunk_text(indexed.document, chunk, whose) for chunk in chunks])
        self.chunks.put(indexed.id, chunks)
        self.vectors.put(indexed.id, vectors)
        self.listing.mark(indexed.id, "vectors", self._vectors_maker)
        if progress:
            progress("Encoding", 1, 1)


def _documents_have(count: int, what: str) -> str:
    return f"{count:,} {'document has' if count == 1 else 'documents have'} {what}"
