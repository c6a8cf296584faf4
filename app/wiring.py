"""Connects the parts of the program with each other. Nothing is decided here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices

from inference.settings import Mode

if TYPE_CHECKING:
    from app.application import Application

NEXT_MODE: dict[Mode, Mode] = {"automatic": "on", "on": "off", "off": "automatic"}


def connect(app: Application) -> None:
    """What one part says and another listens to."""
    window, chatting = app.window, app.chatting
    _connect_settings(app)
    _connect_files(app)
    _connect_trials(app)
    _connect_troubleshooting(app)
    window.closing.connect(app.close)
    window.new_requested.connect(chatting.new_chat)
    window.stop_requested.connect(chatting.stop)
    window.open_model_requested.connect(app.models.ask_for_model)
    window.regenerate_requested.connect(chatting.answer)
    window.continue_requested.connect(chatting.continue_reply)
    window.copy_requested.connect(lambda: chatting.with_last_reply(chatting.copy))
    window.mode_step_requested.connect(lambda: app.set_mode(NEXT_MODE[app.chat_settings.current.speculation]))
    window.header.mode_chosen.connect(app.set_mode)
    window.header.model_chosen.connect(app.model_manager.load)
    window.models_requested.connect(app.model_manager.open_page)
    app.model_manager.changed.connect(app.show_state)
    app.model_manager.downloads.load_wanted.connect(app.model_manager.load)
    for wish in (app.model_manager.downloads.hub_wanted, app.loader.hub_wanted):
        wish.connect(lambda: app.model_manager.hub.open(window))
    app.model_manager.downloads.page_wanted.connect(app.model_manager.open_page)
    app.model_manager.doctor_wanted.connect(app.doctor.open_page)
    window.sidebar.doctor_requested.connect(app.doctor.open_page)
    window.sidebar.about_requested.connect(app.about.open_box)
    window.header.unload_requested.connect(app.models.unload)
    window.composer.submitted.connect(chatting.send)
    window.composer.attach_requested.connect(app.composing.ask_for_files)
    window.transcript.regenerate_requested.connect(chatting.regenerate)
    window.transcript.continue_requested.connect(chatting.continue_reply)
    for part in (window.transcript, app.updates):
        part.link_opened.connect(lambda address: QDesktopServices.openUrl(QUrl(address)))
    window.transcript.zoom_chosen.connect(lambda zoom: app.change_settings(app.settings.with_value("zoom", zoom)))
    window.transcript.example_chosen.connect(chatting.use_example)
    chatting.changed.connect(app.show_state)
    chatting.shown.connect(lambda _: app.show_settings())
    app.replies.began.connect(lambda conversation: app.undoing.forget(conversation.id))
    app.model_ready.connect(app.warm_up)
    app.composing.changed.connect(app.show_state)
    app.changes.branched.connect(app.shelf.open)
    app.titles.titled.connect(app.shelf.show_title)
    app.models.ready.connect(app.greet)
    app.models.starting.connect(chatting.stop)
    app.replies.ended.connect(app.drafting.take_end)
    app.replies.began.connect(app.training.begin_reply)
    app.replies.ended.connect(app.training.end_reply)
    app.training.load_wanted.connect(app.models.load)
    app.loader.changed.connect(app.show_state)
    app.memory_notices.draft_wanted.connect(
        lambda name: app.drafting.bring_back(name) if name else app.models.load_draft(app.settings.draft_model)
    )


def _connect_files(app: Application) -> None:
    app.composing.chats_found.connect(app.transfer.import_from)
    app.dropping.chats_found.connect(app.transfer.import_from)
    app.composing.models_found.connect(app.model_manager.take_in_all)
    app.dropping.models_found.connect(app.model_manager.take_in_all)
    app.window.sidebar.files_dropped.connect(app.dropping.on_chats)
    app.model_manager.files_dropped.connect(app.dropping.on_models)
    app.transfer.imported.connect(app.shelf.reload)
    app.transfer.chat_opened.connect(app.shelf.select)
    app.transfer.restoring.connect(app.prepare_for_other_chats)
    app.transfer.restored.connect(app.shelf.begin_anew)
    app.transfer.restored.connect(lambda: app.window.banners.close_banner("chats"))


def _connect_trials(app: Application) -> None:
    trials = app.speed.trials
    trials.began.connect(app.training.begin_reply)
    trials.began.connect(app.titles.give_up)
    trials.began.connect(app.past.give_up)
    trials.ended.connect(app.training.end_reply)
    trials.ended.connect(app.past.consider)
    trials.memory_lowered.connect(app.memory_notices.tell)
    app.models.starting.connect(trials.stop)
    app.speed.advising.change_wanted.connect(app.change_one_here)


def _connect_troubleshooting(app: Application) -> None:
    app.welcoming.ended.connect(lambda: app.load(app.settings.model))
    app.welcoming.put_off.connect(app.troubleshooting.is_ready)
    app.welcoming.settings_wanted.connect(app.change_settings)
    app.welcoming.reopen_wanted.connect(app.reopen, Qt.ConnectionType.QueuedConnection)
    app.welcoming.download_wanted.connect(app.model_manager.download)
    app.models_place.moved.connect(app.model_manager.refresh)
    app.models_place.shown.connect(app.all_settings.show_folder)
    app.all_settings.opened.connect(app.models_place.tell)
    app.all_settings.move_requested.connect(app.models_place.ask)
    app.all_settings.folder_requested.connect(app.models_place.open)
    app.models.ready.connect(app.troubleshooting.is_ready)
    app.models.ready.connect(app.troubleshooting.has_model)
    app.models.ready.connect(app.welcoming.has_model)
    app.loader.failed.connect(app.troubleshooting.is_ready)
    app.troubleshooting.load_wanted.connect(lambda: app.load(app.settings.model))
    app.troubleshooting.models_wanted.connect(app.model_manager.open_page)
    app.troubleshooting.settings_wanted.connect(app.change_settings)
    app.troubleshooting.restart_wanted.connect(app.restart)
    app.doctor.restart_wanted.connect(app.restart)


def _connect_settings(app: Application) -> None:
    window = app.window
    window.settings_panel.changed.connect(app.change_here)
    window.settings_panel.choose_draft_requested.connect(app.models.ask_for_draft)
    window.all_settings_requested.connect(app.all_settings.open_dialog)
    app.all_settings.changed.connect(app.change_here)
    app.all_settings.choose_draft_requested.connect(app.models.ask_for_draft)
    app.all_settings.reopen_requested.connect(app.reopen, Qt.ConnectionType.QueuedConnection)
    app.models.settings_wanted.connect(app.change_settings)
    app.drafting.settings_wanted.connect(app.change_settings)
    app.chat_settings.changed.connect(app.show_settings)
    app.chat_settings.changed.connect(app.show_state)
