"""Tools and MCP servers, switched, added and removed."""

from angelia.surfaces.http.openapi.operation import Answer, Json, Operation, ok, path
from angelia.wire import discovery
from angelia.wire.tools import shapes as wire

TAG = "tools"
NO_SERVER = "mcp_server_not_found"

SERVER_NAME = path("server_name", "The name of an MCP server.")

OPERATIONS = (
    Operation(
        method="patch",
        path="/api/tools/{tool_name}",
        id="changeTool",
        tag=TAG,
        summary="Switch a tool off or on, for runs that start from then on",
        scopes=("admin",),
        parameters=(path("tool_name", "The name of a tool."),),
        body=wire.SwitchIn,
        answers=(ok(Json(discovery.Tool)),),
        refusals=("tool_not_found",),
    ),
    Operation(
        method="post",
        path="/api/mcp",
        id="addMcpServer",
        tag=TAG,
        summary="Add an MCP server, which is kept and connected to",
        description="Its settings are those of the configuration; no answer shows their values.",
        scopes=("admin",),
        body=wire.AddServerIn,
        answers=(Answer(201, "It is added.", (Json(discovery.McpServer),)),),
        refusals=("mcp_server_exists", "too_many_mcp_servers"),
    ),
    Operation(
        method="patch",
        path="/api/mcp/{server_name}",
        id="changeMcpServer",
        tag=TAG,
        summary="Switch an MCP server off or on",
        scopes=("admin",),
        parameters=(SERVER_NAME,),
        body=wire.SwitchIn,
        answers=(ok(Json(discovery.McpServer)),),
        refusals=(NO_SERVER,),
    ),
    Operation(
        method="delete",
        path="/api/mcp/{server_name}",
        id="removeMcpServer",
        tag=TAG,
        summary="Remove an MCP server that was added",
        scopes=("admin",),
        parameters=(SERVER_NAME,),
        answers=(ok(Json(wire.ServerRemovedOut)),),
        refusals=(NO_SERVER, "mcp_server_in_file"),
    ),
    Operation(
        method="post",
        path="/api/mcp/{server_name}/reconnect",
        id="reconnectMcpServer",
        tag=TAG,
        summary="Let go of an MCP server and connect to it anew",
        scopes=("admin",),
        parameters=(SERVER_NAME,),
        answers=(ok(Json(discovery.McpServer)),),
        refusals=(NO_SERVER, "mcp_server_off"),
    ),
)
