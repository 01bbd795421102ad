"""The shape of the house, checked: who may import whom, no cycles, files and functions small."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = "plainbrain"
ROOT = Path(__file__).parent.parent / "src" / PACKAGE

#: Lowest first. A part may import parts on lower lines, never its own line's
#: neighbours and never a higher line.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("errors", "version", "later", "records", "digests"),
    ("model",),
    ("text",),
    ("ports",),
    ("notation", "lifecycle", "retrieval"),
    ("files", "vectors"),
    ("stores", "index", "embed", "interchange", "mirror", "fetch"),
    ("app",),
    ("evaluation",),
    ("faces", "cognitive", "testing"),
)
#: Outside packages a part may use at import time. "" is for the rest: none.
ALLOWED_OUTSIDE: dict[str, frozenset[str]] = {
    "notation.note.frontmatter": frozenset({"yaml"}),
    "text.patterns": frozenset({"re2"}),
    "app.settings": frozenset({"platformdirs"}),
    "mirror": frozenset({"httpx"}),
    "fetch": frozenset({"httpx", "trafilatura"}),
    "embed.convert": frozenset({"onnx"}),
    "faces.cli": frozenset({"click"}),
    "faces.mcp": frozenset({"mcp", "mcp_types", "pydantic", "anyio", "starlette", "uvicorn", "httpx2"}),
    "faces.web": frozenset({"starlette", "uvicorn"}),
    "embed": frozenset({"numpy", "onnxruntime", "tokenizers", "httpx"}),
    "index.vectors": frozenset({"numpy"}),
    "vectors": frozenset({"numpy"}),
    "stores.jsonl.near": frozenset({"numpy"}),
    "testing": frozenset({"pytest", "hypothesis"}),
}
#: The standard library's doors to the world: closed to the pure parts.
WORLD = frozenset(
    {
        "os",
        "io",
        "sqlite3",
        "socket",
        "subprocess",
        "threading",
        "asyncio",
        "pathlib",
        "shutil",
        "tempfile",
        "time",
        "random",
        "logging",
        "urllib",
        "http",
        "uuid",
        "secrets",
        "ctypes",
        "fcntl",
        "glob",
        "importlib",
        "multiprocessing",
        "concurrent",
        "select",
        "signal",
        "ssl",
    }
)
#: Harmless names behind those doors.
HARMLESS = frozenset({"pathlib.PurePosixPath", "io.StringIO", "urllib.parse", "uuid.UUID"})
PURE = ("model", "text", "ports", "notation", "lifecycle", "retrieval")
#: Modules that may import inside functions: they load parts by name, or what few inputs need.
LAZY = frozenset(
    {
        "",
        "notation.note.frontmatter",
        "faces.cli.main",
        "stores.registry",
        "stores.jsonl.store",
        "embed.registry",
        "interchange.registry",
        "app.wiring",
        "files.exchange",  # ctypes, at the first write
        "stores.vault.store",  # the watcher, with ctypes, where somebody asks for it
        "faces.cli.hook",
        "faces.cli.serve",
        "faces.cli.demo",
        "faces.mcp.main",
        "faces.mcp.worker",
        "text.patterns",
        "__main__",
    }
)
#: The outer parts see only this much of the house.
OUTER_SEES = {
    "faces": ("app", "model", "notation", "errors", "version", "faces", "evaluation"),
    "evaluation": ("app", "lifecycle", "model", "errors", "evaluation"),
    "cognitive": ("app", "model", "ports", "lifecycle", "vectors", "errors", "cognitive"),
    "testing": ("app", "model", "ports", "notation", "errors", "testing"),
}
#: Neighbours that must not know each other.
STRANGERS = (("faces.cli", "faces.mcp", "faces.hooks", "faces.web"),)
MAX_FILE, MAX_FUNCTION = 350, 60


def modules() -> dict[str, ast.Module]:
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = ast.parse(path.read_text(encoding="utf-8"), filename=str(path))
    return found


MODULES = modules()


def imports(tree: ast.AST) -> Iterator[tuple[str, bool]]:
    """Yield (absolute dotted name, whether inside a function)."""

    def walk(node: ast.AST, inside: bool) -> Iterator[tuple[str, bool]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                yield from ((a.name, inside) for a in child.names)
            elif isinstance(child, ast.ImportFrom):
                if child.level:
                    yield ("<relative>", inside)
                else:
                    for a in child.names:
                        full = f"{child.module}.{a.name}"
                        own = full.removeprefix(PACKAGE + ".")
                        yield (full if own in MODULES or own == full else str(child.module), inside)
            else:
                yield from walk(child, inside or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)))

    yield from walk(tree, False)


def layer(module: str) -> int:
    part = module.split(".")[0]
    for depth, line in enumerate(LAYERS):
        if part in line:
            return depth
    assert part in ("", "__main__"), f"{part} has no place in LAYERS"
    return len(LAYERS)


@pytest.mark.parametrize("name", MODULES)
def test_imports_only_lower_layers(name: str) -> None:
    for target, _ in imports(MODULES[name]):
        assert target != "<relative>", f"{name}: write imports in full"
        if target == PACKAGE or not target.startswith(PACKAGE + "."):
            assert target != PACKAGE, f"{name}: import from the owning module, not from the root"
            continue
        own = target.removeprefix(PACKAGE + ".")
        same = own.split(".")[0] == name.split(".")[0] != ""
        if not same:
            assert layer(own) < layer(name), f"{name} must not import {own}"


@pytest.mark.parametrize("name", MODULES)
def test_outside_imports_are_on_the_list(name: str) -> None:
    allowed = set().union(*(v for k, v in ALLOWED_OUTSIDE.items() if name == k or name.startswith(k + ".")))
    for target, _inside in imports(MODULES[name]):
        top = target.split(".")[0]
        if top == PACKAGE:
            continue
        assert top in sys.stdlib_module_names or top in allowed, f"{name} must not import {top}"
        if name.split(".")[0] in PURE:
            assert top not in WORLD or target.startswith(tuple(HARMLESS)), f"{name} is pure and must not import {top}"


@pytest.mark.parametrize("name", [n for n in MODULES if n.split(".")[0] in PURE])
def test_pure_parts_never_ask_the_time(name: str) -> None:
    asks = [
        n.attr for n in ast.walk(MODULES[name]) if isinstance(n, ast.Attribute) and n.attr in {"now", "utcnow", "today"}
    ]
    assert not asks, f"{name}: take the instant as an argument"


@pytest.mark.parametrize("name", [n for n in MODULES if n.split(".")[0] in PURE])
def test_pure_parts_open_no_door(name: str) -> None:
    calls = [n.func.id for n in ast.walk(MODULES[name]) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    assert not {"open", "print", "input", "__import__"} & set(calls), name


@pytest.mark.parametrize("name", MODULES)
def test_imports_stand_at_the_top(name: str) -> None:
    if name not in LAZY:
        assert not [t for t, inside in imports(MODULES[name]) if inside], f"{name} imports inside a function"


@pytest.mark.parametrize("name", MODULES)
def test_outer_parts_see_only_the_app(name: str) -> None:
    part = name.split(".")[0]
    own = [t.removeprefix(PACKAGE + ".") for t, _ in imports(MODULES[name]) if t.startswith(PACKAGE + ".")]
    if part in OUTER_SEES:
        assert not [t for t in own if t.split(".")[0] not in (*OUTER_SEES[part], "later", "records")], name
    for group in STRANGERS:
        mine = next((g for g in group if name.startswith(g)), None)
        if mine and name not in LAZY:
            assert not [t for t in own for g in group if g != mine and t.startswith(g)], name


def test_no_cycles() -> None:
    graph = {
        n: {t.removeprefix(PACKAGE + ".") for t, _ in imports(tree) if t.startswith(PACKAGE + ".")} & set(MODULES) - {n}
        for n, tree in MODULES.items()
    }
    done: set[str] = set()

    def visit(node: str, trail: tuple[str, ...]) -> None:
        assert node not in trail, " -> ".join((*trail[trail.index(node) :], node))
        if node not in done:
            for nxt in sorted(graph[node]):
                visit(nxt, (*trail, node))
            done.add(node)

    for node in graph:
        visit(node, ())


def test_only_wiring_names_concrete_parts() -> None:
    concrete = ("stores", "embed", "index", "mirror", "fetch")
    for name, tree in MODULES.items():
        if name.split(".")[0] in concrete or name == "app.wiring":
            continue
        named = [t for t, _ in imports(tree) if t.removeprefix(PACKAGE + ".").split(".")[0] in concrete]
        assert not named, f"{name} names {named}: go through the registry in app.wiring"


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT)))
def test_files_and_functions_stay_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= MAX_FILE, f"{path.name}: split it by what it is about"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert (node.end_lineno or 0) - node.lineno < MAX_FUNCTION, f"{path.name}:{node.lineno} {node.name}"


@pytest.mark.parametrize("name", MODULES)
def test_every_module_says_what_it_owns(name: str) -> None:
    assert ast.get_docstring(MODULES[name]), f"{name or PACKAGE} has no docstring"


def test_importing_the_package_loads_only_the_standard_library() -> None:
    code = f"import sys; before = set(sys.modules); import {PACKAGE}; print(*sorted({{m.split('.')[0] for m in set(sys.modules) - before}}))"
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(ROOT.parent)!r}); {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert set(done.stdout.split()) <= set(sys.stdlib_module_names) | {PACKAGE}
