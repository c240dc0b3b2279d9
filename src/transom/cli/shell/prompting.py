"""The prompt with completion, colours and a history of whole statements. Needs prompt_toolkit, of `transom[shell]`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import FileHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.lexers import Lexer, PygmentsLexer
from pygments.lexers.sql import SqlLexer
from pygments.token import Keyword, Name, Token

from transom.cli.shell.statement_lines import is_finished
from transom.language.catalog import Catalog
from transom.language.completing import candidates, word_before
from transom.language.parse.clauses import STREAM_CLAUSES, WINDOW_CLAUSES

HISTORY = Path("~/.transom_statements").expanduser()
OURS = frozenset(
    {*WINDOW_CLAUSES, *STREAM_CLAUSES, "STREAM", "LATE", "SOURCE", "FORMAT", "ISTREAM", "DSTREAM", "RSTREAM", "ANALYZE"}
)


class TransomLexer(SqlLexer):
    """SQL, with the keywords of windows and streams."""

    name = "Transom SQL"

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        for index, token, value in super().get_tokens_unprocessed(text):
            ours = token in (Name, Token.Text) or token in Name
            yield index, Keyword if ours and value.upper() in OURS else token, value


class Completing(Completer):
    """Offers what the catalog knows at the moment."""

    def __init__(self, catalog: Callable[[], Catalog]) -> None:
        self._catalog = catalog

    def get_completions(self, document: Any, complete_event: Any) -> Iterator[Completion]:
        text = document.text_before_cursor
        back = -len(word_before(text))
        for found in candidates(text, self._catalog()):
            yield Completion(found, start_position=back)


def prompted(catalog: Callable[[], Catalog], history: Path = HISTORY, **terminal: Any) -> Iterator[str]:
    """Statements as they are finished. Ctrl-C clears the line, Ctrl-D ends."""
    session: PromptSession[str] = PromptSession(
        history=FileHistory(str(history)),
        lexer=_lexer(),
        completer=Completing(catalog),
        complete_while_typing=False,
        key_bindings=_keys(),
        multiline=True,
        prompt_continuation="      -> ",
        **terminal,
    )
    while True:
        try:
            text = session.prompt("transom> ")
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        if text.strip():
            yield text


def _lexer() -> Lexer:
    return PygmentsLexer(TransomLexer)


def _keys() -> KeyBindings:
    """Enter ends a statement that is finished, and else begins a new line."""
    keys = KeyBindings()

    @keys.add("enter", filter=Condition(lambda: is_finished(get_app().current_buffer.document.text)))
    def _(event: Any) -> None:
        event.current_buffer.validate_and_handle()

    return keys
