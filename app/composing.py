"""The question that is being written: its text and its files, kept for each chat until it is sent."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from PySide6.QtCore import QObject, QTimer, Signal

from app import counts
from app.attachments import Attachment, read_attachment, with_attachments
from app.chats import Chats
from app.errands import Errands
from app.error_texts import told
from app.file_dialog import Mode, file_dialog
from app.importing.source import has_chats
from app.language import tr
from app.loader import Loader
from app.refusals import in_lines
from app.settings import Settings
from app.views.attachment_chip import Chip, lines_of
from app.views.attachment_viewer import AttachmentViewer
from app.views.window import Window
from app.worker import Counted, Letter, Worker
from inference.context import room_for_prompt
from inference.errors import UserError
from inference.events import Failed
from inference.manager.folder import looks_like_model

BANNER = "attachment"  # that was refused
KEEP_MS = 800  # after the last key; a crash costs no more than was written since
TEMPLATE_TOKENS = 64  # what a template writes around a question, at most


@dataclass(frozen=True)
class _Offered:
    """What was dropped or chosen, by what it turned out to be."""

    files: list[Attachment | UserError] = field(default_factory=list)
    chats: list[Path] = field(default_factory=list)
    models: list[Path] = field(default_factory=list)


class Composing(QObject):
    changed = Signal()  # whether it can be sent may be another
    chats_found = Signal(list)  # files (Path) with chats of another program, which are imported and not attached
    models_found = Signal(list)  # folders and GGUF files (Path), which are taken in

    def __init__(self, window: Window, chats: Chats, worker: Worker, loader: Loader, errands: Errands) -> None:
        super().__init__()
        self._window = window
        self._chats = chats
        self._worker = worker
        self._loader = loader
        self._errands = errands
        self.key: str | None = None  # the chat, "" for one without messages; None before any is shown
        self.max_tokens = Settings().max_tokens  # of the reply
        self.attachments: list[Attachment] = []
        self._tokens: dict[Attachment, int] = {}  # as the present model counts them
        self._refusals: list[str] = []  # that are being said
        self._reading = 0  # batches of files on their way
        self._run_id = ""
        self._viewers: dict[str, AttachmentViewer] = {}  # that wait for their size, by run
        self._counting: tuple[Attachment, ...] = ()
        self._timer = QTimer(self, singleShot=True, interval=KEEP_MS)
        self._timer.timeout.connect(self.keep)
        composer = window.composer
        composer.changed.connect(self._timer.start)
        composer.files_offered.connect(self.add_files)
        composer.paste_offered.connect(self.add_paste)
        composer.attachment_removed.connect(self.remove)
        composer.attachment_opened.connect(lambda place: self.open_viewer(self.attachments[place]))
        window.transcript.attachment_opened.connect(self.open_viewer)
        window.transcript.files_dropped.connect(self.add_files)
        loader.target_ready.connect(self._recount)

    def show(self, key: str) -> None:
        """Go on with what was written in this chat."""
        self.keep()
        self._say([])
        self.key = key
        text, attachments = self._chats.unsent(key)
        self._window.composer.set_text(text)
        self.attachments = list(attachments)
        self._count()

    def keep(self) -> None:
        self._timer.stop()
        if self.key is None:
            return
        self._chats.keep_unsent(self.key, self._window.composer.text(), self.attachments)

    def take_all(self) -> list[Attachment]:
        """The files of the question that is sent now; nothing is left of it here."""
        taken, self.attachments = self.attachments, []
        self._window.composer.set_text("")
        self._say([])
        self.keep()
        self._show()
        return taken

    def obstacle(self) -> str:
        """Why it cannot be sent just now, or ""."""
        if self._reading:
            return tr("The files are being read…")
        if self._loader.target is not None and any(one not in self._tokens for one in self.attachments):
            return tr("The size of the files is being counted…")
        return ""

    def ask_for_files(self) -> None:
        dialog = file_dialog(self._window, tr("Attach text or code files"), Mode.ExistingFiles)
        dialog.filesSelected.connect(self.add_files)
        dialog.open()

    def add_files(self, paths: Sequence[str]) -> None:
        def read(cancel: Event) -> Iterator[_Offered]:
            offered = _Offered()
            for path in map(Path, paths):
                try:
                    if has_chats(path):
                        offered.chats.append(path)
                    elif looks_like_model(path):
                        offered.models.append(path)
                    else:
                        offered.files.append(read_attachment(path))
                except UserError as error:
                    offered.files.append(error)
            yield offered

        def end(offered: _Offered) -> None:
            self._reading -= 1
            self._take_files(offered.files)
            if offered.chats:
                self.chats_found.emit(offered.chats)
            if offered.models:
                self.models_found.emit(offered.models)

        def fail(error: UserError) -> None:
            self._reading -= 1
            self._refuse(error)
            self.changed.emit()

        self._reading += 1
        self._errands.start("attachments", read, end, fail)
        self.changed.emit()

    def add_paste(self, text: str) -> None:
        """A long text is a file without a name."""
        names = {attachment.name for attachment in self.attachments}
        number = 1
        while (name := tr("pasted {number}.txt").format(number=number)) in names:
            number += 1
        self._take_files([Attachment(name, text)])

    def open_viewer(self, attachment: Attachment) -> None:
        """Show the text of a file, with its size as soon as that is counted."""
        viewer = self._window.transcript.show_attachment(attachment)
        if attachment in self._tokens:
            viewer.show_tokens(self._tokens[attachment])
        elif self._loader.target is not None:
            run_id = self._worker.count_tokens([with_attachments("", [attachment])])
            self._viewers[run_id] = viewer
            viewer.finished.connect(lambda _: self._viewers.pop(run_id, None))

    def remove(self, place: int) -> None:
        del self.attachments[place]
        self.keep()
        self._count()

    def take(self, run_id: str, letter: Letter) -> bool:
        """News of a run; False if it is not one that counts tokens."""
        if run_id in self._viewers:
            viewer = self._viewers.pop(run_id)
            if isinstance(letter, Counted):
                viewer.show_tokens(letter.tokens[0])
            return True
        if not run_id or run_id != self._run_id:
            return False
        self._run_id = ""
        if isinstance(letter, Counted):
            self._tokens |= dict(zip(self._counting, letter.tokens, strict=True))
            self._fit()
            self._count()
        elif isinstance(letter, Failed):
            self._refuse(UserError(letter.message, letter.remedy))
        return True

    def _take_files(self, found: Sequence[Attachment | UserError]) -> None:
        self._refuse(*(one for one in found if isinstance(one, UserError)))
        for one in found:
            if not isinstance(one, UserError) and one not in self.attachments:
                self.attachments.append(one)
        self.keep()
        if self._loader.target is not None and all(one in self._tokens for one in self.attachments):
            self._fit()  # they were counted before
        self._count()

    def _refuse(self, *errors: UserError) -> None:
        """Say why these files are not attached; nothing: what was said of others is over."""
        self._say([told(error) for error in errors])

    def _say(self, refusals: Sequence[str]) -> None:
        self._refusals = list(refusals)
        if refusals:
            self._window.banners.show_banner(BANNER, in_lines(refusals), tone="warning")
        else:
            self._window.banners.close_banner(BANNER)

    def _recount(self) -> None:
        """Another model has another vocabulary."""
        self._tokens.clear()
        self._run_id, self._refusals = "", []
        self._count()

    def _count(self) -> None:
        """Ask for the tokens of those not counted yet; after a reply, if one is being written."""
        unknown = tuple(one for one in self.attachments if one not in self._tokens)
        if unknown and not self._run_id and self._loader.target is not None:
            self._counting = unknown
            self._run_id = self._worker.count_tokens([with_attachments("", [one]) for one in unknown])
        self._show()

    def _fit(self) -> None:
        """Take off what cannot be read with the rest, and say so with the numbers."""
        room, total = self._room(), 0
        refused = []
        for attachment in list(self.attachments):
            tokens = self._tokens.get(attachment, 0)
            if total + tokens > room:
                self.attachments.remove(attachment)
                text = tr(
                    "{name} takes {tokens:,} tokens and only {room:,} have room, so it was not attached. "
                    "Attach a part of it, or load the model with a longer context."
                )
                refused.append(text.format(name=attachment.name, tokens=tokens, room=max(0, room - total)))
            else:
                total += tokens
        if refused:  # beside those of which it was known before they were counted
            self._say([*self._refusals, *refused])
        self.keep()

    def _room(self) -> int:
        target = self._loader.target
        return room_for_prompt(target.context_length, self.max_tokens) - TEMPLATE_TOKENS if target else 0

    def _show(self) -> None:
        chips = []
        for attachment in self.attachments:
            tokens = self._tokens.get(attachment)
            lines = lines_of(attachment.text)
            note = lines if tokens is None else counts.tokens(tokens)
            chips.append(Chip(attachment.name, note))
        known = [self._tokens[one] for one in self.attachments if one in self._tokens]
        size = ""
        if known:
            size = tr("{count:,} of {room:,} tokens").format(count=sum(known), room=self._room())
        self._window.composer.show_attachments(chips, size)
        self.changed.emit()
