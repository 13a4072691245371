#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Credentials appear nowhere but on the wire to who needs them: not on stdout or stderr, in the
debug log, in files, in what the model is told, in what other processes can see of us, nor in a
crash's remains.

    secret_test.py BINARY [unittest arguments...]

Canaries are planted in every source a credential can come from, and searched for afterwards. The
one place allowed is the token cache: an access token, in a file of mode 0600 in a directory of 0700.
"""

import json
import os
import signal
import subprocess
import sys
import unittest
from pathlib import Path

from canary import Canary, find_below, find_in, forms_of
from world import NOBODY, PS, SPY, World, bash_reply, text_reply

BINARY = None
AS_ROOT = os.geteuid() == 0


class SecretTest(unittest.TestCase):
    def world(self, user=None):
        world = World(BINARY, user)
        self.addCleanup(world.close)
        return world


# Each plants one source of credentials and returns (arguments, environment, the value that is sent).


def gemini_key(world):
    key = world.canary("GEMINI_API_KEY", "AIza")
    return ["--auth", "api-key"], {"GEMINI_API_KEY": key}, key


def google_key(world):
    key = world.canary("GOOGLE_API_KEY", "AIza")
    return [], {"GOOGLE_API_KEY": key}, key


def gcloud(world):
    token = world.canary("access token", "ya29.")
    world.plant("token", token + "\n")
    world.plant("gcloud", '#!/bin/sh\ncat "${0%/*}/token"\n', mode=0o700)
    return ["--auth", "gcloud"], {}, token


def authorized_user(world):
    address = world.token_endpoint()
    token = world.canaries[-1].value
    path = world.plant("adc.json", json.dumps(
        {"type": "authorized_user", "client_id": "client", "token_uri": address,
         "client_secret": world.canary("client secret"),
         "refresh_token": world.canary("refresh token", "1//")}))
    return ["--auth", "adc"], {"GOOGLE_APPLICATION_CREDENTIALS": path}, token


class KeyLine(Canary):
    """A line from the middle of a private key: base64 as it is, and its bytes."""

    def __init__(self, pem):
        self.name, self.value = "private key", pem.splitlines()[10]


def service_account(world):
    pem = subprocess.run(["openssl", "genpkey", "-algorithm", "RSA", "-quiet"],
                         check=True, capture_output=True, text=True).stdout
    address = world.token_endpoint()
    token = world.canaries[-1].value
    world.canaries.append(KeyLine(pem))
    path = world.plant("account.json", json.dumps(
        {"type": "service_account", "client_email": "robot@project.iam.gserviceaccount.com",
         "private_key_id": "id", "private_key": pem, "token_uri": address}))
    return ["--auth", "adc"], {"GOOGLE_APPLICATION_CREDENTIALS": path}, token


def gateway_header(world):
    key = world.canary("GEMINI_API_KEY")
    header = world.canary("gateway header")
    return [], {"GEMINI_API_KEY": key, "GEMINI_CLI_CUSTOM_HEADERS": f"X-Gate: Bearer {header}"}, key


SOURCES = [gemini_key, google_key, gcloud, authorized_user, service_account, gateway_header]


class Turn(SecretTest):
    """A whole turn in which the model looks around."""

    def assert_only_in_cache(self, world, leaks):
        for place, names in leaks.items():
            self.assertEqual(names, {"access token"}, f"{names} in {place}")
            self.assertEqual(Path(place).parts[:2], ("runtime", "yume-cli"), f"{names} in {place}")
            path = world.root / place
            self.assertEqual((path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777),
                             (0o600, 0o700))

    def spy(self, world, source, *more):
        arguments, environment, sent = source(world)
        world.gemini.replies = [bash_reply(SPY), bash_reply(PS), text_reply("done")]
        code, stdout, stderr = world.run(world.turn_arguments(*arguments, *more), **environment)
        self.assertEqual(code, 0, stdout + stderr)
        self.assertEqual(world.gemini.logins, [sent] * 3, "it was not the canary that was used")
        # The commands saw what they could, and it came through.
        self.assertIn(b"SPY_MARKER=was-here", world.gemini.bodies[1])
        self.assertIn(b"yume-cli", world.gemini.bodies[2])
        self.assertIn(b"POST http", world.debug_file.read_bytes())
        return world.leaks(stdout, stderr)

    def test_every_source_stays_secret(self):
        for source in SOURCES:
            with self.subTest(source=source.__name__):
                world = self.world()
                self.assert_only_in_cache(world, self.spy(world, source))

    @unittest.skipUnless(AS_ROOT, "needs root to become somebody else")
    def test_every_source_stays_secret_as_a_normal_user(self):
        for source in SOURCES:
            with self.subTest(source=source.__name__):
                world = self.world(NOBODY)
                self.assert_only_in_cache(world, self.spy(world, source))

    def test_tokens_are_cached_only_when_wanted(self):
        world = self.world()
        self.assertEqual(self.spy(world, gcloud, "--token-cache", "memory"), {})
        world = self.world()
        self.assertNotEqual(self.spy(world, gcloud), {})

    def test_the_debug_log_on_stderr_is_clean(self):
        world = self.world()
        arguments, environment, _ = gemini_key(world)
        world.gemini.replies = [bash_reply(SPY), text_reply("done")]
        everything = [argument for argument in world.turn_arguments(*arguments, "--debug")
                      if argument not in ("--debug-file", world.debug_file)]
        code, stdout, stderr = world.run(everything, **environment)
        self.assertEqual(code, 0)
        self.assertIn(b"[gemini] POST", stderr)
        self.assertEqual(world.leaks(stdout, stderr), {})

    def test_a_server_that_repeats_the_credential_is_not_quoted(self):
        for source in (gemini_key, gcloud):
            with self.subTest(source=source.__name__):
                world = self.world()
                arguments, environment, sent = source(world)
                error = {"error": {"code": 400, "status": "INVALID_ARGUMENT",
                                   "message": f"I do not like {sent} at all"}}
                world.gemini.replies = [
                    lambda _: (400, "application/json", json.dumps(error).encode())]
                code, stdout, stderr = world.run(world.turn_arguments(*arguments), **environment)
                self.assertEqual(code, 1)
                self.assertIn(b"I do not like [redacted] at all", stdout)
                self.assert_only_in_cache(world, world.leaks(stdout, stderr))

    def test_a_file_that_holds_the_key_is_shown_without_it(self):
        world = self.world()
        arguments, environment, key = gemini_key(world)
        path = world.plant(".env", f"GEMINI_API_KEY={key}\nCOLOUR=blue\n")
        world.gemini.replies = [bash_reply(f"cat {path}"), text_reply("done")]
        code, stdout, stderr = world.run(world.turn_arguments(*arguments), **environment)
        self.assertEqual(code, 0)
        self.assertIn(rb"GEMINI_API_KEY=[redacted]\nCOLOUR=blue", world.gemini.bodies[1])
        self.assertEqual(world.leaks(stdout, stderr), {})


class Proxy(SecretTest):
    """A proxy's password goes to commands, which need the network too, and is shown to nobody."""

    def plant(self, world):
        password = world.canary("proxy password")
        quoted = password.replace("/", "%2F")
        address = f"http://user:{quoted}@127.0.0.1:1"
        world.canaries[-1].value = quoted
        return {name: address for name in ("HTTPS_PROXY", "https_proxy", "http_proxy", "ALL_PROXY")}

    def test_its_password_is_not_shown(self):
        world = self.world()
        key = world.canary("GEMINI_API_KEY")
        proxies = self.plant(world)
        world.gemini.replies = [bash_reply("env; e=$(echo environ); tr '\\0' '\\n' < /proc/self/$e"),
                                text_reply("done")]
        code, stdout, stderr = world.run(world.turn_arguments(), GEMINI_API_KEY=key, **proxies)
        self.assertEqual(code, 0)
        self.assertIn(b"HTTPS_PROXY=http://[redacted]", world.gemini.bodies[1])
        self.assertEqual(world.leaks(stdout, stderr), {})

    def test_nobody_sees_it_in_the_programs_own_environment(self):
        world = self.world()
        command = "p=$(cut -d' ' -f4 /proc/$PPID/stat); e=$(echo environ); base64 -w0 /proc/$p/$e; true"
        world.gemini.replies = [bash_reply(command), text_reply("done")]
        code, stdout, stderr = world.run(world.turn_arguments(),
                                         GEMINI_API_KEY=world.canary("GEMINI_API_KEY"),
                                         **self.plant(world))
        self.assertEqual((code, world.leaks(stdout, stderr)), (0, {}))
        if AS_ROOT:
            marker = Canary("marker")
            marker.value = "SPY_MARKER=was-here"
            self.assertEqual(find_in(world.gemini.bodies[1], [marker]), {"marker"})

    def test_a_proxy_that_fails_is_named_without_it(self):
        world = self.world()
        arguments = world.turn_arguments("--api-base", "https://gemini.test")
        code, stdout, stderr = world.run(arguments, GEMINI_API_KEY=world.canary("GEMINI_API_KEY"),
                                         **self.plant(world))
        self.assertEqual(code, 1)
        self.assertIn(b"proxy 127.0.0.1:1", stdout)
        self.assertEqual(world.leaks(stdout, stderr), {})


class Commands(SecretTest):
    """What tells about credentials does not tell the credentials."""

    def test_status_and_doctor_show_no_credential(self):
        for source in SOURCES:
            for command in (["auth", "status"], ["auth", "status", "--json"], ["doctor"],
                            ["doctor", "--json"], ["models"]):
                with self.subTest(source=source.__name__, command=command):
                    world = self.world()
                    arguments, environment, _ = source(world)
                    if command[0] != "models":
                        arguments = ["--api-base", world.gemini.url, *arguments]
                    else:
                        arguments = []
                    _, stdout, stderr = world.run([*command, *arguments], **environment)
                    self.assertNotEqual(stdout, b"")
                    leaks = {place: names for place, names in world.leaks(stdout, stderr).items()
                             if Path(place).parts[:2] != ("runtime", "yume-cli")}
                    self.assertEqual(leaks, {})


def dumps_core(process):
    """Whether its death by a signal left a core; only the kernel's own word counts."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT).si_code == os.CLD_DUMPED


def descendants(pid):
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            found += [child, *descendants(child)]
    return found


class Crash(SecretTest):
    def setUp(self):
        world = self.world()
        world.binary = "/bin/sh"
        process = world.start(["-c", "kill -SEGV $$"])
        can_dump = dumps_core(process)
        world.finish(process)
        if not can_dump:
            self.skipTest("this system writes no core files")

    def crash(self, world, source, kind):
        arguments, environment, _ = source(world)
        ready = world.places["work"] / "ready"
        os.mkfifo(ready)
        world.gemini.replies = [bash_reply("echo > ready; sleep 600; true")]
        process = world.start(world.turn_arguments(*arguments), **environment)
        with open(ready, "rb") as pipe:  # in the middle of the turn, once somebody writes
            pipe.read()
        visible = b""
        for pid in [process.pid, *descendants(process.pid)]:
            for name in ("environ", "cmdline"):
                try:
                    visible += Path(f"/proc/{pid}/{name}").read_bytes() + b"\n"
                except PermissionError:
                    pass  # nobody's to see
        process.send_signal(kind)
        self.assertFalse(dumps_core(process))
        code, stdout, stderr = world.finish(process)
        self.assertEqual(code, -kind)
        self.assertIn(b"sleep", visible)
        return world.leaks(stdout, stderr, visible)

    def test_a_crash_leaves_nothing_behind(self):
        for user in [None, NOBODY] if AS_ROOT else [None]:
            for kind in (signal.SIGSEGV, signal.SIGABRT):
                for source in (gemini_key, gcloud, authorized_user):
                    with self.subTest(source=source.__name__, signal=kind, user=user):
                        world = self.world(user)
                        leaks = self.crash(world, source, kind)
                        self.assertEqual(world.cores(), [])
                        Turn.assert_only_in_cache(self, world, leaks)


class TheSearchItself(SecretTest):
    """Every check above can fail."""

    def test_it_finds_every_form(self):
        canary = Canary("it")
        for form in forms_of(canary.value.encode()):
            self.assertEqual(find_in(b"x" + form + b"y", [canary]), {"it"}, form)
        self.assertEqual(find_in(canary.value[:-1].encode(), [canary]), set())

    def test_it_finds_base64_at_every_alignment(self):
        canary = Canary("it")
        for before in range(6):
            for after in range(3):
                text = b"a" * before + canary.value.encode() + b"z" * after
                encoded = subprocess.run(["base64", "-w0"], input=text, capture_output=True,
                                         check=True).stdout
                self.assertEqual(find_in(encoded, [canary]), {"it"}, (before, after))

    def test_it_finds_files_names_streams_and_requests(self):
        world = self.world()
        value = world.canary("it")
        (world.places["home"] / "deep" / "er").mkdir(parents=True)
        (world.places["home"] / "deep" / "er" / "file").write_text(f"\0{value}")
        (world.places["tmp"] / value.encode().hex()).mkdir()
        world.gemini.bodies.append(value.encode())
        self.assertEqual({str(place) for place in world.leaks(value.encode())},
                         {"home/deep/er/file", f"tmp/{value.encode().hex()}", "stdout or stderr",
                          "requests"})

    def test_the_spy_sees_what_is_not_hidden(self):
        """A program that hides nothing, with a key in its environment, running the same command."""
        world = self.world()
        value = world.canary("it")
        world.binary = "/bin/bash"
        script = "/bin/bash -c 'env -u KEY /bin/bash -c \"$SPY\"; true'; true"
        _, stdout, _ = world.run(["-c", script], KEY=value, SPY=SPY)
        for form in (value.encode(), value.encode().hex().encode()):
            self.assertIn(form, stdout)
        raw_and_hex = stdout.replace(value.encode(), b"").replace(value.encode().hex().encode(), b"")
        self.assertEqual(find_in(raw_and_hex, world.canaries), {"it"}, "base64")

    def test_a_core_is_noticed(self):
        world = self.world()
        (world.places["work"] / "core.12").write_text("")
        self.assertEqual(len(world.cores()), 1)


if __name__ == "__main__":
    BINARY = Path(sys.argv.pop(1)).resolve()
    unittest.main(verbosity=0)
