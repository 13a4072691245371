#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""imports.py OBJDUMP PROGRAM: the program loads nothing but libraries that every Windows 10 has, and
says what version it is."""

import re
import subprocess
import sys

SYSTEM = {"advapi32", "bcrypt", "crypt32", "kernel32", "msvcrt", "normaliz", "ntdll", "secur32", "shell32",
          "user32", "ws2_32", "iphlpapi", "ole32"}


def main():
    objdump, program = sys.argv[1:]
    text = subprocess.run([objdump, "-p", program], check=True, capture_output=True, text=True).stdout
    names = sorted({name.lower().removesuffix(".dll") for name in re.findall(r"DLL Name: (\S+)", text)})
    foreign = [name for name in names if name not in SYSTEM and not name.startswith("api-ms-win-")]
    print("imports:", " ".join(names))
    if foreign or not names:
        print("not of the system:", " ".join(foreign))
        return 1
    with open(program, "rb") as file:
        if "FileVersion".encode("utf-16-le") not in file.read():
            print("there is no version resource")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
