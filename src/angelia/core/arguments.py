"""Whether what a model wrote can be the arguments of any tool."""

import re

from msgspec import DecodeError, ValidationError, json

_QUOTED = re.compile(r"`(\w+)`")


def fault(arguments: str) -> str | None:
    """What is wrong with them, for the model to read; None if they are an object, or empty."""
    if not arguments.strip():
        return None
    try:
        json.decode(arguments, type=dict[str, object])
    except ValidationError as error:
        return (
            _QUOTED.sub(r"\1", str(error)).replace("Expected", "expected").replace("str", "string")
        )
    except RecursionError:
        return "not valid JSON: nested too deeply"
    except (DecodeError, UnicodeError) as error:
        return f"not valid JSON: {error}"
    return None
