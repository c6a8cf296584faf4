"""Random questions, versions, choices, deletions, undos: what is shown is a path, nothing is lost, the disk agrees."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from app.chat_message import ChatMessage
from app.chats import Chats
from app.conversation import Conversation
from app.message_tree import ROOT, MessageTree, Removal
from inference.events import Delta, Finished, Piece
from inference.statistics import ReplyStatistics


def paths(tree: MessageTree) -> list[tuple[str, tuple[str, ...]]]:
    """Everything about a tree: every message with its versions below, in order, and what is shown."""
    nodes = [(message.id, tree.children(message.id)) for message in sorted(tree, key=lambda one: one.id)]
    return [(ROOT, tree.children(ROOT)), *nodes, ("path", tuple(message.id for message in tree.path))]


class Talk(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.chats = Chats(Path(self.folder.name), pytest.fail)
        self.conversation = Conversation("chat")
        self.texts: dict[str, str] = {}  # of everything that ought to be there
        self.undos: list[tuple[Removal, dict[str, str], list[tuple[str, tuple[str, ...]]]]] = []
        self.runs = 0
        self._ask("first")

    def _ask(self, text: str) -> None:
        self._keep(self.conversation.ask(text))

    def _keep(self, message: ChatMessage) -> None:
        self.chats.save(self.conversation, message)
        self.texts[message.id] = message.text
        self.undos.clear()  # the last one only, as the window offers it; later changes may stand on it

    def _shown(self, data: st.DataObject) -> ChatMessage:
        return data.draw(st.sampled_from(self.conversation.messages))

    @rule(text=st.text(min_size=1, max_size=5))
    def ask(self, text: str) -> None:
        self._ask(text)

    @rule(data=st.data(), again=st.booleans())
    def reply(self, data: st.DataObject, again: bool) -> None:
        replies = [message.id for message in self.conversation.messages if message.role == "assistant"]
        instead = data.draw(st.sampled_from(replies)) if again and replies else ""
        self.runs += 1
        reply = self.conversation.begin_reply(f"run {self.runs}", instead=instead)
        self._grow()
        self._keep(reply)

    def _grow(self) -> None:
        piece = Piece(f"reply {self.runs}", "plain", 0)
        self.conversation.apply(f"run {self.runs}", [Delta((piece,)), Finished("end", ReplyStatistics())])

    @precondition(lambda self: self.conversation.can_continue)
    @rule()
    def continue_reply(self) -> None:
        self.runs += 1
        reply = self.conversation.continue_reply(f"run {self.runs}")
        self._grow()
        self._keep(reply)

    @precondition(lambda self: self.conversation.messages)
    @rule(data=st.data(), text=st.text(max_size=5))
    def edit(self, data: st.DataObject, text: str) -> None:
        self._keep(self.conversation.edit(self._shown(data).id, text))

    @precondition(lambda self: self.conversation.messages)
    @rule(data=st.data(), step=st.sampled_from([-1, 1]))
    def switch(self, data: st.DataObject, step: int) -> None:
        self.conversation.show_version(self._shown(data).id, step)
        self.chats.save_choices(self.conversation)

    @precondition(lambda self: len(self.conversation.tree) > 0)
    @rule(data=st.data())
    def jump(self, data: st.DataObject) -> None:
        message = data.draw(st.sampled_from(list(self.conversation.tree)))
        self.conversation.tree.show(message.id)
        self.chats.save_choices(self.conversation)
        assert message in self.conversation.messages

    @precondition(lambda self: self.conversation.messages)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        before = paths(self.conversation.tree)
        removal = self.conversation.remove(self._shown(data).id)
        self.chats.remove(self.conversation, removal)
        gone = {message.id: self.texts.pop(message.id) for message in removal.messages}
        self.undos.append((removal, gone, before))

    @precondition(lambda self: self.undos)
    @rule()
    def undo(self) -> None:
        removal, gone, before = self.undos.pop()
        self.conversation.restore(removal)
        self.chats.put_back(self.conversation, removal)
        self.texts |= gone
        if not self.undos:
            shown = before[:-1]
            assert paths(self.conversation.tree)[:-1] == shown

    @precondition(lambda self: self.conversation.messages)
    @rule(data=st.data())
    def fork(self, data: st.DataObject) -> None:
        last = self._shown(data)
        other = self.conversation.fork(last.id)
        upto = self.conversation.messages[: self.conversation.index(last.id) + 1]
        assert [message.text for message in other.messages] == [message.text for message in upto]
        assert not {message.id for message in other.tree} & {message.id for message in self.conversation.tree}

    @rule()
    def reopen(self) -> None:
        before, texts = paths(self.conversation.tree), {m.id: m for m in self.conversation.tree}
        self.chats.close()
        self.chats = Chats(Path(self.folder.name), pytest.fail)
        self.conversation = self.chats.conversation("chat")
        assert paths(self.conversation.tree) == before
        assert {m.id: m for m in self.conversation.tree} == texts
        self.undos.clear()

    @invariant()
    def what_is_shown_is_a_path_and_nothing_is_lost(self) -> None:
        tree = self.conversation.tree
        assert {message.id: message.text for message in tree} == self.texts
        above = ROOT
        for message in tree.path:
            assert message.parent == above and message.id in tree.children(above)
            above = message.id
        assert not tree.children(above)
        reached = [child for message in tree for child in tree.children(message.id)] + list(tree.children(ROOT))
        assert sorted(reached) == sorted(self.texts)

    def teardown(self) -> None:
        self.chats.close()
        self.folder.cleanup()


TestTalk = Talk.TestCase
TestTalk.settings = settings(
    max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)


def test_an_orphan_is_kept() -> None:
    tree = MessageTree([ChatMessage("user", "lost", parent="nobody"), ChatMessage("user", "first")])
    assert len(tree) == 2 and len(tree.children(ROOT)) == 2
