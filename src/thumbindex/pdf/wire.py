"""Messages between the reading process and its worker: a kind, a length, bytes. No pickle: the worker reads strangers' files."""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import BinaryIO

__all__ = ["Kind", "WireError", "receive", "send"]

_HEADER = struct.Struct("<BI")
_MAX_BYTES = 1 << 28


class Kind(IntEnum):
    """What a message holds."""

    START = 1  # the number of pages
    PAGE = 2  # a page of codec
    OUTLINE = 3  # an outline of codec
    PICTURE = 4  # width, height, RGB
    REFUSED = 5  # the code of a refusal, in ASCII


class WireError(Exception):
    """The other end sent what is no message, or went away in the middle of one."""


def send(stream: BinaryIO, kind: Kind, body: bytes) -> None:
    """Write one message."""
    stream.write(_HEADER.pack(kind, len(body)) + body)
    stream.flush()


def receive(stream: BinaryIO) -> tuple[Kind, bytes] | None:
    """The next message; None at the end.

    Raises:
        WireError: What came is no message.
    """
    header = stream.read(_HEADER.size)
    if not header:
        return None
    if len(header) < _HEADER.size:
        raise WireError("the stream ends inside a message")
    kind, size = _HEADER.unpack(header)
    if kind not in set(Kind) or size > _MAX_BYTES:
        raise WireError(f"no message has kind {kind} and {size} bytes")
    body = stream.read(size)
    if len(body) < size:
        raise WireError("the stream ends inside a message")
    return Kind(kind), body
