"""Two families of error: the person's (a message and a remedy) and ours (a traceback in the log)."""


class UserError(Exception):
    """Something the person can mend. Shown as it is, never with a traceback.

    message: one plain sentence of what happened. remedy: what to do about it, one sentence.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()


class HubError(UserError):
    """A model hub gave no answer, or not this model: another address may help."""


class TokenError(HubError):
    """It wants to know who asks: a token may help."""


class Cancelled(UserError):  # noqa: N818 - nothing went wrong
    """The person stopped it."""
