"""Chats coming in and going out: import, export, backups."""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from app.backup import back_up, backups_of, check_backup, copy_database, is_due
from app.chats import Chats
from app.errands import Errands
from app.error_texts import in_words, told
from app.exporting.export import ExportProgress, export_json, export_markdown, file_name
from app.file_dialog import Mode, file_dialog
from app.importing.found import Skipped
from app.importing.run import ImportProgress, import_chats
from app.language import tr
from app.save_dialog import ask_where_to_save
from app.views.import_dialog import ImportDialog
from app.views.restore_dialog import BackupChoice, RestoreDialog
from app.views.window import Window
from inference.errors import UserError

BACKUP_WAIT_MS = 20_000  # after the start, when the model has been loaded
DONE_S = 10.0


class Transfer(QObject):
    imported = Signal(object)  # the ids of the chats that changed
    chat_opened = Signal(str)  # its id: the only one of a file that was opened
    restored = Signal()  # the chats are others now
    restoring = Signal()  # they are about to be: what is being written has to end

    def __init__(self, window: Window, chats: Chats, errands: Errands) -> None:
        super().__init__()
        self._window = window
        self._chats = chats
        self._errands = errands
        self._timer = QTimer(self, singleShot=True, interval=BACKUP_WAIT_MS)
        self._timer.timeout.connect(self.back_up_if_due)
        window.sidebar.import_requested.connect(self.ask_for_import)
        window.sidebar.export_requested.connect(self.ask_for_export)
        window.sidebar.restore_requested.connect(self.ask_for_backup)

    def start(self) -> None:
        self._timer.start()

    def close(self) -> None:
        """No backup is begun any more."""
        self._timer.stop()

    # Import

    def ask_for_import(self, kind: str) -> None:
        if kind == "folder":
            title = tr("Import a folder of chats, such as LM Studio's conversations")
            dialog = file_dialog(self._window, title, Mode.Directory)
        else:
            title = tr("Import chats of ChatGPT, ShareGPT, OpenAI, LM Studio or Foreword")
            dialog = file_dialog(self._window, title, Mode.ExistingFiles)
            dialog.setNameFilter(tr("Chats (*.zip *.json *.jsonl *.ndjson)"))
        dialog.filesSelected.connect(lambda files: self.import_from(list(map(Path, files))))
        dialog.open()

    def open_file(self, path: Path) -> ImportDialog:
        """Import what is new in it; a single chat is shown at once."""
        return self.import_from([path], opening=True)

    def import_from(self, paths: Sequence[Path], *, opening: bool = False) -> ImportDialog:
        name = paths[0].name if len(paths) == 1 else tr("{count:,} files").format(count=len(paths))
        dialog = ImportDialog(self._window, name)
        database = self._chats.path

        def run(cancel: Event) -> Iterator[ImportProgress]:
            self._chats.flush()
            yield from import_chats(paths, database, cancel)

        def end(result: ImportProgress) -> None:
            show(result)
            self._chats.reload(result.chats)
            self.imported.emit(result.chats)
            if opening and len(result.chats) == 1 and not result.skipped_count:
                if alive:
                    dialog.close()
                self.chat_opened.emit(next(iter(result.chats)))
                return
            more = result.skipped_count - len(result.skipped)
            skipped = [_left_out(one) for one in result.skipped]
            skipped += [tr("and {count:,} more").format(count=more)] if more else []
            done(_outcome(result, name, len(paths)), skipped)

        def show(now: ImportProgress) -> None:
            if alive:
                fraction = now.done / now.total if now.total else 0.0
                dialog.show_progress(fraction, now.new_chats, now.new_messages, now.known, now.skipped_count)

        def done(title: str, skipped: list[str]) -> None:
            if alive:
                dialog.finish(title, skipped)

        alive = [dialog]
        dialog.destroyed.connect(alive.clear)
        errand = self._errands.start("import", run, end, lambda error: done(told(error), []))
        errand.progressed.connect(show)
        dialog.cancel_requested.connect(errand.cancel)
        dialog.show()
        dialog.raise_()  # in front of the page of models, where it fell on that or models fell with it
        dialog.activateWindow()
        return dialog

    # Export

    def ask_for_export(self, chat: str, form: str) -> None:
        """chat: its id, or "" for all; form: "markdown" or "json"."""
        rows = [row for row in self._chats.rows() if chat in ("", row.id)]
        if not rows:
            self._say(tr("There is no chat to export yet."))
            return
        identifiers = [row.id for row in rows]
        if not chat and form == "markdown":
            dialog = file_dialog(self._window, tr("Export all chats into this folder"), Mode.Directory)
            dialog.fileSelected.connect(lambda path: self.export(identifiers, form, Path(path)))
            dialog.open()
            return
        kinds = {"md": tr("Markdown")} if form == "markdown" else {"json": tr("JSON")}
        name = file_name(rows[0].title if chat else tr("Foreword chats"), f".{next(iter(kinds))}")
        ask_where_to_save(self._window, tr("Export as"), name, kinds, partial(self.export, identifiers, form))

    def export(self, identifiers: list[str], form: str, target: Path) -> None:
        write = export_markdown if form == "markdown" else export_json
        database = self._chats.path

        def run(cancel: Event) -> Iterator[ExportProgress]:
            self._chats.flush()
            yield from write(database, identifiers, target, cancel)

        def show(now: ExportProgress) -> None:
            text = tr("Exporting {done:,} of {total:,} chats…").format(done=now.done, total=now.total)
            self._window.banners.show_banner("export", text, fraction=now.done / now.total, closable=False)

        def end(_result: Any) -> None:
            self._window.banners.close_banner("export")
            many, one = tr("{count:,} chats were exported to {name}."), tr("The chat was exported to {name}.")
            text = one if len(identifiers) == 1 else many
            self._say(text.format(count=len(identifiers), name=target.name), good=True)

        errand = self._errands.start("export", run, end, self._fail)
        errand.progressed.connect(show)

    # Backups

    def back_up_if_due(self) -> None:
        path = self._chats.path
        now = time.time()
        if self._chats.rows() and is_due(path, now):
            self._errands.start("backup", _once(partial(back_up, path, now)), lambda _: None, self._fail)

    @property
    def backed_up(self) -> bool:
        """Whether there is a backup to go back to."""
        return bool(backups_of(self._chats.path))

    def ask_for_backup(self) -> None:
        backups = [BackupChoice(one.path, one.made, one.nbytes) for one in backups_of(self._chats.path)]
        dialog = RestoreDialog(self._window, backups)
        dialog.restored.connect(self.restore)
        dialog.open()

    def restore(self, backup: Path) -> None:
        """Check and copy in a thread; then put the copy in place of the chats."""
        path = self._chats.path
        prepared = path.with_name(f"{path.stem}-restoring{path.suffix}")

        def prepare(cancelled: Callable[[], bool]) -> int | None:
            count = check_backup(backup)
            self._chats.flush()
            whole = back_up(path, time.time(), cancelled) and copy_database(backup, prepared, cancelled)
            return count if whole else None

        def put(count: int | None) -> None:
            if count is None:
                return
            self.restoring.emit()
            self._chats.replace_file(prepared)
            self.restored.emit()
            many, one = tr("{count:,} chats were restored."), tr("1 chat was restored.")
            self._say(one if count == 1 else many.format(count=count), good=True)

        self._errands.start("restore", _once(prepare), put, self._fail)

    def _fail(self, error: UserError) -> None:
        self._window.banners.close_banner("export")
        self._window.banners.show_banner("transfer", told(error), tone="error")

    def _say(self, text: str, *, good: bool = False) -> None:
        self._window.banners.show_banner("transfer", text, tone="good" if good else "", seconds=DONE_S)


def _outcome(result: ImportProgress, name: str, count: int) -> str:
    """count: of the files and folders that were chosen; `name` says what they are."""
    taken = result.sources
    if result.cancelled:
        return tr("The import was cancelled. What was read so far is kept.")
    if not taken:
        return tr("Nothing in {name} could be imported.").format(name=name)
    new = bool(result.new_messages or not result.known)
    if taken == count:
        many, one = tr("{count:,} files were imported."), tr("{name} was imported.")
        text = tr("Nothing in {name} was new.") if not new else one if count == 1 else many
    elif new:
        many, one = tr("{taken:,} of {count:,} files were imported."), tr("1 of {count:,} files was imported.")
        text = one if taken == 1 else many
    else:
        many = tr("{taken:,} of {count:,} files could be read, and nothing in them was new.")
        text = tr("1 of {count:,} files could be read, and nothing in it was new.") if taken == 1 else many
    return text.format(name=name, count=count, taken=taken)


def _left_out(one: Skipped) -> str:
    """Where, and why; of what could not be read at all, the reason names it."""
    reason = in_words(one.why)
    named = one.why.startswith(f"{one.where} ")
    return reason if named else tr("{place}: {reason}").format(place=in_words(one.where), reason=reason)


def _once(act: Callable[[Callable[[], bool]], Any]) -> Callable[[Event], Iterator[Any]]:
    """A job that says nothing but its result; `act` is told how to ask whether it is to stop."""

    def run(cancel: Event) -> Iterator[Any]:
        yield act(cancel.is_set)

    return run
