"""What can be told of a command line without running it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from angelia.core.commands import commands, heads, is_harmless


@pytest.mark.parametrize(
    "line",
    [
        "echo one",
        "sleep 1; echo two",
        "ls -la | grep x > /dev/null 2>&1",
        "cat a b && wc -l a",
        "echo '$HOME; rm x'",
        "echo 'failing on purpose' >&2; exit 1",
        "cd sub && ls",
        "test -f a || echo none",
        "[ -f a ] && date -u +%s",
        "ls *.py | rg 'a|b' 2>/dev/null",
        "echo a#b '#' \"it's\" ';'",
        "printf '%s' x; rg --hidden x src ",
    ],
)
def test_a_line_that_only_looks_is_harmless(line: str) -> None:
    assert is_harmless(line)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "rm x",
        "echo x > file",
        "echo x > 1",
        "echo x >> file",
        "echo x >&file",
        "cat a && rm b",
        "ls\nrm x",
        "echo `rm x`",
        "echo $(rm x)",
        'echo "$(rm x)"',
        "echo \\$(rm x)",
        "PATH=. ls",
        "for i in 1 2; do rm $i; done",
        "if true; then rm x; fi",
        "{ rm x; }",
        "(rm x)",
        "ls | tee file",
        "cat <<END\nx\nEND",
        "find . -delete",
        "env rm x",
        "date -s 12:00",
        "rg --pre=./evil x",
        "git status",
        "echo 'unclosed",
        "./ls",
        "ls & rm x",
        "rm x; ls",
        "ls #'\nrm x #'",
        "ls;#'\nrm x #'",
        "rg x '|' ls --pre=bash",
        "rg x ';' ls --pre=bash",
        "rg {--pre,bash} x",
        "rg x *",
        "tree -ao f",
        "file -bC -m x",
        "date 010100002030",
        "date -us 12:00",
        "date --se=12:00",
        "printf -v 'a[$(rm x)]' y",
        "printf {-v,'a[$(rm x)]'} y",
        "printf *",
        "test -v 'a[$(rm x)]'",
        "[ -v 'a[$(rm x)]' ]",
        "ls\rrm",
        "echo x > '/dev/null'y",
        "echo x >| f",
        "echo x <> f",
        "echo x &>> f",
        "cat <(rm x)",
    ],
)
def test_whatever_may_do_more_is_not(line: str) -> None:
    assert not is_harmless(line)


@given(st.text(max_size=80))
def test_any_text_can_be_looked_at(line: str) -> None:
    is_harmless(line)
    assert heads(line)
    commands(line)


@given(st.text(alphabet="rmx ;|&$`()<>'\"\n", max_size=40))
def test_a_line_that_ends_with_a_deed_is_never_harmless(line: str) -> None:
    assert not is_harmless(f"{line}\nrm -rf x") or line.count("'") or line.count('"')


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("npm test", ("npm test",)),
        ("git push origin main && npm run build", ("git push", "npm run")),
        ("git -C x push", ("git",)),
        ("ls | wc -l", ("ls", "wc")),
        ("python3 -c 'import os'", ("python3 -c 'import os'",)),
        ("ls && sudo rm x", ("ls && sudo rm x",)),
        ("make $TARGET", ("make $TARGET",)),
        ("sudo echo\nrm x", ("sudo echo\nrm x",)),
        ("/usr/bin/python3.11 -c 1", ("/usr/bin/python3.11 -c 1",)),
        ("export PATH=.; ls", ("export PATH=.; ls",)),
        ("printf -v 'a[$(rm x)]' y; rm z", ("printf -v 'a[$(rm x)]' y; rm z",)),
        ("/bin/b*sh x", ("/bin/b*sh x",)),
        ("for i in 1; do rm x; done", ("for i in 1; do rm x; done",)),
    ],
)
def test_commands_are_known_by_their_heads(line: str, expected: tuple[str, ...]) -> None:
    assert heads(line) == expected


@pytest.mark.parametrize("line", ["echo \"'$(rm x)'\"", "echo \"'`rm x`'\"", 'cat "\'" $HOME "\'"'])
def test_single_quotes_between_double_ones_hide_nothing(line):
    assert not is_harmless(line)
    assert commands(line) is None
