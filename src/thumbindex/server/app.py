"""The HTTP application: routes, keys, bounds, and what errors look like."""

from __future__ import annotations

import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from anyio import CapacityLimiter, fail_after, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thumbindex.errors import (
    BackendBusyError,
    BackendUnavailableError,
    DecisionError,
    RequestRefusedError,
    RequestTooLongError,
)
from thumbindex.server.answering import Shelf
from thumbindex.server.bodies import read_body
from thumbindex.server.system_one import InvalidRequestError, asked_from_json

__all__ = ["Bounds", "make_app"]

_ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    404: "not_found",
    405: "method_not_allowed",
    408: "request_timeout",
    413: "request_too_large",
    415: "unsupported_media_type",
    429: "rate_limit_error",
}


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the server takes on.

    Attributes:
        max_body_bytes: Of one request, decompressed.
        at_once: Requests that are worked on at the same time.
        waiting: Requests that may wait for that; more are told to come again.
        body_timeout_s: How long a client may take to send its request.
    """

    max_body_bytes: int = 16 * 1024 * 1024
    at_once: int = 4
    waiting: int = 64
    body_timeout_s: float = 60.0


class _Answers:
    """The handlers of the routes."""

    def __init__(self, shelf: Shelf, keys: Sequence[str], bounds: Bounds) -> None:
        self._shelf = shelf
        self._keys = [key.encode() for key in keys]
        self._bounds = bounds
        self._limiter: CapacityLimiter | None = None
        self._taken = 0

    async def system_one(self, request: Request) -> Response:
        self._check_key(request)
        if self._taken >= self._bounds.at_once + self._bounds.waiting:
            raise HTTPException(429, "too many requests are waiting: try again", {"retry-after": "1"})
        self._taken += 1
        try:
            with fail_after(self._bounds.body_timeout_s):
                body = await read_body(request, self._bounds.max_body_bytes)
            # Made here: a limiter belongs to the event loop that it is used in.
            self._limiter = self._limiter or CapacityLimiter(self._bounds.at_once)
            return await to_thread.run_sync(self._answer, body, limiter=self._limiter)
        except TimeoutError as error:
            raise HTTPException(408, "the body did not come in time") from error
        finally:
            self._taken -= 1

    async def models(self, request: Request) -> Response:
        self._check_key(request)
        return _json(self._shelf.models_json())

    def _answer(self, body: bytes) -> Response:
        try:
            asked = asked_from_json(body)
            if not self._shelf.knows(asked.model):
                return _failure(404, f"no model {asked.model[:100]!r} is served here: GET /v1/models lists them")
            return _json(self._shelf.answer(asked))
        except InvalidRequestError as error:
            return _json({"detail": error.errors}, 422)
        except DecisionError as error:
            return _decision_failure(error)

    def _check_key(self, request: Request) -> None:
        if not self._keys:
            return
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        given = key.strip().encode()
        # All are compared, so that the time it takes says nothing.
        known = [hmac.compare_digest(given, one) for one in self._keys]
        if scheme.lower() != "bearer" or not any(known):
            told = "send a valid key as `Authorization: Bearer KEY`"
            raise HTTPException(401, told, {"www-authenticate": "Bearer"})


def make_app(shelf: Shelf, keys: Sequence[str] = (), bounds: Bounds | None = None) -> Starlette:
    """The application that answers System One requests.

    Args:
        shelf: The models.
        keys: Any of which a client must send; none: everyone is answered.
        bounds: What it takes on.
    """
    answers = _Answers(shelf, keys, bounds or Bounds())
    return Starlette(
        routes=[
            Route("/v1/systemone", answers.system_one, methods=["POST"]),
            Route("/v1/models", answers.models, methods=["GET"]),
        ],
        exception_handlers={HTTPException: _http_failure},
    )


async def _http_failure(_: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    return _failure(error.status_code, error.detail, dict(error.headers or {}))


def _decision_failure(error: DecisionError) -> Response:
    """A backend's failure in the protocol's words: what the client can mend is a 4xx, what it can wait for 429, 529."""
    match error:
        case RequestTooLongError():
            return _failure(413, str(error))
        case RequestRefusedError():
            return _failure(400, str(error))
        case BackendBusyError():
            wait_s = 1.0 if error.wait_s is None else error.wait_s
            return _failure(429, str(error), {"retry-after": f"{wait_s:.0f}"})
        case BackendUnavailableError():
            return _failure(529, str(error))
    return _failure(502, str(error))


def _failure(status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    detail = {"error_type": _ERROR_TYPES.get(status, "server_error"), "message": message}
    return _json({"detail": detail}, status, headers)


def _json(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    # Escaped: names come back as they came, also those that are no valid Unicode.
    body = json.dumps(content, allow_nan=False, separators=(",", ":"))
    return Response(body, status, headers, media_type="application/json")
