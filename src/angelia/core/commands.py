"""What a shell command line consists of, as far as that can be told without running it."""

import re
from posixpath import basename
from typing import Literal

from msgspec import Struct

# Programs that only look, whatever they are given, as long as nothing is redirected. Not among
# them is what reads its manners from files that a model may write, as git does, and what has
# options among many short ones that write, as tree and file have.
_LOOKING = frozenset(
    {
        *("basename", "cat", "cksum", "cmp", "comm", "cut", "date", "df", "diff", "dirname", "du"),
        *("echo", "egrep", "exit", "expr", "false", "fgrep", "fold", "grep", "groups", "head"),
        *("id", "jq", "ls", "md5sum", "nl", "nproc", "od", "paste", "printenv"),
        *("printf", "ps", "pwd", "readlink", "realpath", "rev", "seq", "sha1sum", "sha256sum"),
        *("sleep", "stat", "strings", "tac", "tail", "test", "tr", "true", "type"),
        *("uname", "uptime", "wc", "whereis", "which", "whoami", "[", ":", "cd"),
        "rg",
    }
)
# The words that some of them may be given. Others set the clock, run a program, or name a variable
# whose index is evaluated: test -v 'a[$(rm x)]'.
_LOOKING_WORDS = {
    "date": re.compile(r"\+.*|-u|-R|-I\w*", re.DOTALL),
    "printf": re.compile(r"(?!-v).*", re.DOTALL),
    "rg": re.compile(r"(?!--pre|--hostname-bin).*", re.DOTALL),
    "test": re.compile(r"(?!-v).*", re.DOTALL),
    "[": re.compile(r"(?!-v).*", re.DOTALL),
}
# Programs whose second word says what they do.
_MANY_IN_ONE = frozenset(
    {
        *("apt", "apt-get", "brew", "bun", "cargo", "docker", "gh", "git", "go", "helm"),
        *("kubectl", "make", "npm", "pip", "pip3", "pnpm", "poetry", "systemctl", "terraform"),
        *("uv", "yarn"),
    }
)
# Programs that run whatever they are told to, or change what later words of a line mean.
_RUNNING = frozenset(
    {
        *(".", "awk", "bash", "command", "dash", "docker", "doas", "env", "eval", "exec", "find"),
        *("gawk", "ksh", "lua", "nice", "node", "nohup", "npx", "perl", "php", "python"),
        *("python3", "ruby", "sed", "setsid", "sh", "source", "ssh", "su", "sudo", "time"),
        *("timeout", "uvx", "watch", "xargs", "zsh"),
        *("alias", "builtin", "busybox", "chroot", "declare", "deno", "ed", "enable", "expect"),
        *("export", "fish", "flock", "gdb", "hash", "ionice", "let", "mapfile", "nsenter"),
        *("parallel", "pypy", "readarray", "readonly", "script", "set", "shopt", "stdbuf"),
        *("strace", "taskset", "tclsh", "trap", "typeset", "unshare", "vi", "vim"),
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
# Words with their quotes, and operators. What stands in quotes is never an operator, and a word
# that begins with # would hide the rest of its line from the shell.
_TOKEN = re.compile(
    r"""[ \t]*(?:(?P<operator>[;&|<>()\n]+)|(?P<word>(?!\#)(?:'[^']*'|"[^"]*"|[^\s;&|<>()'"])+))"""
)
_QUOTED = re.compile(r"""'([^']*)'|"([^"]*)\"""")
_PATTERN = re.compile(r"[*?{\[]")
# Somewhere nothing is kept, or another stream of the same command.
_HARMLESS_TARGETS = {
    ">": ("/dev/null",),
    ">>": ("/dev/null",),
    "&>": ("/dev/null",),
    ">&": ("1", "2", "/dev/null"),
}
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")
_PLAIN_WORD = re.compile(r"[a-z][\w-]*")
_VERSION = re.compile(r"(?<=[a-z])[\d.]+$")


class _Token(Struct, frozen=True):
    """A word without its quotes; as a pattern, it may stand for any others. Or an operator."""

    text: str
    kind: Literal["word", "pattern", "operator"] = "word"


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
    if pieces is None or any(map(_may_run_others, pieces)):
        return (line.strip(" "),)
    return tuple(dict.fromkeys(_head(piece) for piece in pieces))


def commands(line: str) -> tuple[str, ...] | None:
    """The single commands of a line, each with one space between words; None if opaque."""
    pieces = _pieces(line)
    return None if pieces is None else tuple(" ".join(_texts(piece)) for piece in pieces)


def _texts(piece: list[_Token]) -> list[str]:
    return [token.text for token in piece]


def _head(piece: list[_Token]) -> str:
    program, *words = _texts(piece)
    if program in _MANY_IN_ONE and words and _PLAIN_WORD.fullmatch(words[0]):
        return f"{program} {words[0]}"
    return program


def _may_run_others(piece: list[_Token]) -> bool:
    name = basename(piece[0].text)
    if name in _RUNNING or _VERSION.sub("", name) in _RUNNING:
        return True
    return name in _LOOKING_WORDS and not _only_looks(piece)


def _only_looks(piece: list[_Token]) -> bool:
    program, *words = piece
    if program.text not in _LOOKING:
        return False
    allowed = _LOOKING_WORDS.get(program.text)
    return allowed is None or all(
        word.kind == "word" and allowed.fullmatch(word.text) for word in words
    )


def _pieces(line: str, *, keep_harmless_redirections: bool = False) -> list[list[_Token]] | None:
    try:
        pieces = _split(_tokens(line), harmless=keep_harmless_redirections)
    except _Opaque:
        return None
    return pieces or None


def _tokens(line: str) -> list[_Token]:
    """What is expanded is opaque, patterns aside."""
    if _is_expanded(line):
        raise _Opaque
    tokens: list[_Token] = []
    line, at = line.rstrip(" \t"), 0
    while at < len(line):
        found = _TOKEN.match(line, at)
        if found is None:
            raise _Opaque
        operator, word = found["operator"], found["word"]
        tokens.append(_Token(operator, "operator") if operator else _word(word))
        at = found.end()
    return tokens


def _word(written: str) -> _Token:
    text = _QUOTED.sub(lambda quoted: quoted[1] or quoted[2] or "", written)
    pattern = written != "[" and _PATTERN.search(_QUOTED.sub("", written))
    return _Token(text, "pattern" if pattern else "word")


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


def _split(tokens: list[_Token], *, harmless: bool) -> list[list[_Token]]:
    pieces: list[list[_Token]] = [[]]
    waiting = iter(tokens)
    for token in waiting:
        if token.kind != "operator":
            if not pieces[-1] and _is_opaque(token):
                raise _Opaque
            pieces[-1].append(token)
        elif token.text in _OPERATORS:
            pieces.append([])
        elif harmless and token.text in _HARMLESS_TARGETS:
            if next(waiting, _Token("")).text not in _HARMLESS_TARGETS[token.text]:
                raise _Opaque
            # The number of a stream stands before its redirection.
            if pieces[-1] and pieces[-1][-1].text in ("1", "2"):
                pieces[-1].pop()
        else:
            raise _Opaque
    return [piece for piece in pieces if piece]


def _is_opaque(first: _Token) -> bool:
    """A keyword, a variable for what follows, or a program that only the shell can name."""
    named = first.text in _KEYWORDS or _ASSIGNMENT.match(first.text)
    return bool(named) or first.kind == "pattern"
