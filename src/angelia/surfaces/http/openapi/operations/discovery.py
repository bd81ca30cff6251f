"""What tells a client where it is."""

from angelia.surfaces.http.openapi.operation import Answer, Json, Operation, Text, ok, path
from angelia.surfaces.http.openapi.shapes import Schema
from angelia.wire import discovery as wire

TAG = "discovery"
ANY_KEY = ("chat", "runs", "read")

OPERATIONS = (
    Operation(
        method="get",
        path="/health",
        id="health",
        tag=TAG,
        summary="Whether the process lives",
        answers=(ok(Json(wire.Health)),),
    ),
    Operation(
        method="get",
        path="/health/ready",
        id="ready",
        tag=TAG,
        summary="Whether new work would succeed, part by part",
        answers=(
            Answer(200, "New work would succeed.", (Json(wire.Readiness),)),
            Answer(503, "New work would fail.", (Json(wire.Readiness),)),
        ),
    ),
    Operation(
        method="get",
        path="/metrics",
        id="getMetrics",
        tag=TAG,
        summary="What the process has counted, for Prometheus",
        scopes=("read", "admin"),
        answers=(ok(Text("text/plain")),),
        refusals=("not_found",),
    ),
    Operation(
        method="get",
        path="/openapi.json",
        id="describe",
        tag=TAG,
        summary="This document",
        answers=(
            ok(Json(dict[str, object]), headers=("ETag",)),
            Answer(304, "It is the one that `If-None-Match` names.", headers=("ETag",)),
        ),
    ),
    Operation(
        method="get",
        path="/v1/models",
        id="listModels",
        tag=TAG,
        summary="The models that a request may name",
        scopes=ANY_KEY,
        answers=(ok(Json(wire.Models)),),
    ),
    Operation(
        method="get",
        path="/v1/models/{model}",
        id="getModel",
        tag=TAG,
        summary="One model",
        scopes=ANY_KEY,
        parameters=(
            path("model", "Its name, which may hold slashes.", Schema(type="string", min_length=1)),
        ),
        answers=(ok(Json(wire.Model)),),
        refusals=("model_not_found",),
    ),
    Operation(
        method="get",
        path="/v1/tools",
        id="listTools",
        tag=TAG,
        summary="The tools of this server",
        scopes=ANY_KEY,
        answers=(ok(Json(wire.Tools)),),
    ),
    Operation(
        method="get",
        path="/v1/skills",
        id="listSkills",
        tag=TAG,
        summary="The skills that agents can load",
        scopes=ANY_KEY,
        answers=(ok(Json(wire.Skills)),),
    ),
    Operation(
        method="get",
        path="/v1/mcp",
        id="listMcpServers",
        tag=TAG,
        summary="The MCP servers that agents use: how they are and what they have",
        scopes=ANY_KEY,
        answers=(ok(Json(wire.McpServers)),),
    ),
    Operation(
        method="get",
        path="/v1/capabilities",
        id="getCapabilities",
        tag=TAG,
        summary="What this server can do, and its limits",
        scopes=ANY_KEY,
        answers=(ok(Json(wire.Capabilities)),),
    ),
)
