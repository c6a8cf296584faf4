"""Errors in the person's language. The engine says what went wrong in English, with names and numbers in it, and so it
stands in the log; the sentences that are met most have their form here, and with it a translation. Others stay English.
"""

import re
from functools import cache

from app.language import listed, mark, sentences, tr
from inference.errors import UserError

FORMS: tuple[str, ...] = (
    # Values of settings
    mark("{label} must be between {low} and {high}, not {value}."),
    mark("{label} must be a whole number, not {value}."),
    mark("{label} must be a number, not {value}."),
    mark("{label} must be at most {most} characters, not {count}."),
    # Loading
    mark("No model is loaded."),
    mark("Choose a model first."),
    mark("{name} is not on this machine."),
    mark("Download it first, or open a folder that holds it."),
    mark("{name} is not a model."),
    mark("Open a folder with config.json, or a .gguf file."),
    mark("There is no folder {folder}."),
    mark("There is no model folder {folder}."),
    mark("{folder} is not a folder."),
    mark("Choose the folder that holds the model."),
    mark("Choose a folder that holds config.json and *.safetensors."),
    mark("{name} is not a model: it has no config.json."),
    mark("Choose the folder that holds config.json."),
    mark("{name} is a {kind}, which does not chat."),
    mark("Choose a causal language model."),
    mark("{name} has no tokenizer."),
    mark("Get tokenizer.json from where the model came from."),
    mark("{name} has no weights."),
    mark("Get the model's .safetensors files."),
    mark("{name} holds its weights as pickles, which can run any code when they are opened."),
    mark("Get the same model with .safetensors files."),
    mark("This folder holds only an adapter (LoRA)."),
    mark("Merge it into its base model first."),
    mark("This folder holds GGUF files."),
    mark("Open the .gguf file itself."),
    mark("{name} is damaged or cut off ({reason})."),
    mark("{name} is not a GGUF file."),
    mark("Choose a file in the GGUF format."),
    mark("{name} is one part of a model in several files."),
    mark("{name} is a model of the {kind} architecture, which Foreword cannot convert from GGUF."),
    mark("Get the file again."),
    mark("Get this file again."),
    mark("Choose another folder."),
    mark("Another model is being loaded."),
    mark("Wait for it, or cancel it."),
    mark("Loading was cancelled."),
    mark("This model is being worked on already."),
    mark("Wait until that is done."),
    mark("This kind of model is not supported: {kind}."),
    mark("Update transformers, or choose another model."),
    mark("This model ({kind}) brings its own Python code, which would run on this machine."),
    mark("Allow model code in the settings if you trust its author, or choose another model."),
    mark("{precision} weights need the package bitsandbytes."),
    mark("4-bit weights need the package bitsandbytes."),
    mark("Choose bfloat16, or install it."),
    mark("{precision} weights need a processor or a CUDA card, not {device}."),
    mark("Choose float16."),
    mark("The memory is too small for this model."),
    mark("The memory of the graphics card is too small for this model."),
    mark("Choose a smaller model, a shorter context, or int4 weights."),
    mark("The graphics card {device} is not available to torch."),
    mark("Choose the device auto or cpu."),
    mark("{name} cannot be planned for before it is downloaded."),
    mark("Download it first."),
    # Downloads and the disk
    mark("{name} could not be downloaded ({tried})."),
    mark("Check the network connection, or open a folder that holds a model."),
    mark("Not enough disk space: {needed} are needed and {free} are free."),
    mark("Make room on the disk that holds the models folder, or move that folder to another disk."),
    mark("The disk is full."),
    mark("Make room on the disk that holds {path}."),
    mark("{path} does not exist."),
    mark("Check where it is."),
    mark("{path} may not be read or written."),
    mark("Change its permissions."),
    mark("{path} could not be used: {reason}."),
    mark("Check the disk and try again."),
    mark("The model hub could not be asked: {reason}."),
    mark("Check the network connection, or choose a mirror (foreword models hub)."),
    mark("The model hub does not know {name}."),
    mark("Check the name: owner/model."),
    mark("The model hub gave an answer that makes no sense."),
    mark("Try again later, or another mirror."),
    mark("Models cannot be moved from {source} into {target}."),
    mark("Choose a folder beside it."),
    mark("{folder} already holds another {name}."),
    mark("Choose another folder."),
    mark("Models cannot be kept in {folder} ({reason})."),
    mark("Choose a folder that can be written to."),
    # The engine's thread
    mark("The part of Foreword that runs the model has ended unexpectedly."),
    mark("Your chats are intact. Load the model again."),
    # Drafts
    mark("{draft} cannot draft for {target}: {reason}"),
    mark("Choose a smaller model of the same family."),
    mark(
        "Choose a smaller model of the same family. As a second choice this one can draft by its text: replies stay "
        "exactly the target's, but every draft is spelled twice and loses its last word, so that it gains less."
    ),
    mark("There is no target to draft for."),
    mark("Load a model first."),
    mark("No draft model is loaded."),
    mark("Choose a draft model, or another way to draft."),
    mark("No trained draft is loaded."),
    mark("Choose one, or train one for this model."),
    mark("The draft {name} cannot be used. {reason}"),
    mark("Choose a draft of this model."),
    mark("Training a draft for this model needs {needed} GB of memory."),
    mark("No draft can be trained for {name}: {reason}"),
    mark("The training ended unexpectedly (code {code}). The log has the details."),
    # What fits into memory, and what can draft
    mark("{weights} and {context} tokens of context with the draft fit: {needed} of {free}."),
    mark("{weights} and {context} tokens of context fit: {needed} of {free}."),
    mark("Even {weights} with {context} tokens of context do not fit: {needed} would be needed, and {free} are free."),
    mark("{needed} would be needed and {free} are free, so {changes}."),
    mark("{weights} are taken"),
    mark("the context is {context} tokens"),
    mark("the draft is left out"),
    mark("32-bit weights"),
    mark("16-bit weights"),
    mark("8-bit weights"),
    mark("4-bit weights"),
    mark("Its vocabulary is another one. {reason}"),
    mark("It is not on this machine."),
    mark("It is too large to save time."),
    # Replies
    mark("There is not enough memory to go on."),
    mark("Shorten the context, or load a smaller model."),
    mark("This question takes {needed} tokens, and only {room} have room."),
    mark("Shorten it, allow a shorter reply, or load the model with a longer context."),
    mark("It was stopped."),
    mark("There is nothing to reply to."),
    mark("Ask something first."),
    mark("The model's chat template leaves out what you say."),
    mark("Choose another model."),
    mark("Something went wrong inside Foreword."),
    mark("What was written so far is kept; the log has the details."),
    mark("The log has the details."),
    # Files of the person
    mark("{name} is not a text file."),
    mark("Only text and code can be attached."),
    mark("{name} is a folder."),
    mark("Attach the files in it one by one."),
    mark("{name} has {size} MB, more than any model can read at once."),
    mark("Attach a part of it, up to {most} MB."),
    mark("{name} cannot be read ({reason})."),
    mark("{name} is damaged ({reason})."),
    mark("Choose another backup."),
    mark("Download it again."),
    mark("{name} holds no chats."),
    mark("Choose a folder with .json or .jsonl files."),
    mark("A ChatGPT export has a conversations.json in it."),
    mark("{name} could not be written ({reason})."),
    mark("Choose another place, or check that there is room."),
    mark("The export was cancelled."),
    mark("That did not work ({reason})."),
    mark("Check that there is room, and try again."),
    mark("Check that there is room."),
    mark("The preset could not be saved ({reason})."),
    mark("Your presets could not be read ({reason})."),
    mark("The settings could not be saved ({reason})."),
    mark("Check that there is room and that {path} can be written to."),
    mark("The settings could not be read ({reason}), so the defaults are used."),
    mark("The settings file was damaged. It was set aside as {name}, and the defaults are used."),
    mark("The default is used instead."),
    mark("The file with your chats could not be read. It was kept as {name}."),
    mark(
        "The file with your chats could not be read. It was kept as {name}. {messages} messages in {chats} chats were "
        "rescued from it."
    ),
    mark("Your chats can be neither read nor kept ({reason}); this session's are lost at its end."),
    # The check of this machine
    mark("Window and fonts"),
    mark("Qt {version}; Chinese in {font}."),
    mark("Qt {version}. There is no font with Chinese characters."),
    mark("No NVIDIA card: the processor does the work."),
    mark("Graphics cards"),
    mark("Settings, chats, models and logs can be written."),
    mark("Change the permissions, or set FOREWORD_HOME."),
    mark("There are none yet; the window fetches its starter model."),
    mark("Not used on macOS."),
    mark("Python {version}."),
    mark("{names} on this machine, whole."),
)


def in_words(message: str, remedy: str = "") -> str:
    """What happened and what to do about it in the person's language, where there is one for it.

    A message may hold both already, one sentence after the other.
    """
    text = " ".join(filter(None, [message, remedy]))
    for stop in re.finditer(r"\. ", text):
        first, second = _in_words(text[: stop.start() + 1]), _in_words(text[stop.end() :])
        if first is not None and second is not None:
            return sentences(first, second)
    said = _in_words(text)
    return text if said is None else said


def told(error: UserError) -> str:
    """What happened and what to do about it, in the person's language."""
    return in_words(error.message, error.remedy)


def _in_words(sentence: str) -> str | None:
    for form, pattern in _patterns():
        match = pattern.fullmatch(sentence)
        if match:
            values = match.groupdict()
            if "label" in values:  # of a setting
                values["label"] = tr(values["label"])
            if "weights" in values:
                values["weights"] = tr(values["weights"])
            if "changes" in values:
                parts = re.split(r", (?!\d)| and ", values["changes"])
                values["changes"] = listed(_in_words(part) or part for part in parts)
            return tr(form).format(**values)
    return None


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    return [(form, re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(form)))) for form in FORMS]
