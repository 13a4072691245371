#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""unity_groups.py SIZE HEADERS SOURCE...: which sources can be compiled as one file.

Prints "GROUP SOURCE" for each source that shares its group with another one. Sources of one group
have no name of one namespace in common among those that each keeps to itself (unnamed namespaces,
static, macros), and none of these names hides one that a header below the folders HEADERS (separated
by ":") declares in that namespace or around it. Names are found by the layout that clang-format gives
every file: declarations of a namespace begin in the first column. A name too many only makes a group
smaller.
"""

import pathlib
import re
import sys

OPENS = re.compile(r"namespace(?: ([\w:]+))? \{$")
EVERYWHERE = "*"  # the namespace of macros
TYPE = re.compile(r"(?:struct|class|union|enum class|enum|using|concept)\s+(\w+)")
ALIAS = re.compile(r"(?:using|namespace) (\w+) = |using [\w:]*::(\w+);")
MACRO = re.compile(r"#define\s+(\w+)")
DECLARED = re.compile(r"(\w+)\s*(?:\(|=|\{|\[|;|$)")
NO_DECLARATION = ("//", "}", "{", "#include", "#if", "#e", "#pragma", "template", "TEST", "INSTANTIATE",
                  "static_assert", "extern", "using namespace")


def declared_name(line):
    """The name that a line in the first column declares, or None."""
    if not line or line[0].isspace() or line.startswith(NO_DECLARATION) or OPENS.match(line):
        return None
    found = ALIAS.match(line) or TYPE.match(line) or MACRO.match(line)
    if not found:
        # Of `Result<int (*)()> read(…`, what is inside the angles names nothing.
        flat = line
        while True:
            flatter = re.sub(r"<[^<>]*>", "", flat)
            if flatter == flat:
                break
            flat = flatter
        found = DECLARED.search(flat)
    return next(filter(None, found.groups())) if found else None


def meaning(line, path):
    """What a declaration says: another name for something is the same thing wherever it is said."""
    return line if ALIAS.match(line) else str(path)


def declarations(path):
    """(line, name, namespace, whether the file keeps the name to itself) of each declaration."""
    scopes = []
    for line in path.read_text(encoding="utf-8").splitlines():
        opened = OPENS.match(line)
        if opened:
            scopes.append(opened.group(1))
        elif line.startswith("}  // namespace") and scopes:
            scopes.pop()
        else:
            name = declared_name(line)
            if name:
                macro = line.startswith("#define ")
                own = macro or None in scopes or line.startswith("static ") or ALIAS.match(line)
                yield line, name, EVERYWHERE if macro else "::".join(filter(None, scopes)), own


def own_names(path):
    """Names that a source keeps to itself: {(name, namespace): meaning}."""
    return {(name, scope): meaning(line, path) for line, name, scope, own in declarations(path) if own}


def header_names(folders):
    names = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.h")):
            for line, name, scope, _ in declarations(path):
                names.setdefault((name, scope), meaning(line, path))
    return names


def clash(some, others):
    return any(others.get(key, means) != means for key, means in some.items())


def hides(own, public):
    """Whether one of a source's own names would be found in the place of a header's."""
    for (name, scope), means in own.items():
        around = [EVERYWHERE, ""] + ["::".join(scope.split("::")[:depth]) for depth in range(1, scope.count("::") + 2)]
        if any(public.get((name, outer), means) != means for outer in around):
            return True
    return False


def grouped(sources, size, public):
    """Groups of sources, each one first fit: [[path, …], …]."""
    groups = []  # (paths, names)
    for path in sources:
        names = own_names(path)
        if hides(names, public):
            continue
        for paths, taken in groups:
            if len(paths) < size and not clash(names, taken):
                paths.append(path)
                taken.update(names)
                break
        else:
            groups.append(([path], names))
    return [paths for paths, _ in groups if len(paths) > 1]


def main():
    size, headers, *sources = sys.argv[1:]
    public = header_names([pathlib.Path(folder) for folder in headers.split(":")])
    for number, paths in enumerate(grouped([pathlib.Path(s) for s in sources], int(size), public)):
        for path in paths:
            print(f"g{number} {path}")


if __name__ == "__main__":
    main()
