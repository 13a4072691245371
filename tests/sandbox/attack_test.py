#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What got through before there was a wall: nothing outside the workspace may change, and no byte
of what is closed may be seen, in any result and in the whole transcript.

    attack_test.py <yume-cli>
"""

import json
import shutil
import subprocess
import sys

from walled import CANARY, has_mounts, skip_without_landlock, worlds

# Names the rules cannot see: what stops this is the wall.
ONLY_THE_WALL = "python3 -c \"import os; open(os.path.expanduser('~') + '/evil', 'w')\""
ATTACKS = [
    ONLY_THE_WALL,
    "cat ~/.ssh/id_ed25519",
    "echo KEY >> ~/.ssh/authorized_keys",
    "echo evil >> ~/.bashrc",
    "cat ~/.config/gcloud/application_default_credentials.json ~/keys/service-account.json",
    "cat ~/gcloud-elsewhere/*",
    "printf '{\"hooks\":{}}' > ~/.yume/settings.json",
    "find ~ -delete",
    "echo ~ | xargs rm -rf",
    "$(echo rm) -rf ~",
    "rm -rf {scratch}/hom?",
    "N=home; rm -rf {scratch}/$N",
    "cd ..; env -C .. rm -rf home",
    "mv ~ gone",
    "cat ~/.aws/credentials ~/.netrc ~/.config/gh/hosts.yml",
    "cat ~/.config/google-chrome/Default/Cookies ~/.local/share/keyrings/login.keyring",
    "grep -rs canary ~ {scratch}",
    "tar -cf - -C ~ . | grep -a canary",
    "cp -r ~ copy; grep -r canary copy; rm -rf copy",
    "python3 -c \"import os; print(open(os.path.expanduser('~/.ssh/id_ed25519')).read())\"",
    "python3 - <<'END'\nimport os, shutil\nshutil.rmtree(os.path.expanduser('~'), ignore_errors=True)\nEND",
    "ln -s ~/.ssh s; cat s/id_ed25519; echo evil > s/evil",
    "cat /proc/*/root$HOME/.ssh/id_ed25519",
    "cat /proc/$PPID/environ /proc/1/environ | tr '\\0' '\\n' | grep -a -e canary -e GEMINI_API_KEY=k",
    "echo evil > {scratch}/evil; mkdir {scratch}/more",
    "mkdir -p .yume .claude; ln -s ~ .yume/tmp; ln -s ~ .claude/worktrees",
    "echo evil > ~/evil; echo evil > .yume/tmp/evil",
    "rm -rf .yume; mkdir -p g/worktrees/x; ln -s ~ g/objects; echo ../.. > g/worktrees/x/commondir; "
    "echo $PWD/.git > g/worktrees/x/gitdir; echo \"gitdir: $PWD/g/worktrees/x\" > .git",
    "(setsid sh -c 'echo evil > ~/evil' &)",
    "mkdir -p ~/.config/autostart ~/.local/bin; echo evil > ~/.local/bin/git",
]
HOOKS = [
    "printf evil > .git/hooks/pre-commit",
    "mv .git g; mkdir -p .git/hooks; printf evil > .git/hooks/pre-commit",
    "git config core.hooksPath /tmp",
    "printf '[core]\\n fsmonitor = evil\\n' >> .git/config",
    "mkdir -p .claude; printf '{}' > .claude/settings.json",
    "printf '{}' > .vscode/tasks.json",
    # The same with names that the rules cannot see.
    "python3 -c \"open('.git/ho' + 'oks/pre-commit', 'w').write('evil')\"",
    "python3 -c \"open('.git/con' + 'fig', 'a').write('evil')\"",
    "python3 -c \"open('.cla' + 'ude/settings.json', 'w').write('{}')\"",
    "python3 -c \"open('.vsc' + 'ode/tasks.json', 'w').write('{}')\"",
]


def with_breaks(commands):
    """A success after each: a turn with nothing but denials ends."""
    for number, command in enumerate(commands):
        yield command
        yield f"echo went on {number}"


def check_outside(name, world):
    attacks = [attack.replace("{scratch}", str(world.scratch)) for attack in ATTACKS]
    lines = world.start([])  # what yume-cli itself makes is there from now on
    before = world.outside()
    results = world.run(list(with_breaks(attacks)))
    # What they left in the workspace is there when the next session begins.
    results += world.run(["echo evil > ~/evil; echo evil > g/objects/evil; echo evil > .claude/worktrees/evil"])
    after = world.outside()
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    assert not changed, f"{name}: changed {sorted(changed)}"
    said = json.dumps(results) + json.dumps(lines)
    assert CANARY not in said, f"{name}: {[text for text, _ in results if CANARY in text]}"
    for record in world.home.rglob("*.jsonl"):
        assert CANARY not in record.read_text(), f"{name}: {record}"
    assert sum(text.startswith("went on") for text, _ in results) == len(attacks)
    denied = results[2 * ATTACKS.index(ONLY_THE_WALL)][0]
    assert "[sandbox] Commands can change files only in" in denied and str(world.work) in denied, denied


def check_hooks(name, world):
    for left in world.work.iterdir():
        shutil.rmtree(left) if left.is_dir() and not left.is_symlink() else left.unlink()
    subprocess.run(["git", "init", "-q", world.work], check=True)
    for folder in (".claude", ".vscode"):
        (world.work / folder).mkdir()
    before = {path: path.read_bytes() for path in (world.work / ".git").rglob("*")
              if path.is_file() and ("hooks" in path.parts or path.name == "config")}
    tasks = world.work / ".vscode/tasks.json"
    tasks.write_text("{ }")
    results = world.run(list(with_breaks(HOOKS)))
    after = {path: path.read_bytes() for path in (world.work / ".git").rglob("*")
             if path.is_file() and ("hooks" in path.parts or path.name == "config")}
    assert before == after, f"{name}: {results}"
    assert not (world.work / ".claude/settings.json").exists(), name
    assert tasks.read_text() == "{ }", name


def main():
    skip_without_landlock()
    for name, world in worlds(sys.argv[1]):
        with world:
            check_outside(name, world)
            mounts = has_mounts(world)
            if mounts:
                check_hooks(name, world)
            print(f"{name}: nothing changed, nothing seen" + ("" if mounts else "; no mounts, so hooks are not tried"))


if __name__ == "__main__":
    main()
