"""The conversation as it is read: messages, the empty state, the way back to the newest words."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.attachments import Attachment
from app.chat_message import ChatMessage
from app.finding import pattern_of
from app.message_tree import Version
from app.settings import ZOOM_RANGE
from app.theme import LIGHT, Theme
from app.views.attachment_viewer import AttachmentViewer
from app.views.dropped_files import files_of, take_copy
from app.views.empty_state import WIDTH, EmptyState
from app.views.find_bar import FindBar
from app.views.focus_follower import FocusFollower
from app.views.hit_search import HitSearch
from app.views.legend import Legend
from app.views.link_question import LinkQuestion
from app.views.message_list import MessageList
from app.views.message_view import MessageView
from app.views.newest_button import SIDE, NewestButton
from app.views.reading_style import ReadingStyle
from app.views.reply_details import ReplyDetails

ZOOM_STEP = 10  # percent
LOOKED_AT = 40  # messages; where tokens come from is read from the file only for what is looked at


class Transcript(QWidget):
    regenerate_requested = Signal(str)  # a message's id
    edited = Signal(str, str)  # a message's id, and its new words
    continue_requested = Signal(str)
    branch_requested = Signal(str)
    compare_requested = Signal(str)  # the reply whose question is asked twice
    delete_requested = Signal(str)
    version_requested = Signal(str, int)  # -1 for the one before, 1 for the next
    files_dropped = Signal(list)  # their paths
    copy_requested = Signal(str)  # a message's id; it is on the clipboard already
    example_chosen = Signal(str)
    attachment_opened = Signal(object)  # an Attachment
    zoom_chosen = Signal(int)  # in percent; see `set_zoom`
    link_opened = Signal(str)  # the person was shown the whole address and said yes
    focus_left = Signal()  # the message that had it is gone

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("Transcript")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        style = self._style = ReadingStyle(LIGHT)
        self._list = MessageList(style, self)
        self._list.made.connect(self._connect)
        self._list.zoom_stepped.connect(self.step_zoom)
        self._list.focus_left.connect(self.focus_left)
        self._list.at_end_changed.connect(self._show_parts)
        self._empty = EmptyState(style, self)
        self._empty.example_chosen.connect(self.example_chosen)
        self._legend = Legend(style, self)
        FocusFollower(self._list)
        self._newest = NewestButton(style, self)
        self._newest.clicked.connect(self._list.go_to_end)
        self.find_bar = FindBar(style, self)
        self.search = HitSearch(lambda: self._list.messages, self)
        self.find_bar.words_changed.connect(self._look_for)
        self.find_bar.stepped.connect(self.step_hit)
        self.find_bar.closed.connect(self.close_find)
        self.search.changed.connect(self._show_count)
        self.search.arrived.connect(self._show_hit)
        self._show_tokens = False
        self._drafted = False  # a reply of this chat, as far as was looked
        self.setAcceptDrops(True)
        self._begun: dict[str, str] = {}  # words of messages that were being changed when another chat was shown
        self._show_parts()

    def offer_examples(self, languages: Sequence[str]) -> None:
        """languages: that the model speaks; see `EmptyState.offer`."""
        self._empty.offer(languages)

    @property
    def messages(self) -> MessageList:
        return self._list

    @property
    def question(self) -> LinkQuestion | None:
        """The open question whether to follow a link."""
        return self.findChild(LinkQuestion)

    def show_messages(self, messages: list[ChatMessage], versions: Mapping[str, Version] | None = None) -> None:
        """Show these and no others, from the end. versions: of those that have several, by message."""
        for view in self._list.views:
            if view.editor is not None:
                self._begun[view.message.id] = view.editor.editor.toPlainText()
        self._list.replace(messages, versions or {})
        for message in messages:
            if message.id in self._begun:
                self._go_on_editing(message.id)
        self._drafted = False
        self.search.finder.forget()
        self._search_again()
        self._show_parts()

    def update_messages(self, messages: list[ChatMessage], versions: Mapping[str, Version]) -> None:
        """Others are shown from some place on; what comes before stays where it is."""
        stepping = [view for view in self._list.views if view.head.versions.focused_step]
        place = [message.id for message in self._list.messages].index(stepping[0].message.id) if stepping else -1
        step = stepping[0].head.versions.focused_step if stepping else 0
        self._list.update_messages(messages, versions)
        if step and place < len(messages) and (view := self._list.view_of(messages[place].id)) is not None:
            view.head.versions.take_focus(step)  # whoever goes through versions with the keyboard goes on doing so
        self._search_again()
        self._show_parts()

    def go_to(self, message_id: str, words: str = "") -> None:
        """Bring a message into sight, and the first of these words in it."""
        self._list.go_to(message_id, words)
        self._show_parts()

    def edit(self, message_id: str, begun: str = "") -> None:
        """Let the person change the words of a message. begun: what they have made of them already."""
        self._list.go_to(message_id, None)
        view = self._list.view_of(message_id)
        if view is not None:
            view.begin_edit()
            if begun and view.editor is not None:
                view.editor.editor.setPlainText(begun)

    def _go_on_editing(self, message_id: str) -> None:
        """Where another chat was shown in between; who goes through the chats with the keyboard goes on doing so."""
        focused = QApplication.focusWidget()
        self.edit(message_id, self._begun.pop(message_id))
        if focused is not None:
            focused.setFocus()

    def add_message(self, message: ChatMessage) -> None:
        self._list.add(message)
        self._search_again()
        self._show_parts()

    def extend(self, message_id: str) -> None:
        """The message grew at its end."""
        self._list.extend(message_id)
        if self._show_tokens and not self._drafted:
            self._show_legend(newest=1)

    def resume(self, message_id: str) -> None:
        """A message that was whole goes on growing."""
        self._list.resume(message_id)

    def finish(self, message_id: str) -> None:
        """The state or the figures of the message changed."""
        self._list.finish(message_id)
        self._search_again()

    def remove_from(self, message_id: str) -> None:
        """This message and all after it leave."""
        self._list.remove_from(message_id)
        self._search_again()
        self._show_parts()

    def set_theme(self, theme: Theme) -> None:
        self._dress(ReadingStyle(theme, self._style.zoom))

    def set_zoom(self, percent: int) -> None:
        """How large everything that is read is; 100 is the usual size."""
        if percent != self.zoom:
            self._dress(ReadingStyle(self._style.theme, percent / 100))

    @property
    def zoom(self) -> int:
        return round(100 * self._style.zoom)

    def step_zoom(self, steps: int) -> None:
        """Larger or smaller by so many steps; 0: the usual size again."""
        percent = self.zoom + steps * ZOOM_STEP if steps else 100
        self.zoom_chosen.emit(max(ZOOM_RANGE[0], min(ZOOM_RANGE[1], percent)))

    def _dress(self, style: ReadingStyle) -> None:
        self._style = style
        for part in (self._list, self._empty, self._legend, self._newest, self.find_bar):
            part.set_style(style)
        self._arrange()

    def set_show_tokens(self, shown: bool) -> None:
        """Colour tokens by how they came about."""
        self._show_tokens = shown
        self._list.set_show_tokens(shown)
        self._show_parts()

    def show_details(self, message_id: str) -> None:
        """Everything known about how a reply came about."""
        message = next(one for one in self._list.messages if one.id == message_id)
        ReplyDetails(message, self._style.theme, self).open()

    def show_attachment(self, attachment: Attachment) -> AttachmentViewer:
        """The text of a file, to be read; it can be told how many tokens that is."""
        viewer = AttachmentViewer(attachment, self._style, self)
        viewer.finished.connect(viewer.deleteLater)
        viewer.open()
        return viewer

    def show_last_details(self) -> None:
        """Of the last reply that is whole."""
        replies = [one for one in self._list.messages if one.role == "assistant" and one.state != "streaming"]
        if replies:
            self.show_details(replies[-1].id)

    @property
    def details(self) -> ReplyDetails | None:
        """The details that are open."""
        return self.findChild(ReplyDetails)

    def open_find(self) -> None:
        """Look for words in this chat."""
        self.find_bar.open()
        self._look_for(self.find_bar.words.text())

    def close_find(self) -> None:
        self.search.stop()
        for view in self._list.views:
            view.hits.mark(None)
        self.find_bar.close_again()

    @property
    def finding(self) -> bool:
        return not self.find_bar.isHidden()

    def step_hit(self, by: int) -> None:
        """1: the next hit, -1: the one before; opens the bar where nothing is looked for."""
        if not self.finding:
            self.open_find()
        self.search.step(by)

    def _look_for(self, words: str) -> None:
        self.search.begin(pattern_of(words), self._list.first_in_sight, jump=True)
        for view in self._list.views:
            self._mark_hits(view)

    def _search_again(self) -> None:
        if self.finding:
            self.search.again()

    def _show_count(self) -> None:
        self.find_bar.show_count(self.search.number, self.search.total, complete=self.search.complete)

    def _show_hit(self, place: int, nth: int) -> None:
        self._list.show_hit(place, self._mark_hits)
        for view in self._list.views:
            self._mark_hits(view)

    def _mark_hits(self, view: MessageView) -> None:
        pattern, current = self.search.pattern, self.search.current
        if pattern is None:
            view.hits.mark(None)
            return
        messages = self._list.messages  # fewer than were looked through, while they are changed
        here = current is not None and current[0] < len(messages) and messages[current[0]] is view.message
        in_thought = self.search.finder.hits_in_thought(view.message, pattern) if view.thought is not None else 0
        view.hits.mark(pattern, current[1] if here and current is not None else -1, in_thought)

    def _connect(self, view: MessageView) -> None:
        view.regenerate_clicked.connect(self.regenerate_requested)
        view.edited.connect(self.edited)
        view.continue_clicked.connect(self.continue_requested)
        view.branch_clicked.connect(self.branch_requested)
        view.compare_clicked.connect(self.compare_requested)
        view.delete_clicked.connect(self.delete_requested)
        view.version_stepped.connect(self.version_requested)
        view.copied.connect(self.copy_requested)
        view.link_clicked.connect(self._ask_about)
        view.details_clicked.connect(self.show_details)
        view.attachment_opened.connect(self.attachment_opened)
        view.selecting.connect(self._deselect_others)
        if self.finding:
            self._mark_hits(view)

    def _deselect_others(self, chosen: MessageView) -> None:
        for view in self._list.views:
            if view is not chosen:
                view.selection.clear()

    def _ask_about(self, address: str) -> None:
        question = LinkQuestion(address, self)
        question.opened.connect(self.link_opened)
        question.open()

    def _show_parts(self) -> None:
        empty = len(self._list) == 0
        self._empty.setVisible(empty)
        self._list.setVisible(not empty)
        self._newest.setVisible(not empty and not self._list.at_end)
        self._newest.raise_()
        self._show_legend()
        self._arrange()

    def _show_legend(self, newest: int = LOOKED_AT) -> None:
        """Only where there is something it explains, among so many of the newest messages."""
        messages = self._list.messages[-newest:] if self._show_tokens else []
        self._drafted = self._drafted or any(message.drafted for message in messages)
        shown = self._show_tokens and self._drafted and len(self._list) > 0
        if shown == self._legend.isHidden():
            self._legend.setVisible(shown)
            self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if files_of(event.mimeData()):
            take_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.files_dropped.emit(files_of(event.mimeData()))
        take_copy(event)

    def _arrange(self) -> None:
        width, height = self.width(), self.height()
        top = 0 if self._legend.isHidden() else self._legend.height() + 8
        self._list.setGeometry(0, top, width, height - top)
        column = self._list.column_width  # at its new width
        self._legend.setGeometry((width - column) // 2, 8, column, self._legend.height())
        shown = min(WIDTH, width)
        self._empty.setGeometry((width - shown) // 2, 0, shown, height)
        self.find_bar.move(max(0, (width + column) // 2 - self.find_bar.width() + 12), 8)
        self._newest.move((width + column) // 2, height - SIDE - 12)  # beside the words, not over them
