"""What was given up because memory ran out, in one sentence."""

from app.language import tr
from app.load_report import megabytes
from inference.ladder import MemoryStep


def sentence(step: MemoryStep) -> str:
    """For the strip that tells of it."""
    texts = {
        "chunk": tr("the question is read in shorter pieces, which takes a little longer"),
        "park": tr("what was kept of other chats ({size}) now waits in main memory; going back to them takes a moment"),
        "idle": tr("what was kept of other chats ({size}) is let go; they are read again when you go back to them"),
        "draft_length": tr("drafts are at most {after} tokens long"),
        "draft_precision": tr("the draft {name} is held at {after} bits"),
        "draft": tr("the draft {name} is unloaded"),
        "cache_bits": tr("what the model keeps of the chat is held at {after} bits, a little less exactly"),
        "context": tr("the oldest messages are left out; the model reads {after} tokens at most"),
        "precision": tr("{name} is loaded at {after} bits"),
        "offload": tr("{after} % of {name} is fetched anew for every step, which is many times slower"),
        "processor": tr("{name} is loaded into the computer's memory and runs more slowly"),
    }
    what = texts[step.kind]
    if step.kind == "draft_length" and step.after == 1:
        what = tr("drafts are one token long at most")
    if step.kind == "context" and step.name:  # while loading nothing was read yet
        what = tr("{name} is loaded with a context of {after} tokens")
    what = what.format(size=megabytes(step.before), after=f"{step.after:,}", name=step.name)
    return tr("Memory ran out: {what}.").format(what=what)
