"""`angelia mcp`: runs as tools of an MCP server, for editors and other agents."""
