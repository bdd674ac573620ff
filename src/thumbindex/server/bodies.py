"""Reading the body of a request within bounds, compressed or not."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Callable, Mapping
from types import MappingProxyType

from starlette.exceptions import HTTPException
from starlette.requests import Request

if sys.version_info >= (3, 14):
    from compression.zstd import DecompressionParameter, ZstdDecompressor, ZstdError
else:
    from backports.zstd import DecompressionParameter, ZstdDecompressor, ZstdError

__all__ = ["read_body"]

# 16 MiB: more than any body of the protocol needs, and little enough to hold for several requests at once.
_WINDOW_LOG = 24
_GZIP = 31


async def read_body(request: Request, max_bytes: int) -> bytes:
    """The body, decompressed.

    Raises:
        HTTPException: 413 where it is longer than `max_bytes`, 415 for a compression that is not known here, 400 where
            the compressed bytes are damaged.
    """
    encoding = request.headers.get("content-encoding", "identity").strip().lower()
    decode = _DECODERS.get(encoding)
    if decode is None:
        raise HTTPException(415, f"bodies may be compressed with {', '.join(_DECODERS)}, not {encoding[:40]}")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > max_bytes:
            raise _too_long(max_bytes)
    try:
        decoded = decode(bytes(body), max_bytes + 1)
    except (ZstdError, zlib.error, EOFError) as error:
        raise HTTPException(400, f"the body is no valid {encoding}") from error
    if len(decoded) > max_bytes:
        raise _too_long(max_bytes)
    return decoded


def _too_long(max_bytes: int) -> HTTPException:
    return HTTPException(413, f"the body is longer than {max_bytes:,} bytes")


def _plain(body: bytes, most: int) -> bytes:
    return body[:most]


def _unzstd(body: bytes, most: int) -> bytes:
    decompressor = ZstdDecompressor(options={DecompressionParameter.window_log_max: _WINDOW_LOG})
    decoded = decompressor.decompress(body, most)
    if not decompressor.eof and len(decoded) < most:
        raise EOFError
    return decoded


def _ungzip(body: bytes, most: int) -> bytes:
    decompressor = zlib.decompressobj(_GZIP)
    decoded = decompressor.decompress(body, most)
    if not decompressor.eof and len(decoded) < most:
        raise EOFError
    return decoded


_DECODERS: Mapping[str, Callable[[bytes, int], bytes]] = MappingProxyType(
    {"identity": _plain, "zstd": _unzstd, "gzip": _ungzip}
)
