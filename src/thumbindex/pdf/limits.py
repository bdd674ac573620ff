"""How much a file may ask of the machine before reading it is given up."""

from __future__ import annotations

from dataclasses import dataclass

from thumbindex.errors import OptionError

__all__ = ["ReadLimits"]


@dataclass(frozen=True)
class ReadLimits:
    """Bounds on reading one file; the defaults let a book of 20,000 pages pass.

    Attributes:
        memory_bytes: Address space of the worker besides the file itself (where the platform can bound it).
        page_timeout_s: Between two pages.
        document_timeout_s: For the whole file.
        max_pages: Pages in a file.
        max_file_bytes: Size of a file.
        max_page_characters: Characters read of one page; the rest is left out and the page flagged.
    """

    memory_bytes: int = 1 << 30
    page_timeout_s: float = 60.0
    document_timeout_s: float = 3600.0
    max_pages: int = 20_000
    max_file_bytes: int = 1 << 31
    max_page_characters: int = 200_000

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not value > 0:
                raise OptionError(f"the limit {name} must be above 0, not {value}")
        if self.memory_bytes < 1 << 27:
            raise OptionError(f"the limit memory_bytes must be at least {1 << 27}, not {self.memory_bytes}")
