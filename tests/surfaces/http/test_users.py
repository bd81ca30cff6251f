"""The end user is whoever was vouched for, and nobody by a token that does not hold."""

import base64
import json

import jwt
import pytest
from starlette.datastructures import Headers

from angelia.config import Secret, Users
from angelia.errors import BadRequest, Unauthorized
from angelia.surfaces.http.users import LEEWAY, LONGEST, TOKEN_HEADER, identify_user

KEY = "a secret that both sides know and keep"
NOW = 1_800_000_000.0
CLAIMS = {
    "sub": "671fa9fb",
    "email": "bob@example.org",
    "name": "bob",
    "role": "user",
    "iss": "open-webui",
    "iat": int(NOW) - 1,
    "exp": int(NOW) + 300,
}
SIGNED = Users(openwebui_secret=Secret(KEY))


def headers(*pairs: tuple[str, str]) -> Headers:
    return Headers(raw=[(name.lower().encode(), value.encode()) for name, value in pairs])


def token(key: str = KEY, algorithm: str = "HS256", **changed: object) -> str:
    claims = {**CLAIMS, **changed}
    kept = {name: value for name, value in claims.items() if value is not ...}
    return jwt.encode(kept, key, algorithm=algorithm)


def unsigned(alg: str) -> str:
    head, claims = (
        base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()
        for part in ({"alg": alg, "typ": "JWT"}, CLAIMS)
    )
    return f"{head}.{claims}."


def user(value: str, users: Users = SIGNED, named: str | None = None) -> str | None:
    return identify_user(headers((TOKEN_HEADER, value)), named, users, NOW)


@pytest.mark.parametrize(
    "value",
    [
        token(),
        token(iat=...),
        token(nbf=NOW - 5),
        token(exp=NOW - LEEWAY + 1),
        token(iat=NOW + LEEWAY - 1),
        token(exp=NOW + 0.5),
    ],
)
def test_a_token_that_holds_says_who_it_is(value: str) -> None:
    assert user(value, named="mallory") == "671fa9fb"


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (token("another secret of the same length, or so"), "signed"),
        (token(algorithm="HS512", key=KEY * 2), "signed"),
        (unsigned("none"), "signed"),
        (unsigned("HS256"), "signed"),
        (unsigned("NONE"), "signed"),
        (token()[:-2], "signed"),
        (token() + "x", "signed"),
        ("no token", "signed"),
        ("a.b.c", "signed"),
        ("..", "signed"),
        (token(exp=NOW - LEEWAY), "expired"),
        (token(exp=0), "expired"),
        (token(exp=...), "until when"),
        (token(exp="2100-01-01"), "until when"),
        (token(exp=str(int(NOW) + 300)), "until when"),
        (token(exp=None), "until when"),
        (token(exp=[NOW + 300]), "until when"),
        (token(nbf=NOW + LEEWAY + 1), "not valid yet"),
        (token(iat=NOW + LEEWAY + 1), "not valid yet"),
        (token(nbf="now"), "until when"),
        (token(sub=...), "whose"),
        (token(sub=7), "whose"),
        (token(sub={"id": "bob"}), "whose"),
        (token(sub=None), "whose"),
        (token(sub=""), "no id"),
        (token(sub="  "), "no id"),
        (token(sub="a\nb"), "no id"),
        (token(sub="a" * (LONGEST + 1)), "no id"),
    ],
)
def test_a_token_that_does_not_hold_is_refused(value: str, why: str) -> None:
    with pytest.raises(Unauthorized) as refused:
        user(value, named="bob")
    assert (refused.value.code, refused.value.param) == ("invalid_user_token", TOKEN_HEADER)
    assert why in refused.value.message
    assert KEY not in refused.value.message
    assert value not in refused.value.message


def test_a_token_whose_claims_are_no_object_is_refused() -> None:
    listed = jwt.PyJWS().encode(b"[]", KEY, algorithm="HS256")
    broken = jwt.PyJWS().encode(b'{"sub": "\xff"}', KEY, algorithm="HS256")
    for value in (listed, broken):
        with pytest.raises(Unauthorized):
            user(value)


def test_without_a_secret_a_token_says_nothing() -> None:
    assert user(token(), Users()) is None
    assert user("no token", Users(), named="bob") == "bob"


TRUSTING = Users(openwebui_secret=Secret(KEY), trusted_headers=("X-User-Id", "X-Email"))


@pytest.mark.parametrize(
    ("sent", "named", "expected"),
    [
        ([], None, None),
        ([], "", None),
        ([], "bob", "bob"),
        ([("X-User-Id", "1"), ("X-Email", "b@example.org")], "bob", "1"),
        ([("x-email", "b@example.org")], "bob", "b@example.org"),
        ([("X-User-Id", "")], "bob", "bob"),
        ([("X-Other", "1")], "bob", "bob"),
        ([("X-User-Id", "1"), (TOKEN_HEADER, token())], "bob", "671fa9fb"),
        ([(TOKEN_HEADER, "")], "bob", "bob"),
    ],
)
def test_the_strongest_word_wins(
    sent: list[tuple[str, str]], named: str | None, expected: str | None
) -> None:
    assert identify_user(headers(*sent), named, TRUSTING, NOW) == expected


def test_a_header_that_nobody_trusts_says_nothing() -> None:
    assert identify_user(headers(("X-User-Id", "1")), None, Users(), NOW) is None


@pytest.mark.parametrize(
    ("sent", "named", "param"),
    [
        ([("X-User-Id", "a"), ("X-User-Id", "b")], None, "X-User-Id"),
        ([(TOKEN_HEADER, token()), (TOKEN_HEADER, token())], None, TOKEN_HEADER),
        ([("X-User-Id", "a\tb")], None, "X-User-Id"),
        ([("X-Email", "a" * (LONGEST + 1))], None, "X-Email"),
        ([], "a" * (LONGEST + 1), "user"),
        ([], "a\x7f", "user"),
        ([], " ", "user"),
    ],
)
def test_what_is_no_name_is_refused_by_its_field(
    sent: list[tuple[str, str]], named: str | None, param: str
) -> None:
    with pytest.raises(BadRequest) as refused:
        identify_user(headers(*sent), named, TRUSTING, NOW)
    assert (refused.value.param, refused.value.code) == (param, "invalid_value")


def test_names_may_be_as_long_as_the_limit() -> None:
    longest = "é" * LONGEST
    assert identify_user(headers(), longest, Users(), NOW) == longest
