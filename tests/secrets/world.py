# SPDX-License-Identifier: MIT
"""A machine with credentials planted in it, a model that asks for them, and one run of the
program there."""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))
from loopback_server import Server  # noqa: E402

from canary import Canary, find_below, find_in

NOBODY = 65534

# Prints all that a command can learn about itself, the supervisor above it and yume-cli above that,
# also in forms that no search for the plain value would notice.
# The names of the files are put together at run time: a command that names them is denied in every
# mode, and here it is the environment itself that must not hold anything.
SPY = r"""
environ=environ
env
export -p
process=self
for step in 0 1 2; do
  tr '\0' '\n' < /proc/$process/$environ
  tr '\0' ' ' < /proc/$process/cmdline; echo
  base64 -w0 /proc/$process/$environ; echo
  od -An -v -tx1 /proc/$process/$environ | tr -d ' \n'; echo
  if [ $step = 0 ]; then process=$PPID; else process=$(cut -d' ' -f4 /proc/$process/stat); fi
done 2>/dev/null
true
"""
PS = "ps axeww | grep -a -e yume-cli -e bash; true"


def text_reply(text):
    return {"candidates": [{"content": {"role": "model", "parts": [{"text": text}]},
                            "finishReason": "STOP"}]}


def bash_reply(command):
    part = {"functionCall": {"name": "Bash", "args": {"command": command}}}
    return {"candidates": [{"content": {"role": "model", "parts": [part]},
                            "finishReason": "STOP"}]}


class Gemini(Server):
    """Answers each request with the next of `replies`; keeps bodies and the credentials it saw."""

    def __init__(self):
        self.replies, self.bodies, self.logins = [], [], []
        super().__init__(self.reply)

    def reply(self, request, body):
        self.bodies.append(body)
        login = request.headers.get("x-goog-api-key") or request.headers.get("Authorization", "")
        self.logins.append(login.removeprefix("Bearer "))
        if request.command == "GET":
            return 200, "application/json", json.dumps({"name": "models/m"}).encode()
        reply = self.replies.pop(0)
        if callable(reply):
            return reply(request)
        return 200, "text/event-stream", f"data: {json.dumps(reply)}\r\n\r\n".encode()


class World:
    """home, work, tmp, runtime and log are searched; what was planted lies in `planted`."""

    def __init__(self, binary, user=None):
        self._scratch = tempfile.TemporaryDirectory()
        self.root = Path(self._scratch.name)
        self.user = user
        self.canaries = []
        self.planted = self.root / "planted"
        self.places = {name: self.root / name for name in ("home", "work", "tmp", "runtime")}
        for path in [self.planted, *self.places.values()]:
            path.mkdir(mode=0o700)
        self.debug_file = self.places["work"] / "debug.log"
        self.binary = binary
        if user is not None:  # who may not be able to reach the binary where it lies
            self.binary = self.root / "yume-cli"
            shutil.copy(binary, self.binary)
            self.root.chmod(0o755)
        self.gemini = Gemini()
        self.token_server = None

    def close(self):
        self.gemini.close()
        if self.token_server:
            self.token_server.close()
        self._scratch.cleanup()

    def canary(self, name, prefix=""):
        self.canaries.append(Canary(name, prefix))
        return self.canaries[-1].value

    def plant(self, name, text, mode=0o600):
        path = self.planted / name
        path.write_text(text)
        path.chmod(mode)
        return path

    def token_endpoint(self):
        """Hands out an access token that is a canary; returns its address."""
        token = self.canary("access token", "ya29.")
        answer = json.dumps({"access_token": token, "expires_in": 3599, "token_type": "Bearer"})
        self.token_server = Server(lambda *_: (200, "application/json", answer.encode()))
        return f"{self.token_server.url}/token"

    def environment(self, more):
        # Of the machine's own only what the sanitizers need. They would catch a crash themselves.
        variables = {name: os.environ.get(name, "") + ":handle_segv=0:handle_abort=0:disable_coredump=0"
                     for name in ("ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS")}
        variables |= {"PATH": f"{self.planted}:/usr/bin:/bin", "HOME": self.places["home"],
                      "TMPDIR": self.places["tmp"], "XDG_RUNTIME_DIR": self.places["runtime"],
                      "METADATA_SERVER_DETECTION": "none", "SPY_MARKER": "was-here",
                      "YUME_MAX_RETRIES": "0"}
        return {name: str(value) for name, value in (variables | more).items()}

    def start(self, arguments, **more):
        """The program itself, with core dumps allowed as far as the system lets us."""
        if self.user is not None:
            for path in [self.root, *self.root.rglob("*")]:
                os.chown(path, self.user, self.user)
        hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
        identity = {} if self.user is None else {"user": self.user, "group": self.user,
                                                 "extra_groups": []}
        return subprocess.Popen(
            [self.binary, *arguments], env=self.environment(more), cwd=self.places["work"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (hard, hard)), **identity)

    def turn_arguments(self, *more):
        return ["-p", "--prompt", "hi", "--output-format", "stream-json", "--verbose",
                "--model", "gemini-3.8-flash", "--api-base", self.gemini.url,
                "--dangerously-skip-permissions", "--debug-file", self.debug_file, *more]

    def finish(self, process):
        """(exit code, stdout, stderr) of a run that ends by itself."""
        stdout, stderr = process.communicate(timeout=120)
        return process.returncode, stdout, stderr

    def run(self, arguments, **more):
        return self.finish(self.start(arguments, **more))

    def leaks(self, *outputs):
        """{place: names of canaries} over everything that a run leaves behind or has sent."""
        found = {}
        for place in self.places.values():
            found |= {path.relative_to(self.root): names
                      for path, names in find_below(place, self.canaries).items()}
        streams = {"stdout or stderr": b"\n".join(outputs), "requests": b"\n".join(self.gemini.bodies)}
        for name, data in streams.items():
            if names := find_in(data, self.canaries):
                found[name] = names
        return found

    def cores(self):
        return [path for path in self.root.rglob("core*") if path.is_file()]
