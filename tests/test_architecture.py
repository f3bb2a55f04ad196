"""The shape of the code (design.md 4), proved by reading it. No waivers."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "hermes_tui"
MODULES = sorted(PACKAGE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))

MAX_FILE, MAX_FUNCTION, MAX_PARAMETERS, MAX_APP = 400, 60, 6, 200

LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"engine"}),
    frozenset({"shell", "files", "processes", "text", "redact"}),
    frozenset({"tools", "providers", "mcp", "permissions", "checkpoints", "sessions", "project", "plugins"}),
    frozenset({"start"}),
    frozenset({"remember"}),
    frozenset({"extras"}),
    frozenset({"assemble"}),
    frozenset({"commands"}),
    frozenset({"frontends"}),
    frozenset({"cli"}),
    frozenset({"__main__"}),
)
LEAF = "config"

HOMES = {
    "openai": ("providers/openai.py",),
    "git": ("checkpoints/",),
    "gitdb": ("checkpoints/",),
    "lancedb": ("plugins/vectors.py",),
    "sqlite3": ("sessions/",),
    "tree_sitter": ("shell/",),
    "tree_sitter_bash": ("shell/",),
    "psutil": ("processes/",),
    "pluggy": ("plugins/",),
    "yaml": ("tools/skills/",),
    "textual": ("frontends/tui/",),
    "prompt_toolkit": ("frontends/plain/",),
    "asyncio": ("frontends/", "providers/openai.py", "mcp/"),
}

BROAD = ("Exception", "BaseException")
BROAD_ALLOWED = (
    "engine/dispatch.py",  # around a call
    "engine/judge.py",  # around a call's declaration
    "engine/permit.py",  # around a plugin's guard, and a tool's preview
    "engine/turn.py",  # around a turn
    "engine/requests.py",  # around the provider
    "engine/agent.py",  # around a turn, and around what a front end handed to do()
    "providers/openai.py",  # around the provider's SDK
    "plugins/",
    "mcp/",
)


def relative(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def part_of(path: Path) -> str:
    """The first name below the package: `engine`, `text`, `cli` …"""
    return relative(path).split("/")[0].removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """Every module that a file imports, anywhere in it, with its line."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            assert node.module is not None
            yield node.module, node.lineno
            for alias in node.names:
                yield f"{node.module}.{alias.name}", node.lineno


def own_parts(path: Path) -> Iterator[tuple[str, str, int]]:
    for name, line in imports(path):
        pieces = name.split(".")
        if (
            pieces[0] == "hermes_tui"
            and len(pieces) > 1
            and (PACKAGE / pieces[1]).exists() | (PACKAGE / f"{pieces[1]}.py").exists()
        ):
            yield pieces[1], name, line


def layer(part: str) -> int:
    return next(i for i, parts in enumerate(LAYERS) if part in parts)


def test_every_part_has_a_place_in_the_layers() -> None:
    known = frozenset().union(*LAYERS) | {LEAF, "__init__"}
    assert {part_of(path) for path in MODULES} <= known


def test_imports_go_one_way() -> None:
    wrong = []
    for path in MODULES:
        part = part_of(path)
        if part in {LEAF, "__init__"}:
            continue
        for target, name, line in own_parts(path):
            if target in {part, LEAF, "__init__"}:
                continue
            if layer(target) >= layer(part):
                wrong.append(f"{relative(path)}:{line} imports {name}")
    assert wrong == []


def test_config_is_a_leaf_and_the_engine_does_not_know_it() -> None:
    wrong = [
        f"{relative(path)}:{line} imports {name}"
        for path in MODULES
        for target, name, line in own_parts(path)
        if (
            part_of(path) == LEAF and target not in {LEAF} and not name.startswith("hermes_tui.engine.errors")
        )
        or (part_of(path) == "engine" and target == LEAF)
    ]
    assert wrong == []


def test_tools_do_not_import_each_other() -> None:
    shared = {"hermes_tui.tools.base", "hermes_tui.tools.registry", "hermes_tui.tools.aside",
              "hermes_tui.tools.addresses"}  # fmt: skip
    wrong = []
    for path in (PACKAGE / "tools").rglob("*.py"):
        own = relative(path).split("/")[1].removesuffix(".py")
        for name, line in imports(path):
            if not name.startswith("hermes_tui.tools."):
                continue
            target = name.split(".")[2]
            if target != own and not any(name == s or name.startswith(s + ".") for s in shared):
                wrong.append(f"{relative(path)}:{line} imports {name}")
    assert wrong == []


def test_the_engine_imports_the_standard_library_only() -> None:
    wrong = [
        f"{relative(path)}:{line} imports {name}"
        for path in (PACKAGE / "engine").rglob("*.py")
        for name, line in imports(path)
        if name.split(".")[0] not in sys.stdlib_module_names | {"hermes_tui", "__future__"}
    ]
    assert wrong == []


def test_each_outside_library_has_one_home() -> None:
    wrong = [
        f"{relative(path)}:{line} imports {name}"
        for path in MODULES
        for name, line in imports(path)
        if (homes := HOMES.get(name.split(".")[0])) and not relative(path).startswith(homes)
    ]
    assert wrong == []


def tool_names() -> set[str]:
    from hermes_tui.tools.registry import discover

    return {tool.schema.name for tool in discover()}


def test_the_centre_never_names_a_tool() -> None:
    names = tool_names()
    assert {"read_file", "terminal", "clarify"} <= names
    words = {
        "clarify",
        "process",
        "patch",
        "terminal",
        "memory",
        "todo",
    }  # plain words
    pattern = re.compile(r"\b(" + "|".join(sorted(names - words)) + r")\b")
    wrong = []
    for path in MODULES:
        part = part_of(path)
        if part not in {"engine", "permissions", "checkpoints", "frontends", "commands", "assemble"}:
            continue
        text = path.read_text("utf-8")
        known = names - ({"clarify"} if part == "engine" else words)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in known:
                wrong.append(f"{relative(path)}:{node.lineno}: {node.value!r}")
        if part == "engine" and (found := pattern.search(text)):
            wrong.append(f"{relative(path)}: {found.group()}")
    assert wrong == []


def test_tools_write_through_the_one_door_only() -> None:
    """`call.replace` is the only way a tool changes a file (design.md 4)."""
    forbidden_calls = {
        "write_text",
        "write_bytes",
        "unlink",
        "rename",
        "mkdir",
        "rmdir",
        "symlink_to",
        "touch",
        "chmod",
    }
    forbidden_os = {
        "remove",
        "unlink",
        "rename",
        "replace",
        "rmdir",
        "mkdir",
        "makedirs",
        "symlink",
        "link",
        "truncate",
    }
    wrong = []
    for path in (PACKAGE / "tools").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            function = node.func
            if isinstance(function, ast.Name) and function.id == "open":
                wrong.append(f"{relative(path)}:{node.lineno}: open()")
            if isinstance(function, ast.Attribute):
                owner = function.value.id if isinstance(function.value, ast.Name) else ""
                if function.attr in forbidden_calls or (owner == "os" and function.attr in forbidden_os):
                    wrong.append(f"{relative(path)}:{node.lineno}: .{function.attr}()")
                if owner in {"shutil", "tempfile"}:
                    wrong.append(f"{relative(path)}:{node.lineno}: {owner}.{function.attr}()")
    assert wrong == []


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    names = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    names += [a.arg for a in (node.args.vararg, node.args.kwarg) if a is not None]
    return len([name for name in names if name not in {"self", "cls"}])


@pytest.mark.parametrize("path", [*MODULES, *TESTS], ids=lambda p: p.relative_to(ROOT).as_posix())
def test_files_functions_and_parameter_lists_stay_small(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) <= MAX_FILE
    if relative_to_app(path):
        assert len(text.splitlines()) <= MAX_APP
    wrong = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MAX_FUNCTION:
                wrong.append(f"{node.name}: {lines} lines")
            if parameters(node) > MAX_PARAMETERS:
                wrong.append(f"{node.name}: {parameters(node)} parameters")
    assert wrong == []


def relative_to_app(path: Path) -> bool:
    return path == PACKAGE / "frontends" / "tui" / "app.py"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_every_module_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))


def test_broad_catches_stand_only_around_calls_turns_and_foreign_code() -> None:
    wrong = []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.ExceptHandler):
                continue
            caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            broad = any(c is None or (isinstance(c, ast.Name) and c.id in BROAD) for c in caught)
            if broad and not relative(path).startswith(BROAD_ALLOWED):
                wrong.append(f"{relative(path)}:{node.lineno}")
    assert wrong == []


def test_tests_neither_sleep_nor_patch_our_own_parts() -> None:
    this = Path(__file__)
    pattern = re.compile(
        r"time\.sleep\((?!0?\.0\d*\))|MagicMock|unittest\.mock|monkeypatch\.setattr\(.?hermes_tui"
    )
    wrong = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in TESTS
        if path != this and "bench" not in path.parts
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert wrong == []


def modules_after(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint('modules:', *sorted(sys.modules), flush=True)"
    words = [sys.executable, "-c", script]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT)
    return {name.split(".")[0] for name in done.stdout.rpartition("modules:")[2].split()}


def test_headless_mode_loads_neither_textual_nor_prompt_toolkit(tmp_path: Path) -> None:
    code = (
        "import os\n"
        f"os.environ['HERMES_TUI_HOME'] = {str(tmp_path / 'home')!r}\n"
        "from hermes_tui.cli import run\n"
        f"code = run(['-C', {str(tmp_path)!r}, '-p', 'read missing.txt', '--provider', 'rehearsal'])\n"
        "assert code == 0, code"
    )
    loaded = modules_after(code)
    assert "hermes_tui" in loaded
    assert loaded & {"textual", "prompt_toolkit", "openai", "mcp", "lancedb"} == set()


def test_line_mode_and_the_full_screen_do_not_import_each_other() -> None:
    wrong = []
    for one, other in (("plain", "tui"), ("tui", "plain")):
        for path in (PACKAGE / "frontends" / one).rglob("*.py"):
            wrong += [
                f"{relative(path)}:{line} imports {name}"
                for name, line in imports(path)
                if name.startswith(f"hermes_tui.frontends.{other}")
            ]
    assert wrong == []
