#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whoever looks into a closed variant of src/core names every alternative.

A new event, command or question must fail to compile wherever it matters. So, in src/:

- one function asks for at most one alternative by get_if or holds_alternative ("is it this one?");
  more of them are a chain that a new alternative would fall through;
- a handler in Overloaded{...} names its type: no auto, no "...";
- an overload set that a generic lambda calls has no template that takes what is left.
"""

import re

import lintlib
from lintlib import Case, Violation

VARIANTS = ("Event", "Command", "HostQuestion", "HostAnswer", "ToolDetails")

_VARIANT = re.compile(r"using\s+(\w+)\s*=\s*std::variant<([^;]*)>\s*;")
_ASKS = re.compile(r"(?:get_if|holds_alternative)\s*<\s*(?:core::)?(\w+)\s*>")
_CATCH_ALL = re.compile(r"template\s*<\s*(?:class|typename)\s+(\w+)\s*>\s*(?:\w+\s+)+on\s*\(\s*(?:const\s+)?\1\s*&")
_HANDLER = re.compile(r"\]\s*\(\s*(?:const\s+)?auto\b|\(\s*\.\.\.\s*\)")


def alternatives(root):
    """alternative -> variant, as src/core declares them."""
    owner = {}
    for _, path in lintlib.code_files(root, "src/core"):
        code = lintlib.strip_text(path.read_text(encoding="utf-8", errors="replace"))
        for name, body in _VARIANT.findall(code):
            if name in VARIANTS:
                owner.update({one.split("::")[-1].strip(): name for one in body.split(",")})
    return owner


def functions(code):
    """(offset, text) of each function's body: a brace behind a parenthesis, outside of another body."""
    at = 0
    for match in re.finditer(r"\)\s*(?:const|override|noexcept|final|\s)*(?::[^;{}]*(?:\{[^{};]*\}[^;{}]*)*)?\{", code):
        if match.start() < at:
            continue
        depth, end = 1, match.end()
        while depth and end < len(code):
            depth += {"{": 1, "}": -1}.get(code[end], 0)
            end += 1
        at = end
        yield match.end(), code[match.end():end]


def handlers_behind(code, begin):
    """What stands between the braces of Overloaded{...}, with the handlers' bodies blanked."""
    depth, end, shown = 1, begin, []
    while depth and end < len(code):
        depth += {"{": 1, "}": -1}.get(code[end], 0)
        shown.append(code[end] if depth == 1 else " ")
        end += 1
    return "".join(shown)


def check(root):
    owner = alternatives(root)
    found = []
    for name, path in lintlib.code_files(root, "src"):
        code = lintlib.strip_text(path.read_text(encoding="utf-8", errors="replace"))

        def report(offset, message):
            found.append(Violation(name, code.count("\n", 0, offset) + 1, "exhaustive-visits", message))

        for begin, body in functions(code):
            asked = {}
            for match in _ASKS.finditer(body):
                variant = owner.get(match.group(1))
                asked.setdefault(variant, set()).add(match.group(1))
                if variant and len(asked[variant]) == 2:
                    report(begin + match.start(), f"asks for several alternatives of {variant}: visit it instead")
                    asked[variant].add("")  # once for each function
        for match in re.finditer(r"\bOverloaded\s*\{", code):
            for handler in _HANDLER.finditer(handlers_behind(code, match.end())):
                report(match.end() + handler.start(), "a handler takes anything: name the alternatives")
        for match in _CATCH_ALL.finditer(code):
            report(match.start(), "an overload takes what is left: name the alternatives")
    return found


EVENT = {"src/core/event.h": "using Event = std::variant<A, B, C>;\n"}


def one(code):
    return {**EVENT, "src/app/a.cpp": code}


CASES = [
    Case("one question is fine", one("void f() {\n if (holds_alternative<core::A>(e)) g();\n}\n"), 0),
    Case("the same twice is fine", one("void f() {\n get_if<core::A>(&e); get_if<core::A>(&d);\n}\n"), 0),
    Case("in two functions is fine", one("void f() { get_if<core::A>(&e); }\nvoid g() { get_if<core::B>(&e); }\n"), 0),
    Case("a chain is not", one("void f() {\n get_if<core::A>(&e);\n get_if<core::B>(&e);\n get_if<core::C>(&e);\n}\n"), 1),
    Case("other variants are not its concern", one("void f() {\n get_if<X>(&e);\n get_if<Y>(&e);\n}\n"), 0),
    Case("named handlers are fine", one("void f() { visit(Overloaded{[](const A&) {}, [](const B&) {}}, e); }\n"), 0),
    Case("auto is not", one("void f() { visit(Overloaded{[](const A&) {}, [](const auto&) {}}, e); }\n"), 1),
    Case("within a handler it is", one("void f() { visit(Overloaded{[](const A&) { g([](auto x) {}); }}, e); }\n"), 0),
    Case("nor is ...", one("void f() { visit(Overloaded{[](const A&) {}, [](...) {}}, e); }\n"), 1),
    Case("a template that takes the rest is not", one("template <class Other>\nbool on(Other&) { return true; }\n"), 1),
    Case("comments are ignored", one("// Overloaded{[](const auto&) {}}\n"), 0),
]

if __name__ == "__main__":
    lintlib.main(check, CASES)
