"""The brain as an MCP server: eight tools, notes as resources, the protocol as a prompt; over stdio and HTTP."""
