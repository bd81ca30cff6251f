"""What to enter in a client so that it talks to this server."""

from typing import assert_never

from msgspec import Struct

from angelia.surfaces.cli.doctor.names import ClientName


class Place(Struct, frozen=True):
    """Where this server is: its address, the file that its key is in, its default agent."""

    url: str
    key_file: str
    model: str

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"


class Row(Struct, frozen=True):
    name: str
    value: str
    why: str = ""


def rows(client: ClientName, place: Place) -> tuple[Row, ...]:
    match client:
        case ClientName.OPENWEBUI:
            return _open_webui(place)
        case ClientName.LIBRECHAT:
            return _librechat(place)
        case ClientName.LOBECHAT:
            return _lobechat(place)
        case ClientName.AI_SDK:
            return _ai_sdk(place)
        case ClientName.OPENAI:
            return _openai(place)
        case _:
            assert_never(client)


def _key(name: str, place: Place) -> Row:
    return Row(name, f"what is in {place.key_file}", "or a key made for this client")


def _open_webui(place: Place) -> tuple[Row, ...]:
    return (
        Row("where", "Admin Panel, Settings, Connections, OpenAI API, +"),
        Row("URL", place.base_url, "from a container: http://host.docker.internal and the port"),
        _key("API key", place),
        Row("model", place.model, "it is found by itself"),
        Row(
            "ENABLE_FORWARD_USER_INFO_HEADERS",
            "true",
            "environment; without it there are no tool cards, and all users are one",
        ),
        Row(
            "FORWARD_USER_INFO_HEADER_JWT_SECRET",
            "the same as users.openwebui_secret here",
            "environment; proves who the user is",
        ),
    )


def _librechat(place: Place) -> tuple[Row, ...]:
    return (
        Row("where", "librechat.yaml, an entry of endpoints.custom"),
        Row("name", "Angelia"),
        Row("baseURL", place.base_url),
        _key("apiKey", place),
        Row("models.default", f'["{place.model}"]'),
        Row("models.fetch", "true"),
        Row("titleConvo", "true"),
        Row("titleModel", f"{place.model}:bare", "a plain model call, without tools"),
        Row("headers", "none needed"),
    )


def _lobechat(place: Place) -> tuple[Row, ...]:
    return (
        Row("where", "Settings, AI Service Provider, OpenAI", "or the environment of its server"),
        Row("OPENAI_PROXY_URL", place.base_url, "API proxy URL"),
        _key("OPENAI_API_KEY", place),
        Row("OPENAI_MODEL_LIST", f"-all,+{place.model}"),
        Row("Use Responses API", "off"),
        Row("Client request mode", "off", "else server.cors_origins here must name its origin"),
        Row("headers", "none needed"),
    )


def _ai_sdk(place: Place) -> tuple[Row, ...]:
    return (
        Row("chat", 'createOpenAICompatible from "@ai-sdk/openai-compatible"'),
        Row("responses", 'createOpenAI from "@ai-sdk/openai"'),
        Row("baseURL", place.base_url),
        _key("apiKey", place),
        Row("model", place.model),
        Row("includeUsage", "true", "chat only; else there are no token counts"),
        Row("headers", "none needed"),
    )


def _openai(place: Place) -> tuple[Row, ...]:
    return (
        Row("OPENAI_BASE_URL", place.base_url, "base_url in Python, baseURL in JavaScript"),
        _key("OPENAI_API_KEY", place),
        Row("model", place.model),
        Row("headers", "none needed", "X-Angelia-Tool-Events changes the form of tool progress"),
    )
