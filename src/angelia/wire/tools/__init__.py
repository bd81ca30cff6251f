"""Our own API of tools and MCP servers: switched, added, removed."""
