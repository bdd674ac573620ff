"""Every error the package raises on purpose, drawn once.

    ThumbindexError
    ├── InputError              the caller's mistake (command line: exit code 2)
    │   ├── PathError           no such file, or a folder where a file is needed
    │   ├── UnknownDocumentError
    │   ├── PageNumberError     the document has no such page
    │   ├── QuestionError       empty, or too long to be a question
    │   ├── OptionError         a setting outside its range
    │   ├── FieldError          a metadata field or value that cannot be
    │   ├── QuestionSetError    a question set that cannot be used
    │   ├── ResultFileError     no results of an evaluation, or none that can be compared
    │   ├── TreeError           a tree to be imported that does not fit its document
    │   ├── OptionalDependencyError
    │   ├── UnknownModelError   no model of that name
    │   ├── MissingKeyError     a model that needs an API key, and none is set
    │   ├── SettingsError       the settings file, or a value in it, cannot be used
    │   ├── RecordingError      a recording that cannot be written or read
    │   └── ServerStartError    the server cannot be started as asked
    ├── DocumentError           the file's fault (exit code 1)
    │   ├── NotAPdfError
    │   ├── DamagedPdfError
    │   ├── EncryptedPdfError   needs a password to open
    │   ├── NoPagesError
    │   ├── NoTextError         pictures of text only
    │   └── ParsingLimitError   reading passed its time, memory, or size limit
    ├── DecisionError           a decision model failed (exit code 1)
    │   ├── RequestTooLongError
    │   ├── BackendUnavailableError
    │   │   └── BackendBusyError    asks for fewer requests, or for a wait
    │   ├── BackendRefusedError     will not answer: a wrong key, an unknown model
    │   │   └── RequestRefusedError     will not answer this request; others it may
    │   ├── InvalidDistributionError
    │   ├── BudgetSpentError        the next request would pass the budget
    │   ├── NotRecordedError        a replay is asked what was not recorded
    │   └── DecisionsCancelledError
    ├── GenerationError         a model that writes text failed (exit code 1)
    ├── EmbeddingError          an encoder failed (exit code 1)
    ├── RefusedStatementError   SQL that a model wrote and that is not run (exit code 1)
    └── StoreError              the cache or library cannot be used (exit code 1)

Messages are one line: what is wrong, with the actual value, then what to do.
"""

__all__ = [
    "BackendBusyError",
    "BackendRefusedError",
    "BackendUnavailableError",
    "BudgetSpentError",
    "DamagedPdfError",
    "DecisionError",
    "DecisionsCancelledError",
    "DocumentError",
    "EmbeddingError",
    "EncryptedPdfError",
    "FieldError",
    "GenerationError",
    "InputError",
    "InvalidDistributionError",
    "MissingKeyError",
    "NoPagesError",
    "NoTextError",
    "NotAPdfError",
    "NotRecordedError",
    "OptionError",
    "OptionalDependencyError",
    "PageNumberError",
    "ParsingLimitError",
    "PathError",
    "QuestionError",
    "QuestionSetError",
    "RecordingError",
    "RefusedStatementError",
    "RequestRefusedError",
    "RequestTooLongError",
    "ResultFileError",
    "ServerStartError",
    "SettingsError",
    "StoreError",
    "ThumbindexError",
    "TreeError",
    "UnknownDocumentError",
    "UnknownModelError",
]


class ThumbindexError(Exception):
    """Base of all errors raised on purpose."""


class InputError(ThumbindexError):
    """The caller asked for something that cannot be."""


class PathError(InputError):
    """No such file, or not a file."""


class UnknownDocumentError(InputError):
    """No document of that id is kept."""


class PageNumberError(InputError):
    """The document has no page of that number."""


class QuestionError(InputError):
    """The question is empty or far too long."""


class OptionError(InputError):
    """A setting lies outside its range."""


class FieldError(InputError):
    """A metadata field or a value for one cannot be as given."""


class QuestionSetError(InputError):
    """A question set cannot be used as it stands."""


class ResultFileError(InputError):
    """A file holds no results of an evaluation, or two hold none that can be compared."""


class TreeError(InputError):
    """A tree to be imported does not fit its document."""


class OptionalDependencyError(InputError):
    """What was asked for needs an extra that is not installed."""


class UnknownModelError(InputError):
    """No model goes by that name."""


class MissingKeyError(InputError):
    """The model needs an API key, and none is set."""


class SettingsError(InputError):
    """The settings file, or a value in it, cannot be used."""


class RecordingError(InputError):
    """A recording cannot be written or read."""


class ServerStartError(InputError):
    """The server cannot be started as asked."""


class DocumentError(ThumbindexError):
    """The file cannot be used."""


class NotAPdfError(DocumentError):
    """The file is not a PDF."""


class DamagedPdfError(DocumentError):
    """The file is a PDF, but broken."""


class EncryptedPdfError(DocumentError):
    """The file opens with a password only."""


class NoPagesError(DocumentError):
    """The file has no pages."""


class NoTextError(DocumentError):
    """No page of the file has text."""


class ParsingLimitError(DocumentError):
    """Reading the file passed a limit on time, memory, or size."""


class DecisionError(ThumbindexError):
    """A decision model failed."""


class RequestTooLongError(DecisionError):
    """One request holds more than the model takes; ask with less."""


class BackendUnavailableError(DecisionError):
    """The model cannot be reached or used now."""


class BackendBusyError(BackendUnavailableError):
    """The model is asked too much at once; `wait_s` is how long it asks to wait, None where it does not say."""

    def __init__(self, message: str, wait_s: float | None = None) -> None:
        super().__init__(message)
        self.wait_s = wait_s


class BackendRefusedError(DecisionError):
    """The model will not answer, now or later: a wrong key, an unknown name."""


class RequestRefusedError(BackendRefusedError):
    """The model does not accept this request; others it may."""


class InvalidDistributionError(DecisionError):
    """The model answered with something that is no probability distribution over what was asked."""


class BudgetSpentError(DecisionError):
    """The next request would pass the budget."""


class NotRecordedError(DecisionError):
    """What is asked is not in the recording."""


class DecisionsCancelledError(DecisionError):
    """The caller no longer wants the answers."""


class GenerationError(ThumbindexError):
    """A model that writes text failed."""


class EmbeddingError(ThumbindexError):
    """An encoder failed."""


class RefusedStatementError(ThumbindexError):
    """SQL that a model wrote does more than choose documents, or takes too long: it is not run."""


class StoreError(ThumbindexError):
    """The place where documents are kept cannot be read or written."""
