"""Tools beside the engine: converting, labelling and puzzles, the MCP server, settings of hosts, help, completion."""

from __future__ import annotations

__all__ = [
    "completion",
    "convert",
    "doctor",
    "gui_config",
    "help_topics",
    "label",
    "mcp_server",
    "puzzles",
    "versions",
]
