"""Where a chat is: which session it goes on in, which model it asks, which run was its last."""


class Place:
    """Changes while people chat; None is what the server chooses."""

    def __init__(
        self,
        session_id: str | None = None,
        model: str | None = None,
        last_run: str | None = None,
    ) -> None:
        self.session_id = session_id
        self.model = model
        self.last_run = last_run

    def begin_anew(self) -> None:
        """The next question begins a session of its own."""
        self.session_id = None
        self.last_run = None

    def go_to(self, session_id: str, last_run: str | None) -> None:
        self.session_id = session_id
        self.last_run = last_run
