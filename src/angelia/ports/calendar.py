"""Where the clocks of the world stand."""

from typing import Protocol


class Calendar(Protocol):
    """Moments are in seconds since the epoch. Zones are named as `zone` spells them."""

    def zone(self, name: str) -> str:
        """The time zone of that name, as it is spelled. Raises BadRequest for what is none."""
        ...

    def following(self, cron: str, zone: str, after: float) -> float | None:
        """The first moment later than `after` that fits; None if none does in fifty years.

        A time that the clocks leave out comes when they go on; one that they show twice comes
        once, unless the hour or the minute is `*`: then it comes as often as they show it.
        """
        ...

    def moment(self, wall: int, zone: str) -> float:
        """When the clocks show `wall` for the first time, or when they go on if they skip it."""
        ...

    def shown(self, moment: float, zone: str) -> str:
        """As ISO has it, with the offset of the zone."""
        ...
