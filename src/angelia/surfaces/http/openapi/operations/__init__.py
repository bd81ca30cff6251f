"""Every operation of the HTTP API, described as data."""

from angelia.surfaces.http.openapi.operation import Operation
from angelia.surfaces.http.openapi.operations import (
    chat,
    conversations,
    discovery,
    grants,
    jobs,
    keys,
    memory,
    responses,
    runs,
    sessions,
    signin,
    tools,
)

OPERATIONS: tuple[Operation, ...] = (
    *discovery.OPERATIONS,
    *chat.OPERATIONS,
    *responses.OPERATIONS,
    *conversations.OPERATIONS,
    *runs.OPERATIONS,
    *grants.OPERATIONS,
    *sessions.OPERATIONS,
    *memory.OPERATIONS,
    *jobs.OPERATIONS,
    *tools.OPERATIONS,
    *keys.OPERATIONS,
    *signin.OPERATIONS,
)
