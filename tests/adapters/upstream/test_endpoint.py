import pytest

from angelia.adapters.upstream.endpoint import Endpoint, ProtocolName


@pytest.mark.parametrize(
    ("protocol", "base_url", "url"),
    [
        ("chat", "https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions"),
        ("chat", "https://api.openai.com", "https://api.openai.com/v1/chat/completions"),
        ("chat", "http://127.0.0.1:9100/v1/", "http://127.0.0.1:9100/v1/chat/completions"),
        (
            "chat",
            "https://openrouter.ai/api/v1",
            "https://openrouter.ai/api/v1/chat/completions",
        ),
        (
            "chat",
            "https://generativelanguage.googleapis.com/v1beta/openai/",
            "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions",
        ),
        ("chat", "https://a.example/chat/completions", "https://a.example/chat/completions"),
        (
            "chat",
            "https://a.example/openai?api-version=1",
            "https://a.example/openai/chat/completions?api-version=1",
        ),
        ("responses", "https://api.openai.com/v1", "https://api.openai.com/v1/responses"),
        ("responses", "https://api.openai.com/", "https://api.openai.com/v1/responses"),
        ("anthropic", "https://api.anthropic.com", "https://api.anthropic.com/v1/messages"),
        ("anthropic", "https://api.anthropic.com/v1", "https://api.anthropic.com/v1/messages"),
        ("anthropic", "https://a.example/anthropic", "https://a.example/anthropic/v1/messages"),
        ("anthropic", "https://a.example/v1/messages", "https://a.example/v1/messages"),
    ],
)
def test_requests_go_to_this_address(protocol: ProtocolName, base_url: str, url: str):
    assert Endpoint(base_url, "m", protocol).url == url


@pytest.mark.parametrize(
    ("protocol", "name", "value"),
    [
        ("chat", "Authorization", "Bearer k"),
        ("responses", "Authorization", "Bearer k"),
        ("anthropic", "x-api-key", "k"),
    ],
)
def test_the_key_goes_where_the_protocol_wants_it(protocol: ProtocolName, name: str, value: str):
    assert Endpoint("http://a", "m", protocol, key=" k\n").all_headers[name] == value
    assert name not in Endpoint("http://a", "m", protocol).all_headers


def test_messages_carry_their_version():
    headers = Endpoint("http://a", "m", "anthropic").all_headers
    assert headers["anthropic-version"] == "2023-06-01"


def test_headers_of_the_endpoint_go_before_ours():
    headers = Endpoint("http://a", "m", headers={"User-Agent": "mine"}).all_headers
    assert headers["User-Agent"] == "mine"


@pytest.mark.parametrize(
    ("base_url", "local"),
    [
        ("http://127.0.0.1:11434", True),
        ("http://localhost:1234/v1", True),
        ("http://[::1]:1234/v1", True),
        ("http://10.0.0.1", True),
        ("http://192.168.1.7:8000/v1", True),
        ("http://ollama:11434/v1", True),
        ("http://host.docker.internal:1234", True),
        ("http://box.local./v1", True),
        ("https://api.openai.com", False),
        ("https://local.example.com", False),
        ("http://8.8.8.8", False),
        ("nonsense", False),
    ],
)
def test_what_is_on_this_machine_or_its_network_is_local(base_url: str, local: bool):
    assert Endpoint(base_url, "m").local is local


def test_people_see_the_host_and_nothing_secret_of_the_address():
    assert Endpoint("https://me:pass@a.example:8443/v1?key=1", "m").host == "a.example:8443"
    assert Endpoint("nonsense", "m").host == "?"


def test_the_key_and_headers_that_sound_like_one_are_secrets():
    headers = {"X-Proxy-Token": "t", "X-Title": "hello"}
    assert set(Endpoint("http://a", "m", key="k", headers=headers).secrets) == {"k", "t"}
    assert Endpoint("http://a", "m").secrets == ()


def test_a_token_is_a_secret_without_the_word_before_it_and_in_the_address_too():
    there = Endpoint("http://a/v1?version=2&sig=s", "m", headers={"Authorization": "Bearer token"})
    assert set(there.secrets) == {"Bearer token", "token", "s"}
