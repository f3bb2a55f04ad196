"""MCP servers: their tools beside the program's own. The SDK is imported only when a server is configured."""
