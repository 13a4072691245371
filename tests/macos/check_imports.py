#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What programs for macOS take from the system, beside the list of what that may be.

    check_imports.py [--list] IMPORTS SYSTEM PROGRAM...
    check_imports.py --self-test

IMPORTS is tests/macos/imports.txt; SYSTEM is a libSystem.tbd, the linker's view of the C library. Fails when a program
loads another library, imports a symbol that is not listed, or would not start on macOS 13; when a listed symbol of the
C library is not in SYSTEM; and, when both processors' programs are given, when none of them imports a listed symbol.
--list prints what the programs import, in the form of IMPORTS.
"""

import re
import struct
import sys
from pathlib import Path
from typing import NamedTuple

OLDEST = (13, 0)
# Under which name the list has a library, by what programs load.
LIBRARIES = {"/usr/lib/libSystem.B.dylib": "libSystem", "/usr/lib/libcurl.4.dylib": "libcurl",
             "/usr/lib/libedit.3.dylib": "libedit", "/usr/lib/libiconv.2.dylib": "libiconv",
             "@rpath/libcrypto.3.dylib": "libcrypto"}
CPUS = {0x01000007: "x86_64", 0x0100000C: "arm64"}
MAGIC = 0xFEEDFACF
LC_SYMTAB, LC_LOAD_DYLIB, LC_LOAD_WEAK_DYLIB, LC_BUILD_VERSION = 0x2, 0xC, 0x80000018, 0x32
N_STAB, N_TYPE, N_EXT = 0xE0, 0x0E, 0x01


class Program(NamedTuple):
    cpu: str
    oldest: tuple
    libraries: list
    imports: set  # of (path of the library, symbol)


def text_at(data, offset):
    return data[offset:data.index(b"\0", offset)].decode()


def read_program(data):
    """Of a 64-bit Mach-O file; ValueError when it is none."""
    if len(data) < 32 or struct.unpack_from("<I", data)[0] != MAGIC:
        raise ValueError("no program for macOS")
    cpu, count = struct.unpack_from("<4xI8xI", data)
    libraries, oldest, table = [], (0, 0), None
    at = 32
    for _ in range(count):
        command, size = struct.unpack_from("<II", data, at)
        if command in (LC_LOAD_DYLIB, LC_LOAD_WEAK_DYLIB):
            libraries.append(text_at(data, at + struct.unpack_from("<I", data, at + 8)[0]))
        elif command == LC_SYMTAB:
            table = struct.unpack_from("<IIII", data, at + 8)
        elif command == LC_BUILD_VERSION:
            version = struct.unpack_from("<I", data, at + 12)[0]
            oldest = (version >> 16, version >> 8 & 0xFF)
        at += size
    imports = set()
    symbols, number, strings, _ = table or (0, 0, 0, 0)
    for index in range(number):
        name, kind, _, description, _ = struct.unpack_from("<IBBHQ", data, symbols + 16 * index)
        if kind & N_STAB or kind & N_TYPE or not kind & N_EXT:
            continue
        # Which of the libraries it is taken from, counted from 1.
        ordinal = description >> 8
        library = libraries[ordinal - 1] if 0 < ordinal <= len(libraries) else f"library {ordinal}"
        imports.add((library, text_at(data, strings + name)))
    return Program(CPUS.get(cpu, "unknown"), oldest, libraries, imports)


def exports_of(tbd):
    """All names that stand in lists of symbols: a name that only one processor has is one, too."""
    names = set()
    for block in re.findall(r"^ *(?:weak-)?symbols: +\[([^]]*)\]", tbd, re.MULTILINE):
        names.update(name.strip(" '\"") for name in block.replace("\n", " ").split(","))
    return names


def listed_imports(text):
    return {tuple(line.split(" ", 1)) for line in text.splitlines() if line and not line.startswith("#")}


def complaints(listed, exports, programs):
    found = [f"{library} {symbol}: the system's library has no such symbol"
             for library, symbol in sorted(listed) if library == "libSystem" and symbol not in exports]
    imported = set()
    for name, program in programs:
        if program.oldest == (0, 0) or program.oldest > OLDEST:
            found.append(f"{name}: starts from macOS {program.oldest[0]}.{program.oldest[1]} on")
        found += [f"{name}: loads {library}" for library in program.libraries if library not in LIBRARIES]
        own = {(LIBRARIES.get(library, library), symbol) for library, symbol in program.imports}
        imported |= own
        found += [f"{name}: imports {library} {symbol}, which is not listed" for library, symbol in sorted(own - listed)]
    if {program.cpu for _, program in programs} == set(CPUS.values()):
        found += [f"{library} {symbol}: listed, but no program imports it"
                  for library, symbol in sorted(listed - imported)]
    return found


def made_program(cpu=0x0100000C, oldest=13 << 16, library="/usr/lib/libSystem.B.dylib", symbols=("_open",)):
    """A file with nothing but what is read of it."""
    path = library.encode() + b"\0"
    path += b"\0" * (-len(path) % 8)
    commands = [struct.pack("<IIIIII", LC_LOAD_DYLIB, 24 + len(path), 24, 0, 0, 0) + path,
                struct.pack("<IIIIII", LC_BUILD_VERSION, 24, 1, oldest, 0, 0)]
    strings = b"\0" + b"".join(symbol.encode() + b"\0" for symbol in symbols)
    start = 32 + sum(map(len, commands)) + 24
    table = b""
    for symbol in symbols:
        table += struct.pack("<IBBHQ", strings.index(symbol.encode() + b"\0"), N_EXT, 0, 1 << 8, 0)
    table += struct.pack("<IBBHQ", 0, N_EXT | N_TYPE, 1, 0, 0)  # one of its own
    commands.append(struct.pack("<IIIIII", LC_SYMTAB, 24, start, len(symbols) + 1, start + len(table), len(strings)))
    header = struct.pack("<IIIIIIII", MAGIC, cpu, 0, 2, len(commands), sum(map(len, commands)), 0, 0)
    return header + b"".join(commands) + table + strings


def self_test():
    tbd = "exports:\n  - targets: [ arm64-macos ]\n    symbols:         [ _open, '_fstat$INODE64',\n                 _read ]\n"
    listed = "# why\nlibSystem _open\n"
    x64 = {"cpu": 0x01000007}
    cases = [("all is listed", listed, [{}], 0),
             ("both processors, all imported", listed, [{}, x64], 0),
             ("not listed", listed, [{"symbols": ("_open", "_read")}], 1),
             ("another library", listed, [{"library": "/usr/lib/libz.1.dylib"}], 2),
             ("too new", listed, [{"oldest": 14 << 16}], 1),
             ("not in the system's", listed + "libSystem _new\n", [{"symbols": ("_open", "_new")}], 1),
             ("a name for one processor", listed + "libSystem _fstat$INODE64\n",
              [{}, x64 | {"symbols": ("_open", "_fstat$INODE64")}], 0),
             ("nobody imports it", listed + "libSystem _read\n", [{}, x64], 1),
             ("nobody of one processor imports it", listed + "libSystem _read\n", [{}], 0)]
    wrong = []
    for name, text, made, expected in cases:
        programs = [("program", read_program(made_program(**given))) for given in made]
        found = complaints(listed_imports(text), exports_of(tbd), programs)
        if len(found) != expected:
            wrong.append(f"{name}: {found}")
    try:
        read_program(b"\x7fELF" + b"\0" * 60)
        wrong.append("another system's program is read")
    except ValueError:
        pass
    print("\n".join(wrong) or f"{len(cases) + 1} cases")
    return 1 if wrong else 0


def main(args):
    if args == ["--self-test"]:
        return self_test()
    only_list = args[:1] == ["--list"]
    imports, system, *paths = args[1:] if only_list else args
    programs = [(path, read_program(Path(path).read_bytes())) for path in paths]
    if only_list:
        both = {(LIBRARIES.get(library, library), symbol) for _, program in programs for library, symbol in program.imports}
        print("\n".join(" ".join(entry) for entry in sorted(both)))
        return 0
    listed = listed_imports(Path(imports).read_text())
    found = complaints(listed, exports_of(Path(system).read_text()), programs)
    print("\n".join(found) or f"{len(listed)} imports, {', '.join(program.cpu for _, program in programs)}: all listed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
