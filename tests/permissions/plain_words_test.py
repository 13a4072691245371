#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""plain_words_test.py PROGRAM: what read_plain_command() accepts, bash reads in the same way.

Random strings, rich in what means something to a shell. For each that is accepted, bash must run the
same commands with the same words and redirections: once with all commands succeeding, once with all
failing, so that both sides of && and || are seen. 20,000 strings; 1,000,000 with YUME_LONG=1.
"""

import os
import random
import subprocess
import sys
import tempfile

COUNT = 1_000_000 if os.environ.get("YUME_LONG") == "1" else 20_000
BATCH = 5_000
SEED = 20

# No letters of real commands; PATH is empty as well.
WORDS = ["x", "xz", "zx", "Q9", "z-q", "z.x", "z/x", "z:x", "z,x", "z@x", "z%x", "z+x", "z_x", "7", "-z", "--zx",
         "--z=x", "z=x", "x~z", "x^", "x#z", "HEAD~3", "'z x'", '"z x"', "''", '""', "z'x y'z", 'z"x y"z',
         "'$z'", "'`z`'", "'\\z'", '"\\."', '"\\w+"', "'!'", "'z;z'", '"z|z"', "'>z'", "'#'", '"*"', "'~'"]
NASTY = ["$z", "$(x)", "`x`", "\\", "\\ ", "~", "~z", "=", "!", "#", "*", "?", "[z]", "{z,x}", "(", ")", "<z", ">z",
         "\t", "\n", "\r", "é", "\x7f", "'", '"', "$'z'", '$"z"', "&", ";", "|", "^", "z=~", "--z=~", "%", "%1", ":",
         ".", "..", "time", "if", "{", "}", "!x", "\\\n", '"\\\\"', '"\\""', '"$z"', '"!"', "z;", ";;", "2>z", "2", "1"]
JOINTS = [" ; ", "; ", " && ", " || ", " | ", ";", "&&", "||", "|", " & ", " |& ", " ;; "]
REDIRECTIONS = [" 2>/dev/null", " >/dev/null", " 2>&1", " >/dev/null 2>&1", " 2>&1 >/dev/null", " 2>/dev/null >/dev/null",
                "2>/dev/null", ">/dev/null", " 2>/dev/nullz", " 2>&1z", " 1>&2", " &>/dev/null", " 3>/dev/null"]
CHARACTERS = "xzQ7 -_./,:@%+=~^#'\"\\$`!*?[]{}()<>&|;\t\n"

# Every command becomes a function that writes down how it was called. It returns $status.
BASH = r"""
shopt -u expand_aliases
PATH=
write_down() {
  local name=$1 where= word; shift
  [[ /dev/fd/1 -ef /dev/null ]] && where+=o || where+=-
  [[ /dev/fd/2 -ef /dev/null ]] && where+=e || where+=-
  [[ ! /dev/fd/1 -ef /dev/null && /dev/fd/2 -ef /dev/fd/1 ]] && where+=m || where+=-
  printf -v line '\x1f%s' "$name" "$@"  # what is accepted has printable characters only
  printf '%s\n' "$where$line" >&9
  return $status
}
command_not_found_handle() { write_down "$@"; }
while IFS= read -r -d '' text && IFS= read -r -d '' names; do
  for name in $names; do eval "function $name { write_down $name \"\$@\"; }"; done
  for status in 0 1; do
    printf 'BEGIN\n' >&9
    eval -- "$text" </dev/null
  done
  for name in $names; do unset -f "$name"; done
done
"""


def random_command(rng):
    if rng.random() < 0.15:
        return "x" + "".join(rng.choice(CHARACTERS) for _ in range(rng.randrange(1, 16)))
    parts = []
    for step in range(rng.randrange(1, 4)):
        if step:
            parts.append(rng.choice(JOINTS[:5]) if rng.random() < 0.85 else rng.choice(JOINTS))
        words = [rng.choice(WORDS[:10]) if rng.random() < 0.9 else rng.choice(NASTY)]
        for _ in range(rng.randrange(0, 5)):
            words.append(rng.choice(WORDS) if rng.random() < 0.93 else rng.choice(NASTY) + rng.choice(["", "z"]))
        parts.append((" " if rng.random() < 0.9 else "  ").join(words))
        if rng.random() < 0.25:
            parts.append(rng.choice(REDIRECTIONS))
    text = "".join(parts)
    if rng.random() < 0.1 and text:  # one character changed, added or taken away
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(["", rng.choice(CHARACTERS)]) + text[at + rng.randrange(2):]
    return text


def read_by_us(program, texts):
    data = b"".join(text.encode() + b"\0" for text in texts)
    out = subprocess.run([program], input=data, stdout=subprocess.PIPE, check=True).stdout.decode()
    answers = [answer.split("\n") for answer in out.split("\n\n")[:-1]]
    assert len(answers) == len(texts), (len(answers), len(texts))
    return [None if answer == ["-"] else [parse_step(line) for line in answer] for answer in answers]


def parse_step(line):
    joint, where, *words = line.split(" ")
    return joint, where, [bytes.fromhex(word).decode() for word in words]


def expected_calls(steps, status):
    """What runs when every command returns this status: pipelines as a whole or not at all."""
    pipelines = []
    for step in steps:
        if step[0] == "pipe":
            pipelines[-1].append(step)
        else:
            pipelines.append([step])
    calls = []
    last = 0
    for pipeline in pipelines:
        joint = pipeline[0][0]
        if (joint == "and" and last != 0) or (joint == "or" and last == 0):
            continue
        calls += [(where, words) for _, where, words in pipeline]
        last = status
    return sorted(calls)


def read_by_bash(texts, names):
    """The calls that bash makes of each text, for status 0 and then for status 1."""
    data = b"".join(text.encode() + b"\0" + " ".join(sorted(set(called))).encode() + b"\0"
                    for text, called in zip(texts, names))
    with tempfile.TemporaryFile() as calls:
        script = BASH.replace(">&9", f">&{calls.fileno()}")
        subprocess.run(["bash", "--noprofile", "--norc", "-c", script], input=data, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, pass_fds=[calls.fileno()], env={"LC_ALL": "C"}, check=False)
        calls.seek(0)
        return [block.splitlines() for block in calls.read().decode().split("BEGIN\n")[1:]]


def main():
    program = sys.argv[1]
    rng = random.Random(SEED)
    accepted = disagreements = done = 0
    while done < COUNT:
        texts = [random_command(rng) for _ in range(min(BATCH, COUNT - done))]
        done += len(texts)
        pairs = [(text, steps) for text, steps in zip(texts, read_by_us(program, texts)) if steps]
        accepted += len(pairs)
        blocks = read_by_bash([text for text, _ in pairs], [[step[2][0] for step in steps] for _, steps in pairs])
        assert len(blocks) == 2 * len(pairs), (len(blocks), len(pairs))
        for index, (text, steps) in enumerate(pairs):
            for status in (0, 1):
                ours = sorted("\x1f".join([where, *words]) for where, words in expected_calls(steps, status))
                bash = sorted(blocks[2 * index + status])
                if ours != bash:
                    disagreements += 1
                    if disagreements <= 20:
                        print(f"{text!r}, status {status}\n  we:   {ours}\n  bash: {bash}")
    print(f"{done} strings, {accepted} accepted, {disagreements} disagreements (seed {SEED})")
    if accepted < done // 10:
        sys.exit("too few strings were accepted for the test to mean anything")
    sys.exit(1 if disagreements else 0)


if __name__ == "__main__":
    main()
