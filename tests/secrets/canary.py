# SPDX-License-Identifier: MIT
"""Values that may appear nowhere, and the search for them in every form they could have taken."""

import base64
import os
import secrets
import urllib.parse
from pathlib import Path


class Canary:
    def __init__(self, name, prefix=""):
        self.name = name
        # "+/" so that the percent-encoded form is another one.
        self.value = f"{prefix}canary+/{secrets.token_hex(16)}"

    def forms(self):
        return forms_of(self.value.encode())


def forms_of(value: bytes):
    """The value raw, percent-encoded in both ways, in hex and in base64 at every alignment."""
    forms = {value, urllib.parse.quote_from_bytes(value, safe="").encode(),
             b"".join(b"%%%02X" % byte for byte in value),
             value.hex().encode(), value.hex().upper().encode()}
    for before in range(3):
        text = base64.b64encode(bytes(before) + value)
        # Without the characters that the bytes before and after it have a part in.
        first = (before * 8 + 5) // 6
        last = (before + len(value)) * 8 // 6
        forms |= {text[first:last], text[first:last].replace(b"+", b"-").replace(b"/", b"_")}
    return forms


def find_in(data: bytes, canaries):
    """Names of the canaries in it."""
    return {canary.name for canary in canaries if any(form in data for form in canary.forms())}


def find_below(directory: Path, canaries):
    """{path: names} of all files below, in their names too; links and pipes are not followed."""
    found = {}
    for parent, directories, files in os.walk(directory):
        for name in [*directories, *files]:
            path = Path(parent, name)
            data = os.fsencode(name)
            if path.is_file() and not path.is_symlink():
                data += b"\n" + path.read_bytes()
            if names := find_in(data, canaries):
                found[path] = names
    return found
