"""The MCP server: which requests are served, and by whom. Knows the protocol's types; decides nothing about memories.

Serves both protocol eras through the SDK's low-level server, so that the schemas stay ours, flat and in a fixed order.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

from plainbrain.app.shipped import shipped_path
from plainbrain.errors import BrainError
from plainbrain.faces.mcp import resources
from plainbrain.faces.mcp.answers import CALLS, Answer
from plainbrain.faces.mcp.arguments import read_arguments
from plainbrain.faces.mcp.brains import Brains
from plainbrain.faces.mcp.refusals import explain, report_fault
from plainbrain.faces.mcp.tools import BY_NAME, INSTRUCTIONS, TOOLS, ToolSpec
from plainbrain.version import VERSION

T = TypeVar("T")
Context = ServerRequestContext[Any]
PROTOCOL_PROMPT = "brain_protocol"
_HOUR_MS = 3_600_000


def make_server(brains: Brains) -> Server[Any]:
    """Return a server over ``brains``; it opens none of them before a call needs it."""
    tools = types.ListToolsResult(tools=[describe_tool(tool, brains) for tool in TOOLS])
    hint = CacheHint(ttl_ms=_HOUR_MS, scope="private")

    async def list_tools(ctx: Context, params: object) -> types.ListToolsResult:
        return tools

    server: Server[Any] = Server(
        "plainbrain",
        version=VERSION,
        title="Plainbrain: long-term memory",
        instructions=INSTRUCTIONS,
        cache_hints={"tools/list": hint, "prompts/list": hint},
        get_tool_input_schema={tool.name: tool.input_schema for tool in tools.tools}.get,
        on_list_tools=list_tools,
        on_call_tool=partial(_call_tool, brains),
        on_list_resources=partial(_list_resources, brains),
        on_list_resource_templates=_list_templates,
        on_read_resource=partial(_read_resource, brains),
        on_list_prompts=_list_prompts,
        on_get_prompt=_get_prompt,
    )
    server.middleware.append(_unpack_arguments)
    return server


def describe_tool(tool: ToolSpec, brains: Brains) -> types.Tool:
    """Return a tool as the protocol describes it."""
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema(brains.names),
        output_schema=tool.output,
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.reads,
            destructive_hint=False,
            idempotent_hint=tool.repeats,
            open_world_hint=False,
        ),
    )


async def _unpack_arguments(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Let a client that sends the arguments as a JSON text, or as no object at all, get an answer from the tool."""
    params = ctx.params
    if ctx.method == "tools/call" and isinstance(params, Mapping):
        arguments = params.get("arguments")
        if arguments is not None and not isinstance(arguments, Mapping):
            ctx = replace(ctx, params={**params, "arguments": _object_of(arguments)})
    return await call_next(ctx)


def _object_of(arguments: object) -> dict[str, Any]:
    try:
        found = json.loads(arguments) if isinstance(arguments, str) else None
    except ValueError:
        found = None  # no JSON: the tool says which parameters it wants
    return found if isinstance(found, dict) else {}


def client_name(ctx: Context) -> str:
    """Return the name the client gave itself, on one line; empty where it gave none."""
    params = ctx.session.client_params
    return " ".join(params.client_info.name.split())[:60] if params else ""


async def _call_tool(brains: Brains, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
    tool = BY_NAME.get(params.name)
    if tool is None:
        known = ", ".join(BY_NAME)
        raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown tool {params.name!r}. The tools are: {known}")
    try:
        answer = await brains.run(partial(_answer, brains, tool, params.arguments or {}, client_name(ctx)))
    except BrainError as error:
        return _refuse(explain(error))
    except Exception as error:
        return _refuse(report_fault(error))
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=clean(answer.text))], structured_content=clean(answer.data)
    )


def _answer(brains: Brains, tool: ToolSpec, arguments: Mapping[str, Any], actor: str) -> Answer:
    given = read_arguments(tool.all_parameters(brains.names), arguments)
    brain = brains.get(given.pop("brain", ""), actor=actor, writes=tool.name == "brain_encode")
    return CALLS[tool.name](brain, given)


def _refuse(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=clean(text))], is_error=True)


def clean(value: Any) -> Any:
    """Return the value with half surrogates, which no UTF-8 line can carry, as U+FFFD."""
    match value:
        case str():
            return value if value.isascii() else value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case dict():
            return {clean(key): clean(item) for key, item in value.items()}
        case list() | tuple():
            return [clean(item) for item in value]
    return value


async def _list_resources(
    brains: Brains, ctx: Context, params: types.PaginatedRequestParams | None
) -> types.ListResourcesResult:
    cursor = params.cursor if params else None
    return await _ask(brains, partial(resources.list_resources, brains, cursor))


async def _list_templates(ctx: Context, params: object) -> types.ListResourceTemplatesResult:
    return types.ListResourceTemplatesResult(resource_templates=[resources.TEMPLATE])


async def _read_resource(
    brains: Brains, ctx: Context, params: types.ReadResourceRequestParams
) -> types.ReadResourceResult:
    return await _ask(brains, partial(resources.read_resource, brains, str(params.uri)))


async def _ask(brains: Brains, work: Callable[[], T]) -> T:
    try:
        return await brains.run(work)
    except BrainError as error:
        raise MCPError(code=types.INVALID_PARAMS, message=clean(explain(error))) from error


async def _list_prompts(ctx: Context, params: object) -> types.ListPromptsResult:
    prompt = types.Prompt(
        name=PROTOCOL_PROMPT,
        title="How to use the brain",
        description="The memory protocol: when to recall, encode, supersede, validate and link.",
    )
    return types.ListPromptsResult(prompts=[prompt])


async def _get_prompt(ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
    if params.name != PROTOCOL_PROMPT:
        raise MCPError(
            code=types.INVALID_PARAMS, message=f"Unknown prompt {params.name!r}. There is one: {PROTOCOL_PROMPT}"
        )
    text = shipped_path("templates/AGENTS.md").read_text(encoding="utf-8")
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
    return types.GetPromptResult(description="The memory protocol", messages=[message])
