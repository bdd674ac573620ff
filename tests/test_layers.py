"""An import may only point to a layer above its own in this list."""

import ast
from pathlib import Path

import thumbindex

ROOT = Path(thumbindex.__file__).parent
LAYERS = [
    {"errors", "endpoints", "folders", "document", "tokens", "terms", "bm25", "tree", "codec", "passages", "sections"},
    {"decision.base", "embedding.base", "generation.base"},
    {"pdf"},
    {"indexing"},
    {"decision", "embedding", "generation"},
    {"search"},
    {"catalog"},
    {"library"},
    {"collection"},
    {"indexer", "library_search"},
    {""},
    {"evaluation"},
    {"server"},
    {"render", "report"},
    {"cli"},
    {"__main__"},
]


def layer_of(module: str) -> int:
    parts = module.split(".")
    names = {".".join(parts[:2]), parts[0]}
    return next(depth for depth, layer in enumerate(LAYERS) if names & layer)


def modules() -> list[tuple[str, ast.Module]]:
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix("__init__").rstrip(".")
        found.append((name, ast.parse(path.read_text())))
    return found


def own_imports(tree: ast.AST) -> list[str]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "thumbindex":
            inner = node.module.removeprefix("thumbindex").lstrip(".")
            names = [inner] if inner else [a.name if (ROOT / f"{a.name}.py").exists() else "" for a in node.names]
            found += names
        elif isinstance(node, ast.Import):
            found += [
                a.name.removeprefix("thumbindex").lstrip(".")
                for a in node.names
                if a.name.split(".")[0] == "thumbindex"
            ]
    return found


def test_imports_point_one_way():
    wrong = [
        f"{name or 'thumbindex'} imports {target or 'thumbindex'}"
        for name, tree in modules()
        for target in own_imports(tree)
        if layer_of(target) > layer_of(name)
    ]
    assert wrong == []


def test_own_modules_are_imported_at_the_top_of_a_module():
    wrong = [
        f"{name}: {target}"
        for name, tree in modules()
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for target in own_imports(function)
    ]
    assert wrong == []


def test_only_the_reader_knows_pdfium():
    holders = [name for name, tree in modules() if any(n.startswith("pypdfium2") for n in all_imports(tree))]
    assert holders == ["pdf.reader"]


def all_imports(tree: ast.AST) -> set[str]:
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
    return names


def test_every_module_says_what_it_is_and_what_it_offers():
    for name, tree in modules():
        assert ast.get_docstring(tree), f"{name} has no docstring"
        names = [target for n in tree.body if isinstance(n, ast.Assign) for target in n.targets]
        exported = any(isinstance(target, ast.Name) and target.id == "__all__" for target in names)
        public = [n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name[0] != "_"]
        assert exported or not public, f"{name} has no __all__"
