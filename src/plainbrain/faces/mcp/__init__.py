"""The MCP server ``brain-mcp``."""
