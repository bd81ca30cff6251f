"""Every spelling of an address becomes the plain one, or is refused."""

import socket

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from yarl import URL

from angelia.wire import urls


@pytest.mark.parametrize(
    ("given_url", "plain"),
    [
        ("https://example.com", "https://example.com/"),
        ("  HTTPS://Example.COM./a?b=c#frag ", "https://example.com/a?b=c"),
        ("http://example.com:80/", "http://example.com/"),
        ("https://example.com:8443?x", "https://example.com:8443/?x"),
        ("http://example.com/ä b", "http://example.com/%C3%A4%20b"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://example。com/", "http://example.com/"),
        ("http://[2001:DB8:0:0::1]:81/", "http://[2001:db8::1]:81/"),
        ("http://2130706433/", "http://127.0.0.1/"),
        ("http://0177.0.0.1/", "http://127.0.0.1/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://0x7f000001/", "http://127.0.0.1/"),
        ("http://127.1/", "http://127.0.0.1/"),
        ("http://127.0.1/", "http://127.0.0.1/"),
        ("http://0/", "http://0.0.0.0/"),
        ("http://１２７.０.０.１/", "http://127.0.0.1/"),
        ("http://①②⑦.0.0.1/", "http://127.0.0.1/"),
        ("http://127.0.0.1./", "http://127.0.0.1/"),
        ("http://ⓛocalhost/", "http://localhost/"),
        ("http://a_b.example/", "http://a_b.example/"),
    ],
)
def test_there_is_one_spelling(given_url: str, plain: str) -> None:
    assert str(urls.parse(given_url)) == plain
    assert str(urls.parse(plain)) == plain


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("file:///etc/passwd", "only http and https are spoken here, not 'file'"),
        ("ftp://example.com/", "only http and https are spoken here, not 'ftp'"),
        ("gopher://example.com/", "not 'gopher'"),
        ("javascript:alert(1)", "not 'javascript'"),
        ("data:text/plain,x", "not 'data'"),
        ("example.com", "expected a whole URL"),
        ("//example.com/", "expected a whole URL"),
        ("", "expected a whole URL"),
        ("http:example.com", "expected a whole URL"),
        ("http:///x", "is not the name of a host"),
        ("http://user@example.com/", "user or a password"),
        ("http://user:pw@127.0.0.1/", "user or a password"),
        ("http://example.com\\@127.0.0.1/", "backslash"),
        ("http://example.com/a\\b", "backslash"),
        ("http://exa mple.com/", "space"),
        ("http://example.com\n/", "control character"),
        ("http://example.com:0/", "no port 0"),
        ("http://example.com:99999/", "no port 99999"),
        ("http://example.com:8o/", "no host that can be read"),
        ("http://[fe80::1%25eth0]/", "zone"),
        ("http://[::1/", "no host that can be read"),
        ("http://[127.0.0.1]/", "not an IPv6 address"),
        ("http://256.0.0.1/", "not an IPv4 address"),
        ("http://1.2.3.4.5/", "not an IPv4 address"),
        ("http://4294967296/", "not an IPv4 address"),
        ("http://0178.0.0.1/", "not a part of an IPv4 address"),
        ("http://example.1/", "not a part of an IPv4 address"),
        ("http://ex%61mple.com/", "is not the name of a host"),
        ("http://-x.example/", "is not the name of a host"),
        ("http://a..b/", "is not the name of a host"),
        ("http://" + "a" * 64 + ".example/", "is not the name of a host"),
        ("http://example.com/" + "a" * 9000, "longer than"),
    ],
)
def test_everything_else_is_refused_in_words(url: str, words: str) -> None:
    with pytest.raises(ValueError) as caught:
        urls.parse(url)
    assert words in str(caught.value)


@given(
    st.text()
    | st.text().map("http://".__add__)
    | st.text("0123456789abcfxX.:[]%@\\/?#。１").map("http://".__add__)
)
@example("http://0x/")
def test_what_is_taken_is_read_the_same_by_the_library_that_asks(text: str) -> None:
    try:
        parsed = urls.parse(text)
    except ValueError:
        return
    read = URL(str(parsed), encoded=True)
    assert (read.scheme, read.raw_host, read.port) == (parsed.scheme, parsed.host, parsed.port)
    assert read.user is read.password is None
    assert urls.parse(str(parsed)) == parsed


numbers = st.integers(0, 2**32 - 1)


@given(numbers, st.sampled_from(["{}", "0x{:x}", "0{:o}"]))
def test_numbers_are_read_as_the_c_library_reads_them(number: int, form: str) -> None:
    spelled = form.format(number)
    assert urls.host(spelled) == socket.inet_ntoa(socket.inet_aton(spelled))
