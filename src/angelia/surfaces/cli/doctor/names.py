"""The clients that the doctor knows."""

from enum import StrEnum


class ClientName(StrEnum):
    OPENWEBUI = "openwebui"
    LIBRECHAT = "librechat"
    LOBECHAT = "lobechat"
    AI_SDK = "ai-sdk"
    OPENAI = "openai"
