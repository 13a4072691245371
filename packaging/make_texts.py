#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The texts that lie in a package beside the program: manual page, completions, changelog, licences of all parts, and
the list of parts (SPDX).

    make_texts.py --binary B --root R --out DIR --version V --time SECONDS --linked static|shared|windows
                  [--older-glibc NAME] [--archives NAME] [--emulator COMMAND]

With `--linked windows` those of the program for Windows; B may be one of this system, as both know the same commands.

Parts come from packaging/parts.json: what a package of that name is here, or what scripts/fetch-sources got; for another
processor, its packages in the folder of --archives, or `package_elsewhere`. The same input gives the same bytes. A part
whose version or licence cannot be found is an error.
"""

import argparse
import datetime
import email.utils
import gzip
import json
import subprocess
import sys
from pathlib import Path

MAINTAINER = "yume-cli contributors <yume-cli@users.noreply.github.com>"


def give_up(message):
    sys.exit(f"make_texts: {message}")


def output_of(*command):
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        give_up(f"{' '.join(map(str, command))} failed: {done.stderr.decode().strip()}")
    return done.stdout


def archived_versions(root, archives):
    """By package, of those in the folder of that name; none when the program is for this processor."""
    if not archives:
        return {}
    noted = root / "build" / "_sources" / f"{archives}.version"
    return dict(line.split() for line in noted.read_text().splitlines())


def version_of(part, root, archives):
    noted = root / "build" / "_sources" / f"{part.get('source', '')}.version"
    if "source" in part and noted.is_file():
        return noted.read_text().strip()
    if "package" in part:
        archived = archived_versions(root, archives).get(part["package"])
        package = part.get("package_elsewhere", part["package"]) if archives else part["package"]
        return archived or output_of("dpkg-query", "-W", "-f", "${Version}", package).decode()
    return give_up(f"no version of {part['name']}: run scripts/fetch-sources")


def licence_text(part, root):
    """The distribution's own file about it."""
    places = []
    if "source" in part:
        folder = root / "build" / "_sources" / part["source"]
        places += [folder / "debian" / "copyright", folder / "copyright", folder / "LICENSE", folder / "COPYING",
                   folder / "usr/share/doc/libc6/copyright"]
    if "package" in part:
        places.append(Path("/usr/share/doc") / part["package"] / "copyright")
    for place in places:
        if place.is_file():
            return place.read_text(errors="replace").strip()
    return give_up(f"no licence of {part['name']} in {', '.join(map(str, places))}")


def write_zipped(path, text):
    path.write_bytes(gzip.compress(text, compresslevel=9, mtime=0))


def copyright_text(parts, root):
    text = "yume-cli\n\n" + (root / "LICENSE").read_text().strip() + "\n"
    for part in parts:
        how = "contains" if part.get("link", "static") == "static" else "is linked with, and contains the start files of,"
        text += f"\n\n{'=' * 78}\nIt {how} {part['name']} ({part['licence']}).\n{'=' * 78}\n\n" \
                f"{licence_text(part, root)}\n"
    return text


def changelog_text(version, when):
    date = email.utils.format_datetime(when)
    return f"yume-cli ({version}) stable; urgency=medium\n\n  * See CHANGELOG.md of the sources.\n\n" \
           f" -- {MAINTAINER}  {date}\n"


def parts_list(parts, root, archives, version, when):
    def package(name, text_version, licence):
        return {"SPDXID": f"SPDXRef-{name}", "name": name, "versionInfo": text_version,
                "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": licence,
                "licenseDeclared": licence, "copyrightText": "NOASSERTION"}

    own = package("yume-cli", version, "MIT")
    relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
                  "relatedSpdxElement": "SPDXRef-yume-cli"}]
    relations += [{"spdxElementId": "SPDXRef-yume-cli", "relationshipType": f"{part.get('link', 'static').upper()}_LINK",
                   "relatedSpdxElement": f"SPDXRef-{part['name']}"} for part in parts]
    document = {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
                "name": f"yume-cli-{version}",
                "documentNamespace": f"https://spdx.org/spdxdocs/yume-cli-{version}-{int(when.timestamp())}",
                "creationInfo": {"created": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
                                 "creators": ["Tool: yume-cli packaging/make_texts.py"]},
                "packages": [own] + [package(part["name"], version_of(part, root, archives), part["licence"])
                                     for part in parts],
                "relationships": relations}
    return json.dumps(document, indent=1) + "\n"


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    for name in ("binary", "root", "out"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    parser.add_argument("--version", required=True)
    parser.add_argument("--time", required=True, type=int)
    parser.add_argument("--linked", required=True, choices=("static", "shared", "windows"))
    parser.add_argument("--emulator", default="", help="what runs the binary, as a list of CMake")
    parser.add_argument("--archives", default="", help="the folder of another processor's packages")
    parser.add_argument("--older-glibc", default="", help="the folder of its tree, when it is not the system's")
    given = parser.parse_args()
    root, out = given.root.resolve(), given.out
    run = [*filter(None, given.emulator.split(";")), given.binary.resolve()]
    when = datetime.datetime.fromtimestamp(given.time, datetime.timezone.utc)
    parts = json.loads((root / "packaging" / "parts.json").read_text())[given.linked]
    out.mkdir(parents=True, exist_ok=True)
    if given.linked == "windows":
        (out / "yume-cli.ps1").write_bytes(output_of(*run, "completions", "powershell"))
        (out / "licences.txt").write_text(copyright_text(parts, root))
        (out / "yume-cli.spdx.json").write_text(parts_list(parts, root, given.version, when))
        return
    glibc = {"name": "glibc", "licence": "LGPL-2.1-or-later", "link": "dynamic", "package": "libc6"}
    parts.append(glibc | ({"source": given.older_glibc} if given.older_glibc else {}))
    write_zipped(out / "yume-cli.1.gz", output_of(*run, "man"))
    for shell, name in (("bash", "yume-cli.bash"), ("zsh", "_yume-cli"), ("fish", "yume-cli.fish")):
        (out / name).write_bytes(output_of(*run, "completions", shell))
    write_zipped(out / "changelog.gz", changelog_text(given.version, when).encode())
    (out / "copyright").write_text(copyright_text(parts, root))
    (out / "yume-cli.spdx.json").write_text(parts_list(parts, root, given.archives, given.version, when))


if __name__ == "__main__":
    main()
