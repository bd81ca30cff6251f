"""How many tokens each model counts for one that we estimate, as far as it has told."""

OLD_PART = 0.8


class Calibration:
    """An average by the name of the model in which the latest answers count most."""

    def __init__(self) -> None:
        self._factors: dict[str, float] = {}

    def factor(self, model: str) -> float:
        return self._factors.get(model, 1.0)

    def learn(self, model: str, factor: float) -> None:
        known = self._factors.get(model)
        average = factor if known is None else OLD_PART * known + (1 - OLD_PART) * factor
        self._factors[model] = round(average, 4)
