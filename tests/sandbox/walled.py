# SPDX-License-Identifier: MIT
"""yume-cli as Yume starts it, with no flag about permissions: each call of the model runs in a
folder of its own below a home of its own, as this user or as one without privileges, and with or
without the mounts that a wall can have."""

import ctypes
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from scripted_agent import call, environment, serve, tool_results  # noqa: E402

CANARY = "canary-93b1"
NOBODY = 65534
LIBC = ctypes.CDLL(None, use_errno=True)
SYS_LANDLOCK_CREATE_RULESET = 444
SYS_LANDLOCK_RESTRICT_SELF = 446
PR_SET_NO_NEW_PRIVS = 38


def landlock_version():
    return LIBC.syscall(SYS_LANDLOCK_CREATE_RULESET, None, 0, 1)


def forbid_mounts():
    """An outer Landlock that allows everything else: inside one nobody mounts anything."""
    make_block_devices = ctypes.c_uint64(1 << 11)
    rules = LIBC.syscall(SYS_LANDLOCK_CREATE_RULESET, ctypes.byref(make_block_devices), 8, 0)
    if LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or LIBC.syscall(SYS_LANDLOCK_RESTRICT_SELF, rules, 0):
        os._exit(99)


class World:
    """A home with secrets in it, and a workspace below."""

    def __init__(self, binary, user="self", mounts=True):
        self.binary, self.user, self.mounts = os.path.abspath(binary), user, mounts
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="yume-wall-"))
        self.home = self.scratch / "home"
        self.work = self.home / "project"
        self.work.mkdir(parents=True)
        self.put(".gitconfig", "[user]\n name = A B\n email = a@example.com\n[init]\n defaultBranch = main\n")
        self.put(".bashrc", "alias ll='ls -l'\n")
        self.put("notes.txt", "my notes\n")
        self.put(".yume/settings.json", "{}\n")
        for secret in (".ssh/id_ed25519", ".aws/credentials", ".netrc", ".config/gh/hosts.yml",
                       ".config/gcloud/application_default_credentials.json",
                       ".config/google-chrome/Default/Cookies", ".local/share/keyrings/login.keyring",
                       "keys/service-account.json", "gcloud-elsewhere/credentials.db"):
            self.put(secret, CANARY + "\n")
        self.put(".ssh/authorized_keys", "ssh-ed25519 AAAA me\n")

    def put(self, name, text):
        file = self.home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def close(self):
        shutil.rmtree(self.scratch, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def outside(self):
        """Everything in the scratch folder but the workspace, and what yume-cli itself keeps."""
        found = {}
        for folder, folders, files in os.walk(self.scratch):
            own = {self.work, self.home / ".yume/sessions", self.home / ".yume/tmp", self.home / ".cache/yume-cli",
                   self.scratch / "tmp"}
            folders[:] = [name for name in folders if pathlib.Path(folder, name) not in own]
            for name in folders + files:
                path = pathlib.Path(folder, name)
                if self.home / ".yume" in path.parents and path.name != "settings.json":
                    continue
                status = path.lstat()
                content = path.read_bytes() if path.is_file() else b""
                # Without mounts modes can be changed; docs/sandbox.md says so.
                found[str(path)] = (status.st_mode if self.mounts else 0, content)
        return found

    def variables(self):
        temporary = self.scratch / "tmp"
        temporary.mkdir(exist_ok=True)
        return {**environment(self.home), "TMPDIR": str(temporary), "USER": "me", "LANG": "C.UTF-8",
                "GOOGLE_APPLICATION_CREDENTIALS": str(self.home / "keys/service-account.json"),
                "CLOUDSDK_CONFIG": str(self.home / "gcloud-elsewhere")}

    def start(self, calls, *flags):
        """The lines of one turn."""
        server = serve(calls)
        try:
            if self.user == "nobody":
                for path in [self.scratch, *self.scratch.rglob("*")]:
                    os.lchown(path, NOBODY, NOBODY)
            prepare = None if self.mounts else forbid_mounts
            become = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if self.user == "nobody" else {}
            variables = self.variables()
            if self.user == "nobody":
                os.chown(variables["TMPDIR"], NOBODY, NOBODY)
            ran = subprocess.run(
                [self.binary, "--provider", "gemini", "--dialect", "claude", "--output-format", "stream-json",
                 "--verbose", "--model", "gemini-3.8-flash", "--auth", "api-key", "--api-base", server.url,
                 "--cwd", str(self.work), "--prompt", "go", *flags],
                env=variables, cwd=self.work, stdin=subprocess.DEVNULL, capture_output=True, timeout=600,
                preexec_fn=prepare, **become, check=False)
        finally:
            server.close()
        assert ran.stderr == b"", ran.stderr
        return [json.loads(line) for line in ran.stdout.splitlines()]

    def run(self, commands, *flags):
        """(text, whether it is an error) of each command."""
        results = tool_results(self.start([call("Bash", command=command) for command in commands], *flags))
        assert len(results) == len(commands), (len(results), len(commands), results[-1:])
        return results


def worlds(binary):
    """(name, world) for every kind there can be here; prints what there cannot."""
    users = ["self"] + (["nobody"] if os.geteuid() == 0 else [])
    if os.geteuid() != 0:
        print("not as another user: only root can become one")
    for user in users:
        for mounts in (True, False):
            world = World(binary, user, mounts)
            yield f"{user}, {'best wall' if mounts else 'Landlock alone'}", world


def has_mounts(world):
    """Whether commands of this world see mounts of their own."""
    if not world.mounts:
        return False
    (text, _), = world.run(["wc -l < /proc/self/mountinfo; wc -l < /proc/1/mountinfo; chmod 755 ~ 2>&1"])
    return "Read-only" in text


def skip_without_landlock():
    if landlock_version() <= 0:
        print("skipped: this kernel has no Landlock")
        sys.exit(77)
