"""What a shell command line consists of, as far as that can be told without running it."""

import re
import shlex

# Programs that only look, whatever they are given, as long as nothing is redirected. Not among
# them is what reads its manners from files that a model may write, as git does.
_LOOKING = frozenset(
    {
        *("basename", "cat", "cksum", "cmp", "comm", "cut", "date", "df", "diff", "dirname", "du"),
        *(
            "echo",
            "egrep",
            "exit",
            "expr",
            "false",
            "fgrep",
            "file",
            "fold",
            "grep",
            "groups",
            "head",
        ),
        *("id", "jq", "ls", "md5sum", "nl", "nproc", "od", "paste", "printenv"),
        *("printf", "ps", "pwd", "readlink", "realpath", "rev", "seq", "sha1sum", "sha256sum"),
        *("sleep", "stat", "strings", "tac", "tail", "test", "tr", "tree", "true", "type"),
        *("uname", "uptime", "wc", "whereis", "which", "whoami", "[", ":", "cd"),
        "rg",
    }
)
# Options by which programs that look do something else.
_DOING = {
    "date": ("-s", "--set"),
    "file": ("-C", "--compile"),
    "rg": ("--pre", "--hostname-bin"),
    "tree": ("-o",),
}
# Programs whose second word says what they do.
_MANY_IN_ONE = frozenset(
    {
        *("apt", "apt-get", "brew", "bun", "cargo", "docker", "gh", "git", "go", "helm"),
        *("kubectl", "make", "npm", "pip", "pip3", "pnpm", "poetry", "systemctl", "terraform"),
        *("uv", "yarn"),
    }
)
# Programs that run whatever they are told to.
_RUNNING = frozenset(
    {
        *(".", "awk", "bash", "command", "dash", "docker", "doas", "env", "eval", "exec", "find"),
        *("gawk", "ksh", "lua", "nice", "node", "nohup", "npx", "perl", "php", "python"),
        *("python3", "ruby", "sed", "setsid", "sh", "source", "ssh", "su", "sudo", "time"),
        *("timeout", "uvx", "watch", "xargs", "zsh"),
    }
)
# Words of the shell itself, behind which anything may stand.
_KEYWORDS = frozenset(
    {
        *("!", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for"),
        *("function", "if", "in", "select", "then", "time", "until", "while", "{", "}"),
    }
)
_OPERATORS = frozenset({";", "&&", "||", "|", "&", "|&", "\n", ";;"})
_PUNCTUATION = ";&|<>()\n"
# Somewhere nothing is kept, or another stream of the same command.
_HARMLESS_TARGETS = {
    ">": ("/dev/null",),
    ">>": ("/dev/null",),
    "&>": ("/dev/null",),
    ">&": ("1", "2", "/dev/null"),
}
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_PLAIN_WORD = re.compile(r"[a-z][\w-]*")


class _Opaque(Exception):
    """More than words and operators: only a shell can tell what it means."""


def is_harmless(line: str) -> bool:
    """Whether nothing can come of it but what it prints. Says no when in doubt."""
    pieces = _pieces(line, keep_harmless_redirections=True)
    return pieces is not None and all(map(_only_looks, pieces))


def heads(line: str) -> tuple[str, ...]:
    """What each of its commands begins with, enough to tell it from others.

    The whole line where a shell or an interpreter is given something to run, or where only a
    shell can tell what the line means.
    """
    pieces = _pieces(line)
    if pieces is None or any(piece[0] in _RUNNING for piece in pieces):
        return (" ".join(line.split()),)
    return tuple(dict.fromkeys(_head(piece) for piece in pieces))


def commands(line: str) -> tuple[str, ...] | None:
    """The single commands of a line, each with one space between words; None if opaque."""
    pieces = _pieces(line)
    return None if pieces is None else tuple(" ".join(piece) for piece in pieces)


def _head(words: list[str]) -> str:
    program = words[0]
    if program in _MANY_IN_ONE and len(words) > 1 and _PLAIN_WORD.fullmatch(words[1]):
        return f"{program} {words[1]}"
    return program


def _only_looks(words: list[str]) -> bool:
    program, arguments = words[0], words[1:]
    if program not in _LOOKING:
        return False
    doing = _DOING.get(program, ())
    return not any(word.startswith(doing) for word in arguments) if doing else True


def _pieces(line: str, *, keep_harmless_redirections: bool = False) -> list[list[str]] | None:
    try:
        pieces = _split(_tokens(line), harmless=keep_harmless_redirections)
    except (_Opaque, ValueError):
        return None
    return pieces or None


def _tokens(line: str) -> list[str]:
    """Words without their quotes, operators as they stand. What is expanded is opaque."""
    if _is_expanded(line):
        raise _Opaque
    lexer = shlex.shlex(line, posix=True, punctuation_chars=_PUNCTUATION)
    lexer.whitespace = " \t\r"
    lexer.whitespace_split = True
    lexer.commenters = ""
    return list(lexer)


def _is_expanded(line: str) -> bool:
    """Whether a shell may put something else in place of a part of it.

    Nothing is expanded between single quotes, which are no quotes between double ones.
    """
    quote = ""
    for mark in line:
        if quote != "'" and mark in "`$\\":
            return True
        if mark in "'\"" and quote in ("", mark):
            quote = "" if quote else mark
    return False


def _split(tokens: list[str], *, harmless: bool) -> list[list[str]]:
    pieces: list[list[str]] = [[]]
    waiting = iter(tokens)
    for token in waiting:
        if token in _OPERATORS:
            pieces.append([])
        elif harmless and token in _HARMLESS_TARGETS:
            if next(waiting, "") not in _HARMLESS_TARGETS[token]:
                raise _Opaque
            # The number of a stream stands before its redirection.
            if pieces[-1] and pieces[-1][-1] in ("1", "2"):
                pieces[-1].pop()
        elif _is_opaque(token, first=not pieces[-1]):
            raise _Opaque
        else:
            pieces[-1].append(token)
    return [piece for piece in pieces if piece]


def _is_opaque(token: str, *, first: bool) -> bool:
    """An operator that is none of the plain ones, a keyword, or a variable for what follows."""
    if first and (token in _KEYWORDS or _ASSIGNMENT.match(token)):
        return True
    return bool(token) and set(token) <= set(_PUNCTUATION)
