"""MCP servers: processes and addresses of others, whose tools are offered here."""
