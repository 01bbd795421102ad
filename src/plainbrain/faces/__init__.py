"""Faces: the command line, the MCP server, hooks. They ask, show, and decide nothing."""
