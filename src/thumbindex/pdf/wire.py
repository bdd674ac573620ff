"""Messages between the reading process and its worker: a kind, a length, bytes.

No pickle, no types beyond these: the worker reads strangers' files and may be taken over by one.
"""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import BinaryIO, NamedTuple

__all__ = ["Kind", "Picture", "WireError", "receive", "send"]

_HEADER = struct.Struct("<BI")
_PICTURE = struct.Struct("<IId")
_MAX_BYTES = 1 << 28


class Kind(IntEnum):
    """What the body of a message holds."""

    START = 1  # the number of pages, in digits
    PAGE = 2  # a page, encoded by `codec`
    OUTLINE = 3  # an outline, encoded by `codec`
    PICTURE = 4  # a `Picture`
    REFUSED = 5  # why not, as a `Refusal` or in words


class WireError(Exception):
    """The other end sent what is no message, or went away in the middle of one."""


class Picture(NamedTuple):
    """A rendered page: rows of pixels of four bytes (red, green, blue, unused), `scale` pixels a point."""

    width: int
    height: int
    scale: float
    pixels: bytes

    def encode(self) -> bytes:
        """The picture as the body of a message."""
        return _PICTURE.pack(self.width, self.height, self.scale) + self.pixels

    @classmethod
    def decode(cls, body: bytes) -> Picture:
        """The picture that `encode` wrote.

        Raises:
            WireError: The body is no picture.
        """
        if len(body) < _PICTURE.size:
            raise WireError("a picture without a size")
        width, height, scale = _PICTURE.unpack_from(body)
        pixels = body[_PICTURE.size :]
        if len(pixels) != 4 * width * height or not 0 < scale < 1000:
            raise WireError(f"a picture of {width} × {height} pixels in {len(pixels)} bytes")
        return cls(width, height, scale, pixels)


def send(stream: BinaryIO, kind: Kind, body: bytes) -> None:
    """Write one message."""
    stream.write(_HEADER.pack(kind, len(body)) + body)
    stream.flush()


def receive(stream: BinaryIO) -> tuple[Kind, bytes] | None:
    """The next message; None at the end of the stream.

    Raises:
        WireError: What came is no message.
    """
    header = stream.read(_HEADER.size)
    if not header:
        return None
    if len(header) < _HEADER.size:
        raise WireError("the stream ends inside a message")
    kind, size = _HEADER.unpack(header)
    if kind not in _KINDS or size > _MAX_BYTES:
        raise WireError(f"no message is of kind {kind} and {size} bytes")
    body = stream.read(size)
    if len(body) < size:
        raise WireError("the stream ends inside a message")
    return Kind(kind), body


_KINDS = frozenset(Kind)
