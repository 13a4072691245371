# SPDX-License-Identifier: MIT
"""A certificate authority and what it signs, made by openssl(1) into a directory of the test."""

import subprocess
from pathlib import Path

# 0.0.0.0 reaches this machine, too, but is no loopback address: the host behind a proxy.
NAMES = "DNS:localhost,DNS:gemini.test,IP:127.0.0.1,IP:0.0.0.0"
EC_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]


def openssl(*arguments):
    done = subprocess.run(["openssl", *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"openssl {arguments[0]}: {done.stderr}")
    return done.stdout


class Certificates:
    """Files DIR/<name>.pem and DIR/<name>.key; an authority has a hashed directory as well."""

    def __init__(self, directory: Path):
        self.directory = directory

    def pem(self, name):
        return self.directory / f"{name}.pem"

    def key(self, name):
        return self.directory / f"{name}.key"

    def authority(self, name):
        self._self_signed(name, "basicConstraints=critical,CA:TRUE")
        hashed = self.directory / f"{name}.d"
        hashed.mkdir()
        subject = openssl("x509", "-in", self.pem(name), "-noout", "-hash").strip()
        (hashed / f"{subject}.0").write_bytes(self.pem(name).read_bytes())
        return hashed

    def self_signed(self, name):
        self._self_signed(name, f"subjectAltName={NAMES}")

    def _self_signed(self, name, extension):
        openssl("req", "-x509", *EC_KEY, "-days", 2, "-subj", f"/CN={name}", "-addext", extension,
                "-keyout", self.key(name), "-out", self.pem(name))

    def signed(self, name, authority, names=NAMES, days=2):
        request = self.directory / f"{name}.csr"
        extensions = self.directory / f"{name}.ext"
        extensions.write_text(f"subjectAltName={names}\n")
        openssl("req", *EC_KEY, "-subj", f"/CN={name}", "-keyout", self.key(name), "-out", request)
        openssl("x509", "-req", "-in", request, "-CA", self.pem(authority), "-CAkey",
                self.key(authority), "-set_serial", 1 + len(list(self.directory.iterdir())),
                "-days", days, "-extfile", extensions, "-out", self.pem(name))
