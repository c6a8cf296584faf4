"""What became of the prediction layers that a model brings along, in one sentence."""

from app.language import tr
from inference.chat_engine import Foresight


def foresight_words(foresight: Foresight) -> str:
    """ "" for a model that has none and promises none."""
    words: dict[Foresight, str] = {
        "ready": tr("It brings a layer of its own that foresees further tokens, and can draft with it."),
        "unused": tr("It brings layers of its own that foresee further tokens; they cannot be used here."),
        "absent": tr("Its configuration promises layers that foresee further tokens, but this copy lacks them."),
    }
    return words.get(foresight, "")
