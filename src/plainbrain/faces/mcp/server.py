"""The MCP server: which requests are served, and by whom. Knows the protocol's types; decides nothing about memories.

Serves both protocol eras through the SDK's low-level server, so that the schemas stay ours, flat and in a fixed order.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

from plainbrain.app.shipped import shipped_path
from plainbrain.faces.mcp.messages import clean
from plainbrain.faces.mcp.refusals import report_fault
from plainbrain.faces.mcp.replies import Refusal
from plainbrain.faces.mcp.tools import BY_NAME, INSTRUCTIONS, TOOLS, ToolSpec
from plainbrain.faces.mcp.worker import Worker
from plainbrain.version import VERSION

if TYPE_CHECKING:
    from plainbrain.faces.mcp.desk import Desk

T = TypeVar("T")
Context = ServerRequestContext[Any]
PROTOCOL_PROMPT = "brain_protocol"
_HOUR_MS = 3_600_000
_TEMPLATE = types.ResourceTemplate(
    name="note",
    title="A stored note",
    uri_template="brain://note/{id}",
    description="One memory note, by its exact id.",
    mime_type="text/markdown",
)


def make_server(worker: Worker) -> Server[Any]:
    """Return a server over the brains of ``worker``; it opens none of them before a call needs it."""
    tools = types.ListToolsResult(tools=[describe_tool(tool, worker) for tool in TOOLS])
    hint = CacheHint(ttl_ms=_HOUR_MS, scope="private")

    async def list_tools(ctx: Context, params: object) -> types.ListToolsResult:
        worker.warm_up()
        return tools

    server: Server[Any] = Server(
        "plainbrain",
        version=VERSION,
        title="Plainbrain: long-term memory",
        instructions=INSTRUCTIONS,
        cache_hints={"tools/list": hint, "prompts/list": hint},
        get_tool_input_schema={tool.name: tool.input_schema for tool in tools.tools}.get,
        on_list_tools=list_tools,
        on_list_resources=partial(_list_resources, worker),
        on_list_resource_templates=_list_templates,
        on_read_resource=partial(_read_resource, worker),
        on_list_prompts=_list_prompts,
        on_get_prompt=_get_prompt,
    )
    server.add_request_handler("tools/call", types.CallToolRequestParams, partial(_call_tool, worker))
    # In place of the SDK's tracing: nothing is told to anybody, and each request is the faster for it.
    server.middleware[:] = [_unpack_arguments]
    return server


def describe_tool(tool: ToolSpec, worker: Worker) -> types.Tool:
    """Return a tool as the protocol describes it."""
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema(worker.options.names),
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


async def _call_tool(worker: Worker, ctx: Context, params: types.CallToolRequestParams) -> dict[str, Any]:
    tool = BY_NAME.get(params.name)
    if tool is None:
        known = ", ".join(BY_NAME)
        raise MCPError(code=types.INVALID_PARAMS, message=f"Unknown tool {params.name!r}. The tools are: {known}")
    arguments, actor = params.arguments or {}, client_name(ctx)
    try:
        answer = await worker.run(lambda desk: desk.answer(tool, arguments, actor=actor))
    except Exception as error:
        # The desk answers every error of a call; what arrives here kept it from opening at all.
        answer = Refusal(report_fault(error))
    # As plain data: the SDK checks it against the protocol once, and need not take a model apart first.
    content = [{"type": "text", "text": clean(answer.text)}]
    if isinstance(answer, Refusal):
        return {"content": content, "isError": True, "resultType": "complete"}
    return {
        "content": content,
        "structuredContent": clean(answer.data),
        "isError": False,
        "resultType": "complete",
    }


async def _list_resources(
    worker: Worker, ctx: Context, params: types.PaginatedRequestParams | None
) -> types.ListResourcesResult:
    cursor = params.cursor if params else None
    page = await _ask(worker, lambda desk: desk.list_resources(cursor))
    shown = [
        types.Resource(
            uri=clean(uri),
            name=clean(memory.id),
            title=clean(memory.title[:300]) or None,
            description=clean(memory.description[:300]) or None,
            mime_type="text/markdown",
        )
        for uri, memory in page.notes
    ]
    return types.ListResourcesResult(resources=shown, next_cursor=page.next_cursor)


async def _list_templates(ctx: Context, params: object) -> types.ListResourceTemplatesResult:
    return types.ListResourceTemplatesResult(resource_templates=[_TEMPLATE])


async def _read_resource(
    worker: Worker, ctx: Context, params: types.ReadResourceRequestParams
) -> types.ReadResourceResult:
    uri = str(params.uri)
    text = await _ask(worker, lambda desk: desk.read_resource(uri))
    contents = types.TextResourceContents(uri=uri, mime_type="text/markdown", text=clean(text))
    return types.ReadResourceResult(contents=[contents])


async def _ask(worker: Worker, work: Callable[[Desk], T | Refusal]) -> T:
    found = await worker.run(work)
    if isinstance(found, Refusal):
        raise MCPError(code=types.INVALID_PARAMS, message=clean(found.text))
    return found


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
