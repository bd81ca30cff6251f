"""What shells offer behind Tab: ids that the server of the home folder has.

Quick and silent: whatever is wrong, nothing is offered. Nothing heavy may be imported here.
"""

import os
import re
from typing import Annotated, Any, Literal

import typer

from angelia.errors import AngeliaError

Shell = Annotated[Literal["bash", "zsh", "fish"], typer.Argument(help="bash, zsh or fish.")]
COMPLETE_VAR = "_ANGELIA_COMPLETE"
SECONDS = 1.0
_NAME = re.compile(r"[\w.,:@%+=/-]+", re.ASCII)
Offers = list[tuple[str, str]]
# Questions and titles are shown beside the ids: nothing of what is offered may be evaluated, as the
# script of typer does, so this one reads the lines that are meant for fish.
_ZSH = r"""#compdef angelia

_angelia_completion() {
  local -a offers
  local line value about tab=$'\t'
  for line in "${(@f)$(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" \
      _TYPER_COMPLETE_FISH_ACTION=get-args %(variable)s=complete_fish angelia 2>/dev/null)}"; do
    value=${line%%%%$tab*}
    about=${${line#$value}#$tab}
    [[ -n $value ]] || continue
    offers+=("${${value//\\/\\\\}//:/\\:}${about:+:${about//\\/\\\\}}")
  done
  if (( $#offers )); then _describe -V angelia offers; else _files; fi
}

# In a folder of $fpath it is read when it is first needed, and has to answer at once.
compdef _angelia_completion angelia
[[ ${zsh_eval_context[-1]} != loadautofunc ]] || _angelia_completion "$@"
"""


def offer_runs(ctx: typer.Context, incomplete: str) -> Offers:
    return _begun(_asked(ctx, "/v1/runs?limit=50", "run_id", ("status", "question")), incomplete)


def offer_sessions(ctx: typer.Context, incomplete: str) -> Offers:
    return _begun(_asked(ctx, "/api/sessions?limit=50", "id", ("title",)), incomplete)


def offer_keys(ctx: typer.Context, incomplete: str) -> Offers:
    return _begun(_asked(ctx, "/api/keys", "id", ("name", "status")), incomplete)


def prepare_completion() -> None:
    """Shells ask through a variable; only then is what answers them needed."""
    if COMPLETE_VAR in os.environ:
        from typer._completion_classes import completion_init

        completion_init()


def completion(shell: Shell) -> None:
    """Print what a shell has to read so that Tab completes commands, options and ids."""
    from typer._completion_shared import get_completion_script

    if shell == "zsh":
        print(_ZSH % {"variable": COMPLETE_VAR}, end="")
        return
    print(get_completion_script(prog_name="angelia", complete_var=COMPLETE_VAR, shell=shell))


def _begun(offers: Offers, incomplete: str) -> Offers:
    """Bash puts them on the line as they are: one that it would read as more is not offered."""
    fits = (offer for offer in offers if offer[0].startswith(incomplete))
    return [(name, about) for name, about in fits if _NAME.fullmatch(name)]


def _asked(ctx: typer.Context, path: str, name: str, about: tuple[str, ...]) -> Offers:
    import http.client
    import json
    import urllib.request

    from angelia.config import load
    from angelia.config.running import running_at

    try:
        url, key = running_at(load(os.environ, home=ctx.params.get("home")))
        request = urllib.request.Request(url + path, headers={"Authorization": f"Bearer {key}"})  # noqa: S310
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:  # noqa: S310
            found: list[dict[str, Any]] = json.load(answer)["data"]
        return [(one[name], _line(one, about)) for one in found]
    except (AngeliaError, OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        return []


def _line(one: dict[str, Any], about: tuple[str, ...]) -> str:
    """Typer looks for tags in it, so that what only looks like one has to be marked."""
    from rich.markup import escape

    return escape(" ".join(" ".join(str(one.get(word) or "") for word in about).split())[:60])
