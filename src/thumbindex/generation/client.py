"""The client of OpenAI-compatible servers (extra `chat`): the one place that makes it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from thumbindex.endpoints import Endpoint
from thumbindex.errors import OptionalDependencyError

if TYPE_CHECKING:
    from openai import OpenAI

__all__ = ["KEY_VARIABLE", "openai_client"]

KEY_VARIABLE = "OPENAI_API_KEY"
_TIMEOUT_S = 120.0
_RETRIES = 2
# A server on one's own machine asks for no key, but the client insists on one.
_NO_KEY = "none"


def openai_client(
    endpoint: Endpoint, key_variable: str | None = None, timeout_s: float | None = None, retries: int = _RETRIES
) -> OpenAI:
    """A client of the server; the key comes from the environment variable, by default OPENAI_API_KEY.

    Raises:
        OptionalDependencyError: The extra `chat` is not installed.
    """
    try:
        from openai import OpenAI  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise OptionalDependencyError("models at a server need an extra: pip install 'thumbindex[chat]'") from error
    key = os.environ.get(key_variable or KEY_VARIABLE, "").strip() or _NO_KEY
    return OpenAI(base_url=endpoint.base_url, api_key=key, timeout=timeout_s or _TIMEOUT_S, max_retries=retries)
