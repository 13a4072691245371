#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""An archive of the files in a folder, below one folder that is called like the archive:

    make_zip.py FOLDER ARCHIVE.zip --time SECONDS

The same files give the same bytes: they are sorted and all have the given time.
"""

import argparse
import datetime
import zipfile
from pathlib import Path


def main():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("folder", type=Path)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--time", required=True, type=int)
    given = parser.parse_args()
    when = datetime.datetime.fromtimestamp(given.time, datetime.timezone.utc).timetuple()[:6]
    with zipfile.ZipFile(given.archive, "w") as archive:
        for path in sorted(path for path in given.folder.rglob("*") if path.is_file()):
            name = Path(given.archive.stem) / path.relative_to(given.folder)
            entry = zipfile.ZipInfo(name.as_posix(), when)
            entry.create_system = 3  # as on Unix, so that the mode counts
            entry.external_attr = (0o100755 if path.suffix == ".exe" else 0o100644) << 16
            archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)


if __name__ == "__main__":
    main()
